//! The names of columns, by which people choose what a column is.

use std::collections::HashMap;

use crate::domain::text::fold;

/// Returns the names of the columns: each one's heading, numbered if an earlier column has the same one, or its letters.
pub(super) fn names_of(headings: &[String]) -> Vec<String> {
    let mut seen = HashMap::<String, usize>::new();
    let name = |(at, heading): (usize, &String)| {
        if heading.is_empty() {
            return letters(at);
        }
        let times = seen.entry(fold(heading)).and_modify(|times| *times += 1).or_insert(1);
        if *times == 1 { heading.clone() } else { format!("{heading} ({times})") }
    };
    headings.iter().enumerate().map(name).collect()
}

/// Returns a column's letters in a spreadsheet: `A` for 0, `AA` for 26.
pub(super) fn letters(at: usize) -> String {
    let mut left = at + 1;
    let mut letters = Vec::new();
    while left > 0 {
        letters.push(char::from(b'A' + u8::try_from((left - 1) % 26).unwrap_or_default()));
        left = (left - 1) / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lettered_like_in_spreadsheets() {
        for (at, name) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letters(at), name);
        }
    }

    #[test]
    fn equal_headings_are_numbered() {
        let headings = ["Nº", "Nome", "nº", "", "NOME"].map(str::to_owned);
        assert_eq!(names_of(&headings), ["Nº", "Nome", "nº (2)", "D", "NOME (2)"]);
    }
}

//! Splits a text that names several people.

use std::ops::Range;

use super::NamedPerson;
use super::case_part::{is_description, is_part_in_case};
use super::segments::ranges;

/// Signs and words between the names of several people.
const AND: [&str; 6] = [",", "/", "+", "&", " e ", " and "];

/// Splits a text at the signs and words by which people join names: `Ana Lima e Bia Reis`.
pub fn joined(text: &str) -> Vec<&str> {
    let mut names = vec![text];
    for between in AND {
        names = names.into_iter().flat_map(|name| name.split(between)).collect();
    }
    names.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// Returns the names that a text joins, without what it says about a person behind the name.
pub fn people(text: &str) -> Vec<&str> {
    let parts = joined(text).into_iter().enumerate();
    parts.take_while(|(at, part)| *at == 0 || !is_description(part)).map(|(_, part)| part).collect()
}

/// Splits a text into those for each customer. A name and a number on lines of their own, or a number behind `CPF` after a
/// semicolon, are one customer.
pub fn customers_in(text: &str) -> Vec<&str> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for at in ranges(text, |c| !";\n\r·".contains(c)) {
        let own = text.get(at.clone()).unwrap_or_default();
        if own.trim().is_empty() {
            continue;
        }
        let joins = parts.last().is_some_and(|last| {
            let before = text.get(last.clone()).unwrap_or_default();
            let between = text.get(last.end..at.start).unwrap_or_default();
            let is_line = !between.contains([';', '·']);
            completes(before, own, is_line) || is_line && completes(own, before, is_line)
        });
        match parts.last_mut().filter(|_| joins) {
            Some(last) => last.end = at.end,
            None => parts.push(at),
        }
    }
    parts.into_iter().filter_map(|at| text.get(at)).map(str::trim).collect()
}

/// Returns `true` if a name has no number, and the other text is a number, or says a part in the case. If they are not on
/// lines of their own, a word must announce the number.
fn completes(name: &str, other: &str, is_line: bool) -> bool {
    let other_person = NamedPerson::parse(other);
    let is_number = other_person.number.is_some() && other_person.name.is_empty();
    let is_announced = is_line || other.contains(char::is_alphabetic);
    let named = NamedPerson::parse(name);
    let is_name = !named.name.is_empty() && !is_part_in_case(name);
    is_name && (is_number && is_announced && named.number.is_none() || is_line && is_part_in_case(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_customer_are_one_part() {
        for (text, parts) in [
            ("Ana Lima\nCPF 529.982.247-25", &["Ana Lima\nCPF 529.982.247-25"][..]),
            ("529.982.247-25\r\nAna Lima", &["529.982.247-25\r\nAna Lima"]),
            ("Ana Lima; CPF 529.982.247-25", &["Ana Lima; CPF 529.982.247-25"]),
            ("Ana Lima; 529.982.247-25", &["Ana Lima", "529.982.247-25"]),
            ("Ana Lima\nautora\nBia Reis", &["Ana Lima\nautora", "Bia Reis"]),
            ("Ana\n529.982.247-25\nBia\n111.444.777-35", &["Ana\n529.982.247-25", "Bia\n111.444.777-35"]),
            ("529.982.247-25\n111.444.777-35", &["529.982.247-25", "111.444.777-35"]),
            ("Ana Lima; Bia Reis\n\n", &["Ana Lima", "Bia Reis"]),
            ("Ana (529.982.247-25); Bia (111.444.777-35)", &["Ana (529.982.247-25)", "Bia (111.444.777-35)"]),
            (" ; ", &[]),
        ] {
            assert_eq!(customers_in(text), parts, "{text}");
        }
    }
}

//! The display name of a lawsuit: its customers, the opposing side and its type (day 37).

use crate::api::console_pages::View;

const AGAINST: &str = " × ";

/// Returns the display name of a record's lawsuit, such as `Rosângela Lima × Banco Exemplo · Divórcio`. The
/// record may be the lawsuit itself. Empty if the record has no lawsuit.
pub fn case_name(record: &View) -> String {
    let mut kind = "";
    let mut customers = Vec::new();
    let mut opposing = Vec::new();
    for line in record.text("sides").lines() {
        match line.split_at_checked(1) {
            Some(("t", name)) => kind = name,
            Some(("c", name)) => customers.push(name),
            Some(("o", name)) => opposing.push(name),
            _ => {}
        }
    }
    let sides = [customers, opposing].map(|names| side(&names));
    let sides = sides.into_iter().filter(|side| !side.is_empty()).collect::<Vec<_>>().join(AGAINST);
    let parts = [sides.as_str(), kind];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Joins the names of one side. If there are more than two, returns the first name and the number of others.
fn side(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one}, {two}"),
        [one, others @ ..] => format!("{one} + {}", others.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_with_many_people_shows_the_first_name_and_a_count() {
        assert_eq!(side(&[]), "");
        assert_eq!(side(&["Ana"]), "Ana");
        assert_eq!(side(&["Ana", "Bia"]), "Ana, Bia");
        assert_eq!(side(&["Ana", "Bia", "Caio"]), "Ana + 2");
    }
}

//! Splits a text that names several people.

use std::ops::Range;

use super::NamedPerson;
use super::case_part::{is_description, is_part_in_case};
use super::identity_document::documents;
use super::representative::{introduces, is_representative, represented};
use super::segments::{has_words, is_in, ranges, segments};
use super::tax_numbers::{numbers, without_words};
use crate::domain::fold;
use crate::domain::parties::similar_names::words::{is_dropped, is_whole};

/// Signs and words between the names of several people.
const AND: [&str; 6] = [",", "/", "+", "&", " e ", " and "];

/// Splits a text at the signs and words by which people join names: `Ana Lima e Bia Reis`.
pub fn joined(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut start = 0;
    for joint in joints(text, &number_places(text)) {
        names.extend(text.get(start..joint.start));
        start = joint.end;
    }
    names.extend(text.get(start..));
    names.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// Returns the places of the signs and words of [`AND`] that are in no number, in their order.
fn joints(text: &str, numbers: &[Range<usize>]) -> Vec<Range<usize>> {
    let all = AND.iter().flat_map(|sign| text.match_indices(sign));
    let all = all.map(|(at, sign)| at..at + sign.len()).filter(|at| !is_in(numbers, at.start));
    let mut joints: Vec<_> = all.collect();
    joints.sort_unstable_by_key(|at| at.start);
    joints
}

/// Returns the places of the CPFs, CNPJs and documents in a text, in their order.
fn number_places(text: &str) -> Vec<Range<usize>> {
    let mut places = documents(text);
    places.extend(numbers(text).into_iter().map(|(at, _)| at));
    places.sort_unstable_by_key(|at| at.start);
    places
}

/// Returns the names that a text joins, without what it says about a person behind the name, and who acts for them. A text with
/// several numbers, of which it is not plain whose they are, is one.
pub fn people(text: &str) -> Vec<&str> {
    let own = represented(text);
    if numbers(own).len() > 1 || is_representative(text) {
        return vec![text];
    }
    let parts = joined(own).into_iter().enumerate();
    parts.take_while(|(at, part)| *at == 0 || !is_description(part)).map(|(_, part)| part).collect()
}

/// Returns `true` if a name joins whole names, so that it may be that of several people: `Ana Lima e Bia Reis`.
pub fn may_be_several(name: &str) -> bool {
    let names = joined(name);
    names.len() > 1 && names.iter().all(|name| is_whole(name))
}

/// Splits a text into those for each customer. A name and a number on lines of their own, a number behind `CPF` after a
/// semicolon, or a person and who acts for that person, are one customer.
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
            introduces(own) || completes(before, own, is_line) || is_line && completes(own, before, is_line)
        });
        match parts.last_mut().filter(|_| joins) {
            Some(last) => last.end = at.end,
            None => parts.push(at),
        }
    }
    let parts = parts.into_iter().filter_map(|at| text.get(at));
    parts.flat_map(with_numbers).map(|own| own.trim().trim_end_matches(',')).collect()
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

/// Splits a text at the people with numbers of their own: `Ana Lima (CPF …) e Bia Reis (CPF …)`.
fn with_numbers(text: &str) -> Vec<&str> {
    let own = represented(text);
    let places = number_places(own);
    let Some(first) = places.first().filter(|_| !is_representative(text)) else { return vec![text] };
    let before = own.get(..first.start).unwrap_or_default();
    let is_name = |at: Range<usize>| {
        let segment = own.get(at).unwrap_or_default();
        !is_part_in_case(segment) && has_words(without_words(segment))
    };
    let is_name_first = segments(before, &[]).any(is_name);
    let mut parts = Vec::new();
    let mut start = 0;
    let starts = places.iter().skip(1).map(|next| Some(next.start)).chain([None]);
    for (number, next) in places.iter().zip(starts) {
        let behind = number.end..next.unwrap_or(own.len());
        let joint = match is_name_first {
            true => joint_before_name(own, behind, next.is_none()),
            false => joints(own, &places)
                .into_iter()
                .rfind(|joint| next.is_some() && behind.contains(&joint.start)),
        };
        if let Some(joint) = joint {
            parts.extend(text.get(start..joint.start));
            start = joint.end;
        }
    }
    parts.extend(text.get(start..));
    parts
}

/// Returns what joins the next person to the one whose number stands before a place of a text: a sign of [`AND`], or nothing.
/// Behind a description, which may go on with any word, it is that of the last name before the next number.
fn joint_before_name(text: &str, behind: Range<usize>, is_last: bool) -> Option<Range<usize>> {
    let between = text.get(behind.clone())?;
    let mut joints = joints(between, &[]);
    if !is_last {
        joints.insert(0, 0..0);
    }
    let ends = joints.iter().skip(1).map(|joint| joint.start).chain([between.len()]).collect::<Vec<_>>();
    let mut found = None;
    let mut is_described = false;
    for (joint, end) in joints.into_iter().zip(ends) {
        let part = between.get(joint.end..end).unwrap_or_default();
        let name = without_words(part).trim_start_matches(|c: char| !c.is_alphanumeric());
        is_described |= is_description(name);
        if is_described && is_last {
            break;
        }
        // One word without a sign before it, or behind the last number, may be anything.
        let is_certain = joint.end > 0 && !is_last || is_whole(name);
        if is_certain && begins_name(name) && (found.is_none() || is_described) {
            found = Some(behind.start + joint.start..behind.start + joint.end);
        }
    }
    found
}

fn begins_name(text: &str) -> bool {
    let is_name = |word: &str| word.starts_with(char::is_alphabetic) && !is_dropped(word);
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    !has_digits && fold(text).split(' ').any(is_name) && !is_description(text) && !is_part_in_case(text)
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
            // Who acts for a person belongs to that person.
            (
                "A. B.; rep. por Dora Melo (CPF 529.982.247-25)",
                &["A. B.; rep. por Dora Melo (CPF 529.982.247-25)"],
            ),
            ("A. B.\nMãe: Dora Melo\nBia Reis", &["A. B.\nMãe: Dora Melo", "Bia Reis"]),
        ] {
            assert_eq!(customers_in(text), parts, "{text}");
        }
    }

    #[test]
    fn people_with_numbers_of_their_own_are_parts() {
        for (text, parts) in [
            (
                "Ana Lima (529.982.247-25) e Bia Reis (111.444.777-35)",
                &["Ana Lima (529.982.247-25)", "Bia Reis (111.444.777-35)"][..],
            ),
            (
                "Ana, CPF 529.982.247-25, Bia, CPF/MF 111.444.777-35",
                &["Ana, CPF 529.982.247-25", "Bia, CPF/MF 111.444.777-35"],
            ),
            (
                "529.982.247-25 - Ana e 111.444.777-35 - Bia",
                &["529.982.247-25 - Ana", "111.444.777-35 - Bia"],
            ),
            (
                "CPF 529.982.247-25, Ana, CPF 111.444.777-35, Bia",
                &["CPF 529.982.247-25, Ana", "CPF 111.444.777-35, Bia"],
            ),
            (
                "Ana Lima 529.982.247-25 Bia Reis 111.444.777-35",
                &["Ana Lima 529.982.247-25", "Bia Reis 111.444.777-35"],
            ),
            (
                "Ana (529.982.247-25), casada, Rua das Flores, 1, e Bia (111.444.777-35)",
                &["Ana (529.982.247-25), casada, Rua das Flores, 1", "Bia (111.444.777-35)"],
            ),
            (
                "Alfa Ltda (11.222.333/0001-81) e Bia & Filhos Ltda (529.982.247-25)",
                &["Alfa Ltda (11.222.333/0001-81)", "Bia & Filhos Ltda (529.982.247-25)"],
            ),
            ("Ana Lima (529.982.247-25) e Bia Reis", &["Ana Lima (529.982.247-25)", "Bia Reis"]),
            (
                "Ana Lima (529.982.247-25), Bia Reis, casadas",
                &["Ana Lima (529.982.247-25)", "Bia Reis, casadas"],
            ),
            (
                "Ana Lima, RG 1.234.567 SSP/SC, e Bia Reis, RG 7.654.321",
                &["Ana Lima, RG 1.234.567 SSP/SC", "Bia Reis, RG 7.654.321"],
            ),
            // One person.
            (
                "Ana Lima, RG 1.234.567 SSP/SC, CPF 529.982.247-25",
                &["Ana Lima, RG 1.234.567 SSP/SC, CPF 529.982.247-25"],
            ),
            (
                "Ana Lima (529.982.247-25), brasileira, casada",
                &["Ana Lima (529.982.247-25), brasileira, casada"],
            ),
            ("Ana Lima (529.982.247-25), Criciúma", &["Ana Lima (529.982.247-25), Criciúma"]),
            (
                "A. B. (529.982.247-25), rep. por Dora Melo (111.444.777-35)",
                &["A. B. (529.982.247-25), rep. por Dora Melo (111.444.777-35)"],
            ),
            ("Dora Melo (529.982.247-25), mãe de A. B.", &["Dora Melo (529.982.247-25), mãe de A. B."]),
            // Whose numbers they are is not plain.
            (
                "Ana Lima e Bia Reis (529.982.247-25 e 111.444.777-35)",
                &["Ana Lima e Bia Reis (529.982.247-25 e 111.444.777-35)"],
            ),
        ] {
            assert_eq!(customers_in(text), parts, "{text}");
        }
    }

    #[test]
    fn names_are_joined_by_signs_outside_of_numbers() {
        for (text, names) in [
            ("Ana Lima e Alfa (11.222.333/0001-81)", &["Ana Lima", "Alfa (11.222.333/0001-81)"][..]),
            ("Ana Lima, RG 12.345 SSP/SP", &["Ana Lima"]),
            ("A. B. e C. D., menores, rep. por Dora Melo e Rui Luz", &["A. B.", "C. D."]),
            ("Ana e Bia (529.982.247-25 e 111.444.777-35)", &["Ana e Bia (529.982.247-25 e 111.444.777-35)"]),
        ] {
            assert_eq!(people(text), names, "{text}");
        }
        assert!(may_be_several("Ana Lima e Bia Reis") && !may_be_several("Ana Lima e Silva"));
    }
}

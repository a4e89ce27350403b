//! Finds identity cards and other documents with a number in a text: `RG 12.345.678-9 SSP/SP`, `OAB/SC 1234`.

use std::ops::Range;

use super::segments::ranges;
use crate::domain::{State, fold};

/// Names of documents, folded, without full stops.
const DOCUMENTS: [&str; 12] =
    ["ci", "cnh", "ctps", "identidade", "nis", "nit", "oab", "passaporte", "pis", "rg", "rne", "rnm"];
/// Words before the name of a document, folded: `carteira de identidade`.
const PAPERS: [&str; 3] = ["carteira", "cedula", "documento"];
/// Words between the name of a document and its number, folded.
const BEFORE_NUMBER: [&str; 11] =
    ["civil", "de", "geral", "n", "no", "nr", "num", "numero", "o", "registro", "sob"];
/// Short names of those who issue documents, folded.
const ISSUERS: [&str; 10] = ["detran", "dpf", "ifp", "igp", "iirgd", "itep", "pc", "sesp", "ssp", "sspds"];
/// Most letters in front of the digits of a number.
const MAX_LETTERS: usize = 3;
/// Fewest digits of a document.
const MIN_DIGITS: usize = 3;

/// Returns the places of the documents in a text, each with its name, its number and who issued it.
pub(super) fn documents(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let words = ranges(text, |c| c.is_alphabetic() || c == '.').collect::<Vec<_>>();
    let word = |at: usize| words.get(at).map(|own| folded(text, own));
    for (at, own) in words.iter().enumerate() {
        let is_inside = found.last().is_some_and(|last| last.end > own.start);
        if is_inside || !DOCUMENTS.contains(&&*folded(text, own)) {
            continue;
        }
        let Some(number) = number_behind(text, own.end) else { continue };
        let paper = at.checked_sub(2).filter(|paper| {
            word(paper + 1).as_deref() == Some("de")
                && word(*paper).is_some_and(|own| PAPERS.contains(&&*own))
        });
        let start = paper.and_then(|paper| words.get(paper)).unwrap_or(own).start;
        found.push(start..end_of_issuer(text, number.end));
    }
    found
}

fn folded(text: &str, at: &Range<usize>) -> String {
    fold(&text.get(at.clone()).unwrap_or_default().replace('.', ""))
}

/// Returns the number behind a document's name, from its first digit.
fn number_behind(text: &str, mut from: usize) -> Option<Range<usize>> {
    loop {
        let (start, word) = next_word(text, from, " :-/.°\t\n")?;
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            from = start + word.len();
            // Of a passport, letters are a part of the number.
            let is_part =
                word.len() <= MAX_LETTERS && text.get(from..)?.starts_with(|c: char| c.is_ascii_digit());
            if !is_part && !is_beside(word) {
                return None;
            }
            continue;
        }
        let rest = text.get(start..)?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || "./-".contains(c);
        let run = rest.split(|c: char| !is_part(c)).next()?;
        // An identity card of some states ends in an X.
        let end = run.rfind(|c: char| c.is_ascii_digit())? + 1;
        let end = if run.get(end..).is_some_and(|last| matches!(last, "-X" | "-x" | "X" | "x")) {
            run.len()
        } else {
            end
        };
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        return (digits >= MIN_DIGITS).then_some(start..start + end);
    }
}

/// Returns the end of the short names behind a number that say who issued the document, or else the end of the number.
fn end_of_issuer(text: &str, number: usize) -> usize {
    let mut end = number;
    while let Some((start, word)) = next_word(text, end, " -/(,").filter(|(_, word)| is_issuer(word)) {
        end = start + word.len();
    }
    let is_opened = text.get(number..end).is_some_and(|issuer| issuer.contains('('));
    if is_opened && text.get(end..).is_some_and(|rest| rest.starts_with(')')) { end + 1 } else { end }
}

/// Returns the word behind a place, with where it begins. Only such signs may stand in between.
fn next_word<'t>(text: &'t str, from: usize, signs: &str) -> Option<(usize, &'t str)> {
    let rest = text.get(from..)?;
    let own = rest.trim_start_matches(|c| signs.contains(c));
    let start = from + rest.len() - own.len();
    let is_digit = own.starts_with(|c: char| c.is_ascii_digit());
    let is_part = |c: char| c.is_alphanumeric() && c.is_ascii_digit() == is_digit;
    let word = own.split(|c: char| !is_part(c)).next().filter(|word| !word.is_empty())?;
    Some((start, word))
}

fn is_beside(word: &str) -> bool {
    BEFORE_NUMBER.contains(&&*fold(word)) || is_issuer(word)
}

/// Returns `true` for who issues documents, or for a state in capital letters.
fn is_issuer(word: &str) -> bool {
    let is_state = State::parse(word).is_ok() && word.chars().all(char::is_uppercase);
    is_state || ISSUERS.contains(&&*fold(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_found_with_its_number_and_its_issuer() {
        for (before, document, behind) in [
            ("Ana Lima ", "RG 12.345.678-9 SSP/SP", ""),
            ("Ana Lima, ", "RG nº 1234567", ", CPF 529.982.247-25"),
            ("Ana Lima (", "R.G.: MG-12.345.678", ")"),
            ("Ana Lima - ", "rg 12.345.678-X (SSP-SC)", " - autora"),
            ("Ana Lima ", "CNH 52998224725", ""),
            ("Ana Lima, ", "OAB/SC 1234", " e Bia"),
            ("Ana Lima, ", "OAB nº 12.345/SC", ""),
            ("Ana Lima, ", "carteira de identidade nº 1.234.567", ""),
            ("Ana Lima ", "RG12345", " se mudou"),
            ("", "CTPS 1234567", " Ana"),
            ("Ana (", "RG: 1.234.567, SSP/SC", ")"),
            ("Ana, ", "passaporte AB123456", ""),
            ("Ana, ", "RG SSP/SP 1.234.567", ""),
        ] {
            let text = [before, document, behind].concat();
            let found: Vec<_> = documents(&text).into_iter().map(|at| text[at].to_owned()).collect();
            assert_eq!(found, [document], "{text}");
        }
        for text in ["RG Transportes 2000 Ltda", "OAB", "RG/CPF 529.982.247-25", "Argos 1234", "RG 24"] {
            assert!(documents(text).is_empty(), "{text}");
        }
    }
}

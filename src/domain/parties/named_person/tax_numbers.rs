//! Finds the CPFs and CNPJs in a text.

use std::ops::Range;

use super::identity_document::documents;
use super::segments::{is_between, is_in, ranges, trimmed};
use crate::domain::numbers::tax_id::completed_tax_id;
use crate::domain::{Phone, TaxId, fold};

/// Fewest digits of a number that may be a CPF without its leading zeros, or a phone.
const LONG_NUMBER: usize = 9;
pub(super) const CPF_DIGITS: usize = 11;

/// Returns the CPF or CNPJ that stands first in a text, beside the name.
pub fn first_number(text: &str) -> Option<TaxId> {
    numbers(text).into_iter().next().map(|(_, number)| number)
}

pub(super) fn has_long_number(text: &str) -> bool {
    ranges(text, |c| c.is_ascii_digit() || c.is_whitespace() || "./-–()".contains(c))
        .filter_map(|at| text.get(at))
        .any(|run| run.bytes().filter(u8::is_ascii_digit).count() >= LONG_NUMBER)
}

/// Words between a name and its CPF or CNPJ, folded.
const BEFORE_NUMBER: [&str; 9] = ["cnpj", "cpf", "doc", "documento", "mf", "n", "no", "numero", "sob"];

/// Returns each CPF and CNPJ in a text with its place, in their order. Numbers of other documents are none.
pub(super) fn numbers(text: &str) -> Vec<(Range<usize>, TaxId)> {
    let mut found = Vec::new();
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || "./-–".contains(c);
    for run in ranges(text, is_part) {
        let whole = trimmed(text, run.clone());
        let mut parts = vec![whole.clone()];
        let pieces = ranges(text.get(run.clone()).unwrap_or_default(), |c| !c.is_whitespace());
        parts.extend(pieces.map(|own| trimmed(text, run.start + own.start..run.start + own.end)));
        for part in parts {
            let is_in_whole = found.iter().any(|(own, _): &(Range<usize>, _)| own.end >= part.end);
            let number = number_at(text, &part).filter(|_| !is_in_whole);
            found.extend(number.map(|number| (part, number)));
        }
    }
    // A CNPJ may have letters.
    for part in ranges(text, |c| c.is_ascii_alphanumeric() || "./-".contains(c)) {
        let digits = text.get(part.clone()).unwrap_or_default();
        let has_letters = digits.contains(|c: char| c.is_ascii_alphabetic());
        if let Ok(number) = TaxId::parse(digits)
            && has_letters
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && !found.iter().any(|(own, _)| part.contains(&own.start))
        {
            found.push((part, number));
        }
    }
    let documents = documents(text);
    found.retain(|(at, _)| !is_in(&documents, at.start));
    found.sort_unstable_by_key(|(at, _)| at.start);
    found
}

/// Returns the number at a place. Digits that may be a phone are one only in brackets or behind a word such as `CPF`, and those
/// that lack leading zeros only behind such a word.
fn number_at(text: &str, at: &Range<usize>) -> Option<TaxId> {
    let digits = text.get(at.clone())?;
    let number = TaxId::parse(&completed_tax_id(digits)).ok()?;
    let before = text.get(..at.start)?;
    let is_introduced = without_words(before).len() < before.trim_end_matches(is_between).len();
    let is_in_brackets = before.trim_end().ends_with(['(', '[']);
    let is_short = digits.bytes().all(|byte| byte.is_ascii_digit()) && !matches!(digits.len(), 11 | 14);
    let plain: String = digits.chars().filter(char::is_ascii_digit).collect();
    let last = digits.rsplit(|c: char| !c.is_ascii_digit()).next();
    let is_punctuated = digits.contains('.') || last.is_some_and(|last| last.len() == 2);
    let has_nine = plain.len() == CPF_DIGITS && plain.get(2..3) == Some("9");
    let may_be_phone = has_nine && !is_punctuated && Phone::parse(&plain).is_ok();
    let is_certain = !is_short && (!may_be_phone || is_in_brackets);
    (is_certain || is_introduced).then_some(number)
}

/// Removes the words of [`BEFORE_NUMBER`] from the end of a text, and the signs there.
pub(super) fn without_words(text: &str) -> &str {
    let mut rest = text.trim_end_matches(is_between);
    loop {
        let dotted = ["C.P.F", "C.N.P.J"].into_iter().find(|word| rest.ends_with(word));
        let last = || rest.rsplit(|c: char| !c.is_alphanumeric()).next();
        let word = dotted.or_else(last).unwrap_or_default();
        let is_word = dotted.is_some() || BEFORE_NUMBER.contains(&&*fold(word));
        match rest.strip_suffix(word).filter(|_| is_word && !word.is_empty()) {
            Some(before) => rest = before.trim_end_matches(is_between),
            None => return rest,
        }
    }
}

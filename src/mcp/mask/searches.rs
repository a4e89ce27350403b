//! Searches of assistants that get masked answers: by parts of a number, its digits could be tried one after the other.

use crate::domain::lang::localize;
use crate::domain::{Email, Lang, Phone, TaxId};
use crate::mcp::arguments::GivenArguments;
use crate::mcp::refusal::ToolRefusal;

/// Number of digits of a case number (CNJ).
const PROCESS_DIGITS: usize = 20;

type SearchRule = (&'static str, fn(&str) -> bool);

/// The arguments that find hidden numbers, each with what it may be.
const RULES: [SearchRule; 6] = [
    ("identification", |text| TaxId::parse(text).is_ok()),
    ("phone", |text| Phone::parse(text).is_ok()),
    ("email", |text| Email::parse(text).is_ok()),
    ("process_number", |text| text.chars().filter(char::is_ascii_digit).count() == PROCESS_DIGITS),
    ("publication", has_no_digits),
    ("description", has_no_digits),
];

fn has_no_digits(text: &str) -> bool {
    !text.chars().any(char::is_numeric)
}

impl GivenArguments {
    /// Fails if a document, phone, e-mail address or case number is not whole, or a text that may have such numbers is
    /// searched by digits.
    pub fn ensure_whole(&self, lang: Lang) -> Result<(), ToolRefusal> {
        let wrong =
            RULES.iter().find(|(name, is_allowed)| self.get(name).is_some_and(|text| !is_allowed(text)));
        let Some((name, _)) = wrong else { return Ok(()) };
        let sentence = localize!(
            lang,
            "`{name}`: com `mcp.mask`, documento, telefone, e-mail e número de processo só se buscam inteiros, e textos de publicações e lançamentos, sem algarismos.",
            "`{name}`: with `mcp.mask`, documents, phones, e-mail addresses and case numbers are searched whole only, and texts of publications and transactions without digits."
        );
        Err(ToolRefusal::new("masked", sentence))
    }
}

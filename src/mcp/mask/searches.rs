//! Searches of assistants that get masked answers: by parts of a number, its digits could be tried one after the other.

use crate::domain::lang::localize;
use crate::domain::{Email, Lang, Phone, TaxId};
use crate::mcp::arguments::GivenArguments;
use crate::mcp::refusal::ToolRefusal;

/// Number of digits of a case number (CNJ).
const PROCESS_DIGITS: usize = 20;

impl GivenArguments {
    /// Fails if a document, phone, e-mail address or case number is not whole, or a text that may have such numbers is searched by digits.
    pub fn ensure_whole(&self, lang: Lang) -> Result<(), ToolRefusal> {
        let is_allowed = |name: &str, text: &str| match name {
            "identification" => TaxId::parse(text).is_ok(),
            "phone" => Phone::parse(text).is_ok(),
            "email" => Email::parse(text).is_ok(),
            "process_number" => text.chars().filter(char::is_ascii_digit).count() == PROCESS_DIGITS,
            "publication" | "description" => !text.chars().any(char::is_numeric),
            _ => true,
        };
        let Some((name, _)) = self.iter().find(|(name, text)| !is_allowed(name, text)) else {
            return Ok(());
        };
        let sentence = localize!(
            lang,
            "`{name}`: com `mcp.mask`, documento, telefone, e-mail e número de processo só se buscam inteiros, e textos de publicações e lançamentos, sem algarismos.",
            "`{name}`: with `mcp.mask`, documents, phones, e-mail addresses and case numbers are searched whole only, and texts of publications and transactions without digits."
        );
        Err(ToolRefusal::new("masked", sentence))
    }
}

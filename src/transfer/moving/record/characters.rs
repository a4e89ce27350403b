//! Texts without the characters that no field takes.

use serde_json::Value as Json;

use super::Reading;
use crate::http::record::read_value;
use crate::records::{Field, Value};

/// Drops the control characters that no text may have. Line breaks and tabs stay.
pub(super) fn legible(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')).collect()
}

/// The same on one line: line breaks and tabs become spaces.
pub(super) fn in_one_line(text: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    legible(text).split(is_break).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Reading<'_, '_> {
    /// Reads a text without the characters that its field refuses, and notes in the report that they are gone. `None` if it is
    /// refused for another reason.
    pub(super) fn without_odd_characters(
        &mut self,
        field: &'static Field,
        said: &Json,
    ) -> Option<Value<'static>> {
        let text = said.as_str()?;
        let tried = [legible(text), in_one_line(text)].into_iter().filter(|tried| tried != text);
        let value = tried.filter_map(|tried| read_value(field, &tried.into()).ok()).next()?;
        field.check(&value, self.setting.today).ok()?;
        let why = self
            .setting
            .lang
            .pick("veio sem os caracteres de controle", "it has come without its control characters");
        self.note(field.shown, &shown_text(said).into(), why);
        Some(value)
    }
}

/// A value as people read it.
pub(super) fn shown_text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

//! Texts without the characters that no field takes.

use serde_json::Value as Json;

use super::Reading;
use crate::http::record::read_value;
use crate::records::{Field, Value};
use crate::transfer::notes::{in_one_line, legible};

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

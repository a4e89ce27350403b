//! Removes characters that no field accepts.

use super::Reading;
use crate::http::record::read_value;
use crate::transfer::notes::{in_one_line, legible};
use crate::transfer::prelude::*;

impl Reading<'_, '_> {
    /// Parses a text without the characters that its field refuses, and notes for the report that they were
    /// removed. Returns `None` if the text is refused for another reason.
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
            .pick("veio sem os caracteres de controle", "it was copied without its control characters");
        self.note(field.shown, &shown_text(said).into(), why);
        Some(value)
    }
}

pub(super) fn shown_text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

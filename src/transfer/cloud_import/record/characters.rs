//! Removes characters that no field accepts.

use super::Reading;
use crate::http::json::record::read_value_in;
use crate::store::imports::moves::MoveReason;
use crate::transfer::notes::legible;
use crate::transfer::prelude::*;

impl Reading<'_, '_> {
    /// Parses a text without the characters that its field refuses, and notes for the report that they were
    /// removed. Returns `None` if the text is refused for another reason.
    pub(super) fn without_control_characters(
        &mut self,
        field: &'static Field,
        given: &Json,
    ) -> Option<Value<'static>> {
        let text = given.as_str()?;
        let cleaned = Some(legible(text)).filter(|cleaned| cleaned != text)?;
        let value = read_value_in(field, &cleaned.into(), self.context.zone).ok()?;
        field.check(&value, self.context.today).ok()?;
        let why = MoveReason::new(|lang| {
            lang.pick("veio sem os caracteres de controle", "it was copied without its control characters")
        });
        self.note(field.shown, &shown_text(given).into(), why);
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

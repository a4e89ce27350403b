//! What cannot be taken as it is: noted for the report, and kept in the record's notes.

use serde_json::Value as Json;

use super::{Reading, is_told};
use crate::records::{Field, Input, Type};
use crate::store::moves::{MoveNote, MoveNoteKind};

impl Reading<'_, '_> {
    /// The server does say that there is nothing: that is told too. What it never says of any record is not.
    pub(super) fn missing(&mut self, field: &'static Field) {
        if is_told(self.table, field, self.said) && !self.notes.iter().any(|note| note.member == field.shown)
        {
            self.missing_always(field);
        }
    }

    pub(super) fn missing_always(&mut self, field: &'static Field) {
        let why = self.setting.lang.pick("não informado na origem", "not told by the source");
        self.refused(field.shown, &Json::Null, why);
    }

    pub(super) fn refused(&mut self, member: &str, said: &Json, why: &str) {
        self.notes.push(MoveNote {
            kind: MoveNoteKind::Value,
            resource: self.table.name.to_owned(),
            id: self.id,
            member: member.to_owned(),
            said: shown_text(said),
            why: why.to_owned(),
        });
    }

    /// Writes what was refused into the record's notes, or its longest text where it has none, as far as there is room.
    pub(super) fn keep_what_is_refused(&mut self) {
        let of_column = |wanted: &str| self.values.iter().position(|(field, _)| field.column == wanted);
        let of_type = |long: fn(Type) -> bool| self.values.iter().position(|(field, _)| long(field.ty));
        let place = of_column("notes")
            .or_else(|| of_type(|ty| matches!(ty, Type::Text(_))))
            .or_else(|| of_type(|ty| matches!(ty, Type::Line(500..))));
        let Some((field, value)) = place.and_then(|at| self.values.get_mut(at)) else { return };
        let end = if matches!(field.ty, Type::Line(_)) { "; " } else { "\n" };
        for note in &self.notes {
            let label = self.table.fields.iter().find(|field| field.shown == note.member);
            let label = label.map(|field| self.setting.lang.pick(field.label.0, field.label.1));
            let label = label.filter(|label| !label.is_empty()).unwrap_or(&note.member);
            let said = if note.said.is_empty() { &note.why } else { &note.said };
            let line = format!("{label}: {said}");
            let whole = match value.text() {
                Some(text) => [text, end, &line].concat(),
                None => line,
            };
            if let Ok(longer) = field.read(&Input::Text(&whole)) {
                *value = longer;
            }
        }
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

//! The notes of a record as the place for what no other member takes: the move from another server and imports of rows both
//! keep it there, a line each.

use crate::records::{Field, Type};

/// Returns the member that keeps what no other one takes: the notes, or else the longest text.
pub(super) fn notes_field(fields: impl Iterator<Item = &'static Field>) -> Option<&'static Field> {
    let fields: Vec<_> = fields.collect();
    let of_type = |long: fn(Type) -> bool| fields.iter().copied().find(|field| long(field.ty));
    let notes = fields.iter().copied().find(|field| field.column == "notes");
    notes
        .or_else(|| of_type(|ty| matches!(ty, Type::Text(_))))
        .or_else(|| of_type(|ty| matches!(ty, Type::Line(500..))))
}

/// What stands between two lines that a field keeps.
pub(super) fn between(field: &Field) -> &'static str {
    if matches!(field.ty, Type::Line(_)) { "; " } else { "\n" }
}

/// Joins lines as a field keeps them.
pub(super) fn joined(field: &Field, lines: &[String]) -> String {
    let text = lines.join(between(field));
    if matches!(field.ty, Type::Line(_)) { in_one_line(&text) } else { text }
}

/// Drops the control characters that no text may have. Line breaks and tabs stay.
pub(super) fn legible(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')).collect()
}

/// The same on one line: line breaks and tabs become spaces.
pub(super) fn in_one_line(text: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    legible(text).split(is_break).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

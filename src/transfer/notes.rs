//! The member of a record that keeps values no other member accepts, and the form of its lines. The move from another
//! server and imports of rows share it; which values of a row go there is in `import::rows::cells::values_for_notes`.

use crate::records::{Field, Type};

/// Returns the member that keeps values no other member accepts: the notes; if the table has no notes, its
/// first [`Type::Text`], or else its first single-line text of 500 characters or more.
pub fn notes_field(fields: impl Iterator<Item = &'static Field>) -> Option<&'static Field> {
    let fields: Vec<_> = fields.collect();
    let of_type = |long: fn(Type) -> bool| fields.iter().copied().find(|field| long(field.ty));
    let notes = fields.iter().copied().find(|field| field.column == "notes");
    notes
        .or_else(|| of_type(|ty| matches!(ty, Type::Text(_))))
        .or_else(|| of_type(|ty| matches!(ty, Type::Line(500..))))
}

/// Returns the separator between two kept values: a line break, or `; ` in a single-line field.
pub(super) fn between(field: &Field) -> &'static str {
    if matches!(field.ty, Type::Line(_)) { "; " } else { "\n" }
}

/// Joins values with the separator of `field`.
pub(super) fn joined(field: &Field, lines: &[String]) -> String {
    lines.join(between(field))
}

/// Removes the control characters that no text may contain. Line breaks and tabs stay.
pub(super) fn legible(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')).collect()
}

//! How records are spoken of.

use crate::domain::Lang;
use crate::records::Table;

/// What people call the records of a table, as a title.
pub(super) fn title(table: &Table, lang: Lang) -> String {
    table.many.title(lang)
}

/// That there are no records of a table.
pub(super) fn nothing_yet(table: &Table, lang: Lang) -> String {
    match lang {
        Lang::Pt => format!("Ainda não há {}.", table.many.0),
        Lang::En => format!("There are no {} yet.", table.many.1),
    }
}

/// A record's id, as people read it.
pub(super) fn numbered(id: &str, lang: Lang) -> String {
    format!("{} {id}", lang.pick("nº", "no."))
}

/// The text as it begins a sentence.
pub(super) fn first_upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

//! Wording for records and their kinds.

use crate::domain::Lang;
use crate::records::Table;

pub(in crate::console) fn nothing_yet(table: &Table, lang: Lang) -> String {
    match lang {
        Lang::Pt => format!("Ainda não há {}.", table.many.0),
        Lang::En => format!("There are no {} yet.", table.many.1),
    }
}

/// Formats a record's id.
pub(in crate::console) fn numbered(id: &str, lang: Lang) -> String {
    format!("{} {id}", lang.pick("nº", "no."))
}

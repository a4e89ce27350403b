//! Where the page of an import is, and what its tables are called.

use crate::console::paths::BASE;
use crate::console::words::title;
use crate::domain::Lang;
use crate::records::Table;
use crate::store::whole::tables;

/// The address of its page.
pub(super) fn at(key: &str) -> String {
    format!("{BASE}/imports/{key}")
}

/// The table of that name.
pub(super) fn named(name: &str) -> Option<&'static Table> {
    tables().find(|table| table.name == name)
}

/// What the records of that table are called.
pub(super) fn many(name: &str, lang: Lang) -> String {
    named(name).map(|table| title(table, lang)).unwrap_or_default()
}

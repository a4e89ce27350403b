//! Addresses of import pages, and labels of their tables.

use crate::console::prelude::*;
use crate::store::records::full_records::tables;

pub(super) fn at(key: &str) -> String {
    format!("{BASE}/imports/{key}")
}

pub(super) fn named(name: &str) -> Option<&'static Table> {
    tables().find(|table| table.name == name)
}

pub(super) fn many(name: &str, lang: Lang) -> String {
    named(name).map(|table| table.title(lang)).unwrap_or_default()
}

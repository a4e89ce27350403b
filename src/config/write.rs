//! Writes one setting into `pleito.toml` and leaves the rest of the file as it is.

use toml::Value;
use toml_edit::{DocumentMut, Item, Table};

use super::Sources;
use super::errors::{Refused, SettingsError};
use super::origin::Origin;
use super::setting_names::Key;
use crate::files;

impl Sources {
    /// Writes the value into the file, which is created if missing. Nothing is written if the settings would be
    /// invalid afterwards, or if the environment or an option overrides the file.
    pub(super) fn write(&self, key: &'static Key, value: &Value) -> Result<(), Refused> {
        let refuse = |wrong| Refused(vec![wrong]);
        let before = self.text().map_err(refuse)?.unwrap_or_default();
        // If the text is not valid TOML, it is left alone, and `resolve` below returns the parser's error.
        let after = edited(&before, key, value).unwrap_or_else(|| before.clone());
        let (_, origins) = self.resolve(Ok(after.clone()))?;
        if let Some(by @ (Origin::Environment(_) | Origin::Flag(_))) = origins.get(key.name) {
            return Err(refuse(SettingsError::hidden(key, by)));
        }
        if after == before {
            return Ok(());
        }
        files::replace(&self.file, after.as_bytes())
            .map_err(|error| refuse(SettingsError::unwritable(&self.file, &error)))
    }
}

/// Returns the text with the value set. Returns `None` if the text is not valid TOML, or if the section's name
/// is not a table.
fn edited(text: &str, key: &Key, value: &Value) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let value: toml_edit::Value = value.to_string().parse().ok()?;
    let (section, name) = key.name.split_once('.')?;
    let is_new = !document.contains_key(section);
    let table = document.entry(section).or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()?;
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(there) => {
            // Keeps the white space and comments around the value.
            let around = there.decor().clone();
            *there = value;
            *there.decor_mut() = around;
        }
        None => _ = table.insert(name, Item::Value(value)),
    }
    if is_new
        && !text.trim().is_empty()
        && let Some(table) = document.get_mut(section).and_then(Item::as_table_mut)
    {
        table.decor_mut().set_prefix("\n");
    }
    let written = document.to_string();
    // `toml_edit` would mix the two kinds of line ends and drop the byte order mark, by which some Windows programs
    // recognise UTF-8.
    let written =
        if text.contains("\r\n") { written.replace("\r\n", "\n").replace('\n', "\r\n") } else { written };
    let has_mark = text.starts_with('\u{feff}') && !written.starts_with('\u{feff}');
    Some(if has_mark { format!("\u{feff}{written}") } else { written })
}

//! Reads `pleito.toml`, with the line of each value.

use std::path::Path;

use serde::Deserialize;
use toml::Value;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::errors::SettingsError;
use super::origin::Origin;
use super::resolve::{Resolved, shortened};
use super::setting_names;

impl Resolved {
    /// Reads the file: an unknown section or setting, and a value that is wrong, are errors with their line.
    pub(super) fn file(&mut self, path: &Path, text: &str) {
        let table = match DeTable::parse(text) {
            Ok(table) => table,
            Err(error) => {
                let (line, column) = position(text, error.span().map_or(0, |span| span.start));
                let reason = error.message().lines().collect::<Vec<_>>().join("; ");
                let place = Origin::File { path: path.to_owned(), line };
                return self.wrong.push(SettingsError::toml(place, column, &reason));
            }
        };
        let sections = setting_names::sections();
        let place = |at: usize| Origin::File { path: path.to_owned(), line: position(text, at).0 };
        for (section, content) in table.get_ref() {
            let name = section.get_ref().as_ref();
            let origin = place(section.span().start);
            match content.get_ref() {
                _ if !sections.contains(&name) => self.wrong.push(SettingsError::unknown_key(name, &origin)),
                DeValue::Table(table) => {
                    for (key, value) in table {
                        let name = format!("{name}.{}", key.get_ref());
                        let origin = place(key.span().start);
                        let Some(key) = setting_names::find(&name) else {
                            self.wrong.push(SettingsError::unknown_key(&name, &origin));
                            continue;
                        };
                        let found = shortened(text.get(value.span()).unwrap_or_default());
                        // Fails for a number that is too large.
                        let value = Value::deserialize(ValueDeserializer::from(value.clone())).ok();
                        self.set(key, value, &found, origin);
                    }
                }
                _ => self.wrong.push(SettingsError::section(name, &origin)),
            }
        }
        self.wrong.sort_by_key(|wrong| wrong.line);
    }
}

/// Returns the line and column of a byte offset. Both count from 1, the column in characters.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

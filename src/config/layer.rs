//! The settings as written, before they are resolved: in the file, in the environment, on the command line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{self, KEYS, Key};
use super::origin::Origin;
use super::surroundings::NO_SETTINGS;
use super::value::Value;
use super::wrong::Wrong;

/// A setting as somebody wrote it.
pub(super) struct Written {
    pub key: &'static Key,
    /// None where not even the shape is the key's.
    pub value: Option<Value>,
    /// What stands there, to be shown if it is wrong.
    pub found: String,
    pub origin: Origin,
}

/// What one place says.
#[derive(Default)]
pub(super) struct Layer {
    pub written: Vec<Written>,
    pub wrong: Vec<Wrong>,
}

impl Layer {
    fn only(wrong: Wrong) -> Layer {
        Layer { written: Vec::new(), wrong: vec![wrong] }
    }
}

/// What the file says. One that is not there says nothing, unless something named it.
pub(super) fn file(path: &Path, named_by: Option<&Origin>) -> Layer {
    match text(path, named_by) {
        Ok(source) => toml(path, &source.unwrap_or_default()),
        Err(wrong) => Layer::only(wrong),
    }
}

/// The text of the file; none where it is not there and nothing named it.
pub(super) fn text(path: &Path, named_by: Option<&Origin>) -> Result<Option<String>, Wrong> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound && named_by.is_none() => return Ok(None),
        Err(error) => {
            let (kind, reason) = (error.kind(), error.to_string());
            return Err(Wrong::File { path: path.to_owned(), named_by: named_by.cloned(), kind, reason });
        }
    };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = valid.filter(|byte| **byte == b'\n').count() + 1;
        Wrong::Encoding { path: path.to_owned(), line }
    })
}

/// What a file of that text says.
pub(super) fn toml(path: &Path, source: &str) -> Layer {
    let table = match DeTable::parse(source) {
        Ok(table) => table,
        Err(error) => {
            let (line, column) = position(source, error.span().map_or(0, |span| span.start));
            let reason = error.message().lines().collect::<Vec<_>>().join("; ");
            return Layer::only(Wrong::Toml { path: path.to_owned(), line, column, reason });
        }
    };
    let sections = keys::sections();
    let mut layer = Layer::default();
    let place = |at: usize| Origin::File { path: path.to_owned(), line: position(source, at).0 };
    for (section, content) in table.get_ref() {
        let (name, place_of_section) = (section.get_ref().as_ref(), place(section.span().start));
        match content.get_ref() {
            _ if !sections.contains(&name) => {
                layer.wrong.push(Wrong::UnknownKey { name: name.to_owned(), place: place_of_section });
            }
            DeValue::Table(table) => {
                for (key, value) in table {
                    let name = format!("{name}.{}", key.get_ref());
                    let origin = place(key.span().start);
                    match keys::find(&name) {
                        Some(key) => layer.written.push(written(key, value, source, origin)),
                        None => layer.wrong.push(Wrong::UnknownKey { name, place: origin }),
                    }
                }
            }
            _ => layer.wrong.push(Wrong::Section { name: name.to_owned(), place: place_of_section }),
        }
    }
    layer
}

fn written(key: &'static Key, value: &Spanned<DeValue<'_>>, source: &str, origin: Origin) -> Written {
    let found = source.get(value.span()).unwrap_or_default();
    Written { key, value: Value::from_toml(value.get_ref()), found: shortened(found), origin }
}

/// What the environment says: every variable that begins with `PLEITO_` is a setting or known to be none. An empty one
/// counts as absent.
pub(super) fn environment(variables: &BTreeMap<String, OsString>) -> Layer {
    let mut layer = Layer::default();
    for (name, value) in variables.iter().filter(|(name, value)| !value.is_empty() && !is_no_setting(name)) {
        match KEYS.iter().find(|key| key.variable() == *name) {
            Some(key) => {
                let text = value.to_str();
                layer.written.push(Written {
                    key,
                    value: text.and_then(|text| Value::from_text(text, &key.default_value())),
                    found: format!("\"{}\"", shortened(&value.to_string_lossy())),
                    origin: Origin::Environment(name.clone()),
                });
            }
            None => layer.wrong.push(Wrong::UnknownVariable(name.clone())),
        }
    }
    layer
}

fn is_no_setting(name: &str) -> bool {
    NO_SETTINGS.contains(&name) || !name.starts_with("PLEITO_")
}

/// What the command line says.
pub(super) fn flags(listen: Option<SocketAddr>) -> Layer {
    let listen = listen.zip(keys::find("server.listen")).map(|(address, key)| Written {
        key,
        value: Some(Value::Text(address.to_string())),
        found: address.to_string(),
        origin: Origin::Flag("--listen"),
    });
    Layer { written: listen.into_iter().collect(), wrong: Vec::new() }
}

/// Line and column of a byte of the text, both from 1, the column in characters.
fn position(source: &str, byte: usize) -> (usize, usize) {
    let before = source.get(..byte).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// On one line and short enough to be shown within a sentence.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(60).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

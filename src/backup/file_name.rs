//! The names of backup files: made from the metadata, and recognized in the folder.

use jiff::tz::TimeZone;

use super::encryption::ENCRYPTED;
use super::{About, BackupReason};

/// The form of the date in a name.
const DATE: &str = "0000-00-00-000000-";
const EXTENSION: &str = ".db.zst";

/// Returns a name such as `pleito-2026-06-17-120000-v0.1.0-s2-c10-p7-9f86d081.db.zst`: the office's time,
/// the version, the schema, the numbers of customers and lawsuits (`processos`), and the start of the
/// checksum. The name of an encrypted one has no counts.
pub(super) fn file_name(about: &About, zone: &TimeZone) -> String {
    let at = about.made_at.to_zoned(zone.clone()).strftime("%Y-%m-%d-%H%M%S").to_string();
    let kind = if about.reason == BackupReason::Replaced { "-replaced" } else { "" };
    let sum = sum(about);
    let version = &about.version;
    let schema = about.schema;
    let counts = about.counts().map(|(customers, lawsuits)| format!("-c{customers}-p{lawsuits}"));
    let counts = counts.unwrap_or_default();
    let encrypted = if about.encryption.is_some() { ENCRYPTED } else { "" };
    format!("pleito-{at}{kind}-v{version}-s{schema}{counts}-{sum}{EXTENSION}{encrypted}")
}

/// Returns `true` if a file of this name, or at this path, may be a backup.
pub(super) fn is_backup(name: &str) -> bool {
    name.strip_suffix(ENCRYPTED).unwrap_or(name).ends_with(EXTENSION)
}

/// Returns `true` for a name that [`file_name`] gives: people may have copied or renamed others.
pub(super) fn is_given(name: &str, about: Option<&About>) -> bool {
    let name = name.strip_suffix(ENCRYPTED).unwrap_or(name);
    let date = name.strip_prefix("pleito-").and_then(|name| name.get(..DATE.len()));
    let form = date.map(|date| date.replace(|char: char| char.is_ascii_digit(), "0"));
    form.as_deref() == Some(DATE) && name.ends_with(&format!("-{}{EXTENSION}", about.map_or("", sum)))
}

fn sum(about: &About) -> &str {
    about.sha256.get(..8).unwrap_or_default()
}

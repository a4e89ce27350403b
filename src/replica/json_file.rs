//! Records of this module as JSON in a file.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::files;

/// Reads a record. `None` if there is no such file or it cannot be understood.
pub(super) fn read<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// Replaces the file by one with this record.
pub(super) fn write(file: &Path, record: &impl Serialize) -> io::Result<()> {
    files::replace(file, &serde_json::to_vec(record)?)
}

//! The contents of documents in an export: each a file that opens with a click, named by its document's id.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::domain::ContentHash;
use crate::files::{create_private, private_dir};
use crate::records::Value;
use crate::store::ContentStore;
use crate::store::whole::{WholeRecord, WholeTable};
use crate::transfer::error::TransferError;

/// The folder of an export that has them.
const FOLDER: &str = "documents";
/// The longest ending that a name keeps.
const ENDING: usize = 10;

/// Copies contents into an export.
pub(in crate::transfer) struct Documents {
    contents: ContentStore,
    folder: PathBuf,
    /// How many were copied.
    pub(in crate::transfer) copied: u64,
    /// How many are missing or altered in the data folder.
    pub(in crate::transfer) missing: u64,
}

impl Documents {
    pub(in crate::transfer) fn new(contents: ContentStore, folder: &Path) -> Documents {
        Documents { contents, folder: folder.to_owned(), copied: 0, missing: 0 }
    }

    /// Copies the content of a document, and answers where it is from the export's folder; none where it is missing.
    pub(super) fn copy(
        &mut self,
        table: &WholeTable,
        record: &WholeRecord<'_>,
    ) -> Result<Option<String>, TransferError> {
        let value = |column: &str| {
            let mut stored = table.table().stored().zip(&record.values);
            stored.find(|(field, _)| field.column == column).map(|(_, value)| value)
        };
        let (Some(Value::Text(hash)), Some(Value::Integer(size))) = (value("sha256"), value("size")) else {
            return Ok(None);
        };
        let name = value("name").and_then(Value::text).unwrap_or_default();
        self.copy_content(record.id, hash, *size, name)
    }

    /// Copies the content of that hash and length, of the document with that id and name, likewise.
    pub(in crate::transfer) fn copy_content(
        &mut self,
        id: u32,
        hash: &str,
        size: i64,
        name: &str,
    ) -> Result<Option<String>, TransferError> {
        let hash = ContentHash::from_stored(hash.to_owned());
        let content = self.contents.path(&hash);
        let opened = self.contents.open(&hash, u64::try_from(size).unwrap_or_default(), 0);
        let Some((mut file, _)) = opened.map_err(TransferError::file(&content))? else {
            self.missing += 1;
            return Ok(None);
        };
        let name = format!("{FOLDER}/{id}{}", ending(name));
        let path = self.folder.join(&name);
        let folder = self.folder.join(FOLDER);
        private_dir(&folder).map_err(TransferError::file(&folder))?;
        let copied = create_private(&path).and_then(|mut to: File| io::copy(&mut file, &mut to));
        copied.map_err(TransferError::file(&path))?;
        self.copied += 1;
        Ok(Some(name))
    }
}

/// The ending of a name, with its dot, where it is one that every system takes.
fn ending(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((_, ending))
            if (1..=ENDING).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            [".", ending].concat()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_ending_is_kept_where_every_system_takes_it() {
        for (name, ending) in [
            ("procuração.pdf", ".pdf"),
            ("a.tar.GZ", ".GZ"),
            ("sem", ""),
            ("x.", ""),
            ("x.ção", ""),
            ("x.a b", ""),
            ("x.12345678901", ""),
            ("x.1234567890", ".1234567890"),
        ] {
            assert_eq!(super::ending(name), ending, "{name}");
        }
    }
}

//! Copies the contents of documents into an export, each as a file named by the document's id and extension.

use std::path::{Path, PathBuf};

use crate::domain::ContentHash;
use crate::files::{copy, private_dir};
use crate::store::ContentStore;
use crate::store::records::full_records::FullRecord;
use crate::transfer::prelude::*;

const FOLDER: &str = "documents";
/// Longest file extension that is kept, in bytes.
const ENDING: usize = 10;

/// Copies contents into an export and counts them.
pub(in crate::transfer) struct Documents {
    contents: ContentStore,
    folder: PathBuf,
    pub(in crate::transfer) copied: u64,
    /// Number of contents that are missing from the data folder or altered there.
    pub(in crate::transfer) missing: u64,
}

impl Documents {
    pub(in crate::transfer) fn new(contents: ContentStore, folder: &Path) -> Documents {
        Documents { contents, folder: folder.to_owned(), copied: 0, missing: 0 }
    }

    /// Copies the content of a document. Returns its path within the export, or `None` if the content is missing.
    pub(super) fn copy(&mut self, table: &FullTable, record: &FullRecord<'_>) -> Result<Option<String>> {
        let value = |column: &str| table.value(record, column);
        let (Some(Value::Text(hash)), Some(Value::Integer(size))) = (value("sha256"), value("size")) else {
            return Ok(None);
        };
        let name = value("name").and_then(Value::text).unwrap_or_default();
        self.copy_content(record.id, hash, *size, name)
    }

    /// Like [`Documents::copy`]. `size` is in bytes; `id` and `name` are those of the document.
    pub(in crate::transfer) fn copy_content(
        &mut self,
        id: u32,
        hash: &str,
        size: i64,
        name: &str,
    ) -> Result<Option<String>> {
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
        copy(&mut file, &path).map_err(TransferError::file(&path))?;
        self.copied += 1;
        Ok(Some(name))
    }
}

/// Returns the file extension with its dot if it is short and plain enough for every system, or else an empty string.
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
    fn a_file_extension_is_kept_if_every_system_accepts_it() {
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

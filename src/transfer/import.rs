//! Imports: of a whole export into an empty store.

pub(super) mod whole;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::TransferError;
use super::export::LINES;
use crate::domain::Lang;
use crate::store::Store;

use whole::{Progress, TakenIn, is_export, take_in};

/// What is to be imported, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Whether what comes of it stays. Without it nothing is changed.
    pub apply: bool,
    /// Whether what is said of it is Portuguese.
    pub portuguese: bool,
}

/// What came of an import.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Imported {
    /// Of a whole export.
    Whole(TakenIn),
}

impl Import {
    /// Does it. `progress` hears how many records were read, of how many.
    ///
    /// # Errors
    /// Why nothing was imported.
    pub fn run(&self, store: &Store, progress: Progress) -> Result<Imported, TransferError> {
        let lang = if self.portuguese { Lang::Pt } else { Lang::En };
        let files: Vec<PathBuf> = self.files.iter().map(|file| in_folder(file)).collect();
        match &files[..] {
            [file] if is_export(file)? => {
                Ok(Imported::Whole(take_in(store, file, self.apply, lang, progress)?))
            }
            _ => Err(TransferError::Refused(
                lang.pick("o arquivo não é uma exportação do Pleito.", "the file is no export of Pleito's.")
                    .to_owned(),
            )),
        }
    }
}

/// The file that is meant by the folder of an export.
fn in_folder(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(LINES) } else { path.to_owned() }
}

//! Why an export or an import did not come about.

use std::io;
use std::path::{Path, PathBuf};

use super::moving::error::MoveError;
use crate::config::cause;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::http::Problem;
use crate::store;

/// Why an export or an import did not come about; nothing of it was kept, unless it says so.
#[derive(Debug)]
pub enum TransferError {
    /// A file or folder cannot be read or written.
    File(PathBuf, io::Error),
    /// The folder for an export holds something.
    NotEmpty(PathBuf),
    /// A whole export can only be taken into an empty store.
    StoreNotEmpty,
    /// A row of more columns than a spreadsheet has; its line.
    TooManyColumns(u64),
    /// What is wrong with the file, line by line, in the reader's language.
    Refused(String),
    /// Nobody waited for an import any more, or the program stopped; nothing of it was stored.
    Interrupted,
    /// The disk has no room for the copy of the store that a preview works on; the cause, for the log.
    NoRoomForCopy(String),
    /// A move from another server stopped; what had come stays.
    Move(MoveError),
    /// The store cannot be read or written.
    Store(store::Error),
    /// A defect of this program, for the log.
    Defect(String),
}

impl From<MoveError> for TransferError {
    fn from(error: MoveError) -> TransferError {
        TransferError::Move(error)
    }
}

impl TransferError {
    /// A file or folder that cannot be read or written.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> TransferError {
        move |cause| TransferError::File(path.to_owned(), cause)
    }

    /// One or more sentences.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            TransferError::File(path, cause) => {
                let (path, cause) = (path.display(), cause::say(cause, lang));
                format!("{path}: {cause}.")
            }
            TransferError::NotEmpty(path) => {
                let path = path.display();
                say!(
                    lang,
                    "a pasta {path} não está vazia. Escolha uma pasta nova.",
                    "the folder {path} is not empty. Choose a new one."
                )
            }
            TransferError::StoreNotEmpty => lang
                .pick(
                    "uma exportação inteira só entra em uma pasta de dados sem registros; use --data-dir com uma pasta nova.",
                    "a whole export goes only into a data folder without records; use --data-dir with a new folder.",
                )
                .to_owned(),
            TransferError::TooManyColumns(row) => {
                say!(lang, "a linha {row} tem colunas demais.", "line {row} has too many columns.")
            }
            TransferError::Refused(sentences) => sentences.clone(),
            TransferError::Interrupted => lang
                .pick(
                    "a importação foi interrompida; nada foi salvo.",
                    "the import was interrupted; nothing was stored.",
                )
                .to_owned(),
            TransferError::NoRoomForCopy(_) => lang
                .pick(
                    "não há espaço no disco para a prévia, que trabalha em uma cópia dos dados do escritório. Libere espaço e tente de novo.",
                    "there is no room on the disk for the preview, which works on a copy of the office's data. Free some room and try again.",
                )
                .to_owned(),
            TransferError::Move(error) => error.say(lang),
            TransferError::Store(cause) => {
                say!(lang, "os dados não podem ser usados: {cause}.", "the store cannot be used: {cause}.")
            }
            TransferError::Defect(cause) => {
                say!(lang, "um defeito do programa: {cause}.", "a defect of the program: {cause}.")
            }
        }
    }
}

impl TransferError {
    /// The same of that file, which a refusal names.
    pub(super) fn of(self, file: &Path) -> TransferError {
        let file = file.display();
        match self {
            TransferError::Refused(sentences) => TransferError::Refused(format!("{file}: {sentences}")),
            other => other,
        }
    }

    /// The cause in the system's own words, for the log.
    pub fn detail(&self) -> String {
        match self {
            TransferError::File(path, cause) => format!("{}: {cause}", path.display()),
            TransferError::Store(cause) => cause.to_string(),
            TransferError::Defect(cause) | TransferError::NoRoomForCopy(cause) => cause.clone(),
            _ => String::new(),
        }
    }
}

impl From<store::Error> for TransferError {
    fn from(cause: store::Error) -> TransferError {
        TransferError::Store(cause)
    }
}

impl From<Problem> for TransferError {
    fn from(problem: Problem) -> TransferError {
        let cause = problem.cause().unwrap_or(problem.code()).to_owned();
        match problem.code() {
            "storage-full" => TransferError::Store(store::Error::Full(cause)),
            _ => TransferError::Defect(cause),
        }
    }
}

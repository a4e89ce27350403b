//! Errors of exports, imports and moves.

use std::io;
use std::path::{Path, PathBuf};

use super::cloud_import::error::MoveError;
use crate::config::io_error_texts;
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::domain::text::sentences::InSentence;
use crate::http::Problem;
use crate::store::{self, Audience};

/// Why an export, import or move failed. Unless the variant states otherwise, nothing was kept.
#[derive(Debug)]
pub enum TransferError {
    File(PathBuf, io::Error),
    /// The target folder of an export is not empty.
    NotEmpty(PathBuf),
    /// A whole export can only be imported into a store without records.
    StoreNotEmpty,
    /// The row at this line has more columns than a spreadsheet can hold.
    TooManyColumns(u64),
    /// No record or import has the id. The text is in the user's language.
    NotFound(String),
    /// The input was refused. The text lists the reasons, one a line, in the user's language.
    Refused(String),
    /// The import was cancelled, or the program stopped; nothing was stored.
    Interrupted,
    /// The disk has no room for the scratch copy of a preview. Holds the cause, for the log.
    NoRoomForCopy(String),
    /// A move from another server stopped. The records moved so far stay.
    Move(MoveError),
    Store(store::Error),
    /// A bug in this program. Holds the cause, for the log.
    Defect(String),
}

impl From<MoveError> for TransferError {
    fn from(error: MoveError) -> TransferError {
        TransferError::Move(error)
    }
}

impl TransferError {
    /// Returns a closure for `map_err` that turns an I/O error into [`TransferError::File`] for `path`.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> TransferError {
        move |cause| TransferError::File(path.to_owned(), cause)
    }

    pub fn message(&self, lang: Lang) -> String {
        match self {
            TransferError::File(path, cause) => {
                let path = path.display();
                let cause = io_error_texts::message(cause, lang);
                format!("{path}: {cause}.")
            }
            TransferError::NotEmpty(path) => {
                let path = path.display();
                localize!(
                    lang,
                    "a pasta {path} não está vazia. Escolha uma pasta nova.",
                    "the folder {path} is not empty. Choose a new one."
                )
            }
            TransferError::StoreNotEmpty => lang
                .pick(
                    "uma exportação inteira só entra em uma pasta de dados sem registros; use --data-dir com uma pasta nova.",
                    "a full export can only be imported into a data folder without records; use --data-dir with a new folder.",
                )
                .to_owned(),
            TransferError::TooManyColumns(row) => {
                localize!(lang, "a linha {row} tem colunas demais.", "line {row} has too many columns.")
            }
            TransferError::NotFound(sentence) | TransferError::Refused(sentence) => sentence.clone(),
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
            TransferError::Move(error) => error.message(lang),
            TransferError::Store(cause) => {
                cause.message(lang.pick("o arquivo de dados", "the data file"), Audience::Page, lang)
            }
            TransferError::Defect(cause) => {
                localize!(lang, "um defeito do programa: {cause}.", "a defect of the program: {cause}.")
            }
        }
    }
}

impl TransferError {
    /// Prefixes a refusal with the file name. Other errors stay as they are.
    pub(super) fn of(self, file: &Path) -> TransferError {
        let file = file.display();
        match self {
            TransferError::Refused(sentences) => TransferError::Refused(format!("{file}: {sentences}")),
            other => other,
        }
    }

    /// Returns the technical cause for the log. Empty if there is no more to add to [`TransferError::message`].
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

impl InSentence for TransferError {
    fn in_sentence(&self, lang: Lang) -> impl std::fmt::Display {
        self.message(lang)
    }
}

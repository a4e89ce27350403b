//! Errors of the store. SQLite's errors are classified here by their extended result code, never by their text.

pub(in crate::store) mod texts;

use std::fmt;

use rusqlite::ffi;

use crate::domain::text::sentences::InSentence;
use crate::domain::{Invalid, Lang};
use crate::store::Difference;

/// The result of reading or writing the store.
pub type StoreResult<T> = Result<T, Error>;

/// An error of the store. A write that returns one has stored nothing.
#[derive(Clone, Debug)]
pub enum Error {
    Full(String),
    /// The file cannot be used now: it is locked by another program or read-only, or an I/O error occurred.
    Unavailable(String),
    /// The file was deleted, moved or replaced while it was open.
    Moved,
    /// The content of the file is broken.
    Damaged(String),
    /// The file is a database of another program.
    Foreign,
    /// The file is a store, but its schema differs from the schema of its version.
    Schema(Difference),
    /// The file was written by a newer version of Pleito.
    Newer {
        /// The schema version of the file.
        found: u32,
        /// The schema version of this program.
        known: u32,
    },
    /// The file was written by an older version of Pleito, and migrating a copy of it failed.
    NotUpgraded {
        /// The schema version of the file.
        found: u32,
        /// Error text of the migration, for the log.
        cause: String,
    },
    /// The write is invalid for a reason that only its transaction can see: a referenced record was deleted after the
    /// checks, or no id is left for a new record.
    Refused(Invalid),
    Closed,
    /// The store follows another one, and nothing is written to it here.
    Standby,
    /// The machine's clock shows a time before the program was built, so the write would be dated wrongly.
    Clock,
    /// A bug in this program: a statement that SQLite refused, a constraint violation that earlier checks should have
    /// prevented, or a panic.
    Defect(String),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        let text = error.to_string();
        let Some(code) = error.sqlite_error().map(|cause| cause.extended_code) else {
            return Error::Defect(text);
        };
        match code & 0xff {
            ffi::SQLITE_FULL => Error::Full(text),
            // The shared-memory file cannot be extended. A first connection gets this error on a full disk.
            _ if code == ffi::SQLITE_IOERR_SHMSIZE => Error::Full(text),
            ffi::SQLITE_NOTADB | ffi::SQLITE_CORRUPT => Error::Damaged(text),
            ffi::SQLITE_BUSY
            | ffi::SQLITE_LOCKED
            | ffi::SQLITE_IOERR
            | ffi::SQLITE_CANTOPEN
            | ffi::SQLITE_READONLY
            | ffi::SQLITE_NOMEM
            | ffi::SQLITE_PERM
            | ffi::SQLITE_AUTH
            | ffi::SQLITE_PROTOCOL
            | ffi::SQLITE_NOLFS => Error::Unavailable(text),
            _ => Error::Defect(text),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                Error::Full(error.to_string())
            }
            _ => Error::Unavailable(error.to_string()),
        }
    }
}

impl From<r2d2::Error> for Error {
    fn from(error: r2d2::Error) -> Error {
        Error::Unavailable(error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Full(cause) => write!(f, "no room left for the store: {cause}"),
            Error::Unavailable(cause) => write!(f, "the store cannot be used now: {cause}"),
            Error::Moved => f.write_str("the store's file was deleted, moved or replaced while it was open"),
            Error::Damaged(cause) => write!(f, "the store is damaged: {cause}"),
            Error::Foreign => f.write_str("the file belongs to another program"),
            Error::Schema(difference) => write!(f, "the schema is not that of its version: {difference}"),
            Error::Newer { found, known } => {
                write!(f, "the store has schema {found}, this program knows schemas up to {known}")
            }
            Error::NotUpgraded { found, cause } => {
                write!(f, "the store has schema {found} and could not be brought up to date: {cause}")
            }
            Error::Refused(wrong) => {
                let wrong = wrong.iter().map(|(member, reason)| reason.about(member, Lang::En));
                write!(f, "the write is refused: {}", wrong.collect::<Vec<_>>().join("; "))
            }
            Error::Closed => f.write_str("the store is closing"),
            Error::Standby => f.write_str("the store follows another one"),
            Error::Clock => f.write_str("the clock shows a time before the program was built"),
            Error::Defect(cause) => write!(f, "a defect: {cause}"),
        }
    }
}

impl std::error::Error for Error {}

/// Quotes the error's English text as a technical detail.
impl InSentence for Error {
    fn in_sentence(&self, _: Lang) -> impl fmt::Display {
        self
    }
}

/// Returns the error for a missing row whose id was just written, which is a bug.
pub(in crate::store) fn gone(what: &str) -> Error {
    Error::Defect(format!("{what} vanished inside its own transaction"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_distinguished_from_other_disk_errors() {
        for (code, full) in [
            (ffi::SQLITE_FULL, true),
            (ffi::SQLITE_IOERR_SHMSIZE, true),
            (ffi::SQLITE_IOERR, false),
            (ffi::SQLITE_IOERR_WRITE, false),
        ] {
            let error = Error::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
            assert_eq!(matches!(error, Error::Full(_)), full, "{error:?}");
        }
    }
}

//! What can go wrong in the store, made in one place from SQLite's extended result code, never from its text.

use std::fmt;

use rusqlite::ffi;

use super::Difference;
use crate::domain::{Invalid, Lang};

/// Why the store did not do what it was asked. Nothing was stored.
#[derive(Clone, Debug)]
pub enum Error {
    /// No room on the disk.
    Full(String),
    /// The file cannot be reached or used now: locked by another program, read-only, I/O error.
    Unavailable(String),
    /// The file was deleted, moved or replaced while it was open.
    Moved,
    /// The file is there, but its content is broken.
    Damaged(String),
    /// The file is a database of another program.
    Foreign,
    /// The file is a store, but its schema is not the one of its version.
    Schema(Difference),
    /// The file was written by a newer Pleito.
    Newer {
        /// The schema version of the file.
        found: u32,
        /// The newest schema version that this program knows.
        known: u32,
    },
    /// The file is of an older Pleito, and bringing a copy of it up to date failed.
    NotUpgraded {
        /// The schema version of the file.
        found: u32,
        /// Why the copy could not be brought up to date, in words for the log.
        cause: String,
    },
    /// The transaction sees something that the checks before it did not: a record that the write points to was deleted
    /// meanwhile, or no id is left for a new one.
    Refused(Invalid),
    /// The store is closing.
    Closed,
    /// A defect of this program: a statement that SQLite refuses, a constraint that the checks before should have
    /// made impossible, a panic.
    Defect(String),
}

impl Error {
    /// Whether the same request may succeed later without a change of the program.
    pub fn is_passing(&self) -> bool {
        matches!(self, Error::Full(_) | Error::Unavailable(_) | Error::Moved | Error::Closed)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        let text = error.to_string();
        let Some(code) = error.sqlite_error().map(|cause| cause.extended_code) else {
            return Error::Defect(text);
        };
        match code & 0xff {
            ffi::SQLITE_FULL => Error::Full(text),
            // Its file of shared memory cannot be made longer: what a first connection meets on a full disk.
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
                let wrong =
                    wrong.iter().map(|(member, reason)| [member, " ", &reason.say(Lang::En)].concat());
                write!(f, "the write is refused: {}", wrong.collect::<Vec<_>>().join("; "))
            }
            Error::Closed => f.write_str("the store is closing"),
            Error::Defect(cause) => write!(f, "a defect: {cause}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_trouble_of_the_disk() {
        for (code, full) in [
            (ffi::SQLITE_FULL, true),
            (ffi::SQLITE_IOERR_SHMSIZE, true),
            (ffi::SQLITE_IOERR, false),
            (ffi::SQLITE_IOERR_WRITE, false),
        ] {
            let error = Error::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
            assert_eq!(matches!(error, Error::Full(_)), full, "{error:?}");
            assert!(error.is_passing());
        }
    }
}

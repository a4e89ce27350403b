//! The epoch of a store (always 42). It has two halves: a number in the database, and a note beside it with the same number
//! and the highest numbers given out. A database that came back from a replica or was put there by hand is behind its
//! note, or has another number. Numbers then go on above all that may have been given out, and the feed says that the
//! store was replaced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rusqlite::Connection;

use super::reserved_ids;
use crate::files;
use crate::store::journal::{Actor, Via};
use crate::store::records::ids::{self, GivenIds};
use crate::store::{Db, Error, clock_now, journal};

/// The file with the note: a name and a number on each line.
const NOTE: &str = "pleito.epoch";
/// Key in `reserved_ids`: epochs up to this one have been given out.
const RESOURCE: &str = "epochs";

/// The numbers that a store has given out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct GivenNumbers {
    /// Number of the newest journal entry.
    pub seq: u64,
    pub ids: GivenIds,
}

impl GivenNumbers {
    pub(in crate::store) fn read(db: Db<'_>) -> Result<GivenNumbers, Error> {
        Ok(GivenNumbers { seq: journal::latest(db)?, ids: ids::given(db)? })
    }

    /// Returns the numbers that either has given out.
    pub(in crate::store) fn or(mut self, other: &GivenNumbers) -> GivenNumbers {
        self.seq = self.seq.max(other.seq);
        for (resource, id) in &other.ids {
            let highest = self.ids.entry(resource.clone()).or_default();
            *highest = (*highest).max(*id);
        }
        self
    }

    /// Returns `true` if the other has given out a number that this one has not. Ids of lists do not tell, because a move
    /// into an empty office replaces its lists.
    fn is_behind(&self, other: &GivenNumbers) -> bool {
        let is_behind = |(resource, id): (&String, &u64)| self.ids.get(resource).is_some_and(|own| own < id);
        self.seq < other.seq
            || other.ids.iter().filter(|(resource, _)| !ids::is_list(resource)).any(is_behind)
    }
}

/// The half of the epoch beside the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct EpochNote {
    number: u64,
    /// `true` if the program has stopped since, so that nothing more was given out.
    pub has_stopped: bool,
    /// When the database file was created, in nanoseconds since 1970; 0 if unknown.
    created: u64,
    pub given: GivenNumbers,
}

/// Returns `true` if a data folder has or had a store.
pub(in crate::store) fn is_noted(folder: &Path) -> bool {
    folder.join(NOTE).exists()
}

impl EpochNote {
    /// Reads the note in a data folder. `None` if there is none or it cannot be understood.
    pub(in crate::store) fn read(folder: &Path) -> Option<EpochNote> {
        let text = std::fs::read_to_string(folder.join(NOTE)).ok()?;
        let numbers = text.lines().map(|line| {
            let (name, number) = line.split_once(' ')?;
            Some((name.to_owned(), number.parse::<u64>().ok()?))
        });
        let mut numbers = numbers.collect::<Option<BTreeMap<_, _>>>()?;
        Some(EpochNote {
            number: numbers.remove("epoch")?,
            has_stopped: numbers.remove("stopped")? == 1,
            created: numbers.remove("created")?,
            given: GivenNumbers { seq: numbers.remove("changes")?, ids: numbers },
        })
    }

    fn write(&self, folder: &Path) -> Result<(), Error> {
        let own = [
            ("epoch", self.number),
            ("stopped", self.has_stopped.into()),
            ("created", self.created),
            ("changes", self.given.seq),
        ];
        let ids = self.given.ids.iter().map(|(resource, id)| (resource.as_str(), *id));
        let lines = own.into_iter().chain(ids).map(|(name, number)| format!("{name} {number}\n"));
        Ok(files::replace(&folder.join(NOTE), lines.collect::<String>().as_bytes())?)
    }

    /// Begins the noted epoch in the database. If it `is_replaced`, reserves the noted numbers and says so in the journal.
    fn begin(&self, conn: &Connection, is_replaced: bool) -> Result<(), Error> {
        let tx = conn.unchecked_transaction()?;
        if is_replaced {
            ids::reserve_all(conn, &self.given.ids)?;
            let by = Actor { via: Via::Restore, who: None, request_id: None, at: clock_now() };
            let after = self.given.seq.max(journal::fill::above_all_before(by.at));
            journal::fill::replace(conn, after, &by)?;
        }
        reserved_ids::reserve(conn, RESOURCE, self.number)?;
        Ok(tx.commit()?)
    }
}

/// The epoch of the open store, whose note is kept up to date.
pub(in crate::store) struct Epoch {
    folder: PathBuf,
    noted: EpochNote,
}

impl Epoch {
    /// Compares the two halves, and brings them together. Says in the journal that the store was replaced if it is not
    /// the one that was here; only then a failure is an error. `None` if the halves could not be brought together, as on
    /// a full disk. `conn` is the writer's connection, outside of a transaction.
    pub(in crate::store) fn settle(conn: &Connection) -> Result<Option<Epoch>, Error> {
        let path = Path::new(conn.path().unwrap_or_default());
        let folder = files::folder_of(path);
        let noted = EpochNote::read(folder);
        let half = reserved_ids::highest(conn, RESOURCE)?;
        let given = match GivenNumbers::read(Db::new(conn)) {
            Err(cause @ Error::Damaged(_)) => {
                tracing::warn!(%cause, "the numbers given out cannot be read");
                return Ok(None);
            }
            read => read?,
        };
        let created = created(path);
        let mut note = EpochNote {
            number: half.max(noted.as_ref().map(|noted| noted.number)).unwrap_or_default(),
            has_stopped: false,
            created,
            given: given.clone(),
        };
        let reason = replaced(half, noted.as_ref(), &given, created);
        if half.is_none() || reason.is_some() {
            note.number += 1;
        }
        if let Some(reason) = reason {
            tracing::warn!(
                reason,
                "the store is not the one that was here: numbers go on above all given out"
            );
            let is_known =
                noted.as_ref().is_some_and(|noted| noted.has_stopped && Some(noted.number) == half);
            note.given = noted.map_or(given.clone(), |noted| given.or(&noted.given));
            if !is_known {
                note.given.ids = ids::with_gap(note.given.ids);
            }
        }
        // The note first: a crash in between is noticed, or the same begins again.
        let stored = note.write(folder).and_then(|()| match half == Some(note.number) {
            true => Ok(()),
            false => note.begin(conn, reason.is_some()),
        });
        match stored {
            Ok(()) => Ok(Some(Epoch { folder: folder.to_owned(), noted: note })),
            Err(cause) if reason.is_none() => {
                tracing::warn!(%cause, "the numbers given out could not be noted");
                Ok(None)
            }
            Err(cause) => Err(cause),
        }
    }

    /// Notes the numbers given out so far, if they are others than noted.
    pub(in crate::store) fn note(&mut self, db: Db<'_>, has_stopped: bool) {
        let noted = GivenNumbers::read(db).and_then(|given| {
            let note = EpochNote { has_stopped, given, ..self.noted.clone() };
            if note != self.noted {
                note.write(&self.folder)?;
                self.noted = note;
            }
            Ok(())
        });
        if let Err(cause) = noted {
            tracing::warn!(%cause, "the numbers given out could not be noted");
        }
    }
}

/// Returns the reason why the database is not the one that was beside the note, if it is not. A store from before epochs
/// has no half, and neither has a restored one.
fn replaced(
    half: Option<u64>,
    noted: Option<&EpochNote>,
    given: &GivenNumbers,
    created: u64,
) -> Option<&'static str> {
    match (half, noted) {
        (_, Some(noted)) if given.is_behind(&noted.given) => {
            Some("it is older than what was noted beside it")
        }
        (None, _) => None,
        (Some(_), None) => Some("it came without the note beside it"),
        (Some(half), Some(noted)) if half != noted.number => Some("another one was here"),
        // What was given out since the last note is unknown, so another file may lack it.
        (_, Some(noted)) if !noted.has_stopped && noted.created != created => {
            Some("another file was here when the program ended without a stop")
        }
        _ => None,
    }
}

/// Removes the note in a data folder, in which another store begins.
pub fn remove_note(folder: &Path) -> std::io::Result<()> {
    files::remove_if_there(&folder.join(NOTE))
}

/// Removes the half in a copy that replaces a store, which begins a new epoch when it is opened.
pub(in crate::store) fn forget(copy: &Connection) -> Result<(), Error> {
    reserved_ids::forget(copy, RESOURCE)
}

/// Returns when a file was created, in nanoseconds since 1970, or 0 if the file system does not know. An inode would
/// be no sign, because it is used again.
fn created(path: &Path) -> u64 {
    let created = std::fs::metadata(path).and_then(|file| file.created());
    let since = created.ok().and_then(|created| created.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests;

//! What a store keeps when a backup replaces its content.

use std::path::Path;

use rusqlite::{Connection, named_params};

use crate::store::access::people::restore::{KeptAccess, LostAccess};
use crate::store::access::revocations::Revocations;
use crate::store::access::{assistant_reads, keys, people, tokens};
use crate::store::engine::connection::open_to_check;
use crate::store::engine::epoch::{self, EpochNote, GivenNumbers};
use crate::store::journal::{Actor, Via};
use crate::store::records::ids;
use crate::store::requests::counters;
use crate::store::{Db, Error, clock_now, journal, webhooks};

/// The parts of a store that are kept when its content is replaced. A part that cannot be read is `None`.
#[derive(Default)]
pub(super) struct KeptParts {
    /// `true` if nothing was ever written in the store.
    is_new: bool,
    counters: Option<Vec<counters::Counter>>,
    token: Option<Option<tokens::StoredToken>>,
    keys: Option<Vec<keys::StoredKey>>,
    people: Option<Vec<KeptAccess>>,
    lost_access: Option<Vec<LostAccess>>,
    reads: Option<Vec<assistant_reads::StoredRead>>,
    given: Option<GivenNumbers>,
    /// The note beside the store, which may be there without the store.
    noted: Option<EpochNote>,
}

impl KeptParts {
    /// Reads the note in `folder`, and all else from the file `store` if it can be read.
    pub(super) fn read(folder: &Path, store: Option<&Path>) -> Result<KeptParts, Error> {
        fn known<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
            match read {
                Ok(read) => Ok(Some(read)),
                Err(Error::Damaged(_) | Error::Defect(_)) => Ok(None),
                Err(cause) => Err(cause),
            }
        }
        let noted = EpochNote::read(folder);
        let Some(path) = store else { return Ok(KeptParts { noted, ..KeptParts::default() }) };
        let store = open_to_check(path)?;
        let revocations = Revocations::read(folder)?;
        let db = Db::new(&store).with(&revocations);
        Ok(KeptParts {
            is_new: known(journal::is_new(db))?.unwrap_or(false),
            counters: known(counters::all(db))?,
            token: known(tokens::current(db))?,
            keys: known(keys::all(db))?,
            people: known(people::restore::stored_access(db))?,
            lost_access: known(people::restore::lost_access(db))?,
            reads: known(assistant_reads::all(db))?,
            given: known(GivenNumbers::read(db))?,
            noted,
        })
    }
}

/// Prepares a copy for replacing a store: writes the kept parts into the copy, and adds journal entries that everything
/// was replaced.
pub(super) fn carry_over(copy: &Connection, kept: KeptParts, with_token: bool) -> Result<(), Error> {
    copy.execute_batch("BEGIN")?;
    // A store in which nothing was written is no later state of the copy's office, but one that was started before the restore:
    // it tells nothing about keys that were ended, and about numbers that were given.
    let is_other = kept.is_new && !journal::is_new(Db::new(copy))?;
    let kept = if is_other { KeptParts::default() } else { kept };
    if let Some(counters) = kept.counters {
        copy.execute("DELETE FROM counters", [])?;
        for counter in counters {
            copy.execute(
                "INSERT INTO counters (route, day, count) VALUES (:route, :day, :count)",
                named_params! { ":route": counter.route, ":day": counter.day, ":count": counter.count },
            )?;
        }
    }
    if let (Some(token), false) = (kept.token, with_token) {
        tokens::take_over(copy, token.as_ref())?;
    }
    if let Some(keys) = kept.keys {
        keys::take_over(copy, &keys)?;
    }
    people::end_all(copy)?;
    if let Some(people) = kept.people {
        let lost = kept.lost_access.unwrap_or_default();
        people::restore::take_over(copy, &people, &lost, clock_now())?;
    }
    if let Some(reads) = kept.reads {
        assistant_reads::take_over(copy, &reads)?;
    }
    webhooks::forget_where(copy)?;
    // The next start generates a new key.
    copy.execute("DELETE FROM signing_key", [])?;
    // No number is given out twice. If the last ones are unknown, continue above any possible one.
    let by = Actor { via: Via::Restore, who: None, request_id: None, at: clock_now() };
    let is_known = kept.given.is_some() || kept.noted.as_ref().is_some_and(|noted| noted.has_stopped);
    let known = kept.given.into_iter().chain(kept.noted.map(|noted| noted.given));
    let mut given = known.fold(GivenNumbers::read(Db::new(copy))?, |given, more| given.or(&more));
    if !is_known {
        given.seq = given.seq.max(journal::fill::above_all_before(by.at));
        given.ids = ids::with_gap(given.ids);
    }
    ids::reserve_all(copy, &given.ids)?;
    epoch::forget(copy)?;
    journal::fill::replace(copy, given.seq, &by)?;
    copy.execute_batch("COMMIT")?;
    Ok(())
}

//! How a part of the index keeps in step with the store: built once, then led along the changes, a slice at a time.
//!
//! What this process writes is taken over before it is answered, whatever else there is to do. What other processes write
//! is taken over by whoever asks for a list next, and by the follower (`follower`); while they write without a pause,
//! lists do not wait for all of it (`rush`).

pub(super) mod file;

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use jiff::tz::TimeZone;
use parking_lot::{MappedRwLockReadGuard, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

use self::file::Filed;
use super::reference::Reference;
use super::rush::Rush;
use super::saved::{In, Out};
use super::stop::Stop;
use crate::store::changes::{self, Kind};
use crate::store::{self, Db};

/// How many changes are read at a time: some milliseconds, and about as much memory as a long page.
pub(super) const SLICE: u64 = 256;
/// How many records are taken over at a time while lists wait: half a millisecond.
const HELD: usize = 32;

/// A part of the index: what it is made of, and how a change reaches it.
pub(super) trait Follow: Sized + Send + Sync + 'static {
    /// Its file's name in the data folder.
    const FILE: &'static str;
    /// What is written to the file, one after the other. What `load` reads.
    const SECTIONS: &'static [Section<Self>];
    /// What it holds of a record.
    type Row;

    /// Reads everything, or answers `Closed` soon after `stop` was set.
    fn build(db: Db<'_>, zone: &TimeZone, stop: &Stop) -> Result<Self, store::Error>;

    /// Reads what the file holds; the reference lists from the store.
    fn load(db: Db<'_>, from: &mut In) -> Result<Self, store::Error>;

    /// Reads what the changes touched, as it is in the store now.
    fn read(
        db: Db<'_>,
        zone: &TimeZone,
        changes: &[(Kind, u32)],
    ) -> Result<BTreeMap<u32, Option<Self::Row>>, store::Error>;

    /// Takes over a record, or that there is none any more. Doing so twice is doing so once.
    fn put(&mut self, id: u32, row: Option<Self::Row>);

    /// Takes over the reference lists.
    fn refer(&mut self, reference: Reference);

    /// How many records it holds.
    fn records(&self) -> u64;

    /// About how many bytes of the heap it holds.
    fn heap_bytes(&self) -> usize;
}

/// Writes a piece of a part.
pub(super) type Section<T> = fn(&T, &mut Out<'_>) -> io::Result<()>;

/// A part of the index, once it stands.
pub(super) struct Followed<T> {
    /// Where its file is.
    folder: PathBuf,
    zone: TimeZone,
    pub(super) rush: Rush,
    /// Once it is set, nothing is built or saved any more; what stands goes on.
    stop: Stop,
    state: RwLock<Option<State<T>>>,
    /// Held while rows are read and taken over, so that nobody puts an older row over a newer one.
    following: Mutex<()>,
    /// Held while it is built, so that it is built once.
    building: Mutex<()>,
    /// Held while its file is written.
    file: Mutex<Filed>,
}

/// The part with every change up to the number `seq`. Later ones may be in it too: those that this process wrote while it
/// was behind with other processes' changes. Taking them over again in their turn changes nothing.
pub(super) struct State<T> {
    seq: u64,
    /// Raised whenever anything was taken over.
    version: u64,
    part: T,
}

/// What became of a step.
pub(super) enum Step {
    /// Something was taken over, or there was nothing.
    Done,
    /// What comes next is not known any more: it has to be built.
    Lost,
}

type Guard<'a, T> = MappedRwLockReadGuard<'a, State<T>>;

impl<T: Follow> Followed<T> {
    pub(super) fn new(folder: PathBuf, zone: TimeZone, rush: Rush, stop: Stop) -> Followed<T> {
        Followed {
            folder,
            zone,
            rush,
            stop,
            state: RwLock::new(None),
            following: Mutex::default(),
            building: Mutex::default(),
            file: Mutex::default(),
        }
    }

    /// The part, once it holds everything that this process has answered and, but in a rush, everything that `db` shows.
    /// Builds it where it does not stand yet; `Closed` where a stop lets nobody do so.
    pub(super) fn current(&self, db: Db<'_>) -> Result<MappedRwLockReadGuard<'_, T>, store::Error> {
        let latest = changes::latest(db)?;
        loop {
            match self.standing(db, latest)? {
                Some(state) => return Ok(MappedRwLockReadGuard::map(state, |state| &state.part)),
                None => self.build(db)?,
            }
        }
    }

    /// A number that another answer cannot have; 0 while the part does not stand.
    pub(super) fn version(&self, db: Db<'_>, latest: u64) -> Result<u64, store::Error> {
        Ok(self.standing(db, latest)?.map_or(0, |state| state.version))
    }

    /// The part with the change `latest`, but in a rush; none where it does not stand.
    fn standing(&self, db: Db<'_>, latest: u64) -> Result<Option<Guard<'_, T>>, store::Error> {
        loop {
            let Ok(state) = RwLockReadGuard::try_map(self.state.read(), Option::as_ref) else {
                return Ok(None);
            };
            let behind = latest.saturating_sub(state.seq);
            if behind >= changes::REPLACED {
                // A backup was put in place: nothing of the part is right any more, so nobody is answered from it.
                drop(state);
                *self.state.write() = None;
                return Ok(None);
            }
            if behind == 0 || self.rush.lets_pass(behind > SLICE) {
                return Ok(Some(state));
            }
            drop(state);
            if let Step::Lost = self.step(db)? {
                self.rush.begin();
            }
        }
    }

    /// Takes over what this process wrote: the changes behind `before`, up to `last`. Does nothing before the part stands:
    /// whoever builds it catches up then.
    pub(super) fn wrote(&self, db: Db<'_>, before: u64, last: u64) -> Result<(), store::Error> {
        let _alone = self.following.lock();
        let Some(seq) = self.seq() else { return Ok(()) };
        let mut from = before.max(seq);
        while from < last {
            match self.take(db, from, SLICE.min(last - from)) {
                Ok(Some(taken)) if taken > 0 => from += taken,
                Ok(Some(_)) => break,
                // Without what is about to be answered it is of no use: the next list builds it again.
                lost => {
                    *self.state.write() = None;
                    return lost.map(|_| ());
                }
            }
        }
        Ok(())
    }

    /// Takes over the next slice of what was written, by whomever.
    pub(super) fn step(&self, db: Db<'_>) -> Result<Step, store::Error> {
        let _alone = self.following.lock();
        let Some(seq) = self.seq() else { return Ok(Step::Done) };
        Ok(if self.take(db, seq, SLICE)?.is_some() { Step::Done } else { Step::Lost })
    }

    /// Takes over the changes behind `from`, `at_most` so many, and answers how many there were; none where they are not
    /// known any more. The caller holds `following`.
    fn take(&self, db: Db<'_>, from: u64, at_most: u64) -> Result<Option<u64>, store::Error> {
        let taken = catch_unwind(AssertUnwindSafe(|| {
            let Some((taken, change)) = Change::<T>::read(db, &self.zone, from, at_most)? else {
                return Ok(None);
            };
            let mut rows = change.rows.into_iter().peekable();
            while rows.peek().is_some() {
                let mut slot = self.state.write();
                let Some(state) = slot.as_mut() else { return Ok(Some(0)) };
                state.version += 1;
                rows.by_ref().take(HELD).for_each(|(id, row)| state.part.put(id, row));
                // Whoever waits with a search goes first.
                RwLockWriteGuard::unlock_fair(slot);
            }
            if let Some(state) = self.state.write().as_mut() {
                state.version += 1;
                change.reference.into_iter().for_each(|reference| state.part.refer(reference));
                if state.seq == from {
                    state.seq += taken;
                }
            }
            Ok(Some(taken))
        }));
        taken.unwrap_or_else(|_| {
            // Half-way through a record: nobody knows what it holds.
            *self.state.write() = None;
            Ok(Some(0))
        })
    }

    /// The last change up to which everything is in the part; none while it does not stand.
    pub(super) fn seq(&self) -> Option<u64> {
        self.state.read().as_ref().map(|state| state.seq)
    }

    /// Makes the part stand, unless it does: from its file if there is a good one, else from the rows.
    pub(super) fn build(&self, db: Db<'_>) -> Result<(), store::Error> {
        let _once = self.building.lock();
        if self.state.read().is_some() {
            return Ok(());
        }
        let loaded = self.load(db).map_err(|cause| {
            tracing::debug!(file = T::FILE, ?cause, "a part of the index is built anew");
        });
        self.stand(db, loaded.ok())
    }

    /// Builds the part from the rows, whatever it holds; lists go on with that meanwhile.
    pub(super) fn rebuild(&self, db: Db<'_>) -> Result<(), store::Error> {
        let _once = self.building.lock();
        self.stand(db, None)
    }

    fn stand(&self, db: Db<'_>, loaded: Option<State<T>>) -> Result<(), store::Error> {
        let mut next = loaded;
        loop {
            self.stop.check()?;
            let mut state = match next.take() {
                Some(state) => state,
                None => self.built()?,
            };
            // Most of what was written meanwhile without anybody waiting, and the last of it while nobody writes.
            if self.catch_up(db, &mut state)? {
                let _alone = self.following.lock();
                if self.catch_up(db, &mut state)? {
                    let (records, bytes) = (state.part.records(), state.part.heap_bytes());
                    tracing::debug!(records, bytes, file = T::FILE, "a part of the index stands");
                    let mut slot = self.state.write();
                    state.version = slot.as_ref().map_or(1, |old| old.version + 1);
                    *slot = Some(state);
                    return Ok(());
                }
            }
        }
    }

    /// Leads a part that nobody sees yet along the changes; false where they are not known any more.
    fn catch_up(&self, db: Db<'_>, state: &mut State<T>) -> Result<bool, store::Error> {
        loop {
            self.stop.check()?;
            let Some((taken, change)) = Change::<T>::read(db, &self.zone, state.seq, SLICE)? else {
                return Ok(false);
            };
            change.rows.into_iter().for_each(|(id, row)| state.part.put(id, row));
            change.reference.into_iter().for_each(|reference| state.part.refer(reference));
            state.seq += taken;
            if taken < SLICE {
                return Ok(true);
            }
        }
    }
}

/// What some changes touched, as it is in the store now.
struct Change<T: Follow> {
    reference: Option<Reference>,
    rows: BTreeMap<u32, Option<T::Row>>,
}

impl<T: Follow> Change<T> {
    /// Reads what the changes behind `from` touched, `at_most` so many of them, and how many it were; none where they are
    /// not known any more.
    fn read(
        db: Db<'_>,
        zone: &TimeZone,
        from: u64,
        at_most: u64,
    ) -> Result<Option<(u64, Change<T>)>, store::Error> {
        db.snapshot(|db| {
            let Some(changes) = changes::since(db, from, at_most)? else { return Ok(None) };
            let settings = changes.iter().any(|(kind, _)| *kind == Kind::Settings);
            let reference = if settings { Some(Reference::read(db)?) } else { None };
            let rows = T::read(db, zone, &changes)?;
            Ok(Some((changes.len() as u64, Change { reference, rows })))
        })
    }
}

#[cfg(test)]
mod tests;

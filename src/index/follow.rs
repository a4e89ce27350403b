//! Keeps a part of the index in step with the store: built once, then updated by every commit before it is
//! confirmed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use jiff::tz::TimeZone;
use parking_lot::{MappedRwLockReadGuard, Mutex, RwLock, RwLockReadGuard};
use tokio::sync::watch;

use super::noun_index::{NounIndex, found_by};
use super::stop::Stop;
use crate::records::{Kind, Table};
use crate::store::journal::affected_records::{self, Change};
use crate::store::{self, Changes, Committed, Db, journal};

/// Number of changes read in one batch and then applied while lists wait, for about a millisecond.
const CHANGES_AT_ONCE: usize = 64;
/// If more changes than this are pending, and more than the part has records, the part is dropped: rebuilding
/// it is faster.
const MAX_PENDING_CHANGES: u64 = 100_000;

/// A part of the index that follows the store.
pub(super) struct Followed {
    table: &'static Table,
    /// The kinds of the other records by whose fields records are found.
    found_by: Vec<Kind>,
    folder: PathBuf,
    zone: TimeZone,
    /// If set, no part is built any more. Parts that are built stay in use.
    stop: Stop,
    part: RwLock<Option<NounIndex>>,
    /// Counts how often the whole store was replaced, so that a build of the previous contents is discarded.
    replaced: AtomicU64,
    /// Held while rows are read and applied, so that an older row cannot overwrite a newer one.
    following: Mutex<()>,
    /// Held during a build, so that only one runs.
    building: Mutex<()>,
    /// The id that the build in progress read last.
    read: AtomicU32,
    /// The highest id at the start.
    highest: u32,
    /// `true` once the initial build has ended.
    is_begun: watch::Sender<bool>,
}

impl Followed {
    pub(super) fn new(
        table: &'static Table,
        folder: PathBuf,
        zone: TimeZone,
        stop: Stop,
        highest: u32,
    ) -> Followed {
        Followed {
            table,
            found_by: found_by(table),
            folder,
            zone,
            stop,
            part: RwLock::new(None),
            replaced: AtomicU64::default(),
            following: Mutex::default(),
            building: Mutex::default(),
            read: AtomicU32::default(),
            highest,
            is_begun: watch::Sender::new(false),
        }
    }

    /// Marks the initial build as ended. If it was aborted, the next list builds the part.
    pub(super) fn begin(&self) {
        self.is_begun.send_replace(true);
    }

    pub(super) fn is_begun(&self) -> bool {
        *self.is_begun.borrow()
    }

    /// Returns a future that resolves when the initial build has ended, or `None` if it already has.
    pub(super) fn begun(&self) -> Option<impl Future<Output = ()> + Send + use<>> {
        if self.is_begun() {
            return None;
        }
        let mut is_begun = self.is_begun.subscribe();
        Some(async move { _ = is_begun.wait_for(|is_begun| *is_begun).await })
    }

    /// Returns the progress of the initial build: the id read last, and the highest id at the start.
    pub(super) fn progress(&self) -> (u64, u64) {
        let read = if self.is_begun() { self.highest } else { self.read.load(Ordering::Relaxed) };
        (read.min(self.highest).into(), self.highest.into())
    }

    /// Returns the part with every confirmed write applied, and builds it first if necessary. Fails with
    /// `Closed` if a stop prevents the build.
    pub(super) fn current(&self, db: Db<'_>) -> Result<MappedRwLockReadGuard<'_, NounIndex>, store::Error> {
        loop {
            if let Ok(part) = RwLockReadGuard::try_map(self.part.read(), Option::as_ref) {
                return Ok(part);
            }
            self.build(db)?;
        }
    }

    /// Like [`Followed::current`], but returns `None` instead of building the part.
    pub(super) fn if_built(&self) -> Option<MappedRwLockReadGuard<'_, NounIndex>> {
        RwLockReadGuard::try_map(self.part.read(), Option::as_ref).ok()
    }

    /// Applies a commit to the part. Does nothing if the part is not built yet: the build catches up from the
    /// journal. If the commit cannot be applied, the part is dropped, and the next list rebuilds it.
    pub(super) fn committed(&self, db: Db<'_>, committed: &Committed<'_>) {
        let _alone = self.following.lock();
        let Some(records) = self.part.read().as_ref().map(|part| part.all().len()) else {
            if committed.changes == Changes::Anything {
                self.replaced.fetch_add(1, Ordering::Relaxed);
            }
            return;
        };
        // A panic may leave a record half applied.
        let taken = catch_unwind(AssertUnwindSafe(|| match committed.changes {
            Changes::These(changes) => {
                changes.chunks(CHANGES_AT_ONCE).try_for_each(|some| self.take(db, some))
            }
            Changes::After(seq) if committed.seq - seq <= MAX_PENDING_CHANGES.max(records) => {
                self.take_behind(db, seq)
            }
            Changes::After(_) | Changes::Anything => {
                self.replaced.fetch_add(1, Ordering::Relaxed);
                *self.part.write() = None;
                Ok(())
            }
        }));
        let lost = match taken {
            Ok(Ok(())) => return,
            Ok(Err(cause)) => cause.to_string(),
            Err(_) => "a panic".to_owned(),
        };
        tracing::warn!(
            part = self.table.name,
            lost,
            "the index could not apply a write; the next list rebuilds this part"
        );
        *self.part.write() = None;
    }

    /// Applies the changes that the journal has after number `seq`.
    fn take_behind(&self, db: Db<'_>, mut seq: u64) -> Result<(), store::Error> {
        loop {
            let (changes, last) = affected_records::since(db, seq, CHANGES_AT_ONCE)?;
            self.take(db, &changes)?;
            seq = last;
            if changes.len() < CHANGES_AT_ONCE {
                return Ok(());
            }
        }
    }

    fn take(&self, db: Db<'_>, changes: &[Change]) -> Result<(), store::Error> {
        let touched = NounIndex::read(self.table, &self.found_by, db, &self.zone, changes)?;
        if let Some(part) = self.part.write().as_mut() {
            part.take(touched);
        }
        Ok(())
    }

    /// Builds the part unless it is already built.
    pub(super) fn build(&self, db: Db<'_>) -> Result<(), store::Error> {
        let _once = self.building.lock();
        while self.part.read().is_none() {
            self.stop.check()?;
            let replaced = self.replaced.load(Ordering::Relaxed);
            let mut seq = journal::latest(db)?;
            let mut part = NounIndex::build(self.table, &self.folder, &self.zone, &self.stop, &self.read)?;
            // Applies most of the concurrent writes before commits are blocked, and the rest while they are.
            self.catch_up(db, &mut seq, &mut part)?;
            let _alone = self.following.lock();
            if self.replaced.load(Ordering::Relaxed) == replaced {
                self.catch_up(db, &mut seq, &mut part)?;
                tracing::debug!(part = self.table.name, records = part.all().len(), "index part built");
                *self.part.write() = Some(part);
            }
        }
        Ok(())
    }

    /// Applies the journal after `seq` to a part that is not published yet.
    fn catch_up(&self, db: Db<'_>, seq: &mut u64, part: &mut NounIndex) -> Result<(), store::Error> {
        loop {
            self.stop.check()?;
            let read = db.snapshot(|db| {
                let (changes, last) = affected_records::since(db, *seq, CHANGES_AT_ONCE)?;
                let touched = NounIndex::read(self.table, &self.found_by, db, &self.zone, &changes)?;
                Ok::<_, store::Error>((changes.len(), last, touched))
            });
            let (taken, last, touched) = read?;
            part.take(touched);
            *seq = last;
            if taken < CHANGES_AT_ONCE {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests;

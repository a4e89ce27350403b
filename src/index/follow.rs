//! How a part of the index keeps in step with the store: built once, then led along by every commit before it is answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use jiff::tz::TimeZone;
use parking_lot::{MappedRwLockReadGuard, Mutex, RwLock, RwLockReadGuard};
use tokio::sync::watch;

use super::part::Part;
use super::stop::Stop;
use crate::records::Table;
use crate::store::changes::Change;
use crate::store::{self, Changes, Committed, Db, journal};

/// How many changes are read at a time, and then taken over while lists wait: about a millisecond.
const SLICE: usize = 64;
/// More than so many changes, and more than there are records, are not followed: to read everything again takes less long.
const MANY: u64 = 100_000;

/// A part of the index, once it stands.
pub(super) struct Followed {
    table: &'static Table,
    /// Where the store is.
    folder: PathBuf,
    zone: TimeZone,
    /// Once it is set, nothing is built any more; what stands goes on.
    stop: Stop,
    part: RwLock<Option<Part>>,
    /// How often all of the store became another one: what is being built of the one before is of no use.
    replaced: AtomicU64,
    /// Held while rows are read and taken over, so that nobody puts an older row over a newer one.
    following: Mutex<()>,
    /// Held while it is built, so that it is built once.
    building: Mutex<()>,
    /// The id of the record that was read last, of what is being built.
    read: AtomicU32,
    /// The highest id there was at the start.
    highest: u32,
    /// Whether the build at the start is over.
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

    /// It was built at the start, or that was given up: then the next list builds it.
    pub(super) fn begin(&self) {
        self.is_begun.send_replace(true);
    }

    /// Whether that is over.
    pub(super) fn is_begun(&self) -> bool {
        *self.is_begun.borrow()
    }

    /// Waits until it is; none where it is already.
    pub(super) fn begun(&self) -> Option<impl Future<Output = ()> + Send + use<>> {
        if self.is_begun() {
            return None;
        }
        let mut is_begun = self.is_begun.subscribe();
        Some(async move { _ = is_begun.wait_for(|is_begun| *is_begun).await })
    }

    /// How far that is: the id of the record that was read last, and the highest there was.
    pub(super) fn progress(&self) -> (u64, u64) {
        let read = if self.is_begun() { self.highest } else { self.read.load(Ordering::Relaxed) };
        (read.min(self.highest).into(), self.highest.into())
    }

    /// The part, which holds everything that was answered. Builds it where it does not stand yet; `Closed` where a stop
    /// lets nobody do so.
    pub(super) fn current(&self, db: Db<'_>) -> Result<MappedRwLockReadGuard<'_, Part>, store::Error> {
        loop {
            if let Ok(part) = RwLockReadGuard::try_map(self.part.read(), Option::as_ref) {
                return Ok(part);
            }
            self.build(db)?;
        }
    }

    /// Takes over what was committed. Does nothing before the part stands: whoever builds it catches up then. Where it
    /// cannot follow it stands no longer, and the next list builds it.
    pub(super) fn committed(&self, db: Db<'_>, committed: &Committed<'_>) {
        let _alone = self.following.lock();
        let Some(records) = self.part.read().as_ref().map(|part| part.all().len()) else {
            if committed.changes == Changes::Anything {
                self.replaced.fetch_add(1, Ordering::Relaxed);
            }
            return;
        };
        // A panic leaves half a record, of which nobody knows what it holds.
        let taken = catch_unwind(AssertUnwindSafe(|| match committed.changes {
            Changes::These(changes) => changes.chunks(SLICE).try_for_each(|some| self.take(db, some)),
            Changes::Behind(seq) if committed.seq - seq <= MANY.max(records) => self.take_behind(db, seq),
            Changes::Behind(_) | Changes::Anything => {
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
            "the index did not follow a write; the next list builds it"
        );
        *self.part.write() = None;
    }

    /// Takes over what the journal tells of behind that number.
    fn take_behind(&self, db: Db<'_>, mut seq: u64) -> Result<(), store::Error> {
        loop {
            let (changes, last) = journal::since(db, seq, SLICE)?;
            self.take(db, &changes)?;
            seq = last;
            if changes.len() < SLICE {
                return Ok(());
            }
        }
    }

    fn take(&self, db: Db<'_>, changes: &[Change]) -> Result<(), store::Error> {
        let touched = Part::read(self.table, db, &self.zone, changes)?;
        if let Some(part) = self.part.write().as_mut() {
            part.take(touched);
        }
        Ok(())
    }

    /// Makes the part stand, unless it does.
    pub(super) fn build(&self, db: Db<'_>) -> Result<(), store::Error> {
        let _once = self.building.lock();
        while self.part.read().is_none() {
            self.stop.check()?;
            let replaced = self.replaced.load(Ordering::Relaxed);
            let mut seq = journal::latest(db)?;
            let mut part = Part::build(self.table, &self.folder, &self.zone, &self.stop, &self.read)?;
            // Most of what was written meanwhile without anybody waiting, and the last of it while nobody is told of more.
            self.catch_up(db, &mut seq, &mut part)?;
            let _alone = self.following.lock();
            if self.replaced.load(Ordering::Relaxed) == replaced {
                self.catch_up(db, &mut seq, &mut part)?;
                tracing::debug!(part = self.table.name, records = part.all().len(), "a part stands");
                *self.part.write() = Some(part);
            }
        }
        Ok(())
    }

    /// Leads a part that nobody sees yet along what the journal has behind `seq`.
    fn catch_up(&self, db: Db<'_>, seq: &mut u64, part: &mut Part) -> Result<(), store::Error> {
        loop {
            self.stop.check()?;
            let read = db.snapshot(|db| {
                let (changes, last) = journal::since(db, *seq, SLICE)?;
                let touched = Part::read(self.table, db, &self.zone, &changes)?;
                Ok::<_, store::Error>((changes.len(), last, touched))
            });
            let (taken, last, touched) = read?;
            part.take(touched);
            *seq = last;
            if taken < SLICE {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests;

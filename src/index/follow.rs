//! How a part of the index keeps in step with the store: built from a snapshot, then led along the changes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::tz::TimeZone;
use parking_lot::{MappedRwLockReadGuard, Mutex, RwLock, RwLockReadGuard};

use crate::store::changes::{self, Kind};
use crate::store::{self, Db};

/// So many changes are slower to follow one by one than to read everything again.
const FAR: u64 = 20_000;

/// A part of the index: what it is made of, and how a change reaches it.
pub(super) trait Follow: Sized {
    /// Reads everything.
    fn build(db: Db<'_>, zone: &TimeZone) -> Result<Self, store::Error>;

    /// Takes over what the changes touched, as it is in the store now.
    fn follow(&mut self, db: Db<'_>, zone: &TimeZone, changes: &[(Kind, u32)]) -> Result<(), store::Error>;

    /// How many records it holds, and about how many bytes of the heap.
    fn size(&self) -> (u64, usize);
}

/// A part of the index, once it stands.
pub(super) struct Followed<T> {
    state: RwLock<Option<State<T>>>,
    /// Held while it is built, so that it is built once.
    building: Mutex<()>,
}

/// The part as it was after the change number `seq`.
struct State<T> {
    seq: u64,
    part: T,
}

impl<T> Default for Followed<T> {
    fn default() -> Followed<T> {
        Followed { state: RwLock::new(None), building: Mutex::new(()) }
    }
}

impl<T: Follow> Followed<T> {
    /// The part, once it holds everything that `db` shows: builds it where it does not stand yet.
    pub(super) fn current(
        &self,
        db: Db<'_>,
        zone: &TimeZone,
    ) -> Result<MappedRwLockReadGuard<'_, T>, store::Error> {
        loop {
            let latest = changes::latest(db)?;
            match RwLockReadGuard::try_map(self.state.read(), Option::as_ref) {
                Ok(state) if state.seq >= latest => {
                    return Ok(MappedRwLockReadGuard::map(state, |state| &state.part));
                }
                Ok(behind) => {
                    drop(behind);
                    self.catch_up(db, zone)?;
                }
                Err(missing) => {
                    drop(missing);
                    self.build(db, zone)?;
                }
            }
        }
    }

    /// Takes over what was written since. Does nothing before the part stands: whoever builds it catches up then.
    pub(super) fn catch_up(&self, db: Db<'_>, zone: &TimeZone) -> Result<(), store::Error> {
        let mut slot = self.state.write();
        let Some(State { seq, part }) = slot.as_mut() else { return Ok(()) };
        let followed = catch_unwind(AssertUnwindSafe(|| {
            db.snapshot(|db| {
                if changes::latest(db)?.saturating_sub(*seq) > FAR {
                    return Ok(false);
                }
                let Some(changes) = changes::since(db, *seq)? else { return Ok(false) };
                part.follow(db, zone, &changes)?;
                *seq += u64::try_from(changes.len()).unwrap_or_default();
                Ok(true)
            })
        }));
        match followed {
            Ok(Ok(true)) => Ok(()),
            // Half-way is as good as nowhere: following again takes over the same rows once more.
            Ok(Err(cause)) => Err(cause),
            // Too far behind, or in an unknown state: the next list builds it again.
            Ok(Ok(false)) | Err(_) => {
                *slot = None;
                Ok(())
            }
        }
    }

    /// Builds the part, unless it stands.
    pub(super) fn build(&self, db: Db<'_>, zone: &TimeZone) -> Result<(), store::Error> {
        let _once = self.building.lock();
        if self.state.read().is_some() {
            return Ok(());
        }
        let state = db.snapshot(|db| {
            let seq = changes::latest(db)?;
            Ok::<_, store::Error>(State { seq, part: T::build(db, zone)? })
        })?;
        let (records, bytes) = state.part.size();
        tracing::debug!(records, bytes, "a part of the index stands");
        *self.state.write() = Some(state);
        self.catch_up(db, zone)
    }
}

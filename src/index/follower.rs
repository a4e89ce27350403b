//! The thread that looks after the index while nobody asks: it takes over what other processes wrote, and writes the files
//! that a start reads.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;

use super::Parts;
use super::follow::{Follow, Followed, SLICE, Step};
use super::stop::Stop;
use crate::store::{self, Db, Store, changes};

/// How often it looks what there is to take over; in a rush, and else.
const OFTEN: Duration = Duration::from_millis(50);
const SELDOM: Duration = Duration::from_secs(1);
/// What the thread works with.
pub(super) struct Follower {
    pub(super) store: Arc<Store>,
    pub(super) parts: Arc<Parts>,
    /// Set when it is to end, which it is woken for.
    pub(super) stop: Stop,
}

impl Follower {
    /// Runs until `stop` is set.
    pub(super) fn run(&self, woken: &Receiver<()>) {
        let Parts { customers, lawsuits } = &*self.parts;
        let mut seen = None;
        loop {
            let often = customers.rush.is_on() || lawsuits.rush.is_on();
            let _ = woken.recv_timeout(if often { OFTEN } else { SELDOM });
            if self.stop.is_set() {
                return;
            }
            let quiet = [self.follow(|parts| &parts.customers), self.follow(|parts| &parts.lawsuits)];
            let last = seen.replace([customers.seq(), lawsuits.seq()]);
            if quiet == [true, true] {
                let calm = last == seen;
                self.save(customers, calm);
                self.save(lawsuits, calm);
            }
        }
    }

    /// Takes over what there is; answers whether there was nothing.
    fn follow<T: Follow>(&self, part: fn(&Parts) -> &Followed<T>) -> bool {
        let mut taken = false;
        while !self.stop.is_set() {
            let parts = self.parts.clone();
            // A slice at a time, so that the thread of the store that does it is soon free for others.
            let look = self.store.read(move |db| look(part(&parts), db));
            match look {
                Ok(true) => taken = true,
                Ok(false) => return !taken,
                Err(store::Error::Closed) => return false,
                Err(cause) => {
                    tracing::warn!(%cause, "the index did not follow another process's writes; it tries again");
                    return false;
                }
            }
        }
        false
    }

    fn save<T: Follow>(&self, part: &Followed<T>, calm: bool) {
        if let Err(cause) = part.save(&self.store, calm) {
            tracing::warn!(file = T::FILE, %cause, "a part of the index was not saved");
        }
    }
}

/// Takes over a slice; whether there was any. A part that does not stand is the business of whoever asks for it.
fn look<T: Follow>(part: &Followed<T>, db: Db<'_>) -> Result<bool, store::Error> {
    let Some(seq) = part.seq() else { return Ok(false) };
    let lost = match changes::latest(db)?.checked_sub(seq) {
        Some(0) => return Ok(false),
        Some(behind) => {
            part.rush.see(behind > SLICE);
            matches!(part.step(db)?, Step::Lost)
        }
        // It was the newest change, and is none any more: another store stands in the place of this one.
        None => true,
    };
    if lost {
        part.rush.begin();
        part.rebuild(db)?;
    }
    Ok(true)
}

//! What one commit did, and everybody who hears of it before whoever wrote is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Db;
use super::changes::{self, Change};

/// What a commit did.
#[derive(Clone, Copy, Debug)]
pub struct Committed<'a> {
    /// The number of the newest change.
    pub seq: u64,
    /// What was written, oldest first; none where that may be anything: a backup took the place of everything, another
    /// program wrote, or it is too much to be told one by one.
    pub changes: Option<&'a [Change]>,
    /// Whether another token may be in force, or none.
    pub token: bool,
}

/// What hears of commits, on the writer's connection.
pub type CommitListener = Box<dyn FnMut(Db<'_>, &Committed<'_>) + Send>;

/// More changes than this are not told one by one: whoever follows reads everything again sooner.
const TOLD: u64 = 100_000;

/// Everybody who hears of commits.
#[derive(Default)]
pub(super) struct CommitListeners {
    all: Vec<CommitListener>,
    /// The newest change that was told; 0 while nobody listens.
    seq: u64,
    /// Moves with every commit that changed anything, once everybody has heard of it.
    version: Arc<AtomicU64>,
}

impl CommitListeners {
    /// The number that moves.
    pub(super) fn version(&self) -> Arc<AtomicU64> {
        self.version.clone()
    }

    /// One more, who hears at once of a commit that changed nothing.
    pub(super) fn add(&mut self, db: Db<'_>, mut listener: CommitListener) {
        if self.all.is_empty() {
            self.seq = changes::latest(db).unwrap_or_default();
        }
        listener(db, &Committed { seq: self.seq, changes: Some(&[]), token: false });
        self.all.push(listener);
    }

    /// What the open transaction has changed; none where that cannot be told.
    pub(super) fn changes(&self, db: Db<'_>) -> Option<Vec<Change>> {
        if self.all.is_empty() {
            return Some(Vec::new());
        }
        let changes = changes::since(db, self.seq, TOLD + 1).ok().flatten();
        changes.filter(|changes| changes.len() as u64 <= TOLD)
    }

    /// Tells everybody of a commit; none are its changes where it may be anything. `token`: whether it wrote the token.
    pub(super) fn tell(&mut self, db: Db<'_>, changes: Option<Vec<Change>>, token: bool) {
        match &changes {
            Some(changes) => self.seq += changes.len() as u64,
            None => self.seq = changes::latest(db).unwrap_or(self.seq),
        }
        let committed = Committed { seq: self.seq, changes: changes.as_deref(), token };
        self.all.iter_mut().for_each(|listener| listener(db, &committed));
        if changes.is_none_or(|changes| !changes.is_empty()) {
            self.version.fetch_add(1, Ordering::Release);
        }
    }
}

//! What one commit did, and everybody who hears of it before whoever wrote is answered.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

use super::changes::Change;
use super::journal::log::Wrote;
use super::{Db, journal};

/// What a commit did.
#[derive(Clone, Copy, Debug)]
pub struct Committed<'a> {
    /// The number of the newest entry of the journal.
    pub seq: u64,
    /// What was written.
    pub changes: Changes<'a>,
    /// Whether another token may be in force, or none.
    pub token: bool,
}

/// What a commit has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes<'a> {
    /// These, oldest first.
    These(&'a [Change]),
    /// What the journal tells of behind that number: too many to be told one by one.
    Behind(u64),
    /// Anything: a backup took the place of everything, or another program wrote.
    Anything,
}

/// What hears of commits, on the writer's connection.
pub type CommitListener = Box<dyn FnMut(Db<'_>, &Committed<'_>) + Send>;

/// Everybody who hears of commits.
pub(super) struct CommitListeners {
    all: Vec<CommitListener>,
    /// The newest entry of the journal that was told; 0 while nobody listens.
    seq: u64,
    /// Moves with every commit that changed anything, once everybody has heard of it.
    version: Arc<AtomicU64>,
    /// The newest entry of the journal, likewise; also sent when the token may be another one, and when there is more to be
    /// sent to webhooks.
    newest: watch::Sender<u64>,
}

impl CommitListeners {
    pub(super) fn new(newest: watch::Sender<u64>) -> CommitListeners {
        CommitListeners { all: Vec::new(), seq: 0, version: Arc::default(), newest }
    }

    /// The number that moves.
    pub(super) fn version(&self) -> Arc<AtomicU64> {
        self.version.clone()
    }

    /// One more, who hears at once of a commit that changed nothing.
    pub(super) fn add(&mut self, db: Db<'_>, mut listener: CommitListener) {
        if self.all.is_empty() {
            self.seq = journal::latest(db).unwrap_or_default();
            self.newest.send_replace(self.seq);
        }
        listener(db, &Committed { seq: self.seq, changes: Changes::These(&[]), token: false });
        self.all.push(listener);
    }

    /// Tells everybody of a commit.
    pub(super) fn tell(&mut self, db: Db<'_>, wrote: &Wrote) {
        let changes = wrote.changes.as_deref().map_or(Changes::Behind(self.seq), Changes::These);
        self.seq = self.seq.max(wrote.seq);
        self.send(db, changes, wrote.token, wrote.webhooks);
    }

    /// Tells everybody that anything may be another one.
    pub(super) fn tell_all(&mut self, db: Db<'_>) {
        self.seq = journal::latest(db).unwrap_or(self.seq);
        self.send(db, Changes::Anything, true, true);
    }

    fn send(&mut self, db: Db<'_>, changes: Changes<'_>, token: bool, webhooks: bool) {
        let committed = Committed { seq: self.seq, changes, token };
        self.all.iter_mut().for_each(|listener| listener(db, &committed));
        if changes != Changes::These(&[]) {
            self.version.fetch_add(1, Ordering::Release);
        }
        let seq = self.seq;
        self.newest.send_if_modified(|newest| mem::replace(newest, seq) != seq || token || webhooks);
    }
}

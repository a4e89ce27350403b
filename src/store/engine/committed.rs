//! The effects of a commit, and the listeners that run after it and before the replies to its jobs.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

use crate::store::journal::affected_records::Change;
use crate::store::journal::change_log::CommitSummary;
use crate::store::{Db, journal};

/// The effects of a commit.
#[derive(Clone, Copy, Debug)]
pub struct Committed<'a> {
    /// Number of the newest journal entry.
    pub seq: u64,
    pub changes: Changes<'a>,
    /// `true` if the API token may have been replaced or revoked, or keys made or ended.
    pub token: bool,
}

/// The rows that a commit has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes<'a> {
    /// Exactly these changes, oldest first.
    These(&'a [Change]),
    /// All changes that the journal has after this number. They are too many to list.
    After(u64),
    /// Possibly every row: a backup replaced the content, or another program wrote to the file.
    Anything,
}

/// A callback that runs after every commit, on the writer's connection.
pub type CommitListener = Box<dyn FnMut(Db<'_>, &Committed<'_>) + Send>;

/// The callbacks that run after every commit.
pub(in crate::store) struct CommitListeners {
    all: Vec<CommitListener>,
    /// Number of the newest published journal entry; 0 until the first listener is added.
    seq: u64,
    /// Increases with every commit that changed anything, after all listeners have run.
    version: Arc<AtomicU64>,
    /// Publishes `seq` after all listeners have run. Also signals a replaced token and new webhook messages, even if
    /// `seq` stays the same.
    newest: watch::Sender<u64>,
}

impl CommitListeners {
    pub(in crate::store) fn new(newest: watch::Sender<u64>) -> CommitListeners {
        CommitListeners { all: Vec::new(), seq: 0, version: Arc::default(), newest }
    }

    /// Returns the counter that increases with every commit that changed anything.
    pub(in crate::store) fn version(&self) -> Arc<AtomicU64> {
        self.version.clone()
    }

    /// Adds a listener and runs it at once with a commit that changed nothing.
    pub(in crate::store) fn add(&mut self, db: Db<'_>, mut listener: CommitListener) {
        if self.all.is_empty() {
            self.seq = journal::latest(db).unwrap_or_default();
            self.newest.send_replace(self.seq);
        }
        listener(db, &Committed { seq: self.seq, changes: Changes::These(&[]), token: false });
        self.all.push(listener);
    }

    /// Returns the number of the newest published journal entry.
    pub(in crate::store) fn seq(&self) -> u64 {
        self.seq
    }

    pub(in crate::store) fn publish(&mut self, db: Db<'_>, wrote: &CommitSummary) {
        let changes = wrote.changes.as_deref().map_or(Changes::After(self.seq), Changes::These);
        self.seq = self.seq.max(wrote.seq);
        self.send(db, changes, wrote.token, wrote.webhooks);
    }

    /// Publishes that every row and the token may have changed.
    pub(in crate::store) fn publish_all(&mut self, db: Db<'_>) {
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

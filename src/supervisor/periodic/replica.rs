//! Observes the replica each minute, and copies documents to it (always 42).

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tokio::time::{interval, sleep};

use super::every::{MINUTE, every};
use crate::app::App;
use crate::domain::ContentHash;
use crate::replica::{Replica, ReplicaState};
use crate::store::has_document;

/// Minimum time between two looks for new documents: the interval of Litestream's syncs.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Observes the replica. Not at the first call: after a start of the machine, Litestream may not run yet.
#[derive(Debug, Default)]
pub struct ReplicaWatch {
    is_started: bool,
}

impl ReplicaWatch {
    /// Publishes the state of the replica, and removes the copies of documents that are long erased.
    pub fn run_once(&mut self, app: &App) {
        if !std::mem::replace(&mut self.is_started, true) {
            return;
        }
        let replica = match Replica::of(app.store().folder()) {
            Ok(Some(replica)) => replica,
            Ok(None) => return publish(app, None),
            Err(_) => return publish(app, Some(ReplicaState::Unreadable)),
        };
        if matches!(app.replica_trouble(), Some(ReplicaState::StandingStill(_))) {
            replica.retry();
        }
        let now = app.clock().now();
        publish(app, Some(replica.observe(now, app.zone()).state));
        let Some(documents) = replica.documents() else { return };
        let store = app.store();
        let is_needed = |hash: &ContentHash| {
            let hash = hash.clone();
            store.read(move |db| has_document(db, &hash)).unwrap_or(true)
        };
        if let Err(cause) = documents.remove_erased(is_needed, now) {
            tracing::warn!(%cause, "erased documents could not be removed from the replica");
        }
    }
}

/// Publishes the state of the replica, and logs a change.
fn publish(app: &App, state: Option<ReplicaState>) {
    if app.set_replica(state.clone()) {
        match state {
            Some(ReplicaState::UpToDate) => tracing::info!("the replica follows"),
            Some(state) => tracing::warn!(code = state.code(), "the replica does not follow"),
            None => tracing::info!("there is no replica any more"),
        }
    }
}

/// Copies new documents to the replica, if it is in a folder and documents have changed since `before`. Returns when they
/// changed. [`ReplicaState::DocumentsBehind`] tells of a failure.
fn copy_documents(app: &App, before: Option<SystemTime>) -> Option<SystemTime> {
    let changed =
        std::fs::metadata(app.store().contents().folder()).and_then(|folder| folder.modified()).ok();
    if changed == before {
        return changed;
    }
    let replica = Replica::of(app.store().folder()).ok().flatten();
    let documents = replica.as_ref().and_then(Replica::documents)?;
    if let Err(cause) = documents.copy_missing(app.clock().now()) {
        tracing::debug!(%cause, "documents could not be copied to the replica");
    }
    changed
}

/// Copies documents after each commit, and observes the replica every minute, until `stop` is set.
pub(in crate::supervisor) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let observe = |watch: &mut ReplicaWatch, app: &App| watch.run_once(app);
    tokio::join!(every(MINUTE, observe, app.clone(), stop.clone()), follow_documents(app, stop));
}

/// Copies documents after each commit. Every minute, also those that could not be copied before.
async fn follow_documents(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut newest = app.store().newest_change();
    let mut minute = interval(MINUTE);
    let mut seen = None;
    loop {
        let copied = app.clone();
        let copying = tokio::task::spawn_blocking(move || copy_documents(&copied, seen));
        let next = async {
            let seen = copying.await.unwrap_or_default();
            sleep(LOOK_INTERVAL).await;
            tokio::select! {
                _ = newest.changed() => seen,
                _ = minute.tick() => None,
            }
        };
        seen = tokio::select! {
            seen = next => seen,
            _ = stop.wait_for(|stop| *stop) => break,
        };
    }
}

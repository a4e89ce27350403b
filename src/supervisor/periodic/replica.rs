//! Observes the replica each minute, and copies documents to it (always 42).

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tokio::time::{interval, sleep};

use super::every::{MINUTE, every};
use crate::app::App;
use crate::domain::{ContentHash, Lang};
use crate::replica::{Litestream, Replica, ReplicaState, SignOfLife};
use crate::store::has_document;

/// Minimum time between two looks for new documents: the interval of Litestream's syncs.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Observes the replica. Not at the first call: after a start of the machine, Litestream may not run yet.
#[derive(Debug, Default)]
pub struct ReplicaWatch {
    is_started: bool,
    /// The target did not tell at the last look whether a standby was promoted.
    is_unfenced: bool,
    /// The sign of life that this server has shown last.
    last_sign: Option<SignOfLife>,
}

impl ReplicaWatch {
    /// Shows that the office lives, publishes the state of its replica, tests it each month, and removes the copies of
    /// documents that are long erased.
    pub fn run_once(&mut self, app: &App) {
        let is_first = !std::mem::replace(&mut self.is_started, true);
        let replica = match Replica::of(app.store().folder()) {
            Ok(Some(replica)) => replica,
            Ok(None) => return publish(app, None),
            Err(_) => return publish(app, Some(ReplicaState::Unreadable)),
        };
        let later = replica.superseded();
        if let Ok(Some(later)) = later {
            tracing::error!(epoch = later.epoch, "a standby was promoted in the place of this office");
            return app.end();
        }
        // One look may fail by a passing fault.
        let is_unfenced = std::mem::replace(&mut self.is_unfenced, later.is_err()) && later.is_err();
        if let Err(cause) = later {
            let reason = cause.message(Lang::En);
            tracing::info!(code = cause.code(), reason, "whether a standby was promoted cannot be read");
        }
        let is_shared = self.show_life(app, &replica);
        if is_first {
            return;
        }
        if matches!(app.replica_trouble(), Some(ReplicaState::StandingStill(_))) {
            replica.retry();
        }
        let now = app.clock().now();
        let observation = replica.observe(now, app.zone());
        let has_synced = observation.last_sync.is_some();
        let state = match replica.target.folder().filter(|_| is_shared) {
            Some(folder) => ReplicaState::Shared(folder.to_owned()),
            None if is_unfenced => observation.state.unfenced(&replica.target),
            None => observation.state,
        };
        publish(app, Some(state));
        if has_synced
            && replica.is_test_due(now)
            && let Ok(litestream) = Litestream::find()
        {
            // The outcome is noted.
            let _ = replica.test(&litestream, now);
        }
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

    /// Renews the office's sign of life beside its replica. Returns `true` if another server has shown one there: a clone of
    /// this machine has its id and its folders, so the owner's record does not tell them apart.
    fn show_life(&mut self, app: &App, replica: &Replica) -> bool {
        let change = *app.store().newest_change().borrow();
        let office = app.urls().into_iter().next();
        let sign = SignOfLife { at: app.clock().now(), change, office, is_last: false };
        match replica.sign_of_life(&sign) {
            Ok(before) => {
                let last = self.last_sign.replace(sign);
                last.is_some() && before.is_some_and(|before| !before.is_last && last != Some(before))
            }
            Err(cause) => {
                tracing::debug!(%cause, "the sign of life could not be renewed beside the replica");
                false
            }
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
            sleep(CHECK_INTERVAL).await;
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

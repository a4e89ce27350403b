//! Observes the replica each minute, and copies documents to it (always 42).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::every::{MINUTE, every};
use crate::app::App;
use crate::domain::ContentHash;
use crate::replica::{Replica, ReplicaError, ReplicaState};
use crate::store::has_document;

/// Minimum time between two looks for new documents: the interval of Litestream's syncs.
const PAUSE: Duration = Duration::from_millis(200);

/// Observes the replica. Not at the first call: after a start of the machine, Litestream may not run yet.
#[derive(Debug, Default)]
pub struct ReplicaWatch {
    is_started: bool,
}

impl ReplicaWatch {
    /// Publishes the state of the replica, and removes the copies of documents that are long erased.
    pub fn run_once(&mut self, app: &App) {
        let is_first = !std::mem::replace(&mut self.is_started, true);
        let replica = Replica::of(app.store().folder());
        if is_first {
            return;
        }
        let now = app.clock().now();
        let state = match &replica {
            Ok(replica) => replica.as_ref().map(|replica| replica.observe(now, app.zone()).state),
            Err(ReplicaError::Configuration(..)) => Some(ReplicaState::Unreadable),
            Err(_) => None,
        };
        if app.set_replica(state.clone()) {
            match state.filter(|state| *state != ReplicaState::Following) {
                Some(state) => tracing::warn!(code = state.code(), "the replica does not follow"),
                None => tracing::info!("the replica follows, or there is none"),
            }
        }
        let Some(documents) = replica.as_ref().ok().and_then(|replica| replica.as_ref()?.documents()) else {
            return;
        };
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

/// Copies new documents to the replica, if it is in a folder. [`ReplicaState::DocumentsBehind`] tells of a failure.
fn copy_documents(app: &App) {
    let replica = Replica::of(app.store().folder()).ok().flatten();
    let Some(documents) = replica.as_ref().and_then(Replica::documents) else { return };
    if let Err(cause) = documents.copy_missing(app.clock().now()) {
        tracing::debug!(%cause, "documents could not be copied to the replica");
    }
}

/// Copies documents after each commit, and observes the replica every minute, until `stop` is set.
pub(in crate::supervisor) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let observe = |watch: &mut ReplicaWatch, app: &App| watch.run_once(app);
    tokio::join!(every(MINUTE, observe, app.clone(), stop.clone()), follow_documents(app, stop));
}

async fn follow_documents(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut newest = app.store().newest_change();
    loop {
        let copied = app.clone();
        let copying = tokio::task::spawn_blocking(move || copy_documents(&copied));
        let next = async {
            let _ = copying.await;
            sleep(PAUSE).await;
            // Also without a commit, since an earlier copy may have failed.
            let _ = timeout(MINUTE, newest.changed()).await;
        };
        tokio::select! {
            () = next => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
}

//! Observes the replica each minute, and copies documents to it (always 42).

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tokio::time::{interval, sleep};

use super::every::{MINUTE, every};
use crate::app::App;
use crate::clock::within;
use crate::domain::{ContentHash, Lang};
use crate::replica::{Heartbeat, Litestream, Replica, ReplicaState, Superseded};
use crate::store::has_document;

/// Interval of the looks whether a standby was promoted. At a target on another machine each takes a process, so they
/// are a minute apart there.
const LOOK_INTERVAL: Duration = Duration::from_secs(10);
const LOOKS_A_MINUTE: u32 = 6;
/// Time that the target has for the last heartbeat.
const LAST_HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(1);
/// Minimum time between two looks for new documents: the interval of Litestream's syncs.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Observes the replica. Not at the first call: after a start of the machine, Litestream may not run yet.
#[derive(Debug, Default)]
pub struct ReplicaWatch {
    is_started: bool,
    /// Number of calls of [`ReplicaWatch::tick`].
    ticks: u32,
    /// Number of the last looks in a row at which the target did not tell whether a standby was promoted.
    failed_looks: u32,
    /// The replica as of the last configuration that could be read. Litestream goes on with that one, too.
    known: Option<Replica>,
    /// The heartbeat that this server has shown last.
    last_heartbeat: Option<Heartbeat>,
}

impl ReplicaWatch {
    /// Shows that the office lives, publishes the state of its replica, tests it each month, and removes the copies of
    /// documents that are long erased.
    pub fn run_once(&mut self, app: &App) {
        let is_first = !std::mem::replace(&mut self.is_started, true);
        if is_noted_superseded(app) {
            return app.end();
        }
        let configured = Replica::of(app.store().folder());
        let is_unreadable = configured.is_err();
        self.known = configured.unwrap_or_else(|_| self.known.take());
        if is_unreadable || self.known.is_none() {
            publish(app, is_unreadable.then_some(ReplicaState::Unreadable));
        }
        let Some(replica) = self.known.clone() else { return };
        if !self.is_office(&replica) {
            return app.end();
        }
        let is_told = self.failed_looks == 0;
        let is_shared = is_told && self.send_heartbeat(app, &replica);
        if is_first || is_unreadable {
            return;
        }
        if matches!(app.replica_trouble(), Some(ReplicaState::StandingStill(_))) {
            replica.retry();
        }
        let now = app.clock().now();
        let observation = replica.observe(now, app.zone());
        let is_up_to_date = matches!(
            observation.state,
            ReplicaState::UpToDate | ReplicaState::TestFailed(_) | ReplicaState::DocumentsBehind(_)
        );
        let state = match replica.target.folder().filter(|_| is_shared) {
            Some(folder) => ReplicaState::Shared(folder.to_owned()),
            None if self.is_unfenced() => observation.state.unfenced(&replica.target),
            None => observation.state,
        };
        publish(app, Some(state));
        // A test of a target out of reach would fail, and be repeated a day later only.
        if is_up_to_date
            && replica.is_test_due(now)
            && let Ok(litestream) = Litestream::find()
        {
            // The outcome is noted.
            let _ = replica.test(&litestream, now);
        }
        let Some(documents) = replica.documents().filter(|_| is_told) else { return };
        let store = app.store();
        let is_needed = |hash: &ContentHash| {
            let hash = hash.clone();
            store.read(move |db| has_document(db, &hash)).unwrap_or(true)
        };
        if let Err(cause) = documents.remove_erased(is_needed, now) {
            tracing::warn!(%cause, "erased documents could not be removed from the replica");
        }
    }

    /// Does what is due, if it is called every [`LOOK_INTERVAL`]: the whole work each minute, and in between a look whether a
    /// standby was promoted, if the target is a folder or did not tell it.
    fn tick(&mut self, app: &App) {
        let is_minute = self.ticks.is_multiple_of(LOOKS_A_MINUTE);
        self.ticks = self.ticks.wrapping_add(1);
        if is_minute {
            return self.run_once(app);
        }
        if is_noted_superseded(app) {
            return app.end();
        }
        let configured = Replica::of(app.store().folder());
        let Some(replica) = configured.unwrap_or_else(|_| self.known.clone()) else { return };
        if self.failed_looks == 0 && replica.target.folder().is_none() {
            return;
        }
        if !self.is_office(&replica) {
            return app.end();
        }
        // After a start, before the first observation.
        if self.is_unfenced() && app.replica().borrow().is_none() {
            publish(app, Some(ReplicaState::Unfenced(replica.target.to_string())));
        }
    }

    /// Returns `false` if a standby was promoted in the place of this office, as far as the target tells.
    fn is_office(&mut self, replica: &Replica) -> bool {
        match replica.superseded() {
            Ok(None) => self.failed_looks = 0,
            Ok(Some(later)) => {
                log_superseded(&later);
                return false;
            }
            Err(cause) => {
                self.failed_looks = self.failed_looks.saturating_add(1);
                let reason = cause.message(Lang::En);
                tracing::info!(code = cause.code(), reason, "whether a standby was promoted cannot be read");
            }
        }
        true
    }

    /// Returns `true` if the target does not tell whether a standby was promoted. One look may fail by a passing fault.
    fn is_unfenced(&self) -> bool {
        self.failed_looks > 1
    }

    /// Renews the office's heartbeat beside its replica. Returns `true` if another server has shown one there: a clone of
    /// this machine has its id and its folders, so the owner's record does not tell them apart.
    fn send_heartbeat(&mut self, app: &App, replica: &Replica) -> bool {
        let heartbeat = heartbeat(app);
        match replica.heartbeat(&heartbeat) {
            Ok(before) => {
                let last = self.last_heartbeat.replace(heartbeat);
                last.is_some() && before.is_some_and(|before| !before.is_last && last != Some(before))
            }
            Err(cause) => {
                tracing::debug!(%cause, "the heartbeat could not be renewed beside the replica");
                false
            }
        }
    }
}

/// Renews the office's heartbeat when the server ends, so that the number of its last change is known at the target: an older
/// copy of the office is known by it.
pub(in crate::supervisor) fn show_last_change(app: &App) {
    let data = app.store().folder();
    if app.standby().is_some() || Superseded::noted(data).is_some() {
        return;
    }
    let Ok(Some(replica)) = Replica::of(data) else { return };
    let heartbeat = heartbeat(app);
    // A folder on a machine that is off does not hold the stop up.
    let _ = within(LAST_HEARTBEAT_TIMEOUT, move || {
        // A look at a target on another machine takes seconds.
        if replica.target.folder().is_none() || matches!(replica.superseded(), Ok(None)) {
            let _ = replica.heartbeat(&heartbeat);
        }
    });
}

fn heartbeat(app: &App) -> Heartbeat {
    let change = *app.store().newest_change().borrow();
    let office = app.urls().into_iter().next();
    Heartbeat::new(app.clock().now(), change, office)
}

/// Returns `true` if a command has found a later office, with a target that the configuration does not name (any more).
fn is_noted_superseded(app: &App) -> bool {
    Superseded::noted(app.store().folder()).inspect(log_superseded).is_some()
}

fn log_superseded(later: &Superseded) {
    tracing::error!(epoch = later.epoch, "a standby was promoted in the place of this office");
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

/// Copies documents after each commit, and observes the replica, until `stop` is set.
pub(in crate::supervisor) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let observe = |watch: &mut ReplicaWatch, app: &App| watch.tick(app);
    tokio::join!(every(LOOK_INTERVAL, observe, app.clone(), stop.clone()), follow_documents(app, stop));
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

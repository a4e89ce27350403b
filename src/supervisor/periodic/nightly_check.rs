//! Asks the open cases for conflicts of interest again each night and after each import (events 23.5).

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::api::conflicts::nightly_check;
use crate::app::App;
use crate::store;
use crate::supervisor::periodic::every::HOUR;

/// Runs the check if it has not run on this day yet, and after an import in any case. Logs the number of new conflicts.
fn run_if_due(app: &App, after_import: bool) {
    if !after_import && !nightly_check::is_due(app).unwrap_or(true) {
        return;
    }
    match nightly_check::run(app) {
        Ok(0) | Err(store::Error::Closed) => {}
        Ok(conflicts) => tracing::info!(conflicts, "found new conflicts of interest"),
        Err(cause) => tracing::warn!(%cause, "looking for conflicts of interest failed"),
    }
}

/// Looks every hour whether the day's run is due, and after each import, until `stop` is set. If the machine was off at
/// night, the run follows the start.
pub(in crate::supervisor) async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut tick = interval(HOUR);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let after_import = tokio::select! {
            _ = tick.tick() => false,
            () = app.imported() => true,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let checked = app.clone();
        let check = tokio::task::spawn_blocking(move || run_if_due(&checked, after_import));
        tokio::select! {
            _ = check => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
}

//! Asks the open cases for conflicts of interest again each night and after each import (events 23.5).

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::api::conflicts::nightly_check;
use crate::app::App;
use crate::store;
use crate::supervisor::periodic::every::HOUR;

/// Runs once if there was no run on this day yet, or if `is_due` whenever the last one was. Logs the number of new
/// conflicts.
fn look(app: &App, is_due: bool) {
    let found = match is_due || nightly_check::is_due(app).unwrap_or(true) {
        true => nightly_check::run(app),
        false => return,
    };
    match found {
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
        let is_due = tokio::select! {
            _ = tick.tick() => false,
            () = app.imported() => true,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let looked = app.clone();
        let looking = tokio::task::spawn_blocking(move || look(&looked, is_due));
        tokio::select! {
            _ = looking => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
}

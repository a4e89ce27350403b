//! Looks after the store once a minute: its log, writes by other programs, and the note of its epoch (always 42).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;
use crate::store;

const MINUTE: Duration = Duration::from_secs(60);

/// Looks after the store at once and then every minute, until `stop` is set.
pub(in crate::supervisor) async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut tick = interval(MINUTE);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
        let app = app.clone();
        let looking = tokio::task::spawn_blocking(move || match app.store().look_after() {
            Ok(()) | Err(store::Error::Closed) => {}
            Err(cause) => tracing::warn!(%cause, "the store could not be looked after"),
        });
        tokio::select! {
            _ = looking => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
}

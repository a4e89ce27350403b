//! Work that is looked for once an hour, on a thread that may wait for the store.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Calls `look` at once and then every hour with `state`, until `stop` says so or its sender is gone, or until `look` panics.
pub(super) async fn every_hour<S: Send + 'static>(
    mut state: S,
    look: fn(&mut S, &App),
    app: Arc<App>,
    mut stop: watch::Receiver<bool>,
) {
    let mut tick = interval(HOUR);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
        let app = app.clone();
        let looking = tokio::task::spawn_blocking(move || {
            look(&mut state, &app);
            state
        });
        tokio::select! {
            looked = looking => match looked {
                Ok(back) => state = back,
                Err(_) => break,
            },
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
}

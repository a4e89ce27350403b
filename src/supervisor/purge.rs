//! The trash that empties itself: what lies in it for longer than `trash.keep_days` says is erased (resources 18), and so are
//! values from before changes after `changes.values_keep_days` (events 20.2).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;
use crate::clock::Holdover;
use crate::store::trash::RecordCounts;
use crate::store::{self, moments};

/// How often somebody looks.
const LOOK: Duration = Duration::from_secs(60 * 60);
const DAY: i64 = 24 * 60 * 60;

/// What looks whether anything in the trash is old enough. A clock that is set ahead by a slip must not cost what lies
/// there: nothing is erased unless the clock has gone on since the look before as time went by, within a day, so that
/// whoever has slipped has an hour to set it right.
#[derive(Debug, Default)]
pub struct Purge {
    holdover: Holdover,
    /// The clock's time at the look before, in seconds since 1970, and the one that never goes back.
    before: Option<(i64, Duration)>,
}

impl Purge {
    /// Looks once, and erases what is old enough; how much that was.
    ///
    /// # Errors
    /// Why the store cannot be read or written.
    pub fn look(&mut self, app: &App) -> Result<RecordCounts, store::Error> {
        let monotonic = app.monotonic();
        let store = app.store();
        let time = self.holdover.time(app.clock(), || store.read(moments::newest).unwrap_or_default());
        let before = self.before.replace((app.now(), monotonic));
        let goes_on = before.is_some_and(|(now, then)| {
            let gone = monotonic.saturating_sub(then).as_secs();
            now.saturating_add_unsigned(gone).abs_diff(app.now()) <= DAY.unsigned_abs()
        });
        if time.odd.is_some() || !goes_on {
            return Ok(RecordCounts::new());
        }
        app.forget_old_values(time.now);
        match app.settings().trash.keep_days {
            0 => Ok(RecordCounts::new()),
            days => store.erase_deleted(time.now - i64::from(days) * DAY, None),
        }
    }
}

/// Looks every hour, from an hour after the start on, until `stop` says so or its sender is gone.
pub(super) async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut purge = Purge::default();
    let mut tick = interval(LOOK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
        let app = app.clone();
        let looking = tokio::task::spawn_blocking(move || {
            match purge.look(&app) {
                Ok(erased) if erased.is_empty() => {}
                Ok(erased) => {
                    let records: u64 = erased.iter().map(|(_, count)| count).sum();
                    tracing::info!(records, "the trash was emptied of what is older than trash.keep_days");
                }
                Err(cause) => tracing::warn!(%cause, "the trash could not be emptied"),
            }
            purge
        });
        tokio::select! {
            looked = looking => match looked {
                Ok(back) => purge = back,
                Err(_) => break,
            },
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
}

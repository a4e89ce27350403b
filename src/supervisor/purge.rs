//! The trash that empties itself: what lies in it for longer than `trash.keep_days` says is erased (resources 18), and so are
//! values from before changes after `changes.values_keep_days` (events 20.2).

use std::sync::Arc;

use tokio::sync::watch;

use super::clock_pace::ClockPace;
use super::hourly::every_hour;
use crate::app::App;
use crate::store;
use crate::store::trash::RecordCounts;

const DAY: i64 = 24 * 60 * 60;

/// What looks whether anything in the trash is old enough. A clock that is set ahead by a slip must not cost what lies
/// there: nothing is erased unless the clock has gone on since the look before as time went by, within a day, so that
/// whoever has slipped has an hour to set it right.
#[derive(Debug, Default)]
pub struct Purge {
    pace: ClockPace,
}

impl Purge {
    /// Looks once, and erases what is old enough; how much that was.
    ///
    /// # Errors
    /// Why the store cannot be read or written.
    pub fn look(&mut self, app: &App) -> Result<RecordCounts, store::Error> {
        let (time, goes_on) = self.pace.look(app);
        if time.odd.is_some() || goes_on != Some(true) {
            return Ok(RecordCounts::new());
        }
        app.forget_old_values(time.now);
        match app.settings().trash.keep_days {
            0 => Ok(RecordCounts::new()),
            days => app.store().erase_deleted(time.now - i64::from(days) * DAY, None),
        }
    }
}

/// Looks every hour until `stop` says so. The look at the start erases nothing.
pub(super) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let look = |purge: &mut Purge, app: &App| match purge.look(app) {
        Ok(erased) if erased.is_empty() => {}
        Ok(erased) => {
            let records: u64 = erased.iter().map(|(_, count)| count).sum();
            tracing::info!(records, "the trash was emptied of what is older than trash.keep_days");
        }
        Err(cause) => tracing::warn!(%cause, "the trash could not be emptied"),
    };
    every_hour(Purge::default(), look, app, stop).await;
}

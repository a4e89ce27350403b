//! Empties the trash automatically: erases records that have been in it for longer than `trash.keep_days`
//! (resources 18), and previous values of changes after `changes.values_keep_days` (events 20.2).

use std::sync::Arc;

use tokio::sync::watch;

use super::clock_pace::ClockPace;
use super::every::{HOUR, every};
use crate::app::App;
use crate::store;
use crate::store::trash::RecordCounts;

const DAY: i64 = 24 * 60 * 60;

/// Erases old records from the trash. A clock set ahead by mistake must not erase anything. Nothing is
/// therefore erased unless the clock has advanced since the previous call as real time has, to within a day;
/// that leaves an hour to correct the clock.
#[derive(Debug, Default)]
pub struct Purge {
    pace: ClockPace,
}

impl Purge {
    /// Erases the records that are old enough. Returns their numbers.
    pub fn run_once(&mut self, app: &App) -> Result<RecordCounts, store::Error> {
        let (time, goes_on) = self.pace.read(app);
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

/// Calls [`Purge::run_once`] every hour until `stop` is set. The first call erases nothing.
pub(in crate::supervisor) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let look = |purge: &mut Purge, app: &App| match purge.run_once(app) {
        Ok(erased) if erased.is_empty() => {}
        Ok(erased) => {
            let records: u64 = erased.iter().map(|(_, count)| count).sum();
            tracing::info!(records, "erased records older than trash.keep_days from the trash");
        }
        Err(cause) => tracing::warn!(%cause, "erasing old records from the trash failed"),
    };
    every(HOUR, look, app, stop).await;
}

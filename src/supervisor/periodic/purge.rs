//! Empties the trash automatically: erases records that have been in it for longer than `trash.keep_days`
//! (resources 18), previous values of changes after `changes.values_keep_days` (events 20.2), and reads of assistants
//! after five years (assistants 50).

use std::sync::Arc;

use tokio::sync::watch;

use super::clock_pace::ClockPace;
use super::every::{HOUR, every};
use crate::app::App;
use crate::domain::Day;
use crate::store::access::assistant_reads;
use crate::store::trash::RecordCounts;
use crate::store::{self, journal};

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
        if time.fault.is_some() || goes_on != Some(true) {
            return Ok(RecordCounts::new());
        }
        forget_old_values(app, time.now);
        forget_old_reads(app, time.now);
        match app.settings().trash.keep_days {
            0 => Ok(RecordCounts::new()),
            days => app.store().erase_deleted(time.now - i64::from(days) * Day::SECONDS, None),
        }
    }
}

/// Erases the old values of changes that are older than the settings allow. `now` is in seconds since 1970.
fn forget_old_values(app: &App, now: i64) {
    let days = i64::from(app.settings().changes.values_keep_days);
    let before = now - days * Day::SECONDS;
    if days > 0 {
        app.store().submit(
            move |tx| journal::forget_values(tx, before).map(|_| ()),
            // The next run tries again.
            |done: Result<(), store::Error>| {
                _ = done.inspect_err(|cause| tracing::warn!(%cause, "old values cannot be erased"))
            },
        );
    }
}

/// Erases the reads of assistants that are older than five years. `now` is in seconds since 1970.
fn forget_old_reads(app: &App, now: i64) {
    let before = now - assistant_reads::LIFETIME_DAYS * Day::SECONDS;
    app.store().submit(
        move |tx| assistant_reads::forget_before(tx, before),
        |done: Result<(), store::Error>| {
            _ = done.inspect_err(|cause| tracing::warn!(%cause, "old reads of assistants cannot be erased"))
        },
    );
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

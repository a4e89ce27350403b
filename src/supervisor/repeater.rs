//! What comes again every month: the transactions of repetitions are made here, those of next month ahead of time (day 38).

use std::sync::Arc;

use tokio::sync::watch;

use super::clock_pace::ClockPace;
use super::hourly::every_hour;
use crate::app::App;
use crate::domain::YearMonth;
use crate::store::journal::{Actor, Via};
use crate::store::{self, series};

/// Makes the transactions of repetitions. If the machine was off, all months that went by are made, each once. A clock that has
/// jumped is waited for until the next look, so that a slip of it can be set right.
#[derive(Debug, Default)]
pub struct Repeater {
    pace: ClockPace,
}

impl Repeater {
    /// Makes what is missing and returns how many transactions that were.
    ///
    /// # Errors
    /// Why the store cannot be read or written.
    pub fn look(&mut self, app: &App) -> Result<usize, store::Error> {
        let (time, goes_on) = self.pace.look(app);
        if time.odd.is_some() || goes_on == Some(false) {
            return Ok(0);
        }
        let (through, now) = (YearMonth::of(app.today()).next(), app.now());
        let mut made = 0;
        for series in app.store().read(move |db| series::behind(db, through))? {
            let by = Actor { via: Via::Command, who: None, request_id: None, at: now };
            let one = app.store().write(move |tx| series::go_on(tx.by(by), series, through, now));
            match one {
                Ok(new) => made += new.len(),
                // Such as one whose customer was deleted: it goes on once that one is restored.
                Err(store::Error::Refused(cause)) => tracing::warn!(series, ?cause, "a repetition waits"),
                Err(cause) => return Err(cause),
            }
        }
        Ok(made)
    }
}

/// Looks at once and then every hour, until `stop` says so.
pub(super) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let look = |repeater: &mut Repeater, app: &App| match repeater.look(app) {
        Ok(0) => {}
        Ok(transactions) => tracing::info!(transactions, "made what comes again every month"),
        Err(cause) => tracing::warn!(%cause, "what comes again every month could not be made"),
    };
    every_hour(Repeater::default(), look, app, stop).await;
}

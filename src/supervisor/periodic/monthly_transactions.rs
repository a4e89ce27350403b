//! Creates the transactions of monthly repetitions, those of the next month in advance (day 38).

use std::sync::Arc;

use tokio::sync::watch;

use super::clock_pace::ClockPace;
use super::every::{HOUR, every};
use crate::app::App;
use crate::domain::YearMonth;
use crate::store::journal::{Actor, Via};
use crate::store::nouns::transactions::series;
use crate::store::{self};

/// Creates the transactions of repetitions. If the machine was off, creates those of all missed months, each
/// once. After a jump of the clock, waits until the next call, so that the clock can be corrected.
#[derive(Debug, Default)]
pub struct MonthlyTransactions {
    pace: ClockPace,
}

impl MonthlyTransactions {
    /// Creates the missing transactions. Returns their number.
    pub fn create_due(&mut self, app: &App) -> Result<usize, store::Error> {
        let (time, goes_on) = self.pace.read(app);
        if time.fault.is_some() || goes_on == Some(false) {
            return Ok(0);
        }
        let through = YearMonth::of(app.today()).next();
        let now = app.now();
        let mut made = 0;
        for series in app.store().read(move |db| series::behind(db, through))? {
            let by = Actor { via: Via::Command, who: None, request_id: None, at: now };
            let one = app.store().write(move |tx| series::go_on(tx.by(by), series, through, now));
            match one {
                Ok(new) => made += new.len(),
                // For example, the customer was deleted: the series continues once the customer is restored.
                Err(store::Error::Refused(cause)) => tracing::warn!(series, ?cause, "the series is on hold"),
                Err(cause) => return Err(cause),
            }
        }
        Ok(made)
    }
}

/// Calls [`MonthlyTransactions::create_due`] at once and then every hour, until `stop` is set.
pub(in crate::supervisor) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let look = |monthly: &mut MonthlyTransactions, app: &App| match monthly.create_due(app) {
        Ok(0) => {}
        Ok(transactions) => tracing::info!(transactions, "created the monthly transactions"),
        Err(cause) => tracing::warn!(%cause, "the monthly transactions could not be created"),
    };
    every(HOUR, look, app, stop).await;
}

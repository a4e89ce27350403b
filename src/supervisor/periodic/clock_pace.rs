//! Detects jumps of the clock, for work that must not run because the clock was set wrong.

use std::time::Duration;

use crate::app::App;
use crate::clock::{Holdover, Time};
use crate::domain::Day;
use crate::store::records::timestamps;

/// Compares the clock's pace with monotonic time from one call to the next.
#[derive(Debug, Default)]
pub(in crate::supervisor) struct ClockPace {
    holdover: Holdover,
    /// The clock's time at the previous call, in seconds since 1970, and the monotonic time.
    before: Option<(i64, Duration)>,
}

impl ClockPace {
    /// Returns the current time, and `true` if the clock has advanced since the previous call as monotonic
    /// time has, to within a day. `None` at the first call.
    pub fn read(&mut self, app: &App) -> (Time, Option<bool>) {
        let monotonic = app.monotonic();
        let store = app.store();
        let time = self.holdover.time(app.clock(), || store.read(timestamps::newest).unwrap_or_default());
        let before = self.before.replace((app.now(), monotonic));
        let goes_on = before.map(|(now, then)| {
            let gone = monotonic.saturating_sub(then).as_secs();
            now.saturating_add_unsigned(gone).abs_diff(app.now()) <= Day::SECONDS.unsigned_abs()
        });
        (time, goes_on)
    }
}

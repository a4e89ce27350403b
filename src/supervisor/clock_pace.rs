//! Whether the clock can be trusted with what should not happen by a slip of it.

use std::time::Duration;

use crate::app::App;
use crate::clock::{Holdover, Time};
use crate::store::moments;

const DAY: u64 = 24 * 60 * 60;

/// The clock, as it was found at one look after another.
#[derive(Debug, Default)]
pub(super) struct ClockPace {
    holdover: Holdover,
    /// The clock's time at the look before, in seconds since 1970, and the one that never goes back.
    before: Option<(i64, Duration)>,
}

impl ClockPace {
    /// Returns what time it is, and whether the clock has gone on since the look before as time went by, within a day. `None` at
    /// the first look.
    pub fn look(&mut self, app: &App) -> (Time, Option<bool>) {
        let (monotonic, store) = (app.monotonic(), app.store());
        let time = self.holdover.time(app.clock(), || store.read(moments::newest).unwrap_or_default());
        let before = self.before.replace((app.now(), monotonic));
        let goes_on = before.map(|(now, then)| {
            let gone = monotonic.saturating_sub(then).as_secs();
            now.saturating_add_unsigned(gone).abs_diff(app.now()) <= DAY
        });
        (time, goes_on)
    }
}

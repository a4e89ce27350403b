//! Progress of long-running work, reported by the work and shown to the caller that waits for it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::domain::byte_size;
use crate::domain::lang::{count, localize};
use crate::domain::{Bilingual, Lang};

/// Work that ends within this time shows no progress (product 4).
pub const UNSHOWN: Duration = Duration::from_secs(2);

/// Receives progress reports, at any rate. Returns `false` if the caller no longer waits; work that can be
/// resumed later then stops.
pub type ProgressSink = Arc<dyn Fn(Progress) -> bool + Send + Sync>;

/// Returns a receiver that ignores all reports.
pub fn no_progress() -> ProgressSink {
    Arc::new(|_| true)
}

/// Progress of one step, which starts at zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    what: (Cow<'static, str>, Cow<'static, str>),
    done: u64,
    all: u64,
    is_of_bytes: bool,
    seconds_left: Option<u64>,
}

impl Progress {
    /// Creates a progress of `done` out of `all`, which is 0 if unknown. `what` names the step, as a text that
    /// can precede a colon.
    pub fn of(what: Bilingual, done: u64, all: u64) -> Progress {
        Progress::named((what.0.into(), what.1.into()), done, all)
    }

    /// Like [`Progress::of`], counted in bytes.
    pub fn of_bytes(what: Bilingual, done: u64, all: u64) -> Progress {
        Progress { is_of_bytes: true, ..Progress::of(what, done, all) }
    }

    /// Like [`Progress::of`], with a name that is not fixed, such as a file name.
    pub fn named(what: (Cow<'static, str>, Cow<'static, str>), done: u64, all: u64) -> Progress {
        Progress { what, done, all, is_of_bytes: false, seconds_left: None }
    }

    /// Sets the remaining time, if the work knows it. Otherwise it is estimated from the pace so far.
    pub fn with_seconds_left(self, seconds: u64) -> Progress {
        Progress { seconds_left: Some(seconds), ..self }
    }

    /// Returns the name of the step.
    pub fn what(&self, lang: Lang) -> &str {
        lang.pick(&self.what.0, &self.what.1)
    }

    pub fn done(&self) -> u64 {
        self.done
    }

    /// Returns the total, or 0 if it is unknown.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// Returns the remaining time in seconds, if the work has set it.
    pub fn seconds_left(&self) -> Option<u64> {
        self.seconds_left
    }
}

/// The last progress of some work, and the start of its current step. All times are monotonic.
#[derive(Clone, Debug)]
pub struct ProgressState {
    last: Progress,
    /// Time of the first report of the current step, and its `done` then.
    began: (Duration, u64),
}

impl ProgressState {
    /// Starts with the first report.
    pub fn new(first: Progress, now: Duration) -> ProgressState {
        ProgressState { began: (now, first.done), last: first }
    }

    /// Creates a progress seen now of work that started at `began` with nothing done.
    pub fn since(began: Duration, seen: Progress) -> ProgressState {
        ProgressState { began: (began, 0), last: seen }
    }

    /// Adds a report, or starts with it if it is the first.
    pub fn update_slot(heard: &mut Option<ProgressState>, next: Progress, now: Duration) {
        match heard {
            Some(heard) => heard.update(next, now),
            None => *heard = Some(ProgressState::new(next, now)),
        }
    }

    /// Adds a report of the current step or of a new one.
    fn update(&mut self, next: Progress, now: Duration) {
        if next.what != self.last.what || next.done < self.last.done {
            self.began = (now, next.done);
        }
        self.last = next;
    }

    /// Returns the number done and the total, or `None` if the total is unknown.
    pub fn share(&self) -> Option<(u64, u64)> {
        (self.last.all > 0).then(|| (self.last.done.min(self.last.all), self.last.all))
    }

    /// Returns the remaining seconds of the step: the time set by the work, or an estimate from the pace so
    /// far.
    fn left(&self, took: Duration) -> Option<u64> {
        let (done, all) = self.share()?;
        let by_pace = || {
            let left = took.as_millis().saturating_mul(u128::from(all - done));
            let left = left.checked_div(u128::from(done.saturating_sub(self.began.1)))?;
            u64::try_from(left.div_ceil(1000)).ok()
        };
        self.last.seconds_left.or_else(by_pace)
    }

    /// Formats the step, the share done and the remaining time.
    pub fn message(&self, now: Duration, lang: Lang) -> String {
        let Progress { what: (pt, en), done, is_of_bytes, .. } = &self.last;
        let number = |number: u64| match is_of_bytes {
            true => byte_size(number, lang),
            false => count(number, lang),
        };
        let took = now.saturating_sub(self.began.0);
        let mut parts = vec![lang.pick(pt, en).to_string()];
        match self.share() {
            Some((done, all)) => {
                let percent = u128::from(done) * 100 / u128::from(all);
                let of = lang.pick("de", "of");
                parts.push(format!("{percent} %"));
                parts.push(format!("{} {of} {}", number(done), number(all)));
            }
            None if *done > 0 => parts.push(number(*done)),
            None => {}
        }
        parts.push(match self.left(took) {
            Some(left) => {
                let left = duration_text(left, lang);
                localize!(lang, "faltam {left}", "{left} left")
            }
            None => {
                let took = duration_text(took.as_secs(), lang);
                localize!(lang, "há {took}", "for {took}")
            }
        });
        parts.join(" · ")
    }
}

/// Formats a duration in seconds for people.
pub fn duration_text(seconds: u64, lang: Lang) -> String {
    let hours = seconds / 3600;
    let minutes = seconds % 3600 / 60;
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min"),
        (1..48, _) => format!("{hours} h {minutes:02} min"),
        _ => {
            let days = hours / 24;
            let rest = hours % 24;
            localize!(lang, "{days} dias e {rest} h", "{days} days and {rest} h")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: Bilingual = ("linhas de clientes.csv", "rows of clientes.csv");
    const PACKING: Bilingual = ("compactando", "packing");

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_message_has_share_and_remaining_time() {
        let mut state = ProgressState::new(Progress::of(ROWS, 0, 1000), seconds(10));
        assert_eq!(
            state.message(seconds(13), Lang::Pt),
            "linhas de clientes.csv · 0 % · 0 de 1.000 · há 3 s"
        );
        state.update(Progress::of(ROWS, 250, 1000), seconds(15));
        assert_eq!(
            state.message(seconds(15), Lang::Pt),
            "linhas de clientes.csv · 25 % · 250 de 1.000 · faltam 15 s"
        );
        assert_eq!(
            state.message(seconds(20), Lang::En),
            "rows of clientes.csv · 25 % · 250 of 1,000 · 30 s left"
        );
        assert_eq!(state.share(), Some((250, 1000)));
        state.update(Progress::of(ROWS, 1001, 1000), seconds(21));
        assert!(
            state.message(seconds(21), Lang::En).contains("100 % · 1,000 of 1,000"),
            "a total may be an estimate"
        );
    }

    #[test]
    fn each_step_starts_over_and_steps_without_a_total_show_the_elapsed_time() {
        let mut state = ProgressState::new(Progress::of(ROWS, 900, 1000), seconds(0));
        state.update(Progress::of_bytes(PACKING, 2 << 20, 12 << 20), seconds(100));
        let first = state.message(seconds(101), Lang::Pt);
        assert!(
            first.ends_with("2,0 MB de 12,0 MB · há 1 s"),
            "no remaining time yet after the first report: {first}"
        );
        state.update(Progress::of_bytes(PACKING, 5 << 20, 12 << 20), seconds(102));
        assert_eq!(
            state.message(seconds(103), Lang::Pt),
            "compactando · 41 % · 5,0 MB de 12,0 MB · faltam 7 s"
        );
        state.update(Progress::of(("verificando", "verifying"), 0, 0), seconds(110));
        assert_eq!(state.message(seconds(185), Lang::En), "verifying · for 1 min");
        assert_eq!(state.share(), None);
        state.update(Progress::of(("verificando", "verifying"), 40, 0), seconds(190));
        assert_eq!(state.message(seconds(190), Lang::Pt), "verificando · 40 · há 1 min");
    }

    #[test]
    fn a_given_remaining_time_overrides_the_estimate() {
        let reported = Progress::of(("pedidos", "requests"), 3, 9).with_seconds_left(7200);
        let state = ProgressState::since(seconds(0), reported);
        assert_eq!(state.message(seconds(1), Lang::En), "requests · 33 % · 3 of 9 · 2 h 00 min left");
    }

    #[test]
    fn progress_survives_a_json_round_trip() {
        for progress in [Progress::of_bytes(PACKING, 1, 2), Progress::of(ROWS, 0, 0).with_seconds_left(0)] {
            let text = serde_json::to_string(&progress).unwrap();
            assert_eq!(serde_json::from_str::<Progress>(&text).unwrap(), progress);
        }
    }

    #[test]
    fn times_are_shown_in_the_largest_suitable_unit() {
        for (passed, expected) in [
            (59, "59 s"),
            (60, "1 min"),
            (3599, "59 min"),
            (3600, "1 h 00 min"),
            (172_799, "47 h 59 min"),
            (172_800, "2 dias e 0 h"),
        ] {
            assert_eq!(duration_text(passed, Lang::Pt), expected);
        }
    }
}

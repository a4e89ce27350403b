//! Calculates the time of the next backup, whatever happens to the clock, and runs the thread that waits for
//! it.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use jiff::Timestamp;

use super::{BackupFile, BackupReason, Backups};
use crate::store::{Store, journal};

/// Delay of an overdue backup after the start of the program, because a starting machine is busy.
const START_DELAY: Duration = Duration::from_secs(2 * 60);
/// Minimum time between two attempts, so that a jumping clock does not cause more.
const MIN_INTERVAL: Duration = Duration::from_secs(10 * 60);
/// Delay before a retry after a failure, since most causes are temporary.
const RETRY_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Maximum length of one wait. A machine that slept wakes at a later time of day, which no timer signals, and
/// a setting may have changed.
const CHECK_INTERVAL: Duration = Duration::from_secs(30 * 60);

/// Time that the end of the program waits for a backup in progress.
const LAST_WAIT: Duration = Duration::from_secs(3);

/// A reading of both clocks: the time of day, which may jump, and monotonic time, which stops while the
/// machine sleeps.
#[derive(Clone, Copy, Debug)]
pub struct ClockReading {
    pub now: Timestamp,
    pub monotonic: Duration,
}

/// The last attempt of a backup in this run of the program.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    started: Duration,
    last: Option<(ClockReading, bool)>,
}

impl Schedule {
    pub fn new(now: ClockReading) -> Schedule {
        Schedule { started: now.monotonic, last: None }
    }

    /// Returns `true` if the start of the program is over.
    fn is_settled(&self, now: ClockReading) -> bool {
        now.monotonic.saturating_sub(self.started) >= START_DELAY
    }

    pub fn attempted(&mut self, at: ClockReading, succeeded: bool) {
        self.last = Some((at, succeeded));
    }

    /// Returns the time until the next backup is due, or zero if it is due. `newest` is the time of the
    /// newest backup, without those that a clock set ahead has dated after now.
    pub fn due_in(&self, newest: Option<Timestamp>, now: ClockReading, every: Duration) -> Duration {
        let since = |then: Timestamp| Duration::try_from(now.now.duration_since(then)).ok();
        let Some((last, succeeded)) = self.last else {
            let waited = now.monotonic.saturating_sub(self.started);
            // For a backup of an earlier run, only the time of day can be compared.
            let old = newest.and_then(since).map_or(Duration::ZERO, |age| every.saturating_sub(age));
            return old.max(START_DELAY.saturating_sub(waited));
        };
        let pause = if succeeded { every } else { every.min(RETRY_INTERVAL) };
        let waited = now.monotonic.saturating_sub(last.monotonic);
        // Another process may have made a backup since.
        let then = newest.filter(|newest| succeeded && *newest > last.now).unwrap_or(last.now);
        let by_day = since(then).map_or(pause, |age| pause.saturating_sub(age));
        let by_time = pause.saturating_sub(waited);
        by_day.min(by_time).max(MIN_INTERVAL.min(pause).saturating_sub(waited))
    }
}

/// The thread that makes backups when they are due. Ends on drop. Drop waits for a backup in progress, but
/// only for a limited time, so that the program ends in time. The next backup removes what is left of an
/// interrupted one.
pub struct BackupThread {
    /// Closing the channel ends the thread.
    stop: Option<Sender<()>>,
    ended: Receiver<()>,
}

impl BackupThread {
    pub fn start(backups: Arc<Backups>) -> std::io::Result<BackupThread> {
        let (stop, stopped) = bounded::<()>(0);
        let (end, ended) = bounded::<()>(0);
        let mut schedule = Schedule::new(backups.moment());
        let keep = move || {
            let _end = end;
            loop {
                let wait = backups.make_if_due(&mut schedule);
                if schedule.is_settled(backups.moment()) {
                    backups.test_if_due();
                }
                if stopped.recv_timeout(wait.min(CHECK_INTERVAL)) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("pleito-backup".to_owned()).spawn(keep)?;
        Ok(BackupThread { stop: Some(stop), ended })
    }
}

impl Drop for BackupThread {
    fn drop(&mut self) {
        self.stop = None;
        // Nothing is ever sent: this returns when the thread drops its end.
        let _ = self.ended.recv_timeout(LAST_WAIT);
    }
}

impl Backups {
    /// Makes a backup if one is due. Returns the time until the next call.
    pub fn make_if_due(&self, schedule: &mut Schedule) -> Duration {
        let settings = self.settings();
        if !settings.enabled {
            return CHECK_INTERVAL;
        }
        let now = self.moment();
        let all = self.list().unwrap_or_default();
        let has_earlier = all.iter().filter(|one| one.is_regular()).any(BackupFile::may_have_records);
        let is_own = self.ownership(&all);
        let own = all.into_iter().filter(is_own);
        let made = own.filter(BackupFile::is_regular).filter_map(|one| one.about);
        let newest = made.map(|about| about.made_at).filter(|at| *at <= now.now).max();
        let wait = schedule.due_in(newest, now, settings.every);
        if !wait.is_zero() {
            return wait;
        }
        // An empty office, in the place of one that was lost or that this one is to become, would be the newest backup.
        if has_earlier && Store::read_once(&self.data, journal::is_new).unwrap_or(false) {
            return CHECK_INTERVAL;
        }
        let made = self.make(BackupReason::Schedule);
        schedule.attempted(now, made.is_ok());
        CHECK_INTERVAL
    }
}

/// Returns `true` if the newest backup is so old that one was missed, with a day for a machine that is off at night.
pub fn is_late(age: Duration, every: Duration) -> bool {
    age.as_secs() / 3600 > every.as_secs() / 3600 * 2 + 24
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: u64 = 60 * 60;

    fn moment(day_seconds: i64, monotonic: u64) -> ClockReading {
        let now = Timestamp::from_second(1_780_000_000 + day_seconds).unwrap();
        ClockReading { now, monotonic: Duration::from_secs(monotonic) }
    }

    const DAY: Duration = Duration::from_secs(24 * HOUR);

    #[test]
    fn the_first_backup_is_due_by_the_age_of_the_newest_one_but_not_right_at_start() {
        let schedule = Schedule::new(moment(0, 0));
        let newest = |ago: i64| Some(moment(-ago, 0).now);
        assert_eq!(schedule.due_in(None, moment(0, 0), DAY), START_DELAY);
        assert_eq!(schedule.due_in(None, moment(120, 120), DAY), Duration::ZERO);
        assert_eq!(schedule.due_in(newest(20 * 3600), moment(120, 120), DAY).as_secs(), 4 * HOUR - 120);
        assert_eq!(schedule.due_in(newest(30 * 3600), moment(120, 120), DAY), Duration::ZERO);
    }

    #[test]
    fn a_backup_is_due_after_sleep_and_a_failed_one_is_retried_after_an_hour() {
        let mut schedule = Schedule::new(moment(0, 0));
        schedule.attempted(moment(0, 0), true);
        // Slept for a day: the monotonic clock has advanced only a little.
        assert_eq!(schedule.due_in(None, moment(25 * 3600, 700), DAY), Duration::ZERO);
        // The wall clock was set back by a year, so monotonic time counts.
        assert_eq!(schedule.due_in(None, moment(-365 * 86400, 23 * HOUR), DAY).as_secs(), HOUR);
        assert_eq!(schedule.due_in(None, moment(-365 * 86400, 24 * HOUR), DAY), Duration::ZERO);
        // Another process has made a backup meanwhile.
        let newest = Some(moment(20 * 3600, 0).now);
        assert_eq!(schedule.due_in(newest, moment(24 * 3600, 700), DAY).as_secs(), 20 * HOUR);
        schedule.attempted(moment(0, 0), false);
        assert_eq!(schedule.due_in(None, moment(1800, 1800), DAY).as_secs(), 1800);
    }

    proptest! {
        /// Even if the clock jumps, backups are at least ten minutes apart and never further apart than
        /// the settings allow.
        #[test]
        fn intervals_stay_within_bounds_if_the_clock_jumps(steps in prop::collection::vec((1..7200_u64, -3_000_000_000..3_000_000_000_i64, any::<bool>()), 1..200)) {
            let mut schedule = Schedule::new(moment(0, 0));
            let mut monotonic = 0;
            let mut wall = 0;
            let mut newest = None;
            let mut last = 0;
            for (passed, jump, jumps) in steps {
                monotonic += passed;
                wall += i64::try_from(passed).unwrap();
                if jumps {
                    wall = jump.clamp(-1_700_000_000, 3_000_000_000);
                }
                let now = moment(wall, monotonic);
                let known = newest.filter(|at| *at <= now.now);
                let due = schedule.due_in(known, now, DAY);
                if due.is_zero() {
                    prop_assert!(last == 0 || monotonic - last >= 600, "{} s apart", monotonic - last);
                    schedule.attempted(now, true);
                    newest = Some(now.now);
                    last = monotonic;
                }
                prop_assert!(last == 0 || monotonic - last <= DAY.as_secs(), "no backup for {} s", monotonic - last);
            }
        }
    }
}

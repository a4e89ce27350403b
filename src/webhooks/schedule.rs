//! The retry schedule of messages (events 21.4).

use std::time::Duration;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// Back-off after each failed attempt, in milliseconds. After one more failure, the message is a dead letter.
const BACK_OFF_MS: [i64; 9] =
    [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/// Share by which a back-off is randomly longer or shorter, so that messages that failed together are not
/// retried together.
const JITTER: f64 = 0.1;
/// Maximum delay that a receiver can request, in milliseconds.
const MAX_RETRY_AFTER_MS: i64 = 24 * HOUR;
/// Maximum delay of any message, in milliseconds. A later due time was set while the clock was wrong.
pub(super) const MAX_DELAY_MS: i64 = 27 * HOUR;

/// After this many failures in a row, a webhook gets one attempt in [`PAUSED_INTERVAL_MS`] until one succeeds.
const FAILURES_UNTIL_PAUSED: u32 = 5;
const PAUSED_INTERVAL_MS: i64 = MINUTE;

/// Returns the milliseconds until the next attempt, if `tries` attempts before this one have failed. Returns
/// `None` if this was the last. `chance`, from 0 to 1, selects the random share.
pub(super) fn wait(tries: u32, retry_after: Option<Duration>, chance: f64) -> Option<i64> {
    let wait = usize::try_from(tries).ok().and_then(|tries| BACK_OFF_MS.get(tries))?;
    if let Some(requested) = retry_after {
        return Some(
            i64::try_from(requested.as_millis())
                .unwrap_or(MAX_RETRY_AFTER_MS)
                .clamp(SECOND, MAX_RETRY_AFTER_MS),
        );
    }
    let spread = 1.0 + JITTER * (2.0 * chance.clamp(0.0, 1.0) - 1.0);
    // At most a day and a tenth in milliseconds, so the cast is exact.
    Some((*wait as f64 * spread) as i64)
}

/// Returns the time until which a receiver gets no messages after this many failures in a row. Times are in
/// milliseconds since 1970.
pub(super) fn held_until(failures: u32, attempted_at: Option<i64>) -> Option<i64> {
    attempted_at.filter(|_| failures >= FAILURES_UNTIL_PAUSED).map(|at| at + PAUSED_INTERVAL_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_attempts_are_made_after_the_documented_delays() {
        let seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
        for (tries, seconds) in (0..).zip(seconds) {
            assert_eq!(wait(tries, None, 0.5), Some(seconds * 1000));
            assert_eq!(wait(tries, None, 0.0), Some(seconds * 900));
            assert_eq!(wait(tries, None, 1.0), Some(seconds * 1100));
        }
        assert_eq!(wait(9, None, 0.5), None);
        assert_eq!(
            wait(9, Some(Duration::from_secs(5)), 0.5),
            None,
            "a receiver cannot request an eleventh attempt"
        );
    }

    #[test]
    fn retry_after_delays_the_next_attempt_by_up_to_a_day() {
        let waits = |seconds| wait(0, Some(Duration::from_secs(seconds)), 0.0);
        for (seconds, waited) in [(0, 1), (1, 1), (120, 120), (86_400, 86_400), (86_401, 86_400)] {
            assert_eq!(waits(seconds), Some(waited * 1000), "{seconds}");
        }
    }

    #[test]
    fn a_webhook_that_failed_five_times_in_a_row_is_called_once_a_minute() {
        assert_eq!(held_until(4, Some(1_000)), None);
        assert_eq!(held_until(5, Some(1_000)), Some(61_000));
        assert_eq!(held_until(5, None), None);
    }
}

//! Client-side rate limiter for the source. Also estimates the time for the remaining requests.

use std::collections::VecDeque;
use std::time::Duration;

use http::HeaderMap;

/// Window of the rate limit for reads (contract 8).
const WINDOW: Duration = Duration::from_secs(60);
/// Requests a minute if the server sends no limit, as stated in the user's document.
const DEFAULT_LIMIT: usize = 30;
/// From here on, values of `x-ratelimit-reset` are Unix timestamps, as some servers send, instead of seconds to wait.
const MIN_TIMESTAMP: u64 = 1_000_000_000;

/// Rate limiter for the source. All moments are on the monotonic clock.
pub(in crate::transfer::cloud_import) struct RateLimit {
    limit: Option<usize>,
    /// When the requests of the last window were sent.
    sent: VecDeque<Duration>,
    /// No requests before this moment, at the server's demand.
    closed_until: Duration,
    answered: (u32, Duration),
    pub(in crate::transfer::cloud_import) is_limited: bool,
}

impl RateLimit {
    pub(in crate::transfer::cloud_import) fn new() -> RateLimit {
        RateLimit {
            limit: Some(DEFAULT_LIMIT),
            sent: VecDeque::new(),
            closed_until: Duration::ZERO,
            answered: (0, Duration::ZERO),
            is_limited: false,
        }
    }

    /// Removes the limit. A Pleito that sends no limit has no limit.
    pub(in crate::transfer::cloud_import) fn lift(&mut self) {
        self.limit = None;
    }

    pub(in crate::transfer::cloud_import) fn wait(&mut self, now: Duration) -> Duration {
        while self.sent.front().is_some_and(|at| *at + WINDOW <= now) {
            self.sent.pop_front();
        }
        let full = self.limit.and_then(|limit| {
            let over = (self.sent.len() + 1).checked_sub(limit.max(1))?;
            self.sent.get(over.checked_sub(1)?).map(|at| *at + WINDOW)
        });
        full.unwrap_or_default().max(self.closed_until).saturating_sub(now)
    }

    pub(in crate::transfer::cloud_import) fn ask(&mut self, now: Duration) {
        self.sent.push_back(now);
    }

    /// Notes the duration of a request and the limits in the response's headers. `today` is the Unix time in seconds.
    pub(in crate::transfer::cloud_import) fn answered(
        &mut self,
        headers: &HeaderMap,
        took: Duration,
        now: Duration,
        today: u64,
    ) {
        let (count, whole) = &mut self.answered;
        (*count, *whole) = (count.saturating_add(1), whole.saturating_add(took));
        let header = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
        if let Some(limit) = header("x-ratelimit-limit") {
            self.is_limited = true;
            self.limit = usize::try_from(limit).ok().filter(|limit| *limit > 0);
        }
        if header("x-ratelimit-remaining") == Some(0)
            && let Some(reset) = header("x-ratelimit-reset")
        {
            let seconds = if reset >= MIN_TIMESTAMP { reset.saturating_sub(today) } else { reset };
            self.close(Duration::from_secs(seconds).min(WINDOW), now);
        }
    }

    /// Holds back all requests for `time`, at the server's demand.
    pub(in crate::transfer::cloud_import) fn close(&mut self, time: Duration, now: Duration) {
        self.closed_until = self.closed_until.max(now.saturating_add(time));
    }

    pub(in crate::transfer::cloud_import) fn time_for(&self, requests: u64, now: Duration) -> Duration {
        let (count, whole) = self.answered;
        let each = if count == 0 { Duration::ZERO } else { whole / count };
        let answering = each.saturating_mul(u32::try_from(requests).unwrap_or(u32::MAX));
        let (Some(limit), Some(last)) = (self.limit, requests.checked_sub(1)) else { return answering };
        // Each window has `limit` slots. A free slot can be used now, and a used one a window after its last use.
        let round = last / limit as u64;
        let place = usize::try_from(last % limit as u64).unwrap_or_default();
        let taken = self.sent.len().min(limit);
        let taken = place
            .checked_sub(limit - taken)
            .and_then(|place| self.sent.get(self.sent.len() - taken + place).map(|at| *at + WINDOW));
        let first = taken.unwrap_or(now).max(now).max(self.closed_until).saturating_sub(now);
        let waiting = first + WINDOW.saturating_mul(u32::try_from(round).unwrap_or(u32::MAX));
        waiting.max(answering)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn headers(values: &[(&'static str, u64)]) -> HeaderMap {
        values.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from(*value))).collect()
    }

    #[test]
    fn without_rate_limit_headers_the_31st_request_waits_until_the_first_is_a_minute_old() {
        let mut rate_limit = RateLimit::new();
        for at in 0..30 {
            assert_eq!(rate_limit.wait(seconds(at)), Duration::ZERO);
            rate_limit.ask(seconds(at));
        }
        assert_eq!(rate_limit.wait(seconds(30)), seconds(30));
        assert_eq!(rate_limit.wait(seconds(59)), seconds(1));
        assert_eq!(rate_limit.wait(seconds(60)), Duration::ZERO);
    }

    #[test]
    fn rate_limit_headers_of_the_server_are_followed() {
        let mut rate_limit = RateLimit::new();
        rate_limit.ask(seconds(0));
        rate_limit.answered(&headers(&[("x-ratelimit-limit", 2)]), Duration::ZERO, seconds(0), 0);
        rate_limit.ask(seconds(1));
        assert_eq!(rate_limit.wait(seconds(2)), seconds(58));
        let used = [("x-ratelimit-limit", 5), ("x-ratelimit-remaining", 0), ("x-ratelimit-reset", 7)];
        rate_limit.answered(&headers(&used), Duration::ZERO, seconds(2), 0);
        assert_eq!(rate_limit.wait(seconds(2)), seconds(7));
        let by_calendar = [("x-ratelimit-remaining", 0), ("x-ratelimit-reset", 1_800_000_020)];
        rate_limit.answered(&headers(&by_calendar), Duration::ZERO, seconds(2), 1_800_000_000);
        assert_eq!(rate_limit.wait(seconds(2)), seconds(20));
        rate_limit.lift();
        assert_eq!(rate_limit.wait(seconds(22)), Duration::ZERO);
        rate_limit.close(seconds(9), seconds(22));
        assert_eq!(rate_limit.wait(seconds(22)), seconds(9), "no limit, but the server demands a pause");
    }

    #[test]
    fn the_estimated_time_equals_the_actual_time() {
        for (before, left) in [(0, 1), (0, 30), (0, 31), (7, 100), (30, 1), (30, 333), (12, 3000)] {
            let mut rate_limit = RateLimit::new();
            let mut now = seconds(0);
            let mut send = |rate_limit: &mut RateLimit| {
                now += rate_limit.wait(now);
                rate_limit.ask(now);
                now
            };
            let begun = (0..before).map(|_| send(&mut rate_limit)).last().unwrap_or_default();
            let estimated = rate_limit.time_for(left, begun);
            let ended = (0..left).map(|_| send(&mut rate_limit)).last().unwrap_or_default();
            assert_eq!(estimated, ended - begun, "{before} {left}");
        }
    }

    #[test]
    fn without_a_limit_the_estimate_uses_response_times() {
        let mut rate_limit = RateLimit::new();
        rate_limit.lift();
        rate_limit.answered(&HeaderMap::new(), seconds(1), seconds(1), 0);
        rate_limit.answered(&HeaderMap::new(), seconds(3), seconds(4), 0);
        assert_eq!(rate_limit.time_for(10, seconds(4)), seconds(20));
        assert_eq!(rate_limit.time_for(0, seconds(4)), Duration::ZERO);
    }
}

//! Daily size limit of the log. Lines beyond it are counted, and the count is logged once a minute.

use std::io::{self, Write};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

use super::{ACCESS, OWN, STRANGER};

const MIB: u64 = 1024 * 1024;

/// Maximum bytes in a day's log before lines of each class are dropped. Lines caused by unauthenticated
/// clients leave room for all others, and these leave room for warnings and errors, so that a flood of lines
/// cannot hide what follows. A request takes 150 to 300 bytes, so an office can make more than a hundred
/// thousand a day.
const MAX_STRANGER_BYTES: u64 = 16 * MIB;
const MAX_ORDINARY_BYTES: u64 = 48 * MIB;
const MAX_ERROR_BYTES: u64 = 64 * MIB;

/// Interval between two reports of dropped lines.
const REPORT_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// Message of the report of dropped lines.
const LINES_DROPPED: &str = "the log has reached its daily size limit; lines were dropped";

/// A log writer with the daily size limit.
#[derive(Clone)]
pub(super) struct Bounded<W> {
    to: W,
    json: bool,
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    today: Arc<Mutex<Today>>,
}

struct Today {
    /// Current day in UTC, like the file names, as days since 1970.
    day: i64,
    /// Bytes written today.
    written: u64,
    /// Lines dropped since the last report.
    left_out: u64,
    last_notice: Option<Timestamp>,
}

pub(super) struct BoundedLine<'a, W: MakeWriter<'a>> {
    bounded: &'a Bounded<W>,
    most: u64,
    to: W::Writer,
}

impl<W> Bounded<W> {
    /// Wraps a writer whose log of today already has `written` bytes.
    pub fn new(
        to: W,
        json: bool,
        written: u64,
        now: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Bounded<W> {
        let today = Today { day: day_of(now()), written, left_out: 0, last_notice: None };
        Bounded { to, json, now: Arc::new(now), today: Arc::new(Mutex::new(today)) }
    }

    /// Logs the number of dropped lines that were not reported yet, if there are any.
    pub fn log_dropped<'a>(&'a self)
    where
        W: MakeWriter<'a>,
    {
        let notice = self.today.lock().dropped_notice((self.now)(), self.json);
        // A failure to write the log cannot be logged.
        _ = self.to.make_writer().write_all(notice.as_bytes());
    }
}

fn day_of(now: Timestamp) -> i64 {
    now.as_second().div_euclid(24 * 60 * 60)
}

impl Today {
    /// Returns `true` if a line of this length may be written, and the report to write before it.
    fn admit(&mut self, length: usize, most: u64, now: Timestamp, json: bool) -> (bool, String) {
        let day = day_of(now);
        if day != self.day {
            (self.day, self.written, self.last_notice) = (day, 0, None);
        }
        let is_admitted = self.written < most;
        match is_admitted {
            true => self.written += length as u64,
            false => self.left_out += 1,
        }
        let is_due = self.last_notice.is_none_or(|last| now.duration_since(last).abs() >= REPORT_INTERVAL);
        (is_admitted, if is_due { self.dropped_notice(now, json) } else { String::new() })
    }

    fn dropped_notice(&mut self, now: Timestamp, json: bool) -> String {
        let lines = std::mem::take(&mut self.left_out);
        if lines == 0 {
            return String::new();
        }
        self.last_notice = Some(now);
        let target = module_path!();
        match json {
            false => format!("{now:.3}  WARN {target}: {LINES_DROPPED} lines={lines}\n"),
            true => format!(
                "{{\"timestamp\":\"{now:.3}\",\"level\":\"WARN\",\"message\":\"{LINES_DROPPED}\",\"lines\":{lines},\"target\":\"{target}\"}}\n"
            ),
        }
    }
}

impl<'a, W: MakeWriter<'a> + 'a> MakeWriter<'a> for Bounded<W> {
    type Writer = BoundedLine<'a, W>;

    fn make_writer(&'a self) -> BoundedLine<'a, W> {
        BoundedLine { bounded: self, most: MAX_ORDINARY_BYTES, to: self.to.make_writer() }
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> BoundedLine<'a, W> {
        // Lines of other crates may also be caused by unauthenticated clients.
        let is_own = about.target().starts_with(OWN) || about.target() == ACCESS;
        let most = match *about.level() {
            _ if !is_own || about.name() == STRANGER => MAX_STRANGER_BYTES,
            Level::ERROR | Level::WARN => MAX_ERROR_BYTES,
            _ => MAX_ORDINARY_BYTES,
        };
        BoundedLine { bounded: self, most, to: self.to.make_writer_for(about) }
    }
}

impl<'a, W: MakeWriter<'a>> Write for BoundedLine<'a, W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let Bounded { json, now, today, .. } = self.bounded;
        let (is_admitted, notice) = today.lock().admit(line.len(), self.most, now(), *json);
        self.to.write_all(notice.as_bytes())?;
        if is_admitted {
            self.to.write_all(line)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Duration;

    use super::super::tests::Lines;
    use super::super::{RequestEntry, Style, cause, request, subscriber};
    use super::*;

    /// A log with a manual clock.
    struct Log {
        lines: Lines,
        now: Arc<Mutex<Timestamp>>,
        bounded: Bounded<Lines>,
    }

    impl Log {
        fn new(json: bool, written: u64) -> Log {
            let lines = Lines::default();
            let now = "2026-03-01T12:00:00Z".parse::<Timestamp>().unwrap();
            let now = Arc::new(Mutex::new(now));
            let clock = now.clone();
            let bounded = Bounded::new(lines.clone(), json, written, move || *clock.lock());
            Log { lines, now, bounded }
        }

        /// Returns the log written while `message` runs.
        fn takes(&self, events: impl FnOnce()) -> String {
            let json = self.bounded.json;
            let style = Style { level: Level::INFO, json, keep_days: 1, on_stderr: false };
            tracing::subscriber::with_default(subscriber(style, self.bounded.clone()), events);
            self.taken()
        }

        fn taken(&self) -> String {
            String::from_utf8(std::mem::take(&mut *self.lines.0.lock().unwrap())).unwrap()
        }

        fn pass(&self, minutes: i64) {
            *self.now.lock() += SignedDuration::from_mins(minutes);
        }
    }

    fn log_request(is_authenticated: bool) {
        let took = Duration::ZERO;
        let peer = IpAddr::from([192, 0, 2, 7]);
        request(&RequestEntry {
            id: "r-1",
            method: "GET",
            route: "-",
            status: 200,
            took,
            peer,
            is_authenticated,
            who: None,
        });
    }

    /// Logs more than any class may write, in events of 64 KiB.
    fn fill(is_ours: bool, is_authenticated: bool) {
        let long = "x".repeat(1 << 16);
        (0..600).for_each(|_| cause("r-1", "code", &long, is_ours, is_authenticated));
    }

    #[test]
    fn a_full_log_still_accepts_more_important_events() {
        let log = Log::new(false, 1000);
        let mut written = 1000;
        let each = [
            (true, false, MAX_STRANGER_BYTES),
            (false, true, MAX_ORDINARY_BYTES),
            (true, true, MAX_ERROR_BYTES),
        ];
        for (is_ours, is_authenticated, most) in each {
            written += log.takes(|| fill(is_ours, is_authenticated)).len() as u64;
            assert!((most..most + (1 << 17)).contains(&written), "{written} of {most}");
            assert_eq!(log.takes(|| log_request(false)), "");
            assert_eq!(log.takes(|| tracing::error!(target: "h2", "an error of another crate")), "");
            assert_eq!(!log.takes(|| log_request(true)).is_empty(), most == MAX_STRANGER_BYTES);
            assert_eq!(!log.takes(|| tracing::warn!("serious")).is_empty(), most != MAX_ERROR_BYTES);
        }
    }

    #[test]
    fn dropped_lines_are_counted_and_reported_once_a_minute() {
        let full = |json| Log::new(json, MAX_ERROR_BYTES);
        let log = full(false);
        let warning = log.takes(|| log_request(false));
        let (time, rest) = warning.split_once(' ').unwrap();
        assert_eq!(time, "2026-03-01T12:00:00.000Z");
        assert_eq!(
            rest,
            format!(" WARN {}: {LINES_DROPPED} lines=1\n", module_path!().trim_end_matches("::tests"))
        );
        assert_eq!(log.takes(|| (0..1000).for_each(|_| log_request(true))), "");
        log.pass(1);
        assert!(log.takes(|| log_request(false)).ends_with(" lines=1001\n"));
        assert_eq!(log.takes(|| log_request(false)), "");
        // A clock that was set back does not delay the report.
        log.pass(-60);
        assert!(log.takes(|| log_request(false)).ends_with(" lines=2\n"));
        log.takes(|| log_request(false));
        // The next day has room again, and the lines dropped the day before are still reported.
        log.pass(24 * 60);
        let next = log.takes(|| log_request(false));
        let lines = next.lines().collect::<Vec<_>>();
        assert!(lines.len() == 2 && lines[0].ends_with(" lines=1") && lines[1].contains("r-1"), "{next}");
        log.bounded.log_dropped();
        assert_eq!(log.taken(), "", "all dropped lines have been reported");

        let log = full(true);
        let warning: serde_json::Value = serde_json::from_str(&log.takes(|| log_request(true))).unwrap();
        assert_eq!((&warning["level"], &warning["lines"]), (&"WARN".into(), &1.into()));
        assert_eq!(
            (&warning["message"], &warning["timestamp"]),
            (&LINES_DROPPED.into(), &"2026-03-01T12:00:00.000Z".into())
        );
        log.takes(|| log_request(true));
        log.bounded.log_dropped();
        assert!(log.taken().contains("\"lines\":1"), "closing the log reports the remaining dropped lines");
    }
}

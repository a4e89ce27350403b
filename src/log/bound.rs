//! How much may be written in a day. Beyond it lines are counted, and the count is written once a minute.

use std::io::{self, Write};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

use super::{ACCESS, OWN, STRANGER};

const MIB: u64 = 1024 * 1024;

/// How far a day's log may grow, in bytes, by what is written: what strangers cause leaves room for everything else, and
/// all of this for warnings and errors, so that nobody hides what happens next by what was written before. A request takes
/// 150 to 300 bytes, so that an office may make a hundred thousand a day and more.
const OF_STRANGERS: u64 = 16 * MIB;
const OF_ANYBODY: u64 = 48 * MIB;
const OF_SERIOUS: u64 = 64 * MIB;

/// How often the number of lines that were left out is written.
const EVERY: SignedDuration = SignedDuration::from_mins(1);

/// What the number of lines is told with.
const TOLD: &str = "the log has the size that it may have in a day; lines were left out";

/// A place that lines are written to, no more than may be.
#[derive(Clone)]
pub(super) struct Bounded<W> {
    to: W,
    json: bool,
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    today: Arc<Mutex<Today>>,
}

struct Today {
    /// The day (UTC, as the files are), as days since 1970.
    day: i64,
    /// How many bytes were written.
    written: u64,
    /// How many lines were not, since this was told last.
    left_out: u64,
    told: Option<Timestamp>,
}

/// One line on its way.
pub(super) struct BoundedLine<'a, W: MakeWriter<'a>> {
    bounded: &'a Bounded<W>,
    most: u64,
    to: W::Writer,
}

impl<W> Bounded<W> {
    /// Where so many bytes of today's were written already.
    pub fn new(
        to: W,
        json: bool,
        written: u64,
        now: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Bounded<W> {
        let today = Today { day: day_of(now()), written, left_out: 0, told: None };
        Bounded { to, json, now: Arc::new(now), today: Arc::new(Mutex::new(today)) }
    }

    /// Says how many lines were left out, if there are any that nobody was told of.
    pub fn tell<'a>(&'a self)
    where
        W: MakeWriter<'a>,
    {
        let told = self.today.lock().tell((self.now)(), self.json);
        // The log is where a failure would be told.
        _ = self.to.make_writer().write_all(told.as_bytes());
    }
}

fn day_of(now: Timestamp) -> i64 {
    now.as_second().div_euclid(24 * 60 * 60)
}

impl Today {
    /// Whether a line of that length is to be written, and what has to be told before it.
    fn admit(&mut self, length: usize, most: u64, now: Timestamp, json: bool) -> (bool, String) {
        let day = day_of(now);
        if day != self.day {
            (self.day, self.written, self.told) = (day, 0, None);
        }
        let is_admitted = self.written < most;
        match is_admitted {
            true => self.written += length as u64,
            false => self.left_out += 1,
        }
        let is_due = self.told.is_none_or(|told| now.duration_since(told).abs() >= EVERY);
        (is_admitted, if is_due { self.tell(now, json) } else { String::new() })
    }

    fn tell(&mut self, now: Timestamp, json: bool) -> String {
        let lines = std::mem::take(&mut self.left_out);
        if lines == 0 {
            return String::new();
        }
        self.told = Some(now);
        let target = module_path!();
        match json {
            false => format!("{now:.3}  WARN {target}: {TOLD} lines={lines}\n"),
            true => format!(
                "{{\"timestamp\":\"{now:.3}\",\"level\":\"WARN\",\"message\":\"{TOLD}\",\"lines\":{lines},\"target\":\"{target}\"}}\n"
            ),
        }
    }
}

impl<'a, W: MakeWriter<'a> + 'a> MakeWriter<'a> for Bounded<W> {
    type Writer = BoundedLine<'a, W>;

    fn make_writer(&'a self) -> BoundedLine<'a, W> {
        BoundedLine { bounded: self, most: OF_ANYBODY, to: self.to.make_writer() }
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> BoundedLine<'a, W> {
        // What other crates have to say may be about a stranger's bytes as well.
        let is_own = about.target().starts_with(OWN) || about.target() == ACCESS;
        let most = match *about.level() {
            _ if !is_own || about.name() == STRANGER => OF_STRANGERS,
            Level::ERROR | Level::WARN => OF_SERIOUS,
            _ => OF_ANYBODY,
        };
        BoundedLine { bounded: self, most, to: self.to.make_writer_for(about) }
    }
}

impl<'a, W: MakeWriter<'a>> Write for BoundedLine<'a, W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let Bounded { json, now, today, .. } = self.bounded;
        let (is_admitted, told) = today.lock().admit(line.len(), self.most, now(), *json);
        self.to.write_all(told.as_bytes())?;
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
    use super::super::{Access, Style, cause, request, subscriber};
    use super::*;

    /// A log whose clock the test sets.
    struct Log {
        lines: Lines,
        now: Arc<Mutex<Timestamp>>,
        bounded: Bounded<Lines>,
    }

    impl Log {
        fn new(json: bool, written: u64) -> Log {
            let (lines, now) = (Lines::default(), "2026-03-01T12:00:00Z".parse::<Timestamp>().unwrap());
            let now = Arc::new(Mutex::new(now));
            let clock = now.clone();
            let bounded = Bounded::new(lines.clone(), json, written, move || *clock.lock());
            Log { lines, now, bounded }
        }

        /// What is written while that is said.
        fn takes(&self, say: impl FnOnce()) -> String {
            let json = self.bounded.json;
            let style = Style { level: Level::INFO, json, keep_days: 1, on_stderr: false };
            tracing::subscriber::with_default(subscriber(style, self.bounded.clone()), say);
            self.taken()
        }

        fn taken(&self) -> String {
            String::from_utf8(std::mem::take(&mut *self.lines.0.lock().unwrap())).unwrap()
        }

        fn pass(&self, minutes: i64) {
            *self.now.lock() += SignedDuration::from_mins(minutes);
        }
    }

    fn ask(is_authenticated: bool) {
        let (took, peer) = (Duration::ZERO, IpAddr::from([192, 0, 2, 7]));
        request(&Access { id: "r-1", method: "GET", route: "-", status: 200, took, peer, is_authenticated });
    }

    /// More than any of them may write, in events of 64 KiB.
    fn fill(is_ours: bool, is_authenticated: bool) {
        let long = "x".repeat(1 << 16);
        (0..600).for_each(|_| cause("r-1", "code", &long, is_ours, is_authenticated));
    }

    #[test]
    fn who_fills_the_log_hides_nothing_of_more_weight() {
        let log = Log::new(false, 1000);
        let mut written = 1000;
        let each = [(true, false, OF_STRANGERS), (false, true, OF_ANYBODY), (true, true, OF_SERIOUS)];
        for (is_ours, is_authenticated, most) in each {
            written += log.takes(|| fill(is_ours, is_authenticated)).len() as u64;
            assert!((most..most + (1 << 17)).contains(&written), "{written} of {most}");
            assert_eq!(log.takes(|| ask(false)), "");
            assert_eq!(log.takes(|| tracing::error!(target: "h2", "of another crate")), "");
            assert_eq!(!log.takes(|| ask(true)).is_empty(), most == OF_STRANGERS);
            assert_eq!(!log.takes(|| tracing::warn!("serious")).is_empty(), most != OF_SERIOUS);
        }
    }

    #[test]
    fn what_is_left_out_is_counted_and_told_once_a_minute() {
        let full = |json| Log::new(json, OF_SERIOUS);
        let log = full(false);
        let told = log.takes(|| ask(false));
        let (time, rest) = told.split_once(' ').unwrap();
        assert_eq!(time, "2026-03-01T12:00:00.000Z");
        assert_eq!(rest, format!(" WARN {}: {TOLD} lines=1\n", module_path!().trim_end_matches("::tests")));
        assert_eq!(log.takes(|| (0..1000).for_each(|_| ask(true))), "");
        log.pass(1);
        assert!(log.takes(|| ask(false)).ends_with(" lines=1001\n"));
        assert_eq!(log.takes(|| ask(false)), "");
        // A clock that was moved back keeps nobody waiting.
        log.pass(-60);
        assert!(log.takes(|| ask(false)).ends_with(" lines=2\n"));
        log.takes(|| ask(false));
        // The next day there is room again, and what was left out the day before is still told.
        log.pass(24 * 60);
        let next = log.takes(|| ask(false));
        let lines = next.lines().collect::<Vec<_>>();
        assert!(lines.len() == 2 && lines[0].ends_with(" lines=1") && lines[1].contains("r-1"), "{next}");
        log.bounded.tell();
        assert_eq!(log.taken(), "", "nothing is left to tell");

        let log = full(true);
        let told: serde_json::Value = serde_json::from_str(&log.takes(|| ask(true))).unwrap();
        assert_eq!((&told["level"], &told["lines"]), (&"WARN".into(), &1.into()));
        assert_eq!(
            (&told["message"], &told["timestamp"]),
            (&TOLD.into(), &"2026-03-01T12:00:00.000Z".into())
        );
        log.takes(|| ask(true));
        log.bounded.tell();
        assert!(log.taken().contains("\"lines\":1"), "the end of the log tells the rest");
    }
}

//! The log: one line an event, one file a day, written off the thread that has something to say, and no more in a day than
//! a disk can take.
//!
//! No name, tax id or token of anybody belongs in it (product.md 2, LGPD): that is the duty of whoever logs. What other
//! crates say is written from `warn` on only, because their finer levels show requests as they came in.

mod bound;

use std::fmt::{self as text, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use tracing::level_filters::LevelFilter;
use tracing::{Level, Subscriber};
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{self, Writer};
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

use bound::Bounded;

/// The target of the lines that [`request`] writes.
const ACCESS: &str = "access";

/// How the targets of the program's own events begin.
const OWN: &str = "pleito";

/// What events are called that anybody can cause who has no token. It stands in no line.
const STRANGER: &str = "stranger";

/// The longest name of a method that stands in a line: those of the API are shorter, and a stranger's may have any length.
const LONGEST_METHOD: usize = 16;

/// How many lines may wait to be written. Beyond that they are dropped rather than keep anybody waiting; the queue is made
/// for so many at the start, and each place takes 40 bytes.
const WAITING: usize = 8 * 1024;

/// How long the writer rests when it has written all that waited, so that the lines of this time are written together.
/// To wake it and to write cost more than all else about a line.
const REST: Duration = Duration::from_millis(5);

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The least serious events that are written.
    pub level: Level,
    /// One JSON object a line in the file, instead of one line for people.
    pub json: bool,
    /// For how many days a file is kept, today's included; at least 1.
    pub keep_days: u16,
    /// Whether standard error gets every event too, as lines for people.
    pub on_stderr: bool,
}

/// Keeps the log going. Dropped, it writes what is still waiting and ends the log.
#[must_use = "the log ends when this is dropped"]
pub struct Guard {
    file: Bounded<NonBlocking>,
    _worker: WorkerGuard,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.file.tell();
    }
}

/// Starts the log of this process in the folder, which must exist.
///
/// # Errors
/// The system's, when today's file cannot be written; also when the process has a log already.
pub fn start(folder: &Path, style: Style) -> io::Result<Guard> {
    let daily = Daily::open(folder, style.keep_days, Timestamp::now)?;
    let written = daily.file.get_ref().metadata()?.len();
    let (file, worker) = NonBlockingBuilder::default().buffered_lines_limit(WAITING).finish(daily);
    let file = Bounded::new(file, style.json, written, Timestamp::now);
    tracing::subscriber::set_global_default(subscriber(style, file.clone())).map_err(io::Error::other)?;
    Ok(Guard { file, _worker: worker })
}

/// What the log says of every request.
pub struct Access<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its method.
    pub method: &'a str,
    /// The row of the table, such as `/customers/{id}`, never the path or the query as asked: those hold people's names.
    pub route: &'a str,
    /// What it was answered with.
    pub status: u16,
    /// How long that took.
    pub took: Duration,
    /// Who sent it.
    pub peer: IpAddr,
    /// Whether that was somebody who may come in.
    pub is_authenticated: bool,
}

/// The one line that every request leaves.
pub fn request(access: &Access<'_>) {
    let Access { id, method, route, status, took, peer, is_authenticated } = *access;
    let method = if method.len() > LONGEST_METHOD { "-" } else { method };
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    match is_authenticated {
        true => tracing::info!(target: ACCESS, id, method, route, status, micros, %peer),
        false => tracing::info!(name: STRANGER, target: ACCESS, id, method, route, status, micros, %peer),
    }
}

/// What the caller is not told of an answer: why it was refused, or what went wrong here.
pub fn cause(id: &str, code: &str, cause: &str, is_ours: bool, is_authenticated: bool) {
    match (is_ours, is_authenticated) {
        (true, true) => tracing::error!(id, code, cause),
        (true, false) => tracing::error!(name: STRANGER, id, code, cause),
        (false, true) => tracing::info!(id, code, cause),
        (false, false) => tracing::info!(name: STRANGER, id, code, cause),
    }
}

fn subscriber<W>(style: Style, file: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let own = LevelFilter::from_level(style.level);
    let others = LevelFilter::WARN.min(own);
    let targets = Targets::new().with_default(others).with_target(OWN, own).with_target(ACCESS, own);
    let (plain, json) = match style.json {
        false => (Some(plain(file)), None),
        true => (None, Some(fmt::layer().json().flatten_event(true).with_timer(Utc).with_writer(file))),
    };
    let to_stderr = style.on_stderr.then(|| self::plain(Bounded::new(io::stderr, false, 0, Timestamp::now)));
    Registry::default().with(plain).with(json).with(to_stderr).with(targets)
}

/// One line an event for people: what would break the line, or command a terminal, becomes a space.
fn plain<S, W>(writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let fields = format::debug_fn(|writer, field, value| {
        if field.name() != "message" {
            write!(writer, "{}=", field.name())?;
        }
        write!(OneLine(writer), "{value:?}")
    });
    fmt::layer().with_timer(Utc).fmt_fields(fields.delimited(" ")).with_writer(writer)
}

/// Passes text on with a space for every control character.
struct OneLine<'a, 'w>(&'a mut Writer<'w>);

impl text::Write for OneLine<'_, '_> {
    fn write_str(&mut self, piece: &str) -> text::Result {
        // Nearly every piece has none, which its bytes tell faster: those beyond ASCII all begin with 0xC2.
        if piece.bytes().all(|byte| !byte.is_ascii_control() && byte != 0xC2) {
            return self.0.write_str(piece);
        }
        for (number, part) in piece.split(char::is_control).enumerate() {
            if number > 0 {
                self.0.write_char(' ')?;
            }
            self.0.write_str(part)?;
        }
        Ok(())
    }
}

/// RFC 3339, UTC, milliseconds: sorts as text and means the same on every machine.
struct Utc;

impl FormatTime for Utc {
    fn format_time(&self, w: &mut Writer<'_>) -> std::fmt::Result {
        write!(w, "{:.3}", Timestamp::now())
    }
}

/// The file of the day (UTC, as the lines in it), readable by the user alone. The first line of a day begins a new file
/// and removes those that are too old.
///
/// tracing-appender's own rotation would do, but leaves the mode of its files to the umask. Its writer hands over every
/// line that waits and then flushes; before it ends as well.
struct Daily {
    folder: PathBuf,
    keep_days: u16,
    now: Box<dyn Fn() -> Timestamp + Send>,
    day: Date,
    file: BufWriter<File>,
}

impl Daily {
    fn open(
        folder: &Path,
        keep_days: u16,
        now: impl Fn() -> Timestamp + Send + 'static,
    ) -> io::Result<Daily> {
        let day = day_of(now());
        let file = open_private(&path_of(folder, day))?;
        let daily = Daily { folder: folder.to_owned(), keep_days, now: Box::new(now), day, file };
        daily.remove_old();
        Ok(daily)
    }

    /// A file that cannot be removed is left to the next day: logging must not fail for it.
    fn remove_old(&self) {
        let first_kept = self.day.saturating_sub(i64::from(self.keep_days.saturating_sub(1)).days());
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let is_old = entry.file_name().to_str().and_then(day_in).is_some_and(|day| day < first_kept);
            if is_old {
                _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

impl Write for Daily {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let today = day_of((self.now)());
        if today != self.day {
            // Where the new day's file cannot be opened, yesterday's goes on.
            if let Ok(file) = open_private(&path_of(&self.folder, today)) {
                // The one before writes what it still holds when it is dropped.
                self.file = file;
                self.day = today;
                self.remove_old();
            }
        }
        self.file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.file.flush();
        std::thread::sleep(REST);
        written
    }
}

fn day_of(now: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(now).date()
}

fn path_of(folder: &Path, day: Date) -> PathBuf {
    folder.join(format!("pleito.{day}.log"))
}

fn day_in(file_name: &str) -> Option<Date> {
    file_name.strip_prefix("pleito.")?.strip_suffix(".log")?.parse().ok()
}

fn open_private(path: &Path) -> io::Result<BufWriter<File>> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(BufWriter::new)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A writer whose text can be read afterwards.
    #[derive(Clone, Default)]
    pub(super) struct Lines(pub Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for Lines {
        type Writer = Lines;

        fn make_writer(&self) -> Lines {
            self.clone()
        }
    }

    fn logged(level: Level, json: bool, say: impl FnOnce()) -> String {
        let (lines, style) = (Lines::default(), Style { level, json, keep_days: 1, on_stderr: false });
        tracing::subscriber::with_default(subscriber(style, lines.clone()), say);
        String::from_utf8(lines.0.lock().unwrap().clone()).unwrap()
    }

    fn ask() {
        ask_by("GET");
    }

    fn ask_by(method: &str) {
        request(&Access {
            id: "r-1",
            method,
            route: "/customers/{id}",
            status: 200,
            took: Duration::from_micros(1234),
            peer: IpAddr::from([192, 0, 2, 7]),
            is_authenticated: true,
        });
    }

    #[test]
    fn a_request_leaves_one_line() {
        let line = logged(Level::INFO, false, ask);
        assert_eq!(line.lines().count(), 1);
        let (time, rest) = line.split_once(' ').unwrap();
        assert!(
            time.parse::<Timestamp>().is_ok() && time.len() == "2026-11-21T08:00:00.000Z".len(),
            "{time}"
        );
        let fields = r#"id="r-1" method="GET" route="/customers/{id}" status=200 micros=1234 peer=192.0.2.7"#;
        assert_eq!(rest.trim(), format!("INFO access: {fields}"));
        let long = logged(Level::INFO, false, || ask_by(&"X".repeat(10_000)));
        assert!(long.contains(r#"method="-" route"#), "{long}");
    }

    #[test]
    fn a_request_is_one_json_object() {
        let line = logged(Level::INFO, true, ask);
        let object: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(object["target"], "access");
        assert_eq!(object["level"], "INFO");
        assert_eq!((&object["status"], &object["micros"]), (&200.into(), &1234.into()));
        assert_eq!(object["peer"], "192.0.2.7");
        assert!(object["timestamp"].as_str().unwrap().parse::<Timestamp>().is_ok());
    }

    #[test]
    fn an_event_is_one_line_whatever_it_says() {
        let say = || tracing::error!(cause = "line\nline", "one\ntwo \u{1b}[31m\u{9b}31m, São");
        let line = logged(Level::INFO, false, say);
        assert_eq!(
            line.split_once(" ERROR ").unwrap().1,
            concat!(module_path!(), ": one two  [31m 31m, São cause=\"line\\nline\"\n")
        );
        assert_eq!(logged(Level::INFO, true, say).lines().count(), 1);
    }

    #[test]
    fn the_level_rules_our_events_and_other_crates_are_heard_from_warn_on() {
        let say = || {
            tracing::debug!("ours");
            tracing::info!(target: "hyper", "header: a secret");
            tracing::warn!(target: "hyper", "theirs");
            ask();
        };
        let debug = logged(Level::DEBUG, false, say);
        assert!(debug.contains("ours") && debug.contains("theirs") && debug.contains("access"), "{debug}");
        assert!(!debug.contains("secret"), "{debug}");
        let error = logged(Level::ERROR, false, say);
        assert_eq!(error, "");
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn each_day_has_its_file_and_old_ones_go() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["pleito.2026-02-26.log", "pleito.2026-02-27.log", "pleito.2026-02-31.log", "notes.txt"] {
            std::fs::write(folder.path().join(name), "old").unwrap();
        }
        let now = Arc::new(Mutex::new("2026-02-28T23:59:59Z".parse::<Timestamp>().unwrap()));
        let clock = Arc::clone(&now);
        let mut daily = Daily::open(folder.path(), 2, move || *clock.lock().unwrap()).unwrap();
        daily.write_all(b"last of February\n").unwrap();
        // The name that is no day's and the file that is no log of ours stay.
        let kept = ["notes.txt", "pleito.2026-02-27.log", "pleito.2026-02-28.log", "pleito.2026-02-31.log"];
        assert_eq!(names(folder.path()), kept);

        *now.lock().unwrap() = "2026-03-01T00:00:00Z".parse().unwrap();
        daily.write_all(b"first of March\n").unwrap();
        let kept = ["notes.txt", "pleito.2026-02-28.log", "pleito.2026-02-31.log", "pleito.2026-03-01.log"];
        assert_eq!(names(folder.path()), kept);
        daily.flush().unwrap();
        let in_file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(in_file("pleito.2026-02-28.log"), "last of February\n");
        assert_eq!(in_file("pleito.2026-03-01.log"), "first of March\n");
    }

    #[cfg(unix)]
    #[test]
    fn files_are_private_and_a_restart_appends() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = || "2026-03-01T12:00:00Z".parse::<Timestamp>().unwrap();
        for line in ["one\n", "two\n"] {
            Daily::open(folder.path(), 14, at).unwrap().write_all(line.as_bytes()).unwrap();
        }
        let file = folder.path().join("pleito.2026-03-01.log");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\ntwo\n");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let style = Style { level: Level::INFO, json: false, keep_days: 14, on_stderr: false };
        assert!(start(&folder.path().join("missing"), style).is_err());
    }
}

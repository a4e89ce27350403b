//! The log: one line an event, one file a day, written off the thread that has something to say, and no more in a day than
//! a disk can take.
//!
//! No name, tax id or token of anybody belongs in it (product.md 2, LGPD): that is the duty of whoever logs. What other
//! crates say is written from `warn` on only, because their finer levels show requests as they came in.

mod bound;
mod daily;

use std::fmt::{self as text, Write as _};
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use tracing::level_filters::LevelFilter;
use tracing::{Level, Subscriber};
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{self, Writer};
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

use bound::Bounded;
use daily::{DailyFile, DailyWriter, LineQueue};

/// The target of the lines that [`request`] writes.
const ACCESS: &str = "access";

/// How the targets of the program's own events begin.
const OWN: &str = "pleito";

/// What events are called that anybody can cause who has no token. It stands in no line.
const STRANGER: &str = "stranger";

/// The longest name of a method that stands in a line: those of the API are shorter, and a stranger's may have any length.
const LONGEST_METHOD: usize = 16;

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
    file: Bounded<LineQueue>,
    _writer: DailyWriter,
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
    let daily = DailyFile::open(folder, style.keep_days, Timestamp::now)?;
    let written = daily.length()?;
    let (queue, writer) = daily::start(daily)?;
    let file = Bounded::new(queue, style.json, written, Timestamp::now);
    tracing::subscriber::set_global_default(subscriber(style, file.clone())).map_err(io::Error::other)?;
    Ok(Guard { file, _writer: writer })
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

#[cfg(test)]
mod tests {
    use std::io::Write;
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

    #[test]
    fn a_folder_that_is_not_there_is_told_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let style = Style { level: Level::INFO, json: false, keep_days: 14, on_stderr: false };
        assert!(start(&folder.path().join("missing"), style).is_err());
    }
}

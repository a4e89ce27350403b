//! Logging: one line per event and one file per day, written in the background, with a daily size limit.
//!
//! Callers must not log names, tax ids or tokens (product 2, LGPD). Events of other crates are logged from
//! `warn` up only, because their finer levels contain raw requests.

#![allow(clippy::disallowed_methods, reason = "a line of the log has the real time")]

mod daily;
mod size_limit;

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

use daily::{DailyFile, DailyWriter, LineQueue};
use size_limit::Bounded;

/// Target of the lines that [`request`] writes.
const ACCESS: &str = "access";

/// Prefix of the targets of the program's own events.
const OWN: &str = "pleito";

/// Name of events that unauthenticated clients can cause. It is not written to the log.
const STRANGER: &str = "stranger";

/// Longest method name that is logged. Those of the API are shorter; a client can send one of any length.
const MAX_METHOD_LENGTH: usize = 16;

/// Format and destination of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The least severe level that is logged.
    pub level: Level,
    /// Writes JSON objects to the file instead of plain lines.
    pub json: bool,
    /// Number of days that a file is kept, today included; at least 1.
    pub keep_days: u16,
    /// Also writes every event to standard error, as plain lines.
    pub on_stderr: bool,
}

/// Keeps the log running. Dropping it writes the queued lines and ends the log.
#[must_use = "the log ends when this is dropped"]
pub struct Guard {
    file: Bounded<LineQueue>,
    _writer: DailyWriter,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.file.log_dropped();
    }
}

/// Starts the log of this process in a folder that must exist. Fails if today's file cannot be written or the
/// process already has a log.
pub fn start(folder: &Path, style: Style) -> io::Result<Guard> {
    let daily = DailyFile::open(folder, style.keep_days, Timestamp::now)?;
    let written = daily.length()?;
    let (queue, writer) = daily::start(daily)?;
    let file = Bounded::new(queue, style.json, written, Timestamp::now);
    tracing::subscriber::set_global_default(subscriber(style, file.clone())).map_err(io::Error::other)?;
    Ok(Guard { file, _writer: writer })
}

/// Data of one line in the access log.
pub struct RequestEntry<'a> {
    pub id: &'a str,
    pub method: &'a str,
    /// Route template, such as `/customers/{id}`. Never the requested path or query, which contain names of
    /// people.
    pub route: &'a str,
    pub status: u16,
    pub took: Duration,
    pub peer: IpAddr,
    /// `true` if the request was authenticated.
    pub is_authenticated: bool,
    /// The key or the person that sent the request. `None` for the account's token.
    pub who: Option<&'a dyn text::Display>,
}

/// Writes the access line of a request.
pub fn request(access: &RequestEntry<'_>) {
    let RequestEntry { id, method, route, status, took, peer, is_authenticated, who } = *access;
    let method = if method.len() > MAX_METHOD_LENGTH { "-" } else { method };
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    match is_authenticated {
        true => {
            tracing::info!(target: ACCESS, id, method, route, status, micros, %peer, who = who.map(display))
        }
        false => tracing::info!(name: STRANGER, target: ACCESS, id, method, route, status, micros, %peer),
    }
}

/// Logs the details of an error that the response does not contain: why a request was refused, or the internal
/// error.
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

/// Plain lines, one per event. Control characters, which could break the line or command a terminal, become
/// spaces.
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

/// Replaces every control character with a space.
struct OneLine<'a, 'w>(&'a mut Writer<'w>);

impl text::Write for OneLine<'_, '_> {
    fn write_str(&mut self, piece: &str) -> text::Result {
        // Fast path: most pieces have no control characters. Those beyond ASCII all begin with the byte 0xC2.
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

/// RFC 3339 in UTC with milliseconds: sorts as text and does not depend on the machine's zone.
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

    /// A writer whose output can be read afterwards.
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

    fn logged(level: Level, json: bool, events: impl FnOnce()) -> String {
        let lines = Lines::default();
        let style = Style { level, json, keep_days: 1, on_stderr: false };
        tracing::subscriber::with_default(subscriber(style, lines.clone()), events);
        String::from_utf8(lines.0.lock().unwrap().clone()).unwrap()
    }

    fn log_request() {
        log_request_with("GET");
    }

    fn log_request_with(method: &str) {
        request(&RequestEntry {
            id: "r-1",
            method,
            route: "/customers/{id}",
            status: 200,
            took: Duration::from_micros(1234),
            peer: IpAddr::from([192, 0, 2, 7]),
            is_authenticated: true,
            who: None,
        });
    }

    #[test]
    fn a_request_is_logged_as_one_line() {
        let line = logged(Level::INFO, false, log_request);
        assert_eq!(line.lines().count(), 1);
        let (time, rest) = line.split_once(' ').unwrap();
        assert!(
            time.parse::<Timestamp>().is_ok() && time.len() == "2026-11-21T08:00:00.000Z".len(),
            "{time}"
        );
        let fields = r#"id="r-1" method="GET" route="/customers/{id}" status=200 micros=1234 peer=192.0.2.7"#;
        assert_eq!(rest.trim(), format!("INFO access: {fields}"));
        let long = logged(Level::INFO, false, || log_request_with(&"X".repeat(10_000)));
        assert!(long.contains(r#"method="-" route"#), "{long}");
    }

    #[test]
    fn a_request_is_logged_as_one_json_object() {
        let line = logged(Level::INFO, true, log_request);
        let object: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(object["target"], "access");
        assert_eq!(object["level"], "INFO");
        assert_eq!((&object["status"], &object["micros"]), (&200.into(), &1234.into()));
        assert_eq!(object["peer"], "192.0.2.7");
        assert!(object["timestamp"].as_str().unwrap().parse::<Timestamp>().is_ok());
    }

    #[test]
    fn an_event_is_always_one_line() {
        let events = || tracing::error!(cause = "line\nline", "one\ntwo \u{1b}[31m\u{9b}31m, São");
        let line = logged(Level::INFO, false, events);
        assert_eq!(
            line.split_once(" ERROR ").unwrap().1,
            concat!(module_path!(), ": one two  [31m 31m, São cause=\"line\\nline\"\n")
        );
        assert_eq!(logged(Level::INFO, true, events).lines().count(), 1);
    }

    #[test]
    fn the_level_applies_to_our_events_and_other_crates_are_logged_from_warn_on() {
        let events = || {
            tracing::debug!("ours");
            tracing::info!(target: "hyper", "header: a secret");
            tracing::warn!(target: "hyper", "theirs");
            log_request();
        };
        let debug = logged(Level::DEBUG, false, events);
        assert!(debug.contains("ours") && debug.contains("theirs") && debug.contains("access"), "{debug}");
        assert!(!debug.contains("secret"), "{debug}");
        let error = logged(Level::ERROR, false, events);
        assert_eq!(error, "");
    }

    #[test]
    fn a_missing_folder_is_an_error_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let style = Style { level: Level::INFO, json: false, keep_days: 14, on_stderr: false };
        assert!(start(&folder.path().join("missing"), style).is_err());
    }
}

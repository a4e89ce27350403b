//! The log's files, one a day, and the thread that writes them: nobody who has something to say waits for a disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use tracing_subscriber::fmt::MakeWriter;

use crate::files;

/// How many lines may wait to be written. Beyond that they are dropped rather than keep anybody waiting; the queue is made
/// for so many at the start, and each place takes 32 bytes.
const WAITING: usize = 8 * 1024;

/// How long after the first line that waits they are written, all with one call: to wake the thread and to write cost more
/// than all else about a line.
const TOGETHER: Duration = Duration::from_millis(5);

/// The lines that wait for the thread that writes.
#[derive(Clone)]
pub(super) struct LineQueue(Sender<Vec<u8>>);

impl Write for LineQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if !line.is_empty() {
            let _ = self.0.try_send(line.to_vec());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for LineQueue {
    type Writer = LineQueue;

    fn make_writer(&self) -> LineQueue {
        self.clone()
    }
}

/// The thread that writes. Dropped, it writes what is still waiting and ends.
pub(super) struct DailyWriter {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for DailyWriter {
    fn drop(&mut self) {
        self.stop = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Begins to write what is put into the queue.
///
/// # Errors
/// Why there can be no such thread.
pub(super) fn start(file: DailyFile) -> io::Result<(LineQueue, DailyWriter)> {
    let (queue, lines) = bounded(WAITING);
    let (stop, stopped) = bounded(0);
    let thread = std::thread::Builder::new().name("pleito-log".to_owned());
    let thread = thread.spawn(move || write(file, &lines, &stopped))?;
    Ok((LineQueue(queue), DailyWriter { stop: Some(stop), thread: Some(thread) }))
}

fn write(mut file: DailyFile, lines: &Receiver<Vec<u8>>, stopped: &Receiver<()>) {
    let mut goes_on = true;
    while goes_on {
        let mut waiting = select! {
            recv(lines) -> line => line.unwrap_or_default(),
            recv(stopped) -> _ => Vec::new(),
        };
        goes_on = stopped.recv_timeout(TOGETHER) == Err(RecvTimeoutError::Timeout);
        waiting.extend(lines.try_iter().flatten());
        // The log is where a failure would be told.
        let _ = file.append(&waiting);
    }
}

/// The file of the day (UTC, as the lines in it), readable by the user alone. The first line of a day begins a new file
/// and removes those that are too old.
///
/// tracing-appender's rolling leaves the mode of its files to the umask, and counts files where the office counts days.
pub(super) struct DailyFile {
    folder: PathBuf,
    keep_days: u16,
    now: Box<dyn Fn() -> Timestamp + Send>,
    day: Date,
    file: File,
}

impl DailyFile {
    /// That of today, which goes on where there is one.
    pub fn open(
        folder: &Path,
        keep_days: u16,
        now: impl Fn() -> Timestamp + Send + 'static,
    ) -> io::Result<DailyFile> {
        let day = day_of(now());
        let file = open(folder, day)?;
        let daily = DailyFile { folder: folder.to_owned(), keep_days, now: Box::new(now), day, file };
        daily.remove_old();
        Ok(daily)
    }

    /// How much is in today's, in bytes.
    pub fn length(&self) -> io::Result<u64> {
        self.file.metadata().map(|metadata| metadata.len())
    }

    /// Puts lines behind those that are there.
    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let today = day_of((self.now)());
        // Where the new day's file cannot be opened, yesterday's goes on.
        if today != self.day
            && let Ok(file) = open(&self.folder, today)
        {
            (self.file, self.day) = (file, today);
            self.remove_old();
        }
        self.file.write_all(lines)
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

fn day_of(now: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(now).date()
}

fn day_in(file_name: &str) -> Option<Date> {
    file_name.strip_prefix("pleito.")?.strip_suffix(".log")?.parse().ok()
}

fn open(folder: &Path, day: Date) -> io::Result<File> {
    files::private().append(true).create(true).open(folder.join(format!("pleito.{day}.log")))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

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
        let mut daily = DailyFile::open(folder.path(), 2, move || *clock.lock().unwrap()).unwrap();
        daily.append(b"last of February\n").unwrap();
        // The name that is no day's and the file that is no log of ours stay.
        let kept = ["notes.txt", "pleito.2026-02-27.log", "pleito.2026-02-28.log", "pleito.2026-02-31.log"];
        assert_eq!(names(folder.path()), kept);

        *now.lock().unwrap() = "2026-03-01T00:00:00Z".parse().unwrap();
        daily.append(b"first of March\n").unwrap();
        let kept = ["notes.txt", "pleito.2026-02-28.log", "pleito.2026-02-31.log", "pleito.2026-03-01.log"];
        assert_eq!(names(folder.path()), kept);
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
            DailyFile::open(folder.path(), 14, at).unwrap().append(line.as_bytes()).unwrap();
        }
        let file = folder.path().join("pleito.2026-03-01.log");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\ntwo\n");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_waits_is_written_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let at = || "2026-03-01T12:00:00Z".parse::<Timestamp>().unwrap();
        let (queue, writer) = start(DailyFile::open(folder.path(), 14, at).unwrap()).unwrap();
        for line in 0..1000 {
            writeln!(queue.make_writer(), "{line}").unwrap();
        }
        drop(writer);
        let written = std::fs::read_to_string(folder.path().join("pleito.2026-03-01.log")).unwrap();
        assert_eq!(written.lines().count(), 1000);
        assert!(written.ends_with("\n999\n"));
    }
}

//! Daily log files, and the thread that writes them, so that no other thread waits for the disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select, unbounded};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use tracing_subscriber::fmt::MakeWriter;

use crate::files;

/// Maximum number of queued lines; further ones are dropped, so that no thread has to wait.
const MAX_QUEUED_LINES: usize = 8 * 1024;

/// Delay after the first queued line. All lines queued by then are written with one call, because waking the
/// thread and writing cost more than everything else about a line.
const BATCH_DELAY: Duration = Duration::from_millis(5);

/// Queue of lines for the writing thread.
#[derive(Clone)]
pub(super) struct LineQueue(Sender<Vec<u8>>);

impl Write for LineQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if !line.is_empty() && self.0.len() < MAX_QUEUED_LINES {
            let _ = self.0.send(line.to_vec());
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

/// Handle of the writing thread. Dropping it writes the queued lines and ends the thread.
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

/// Starts the writing thread.
pub(super) fn start(file: DailyFile) -> io::Result<(LineQueue, DailyWriter)> {
    // A bounded queue would allocate all of its places at the start.
    let (queue, lines) = unbounded();
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
        goes_on = stopped.recv_timeout(BATCH_DELAY) == Err(RecvTimeoutError::Timeout);
        for line in lines.try_iter() {
            waiting.extend_from_slice(&line);
        }
        // A failure to write the log cannot be logged.
        let _ = file.append(&waiting);
    }
}

/// The log file of the day (UTC, like the lines in it), readable only by the user. The first line of a day
/// starts a new file and removes the expired ones.
///
/// tracing-appender is not used: its rolling files get their mode from the umask, and it limits the number of
/// files instead of their age.
pub(super) struct DailyFile {
    folder: PathBuf,
    keep_days: u16,
    now: Box<dyn Fn() -> Timestamp + Send>,
    day: Date,
    file: File,
}

impl DailyFile {
    /// Opens today's file, and appends to it if it exists.
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

    /// Returns the length of the current file in bytes.
    pub fn length(&self) -> io::Result<u64> {
        self.file.metadata().map(|metadata| metadata.len())
    }

    /// Appends lines, after switching to a new file if the day has changed.
    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let today = day_of((self.now)());
        // If the new file cannot be opened, yesterday's is continued.
        if today != self.day
            && let Ok(file) = open(&self.folder, today)
        {
            (self.file, self.day) = (file, today);
            self.remove_old();
        }
        self.file.write_all(lines)
    }

    /// Removes expired files. One that cannot be removed is left for the next day, because logging must not
    /// fail.
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
    files::append_private(&folder.join(format!("pleito.{day}.log")))
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
    fn each_day_has_its_file_and_old_files_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["pleito.2026-02-26.log", "pleito.2026-02-27.log", "pleito.2026-02-31.log", "notes.txt"] {
            std::fs::write(folder.path().join(name), "old").unwrap();
        }
        let now = Arc::new(Mutex::new("2026-02-28T23:59:59Z".parse::<Timestamp>().unwrap()));
        let clock = Arc::clone(&now);
        let mut daily = DailyFile::open(folder.path(), 2, move || *clock.lock().unwrap()).unwrap();
        daily.append(b"last of February\n").unwrap();
        // The file with an invalid date and the file that is not a log are kept.
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
    fn queued_lines_are_written_before_the_writer_ends() {
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

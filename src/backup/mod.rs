//! Backups: made on schedule and on demand, kept for as long as the settings require, and restored
//! (product 7).
//!
//! A backup is one file (`file`) with a copy of the store at one moment. The copy is made while the server
//! runs and is verified before it counts. Everything here works from any process, with or without a running
//! server. Locks in the data folder and in the backup folder (`lock`) let only one process at a time make, remove or restore a
//! backup.
//!
//! `list` has the files of the folder, `file` their format, `file_name` their names; `make`, `unpack` and `restore` are
//! the ways out and back, `contents` the files of documents, `encryption` and `secrets` keys and passphrases,
//! `schedule` when, `retention` how long, `test_restore` the monthly test, `state` what the last one did.

mod contents;
mod encryption;
mod failed;
mod file;
mod file_name;
mod list;
mod lock;
mod make;
mod restore;
mod retention;
pub mod schedule;
mod secrets;
mod state;
mod test_restore;
mod unpack;

use std::fs::DirEntry;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use tokio::sync::watch;

pub use failed::Failed;
pub use file::{About, BackupReason};
pub use list::BackupFile;
pub use restore::Restored;
pub use schedule::BackupThread;
pub use secrets::{BackupSecret, Encryption, KeyFault, KeyPair};
pub use state::{BackupFailure, LastBackup, Outcome};
pub use test_restore::{TestCounts, TestOutcome, Tested};

use crate::clock::{Clock, folder_answers};
use crate::config::folders::{BACKUPS, IMPORTS, REPLICA, SCRATCH};
use crate::config::{Config, settings};
use crate::domain::{Bilingual, Day, Lang};
use crate::files::{self, beside};
use crate::progress::{Progress, ProgressSink, no_progress};
use crate::store::{COMPANIONS, FILE, Store};
use schedule::ClockReading;

/// Extension of unfinished files, which the holder of the lock may remove.
const PART: &str = ".pleito-part";

/// Time that the backup folder has to answer: a disk that was asleep takes ten seconds.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(20);

/// Folders in a data folder that the server empties when it starts.
const EMPTIED: [&str; 2] = [IMPORTS, SCRATCH];

const CHECKING: Bilingual = ("verificando a cópia", "checking the copy");
const READING_BACK: Bilingual = ("relendo o backup", "reading the backup again");

#[derive(Clone)]
pub struct Backups {
    data: PathBuf,
    zone: TimeZone,
    clock: Clock,
    settings: Arc<dyn Fn() -> settings::Backup + Send + Sync>,
    /// Changes with every attempt of this process.
    attempts: watch::Sender<u64>,
    on_progress: ProgressSink,
    /// Encrypts new backups instead of the keys in the settings.
    passphrase: Option<BackupSecret>,
    /// Opens encrypted backups.
    secret: Option<BackupSecret>,
}

impl Backups {
    /// Creates the backups of the data folder `data`. `settings` returns the settings in force.
    pub fn new(
        data: PathBuf,
        zone: TimeZone,
        clock: Clock,
        settings: impl Fn() -> settings::Backup + Send + Sync + 'static,
    ) -> Backups {
        let settings = Arc::new(settings);
        let attempts = watch::Sender::new(0);
        Backups {
            data,
            zone,
            clock,
            settings,
            attempts,
            on_progress: no_progress(),
            passphrase: None,
            secret: None,
        }
    }

    /// Creates the backups of a program that reads the settings only once.
    pub fn of(config: &Config, clock: Clock) -> Backups {
        let settings = config.settings.backup.clone();
        let zone = config.settings.office.time_zone.clone();
        Backups::new(config.folders.data.clone(), zone, clock, move || settings.clone())
    }

    /// Returns a copy that reports its progress to `on_progress`.
    pub fn with_progress(&self, on_progress: ProgressSink) -> Backups {
        Backups { on_progress, ..self.clone() }
    }

    /// Returns a copy whose new backups are encrypted to a passphrase.
    pub fn with_passphrase(&self, passphrase: BackupSecret) -> Backups {
        Backups { passphrase: Some(passphrase), ..self.clone() }
    }

    /// Returns a copy that opens encrypted backups with `secret`.
    pub fn with_secret(&self, secret: BackupSecret) -> Backups {
        Backups { secret: Some(secret), ..self.clone() }
    }

    /// Returns the secret that a restore of `backup`, or of the newest backup, needs. `None` if it is not encrypted.
    pub fn encryption(&self, backup: Option<&Path>) -> Option<Encryption> {
        let about = match backup {
            Some(backup) => file::about(backup).ok().flatten(),
            None => self.latest().ok()?.into_iter().find(BackupFile::is_regular)?.about,
        };
        about?.encryption
    }

    pub fn progress_sink(&self) -> ProgressSink {
        self.on_progress.clone()
    }

    /// Reports the done and the total bytes of a step.
    fn report_bytes(&self, what: Bilingual) -> impl Fn(u64, u64) + '_ {
        move |done, all| _ = (self.on_progress)(Progress::of_bytes(what, done, all))
    }

    /// Reports the start of a step whose length is unknown.
    fn report_start(&self, what: Bilingual) {
        (self.on_progress)(Progress::of(what, 0, 0));
    }

    pub fn folder(&self) -> PathBuf {
        self.settings().folder(&self.data)
    }

    /// Returns the backup folder. Fails if it hangs, the server empties it, or the disk that had it is missing.
    fn usable_folder(&self) -> Result<PathBuf, Failed> {
        let folder = self.folder();
        if !folder_answers(&folder, MAX_ANSWER_TIME) {
            return Err(Failed::FolderHangs(folder));
        }
        let real = files::real_path(&folder);
        let inside = real.strip_prefix(files::real_path(&self.data)).ok();
        let top = inside.and_then(|inside| inside.iter().next());
        // Windows and macOS do not distinguish case.
        if top.is_some_and(|top| EMPTIED.iter().any(|name| top.eq_ignore_ascii_case(name))) {
            return Err(Failed::EmptiedFolder(folder));
        }
        match self.is_disk_missing(&folder) {
            true => Err(Failed::DiskMissing(folder)),
            false => Ok(folder),
        }
    }

    /// Signals every attempt of this process. [`Backups::last`] returns the outcome.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.attempts.subscribe()
    }

    /// Returns the code of a failure that someone should see to: of the last backup, or of the last test.
    pub fn trouble(&self) -> Option<&'static str> {
        let failed = self.last().is_some_and(|last| last.problem.is_some()).then_some("backup-failed");
        let test_failed = || self.last_test().is_some_and(|last| last.problem.is_some());
        failed.or_else(|| test_failed().then_some("backup-test-failed"))
    }

    pub fn settings(&self) -> settings::Backup {
        (self.settings)()
    }

    /// Reads both clocks.
    pub fn moment(&self) -> ClockReading {
        ClockReading { now: self.clock.now(), monotonic: self.clock.monotonic() }
    }

    /// Makes a backup in the backup folder, then removes those that need not be kept any more. Waits for a
    /// backup in progress. Stores the outcome for [`Backups::last`]. If it fails, no other backup is removed.
    pub fn make(&self, reason: BackupReason) -> Result<BackupFile, Failed> {
        let made = self.lock().and_then(|_locks| {
            let highest = self.highest_sequence()?;
            let (made, needed) = self.make_in(&self.folder(), reason, highest, |about| {
                file_name::file_name(about, &self.zone).into()
            })?;
            self.remove_expired(&made);
            let sequence = made.about.as_ref().and_then(|about| about.sequence);
            self.remove_unneeded_contents(&needed, sequence.unwrap_or_default());
            Ok(made)
        });
        match &made {
            Ok(made) => tracing::info!(file = %made.path.display(), "a backup was made"),
            Err(failed) => {
                let reason = failed.message(Lang::En);
                let cause = failed.detail();
                tracing::error!(reason, cause, "no backup could be made");
            }
        }
        self.note(&made);
        self.attempts.send_modify(|attempts| *attempts += 1);
        made
    }

    /// Makes a backup in a new file at this path. Such a file is never removed automatically. Fails if the
    /// file exists.
    pub fn make_at(&self, to: &Path) -> Result<BackupFile, Failed> {
        // Elsewhere, the backup folder is not needed, and may be missing or hang.
        let _locks = match files::folder_of(to) == self.folder() {
            true => self.lock()?,
            false => self.lock_to_read(),
        };
        let of_file = |cause| Failed::File(to.to_owned(), cause);
        if to.is_dir() {
            return Err(Failed::IsFolder(to.to_owned()));
        }
        if !files::folder_of(to).exists() {
            return Err(Failed::FolderMissing(files::folder_of(to).to_owned()));
        }
        if to.try_exists().map_err(of_file)? {
            return Err(of_file(ErrorKind::AlreadyExists.into()));
        }
        let name = to.file_name().ok_or_else(|| of_file(ErrorKind::InvalidInput.into()))?;
        Backups::clear_beside(to);
        let highest = self.highest_sequence().unwrap_or_default();
        let made = self.make_in(files::folder_of(to), BackupReason::Requested, highest, |_| name.into());
        made.map(|(made, _)| made)
    }

    /// Verifies a backup as a restore does, and changes nothing. Of an encrypted one without its secret, only the checksum
    /// is verified; [`About::encryption`] tells that.
    pub fn verify(&self, backup: &Path) -> Result<Option<About>, Failed> {
        let _locks = self.lock_to_read();
        if self.secret.is_none() && self.encryption(Some(backup)).is_some() {
            return self.verify_intact(backup).map(Some);
        }
        let unpacked = self.unpack_and_verify(backup)?;
        Ok(unpacked.about.clone())
    }

    /// Verifies the checksum of an encrypted backup.
    fn verify_intact(&self, backup: &Path) -> Result<About, Failed> {
        encryption::verify_intact(backup, &self.report_bytes(READING_BACK))
    }

    /// Removes the backups that the settings no longer keep, after `newest` was made. Stores replaced by a
    /// restore, those of other data folders and those with a name that people gave are always kept.
    fn remove_expired(&self, newest: &BackupFile) {
        let mut all: Vec<(PathBuf, Day)> = Vec::new();
        let listed = self.list().unwrap_or_default();
        let is_own = self.ownership(&listed);
        for one in listed.into_iter().rev().filter(BackupFile::is_regular) {
            let is_of_series = is_own(&one) && one.has_given_name();
            if let Some(about) = one.about.filter(|_| is_of_series) {
                let day = about.made_at.to_zoned(self.zone.clone()).date();
                all.push((one.path, Day::on_calendar(day)));
            }
        }
        if all.last().is_none_or(|(path, _)| *path != newest.path) {
            return;
        }
        let days: Vec<Day> = all.iter().map(|(_, day)| *day).collect();
        for gone in retention::expired(&days, self.settings().keep) {
            if let Some((path, _)) = all.get(gone) {
                match std::fs::remove_file(path) {
                    Ok(()) => tracing::info!(file = %path.display(), "an old backup was removed"),
                    Err(cause) => {
                        tracing::warn!(%cause, file = %path.display(), "an old backup could not be removed")
                    }
                }
            }
        }
    }
}

/// Returns `true` if a data folder has no store, but had one, or has the configuration of its replica or backups.
pub fn is_store_lost(data: &Path) -> bool {
    let had_store = || Store::was_in(data) || data.join(REPLICA).exists() || has_backups(data);
    !data.join(FILE).exists() && had_store()
}

/// Returns `true` if an office in a data folder has made backups, or a restore has kept its data there.
fn has_backups(data: &Path) -> bool {
    let folders = [data.to_owned(), data.join(BACKUPS)];
    let mut names =
        folders.iter().flat_map(std::fs::read_dir).flatten().flatten().map(|entry| entry.file_name());
    names.any(|name| {
        let name = name.to_string_lossy();
        file_name::is_backup(&name) || name.starts_with(restore::KEPT_FILES) || name == state::STATE
    })
}

/// Fails if a copy of that length would not leave enough disk space for the server.
fn ensure_room(folder: &Path, length: u64) -> Result<(), Failed> {
    match files::has_room(folder, length).map_err(|cause| Failed::File(folder.to_owned(), cause))? {
        true => Ok(()),
        false => Err(Failed::NoRoom(folder.to_owned())),
    }
}

/// Removes the files of a folder with such names.
fn remove_named(folder: &Path, min_age: Duration, is_left: impl Fn(&str) -> bool) {
    let is_old = |entry: &DirEntry| {
        let modified = entry.metadata().and_then(|file| file.modified()).ok();
        min_age.is_zero() || modified.and_then(|at| at.elapsed().ok()).is_some_and(|age| age >= min_age)
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_left(&entry.file_name().to_string_lossy()) && is_old(&entry) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Returns the remark on a backup without an age.
pub fn dated_after_now(lang: Lang) -> &'static str {
    lang.pick(
        "data no futuro: o relógio estava adiantado, ou está atrasado agora",
        "a date in the future: the clock was ahead then, or is behind now",
    )
}

/// A file in the data folder that is removed on drop, along with SQLite's files beside it.
struct Temporary(PathBuf);

impl Temporary {
    fn new(data: &Path, name: &str) -> Temporary {
        // A random name, because not every process has the lock.
        let temporary = Temporary(data.join(format!("{name}-{:08x}{PART}", rand::random::<u32>())));
        temporary.remove();
        temporary
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn remove(&self) {
        for companion in COMPANIONS.into_iter().chain([""]) {
            let _ = std::fs::remove_file(beside(&self.0, companion));
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.remove();
    }
}

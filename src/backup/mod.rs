//! Backups: made on time and on demand, kept for as long as the settings say, and put back in place (product 7).
//!
//! A backup is a copy of the store at one moment, made while the server answers, looked through before it counts, and
//! one file (`file`). Everything here works from any process, whether or not the server runs; one lock in the folder of
//! the backups lets one at a time make, remove or restore one.

mod contents;
mod failed;
mod file;
mod keep;
mod restore;
pub mod schedule;
mod state;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use tokio::sync::watch;

pub use failed::Failed;
pub use file::{About, BackupReason};
pub use restore::Restored;
pub use schedule::Keeper;
pub use state::{BackupFailure, Outcome};

use crate::clock::Clock;
use crate::config::{Config, settings};
use crate::domain::{Bilingual, Day, Lang};
use crate::files;
use crate::progress::{Hearing, Progress, unheard};
use crate::store::{self, copy, documents};
use contents::Needed;
use file::ENDING;
use schedule::ClockReading;

const LOCK: &str = "backups.lock";
/// What the names of unfinished files end with; whoever has the lock may remove them.
const PART: &str = ".pleito-part";
/// What SQLite may put beside a database.
const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];
/// What a copy needs beside its own size, so that it is not the backup that leaves the server without room.
const ROOM: u64 = 64 * 1024 * 1024;

/// What is told of while it is done.
const COPYING: Bilingual = ("copiando os dados", "copying the data");
const CHECKING: Bilingual = ("verificando a cópia", "checking the copy");
const PACKING: Bilingual = ("compactando", "packing");
const READING_BACK: Bilingual = ("relendo o backup", "reading the backup again");

/// The backups of a data folder.
#[derive(Clone)]
pub struct Backups {
    data: PathBuf,
    zone: TimeZone,
    clock: Clock,
    settings: Arc<dyn Fn() -> settings::Backup + Send + Sync>,
    /// Moves with every attempt of this process.
    attempts: watch::Sender<u64>,
    hears: Hearing,
}

/// A file in the folder of the backups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFile {
    /// The file.
    pub path: PathBuf,
    /// What it says of itself; none where it was cut off or is no backup at all.
    pub about: Option<About>,
}

impl Backups {
    /// Those of the data folder `data`. `settings` answers the settings in force.
    pub fn new(
        data: PathBuf,
        zone: TimeZone,
        clock: Clock,
        settings: impl Fn() -> settings::Backup + Send + Sync + 'static,
    ) -> Backups {
        let (settings, attempts) = (Arc::new(settings), watch::Sender::new(0));
        Backups { data, zone, clock, settings, attempts, hears: unheard() }
    }

    /// Those of a program that only reads the settings once.
    pub fn of(config: &Config, clock: Clock) -> Backups {
        let settings = config.settings.backup.clone();
        let zone = config.settings.office.time_zone.clone();
        Backups::new(config.folders.data.clone(), zone, clock, move || settings.clone())
    }

    /// The same, while whose work `hears` hears how far it is.
    pub fn heard_by(&self, hears: Hearing) -> Backups {
        Backups { hears, ..self.clone() }
    }

    /// Who hears how far they are.
    pub fn hearing(&self) -> Hearing {
        self.hears.clone()
    }

    /// Tells how many bytes of that are done, of how many.
    fn tell_bytes(&self, what: Bilingual) -> impl Fn(u64, u64) + '_ {
        move |done, all| _ = (self.hears)(Progress::of_bytes(what, done, all))
    }

    /// Tells that something has begun of which nobody knows how far it is.
    fn tell(&self, what: Bilingual) {
        (self.hears)(Progress::of(what, 0, 0));
    }

    /// The folder in which they are kept.
    pub fn folder(&self) -> PathBuf {
        self.settings().folder(&self.data)
    }

    /// Hears of every attempt of this process; how it went says [`Backups::last`].
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.attempts.subscribe()
    }

    /// The settings in force.
    pub fn settings(&self) -> settings::Backup {
        (self.settings)()
    }

    /// Now, on both clocks.
    pub fn moment(&self) -> ClockReading {
        ClockReading { now: self.clock.now(), monotonic: self.clock.monotonic() }
    }

    /// All files that may be backups, the one made last first, as [`About::sequence`] says and not their dates; then those of
    /// versions before that number, the latest date first but one that lies after now last; at the end those that say
    /// nothing of themselves.
    ///
    /// # Errors
    /// Why the folder cannot be read. One that is not there yet is empty.
    pub fn list(&self) -> Result<Vec<BackupFile>, Failed> {
        let folder = self.folder();
        let in_folder = |cause| Failed::File(folder.clone(), cause);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(in_folder(cause)),
        };
        let mut all = Vec::new();
        for entry in entries {
            let path = entry.map_err(in_folder)?.path();
            if path.to_string_lossy().ends_with(ENDING) {
                // One that vanishes meanwhile, or cannot be read, says nothing.
                let about = file::about(&path).unwrap_or_default();
                all.push(BackupFile { path, about });
            }
        }
        let now = self.clock.now();
        let made = |one: &BackupFile| {
            one.about.as_ref().map(|about| (about.sequence, about.age(now).is_some(), about.made_at))
        };
        all.sort_by(|a, b| made(b).cmp(&made(a)).then_with(|| b.path.cmp(&a.path)));
        Ok(all)
    }

    /// Makes one in the folder of the backups, then removes those that need not be kept any more. Waits for one that is
    /// under way. The outcome is noted for those who ask later, see [`Backups::last`].
    ///
    /// # Errors
    /// Why there is none; those that were there are left alone then.
    pub fn make(&self, reason: BackupReason) -> Result<BackupFile, Failed> {
        let made = self.lock().and_then(|_lock| {
            let (made, needed) = self.make_in(&self.folder(), reason, |about| self.name(about).into())?;
            self.thin(&made);
            let sequence = made.about.as_ref().and_then(|about| about.sequence);
            self.thin_contents(&needed, sequence.unwrap_or_default());
            Ok(made)
        });
        match &made {
            Ok(made) => tracing::info!(file = %made.path.display(), "a backup was made"),
            Err(failed) => {
                let (reason, cause) = (failed.say(Lang::En), failed.detail());
                tracing::error!(reason, cause, "no backup could be made");
            }
        }
        self.note(&made);
        self.attempts.send_modify(|attempts| *attempts += 1);
        made
    }

    /// Makes one in a file of that name, which must not exist. It is nobody's to remove but the owner's.
    ///
    /// # Errors
    /// Why there is none.
    pub fn make_at(&self, to: &Path) -> Result<BackupFile, Failed> {
        let _lock = self.lock()?;
        let of_file = |cause| Failed::File(to.to_owned(), cause);
        if to.try_exists().map_err(of_file)? {
            return Err(of_file(std::io::ErrorKind::AlreadyExists.into()));
        }
        let name = to.file_name().ok_or_else(|| of_file(std::io::ErrorKind::InvalidInput.into()))?;
        self.make_in(files::folder_of(to), BackupReason::Asked, |_| name.into()).map(|(made, _)| made)
    }

    /// Looks through a backup as a restore does, and changes nothing.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify(&self, backup: &Path) -> Result<Option<About>, Failed> {
        let _lock = self.lock()?;
        let trial = self.trial(backup)?;
        Ok(trial.about.clone())
    }

    /// Makes one in `folder`, by the name that it is given once it is known what it says of itself. With the contents that
    /// it needs, which stand beside it.
    fn make_in(
        &self,
        folder: &Path,
        reason: BackupReason,
        name: impl FnOnce(&About) -> PathBuf,
    ) -> Result<(BackupFile, Needed), Failed> {
        let in_folder = |cause| Failed::File(folder.to_owned(), cause);
        let part = tempfile::Builder::new().suffix(PART).tempfile_in(folder).map_err(in_folder)?;
        let (about, needed) = self.pack(&part, reason)?;
        self.copy_contents(&needed, folder)?;
        let path = folder.join(name(&about));
        files::persist(part, &path).map_err(|cause| Failed::File(path.clone(), cause))?;
        Ok((BackupFile { path, about: Some(about) }, needed))
    }

    /// Copies the store, looks through the copy, packs it into `part`, and reads that back. With the contents that it needs.
    fn pack(&self, part: &NamedTempFile, reason: BackupReason) -> Result<(About, Needed), Failed> {
        let made_at = self.clock.now();
        let copied = Temporary::new(&self.data, "backup-copy");
        let store = self.data.join(store::FILE);
        let length = std::fs::metadata(&store).map_err(|cause| Failed::File(store, cause))?.len();
        self.has_room(length)?;
        let copying = self.tell_bytes(COPYING);
        let held = copy::copy(&self.data, copied.path(), |done, all| {
            copying(done, all);
            Ok::<_, Failed>(())
        })?;
        self.tell(CHECKING);
        // The copy of a store that is damaged is damaged as well. That of an older schema is brought up to date.
        let contents = copy::try_out(copied.path())?;
        if (contents.customers, contents.lawsuits) != (held.customers, held.lawsuits) {
            let cause = format!("the copy holds {contents:?}, the store {held:?}");
            return Err(Failed::Store(store::Error::Defect(cause)));
        }
        let sequence = self.next_sequence(contents.change)?;
        let of_part = |cause| Failed::File(part.path().to_owned(), cause);
        let to = part.as_file();
        let (packing, reading) = (self.tell_bytes(PACKING), self.tell_bytes(READING_BACK));
        let about = file::pack(copied.path(), contents, made_at, reason, sequence, to, &packing);
        let about = about.map_err(of_part)?;
        file::unpack(part.path(), &mut std::io::sink(), &reading)?;
        Ok((about, documents::contents_in(copied.path())?))
    }

    /// The number of a backup that holds the store up to its `change`. The store's number alone would not do: it is a low one
    /// again where somebody begins anew, or puts a file in place by hand, and the backups from before are still there.
    fn next_sequence(&self, change: u64) -> Result<u64, Failed> {
        let highest = self.list()?.iter().filter_map(|one| one.about.as_ref()?.sequence).max();
        Ok(highest.map_or(change, |highest| change.max(highest.saturating_add(1))))
    }

    /// Whether a copy of that length leaves enough room on the disk for the server itself.
    fn has_room(&self, length: u64) -> Result<(), Failed> {
        let room =
            fs4::available_space(&self.data).map_err(|cause| Failed::File(self.data.clone(), cause))?;
        if room < length.saturating_add(ROOM) { Err(Failed::NoRoom(self.data.clone())) } else { Ok(()) }
    }

    /// `pleito-2026-06-17-120000-v0.1.0-s2-c10-p7-9f86d081.db.zst`: the office's time, the version, the schema, how many
    /// customers and lawsuits (`processos`), and the first of the checksum.
    fn name(&self, about: &About) -> String {
        let at = about.made_at.to_zoned(self.zone.clone()).strftime("%Y-%m-%d-%H%M%S").to_string();
        let kind = if about.reason == BackupReason::Replaced { "-replaced" } else { "" };
        let sum = about.sha256.get(..8).unwrap_or_default();
        let (version, schema) = (&about.version, about.schema);
        format!(
            "pleito-{at}{kind}-v{version}-s{schema}-c{}-p{}-{sum}{ENDING}",
            about.customers, about.lawsuits
        )
    }

    /// Removes what the settings no longer keep, now that `newest` is there. What a restore replaced always stays.
    fn thin(&self, newest: &BackupFile) {
        let mut all: Vec<(PathBuf, Day)> = Vec::new();
        for one in self.list().unwrap_or_default().into_iter().rev().filter(BackupFile::is_regular) {
            if let Some(about) = one.about {
                let day = about.made_at.to_zoned(self.zone.clone()).date();
                all.push((one.path, Day::on_calendar(day)));
            }
        }
        if all.last().is_none_or(|(path, _)| *path != newest.path) {
            return;
        }
        let days: Vec<Day> = all.iter().map(|(_, day)| *day).collect();
        for gone in keep::may_go(&days, self.settings().keep) {
            if let Some((path, _)) = all.get(gone) {
                match std::fs::remove_file(path) {
                    Ok(()) => tracing::info!(file = %path.display(), "an old backup was removed"),
                    Err(cause) => tracing::warn!(%cause, file = %path.display(), "an old backup stays"),
                }
            }
        }
    }

    /// Makes the folder, and lets no other process in until the lock is dropped.
    fn lock(&self) -> Result<File, Failed> {
        let folder = self.folder();
        let of_folder = |cause| Failed::File(folder.clone(), cause);
        files::private_dir(&folder).map_err(of_folder)?;
        let lock = files::private().create(true).truncate(false).open(folder.join(LOCK));
        let lock = lock.map_err(of_folder)?;
        lock.lock().map_err(of_folder)?;
        self.clear();
        Ok(lock)
    }

    /// Removes what a process that was killed left behind. The lock is held.
    fn clear(&self) {
        for folder in [self.folder(), self.contents_folder(), self.data.clone()] {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let whose = COMPANIONS.iter().find_map(|companion| name.strip_suffix(companion));
                if whose.unwrap_or(&name).ends_with(PART) {
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
    }
}

impl BackupFile {
    /// Whether it is one of those that the settings and `--latest` speak of: not what a restore replaced.
    pub fn is_regular(&self) -> bool {
        self.about.as_ref().is_some_and(|about| about.reason != BackupReason::Replaced)
    }
}

/// What people are told of a backup without an age.
pub fn dated_after_now(lang: Lang) -> &'static str {
    lang.pick(
        "data no futuro: o relógio estava adiantado, ou está atrasado agora",
        "a date in the future: the clock was ahead then, or is behind now",
    )
}

/// A file of the data folder that is gone when this is dropped, with what SQLite may put beside it.
struct Temporary(PathBuf);

impl Temporary {
    fn new(data: &Path, name: &str) -> Temporary {
        // A name of its own for every process: not all of them have the lock.
        let temporary = Temporary(data.join(format!("{name}-{:08x}{PART}", rand::random::<u32>())));
        temporary.remove();
        temporary
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn remove(&self) {
        for companion in COMPANIONS.into_iter().chain([""]) {
            let mut path = self.0.clone().into_os_string();
            path.push(companion);
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.remove();
    }
}

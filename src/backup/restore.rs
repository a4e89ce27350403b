//! Puts a backup in place: looks through it first, keeps what it replaces, and disturbs no process that serves.

use std::path::{Path, PathBuf};

use super::{About, BackupReason, Backups, CHECKING, Failed, Temporary, file};
use crate::domain::Bilingual;
use crate::files::{self, create_private};
use crate::store::copy::{self, Contents};
use crate::store::{self, FILE, Store, documents};

/// What is told of while it is done.
const UNPACKING: Bilingual = ("descompactando o backup", "unpacking the backup");
const PUTTING_IN_PLACE: Bilingual = ("pondo os dados no lugar", "putting the data in place");

/// What a restore did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The backup.
    pub path: PathBuf,
    /// What it says of itself; nothing where it is a plain database.
    pub about: Option<About>,
    /// What is in place now.
    pub contents: Contents,
    /// Where that is which it replaced; none where there was nothing.
    pub kept: Option<PathBuf>,
    /// How many contents of documents are neither in the data folder nor beside the backup.
    pub missing: u64,
}

/// A backup that was unpacked and looked through, ready to be put in place.
pub(super) struct Trial {
    path: PathBuf,
    pub(super) about: Option<About>,
    contents: Contents,
    unpacked: Temporary,
}

impl Backups {
    /// Puts `backup`, or the newest one that is sound, in the place of everything in the store; what a restore replaced is
    /// not among those. What it replaces is kept as a backup, or as it is where it is damaged. `replace` has whoever owns
    /// the store do what [`Backups::replace`] does, with the database that it is given.
    ///
    /// # Errors
    /// `NoneSound`; or why it could not be done; the store is as it was then.
    pub fn restore(
        &self,
        backup: Option<&Path>,
        replace: impl FnOnce(&Path) -> Result<Option<PathBuf>, Failed>,
    ) -> Result<Restored, Failed> {
        let _lock = self.lock()?;
        let Trial { path, about, contents, unpacked } = match backup {
            Some(backup) => self.trial(backup)?,
            None => self.newest_trial()?,
        };
        // Before the rows: a document without its content is not to be seen.
        let missing = self.bring_contents(&documents::contents_in(unpacked.path())?, &path)?;
        let kept = replace(unpacked.path())?;
        Ok(Restored { path, about, contents, kept, missing })
    }

    fn newest_trial(&self) -> Result<Trial, Failed> {
        for one in self.list()?.iter().filter(|one| one.is_regular()) {
            match self.trial(&one.path) {
                Ok(trial) => return Ok(trial),
                Err(failed @ (Failed::Store(_) | Failed::NoRoom(_))) => return Err(failed),
                Err(failed) => {
                    let reason = failed.say(crate::domain::Lang::En);
                    tracing::warn!(reason, "a backup is passed over");
                }
            }
        }
        Err(Failed::NoneSound(self.folder()))
    }

    /// The newest backup that a restore would take, looked through to the last byte; none where there is none.
    pub fn newest_sound(&self) -> Option<About> {
        let all = self.list().unwrap_or_default();
        all.into_iter()
            .filter(super::BackupFile::is_regular)
            .find_map(|one| self.verify(&one.path).ok().flatten())
    }

    pub(super) fn trial(&self, backup: &Path) -> Result<Trial, Failed> {
        let unpacked = Temporary::new(&self.data, "restore");
        // Once unpacked, once in the store's own log.
        let length = file::about(backup).ok().flatten().map_or(0, |about| about.bytes);
        self.has_room(length.saturating_mul(2))?;
        let mut plain = create_private(unpacked.path())
            .map_err(|cause| Failed::File(unpacked.path().to_owned(), cause))?;
        let about = file::unpack(backup, &mut plain, &self.tell_bytes(UNPACKING))?;
        drop(plain);
        self.tell(CHECKING);
        let contents = copy::try_out(unpacked.path()).map_err(|cause| Failed::of_backup(backup, cause))?;
        Ok(Trial { path: backup.to_owned(), about, contents, unpacked })
    }

    /// Puts a database that was tried out in the place of the store, which this process has open as `store` or nobody has,
    /// and answers where that is which it replaced. The token in force stays, unless `with_token` wants the backup's; so do the
    /// daily counts. Whoever asks for it holds the lock on the backups.
    ///
    /// # Errors
    /// Why it could not be done; the store is as it was then.
    pub fn replace(
        &self,
        unpacked: &Path,
        with_token: bool,
        store: Option<&Store>,
    ) -> Result<Option<PathBuf>, Failed> {
        let file = self.data.join(FILE);
        let kept = if file.exists() { Some(self.keep_before(&file, store.is_none())?) } else { None };
        self.tell(PUTTING_IN_PLACE);
        match store {
            Some(store) => store.put_in_place(unpacked, with_token)?,
            None => copy::put_in_place(&self.data, unpacked, with_token)?,
        }
        tracing::warn!("the store was replaced by a backup");
        Ok(kept)
    }

    /// Keeps what is about to be replaced: a sound store as a backup, anything else as the files that it is.
    fn keep_before(&self, store: &Path, alone: bool) -> Result<PathBuf, Failed> {
        match self.make_in(&self.folder(), BackupReason::Replaced, |about| self.name(about).into()) {
            Ok((made, _)) => return Ok(made.path),
            Err(Failed::Store(
                store::Error::Damaged(_)
                | store::Error::Foreign
                | store::Error::Schema(_)
                | store::Error::Newer { .. }
                | store::Error::Defect(_),
            )) => {}
            Err(failed) => return Err(failed),
        }
        let at = self.clock.now().to_zoned(self.zone.clone()).strftime("%Y-%m-%d-%H%M%S").to_string();
        let kept = self.data.join(format!("pleito-replaced-{at}.db"));
        for companion in ["-wal", ""] {
            let (from, to) = (beside(store, companion), beside(&kept, companion));
            if !from.exists() {
                continue;
            }
            let kept = if alone { files::rename(&from, &to) } else { copy_open(&from, &to) };
            kept.map_err(|cause| Failed::File(to, cause))?;
        }
        if alone {
            // It holds nothing that is not in the other two.
            let _ = std::fs::remove_file(beside(store, "-shm"));
        }
        Ok(kept)
    }
}

/// The path with something behind its name.
fn beside(path: &Path, companion: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(companion);
    path.into()
}

/// Copies a file that SQLite has open, perhaps in this very process.
fn copy_open(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut open = std::fs::File::open(from)?;
    let copied = files::copy(&mut open, to);
    // Never closed: that would take back the locks that SQLite holds on it for this process. It ends with the process.
    std::mem::forget(open);
    copied
}

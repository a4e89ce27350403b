//! Puts a backup in place: looks through it first, keeps what it replaces, and disturbs no process that serves.

use std::path::{Path, PathBuf};

use super::{About, Backups, Failed, Reason, Temporary, file, place};
use crate::store::copy::{self, Contents};
use crate::store::{self, FILE, Store};

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
}

/// Who has the store open while a backup takes its place.
pub enum Holder<'a> {
    /// Nobody, and nobody can begin to.
    Nobody,
    /// This process.
    This(&'a Store),
    /// Another process, which is asked to replace it.
    Another(&'a Replace<'a>),
}

/// Does what [`Backups::replace`] does.
pub type Replace<'a> = dyn Fn(&Path, bool) -> Result<Option<PathBuf>, Failed> + 'a;

/// A backup that was unpacked and looked through, ready to be put in place.
pub(super) struct Trial {
    path: PathBuf,
    pub(super) about: Option<About>,
    contents: Contents,
    unpacked: Temporary,
}

impl Backups {
    /// Puts `backup` in the place of everything in the store. What it replaces is kept as a backup, or as it is where it
    /// is damaged. The token in force stays, unless `with_token` wants the backup's; so do the daily counts.
    ///
    /// # Errors
    /// Why it could not be done; the store is as it was then.
    pub fn restore(&self, backup: &Path, with_token: bool, holder: &Holder<'_>) -> Result<Restored, Failed> {
        let _lock = self.lock()?;
        self.put_back(self.trial(backup)?, with_token, holder)
    }

    /// The same with the newest backup that is sound. What a restore replaced is not among them.
    ///
    /// # Errors
    /// `NoneSound`; or why it could not be done.
    pub fn restore_latest(&self, with_token: bool, holder: &Holder<'_>) -> Result<Restored, Failed> {
        let _lock = self.lock()?;
        for one in self.list()?.iter().filter(|one| one.is_regular()) {
            match self.trial(&one.path) {
                Ok(trial) => return self.put_back(trial, with_token, holder),
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
            .filter(super::Listed::is_regular)
            .find_map(|one| self.verify(&one.path).ok().flatten())
    }

    pub(super) fn trial(&self, backup: &Path) -> Result<Trial, Failed> {
        let unpacked = Temporary::new(&self.data, "restore");
        // Once unpacked, once in the store's own log.
        let length = file::about(backup).ok().flatten().map_or(0, |about| about.bytes);
        self.has_room(length.saturating_mul(2))?;
        let mut plain = file::new_private(unpacked.path())
            .map_err(|cause| Failed::File(unpacked.path().to_owned(), cause))?;
        let about = file::unpack(backup, &mut plain)?;
        drop(plain);
        let contents = copy::try_out(unpacked.path()).map_err(|cause| Failed::of_backup(backup, cause))?;
        Ok(Trial { path: backup.to_owned(), about, contents, unpacked })
    }

    fn put_back(&self, trial: Trial, with_token: bool, holder: &Holder<'_>) -> Result<Restored, Failed> {
        let unpacked = trial.unpacked.path();
        let kept = match holder {
            Holder::Nobody => self.replace(unpacked, with_token, None),
            Holder::This(store) => self.replace(unpacked, with_token, Some(store)),
            Holder::Another(replace) => replace(unpacked, with_token),
        }?;
        let Trial { path, about, contents, .. } = trial;
        Ok(Restored { path, about, contents, kept })
    }

    /// Puts a database that was tried out in the place of the store, which this process has open as `store` or nobody has,
    /// and answers where that is which it replaced. Whoever asks for it holds the lock on the backups.
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
        match store {
            Some(store) => store.put_in_place(unpacked, with_token)?,
            None => copy::put_in_place(&self.data, unpacked, with_token)?,
        }
        tracing::warn!("the store was replaced by a backup");
        Ok(kept)
    }

    /// Keeps what is about to be replaced: a sound store as a backup, anything else as the files that it is.
    fn keep_before(&self, store: &Path, alone: bool) -> Result<PathBuf, Failed> {
        match self.make_in(&self.folder(), Reason::Replaced) {
            Ok(made) => return Ok(made.path),
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
            match alone {
                true => place(&from, &to)?,
                false => copy_open(&from, &to).map_err(|cause| Failed::File(to, cause))?,
            }
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
    let copied = file::new_private(to).and_then(|mut copy| {
        std::io::copy(&mut open, &mut copy)?;
        copy.sync_all()
    });
    // Never closed: that would take back the locks that SQLite holds on it for this process. It ends with the process.
    std::mem::forget(open);
    copied
}

//! The outcome of the last backup, stored in the data folder for every process and for the next start.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{BackupFile, Backups, Failed, MAX_ANSWER_TIME};
use crate::clock::folder_answers;
use crate::domain::Lang;
use crate::files::{self, folder_of, mount_point};

pub(super) const STATE: &str = "backup.state";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub at: Timestamp,
    /// The name of the backup file. `None` if the attempt failed.
    pub file: Option<String>,
    pub problem: Option<BackupFailure>,
    /// The backup folder then. Missing in a file of an earlier version.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// Missing in a file of an earlier version.
    #[serde(default)]
    pub newest: Option<LastBackup>,
}

/// The last backup that was made, also if later attempts failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBackup {
    path: PathBuf,
    pub made_at: Timestamp,
    /// Where the disk of its folder was mounted, if that was not the disk of the data or the system.
    #[serde(default)]
    mount: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFailure {
    /// The stable code for programs.
    pub code: String,
    pt: String,
    en: String,
}

impl BackupFailure {
    pub(super) fn of(failed: &Failed) -> BackupFailure {
        BackupFailure {
            code: failed.code().to_owned(),
            pt: failed.message(Lang::Pt),
            en: failed.message(Lang::En),
        }
    }

    /// Returns the sentence for the user.
    pub fn message(&self, lang: Lang) -> &str {
        lang.pick(&self.pt, &self.en)
    }
}

impl Backups {
    /// Returns the outcome of the last attempt of any process. `None` if there was no attempt or its outcome
    /// cannot be read.
    pub fn last(&self) -> Option<Outcome> {
        self.read_state(STATE)
    }

    /// Stores the outcome of an attempt. If this fails, the backup still counts.
    pub(super) fn note(&self, made: &Result<BackupFile, Failed>) {
        let file = made.as_ref().ok().and_then(|made| made.path.file_name());
        let problem = made.as_ref().err().map(BackupFailure::of);
        let at = self.clock.now();
        let newest = match made {
            Ok(made) => Some(LastBackup {
                path: made.path.clone(),
                made_at: made.about.as_ref().map_or(at, |about| about.made_at),
                mount: self.mount_of_other_disk(&self.folder()),
            }),
            Err(_) => self.last().and_then(|last| last.newest),
        };
        let file = file.map(|name| name.to_string_lossy().into_owned());
        let outcome = Outcome { at, file, problem, folder: Some(self.folder()), newest };
        self.write_state(STATE, &outcome);
    }

    /// Returns `true` if the last backup was made on another disk, and this folder of it is on the disk of the data or the system
    /// now: the other one is not mounted.
    pub(super) fn is_disk_missing(&self, folder: &Path) -> bool {
        let Some(newest) = self.last().and_then(|last| last.newest) else { return false };
        let was_there = |mount: &PathBuf| folder == folder_of(&newest.path) || folder.starts_with(mount);
        newest.mount.as_ref().is_some_and(was_there)
            && !newest.path.exists()
            && self.mount_of_other_disk(folder).is_none()
    }

    /// Returns where the disk of a folder is mounted. `None` if it is that of the data or the system.
    fn mount_of_other_disk(&self, folder: &Path) -> Option<PathBuf> {
        let of_data = mount_point(&self.data);
        mount_point(folder).filter(|mount| mount != Path::new("/") && Some(mount) != of_data.as_ref())
    }

    /// Returns the path of the last backup that was made.
    pub(super) fn newest_path(&self) -> Option<PathBuf> {
        Some(self.last()?.newest?.path)
    }

    /// Returns the folder in which the last backup was made.
    pub(super) fn folder_of_newest(&self) -> Option<PathBuf> {
        self.newest_path().map(|path| folder_of(&path).to_owned())
    }

    /// Returns the path of the last backup if it is not in the folder.
    pub fn newest_not_here(&self) -> Result<Option<PathBuf>, Failed> {
        let Some(newest) = self.newest_path() else { return Ok(None) };
        let folder = self.folder();
        match folder_answers(&folder, MAX_ANSWER_TIME) {
            true => Ok(Some(newest)
                .filter(|newest| newest.file_name().is_none_or(|name| !folder.join(name).exists()))),
            false => Err(Failed::FolderHangs(folder)),
        }
    }

    /// Fails if the last backup is in another folder than that of these settings: those of the server may differ, or they were
    /// changed since.
    pub fn ensure_newest_is_here(&self) -> Result<(), Failed> {
        // A folder that hangs has it, for all that is known.
        let may_be_there =
            |newest: &PathBuf| !folder_answers(folder_of(newest), MAX_ANSWER_TIME) || newest.exists();
        match self.newest_not_here()?.filter(may_be_there) {
            Some(newest) => Err(Failed::NewestElsewhere(newest, self.folder())),
            None => Ok(()),
        }
    }

    /// Fails if the last backup is neither in the folder nor where it was made: its disk may be away, and an older backup must not
    /// take its place.
    pub(super) fn ensure_newest_is_reached(&self) -> Result<(), Failed> {
        self.ensure_newest_is_here()?;
        let folder = self.usable_folder()?;
        match self.newest_not_here()? {
            Some(newest) => Err(Failed::NewestAway(newest, folder)),
            None => Ok(()),
        }
    }

    pub(super) fn read_state<T: DeserializeOwned>(&self, file: &str) -> Option<T> {
        serde_json::from_slice(&std::fs::read(self.data.join(file)).ok()?).ok()
    }

    pub(super) fn write_state(&self, file: &str, outcome: &impl Serialize) {
        let noted = serde_json::to_vec(outcome)
            .map_err(std::io::Error::from)
            .and_then(|text| files::replace(&self.data.join(file), &text));
        if let Err(cause) = noted {
            tracing::warn!(%cause, file, "the outcome could not be stored");
        }
    }
}

//! The outcome of the last backup, stored in the data folder for every process and for the next start.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{BackupFile, Backups, Failed};
use crate::domain::Lang;
use crate::files::{self, folder_of, has_own_disk};

const STATE: &str = "backup.state";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub at: Timestamp,
    /// The name of the backup file. `None` if the attempt failed.
    pub file: Option<String>,
    pub problem: Option<BackupFailure>,
    /// Missing in a file of an earlier version.
    #[serde(default)]
    pub newest: Option<LastBackup>,
}

/// The last backup that was made, also if later attempts failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBackup {
    path: PathBuf,
    pub made_at: Timestamp,
    /// `true` if the folder was on another disk than the data and the system.
    has_own_disk: bool,
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
                has_own_disk: has_own_disk(&self.folder(), &self.data),
            }),
            Err(_) => self.last().and_then(|last| last.newest),
        };
        let outcome =
            Outcome { at, file: file.map(|name| name.to_string_lossy().into_owned()), problem, newest };
        self.write_state(STATE, &outcome);
    }

    /// Returns `true` if the last backup was made in this folder on another disk, which the folder is not on now.
    pub(super) fn is_disk_missing(&self, folder: &Path) -> bool {
        let newest = self.last().and_then(|last| last.newest);
        let had_own_disk =
            newest.is_some_and(|newest| newest.has_own_disk && folder_of(&newest.path) == folder);
        had_own_disk && !has_own_disk(folder, &self.data)
    }

    /// Fails if the last backup is in another folder than that of these settings: those of the server may differ, or they were
    /// changed since.
    pub fn ensure_newest_is_here(&self) -> Result<(), Failed> {
        let folder = self.folder();
        let newest = self.last().and_then(|last| last.newest).map(|newest| newest.path);
        match newest.filter(|newest| newest.exists()) {
            Some(newest) if !newest.file_name().is_some_and(|name| folder.join(name).exists()) => {
                Err(Failed::NewestElsewhere(newest, folder))
            }
            _ => Ok(()),
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

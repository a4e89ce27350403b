//! The outcome of the last backup, stored in the data folder for every process and for the next start.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{BackupFile, Backups, Failed};
use crate::domain::Lang;
use crate::files;

const STATE: &str = "backup.state";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub at: Timestamp,
    /// The name of the backup file. `None` if the attempt failed.
    pub file: Option<String>,
    pub problem: Option<BackupFailure>,
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
        let outcome = Outcome {
            at: self.clock.now(),
            file: file.map(|name| name.to_string_lossy().into_owned()),
            problem,
        };
        self.write_state(STATE, &outcome);
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

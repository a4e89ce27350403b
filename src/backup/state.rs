//! How the last backup went: noted in the data folder, for every process and for the next start.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{BackupFile, Backups, Failed};
use crate::domain::Lang;
use crate::files;

const STATE: &str = "backup.state";

/// How an attempt went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// When.
    pub at: Timestamp,
    /// The file that was made; none where it failed.
    pub file: Option<String>,
    /// Why it failed.
    pub problem: Option<BackupFailure>,
}

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFailure {
    /// A stable word for programs.
    pub code: String,
    pt: String,
    en: String,
}

impl BackupFailure {
    /// The sentence.
    pub fn say(&self, lang: Lang) -> &str {
        lang.pick(&self.pt, &self.en)
    }
}

impl Backups {
    /// How the last attempt of any process went; none where there was none, or nothing can be read of it.
    pub fn last(&self) -> Option<Outcome> {
        serde_json::from_slice(&std::fs::read(self.data.join(STATE)).ok()?).ok()
    }

    /// Notes an attempt. That this fails is no reason to call a backup failed.
    pub(super) fn note(&self, made: &Result<BackupFile, Failed>) {
        let file = made.as_ref().ok().and_then(|made| made.path.file_name());
        let problem = made.as_ref().err().map(|failed| BackupFailure {
            code: failed.code().to_owned(),
            pt: failed.say(Lang::Pt),
            en: failed.say(Lang::En),
        });
        let outcome = Outcome {
            at: self.clock.now(),
            file: file.map(|name| name.to_string_lossy().into_owned()),
            problem,
        };
        let noted = serde_json::to_vec(&outcome)
            .map_err(std::io::Error::from)
            .and_then(|text| files::replace(&self.data.join(STATE), &text));
        if let Err(cause) = noted {
            tracing::warn!(%cause, "the outcome of the backup could not be noted");
        }
    }
}

//! The test restore: opens the newest backup beside the office, checks and counts it, once a month by itself (always 44).

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::contents::Mirror;
use super::encryption::{DocumentsKey, Encryption};
use super::{BackupFailure, BackupFile, Backups, Failed};
use crate::domain::Lang;
use crate::files;
use crate::store::documents;

const STATE: &str = "backup-test.state";
const EVERY: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Delay before a failed test is repeated.
const AFTER_FAILURE: Duration = Duration::from_secs(24 * 60 * 60);

/// A sound backup that was tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    pub path: PathBuf,
    /// Numbers of customers, lawsuits and documents' contents. `None` if the backup is encrypted and could not be opened:
    /// only its checksum was verified.
    pub counts: Option<TestCounts>,
    /// The secret that would open it.
    pub encryption: Option<Encryption>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TestCounts {
    pub customers: u64,
    pub lawsuits: u64,
    pub documents: u64,
    /// Number of contents that are missing or incomplete beside the backup.
    pub missing: u64,
}

/// The outcome of the last test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutcome {
    pub at: Timestamp,
    /// `true` if the backup was opened, not only its checksum verified.
    pub opened: bool,
    pub problem: Option<BackupFailure>,
    /// The time of the last test without a problem.
    pub last_good: Option<Timestamp>,
}

impl Backups {
    /// Tests the newest regular backup, and stores the outcome for [`Backups::last_test`]. An encrypted one is opened if
    /// this has its secret.
    pub fn test(&self) -> Result<Tested, Failed> {
        let tested = self.lock().and_then(|_lock| self.test_newest());
        let failed = tested.as_ref().err();
        match failed {
            None => tracing::info!("the newest backup was tested"),
            Some(failed) => {
                tracing::error!(reason = failed.message(Lang::En), "the test of the newest backup failed")
            }
        }
        // A mistyped secret tells nothing about the backup.
        if !matches!(failed, Some(Failed::WrongSecret(..))) {
            self.note_test(&tested);
        }
        tested
    }

    fn test_newest(&self) -> Result<Tested, Failed> {
        let newest = self.list()?.into_iter().find(BackupFile::is_regular);
        let path = newest.ok_or_else(|| Failed::NoneSound(self.folder()))?.path;
        let encryption = self.encryption(Some(&path));
        if encryption.is_some() && self.secret.is_none() {
            self.verify_intact(&path)?;
            return Ok(Tested { path, counts: None, encryption });
        }
        let trial = self.trial(&path)?;
        let key = trial.documents_key.as_deref().and_then(DocumentsKey::parse);
        let mirror = Mirror { needed: documents::contents_in(trial.unpacked.path())?, key };
        let counts = TestCounts {
            customers: trial.contents.customers,
            lawsuits: trial.contents.lawsuits,
            documents: mirror.needed.len() as u64,
            missing: mirror.missing_beside(&path),
        };
        match counts.missing {
            0 => Ok(Tested { path, counts: Some(counts), encryption }),
            missing => Err(Failed::DocumentsMissing(path, missing)),
        }
    }

    /// Tests the newest backup if the last test is a month old.
    pub(super) fn test_if_due(&self) {
        let now = self.clock.now();
        let is_due = self.last_test().is_none_or(|last| {
            let pause = if last.problem.is_none() { EVERY } else { AFTER_FAILURE };
            Duration::try_from(now.duration_since(last.at)).map_or(true, |age| age >= pause)
        });
        let has_backup = || self.list().is_ok_and(|all| all.iter().any(BackupFile::is_regular));
        if is_due && has_backup() {
            // The outcome is stored.
            let _ = self.test();
        }
    }

    /// Returns the outcome of the last test of any process. `None` if there was none.
    pub fn last_test(&self) -> Option<TestOutcome> {
        serde_json::from_slice(&std::fs::read(self.data.join(STATE)).ok()?).ok()
    }

    fn note_test(&self, tested: &Result<Tested, Failed>) {
        let at = self.clock.now();
        let outcome = TestOutcome {
            at,
            opened: tested.as_ref().is_ok_and(|tested| tested.counts.is_some()),
            problem: tested.as_ref().err().map(BackupFailure::of),
            last_good: if tested.is_ok() {
                Some(at)
            } else {
                self.last_test().and_then(|last| last.last_good)
            },
        };
        let noted = serde_json::to_vec(&outcome)
            .map_err(std::io::Error::from)
            .and_then(|text| files::replace(&self.data.join(STATE), &text));
        if let Err(cause) = noted {
            tracing::warn!(%cause, "the outcome of the test could not be stored");
        }
    }
}

//! The test restore: opens the newest backup beside the office, checks and counts it, once a month by itself (always 44).

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::restore::UnpackedBackup;
use super::secrets::Encryption;
use super::{BackupFailure, BackupFile, Backups, Failed};
use crate::domain::Lang;

const STATE: &str = "backup-test.state";
const TEST_INTERVAL: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Delay before a failed test is repeated.
const RETRY_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// A sound backup that was tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    pub path: PathBuf,
    /// `None` if the backup could not be opened, as it is encrypted: only its checksum was verified, and the files of
    /// the office's own documents.
    pub counts: Option<TestCounts>,
    /// The secret that opens it.
    pub encryption: Option<Encryption>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TestCounts {
    pub customers: u64,
    pub lawsuits: u64,
    /// Number of documents' contents, all of which are sound beside the backup.
    pub documents: u64,
}

/// The outcome of the last test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutcome {
    pub at: Timestamp,
    pub problem: Option<BackupFailure>,
    /// The time of the last test without a problem.
    pub last_good: Option<Timestamp>,
    /// The time of the last test that opened the backup. Later ones only verified the checksum.
    pub last_opened: Option<Timestamp>,
}

impl Backups {
    /// Tests the newest regular backup, and stores the outcome for [`Backups::last_test`]. An encrypted one is opened if
    /// this has its secret.
    pub fn test(&self) -> Result<Tested, Failed> {
        let _locks = self.lock_to_read();
        let tested = self.test_newest().map_err(Failed::of_test);
        match &tested {
            Ok(_) => tracing::info!("the newest backup was tested"),
            Err(failed) => {
                let reason = failed.message(Lang::En);
                tracing::error!(reason, "the test of the newest backup failed");
            }
        }
        // Neither a mistyped secret nor an empty folder, a missing disk or another folder says anything about a backup.
        if !tested.as_ref().is_err_and(|failed| {
            let is_elsewhere = matches!(
                failed,
                Failed::FolderHangs(_)
                    | Failed::DiskMissing(_)
                    | Failed::NewestElsewhere(..)
                    | Failed::NewestAway(..)
            );
            failed.is_locked() || is_elsewhere || matches!(failed, Failed::NothingToTest(_))
        }) {
            self.note_test(&tested);
        }
        tested
    }

    fn test_newest(&self) -> Result<Tested, Failed> {
        self.ensure_newest_is_here()?;
        let (regular, others): (Vec<_>, Vec<_>) = self.own()?.0.into_iter().partition(BackupFile::is_regular);
        let newest = regular.into_iter().find_map(|one| Some((one.path, one.about?.made_at)));
        let nothing =
            || self.ensure_newest_is_reached().err().unwrap_or(Failed::NothingToTest(self.folder()));
        let (path, made_at) = newest.ok_or_else(nothing)?;
        let encryption = self.encryption(Some(&path));
        let opened = if encryption.is_some() && self.secret.is_none() {
            self.verify_intact(&path)?;
            None
        } else {
            let UnpackedBackup { contents, needed, .. } = self.unpack_and_verify(&path)?;
            Some((contents, needed))
        };
        let faults = self.newer_faults(&others, &path)?;
        if !faults.is_empty() {
            return Err(Failed::PassedOver(path, faults));
        }
        let wrong = match &opened {
            Some((_, needed)) => self.test_contents(needed, &path),
            None => self.test_own_contents(&path, made_at)?,
        };
        if wrong > 0 {
            return Err(Failed::DocumentsMissing(path, wrong));
        }
        let counts = opened.map(|(contents, needed)| TestCounts {
            customers: contents.customers,
            lawsuits: contents.lawsuits,
            documents: needed.sizes.len() as u64,
        });
        Ok(Tested { path, counts, encryption })
    }

    /// Tests the newest backup if the last test is a month old.
    pub fn test_if_due(&self) {
        let now = self.clock.now();
        let is_due = self.last_test().is_none_or(|last| {
            let pause = if last.problem.is_none() { TEST_INTERVAL } else { RETRY_INTERVAL };
            Duration::try_from(now.duration_since(last.at)).map_or(true, |age| age >= pause)
        });
        let has_backup = || self.own().is_ok_and(|(own, _)| own.iter().any(BackupFile::is_regular));
        if is_due && has_backup() {
            // The outcome is stored.
            let _ = self.test();
        }
    }

    /// Returns the outcome of the last test of any process. `None` if there was none.
    pub fn last_test(&self) -> Option<TestOutcome> {
        self.read_state(STATE)
    }

    fn note_test(&self, tested: &Result<Tested, Failed>) {
        let at = self.clock.now();
        let before = self.last_test();
        let is_opened = tested.as_ref().is_ok_and(|tested| tested.counts.is_some());
        let or_at = |is_now: bool, last: Option<Timestamp>| if is_now { Some(at) } else { last };
        let outcome = TestOutcome {
            at,
            problem: tested.as_ref().err().map(BackupFailure::of),
            last_good: or_at(tested.is_ok(), before.as_ref().and_then(|last| last.last_good)),
            last_opened: or_at(is_opened, before.and_then(|last| last.last_opened)),
        };
        self.write_state(STATE, &outcome);
    }
}

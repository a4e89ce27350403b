//! A copy of the newest state in a replica, restored beside the store and verified: for a standby (always 43), and to test
//! the replica once a month (always 44).

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::{Litestream, Replica, ReplicaError, Secrets, json_file};
use crate::store;
use crate::store::engine::copy::{self, Contents};
use crate::store::engine::scratch;

/// Time that a restore may take.
pub(super) const MAX_RESTORE_TIME: Duration = Duration::from_secs(600);
/// The file with [`ReplicaTest`].
const STATE: &str = "replica-test.state";
const TEST_INTERVAL: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Delay before a failed test is repeated.
const RETRY_DELAY: SignedDuration = SignedDuration::from_hours(24);

/// A verified copy, which is removed when this value is dropped.
pub(super) struct RestoredCopy {
    pub(super) scratch: TempDir,
    pub(super) file: PathBuf,
    pub(super) contents: Contents,
}

/// The outcome of the last test of a replica.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplicaTest {
    pub at: Timestamp,
    /// The code of the error, if it failed.
    pub problem: Option<String>,
}

impl Replica {
    /// Restores the newest state into a new file, and checks it as a backup is checked before a restore.
    pub(super) fn restore_aside(
        &self,
        litestream: &Litestream,
        secrets: &Secrets,
        timeout: Duration,
    ) -> Result<RestoredCopy, ReplicaError> {
        let scratch = scratch::new_folder(self.data()).map_err(|cause| self.unusable(&cause))?;
        let file = scratch.path().join(store::FILE);
        litestream.restore(self, secrets, &file, timeout)?;
        let contents = copy::verify_copy(&file).map_err(|cause| self.unusable(&cause))?;
        Ok(RestoredCopy { scratch, file, contents })
    }

    /// Opens the newest state beside the office and counts it. Notes the outcome for [`Replica::last_test`].
    pub fn test(&self, litestream: &Litestream, now: Timestamp) -> Result<Contents, ReplicaError> {
        let secrets = self.configured_secrets()?;
        let tested = self.restore_aside(litestream, &secrets, MAX_RESTORE_TIME).map(|copy| copy.contents);
        let problem = tested.as_ref().err().map(|cause| cause.code().to_owned());
        if let Err(cause) = json_file::write(&self.data().join(STATE), &ReplicaTest { at: now, problem }) {
            tracing::warn!(%cause, "the test of the replica could not be noted");
        }
        tested
    }

    /// Returns the outcome of the last test of any process. `None` if there was none.
    pub fn last_test(&self) -> Option<ReplicaTest> {
        json_file::read(&self.data().join(STATE))
    }

    /// Returns `true` if the last test is a month old, or a day if it failed.
    pub fn is_test_due(&self, now: Timestamp) -> bool {
        self.last_test().is_none_or(|last| {
            let pause = if last.problem.is_none() { TEST_INTERVAL } else { RETRY_DELAY };
            let age = now.duration_since(last.at);
            age >= pause || age.is_negative()
        })
    }

    pub(super) fn unusable(&self, cause: &dyn Display) -> ReplicaError {
        ReplicaError::CopyUnusable(self.target.to_string(), cause.to_string())
    }
}

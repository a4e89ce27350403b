//! The program Litestream: finds it, and runs its commands.

pub(super) mod control_socket;
pub(super) mod version;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde::Deserialize;
use tempfile::TempDir;

use super::{Replica, ReplicaError, Secrets};
use crate::clock::Clock;
use crate::config::installed;
use crate::files;
use crate::store::engine::{note_file, scratch};
use version::is_new_enough;

const NAME: &str = "litestream";
/// File name of a small database.
const NOTE: &str = "note.db";
/// Time that Litestream may take to list what is at a target, or to carry a small database.
const MAX_LIST_TIME: Duration = Duration::from_secs(60);
/// Pause between two looks whether Litestream has ended.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// An installed Litestream that is new enough.
pub struct Litestream(PathBuf);

/// What Litestream lists of a file at the target.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ListedFile {
    /// In hexadecimal.
    min_txid: String,
    max_txid: String,
}

impl Litestream {
    /// Finds Litestream in the folders of `PATH`.
    pub fn find() -> Result<Litestream, ReplicaError> {
        if cfg!(windows) {
            return Err(ReplicaError::Windows);
        }
        Litestream::of(installed(NAME).ok_or(ReplicaError::NoLitestream)?)
    }

    /// Takes the program at a path, if it is new enough.
    pub fn of(program: PathBuf) -> Result<Litestream, ReplicaError> {
        let output = Command::new(&program).arg("version").output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        match text.unwrap_or_default() {
            version if is_new_enough(&version) => Ok(Litestream(program)),
            version => Err(ReplicaError::OldLitestream(program, version)),
        }
    }

    #[cfg(test)]
    pub(crate) fn at(path: &str) -> Litestream {
        Litestream(path.into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns `true` if there is a replica at the target. Proves that Litestream reaches it with these secrets.
    pub fn has_replica(&self, replica: &Replica, secrets: &Secrets) -> Result<bool, ReplicaError> {
        self.transactions(replica, secrets).map(|ranges| !ranges.is_empty())
    }

    /// Returns the first and the last transaction of each file of the replica at the target.
    pub(super) fn transactions(
        &self,
        replica: &Replica,
        secrets: &Secrets,
    ) -> Result<Vec<(u64, u64)>, ReplicaError> {
        let arguments = ["-json".as_ref(), "-level".as_ref(), "all".as_ref(), replica.store.as_os_str()];
        let output = self.run("ltx", &arguments, replica, secrets, MAX_LIST_TIME)?;
        let listed = listed(&output).ok_or_else(|| unreachable(replica, secrets, output.trim()))?;
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap_or_default();
        Ok(listed.iter().map(|file| (number(&file.min_txid), number(&file.max_txid))).collect())
    }

    /// Restores the newest state of a replica to the new file `to`. Ends Litestream if it takes longer than `timeout`.
    /// Even after a success, the file may be old or damaged.
    pub fn restore(
        &self,
        replica: &Replica,
        secrets: &Secrets,
        to: &Path,
        timeout: Duration,
    ) -> Result<(), ReplicaError> {
        let quick = ["-integrity-check", "quick", "-o"].map(OsStr::new);
        let arguments = [&quick[..], &[to.as_os_str(), replica.store.as_os_str()]].concat();
        self.run("restore", &arguments, replica, secrets, timeout)?;
        // Litestream lets every user read it.
        files::make_private(to).map_err(|cause| unreachable(replica, secrets, &cause.to_string()))
    }

    /// Makes a small database with this text the replica at the target, where no other Litestream replicates.
    pub(super) fn write_note(&self, at: &Replica, secrets: &Secrets, text: &str) -> Result<(), ReplicaError> {
        let (note, _scratch) = note_beside(at)?;
        note_file::write(&note.store, text).map_err(|cause| at.unusable(&cause))?;
        let once = ["-once", "-force-snapshot"].map(OsStr::new);
        self.run("replicate", &once, &note, secrets, MAX_LIST_TIME).map(|_| ())
    }

    /// Reads the text of the small database at the target.
    pub(super) fn read_note(&self, at: &Replica, secrets: &Secrets) -> Result<String, ReplicaError> {
        let (note, _scratch) = note_beside(at)?;
        self.restore(&note, secrets, &note.store, MAX_LIST_TIME)?;
        note_file::read(&note.store).map_err(|cause| at.unusable(&cause))
    }

    /// Runs a command of Litestream with a configuration for a replica. Returns what it prints. Ends it if it takes longer
    /// than `timeout`.
    fn run(
        &self,
        word: &str,
        arguments: &[&OsStr],
        replica: &Replica,
        secrets: &Secrets,
        timeout: Duration,
    ) -> Result<String, ReplicaError> {
        let failed = |cause: io::Error| unreachable(replica, secrets, &cause.to_string());
        let (mut command, scratch) = self.command(word, replica, secrets).map_err(failed)?;
        // Pipes that nobody reads would fill up.
        let [output, log] = ["output", "log"].map(|name| scratch.path().join(name));
        command.args(arguments).stdin(Stdio::null());
        command.stdout(files::create_private(&output).map_err(failed)?);
        command.stderr(files::create_private(&log).map_err(failed)?);
        let mut child = command.spawn().map_err(failed)?;
        let clock = Clock::system();
        let end = clock.monotonic() + timeout;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if clock.monotonic() > end {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                return Err(ReplicaError::RestoreHung(replica.target.to_string(), timeout.as_secs()));
            }
            sleep(CHECK_INTERVAL);
        };
        let read =
            |file: &Path| String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
        match status.success() {
            true => Ok(read(&output)),
            false => {
                let log = read(&log);
                Err(unreachable(replica, secrets, log.trim().lines().last().unwrap_or_default()))
            }
        }
    }

    /// Returns a command of Litestream with a configuration for a replica, which is in the returned folder.
    fn command(&self, word: &str, replica: &Replica, secrets: &Secrets) -> io::Result<(Command, TempDir)> {
        let scratch = scratch::new_folder(replica.data())?;
        let configuration = scratch.path().join("litestream.json");
        let content = replica.command_content(secrets)?;
        files::replace(&configuration, content.to_string().as_bytes())?;
        let mut command = Command::new(&self.0);
        command.args([word, "-no-expand-env", "-config"]).arg(&configuration);
        // Litestream's client for S3 cannot be made with this variable.
        command.env_remove("AWS_CA_BUNDLE");
        Ok((command, scratch))
    }
}

/// Returns the place of a small database as Litestream takes it, with a new folder for the file.
fn note_beside(at: &Replica) -> Result<(Replica, TempDir), ReplicaError> {
    let scratch = scratch::new_folder(at.data()).map_err(|cause| at.unusable(&cause))?;
    let store = scratch.path().join(NOTE);
    Ok((Replica { store, ..at.clone() }, scratch))
}

/// Returns the error with what Litestream says, without the secrets.
fn unreachable(replica: &Replica, secrets: &Secrets, cause: &str) -> ReplicaError {
    let cause = secrets.0.values().fold(cause.to_owned(), |cause, secret| cause.replace(secret, "***"));
    ReplicaError::Unreachable(replica.target.to_string(), cause)
}

/// Parses the list of files, which comes after the log.
fn listed(output: &str) -> Option<Vec<ListedFile>> {
    let log = output.split_inclusive('\n').take_while(|line| !line.starts_with('['));
    let list = output.get(log.map(str::len).sum()..)?;
    serde_json::from_str(list).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_files_comes_after_the_log() {
        let count = |output: &str| listed(output).map(|files| files.len());
        assert_eq!(count("[]\n"), Some(0));
        let warning =
            "time=2026-11-27T21:57:45.200Z level=WARN msg=\"sftp host key not verified\" host=nas:22\n";
        assert_eq!(count(&format!("{warning}[]\n")), Some(0));
        let files = "[\n  {\n    \"level\": 0,\n    \"size\": 566\n  }\n]\n";
        assert_eq!(count(&format!("{warning}{warning}{files}")), Some(1));
        assert_eq!((count(""), count(warning), count("[{")), (None, None, None));
    }
}

//! The program Litestream.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::version::is_new_enough;
use super::{Replica, ReplicaError, Secrets};
use crate::config::installed;
use crate::files;

const NAME: &str = "litestream";

/// An installed Litestream that is new enough.
pub struct Litestream(PathBuf);

/// What Litestream lists of a file at the target.
#[derive(Deserialize)]
struct ListedFile {}

impl Litestream {
    /// Finds Litestream in the folders of `PATH`.
    pub fn find() -> Result<Litestream, ReplicaError> {
        if cfg!(windows) {
            return Err(ReplicaError::Windows);
        }
        let program = installed(NAME).ok_or(ReplicaError::NoLitestream)?;
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
        let unreachable = |cause: String| {
            let cause = secrets.0.values().fold(cause, |cause, secret| cause.replace(secret, "***"));
            ReplicaError::Unreachable(replica.target.to_string(), cause)
        };
        let of_system = |cause: io::Error| unreachable(cause.to_string());
        let scratch = files::private_temp_dir(replica.data(), ".litestream-").map_err(of_system)?;
        let configuration = scratch.path().join("litestream.json");
        let content = replica.content(secrets).map_err(|cause| of_system(cause.into()))?;
        files::replace(&configuration, content.to_string().as_bytes()).map_err(of_system)?;
        let mut command = Command::new(&self.0);
        command.args(["ltx", "-no-expand-env", "-json", "-level", "all", "-config"]).arg(&configuration);
        // Litestream's client for S3 cannot be made with this variable.
        command.arg(&replica.store).env_remove("AWS_CA_BUNDLE");
        let output = command.output().map_err(of_system)?;
        match listed(&String::from_utf8_lossy(&output.stdout)) {
            Some(listed) if output.status.success() => Ok(!listed.is_empty()),
            _ => Err(unreachable(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
        }
    }
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

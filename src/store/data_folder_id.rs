//! The identity of a data folder: its path, and the machine that it is on.

use std::path::Path;
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

use crate::domain::text::hex::hex;
use crate::machine::machine_id;

/// Prefix of the machine id in the hash. It names the first use, and must stay: stores and backups have such hashes.
const PURPOSE: &str = "Pleito: the place that sends webhooks";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolderId {
    /// Hash of the machine id.
    pub machine: String,
    /// Folder with links resolved; empty if unknown.
    pub folder: String,
}

impl DataFolderId {
    /// Identifies a data folder on this machine. On a machine without an id, the creation time of the
    /// folder is used instead.
    pub fn of(data: &Path) -> DataFolderId {
        let made = || {
            let made = std::fs::metadata(data).and_then(|folder| folder.created()).ok()?;
            Some(made.duration_since(UNIX_EPOCH).ok()?.as_nanos().to_string())
        };
        DataFolderId::on(&machine_id().or_else(made).unwrap_or_default(), data)
    }

    fn on(machine: &str, data: &Path) -> DataFolderId {
        let mut hash = Sha256::new();
        hash.update([PURPOSE, machine].concat());
        let machine = hex(&hash.finalize());
        let folder = std::fs::canonicalize(data).unwrap_or_else(|_| data.to_owned());
        DataFolderId { machine, folder: folder.display().to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Lang;

    #[test]
    fn a_data_folder_is_identified_by_machine_and_folder() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let here = DataFolderId::on("m1", one.path());
        assert_eq!(
            here,
            DataFolderId::on("m1", &one.path().join(".")),
            "the same folder, written differently"
        );
        assert_eq!(DataFolderId::of(one.path()), DataFolderId::of(one.path()));
        let elsewhere = DataFolderId::on("m2", one.path());
        let beside = DataFolderId::on("m1", other.path());
        assert!(here != elsewhere && here != beside);
        assert!(elsewhere.message(&here, Lang::En).contains("another machine"));
        assert!(beside.message(&here, Lang::En).contains("another folder"));
        let unknown = DataFolderId { machine: String::new(), folder: String::new() };
        assert!(unknown.message(&here, Lang::En).contains("does not name the machine"));
        assert!(!here.machine.contains("m1"), "the machine's id is stored only as a hash");
    }
}

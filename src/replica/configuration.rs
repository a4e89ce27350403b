//! Litestream's configuration, a file in the data folder. It is the only place that says that there is a replica.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::{ReplicaError, ReplicaTarget, Secrets};
use crate::config::folders;
use crate::domain::text::shell::{quoted, quoted_path};
use crate::files;
use crate::store;

pub use crate::config::folders::REPLICA as FILE;
/// The file that keeps a second Litestream from the same store, which Litestream itself does not.
pub const LOCK: &str = "litestream.lock";
/// The office's heartbeat for a replica on another machine: its file in the data folder, and its name at the target.
const ALIVE_FILE: &str = "pleito-alive.db";
pub(super) const ALIVE: &str = "alive";
const SOCKET: &str = "litestream.socket";
/// Longest path of a socket in bytes (unix(7)).
const MAX_SOCKET_PATH_BYTES: usize = 107;

/// A snapshot goes at the second midnight after the retention at the latest, and what was written after it one midnight
/// later.
const RETENTION: &str = "24h";
const SNAPSHOT_EVERY: &str = "24h";
const GONE_AFTER: SignedDuration = SignedDuration::from_hours(3 * 24 + 1);

/// Returns when the replica no longer contains what is erased now, if Litestream keeps running.
pub fn erased_after(now: Timestamp) -> Timestamp {
    now.saturating_add(GONE_AFTER).unwrap_or(now)
}

/// The replica of the office in a data folder.
#[derive(Clone, Debug)]
pub struct Replica {
    pub(super) data: PathBuf,
    /// The database that Litestream replicates, by its path in the configuration.
    pub(super) store: PathBuf,
    pub target: ReplicaTarget,
}

#[derive(Deserialize)]
struct Configuration {
    dbs: Vec<Database>,
}

#[derive(Deserialize)]
struct Database {
    path: PathBuf,
    /// May contain secrets, which are not read.
    replica: ReplicaTarget,
}

impl Replica {
    /// Reads the replica of the office in `data`. `None` if it has none.
    ///
    /// # Errors
    ///
    /// `Configuration` if the file cannot be read or understood.
    pub fn of(data: &Path) -> Result<Option<Replica>, ReplicaError> {
        Replica::read(data, FILE)
    }

    /// Reads the replica from the configuration of this name in `data`. `None` if there is no such file.
    pub(super) fn read(data: &Path, name: &str) -> Result<Option<Replica>, ReplicaError> {
        let file = data.join(name);
        let text = match fs::read(&file) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|cause| ReplicaError::Configuration(file.clone(), cause))?,
        };
        let read: Option<Configuration> = serde_json::from_slice(&text).ok();
        let database = read.and_then(|configuration| configuration.dbs.into_iter().next());
        match database {
            Some(database) => {
                let data = data.to_owned();
                Ok(Some(Replica { data, store: database.path, target: database.replica }))
            }
            // The parser's message might repeat a secret.
            None => Err(ReplicaError::Configuration(file, ErrorKind::InvalidData.into())),
        }
    }

    /// Creates the replica of the office in `data` at a target, without writing anything.
    pub fn new(data: &Path, target: ReplicaTarget) -> Result<Replica, ReplicaError> {
        let no_office = |_| ReplicaError::NoOffice(data.to_owned());
        let data = fs::canonicalize(data).map_err(no_office)?;
        let store = data.join(store::FILE);
        fs::metadata(&store).map_err(no_office)?;
        let socket = data.join(SOCKET);
        if socket.as_os_str().len() > MAX_SOCKET_PATH_BYTES {
            return Err(ReplicaError::LongPath(socket));
        }
        Ok(Replica { data, store, target })
    }

    /// Writes the configuration, with the secrets, for the owner of the data folder only.
    pub fn write(&self, secrets: &Secrets) -> Result<(), ReplicaError> {
        self.write_to(FILE, secrets)
    }

    /// Like [`write`](Replica::write), into the file of this name.
    pub(super) fn write_to(&self, name: &str, secrets: &Secrets) -> Result<(), ReplicaError> {
        let file = self.data.join(name);
        let content = self.content(secrets).map_err(io::Error::from);
        let written = content.and_then(|content| {
            // Private, also if a file that is there was shared.
            let mut new = NamedTempFile::new_in(&self.data)?;
            new.write_all(content.to_string().as_bytes())?;
            files::sync(new.as_file())?;
            files::persist(new, &file)
        });
        written.map_err(|cause| ReplicaError::Folder(self.data.clone(), cause))
    }

    /// Returns the line that sets this replica.
    pub fn line_to_set(&self) -> String {
        let target = quoted(&self.target.to_string());
        match &self.data {
            data if *data == folders::machine() => format!("sudo pleito replica set {target}"),
            data if Some(data) == folders::own_folder().as_ref() => format!("pleito replica set {target}"),
            data => format!("pleito replica set {target} --data-dir {}", quoted_path(data)),
        }
    }

    /// Reads the secrets from the configuration.
    pub fn configured_secrets(&self) -> Result<Secrets, ReplicaError> {
        self.secrets(FILE)
    }

    /// Reads the secrets from the configuration of this name.
    pub(super) fn secrets(&self, name: &str) -> Result<Secrets, ReplicaError> {
        let file = self.data.join(name);
        let failed = |cause| ReplicaError::Configuration(file.clone(), cause);
        let text = fs::read(&file).map_err(failed)?;
        let content: Value =
            serde_json::from_slice(&text).map_err(|_| failed(ErrorKind::InvalidData.into()))?;
        let replica = content.pointer("/dbs/0/replica");
        let secret = |key: &'static str| Some((key, replica?.get(key)?.as_str()?.to_owned()));
        Ok(Secrets(self.target.secrets().iter().filter_map(|name| secret(name.key)).collect()))
    }

    /// Returns the configuration for the Litestream that replicates. On another machine, that carries the office's
    /// heartbeat too.
    fn content(&self, secrets: &Secrets) -> serde_json::Result<Value> {
        let alive = self.alive().map(|alive| alive.database(secrets, "1s")).transpose()?;
        let databases = [Some(self.store_database(secrets)?), alive].into_iter().flatten();
        Ok(json!({
            "socket": { "enabled": true, "path": self.socket() },
            "snapshot": { "interval": SNAPSHOT_EVERY, "retention": RETENTION },
            "dbs": databases.collect::<Vec<_>>(),
        }))
    }

    /// Returns the configuration for a command that reads or writes this replica alone.
    pub(super) fn command_content(&self, secrets: &Secrets) -> serde_json::Result<Value> {
        Ok(json!({ "dbs": [self.store_database(secrets)?] }))
    }

    /// Intervals and page counts are those measured in the design (always 42).
    fn store_database(&self, secrets: &Secrets) -> serde_json::Result<Value> {
        let mut database = self.database(secrets, "200ms")?;
        if let Some(database) = database.as_object_mut() {
            database.insert("checkpoint-interval".to_owned(), "1h".into());
            database.insert("min-checkpoint-page-count".to_owned(), 10_000.into());
            database.insert("truncate-page-n".to_owned(), 4000.into());
        }
        Ok(database)
    }

    fn database(&self, secrets: &Secrets, interval: &str) -> serde_json::Result<Value> {
        let mut replica = serde_json::to_value(&self.target)?;
        if let (Some(replica), Value::Object(secrets)) =
            (replica.as_object_mut(), serde_json::to_value(secrets)?)
        {
            replica.extend(secrets);
            replica.insert("sync-interval".to_owned(), interval.into());
        }
        Ok(json!({ "path": self.store, "monitor-interval": interval, "replica": replica }))
    }

    /// Returns the small database with the office's heartbeat, and its replica. `None` if the target is a folder, where the
    /// heartbeat is a file.
    pub(super) fn alive(&self) -> Option<Replica> {
        let target = self.target.inside(ALIVE)?;
        Some(Replica { data: self.data.clone(), store: self.data.join(ALIVE_FILE), target })
    }

    /// Removes the configuration with its secrets.
    pub fn forget(data: &Path) -> Result<(), ReplicaError> {
        let _ = fs::remove_file(data.join(LOCK));
        let file = data.join(FILE);
        fs::remove_file(&file).map_err(|cause| ReplicaError::Configuration(file, cause))
    }

    pub fn store(&self) -> &Path {
        &self.store
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.data.join(SOCKET)
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_configuration_is_private_and_read_without_its_secrets() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(store::FILE), "").unwrap();
        assert!(Replica::of(folder.path()).unwrap().is_none());
        let file = folder.path().join(FILE);
        fs::write(&file, "shared").unwrap();
        let refused = Replica::of(folder.path()).unwrap_err();
        assert_eq!(refused.code(), "replica-configuration");

        let target = ReplicaTarget::parse("sftp://ana@nas.example/office").unwrap();
        let replica = Replica::new(folder.path(), target.clone()).unwrap();
        let secrets = Secrets([("password", "ge\"heim$HOME".to_owned())].into());
        replica.write(&secrets).unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let written: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(written["dbs"][0]["replica"]["password"], "ge\"heim$HOME");
        assert_eq!(written["dbs"][1]["replica"]["path"], "/office/alive");
        let read = Replica::of(folder.path()).unwrap().unwrap();
        assert_eq!(read.target, target);
        assert!(!format!("{read:?}").contains("heim"));
        Replica::forget(folder.path()).unwrap();
        assert!(Replica::of(folder.path()).unwrap().is_none());
    }

    #[test]
    fn a_folder_without_office_or_with_a_long_path_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |data: &Path| {
            let target = ReplicaTarget::parse("/replica").unwrap();
            Replica::new(data, target).map(|_| ()).map_err(|error| error.code())
        };
        assert_eq!(refused(folder.path()), Err("no-office"));
        let long = folder.path().join("x".repeat(100));
        fs::create_dir(&long).unwrap();
        fs::write(long.join(store::FILE), "").unwrap();
        assert_eq!(refused(&long), Err("replica-path-too-long"));
    }
}

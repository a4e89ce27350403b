//! Ensures one running Pleito per data folder by a file lock, which the system releases when the process ends
//! in any way.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::folders::moved_to;
use crate::files::open_or_create_private;
use crate::replica::Standby;
use crate::supervisor::fatal::Fatal;
use crate::supervisor::promotion::refuse_superseded;

pub(in crate::supervisor) const LOCK: &str = "pleito.lock";
pub(in crate::supervisor) const DESKTOP_LOCK: &str = "pleito-desktop.lock";
/// The file with the address of the running server.
pub(in crate::supervisor) const ADDRESS: &str = "pleito.address";

/// Retries, because a process that is ending, or a child that the process has just spawned, may hold the lock
/// for moments longer.
const MAX_TRIES: u32 = 20;
const RETRY_PAUSE: Duration = Duration::from_millis(20);

/// The exclusive right to serve a data folder until it is dropped.
pub struct Instance {
    #[expect(unused, reason = "closing it gives the lock back")]
    lock: File,
    folder: PathBuf,
}

impl Instance {
    /// Takes the lock of the folder. Fails with `Running` if another process has it, with `Moved` or `Superseded` if the
    /// office is elsewhere now, and with `Standby` if the folder follows an office.
    pub fn take(folder: &Path) -> Result<Instance, Fatal> {
        match Standby::is_in(folder) {
            true => Err(Fatal::Standby(folder.to_owned())),
            false => Instance::take_even_standby(folder),
        }
    }

    /// Like [`take`](Self::take), also for a standby.
    pub fn take_even_standby(folder: &Path) -> Result<Instance, Fatal> {
        if let Some(to) = moved_to(folder) {
            return Err(Fatal::Moved(folder.to_owned(), to));
        }
        let instance = Instance::take_even_moved(folder)?;
        refuse_superseded(folder)?;
        Ok(instance)
    }

    /// Like [`take`](Self::take), for the move itself.
    pub fn take_even_moved(folder: &Path) -> Result<Instance, Fatal> {
        match lock(folder, LOCK) {
            Ok(lock) => {
                // Left by a killed process: another program may use the port by now.
                let _ = std::fs::remove_file(folder.join(ADDRESS));
                Ok(Instance { lock, folder: folder.to_owned() })
            }
            Err(Some(cause)) => Err(Fatal::Folder(folder.to_owned(), cause)),
            Err(None) => Err(Fatal::Running(folder.to_owned())),
        }
    }

    /// Writes the server's address to a file for commands, because an option may have overridden the settings
    /// that they read. The server works without the file, so a failure is only logged.
    pub fn note(&self, address: SocketAddr) {
        let file = open_or_create_private(&self.folder.join(ADDRESS));
        let noted = file.and_then(|mut file| file.set_len(0).and_then(|()| writeln!(file, "{address}")));
        if let Err(cause) = noted {
            tracing::warn!(%cause, "the address file could not be written");
        }
    }

    /// Reads the address that the folder's server wrote. A killed process leaves its file behind.
    pub fn noted(folder: &Path) -> Option<SocketAddr> {
        std::fs::read_to_string(folder.join(ADDRESS)).ok()?.trim().parse().ok()
    }

    /// Returns the address at which a running server of the folder answers.
    pub fn serving_at(folder: &Path) -> Option<SocketAddr> {
        Instance::noted(folder).filter(|_| Instance::is_taken(folder))
    }

    /// Returns `true` if a process has the folder. Creates no file, but holds the lock itself for a moment.
    pub fn is_taken(folder: &Path) -> bool {
        let lock = File::open(folder.join(LOCK));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

impl Drop for Instance {
    /// Removes the address file while the lock is still held: later, the file may be the next server's.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.folder.join(ADDRESS));
    }
}

/// Takes the lock with that name in the folder. Fails with `None` if another process has it.
pub(in crate::supervisor) fn lock(folder: &Path, name: &str) -> Result<File, Option<io::Error>> {
    let lock = open_or_create_private(&folder.join(name)).map_err(Some)?;
    for _ in 0..MAX_TRIES {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) => std::thread::sleep(RETRY_PAUSE),
            Err(TryLockError::Error(cause)) => return Err(Some(cause)),
        }
    }
    Err(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_locked_until_the_instance_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!Instance::is_taken(folder.path()));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

        let instance = Instance::take(folder.path()).unwrap();
        assert!(Instance::is_taken(folder.path()));
        assert!(matches!(Instance::take(folder.path()), Err(Fatal::Running(_))));
        drop(instance);
        assert!(!Instance::is_taken(folder.path()));
    }

    #[test]
    fn the_address_file_of_a_killed_instance_is_removed_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(ADDRESS), "127.0.0.1:1").unwrap();
        let _instance = Instance::take(folder.path()).unwrap();
        assert_eq!(Instance::noted(folder.path()), None);
    }

    #[test]
    fn the_address_file_exists_until_the_instance_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let instance = Instance::take(folder.path()).unwrap();
        assert_eq!(Instance::noted(folder.path()), None);
        for text in ["127.0.0.1:12345", "[::1]:1"] {
            instance.note(text.parse().unwrap());
            assert_eq!(Instance::noted(folder.path()), text.parse().ok());
        }
        #[cfg(unix)]
        {
            let metadata = std::fs::metadata(folder.path().join(ADDRESS)).unwrap();
            assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777, 0o600);
        }
        drop(instance);
        assert_eq!(Instance::noted(folder.path()), None);
    }
}

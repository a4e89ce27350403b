//! One running Pleito for a data folder: a lock that the system takes back when the process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;

use super::fatal::Fatal;

/// The right to serve a data folder, for as long as it lives.
pub struct Instance(#[expect(unused, reason = "closing it gives the lock back")] File);

const FILE: &str = "pleito.lock";

/// A process that is ending, or a child that it has just begun to start, may hold the lock for moments longer.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(20);

impl Instance {
    /// Whether another process has the folder. Makes nothing.
    pub fn is_taken(folder: &Path) -> bool {
        folder.join(FILE).exists() && matches!(Instance::take(folder), Err(Fatal::Running(_)))
    }

    /// Takes the folder.
    ///
    /// # Errors
    /// `Running` where another process has it.
    pub fn take(folder: &Path) -> Result<Instance, Fatal> {
        let path = folder.join(FILE);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(|cause| Fatal::Folder(folder.to_owned(), cause))?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Instance(file)),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(cause)) => return Err(Fatal::Folder(folder.to_owned(), cause)),
            }
        }
        Err(Fatal::Running(folder.to_owned()))
    }
}

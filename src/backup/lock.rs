//! Locks on the data folder and the backup folder, and what killed processes leave in them.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::contents::FOLDER;
use super::{Backups, Failed, MAX_ANSWER_TIME, PART, remove_named};
use crate::clock::folder_answers;
use crate::config::folders::BACKUPS;
use crate::domain::Bilingual;
use crate::files;
use crate::store::COMPANIONS;

const LOCK: &str = "backups.lock";
/// Pause between two tries to lock a folder, and the number of tries for reading: half a minute.
const LOCK_PAUSE: Duration = Duration::from_millis(100);
const TRIES_TO_LOCK: usize = 300;

const WAITING_FOR_OTHER: Bilingual = ("esperando outro backup", "waiting for another backup");

impl Backups {
    /// Creates the backup folder and locks it against other processes until the lock is dropped, and the data folder: another
    /// process may have another backup folder.
    pub(super) fn lock(&self) -> Result<Vec<File>, Failed> {
        files::private_dir(&self.data).map_err(|cause| Failed::File(self.data.clone(), cause))?;
        let mut locks = vec![self.lock_in(&self.data, usize::MAX)?];
        let folder = self.usable_folder()?;
        let missing: Vec<_> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
        files::private_dir(&folder).map_err(|cause| Failed::File(folder.clone(), cause))?;
        // The superuser may have typed the command.
        missing.into_iter().for_each(|made| files::give_to_owner_of(&self.data, made));
        if !is_one_folder(&folder, &self.data) {
            locks.push(self.lock_in(&folder, usize::MAX)?);
        }
        Ok(locks)
    }

    /// Locks like [`Backups::lock`] for reading backups. What cannot be locked, or not within half a minute, is not: a backup on a
    /// disk that cannot be written is restored too, and a file elsewhere while another process waits for a backup folder that hangs.
    pub(super) fn lock_to_read(&self) -> Vec<File> {
        let mut folders = vec![self.data.clone()];
        let usable = self.usable_folder().ok();
        folders.extend(usable.filter(|folder| !is_one_folder(folder, &self.data)));
        folders.iter().filter_map(|folder| self.lock_in(folder, TRIES_TO_LOCK).ok()).collect()
    }

    /// Locks a folder in at most so many tries, and removes what killed processes left in it.
    fn lock_in(&self, folder: &Path, tries: usize) -> Result<File, Failed> {
        let of_folder = |cause| Failed::File(folder.to_owned(), cause);
        let lock = files::open_or_create_private(&folder.join(LOCK)).map_err(of_folder)?;
        for number in 0..tries {
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) if number == 0 => self.report_start(WAITING_FOR_OTHER),
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
                // Some network disks have no locks.
                Err(TryLockError::Error(cause)) if cause.kind() == ErrorKind::Unsupported => return Ok(lock),
                Err(TryLockError::Error(cause)) => return Err(of_folder(cause)),
                Ok(()) => {
                    self.clear(folder);
                    return Ok(lock);
                }
            }
        }
        Err(of_folder(ErrorKind::WouldBlock.into()))
    }

    /// Removes what killed processes left behind in a folder. The caller holds its lock.
    fn clear(&self, folder: &Path) {
        let is_left = |name: &str| {
            let whose = COMPANIONS.iter().find_map(|companion| name.strip_suffix(companion));
            whose.unwrap_or(name).ends_with(PART)
        };
        let mut folders = vec![folder.to_owned(), folder.join(FOLDER)];
        if folder == self.data {
            // A restore keeps the replaced store there if the backup folder cannot be used.
            let backups = self.data.join(BACKUPS);
            if folder_answers(&backups, MAX_ANSWER_TIME) {
                folders.push(backups.join(FOLDER));
                folders.push(backups);
            }
        }
        folders.iter().for_each(|folder| remove_named(folder, is_left));
    }
}

/// Returns `true` if both paths lead to one folder. A process that locks a file twice would wait for itself.
fn is_one_folder(one: &Path, other: &Path) -> bool {
    files::real_path(one) == files::real_path(other)
}

//! Locks on the data folder and the backup folder, and what killed processes leave in them.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::contents::FOLDER;
use super::{Backups, Failed, MAX_ANSWER_TIME, PART, remove_named};
use crate::clock::{folder_answers, within};
use crate::config::folders::BACKUPS;
use crate::domain::Bilingual;
use crate::files;
use crate::store::COMPANIONS;

const LOCK: &str = "backups.lock";
/// Pause between two attempts to lock a folder.
const LOCK_PAUSE: Duration = Duration::from_millis(100);
/// Number of attempts after which a process that waits for a lock looks whether the backup folder still works: half a
/// minute.
const ATTEMPTS_BEFORE_LOOK: usize = 300;

/// Age from which an unfinished file in a folder without a lock is not another process's, which goes on writing to it.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

const WAITING_FOR_OTHER: Bilingual = ("esperando outro backup", "waiting for another backup");

impl Backups {
    /// Creates the backup folder and locks it against other processes until the lock is dropped, and the data folder: another
    /// process may have another backup folder.
    pub(super) fn lock(&self) -> Result<Vec<File>, Failed> {
        files::private_dir(&self.data).map_err(|cause| Failed::File(self.data.clone(), cause))?;
        let mut locks = vec![self.lock_in(&self.data)?];
        let folder = self.usable_folder()?;
        let missing: Vec<_> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
        match takes_files(&folder) {
            None => return Err(Failed::FolderHangs(folder)),
            Some(taken) => taken.map_err(|cause| Failed::File(folder.clone(), cause))?,
        }
        // The superuser may have typed the command.
        missing.into_iter().for_each(|made| files::give_to_owner_of(&self.data, made));
        if !is_one_folder(&folder, &self.data) {
            locks.push(self.lock_in(&folder)?);
        }
        Ok(locks)
    }

    /// Locks like [`Backups::lock`] for reading backups. What cannot be locked is not: a backup on a disk that cannot be
    /// written is restored too, and a file elsewhere while another process waits for a backup folder that hangs.
    pub(super) fn lock_to_read(&self) -> Vec<File> {
        let mut folders = vec![self.data.clone()];
        let usable = self.usable_folder().ok();
        folders.extend(usable.filter(|folder| !is_one_folder(folder, &self.data)));
        folders.iter().filter_map(|folder| self.lock_in(folder).ok()).collect()
    }

    /// Returns the backup folder if it hangs, or that of the last backup: the process that has the lock may have other settings.
    fn hanging_folder(&self) -> Option<PathBuf> {
        match self.usable_folder() {
            Err(Failed::FolderHangs(folder)) => return Some(folder),
            Ok(folder) if takes_files(&folder).is_none() => return Some(folder),
            _ => {}
        }
        self.folder_of_newest().filter(|folder| !folder_answers(folder, MAX_ANSWER_TIME))
    }

    /// Locks a folder, and removes what killed processes left in it. Waits for the process that has the lock, as long as no
    /// backup folder hangs.
    fn lock_in(&self, folder: &Path) -> Result<File, Failed> {
        let of_folder = |cause| Failed::File(folder.to_owned(), cause);
        let lock = files::open_or_create_private(&folder.join(LOCK)).map_err(of_folder)?;
        let mut attempts = 0_usize;
        loop {
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    if attempts == 0 {
                        self.report_start(WAITING_FOR_OTHER);
                    } else if attempts.is_multiple_of(ATTEMPTS_BEFORE_LOOK)
                        && let Some(folder) = self.hanging_folder()
                    {
                        return Err(Failed::FolderHangs(folder));
                    }
                    attempts += 1;
                    thread::sleep(LOCK_PAUSE);
                }
                Err(TryLockError::Error(cause)) if files::is_unsupported(&cause) => return Ok(lock),
                Err(TryLockError::Error(cause)) => return Err(of_folder(cause)),
                Ok(()) => {
                    self.clear(folder);
                    return Ok(lock);
                }
            }
        }
    }

    /// Removes what killed processes left behind in a folder. The caller holds its lock.
    fn clear(&self, folder: &Path) {
        let is_left = |name: &str| {
            let whose = COMPANIONS.iter().find_map(|companion| name.strip_suffix(companion));
            whose.unwrap_or(name).ends_with(PART)
        };
        let mut folders = vec![folder.to_owned(), folder.join(FOLDER)];
        if folder == self.data {
            // A restore keeps the replaced store there if the backup folder cannot be used. A link leads to a folder with a lock.
            let backups = self.data.join(BACKUPS);
            if !backups.is_symlink() {
                folders.push(backups.join(FOLDER));
                folders.push(backups);
            }
        }
        folders.iter().for_each(|folder| remove_named(folder, Duration::ZERO, is_left));
    }

    /// Removes what killed processes left in the folder of the file `to`, where other programs may have files too, unless it is the
    /// backup folder of an office that uses it now.
    pub(super) fn clear_beside(to: &Path) {
        let folder = files::folder_of(to);
        let lock = File::open(folder.join(LOCK));
        if lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock))) {
            return;
        }
        remove_named(folder, ABANDONED_AFTER, is_temporary);
        remove_named(&folder.join(FOLDER), ABANDONED_AFTER, |name| name.ends_with(PART));
    }
}

/// Returns `true` for a name such as `.tmpAb3xYz.pleito-part`, as unfinished backups have it.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(".tmp").and_then(|name| name.strip_suffix(PART));
    random.is_some_and(|random| random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Makes a folder and tries a file in it: some hang only when they are written to. `None` if it does not answer in time.
pub(super) fn takes_files(folder: &Path) -> Option<io::Result<()>> {
    let folder = folder.to_owned();
    let try_out = move || {
        files::private_dir(&folder)?;
        let mut file = tempfile::tempfile_in(&folder)?;
        match file.write_all(b"Pleito") {
            // Whether there is room for a backup is told when its size is known.
            Err(cause) if cause.kind() == ErrorKind::StorageFull => Ok(()),
            written => written.and_then(|()| files::sync(&file)),
        }
    };
    within(MAX_ANSWER_TIME, try_out)
}

/// Returns `true` if both paths lead to one folder. A process that locks a file twice would wait for itself.
fn is_one_folder(one: &Path, other: &Path) -> bool {
    files::real_path(one) == files::real_path(other)
}

//! Restores a backup: verifies it first, keeps the replaced store, and lets a serving process continue.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::contents::NeededContents;
use super::encryption::DocumentsKey;
use super::file_name::{file_name, is_backup};
use super::lock::takes_files;
use super::unpack::unpack;
use super::{
    About, BackupFile, BackupReason, Backups, CHECKING, Failed, Temporary, ensure_room, file, is_store_lost,
};
use crate::config::folders::{BACKUPS, REPLICA};
use crate::domain::{Bilingual, Lang};
use crate::files::{self, beside, create_private};
use crate::store::engine::copy::{self, Contents};
use crate::store::nouns::documents;
use crate::store::{self, FILE, Store, office_id};

const UNPACKING: Bilingual = ("descompactando o backup", "unpacking the backup");
const PUTTING_IN_PLACE: Bilingual = ("pondo os dados no lugar", "putting the data in place");

/// What the names of plain files begin with that are kept of a replaced store.
pub(super) const KEPT_FILES: &str = "pleito-replaced-";
/// Endings of the files that hold a database.
const PLAIN_FILES: [&str; 3] = ["-journal", WAL, ""];
const WAL: &str = "-wal";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    pub path: PathBuf,
    /// The metadata of the backup. `None` for a plain database.
    pub about: Option<About>,
    /// The contents of the restored store.
    pub contents: Contents,
    /// The file of the replaced store, or `None` if there was no store.
    pub kept: Option<PathBuf>,
    /// Number of contents of documents that are neither in the data folder nor beside the backup.
    pub missing: u64,
    /// `true` if the replaced data were another office's.
    pub is_of_other_office: bool,
    /// `true` if the store that was here was lost.
    is_over_loss: bool,
}

impl Restored {
    /// Returns the file that brings the replaced store back. `None` if it was kept as plain files, which a restore refuses.
    pub fn undo(&self) -> Option<&Path> {
        self.kept.as_deref().filter(|kept| is_backup(&kept.to_string_lossy()))
    }

    /// Returns `true` if the replaced store was damaged or lost: what it could not tell of token, keys and people is that of the
    /// backup.
    pub fn is_over_damage(&self) -> bool {
        self.is_over_loss || self.kept.is_some() && self.undo().is_none()
    }
}

/// A backup that was unpacked and verified, ready to be restored.
pub(super) struct UnpackedBackup {
    path: PathBuf,
    pub(super) about: Option<About>,
    pub(super) contents: Contents,
    pub(super) needed: NeededContents,
    pub(super) unpacked: Temporary,
}

impl Backups {
    /// Replaces the whole store by `backup`, or by the newest sound backup. Without `backup`, stores that a
    /// restore replaced are not considered. The replaced store is kept as a backup, or as plain files if it
    /// is damaged. `replace` must make the owner of the store call [`Backups::replace`] with the given
    /// database. Fails with `NoneSound` if no backup is sound, and with `PassedOver` if a newer one than the newest
    /// sound one is unusable. On failure, the store is unchanged.
    pub fn restore(
        &self,
        backup: Option<&Path>,
        replace: impl FnOnce(&Path) -> Result<Option<PathBuf>, Failed>,
    ) -> Result<Restored, Failed> {
        let _locks = self.lock_to_read();
        let UnpackedBackup { path, about, contents, needed, unpacked } = match backup {
            Some(backup) => self.unpack_and_verify(backup)?,
            None => self.newest_unpacked()?,
        };
        // Before the rows, so that no document is visible without its content.
        let missing = self.restore_contents(&needed, &path)?;
        // An empty office may have a replica already, which knows it by its id.
        let has_replica = self.data.join(REPLICA).exists();
        let is_over_loss = is_store_lost(&self.data);
        let is_new = self.is_new();
        let keeps_id = !is_new || has_replica || is_over_loss;
        let own_id = office_id::read(&self.data).filter(|_| keeps_id);
        let made_in = about.as_ref().and_then(|about| about.place.as_deref());
        let is_made_here = made_in == Some(&*self.place());
        let office = about.as_ref().and_then(|about| about.office.as_deref());
        let earlier = office_id::earlier(&self.data);
        let is_of_earlier = earlier.iter().any(|id| Some(id.as_str()) == office);
        let is_of_own = match &own_id {
            _ if is_of_earlier => true,
            Some(own) => Some(own.as_str()) == office,
            None if is_made_here => true,
            None if is_over_loss => {
                earlier.is_empty() && self.last_office_here().is_none_or(|last| Some(last.as_str()) == office)
            }
            None => is_new,
        };
        let is_of_other_office = office.is_some() && !is_of_own;
        let kept = replace(unpacked.path())?;
        // A store that is kept may be of a later office than the backups that were made in its folder.
        let takes_id = own_id.is_none() && is_of_own && !is_of_earlier && (is_new || is_over_loss);
        if let Some(office) = office.filter(|_| takes_id)
            && let Err(cause) = office_id::take_over(&self.data, office)
        {
            tracing::warn!(%cause, "the office's id could not be written");
        }
        Ok(Restored { path, about, contents, kept, missing, is_of_other_office, is_over_loss })
    }

    fn newest_unpacked(&self) -> Result<UnpackedBackup, Failed> {
        self.ensure_newest_is_reached()?;
        let (regular, others): (Vec<_>, Vec<_>) =
            self.latest()?.into_iter().partition(BackupFile::is_regular);
        let mut faults = Vec::new();
        for one in regular {
            match self.unpack_and_verify(&one.path) {
                Ok(backup) => {
                    faults.extend(self.newer_faults(&others, &backup.path)?);
                    return match faults.is_empty() {
                        true => Ok(backup),
                        false => Err(Failed::PassedOver(backup.path, faults)),
                    };
                }
                Err(failed @ (Failed::Store(_) | Failed::NoRoom(_))) => return Err(failed),
                // An older backup must not take the place of one that only waits for its secret.
                Err(failed) if failed.is_locked() => return Err(failed),
                Err(failed) => faults.push(failed),
            }
        }
        Err(Failed::NoneSound(self.folder(), faults))
    }

    /// Returns why those of the files without metadata are unusable that may be newer than `backup`.
    pub(super) fn newer_faults(&self, others: &[BackupFile], backup: &Path) -> Result<Vec<Failed>, Failed> {
        let unknown = others.iter().filter(|other| other.about.is_none());
        let mut faults = Vec::new();
        let last = self.newest_path();
        let may_be_newer =
            |other: &&BackupFile| !written_before(&other.path, backup) || last.as_ref() == Some(&other.path);
        for newer in unknown.filter(may_be_newer) {
            match self.unpack_and_verify(&newer.path) {
                // Says nothing about the file.
                Err(failed @ (Failed::Store(_) | Failed::NoRoom(_))) => return Err(failed),
                verified => faults.extend(verified.err()),
            }
        }
        Ok(faults)
    }

    /// Returns the newest backup that a restore would take, fully verified: of this data folder, if it would ask for a file. `None`
    /// if no backup is sound, or the folder hangs.
    pub fn newest_sound(&self) -> Option<About> {
        let all = self.latest().or_else(|_| self.made_here()).unwrap_or_default();
        all.into_iter().filter(BackupFile::is_regular).find_map(|one| self.verify(&one.path).ok().flatten())
    }

    pub(super) fn unpack_and_verify(&self, backup: &Path) -> Result<UnpackedBackup, Failed> {
        if backup.metadata().is_ok_and(|file| !file.is_file() && !file.is_dir()) {
            return Err(Failed::NoBackup(backup.to_owned()));
        }
        let unpacked = Temporary::new(&self.data, "restore");
        // Space for the unpacked file and for the store's WAL.
        let length = file::about(backup).ok().flatten().map_or(0, |about| about.bytes);
        ensure_room(&self.data, length.saturating_mul(2))?;
        let mut about = match has_log(backup) {
            true => self.copy_with_log(backup, unpacked.path()).map(|()| None)?,
            false => {
                let mut plain = create_private(unpacked.path())
                    .map_err(|cause| Failed::File(unpacked.path().to_owned(), cause))?;
                unpack(backup, self.secret.as_ref(), &mut plain, &self.report_bytes(UNPACKING))?
            }
        };
        self.report_start(CHECKING);
        let contents =
            copy::verify_copy(unpacked.path()).map_err(|cause| Failed::of_backup(backup, cause))?;
        let key = about.as_mut().and_then(|about| about.documents_key.take());
        let key = key.as_deref().and_then(DocumentsKey::parse);
        let needed = NeededContents { sizes: documents::contents_in(unpacked.path())?, key };
        Ok(UnpackedBackup { path: backup.to_owned(), about, contents, needed, unpacked })
    }

    /// Copies a database with what is in the log beside it. SQLite opens another copy of the files, as it writes beside them.
    fn copy_with_log(&self, from: &Path, to: &Path) -> Result<(), Failed> {
        if from.file_name().is_some_and(|name| name == FILE) {
            Store::check_wal_owner(files::folder_of(from)).map_err(|cause| Failed::of_backup(from, cause))?;
        }
        let copied = Temporary::new(&self.data, "restore-files");
        copy_plain(from, copied.path())?;
        copy::copy_file(copied.path(), to).map_err(|cause| Failed::of_backup(from, cause))
    }

    /// Replaces the store by a verified database. `store` is the store that this process has open; without
    /// it, no process may have it open. Returns the path of the replaced store. The token in force stays
    /// unless `with_token` is `true`; the daily counts stay too. The requesting process holds the lock on the
    /// backups. On failure, the store is unchanged.
    pub fn replace(
        &self,
        unpacked: &Path,
        with_token: bool,
        store: Option<&Store>,
    ) -> Result<Option<PathBuf>, Failed> {
        let file = self.data.join(FILE);
        let backups = self.clone();
        let alone = store.is_none();
        // The file may come back, and the log has its last changes.
        let is_log_left = alone && !file.exists() && has_log(&file);
        let log = is_log_left.then(|| Ok::<_, Failed>(beside(&self.keep_files(&file)?, WAL))).transpose()?;
        let to = file.exists().then(|| self.prepare_to_keep());
        let keep = move || {
            let kept = to.map(|to| backups.keep_before(&file, alone, &to)).transpose()?;
            backups.report_start(PUTTING_IN_PLACE);
            Ok::<_, Failed>(kept)
        };
        let kept = match store {
            // Writes wait meanwhile: those between the kept copy and the exchange would be in neither.
            Some(store) => store.put_in_place_after(unpacked, with_token, keep)?,
            None => {
                let kept = keep()?;
                match kept {
                    Some(KeptStore::Damaged { has_own_log, .. }) => {
                        copy::put_over(&self.data, unpacked, with_token, has_own_log)?;
                    }
                    _ => copy::put_in_place(&self.data, unpacked, with_token)?,
                }
                kept
            }
        };
        tracing::warn!("the store was replaced by a backup");
        Ok(kept.map(|(KeptStore::Sound(path) | KeptStore::Damaged { path, .. })| path).or(log))
    }

    /// Chooses where the store that is about to be replaced is kept: in the backup folder or, if that cannot be used or
    /// hangs, in the one of the data folder. Copies the documents there now, as writes wait while the store is kept.
    fn prepare_to_keep(&self) -> KeptStoreFolder {
        let is_usable = |folder: &PathBuf| {
            let copied = self.copy_contents_of_store(folder).inspect_err(|failed| {
                let reason = failed.message(Lang::En);
                tracing::warn!(reason, "the documents of the replaced store could not be copied");
            });
            copied.is_ok()
        };
        let folder = self.usable_folder().ok();
        let highest = folder.as_ref().and_then(|_| self.highest_sequence().ok().flatten());
        let folders = folder.into_iter().chain([self.data.join(BACKUPS), self.data.clone()]);
        let usable = folders.filter(|folder| matches!(takes_files(folder), Some(Ok(())))).find(is_usable);
        KeptStoreFolder { usable, highest }
    }

    /// Keeps the store that is about to be replaced: as a backup if it is sound, as plain files if not.
    fn keep_before(&self, store: &Path, alone: bool, to: &KeptStoreFolder) -> Result<KeptStore, Failed> {
        // A log of another file must not get into the kept backup.
        let log = if alone { Store::check_wal_owner(&self.data) } else { Ok(()) };
        let has_own_log = log.is_ok();
        let made = log.map_err(Failed::Store).and_then(|()| {
            let keep_in = |folder: &Path| {
                files::private_dir(folder).map_err(|cause| Failed::File(folder.to_owned(), cause))?;
                self.make_in(folder, BackupReason::Replaced, to.highest, |about| {
                    file_name(about, &self.zone).into()
                })
            };
            match to.usable.as_deref().map(keep_in) {
                None | Some(Err(Failed::File(..) | Failed::NoRoom(_))) => keep_in(&self.data),
                Some(kept) => kept,
            }
        });
        match made {
            Ok((made, _)) => return Ok(KeptStore::Sound(made.path)),
            Err(Failed::Store(
                store::Error::Damaged(_)
                | store::Error::Foreign
                | store::Error::Schema(_)
                | store::Error::Newer { .. }
                | store::Error::Defect(_),
            )) => {}
            Err(failed) => return Err(failed),
        }
        Ok(KeptStore::Damaged { path: self.keep_files(store)?, has_own_log })
    }

    /// Keeps the files of a store as they are.
    fn keep_files(&self, store: &Path) -> Result<PathBuf, Failed> {
        let at = self.clock.now().to_zoned(self.zone.clone()).strftime("%Y-%m-%d-%H%M%S").to_string();
        let mut kept = self.data.join(format!("{KEPT_FILES}{at}.db"));
        // Another restore in the same second.
        while PLAIN_FILES.iter().any(|companion| beside(&kept, companion).exists()) {
            kept = self.data.join(format!("{KEPT_FILES}{at}-{:04x}.db", rand::random::<u16>()));
        }
        // Copied, so that a process that is killed leaves the files as they were.
        copy_plain(store, &kept)?;
        Ok(kept)
    }
}

/// Where a store that is replaced is kept.
struct KeptStoreFolder {
    /// `None` if neither the backup folder nor that in the data folder can be used.
    usable: Option<PathBuf>,
    /// The highest number of a backup, as far as it is known.
    highest: Option<u64>,
}

/// A store that was kept before it is replaced.
enum KeptStore {
    /// Kept as this backup.
    Sound(PathBuf),
    /// Its files were copied as they are. `has_own_log` is `false` if the log beside it is another file's.
    Damaged { path: PathBuf, has_own_log: bool },
}

/// Returns `true` if the file is known to be older than `other`. A file without readable metadata has no other date.
fn written_before(path: &Path, other: &Path) -> bool {
    let written = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    matches!((written(path), written(other)), (Some(one), Some(other)) if one < other)
}

/// Returns `true` for a database with a log or journal beside it, in which the last changes may be.
fn has_log(backup: &Path) -> bool {
    ["-journal", WAL].iter().any(|log| beside(backup, log).metadata().is_ok_and(|log| log.len() > 0))
}

/// Copies a database as it is, with the log or journal beside it. This process may have it open.
fn copy_plain(from: &Path, to: &Path) -> Result<(), Failed> {
    for companion in PLAIN_FILES {
        let source = beside(from, companion);
        let to = beside(to, companion);
        let mut open = match std::fs::File::open(&source) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => continue,
            opened => opened.map_err(|cause| Failed::File(source, cause))?,
        };
        let copied = files::copy(&mut open, &to);
        // Not closed before the process ends: closing it would release SQLite's locks on the file.
        std::mem::forget(open);
        copied.map_err(|cause| Failed::File(to, cause))?;
    }
    Ok(())
}

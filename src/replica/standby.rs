//! A standby: a data folder that follows the replica of an office on another machine (always 43).
//! `supervisor::promotion` promotes it, by the steps here.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use tempfile::TempDir;

use super::configuration::Replica;
use super::document_mirror::{ERASED, folder as copies_of_documents};
use super::epochs::{FolderEpoch, Heartbeat, RemoteEpochs, SeenEpochs, end_claim};
use super::restored_copy::{MAX_RESTORE_TIME, RestoredCopy};
use super::standby_state::{MARKER, STATE, StandbyContent};
use super::target::FIRST_EPOCH;
use super::{Doubt, Litestream, ReplicaError, ReplicaTarget, Secrets, json_file};
use crate::domain::ContentHash;
use crate::files;
use crate::store::engine::copy::{self, Contents};
use crate::store::nouns::documents;
use crate::store::{self, ContentStore, Db, Store, hash_of, journal};

/// What the marker is called after a promotion.
const PROMOTED: &str = "pleito.promoted";
/// The office says each minute that it runs.
const MAX_HEARTBEAT_AGE: SignedDuration = SignedDuration::from_secs(120);
/// What a machine that dies may not have replicated yet.
const USUAL_LOSS: SignedDuration = SignedDuration::from_secs(10);

/// A standby in a data folder.
pub struct Standby {
    /// The target as it was given: of a folder, the one with all epochs.
    replica: Replica,
    secrets: Secrets,
    litestream: Litestream,
    max_restore_time: Duration,
    followed: Mutex<Option<StandbyContent>>,
    /// SHA-256 of the last file that was put in place.
    last: Mutex<Option<ContentHash>>,
}

/// A verified copy of the newest state in a replica.
pub struct Fetched {
    file: PathBuf,
    _scratch: TempDir,
    pub contents: Contents,
    pub as_of: Timestamp,
    newest_at: Option<Timestamp>,
    heartbeat: Option<Heartbeat>,
    /// The epochs that were there before it was restored.
    epochs: SeenEpochs,
    /// The number of the last epoch, if that has no replica and is not what this data folder has claimed.
    unreplicated: Option<u64>,
    /// A later replica that no promotion began.
    stray: Option<u64>,
    /// The folder of that epoch. `None` if the replica is on another machine.
    epoch: Option<FolderEpoch>,
}

impl Standby {
    /// Returns the standby in a data folder. `None` if the folder is not one.
    pub fn of(
        data: &Path,
        litestream: impl FnOnce() -> Result<Litestream, ReplicaError>,
    ) -> Result<Option<Standby>, ReplicaError> {
        let Some(replica) = Replica::read(data, MARKER)? else { return Ok(None) };
        let secrets = replica.secrets(MARKER)?;
        let standby = Standby::new(data, replica.target, secrets, litestream()?);
        *standby.followed.lock() = json_file::read(&data.join(STATE));
        Ok(Some(standby))
    }

    /// Returns the target that the standby in a data folder follows, with all of its epochs. `None` if the folder is not one.
    pub fn target_in(data: &Path) -> Result<Option<ReplicaTarget>, ReplicaError> {
        Ok(Replica::read(data, MARKER)?.map(|replica| replica.target))
    }

    /// Creates a standby without writing anything.
    pub fn new(data: &Path, target: ReplicaTarget, secrets: Secrets, litestream: Litestream) -> Standby {
        let replica = Replica {
            data: data.to_owned(),
            store: data.join(store::FILE),
            target: target.with_all_epochs(),
        };
        Standby {
            replica,
            secrets,
            litestream,
            max_restore_time: MAX_RESTORE_TIME,
            followed: Mutex::default(),
            last: Mutex::default(),
        }
    }

    /// Makes the data folder a standby, and brings the first copy if it has none.
    pub fn begin(&self, now: impl Fn() -> Timestamp) -> Result<(), ReplicaError> {
        let data = self.replica.data();
        let is_new = !data.join(MARKER).exists();
        if is_new {
            self.replica.write_to(MARKER, &self.secrets)?;
        }
        if self.replica.store().exists() {
            return Ok(());
        }
        let begun = self.fetch(&now).and_then(|fetched| {
            self.bring_documents(&fetched)?;
            copy::put_in_place_unchanged(data, &fetched.file).map_err(|cause| self.unusable(&cause))?;
            self.note(&fetched);
            Ok(())
        });
        // Nothing tells then that the target is right.
        begun.inspect_err(|_| _ = is_new.then(|| fs::remove_file(data.join(MARKER))))
    }

    /// Sets the time that a restore may take, for tests.
    pub fn with_max_restore_time(self, max_restore_time: Duration) -> Standby {
        Standby { max_restore_time, ..self }
    }

    pub fn data(&self) -> &Path {
        self.replica.data()
    }

    pub fn target(&self) -> &ReplicaTarget {
        &self.replica.target
    }

    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Returns what is known about the content. `None` if it was never noted.
    pub fn followed(&self) -> Option<StandbyContent> {
        self.followed.lock().clone()
    }

    /// Returns the address of the office, if it is known.
    pub fn office(&self) -> Option<String> {
        self.followed()?.office
    }

    /// Restores the newest state of the replica into a new file, and verifies it.
    pub fn fetch(&self, now: impl Fn() -> Timestamp) -> Result<Fetched, ReplicaError> {
        let begun = now();
        self.replica.ensure_answer()?;
        let nothing_there = || ReplicaError::NothingThere(self.replica.target.to_string());
        let (epochs, is_own, stray, epoch, target, heartbeat) = match FolderEpoch::of(&self.replica.target) {
            Some(first) => {
                let folder = first.folder.clone();
                let folders =
                    FolderEpoch::folders(&folder).map_err(|cause| ReplicaError::Folder(folder, cause))?;
                let all = folders.iter().filter(|epoch| epoch.is_begun()).cloned().collect::<Vec<_>>();
                // That of a promoted office that does not replicate yet, too. Read before the restore, which then has what
                // the heartbeat counts.
                let heartbeat = FolderEpoch::newest_heartbeat(&all);
                let newest = FolderEpoch::newest_replica(all.iter())?.cloned().ok_or_else(nothing_there)?;
                let last = all.last().unwrap_or(&newest);
                let strays = folders.iter().filter(|epoch| epoch.number > last.number);
                let numbers = strays.clone().map(|epoch| epoch.number).collect::<Vec<_>>();
                let epochs = SeenEpochs::of(newest.number, last.number, &numbers);
                let stray = FolderEpoch::newest_replica(strays)?.map(|epoch| epoch.number);
                let is_own = last.is_claimed_by(self.data());
                let target = newest.target();
                (epochs, is_own, stray, Some(newest), target, heartbeat)
            }
            None => {
                let epochs = self.remote_epochs().ok_or_else(nothing_there)?;
                let last = epochs.last()?;
                let heartbeat = epochs.heartbeat(last)?;
                let number = epochs.newest_replica(last)?.ok_or_else(nothing_there)?;
                let strays = epochs.strays(last)?;
                let seen = SeenEpochs::of(number, last, &strays);
                let is_own = epochs.is_own(last);
                (seen, is_own, strays.last().copied(), None, epochs.replica(number)?.target, heartbeat)
            }
        };
        let unreplicated = Some(epochs.last).filter(|last| *last > epochs.from && !is_own);
        let replica = Replica { target, ..self.replica.clone() };
        let RestoredCopy { scratch, file, contents } =
            replica.restore_aside(&self.litestream, &self.secrets, self.max_restore_time)?;
        let newest_at = Store::read_once(scratch.path(), journal::affected_records::latest_at)
            .map_err(|cause| self.unusable(&cause))?;
        let newest_at = newest_at.and_then(|at| Timestamp::from_second(at).ok());
        // The heartbeat of an earlier office tells nothing about the one that does not replicate.
        let as_of = match unreplicated {
            Some(_) => newest_at.unwrap_or(Timestamp::UNIX_EPOCH).min(begun),
            None => as_of(begun, heartbeat.as_ref(), contents.change, newest_at),
        };
        Ok(Fetched {
            file,
            _scratch: scratch,
            contents,
            as_of,
            newest_at,
            heartbeat,
            epochs,
            unreplicated,
            stray,
            epoch,
        })
    }

    /// Makes the store of the standby what the replica is. On failure it stays as it is.
    pub fn follow(&self, store: &Store, now: impl Fn() -> Timestamp) -> Result<(), ReplicaError> {
        let fetched = self.fetch(now)?;
        self.take(&fetched, store)
    }

    /// Fails with `OtherStore` if a copy cannot be a later or an earlier state of the present content: another office's
    /// replica is in the place of the one that was followed.
    pub fn refuse_other_store(&self, fetched: &Fetched, store: &Store) -> Result<(), ReplicaError> {
        let number = self.change(store)?.min(fetched.contents.change);
        let marks = move |db: Db<'_>| journal::affected_records::marks(db, number);
        let unusable = |cause: store::Error| self.unusable(&cause);
        let here = store.read(marks).map_err(unusable)?;
        let brought = Store::read_once(files::folder_of(&fetched.file), marks).map_err(unusable)?;
        // A restored backup lacks entries, but never the first one.
        match here.first() == brought.first() && (here.len() != brought.len() || here == brought) {
            true => Ok(()),
            false => Err(ReplicaError::OtherStore(self.replica.target.to_string())),
        }
    }

    /// Puts a copy in place. Refuses one of another office, and one that is behind the present content.
    pub fn take(&self, fetched: &Fetched, store: &Store) -> Result<(), ReplicaError> {
        self.refuse_other_store(fetched, store)?;
        if fetched.contents.change < self.change(store)? {
            return Err(ReplicaError::OlderCopy(self.replica.target.to_string()));
        }
        self.bring_documents(fetched)?;
        let hash = fs::File::open(&fetched.file).and_then(|mut file| hash_of(&mut file));
        let hash = hash.map_err(|cause| self.unusable(&cause))?;
        let mut last = self.last.lock();
        // A restore may outlast the promotion and the restart after it.
        if !self.data().join(MARKER).exists() {
            return Err(ReplicaError::Promoted);
        }
        if last.as_ref() != Some(&hash) {
            store.mirror(&fetched.file).map_err(|cause| self.unusable(&cause))?;
            *last = Some(hash);
        }
        self.note(fetched);
        Ok(())
    }

    /// Returns the number of the newest change that the standby has.
    pub fn change(&self, store: &Store) -> Result<u64, ReplicaError> {
        store.read(journal::latest).map_err(|cause: store::Error| self.unusable(&cause))
    }

    /// Returns what speaks against a promotion with this copy, if the standby has the changes up to `here`.
    pub fn doubts(&self, fetched: &Fetched, here: u64, now: Timestamp, zone: &TimeZone) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        if fetched.contents.change < here {
            doubts.push(Doubt::Older(self.replica.target.to_string()));
        }
        doubts.extend(fetched.unreplicated.map(Doubt::Unreplicated));
        doubts.extend(fetched.stray.map(Doubt::Stray));
        let Some(heartbeat) = &fetched.heartbeat else {
            doubts.push(Doubt::Unseen(self.replica.target.to_string()));
            return doubts;
        };
        let zoned = |at: Timestamp| at.to_zoned(zone.clone());
        let newest_at = fetched.newest_at.unwrap_or(Timestamp::UNIX_EPOCH);
        if fetched.contents.change.max(here) < heartbeat.change
            && heartbeat.at.duration_since(newest_at) > USUAL_LOSS
        {
            doubts.push(Doubt::Behind(zoned(newest_at), zoned(heartbeat.at)));
        }
        let by_disk = fetched.epoch.as_ref().and_then(|epoch| epoch.since_heartbeat().ok());
        let age = by_disk.unwrap_or_else(|| now.duration_since(heartbeat.at));
        if heartbeat.is_last {
            doubts.push(Doubt::Left(zoned(heartbeat.at)));
        } else if age <= MAX_HEARTBEAT_AGE {
            let office = heartbeat.office.clone().unwrap_or_else(|| self.replica.target.to_string());
            doubts.push(Doubt::Alive(zoned(heartbeat.at), office));
        }
        doubts
    }

    /// Claims the next epoch for this data folder, from which the office of the replica no longer serves. `change` is the
    /// number of the last change that both have. Returns the epoch's number and its replica, which has no configuration
    /// yet.
    pub fn claim(&self, fetched: &Fetched, change: u64) -> Result<(u64, Replica), ReplicaError> {
        let data = self.replica.data();
        if let Some(epoch) = &fetched.epoch {
            let epoch = FolderEpoch::claim(epoch.base(), data, fetched.epochs, change)?;
            return Ok((epoch.number, Replica::new(data, epoch.target())?));
        }
        let epochs = self.remote_epochs();
        let epochs = epochs.ok_or_else(|| ReplicaError::NothingThere(self.replica.target.to_string()))?;
        let number = epochs.claim(fetched.epochs, change)?;
        Ok((number, Replica::new(data, epochs.replica(number)?.target)?))
    }

    fn remote_epochs(&self) -> Option<RemoteEpochs<'_>> {
        RemoteEpochs::of(&self.replica, &self.litestream, &self.secrets).map(|(_, epochs)| epochs)
    }

    /// Makes the data folder an office. The last step of a promotion.
    pub fn end(&self) -> Result<(), ReplicaError> {
        let _last = self.last.lock();
        let data = self.replica.data();
        let removed = store::remove_epoch_note(data)
            .and_then(|()| files::remove_if_there(&data.join(STATE)))
            .and_then(|()| files::sync_folder(data));
        let ended = removed.and_then(|()| files::rename(&data.join(MARKER), &data.join(PROMOTED)));
        ended.map_err(|cause| ReplicaError::Folder(data.to_owned(), cause))?;
        end_claim(data);
        Ok(())
    }

    /// Returns `true` if a data folder is a standby.
    pub fn is_in(data: &Path) -> bool {
        data.join(MARKER).exists()
    }

    /// Returns `true` if the office in a data folder was a standby.
    pub fn was_in(data: &Path) -> bool {
        data.join(PROMOTED).exists()
    }

    /// Copies the files of documents that the copy names and the data folder lacks, if they are beside the replica of any
    /// epoch: a promoted office may not have copied all of them to its own yet.
    fn bring_documents(&self, fetched: &Fetched) -> Result<(), ReplicaError> {
        let Some(epoch) = &fetched.epoch else { return Ok(()) };
        let all = FolderEpoch::all(epoch.base()).map_err(|cause| self.unusable(&cause))?;
        let contents = ContentStore::of(self.replica.data());
        let mut missing = 0;
        for (hash, size) in documents::contents_in(&fetched.file).map_err(|cause| self.unusable(&cause))? {
            if contents.path(&hash).exists() {
                continue;
            }
            let copies = all.iter().rev().map(|epoch| copies_of_documents(&epoch.folder).join(hash.as_str()));
            let copies = copies.flat_map(|copy| [copy.clone(), files::beside(&copy, ERASED)]);
            let mut brought = copies.map(|copy| contents.bring(&hash, size, &copy));
            // Stops at the first copy that is sound, or at the first error.
            let is_brought = brought.find(|brought| !matches!(brought, Ok(false)));
            if is_brought.transpose().map_err(|cause| self.unusable(&cause))?.is_none() {
                missing += 1;
            }
        }
        if missing > 0 {
            tracing::warn!(missing, "files of documents are not beside the replica");
        }
        Ok(())
    }

    fn note(&self, fetched: &Fetched) {
        let office = fetched.heartbeat.as_ref().and_then(|heartbeat| heartbeat.office.clone());
        let followed = StandbyContent { as_of: fetched.as_of, office };
        if let Err(cause) = json_file::write(&self.data().join(STATE), &followed) {
            tracing::warn!(%cause, "the state of the standby could not be noted");
        }
        *self.followed.lock() = Some(followed);
    }

    fn unusable(&self, cause: &dyn std::fmt::Display) -> ReplicaError {
        self.replica.unusable(cause)
    }
}

impl ReplicaTarget {
    /// Returns the target that has all epochs, if this one is the folder of an epoch. Else returns the target itself.
    pub fn with_all_epochs(self) -> ReplicaTarget {
        match FolderEpoch::of(&self) {
            Some(epoch) => FolderEpoch { number: FIRST_EPOCH, folder: epoch.base().to_owned() }.target(),
            None => self.remote_epoch().map_or(self, |(_, all)| all),
        }
    }
}

/// Returns the moment whose state a copy has. The restore has `begun` after the `last` heartbeat was read.
fn as_of(begun: Timestamp, last: Option<&Heartbeat>, change: u64, newest_at: Option<Timestamp>) -> Timestamp {
    match last {
        None => begun,
        Some(last) if change < last.change => newest_at.unwrap_or(Timestamp::UNIX_EPOCH).min(begun),
        Some(last) if begun.duration_since(last.at) <= MAX_HEARTBEAT_AGE => begun,
        Some(last) => last.at,
    }
}

//! What an office and its standbys tell each other at the target: that the office lives, and that a standby was promoted
//! (always 43).

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use jiff::Timestamp;

use super::epochs::{FolderEpoch, HEARTBEAT, Heartbeat, Promotion, RemoteEpochs, Superseded, shared_change};
use super::replica_owner::ReplicaOwner;
use super::target::{FIRST_EPOCH, STORE, epoch_name};
use super::{Litestream, Replica, ReplicaError, ReplicaTarget, Secrets, json_file};
use crate::store::engine::note_file;

/// The file in a data folder with the [`Superseded`] that was found last. A folder with it is no office any more.
const SUPERSEDED: &str = "pleito.superseded";

impl Superseded {
    /// Returns what [`Replica::superseded`] has found before for the office in a data folder. It stays true if the target is
    /// out of reach, and without a replica.
    pub fn noted(data: &Path) -> Option<Superseded> {
        json_file::read(&data.join(SUPERSEDED))
    }
}

impl Replica {
    /// Returns the office that was promoted after this one, as far as the target tells or has ever told. Fails if the target
    /// does not tell, and never has.
    pub fn superseded(&self) -> Result<Option<Superseded>, ReplicaError> {
        self.note(self.later())
    }

    /// Notes a later office. Returns the one noted before if there is no other.
    fn note(
        &self,
        later: Result<Option<Superseded>, ReplicaError>,
    ) -> Result<Option<Superseded>, ReplicaError> {
        let later = match (later, Superseded::noted(&self.data)) {
            // A disk that was plugged in by mistake must not hide the own promotion.
            (Ok(Some(later)), Some(noted)) if later.is_of_other && !noted.is_of_other => {
                return Ok(Some(noted));
            }
            (Ok(Some(later)), _) => later,
            (other, noted) => return noted.map_or(other, |noted| Ok(Some(noted))),
        };
        if let Err(cause) = json_file::write(&self.data.join(SUPERSEDED), &later) {
            tracing::warn!(%cause, "the promotion of a standby could not be noted");
        }
        Ok(Some(later))
    }

    /// Looks for a later epoch at the target. What is at one that is neither configured nor this office's tells nothing about
    /// this office.
    fn later(&self) -> Result<Option<Superseded>, ReplicaError> {
        let configured = Replica::of(&self.data).ok().flatten();
        let is_configured = configured.is_some_and(|configured| configured.target == self.target);
        let Some(own) = FolderEpoch::of(&self.target) else {
            return if is_configured { self.later_elsewhere() } else { Ok(None) };
        };
        self.ensure_answer()?;
        let owner = own.owner();
        let is_own = || owner.as_ref().is_some_and(|own| own.is_or_became(&ReplicaOwner::of(&self.data)));
        if !is_configured && !is_own() {
            return Ok(None);
        }
        let unusable = |cause| ReplicaError::Folder(own.base().to_owned(), cause);
        let mut all = FolderEpoch::folders(own.base()).map_err(unusable)?;
        let is_stray = |epoch: &FolderEpoch| epoch.number > own.number && !epoch.is_begun();
        for stray in all.extract_if(.., |epoch| is_stray(epoch)) {
            tracing::warn!(
                epoch = stray.number,
                "a folder that no promotion began is at the target; nothing of it is used"
            );
        }
        let promotion = |number| all.iter().find(|epoch| epoch.number == number)?.promotion();
        let office = |epoch: &FolderEpoch| epoch.owner().map(|owner| owner.folder).unwrap_or_default();
        let is_claimed = |epoch: &FolderEpoch| epoch.promotion().is_some_and(|made| made.is_of(&self.data));
        if let Some(last) = all.last().filter(|last| last.number > own.number && !is_claimed(last)) {
            let change = shared_change(own.number, last.number, promotion);
            let made = last.promotion();
            // By a record of this very office, the id is in force that a promotion would name.
            let is_of_other = owner.is_some_and(|owner| match owner == ReplicaOwner::of(&self.data) {
                true => made.as_ref().is_some_and(|made| made.is_of_others(&self.data)),
                false => owner.is_other(&self.data),
            });
            let machine = made.and_then(|made| made.machine);
            let folder = office(last);
            return Ok(Some(Superseded { epoch: last.number, machine, folder, change, is_of_other }));
        }
        let other = own.put_back_promotion(&self.data).map_err(unusable)?;
        Ok(other.map(|other| Superseded {
            epoch: own.number,
            is_of_other: other.is_of_others(&self.data),
            machine: other.machine,
            folder: office(&own),
            change: Some(other.change),
        }))
    }

    /// Refuses a target that is to be configured anew if it is an epoch to which this office was not promoted, or is beside the
    /// office's own one: only a promotion makes an epoch, and none goes back to an earlier one.
    ///
    /// Whether an epoch on another machine is this office's, only [`Replica::is_own_elsewhere`] tells.
    pub fn refuse_other_epoch(&self) -> Result<(), ReplicaError> {
        // A configuration that cannot be read is written anew.
        let configured = Replica::of(&self.data).ok().flatten().map(|configured| configured.target);
        if configured.as_ref() == Some(&self.target) {
            return Ok(());
        }
        let (base, number) = place(&self.target);
        let is_beside = |other: &ReplicaTarget| {
            let (other_base, other_number) = place(other);
            other_base == base && other_number != number
        };
        if let Some(configured) = configured.filter(is_beside) {
            return Err(ReplicaError::OwnEpoch(configured.to_string()));
        }
        let not_begun = || ReplicaError::NotBegun(base.clone());
        let Some(epoch) = FolderEpoch::of(&self.target) else {
            let is_promoted = || Promotion::of(&self.data).is_some();
            return if number == FIRST_EPOCH || is_promoted() { Ok(()) } else { Err(not_begun()) };
        };
        self.ensure_answer()?;
        let unusable = |cause| ReplicaError::Folder(epoch.folder.clone(), cause);
        if epoch.number != FIRST_EPOCH && epoch.owner() == Some(ReplicaOwner::of(&self.data)) {
            epoch.put_back_promotion(&self.data).map_err(unusable)?;
        }
        let own_epoch = |number| ReplicaError::OwnEpoch(format!("{base}/{}", epoch_name(number)));
        let made = epoch.promotion();
        if let Some(own) = made.as_ref().filter(|made| made.is_of(&self.data)) {
            // Else it is a link to the own epoch, or a mount of it.
            return if own.number == epoch.number { Ok(()) } else { Err(own_epoch(own.number)) };
        }
        let last = FolderEpoch::all(epoch.base()).ok().and_then(|mut epochs| epochs.pop());
        match last.filter(|last| last.promotion().is_some_and(|made| made.is_of(&self.data))) {
            Some(last) => Err(own_epoch(last.number)),
            None if made.is_none() && epoch.number == FIRST_EPOCH => Ok(()),
            None => Err(not_begun()),
        }
    }

    /// Returns `true` if the target on another machine, which is to be configured anew, has the replica of this office: the
    /// first one, or the epoch to which it was promoted last. Refuses what is beside that, and any other epoch.
    pub fn is_own_elsewhere(&self, litestream: &Litestream, secrets: &Secrets) -> Result<bool, ReplicaError> {
        let Some((number, epochs)) = RemoteEpochs::of(self, litestream, secrets) else { return Ok(false) };
        match Promotion::of(&self.data).map(|own| own.number) {
            Some(own) if epochs.is_promoted_to(own)? => match own == number {
                true => Ok(true),
                false => Err(ReplicaError::OwnEpoch(epochs.replica(own)?.target.to_string())),
            },
            _ if number == FIRST_EPOCH => epochs.owns_first(),
            _ => Err(ReplicaError::NotBegun(epochs.replica(FIRST_EPOCH)?.target.to_string())),
        }
    }

    /// Fails if another office lives at the target on another machine.
    pub fn refuse_other_office(
        &self,
        litestream: &Litestream,
        secrets: &Secrets,
    ) -> Result<(), ReplicaError> {
        let Some((own, epochs)) = RemoteEpochs::of(self, litestream, secrets) else { return Ok(()) };
        match epochs.other_office(own)? {
            Some(other) => Err(ReplicaError::OtherOffice(self.target.to_string(), other.folder)),
            None => Ok(()),
        }
    }

    /// Writes a heartbeat at the target on another machine, so that no other office takes it before Litestream has replicated
    /// something. No Litestream may run there.
    pub fn arrive(
        &self,
        litestream: &Litestream,
        secrets: &Secrets,
        now: Timestamp,
    ) -> Result<(), ReplicaError> {
        let Some((own, epochs)) = RemoteEpochs::of(self, litestream, secrets) else { return Ok(()) };
        let change = epochs.heartbeat_in(own)?.map_or(0, |before| before.change);
        let heartbeat = Heartbeat { owner: Some(self.owner()?), ..Heartbeat::new(now, change, None) };
        epochs.set_heartbeat(own, &heartbeat)
    }

    /// Returns the number of the newest change at a target that is this office's, as its last heartbeat tells. 0 if
    /// there is none.
    pub fn change_at_target(&self, litestream: &Litestream, secrets: &Secrets) -> Result<u64, ReplicaError> {
        let heartbeat = match (FolderEpoch::of(&self.target), RemoteEpochs::of(self, litestream, secrets)) {
            (Some(epoch), _) => epoch.heartbeat(),
            (None, Some((own, epochs))) => epochs.heartbeat_in(own)?,
            (None, None) => None,
        };
        Ok(heartbeat.map_or(0, |heartbeat| heartbeat.change))
    }

    /// Like [`Replica::superseded`], for a target on another machine that [is this office's](Replica::is_own_elsewhere).
    pub fn superseded_elsewhere(
        &self,
        litestream: &Litestream,
        secrets: &Secrets,
    ) -> Result<Option<Superseded>, ReplicaError> {
        let Some((own, epochs)) = RemoteEpochs::of(self, litestream, secrets) else { return Ok(None) };
        self.note(epochs.later(own))
    }

    /// Fails if the target is a folder that does not answer.
    pub(super) fn ensure_answer(&self) -> Result<(), ReplicaError> {
        match self.target.answers() {
            true => Ok(()),
            false => Err(ReplicaError::Unreachable(self.target.to_string(), ErrorKind::TimedOut.to_string())),
        }
    }

    /// Looks for a later epoch of the configured target on another machine.
    fn later_elsewhere(&self) -> Result<Option<Superseded>, ReplicaError> {
        let secrets = self.configured_secrets()?;
        let litestream = Litestream::find()?;
        let Some((own, epochs)) = RemoteEpochs::of(self, &litestream, &secrets) else { return Ok(None) };
        epochs.later(own)
    }

    /// Renews the heartbeat at the target. Returns the one that was there, if the target is a folder. Fails if that does not
    /// belong to this office. To another machine, Litestream carries it.
    pub fn heartbeat(&self, heartbeat: &Heartbeat) -> io::Result<Option<Heartbeat>> {
        if let Some(alive) = self.alive() {
            let owner = Some(ReplicaOwner::with_id(&self.data)?);
            let heartbeat = Heartbeat { owner, ..heartbeat.clone() };
            let written = note_file::write(&alive.store, &serde_json::to_string(&heartbeat)?);
            return written.map(|()| None).map_err(io::Error::other);
        }
        let epoch =
            FolderEpoch::of(&self.target).filter(|_| self.owns_folder()).ok_or(ErrorKind::NotFound)?;
        let before = epoch.heartbeat();
        json_file::write(&epoch.folder.join(HEARTBEAT), heartbeat)?;
        Ok(before)
    }

    /// Tells at the target that no further heartbeat follows there. Fails with `OtherOffice` if it does not belong to this
    /// office.
    pub fn send_last_heartbeat(&self, secrets: &Secrets, now: Timestamp) -> Result<(), ReplicaError> {
        self.ensure_answer()?;
        // Fails if its id cannot be read, without which every office is another one.
        let own = self.owner()?;
        let last = |heartbeat: Option<Heartbeat>| {
            let heartbeat = heartbeat.unwrap_or_else(|| Heartbeat::new(now, 0, None));
            Heartbeat { at: now, is_last: true, ..heartbeat }
        };
        let Some(epoch) = FolderEpoch::of(&self.target) else {
            let litestream = Litestream::find()?;
            let Some((number, epochs)) = RemoteEpochs::of(self, &litestream, secrets) else { return Ok(()) };
            self.refuse_other_office(&litestream, secrets)?;
            let before = epochs.heartbeat_in(number)?;
            return epochs.set_heartbeat(number, &Heartbeat { owner: Some(own), ..last(before) });
        };
        if let Some(other) = epoch.owner().filter(|owner| !owner.is_or_became(&own)) {
            return Err(ReplicaError::OtherOffice(self.target.to_string(), other.folder));
        }
        let shown = self.heartbeat(&last(epoch.heartbeat()));
        shown.map(|_| ()).map_err(|cause| ReplicaError::Folder(epoch.folder, cause))
    }
}

/// Returns the target of all epochs beside one, as text, and the number of that one. A folder is named by its real path, unless
/// it does not answer.
fn place(target: &ReplicaTarget) -> (String, u64) {
    if let Some((number, base)) = target.remote_epoch() {
        return (base.to_string(), number);
    }
    let Some(folder) = target.folder() else { return (target.to_string(), FIRST_EPOCH) };
    let real = if target.answers() { fs::canonicalize(folder).ok() } else { None };
    let target = ReplicaTarget::File { path: real.unwrap_or_else(|| folder.to_owned()).join(STORE) };
    let epoch = FolderEpoch::of(&target);
    epoch.map_or_else(
        || (target.to_string(), FIRST_EPOCH),
        |epoch| (epoch.base().display().to_string(), epoch.number),
    )
}

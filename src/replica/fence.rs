//! What an office and its standbys tell each other at the target: that the office lives, and that a standby was promoted
//! (always 43).

use std::io::{self, ErrorKind};
use std::path::Path;

use jiff::Timestamp;

use super::epochs::{ReplicaEpoch, SIGN_OF_LIFE, SignOfLife, Superseded, shared_change};
use super::remote_epochs::RemoteEpochs;
use super::{Litestream, Replica, ReplicaError, Secrets, json_file};
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
        let later = match self.later() {
            Ok(Some(later)) => later,
            other => return Superseded::noted(&self.data).map_or(other, |noted| Ok(Some(noted))),
        };
        if let Err(cause) = json_file::write(&self.data.join(SUPERSEDED), &later) {
            tracing::warn!(%cause, "the promotion of a standby could not be noted");
        }
        Ok(Some(later))
    }

    /// Looks for a later epoch at the target.
    fn later(&self) -> Result<Option<Superseded>, ReplicaError> {
        let Some(own) = ReplicaEpoch::of(&self.target) else { return self.later_elsewhere() };
        let unusable = |cause| ReplicaError::Folder(own.base().to_owned(), cause);
        let all = ReplicaEpoch::all(own.base()).map_err(unusable)?;
        let claim = |epoch: &ReplicaEpoch| epoch.promotion().map(|promotion| promotion.claim);
        // Reads nothing more if there is no later epoch, as at almost every look.
        let is_copy = |epoch: &&ReplicaEpoch| {
            let is_copy = claim(epoch).is_some_and(|other| Some(other) == claim(&own));
            if is_copy {
                tracing::warn!(
                    epoch = epoch.number,
                    "a copy of this office's epoch is no promotion; remove it"
                );
            }
            is_copy
        };
        let mut later = all.iter().rev().take_while(|epoch| epoch.number > own.number);
        let Some(last) = later.find(|epoch| !is_copy(epoch)) else { return Ok(None) };
        let promotion = |number| all.iter().find(|epoch| epoch.number == number)?.promotion();
        let change = shared_change(own.number, last.number, promotion);
        let folder = last.owner().map(|owner| owner.folder).unwrap_or_default();
        Ok(Some(Superseded { epoch: last.number, folder, change }))
    }

    /// Looks for a later epoch of the configured target on another machine.
    fn later_elsewhere(&self) -> Result<Option<Superseded>, ReplicaError> {
        let configured = Replica::of(&self.data)?;
        if configured.is_none_or(|configured| configured.target != self.target) {
            return Ok(None);
        }
        let secrets = self.configured_secrets()?;
        let litestream = Litestream::find()?;
        let Some((own, epochs)) = RemoteEpochs::of(self, &litestream, &secrets) else { return Ok(None) };
        epochs.later(own)
    }

    /// Renews the sign of life at the target. Returns the one that was there, if the target is a folder. Fails if that does not
    /// belong to this office. To another machine, Litestream carries it.
    pub fn sign_of_life(&self, sign: &SignOfLife) -> io::Result<Option<SignOfLife>> {
        if let Some(alive) = self.alive() {
            let written = note_file::write(&alive.store, &serde_json::to_string(sign)?);
            return written.map(|()| None).map_err(io::Error::other);
        }
        let epoch =
            ReplicaEpoch::of(&self.target).filter(|_| self.owns_folder()).ok_or(ErrorKind::NotFound)?;
        let before = epoch.sign_of_life();
        json_file::write(&epoch.folder.join(SIGN_OF_LIFE), sign)?;
        Ok(before)
    }

    /// Tells at the target, if it belongs to this office, that no further sign of life follows there.
    pub fn leave(&self, secrets: &Secrets, now: Timestamp) -> Result<(), ReplicaError> {
        let last = |sign: Option<SignOfLife>| match sign {
            Some(sign) => SignOfLife { at: now, is_last: true, ..sign },
            None => SignOfLife { at: now, change: 0, office: None, is_last: true },
        };
        let Some(epoch) = ReplicaEpoch::of(&self.target) else {
            let litestream = Litestream::find()?;
            let Some((own, epochs)) = RemoteEpochs::of(self, &litestream, secrets) else { return Ok(()) };
            return epochs.set_sign_of_life(own, &last(epochs.sign_of_life(own)?));
        };
        let shown = self.sign_of_life(&last(epoch.sign_of_life()));
        shown.map(|_| ()).map_err(|cause| ReplicaError::Folder(epoch.folder, cause))
    }
}

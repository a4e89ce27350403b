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
        self.ensure_answer()?;
        let unusable = |cause| ReplicaError::Folder(own.base().to_owned(), cause);
        let mut all = ReplicaEpoch::folders(own.base()).map_err(unusable)?;
        let is_stray = |epoch: &ReplicaEpoch| epoch.number > own.number && !epoch.is_begun();
        for stray in all.extract_if(.., |epoch| is_stray(epoch)) {
            tracing::warn!(
                epoch = stray.number,
                "a folder that no promotion began is at the target; remove it"
            );
        }
        let promotion = |number| all.iter().find(|epoch| epoch.number == number)?.promotion();
        let office = |epoch: &ReplicaEpoch| epoch.owner().map(|owner| owner.folder).unwrap_or_default();
        if let Some(last) = all.last().filter(|last| last.number > own.number) {
            let change = shared_change(own.number, last.number, promotion);
            return Ok(Some(Superseded { epoch: last.number, folder: office(last), change }));
        }
        let other = own.put_back_promotion(&self.data).map_err(unusable)?;
        Ok(other.map(|other| Superseded {
            epoch: own.number,
            folder: office(&own),
            change: Some(other.change),
        }))
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
        self.ensure_answer()?;
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

//! The epochs of a replica: each promotion of a standby begins one (always 43).
//!
//! `folder_epochs` has those of a replica in a folder, `remote_epochs` those on another machine. Here is what both tell: the
//! heartbeat of an office, the promotion that begins an epoch, and the claim of a data folder to it.

mod folder_epochs;
mod remote_epochs;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::replica_owner::ReplicaOwner;
use super::target::FIRST_EPOCH;
use super::{Replica, ReplicaError, json_file};
use crate::store::office_id;
use crate::{files, machine};
pub(super) use folder_epochs::FolderEpoch;
pub(super) use remote_epochs::RemoteEpochs;

pub(super) const HEARTBEAT: &str = "pleito-alive.json";
/// The file in a data folder with its claim to an epoch, until it is the office of that epoch.
const CLAIM: &str = "pleito.claim";
/// The file in a data folder with the [`Promotion`] to the epoch that it claimed last.
const CLAIMED: &str = "pleito.claimed";

/// What a running office says about itself each minute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    pub at: Timestamp,
    /// Number of its newest change.
    pub change: u64,
    /// Its URL on the network.
    pub office: Option<String>,
    /// `true` if it was the last one there: the office has no replica any more, or another one.
    #[serde(default)]
    pub is_last: bool,
    /// Whose it is, on another machine. A folder has a record for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<ReplicaOwner>,
}

/// The beginning of an epoch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Promotion {
    /// The epoch. What people copied to the place of another one is no promotion.
    pub(super) number: u64,
    /// The epoch whose replica was promoted.
    pub(super) from: u64,
    /// Number of the last change that both have.
    pub(super) change: u64,
    /// Random. A machine that was cloned has the owner of the other one.
    pub(super) claim: String,
    /// The host name of the machine that was promoted.
    #[serde(default)]
    pub(super) machine: Option<String>,
    /// The ids of the offices whose place it takes: that of the replica, and the earlier ones. Empty if the records do not tell all.
    #[serde(default)]
    offices: Vec<String>,
}

/// The claim of a data folder. A copy of the folder has no part in it: two machines would promote themselves to one epoch.
#[derive(Serialize, Deserialize)]
struct OwnClaim {
    claim: String,
    owner: ReplicaOwner,
}

impl Replica {
    /// Forgets whose replica an earlier office in a data folder had, and its promotion: a new office is another one.
    pub fn forget_owner(data: &Path) -> io::Result<()> {
        office_id::forget(data).and_then(|()| files::remove_if_there(&data.join(CLAIMED)))
    }
}

impl Heartbeat {
    pub fn new(at: Timestamp, change: u64, office: Option<String>) -> Heartbeat {
        Heartbeat { at, change, office, is_last: false, owner: None }
    }
}

impl Promotion {
    pub(super) fn new(number: u64, from: u64, change: u64, claim: String) -> Promotion {
        Promotion { number, from, change, claim, machine: machine::host_name(), offices: Vec::new() }
    }

    /// Adds the office from whose replica it is, and those before that one, by the promotion that began its epoch. Adds none if
    /// one of them is unknown: it would seem to be another one.
    pub(super) fn after(self, owner: Option<ReplicaOwner>, earlier: Option<Promotion>) -> Promotion {
        let before = match earlier {
            _ if self.from == FIRST_EPOCH => Some(Vec::new()),
            earlier => earlier.map(|earlier| earlier.offices).filter(|offices| !offices.is_empty()),
        };
        let all = owner.and_then(|owner| owner.id).zip(before);
        let offices = all.map(|(id, before)| [vec![id], before].concat());
        Promotion { offices: offices.unwrap_or_default(), ..self }
    }

    /// Returns `true` if it seems to be in the place of other offices than that in a data folder and those before it.
    pub(super) fn is_of_others(&self, data: &Path) -> bool {
        let before = Promotion::of(data).map(|own| own.offices);
        // An earlier version noted none.
        let is_known = !self.offices.is_empty() && before.as_ref().is_none_or(|before| !before.is_empty());
        let earlier = before.into_iter().flatten().chain(office_id::earlier(data));
        let own = earlier.chain(office_id::read(data)).collect::<Vec<_>>();
        is_known && !own.is_empty() && !own.iter().any(|id| self.offices.contains(id))
    }

    /// Returns the promotion to the epoch that a data folder claimed last.
    pub(super) fn of(data: &Path) -> Option<Promotion> {
        json_file::read(&data.join(CLAIMED))
    }

    /// Returns `true` if it is the promotion to the epoch that a data folder claimed last.
    pub(super) fn is_of(&self, data: &Path) -> bool {
        Promotion::of(data).is_some_and(|own| own.claim == self.claim)
    }

    /// Notes this promotion in its data folder.
    pub(super) fn note(&self, data: &Path) -> Result<(), ReplicaError> {
        let noted = json_file::write(&data.join(CLAIMED), self)
            .and_then(|()| office_id::note_earlier(data, &self.offices));
        noted.map_err(|cause| ReplicaError::Folder(data.to_owned(), cause))
    }
}

/// The epochs that a promotion goes by, all of them seen before its copy was restored: an office that is promoted while the copy
/// comes has the next number then.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenEpochs {
    /// The one whose replica is promoted.
    pub(super) from: u64,
    /// The last one.
    pub(super) last: u64,
    /// The number of the next one.
    pub(super) next: u64,
}

impl SeenEpochs {
    /// Returns these epochs. The next one has the first number that no stray replica has.
    pub(super) fn of(from: u64, last: u64, strays: &[u64]) -> SeenEpochs {
        let next = (last + 1..).find(|number| !strays.contains(number)).unwrap_or(u64::MAX);
        SeenEpochs { from, last, next }
    }
}

/// A later office that has taken the place of this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Superseded {
    pub epoch: u64,
    /// The host name of its machine. `None` if no record tells it.
    #[serde(default)]
    pub machine: Option<String>,
    /// Its data folder. Empty if no record tells it.
    pub folder: String,
    /// Number of the last change that both have. `None` if no record tells it.
    pub change: Option<u64>,
    /// `true` if the records name another office in the place of this one, as after disks were exchanged.
    #[serde(default)]
    pub is_of_other: bool,
}

/// Ends the claim of a data folder, which is the office of its epoch now.
pub(super) fn end_claim(data: &Path) {
    let _ = fs::remove_file(data.join(CLAIM));
}

/// Returns the id with which a data folder claims an epoch, also after an interruption.
pub(super) fn claim_of(data: &Path) -> io::Result<String> {
    own_claim(data).map_or_else(|| new_claim(data), Ok)
}

fn new_claim(data: &Path) -> io::Result<String> {
    let claim = format!("{:032x}", rand::random::<u128>());
    let owner = ReplicaOwner::with_id(data)?;
    json_file::write(&data.join(CLAIM), &OwnClaim { claim: claim.clone(), owner })?;
    Ok(claim)
}

/// Returns the id with which a data folder has claimed an epoch. `None` if it has not, or is the office of its epoch.
pub(super) fn own_claim(data: &Path) -> Option<String> {
    let own = json_file::read::<OwnClaim>(&data.join(CLAIM))?;
    (own.owner == ReplicaOwner::of(data)).then_some(own.claim)
}

/// Returns the number of the last change that the epochs `own` and `last` both have, by what the epochs tell of their
/// promotions.
pub(super) fn shared_change(
    own: u64,
    last: u64,
    promotion: impl Fn(u64) -> Option<Promotion>,
) -> Option<u64> {
    // An epoch comes from an earlier one: a chain of them ends.
    let earlier = |number| promotion(number).filter(|promotion| promotion.from < number);
    let chain = std::iter::successors(earlier(last), |promotion| earlier(promotion.from));
    let branches = chain.map(|promotion| (promotion.from, promotion.change)).collect::<BTreeMap<_, _>>();
    let mut number = own;
    let mut shared = u64::MAX;
    loop {
        if let Some(branch) = branches.get(&number) {
            return Some(shared.min(*branch));
        }
        // Nothing was promoted from this epoch. It shares what it took over itself.
        let promotion = earlier(number)?;
        shared = shared.min(promotion.change);
        number = promotion.from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promotion_names_all_offices_before_it_or_none() {
        let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let [first, second, stranger] = folders.each_ref().map(|folder| folder.path());
        let owner = |data| Some(ReplicaOwner::with_id(data).unwrap());
        let begun = |number, from| Promotion::new(number, from, 1, String::new());
        let second_epoch = begun(2, 1).after(owner(first), None);
        let third_epoch = begun(3, 2).after(owner(second), Some(second_epoch));
        assert!(owner(stranger).is_some() && third_epoch.is_of_others(stranger));
        assert!(!third_epoch.is_of_others(first) && !third_epoch.is_of_others(second));
        let second_claim = begun(2, 1).after(owner(first), None);
        second_claim.note(second).unwrap();
        let beside = begun(3, 1).after(owner(first), None);
        assert!(!beside.is_of_others(second), "of the same office, when the second one had no replica yet");
        std::fs::remove_file(second.join("pleito.earlier-offices")).unwrap();
        assert!(!beside.is_of_others(second), "promoted by an earlier version");
        std::fs::remove_file(second.join(CLAIMED)).unwrap();
        office_id::note_earlier(second, &beside.offices).unwrap();
        assert!(!beside.is_of_others(second), "its claim was lost");
        let unknown = begun(3, 2).after(owner(second), Some(begun(2, 1)));
        assert!(!unknown.is_of_others(first), "an earlier version did not name it");
    }
}

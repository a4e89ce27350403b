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
        [office_id::FILE, CLAIMED].iter().try_for_each(|name| files::remove_if_there(&data.join(name)))
    }
}

impl Heartbeat {
    pub fn new(at: Timestamp, change: u64, office: Option<String>) -> Heartbeat {
        Heartbeat { at, change, office, is_last: false, owner: None }
    }
}

impl Promotion {
    pub(super) fn new(number: u64, from: u64, change: u64, claim: String) -> Promotion {
        Promotion { number, from, change, claim, machine: machine::host_name() }
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
        let noted = json_file::write(&data.join(CLAIMED), self);
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

//! The epochs of a replica in a folder: each promotion of a standby begins one, in a folder of its own (always 43).

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::owner::ReplicaOwner;
use super::target::STORE;
use super::{Replica, ReplicaError, ReplicaTarget};
use crate::files;

/// Name of an epoch's folder, before its number. The first epoch is in the folder of the target itself.
const FOLDER: &str = "epoch-";
const FIRST: u64 = 1;
const PROMOTION: &str = "pleito-promotion.json";
const SIGN_OF_LIFE: &str = "pleito-alive.json";

/// What a running office says about itself each minute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignOfLife {
    pub at: Timestamp,
    /// Number of its newest change.
    pub change: u64,
    /// Its URL on the network.
    pub office: Option<String>,
}

/// The beginning of an epoch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Promotion {
    /// The epoch whose replica was promoted.
    pub(super) from: u64,
    /// Number of the last change that both have.
    pub(super) change: u64,
}

/// A later office that has taken the place of this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseded {
    pub epoch: u64,
    /// Its data folder.
    pub folder: String,
    /// Number of the last change that both have. `None` if no record tells it.
    pub change: Option<u64>,
}

/// The folder of an epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplicaEpoch {
    pub(super) number: u64,
    pub(super) folder: PathBuf,
}

impl ReplicaEpoch {
    /// Returns the epoch that a target is. `None` if it is no folder.
    pub(super) fn of(target: &ReplicaTarget) -> Option<ReplicaEpoch> {
        let folder = target.folder()?;
        Some(ReplicaEpoch { number: number(folder).unwrap_or(FIRST), folder: folder.to_owned() })
    }

    /// Returns the folder that has all epochs.
    pub(super) fn base(&self) -> &Path {
        if self.number == FIRST { &self.folder } else { files::folder_of(&self.folder) }
    }

    /// Lists the epochs with an owner's record or a replica, in their order. Fails if the folder cannot be read.
    pub(super) fn all(base: &Path) -> io::Result<Vec<ReplicaEpoch>> {
        let mut all = vec![ReplicaEpoch { number: FIRST, folder: base.to_owned() }];
        for entry in fs::read_dir(base)? {
            let folder = entry?.path();
            all.extend(number(&folder).map(|number| ReplicaEpoch { number, folder }));
        }
        all.retain(|epoch| epoch.has_replica() || epoch.owner().is_some());
        all.sort_by_key(|epoch| epoch.number);
        Ok(all)
    }

    pub(super) fn target(&self) -> ReplicaTarget {
        ReplicaTarget::File { path: self.folder.join(STORE) }
    }

    /// Returns `true` if Litestream has replicated something.
    pub(super) fn has_replica(&self) -> bool {
        fs::read_dir(self.folder.join(STORE)).is_ok_and(|mut entries| entries.next().is_some())
    }

    pub(super) fn sign_of_life(&self) -> Option<SignOfLife> {
        read(&self.folder.join(SIGN_OF_LIFE))
    }

    fn promotion(&self) -> Option<Promotion> {
        // An epoch comes from an earlier one: a chain of them ends.
        read(&self.folder.join(PROMOTION)).filter(|promotion: &Promotion| promotion.from < self.number)
    }

    fn owner(&self) -> Option<ReplicaOwner> {
        ReplicaOwner::read(&self.folder).ok().flatten()
    }

    /// Takes the next epoch for the office in `data`. Takes up its own one that it claimed in a promotion without an end.
    /// Fails with `Claimed` if another machine takes the same number at this moment.
    pub(super) fn claim(
        base: &Path,
        data: &Path,
        promotion: &Promotion,
    ) -> Result<ReplicaEpoch, ReplicaError> {
        let failed = |cause| ReplicaError::Folder(base.to_owned(), cause);
        let own = ReplicaOwner::of(data);
        let last = ReplicaEpoch::all(base).map_err(failed)?.pop();
        let is_unused = |last: &ReplicaEpoch| last.number > promotion.from && !last.has_replica();
        if let Some(last) = last.clone().filter(is_unused).filter(|last| last.owner() == Some(own.clone())) {
            write(&last.folder.join(PROMOTION), promotion).map_err(failed)?;
            return Ok(last);
        }
        let number = last.map_or(FIRST, |last| last.number) + 1;
        let folder = base.join(format!("{FOLDER}{number}"));
        let prepared = files::private_temp_dir(base, ".pleito-epoch-").map_err(failed)?;
        files::give_to_owner_of(data, prepared.path());
        let written = own.write(prepared.path());
        written.and_then(|()| write(&prepared.path().join(PROMOTION), promotion)).map_err(failed)?;
        // Fails if the name is taken by a folder that is not empty. All claims have records.
        match fs::rename(prepared.path(), &folder).and_then(|()| files::sync_folder(base)) {
            Ok(()) => {
                let _ = prepared.keep();
                Ok(ReplicaEpoch { number, folder })
            }
            Err(cause) => match ReplicaOwner::read(&folder).ok().flatten() {
                Some(other) => Err(ReplicaError::Claimed(number, other.folder)),
                None => Err(failed(cause)),
            },
        }
    }
}

impl Replica {
    /// Returns the office that was promoted after this one, if its record can be read.
    pub fn superseded(&self) -> Option<Superseded> {
        let own = ReplicaEpoch::of(&self.target)?;
        let all = ReplicaEpoch::all(own.base()).ok()?;
        let last = all.last().filter(|last| last.number > own.number)?;
        let owner = last.owner();
        let mut at = last;
        let change = loop {
            let Some(promotion) = at.promotion() else { break None };
            if promotion.from == own.number {
                break Some(promotion.change);
            }
            let Some(before) = all.iter().find(|epoch| epoch.number == promotion.from) else { break None };
            at = before;
        };
        let folder = owner.map(|owner| owner.folder).unwrap_or_default();
        Some(Superseded { epoch: last.number, folder, change })
    }

    /// Renews the sign of life in the folder of the target, if it belongs to this office.
    pub fn sign_of_life(&self, sign: &SignOfLife) -> io::Result<()> {
        match self.target.folder().filter(|_| self.owns_folder()) {
            Some(folder) => write(&folder.join(SIGN_OF_LIFE), sign),
            None => Ok(()),
        }
    }
}

fn number(folder: &Path) -> Option<u64> {
    let number = folder.file_name()?.to_str()?.strip_prefix(FOLDER)?.parse().ok()?;
    (number > FIRST).then_some(number)
}

fn read<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

fn write(file: &Path, record: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(record).map_err(|cause| io::Error::new(ErrorKind::InvalidData, cause))?;
    files::replace(file, &text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store;

    /// Machines that share the folder of a replica. The first one is the office of the first epoch.
    struct Machines {
        disk: tempfile::TempDir,
        data: Vec<tempfile::TempDir>,
        /// The replica that each machine is configured with, if it is no standby.
        replicas: Vec<Option<Replica>>,
    }

    impl Machines {
        fn new(count: usize) -> Machines {
            let disk = tempfile::tempdir().unwrap();
            let data = (0..count).map(|_| tempfile::tempdir().unwrap()).collect::<Vec<_>>();
            for data in &data {
                fs::write(data.path().join(store::FILE), "").unwrap();
            }
            let first =
                Replica::new(data[0].path(), ReplicaTarget::parse(&disk.path().to_string_lossy()).unwrap());
            let first = first.unwrap();
            first.take_folder().unwrap();
            let replicas = (0..count).map(|one| (one == 0).then(|| first.clone())).collect();
            let machines = Machines { disk, data, replicas };
            machines.replicate(0);
            machines
        }

        /// Litestream replicates something from a machine.
        fn replicate(&self, machine: usize) {
            let folder = self.replicas[machine].as_ref().unwrap().target.folder().unwrap().join(STORE);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("ltx"), "").unwrap();
        }

        /// Promotes a machine with a copy that ends at a change. Returns the number of its epoch.
        fn promote(&mut self, machine: usize, change: u64) -> u64 {
            let all = ReplicaEpoch::all(self.disk.path()).unwrap();
            let from = all.into_iter().rfind(ReplicaEpoch::has_replica).unwrap().number;
            let data = self.data[machine].path();
            let epoch = ReplicaEpoch::claim(self.disk.path(), data, &Promotion { from, change }).unwrap();
            self.replicas[machine] = Some(Replica::new(data, epoch.target()).unwrap());
            epoch.number
        }

        /// Returns the machines that serve after each has looked.
        fn serving(&self) -> Vec<usize> {
            let serves = |replica: &Option<Replica>| {
                replica
                    .as_ref()
                    .is_some_and(|replica| replica.superseded().is_none() && replica.owns_folder())
            };
            (0..self.replicas.len()).filter(|machine| serves(&self.replicas[*machine])).collect()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// In whatever order machines are promoted, replicate, come back and look, exactly one serves.
        #[test]
        fn one_machine_serves_in_any_order_of_events(events in prop::collection::vec((0..4_usize, any::<bool>(), 0..1000_u64), 1..20)) {
            let mut machines = Machines::new(4);
            let mut last = 0;
            for (machine, is_promotion, change) in events {
                match (is_promotion, &machines.replicas[machine]) {
                    // A machine that comes back is first made a standby, whose configuration is new.
                    (true, replica) if machine != last || replica.is_none() => {
                        machines.replicas[machine] = None;
                        let before = ReplicaEpoch::all(machines.disk.path()).unwrap().last().unwrap().number;
                        let epoch = machines.promote(machine, change);
                        prop_assert!(epoch >= before);
                        last = machine;
                    }
                    // Also one that was superseded and whose Litestream does not know it.
                    (false, Some(_)) => machines.replicate(machine),
                    _ => {}
                }
                prop_assert_eq!(machines.serving(), vec![last]);
            }
        }
    }

    #[test]
    fn of_promotions_at_the_same_moment_each_has_a_number_of_its_own_or_fails() {
        let machines = Machines::new(9);
        let base = machines.disk.path();
        let promotion = Promotion { from: 1, change: 7 };
        let claims = std::thread::scope(|scope| {
            let claim = |data: &tempfile::TempDir| {
                let data = data.path().to_owned();
                let promotion = promotion.clone();
                scope.spawn(move || ReplicaEpoch::claim(base, &data, &promotion))
            };
            let claims = machines.data[1..].iter().map(claim).collect::<Vec<_>>();
            claims.into_iter().map(|claim| claim.join().unwrap()).collect::<Vec<_>>()
        });
        let mut numbers = Vec::new();
        for claim in claims {
            match claim {
                Ok(epoch) => numbers.push(epoch.number),
                Err(cause) => assert_eq!(cause.code(), "replica-epoch-claimed"),
            }
        }
        numbers.sort_unstable();
        let different = numbers.iter().collect::<std::collections::BTreeSet<_>>().len();
        assert!(different == numbers.len() && !numbers.is_empty(), "{numbers:?}");
        let all = ReplicaEpoch::all(base).unwrap();
        assert!(all.iter().skip(1).all(|epoch| epoch.promotion() == Some(promotion.clone())), "{all:?}");
        let left = fs::read_dir(base)
            .unwrap()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(".pleito-epoch-"));
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn the_shared_change_is_that_of_the_promotion_that_left_the_epoch() {
        let mut machines = Machines::new(4);
        assert_eq!(machines.promote(1, 50), 2);
        machines.replicate(1);
        // A claim that nobody used is passed over.
        assert_eq!(machines.promote(2, 80), 3);
        assert_eq!(machines.promote(3, 90), 4);
        let shared = |machine: usize| machines.replicas[machine].as_ref().unwrap().superseded().unwrap();
        assert_eq!((shared(0).epoch, shared(0).change), (4, Some(50)));
        assert_eq!(shared(1).change, Some(90));
        assert_eq!(shared(2).change, None, "nothing was promoted from it");
        assert_eq!(
            shared(0).folder,
            fs::canonicalize(machines.data[3].path()).unwrap().display().to_string()
        );
    }
}

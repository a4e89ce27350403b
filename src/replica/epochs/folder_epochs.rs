//! The epochs of a replica in a folder: the first one is the folder itself, and each later one a folder in it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use jiff::SignedDuration;

use super::{HEARTBEAT, Heartbeat, Promotion, SeenEpochs, claim_of, new_claim, own_claim};
use crate::files;
use crate::replica::replica_owner::{PROMOTION, RECORD, ReplicaOwner};
use crate::replica::target::{FIRST_EPOCH, STORE, epoch_name, epoch_number};
use crate::replica::{ReplicaError, ReplicaTarget, json_file};

/// Name of a folder that is prepared to become an epoch, before a random part.
const PREPARED: &str = ".pleito-epoch-";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::replica) struct FolderEpoch {
    pub(in crate::replica) number: u64,
    pub(in crate::replica) folder: PathBuf,
}

impl FolderEpoch {
    /// Returns the epoch that a target is. `None` if it is no folder.
    pub(in crate::replica) fn of(target: &ReplicaTarget) -> Option<FolderEpoch> {
        let folder = target.folder()?;
        Some(FolderEpoch { number: number(folder).unwrap_or(FIRST_EPOCH), folder: folder.to_owned() })
    }

    /// Returns the folder that has all epochs.
    pub(in crate::replica) fn base(&self) -> &Path {
        if self.number == FIRST_EPOCH { &self.folder } else { files::folder_of(&self.folder) }
    }

    /// Lists the epochs in their order: the first one, and those that a promotion began. Fails if the folder cannot be read.
    pub(in crate::replica) fn all(base: &Path) -> io::Result<Vec<FolderEpoch>> {
        let mut all = FolderEpoch::folders(base)?;
        all.retain(FolderEpoch::is_begun);
        Ok(all)
    }

    /// Lists the folders that have the name of an epoch, in the order of their numbers.
    pub(in crate::replica) fn folders(base: &Path) -> io::Result<Vec<FolderEpoch>> {
        let mut all = vec![FolderEpoch { number: FIRST_EPOCH, folder: base.to_owned() }];
        for entry in fs::read_dir(base)? {
            let folder = entry?.path();
            all.extend(number(&folder).map(|number| FolderEpoch { number, folder }));
        }
        all.sort_by_key(|epoch| epoch.number);
        Ok(all)
    }

    /// Returns `true` for the first epoch if it is in use, and for any other one if a promotion began it. One that cannot be
    /// looked into counts: the user of another machine may have made it.
    pub(in crate::replica) fn is_begun(&self) -> bool {
        if self.number == FIRST_EPOCH {
            return [RECORD, STORE].iter().any(|name| self.folder.join(name).try_exists().unwrap_or(true));
        }
        match fs::read(self.folder.join(PROMOTION)) {
            Ok(text) => {
                serde_json::from_slice::<Promotion>(&text).is_ok_and(|made| made.number == self.number)
            }
            Err(cause) => !matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        }
    }

    /// Puts the promotion of the office in `data` back if it was removed from this epoch or damaged. Returns the one that is
    /// there instead, if it is another office's.
    pub(in crate::replica) fn put_back_promotion(&self, data: &Path) -> io::Result<Option<Promotion>> {
        let Some(own) = Promotion::of(data).filter(|own| own.number == self.number) else { return Ok(None) };
        match self.promotion() {
            Some(made) if made.number == self.number => Ok(Some(made).filter(|made| made.claim != own.claim)),
            _ if self.is_on_another_disk(&own, data) => Ok(None),
            _ => {
                tracing::warn!(
                    epoch = self.number,
                    "the promotion of this office was not in its replica, and is put back"
                );
                json_file::write(&self.folder.join(PROMOTION), &own).map(|()| None)
            }
        }
    }

    /// Returns `true` if this epoch has no record of the office in `data`, and the first one is known to be of another office than
    /// those whose place its promotion takes.
    fn is_on_another_disk(&self, own: &Promotion, data: &Path) -> bool {
        let first = ReplicaOwner::read(self.base()).ok().flatten().and_then(|owner| owner.id);
        let is_foreign = |id| !own.offices.is_empty() && !own.offices.contains(&id);
        let is_own = |owner: ReplicaOwner| owner.is_or_became(&ReplicaOwner::of(data));
        !self.owner().is_some_and(is_own) && first.is_some_and(is_foreign)
    }

    pub(in crate::replica) fn target(&self) -> ReplicaTarget {
        ReplicaTarget::File { path: self.folder.join(STORE) }
    }

    /// Returns the newest of these epochs to which Litestream has replicated something. Fails if a newer one cannot be
    /// looked into.
    pub(in crate::replica) fn newest_replica<'a>(
        epochs: impl DoubleEndedIterator<Item = &'a FolderEpoch>,
    ) -> Result<Option<&'a FolderEpoch>, ReplicaError> {
        for epoch in epochs.rev() {
            if epoch.has_replica().map_err(|cause| ReplicaError::Folder(epoch.folder.clone(), cause))? {
                return Ok(Some(epoch));
            }
        }
        Ok(None)
    }

    fn has_replica(&self) -> io::Result<bool> {
        match fs::read_dir(self.folder.join(STORE)) {
            Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
            entries => Ok(entries?.next().is_some()),
        }
    }

    pub(in crate::replica) fn heartbeat(&self) -> Option<Heartbeat> {
        json_file::read(&self.folder.join(HEARTBEAT))
    }

    /// Returns the heartbeat in the newest of some epochs that has one. `None` if that cannot be read: the heartbeat of an
    /// earlier epoch would tell nothing about the office of this one.
    pub(in crate::replica) fn newest_heartbeat(epochs: &[FolderEpoch]) -> Option<Heartbeat> {
        epochs.iter().rev().find(|epoch| epoch.folder.join(HEARTBEAT).exists())?.heartbeat()
    }

    /// Returns the time since the newest heartbeat in any epoch, by the clock of the disk: those of the machines may
    /// differ. Fails if there is no heartbeat, or if the folder of all epochs cannot be written.
    pub(in crate::replica) fn since_heartbeat(&self) -> io::Result<SignedDuration> {
        let base = self.base();
        let all = FolderEpoch::all(base)?;
        let files = all.iter().filter_map(|epoch| fs::metadata(epoch.folder.join(HEARTBEAT)).ok());
        let newest = files.filter_map(|file| file.modified().ok()).max().ok_or(ErrorKind::NotFound)?;
        let now = files::private_temp_dir(base, PREPARED)?.path().metadata()?.modified()?;
        Ok(SignedDuration::try_from(now.duration_since(newest).unwrap_or_default()).unwrap_or_default())
    }

    pub(in crate::replica) fn promotion(&self) -> Option<Promotion> {
        json_file::read(&self.folder.join(PROMOTION))
    }

    /// Returns `true` if a data folder has claimed this epoch, in a promotion without an end.
    pub(in crate::replica) fn is_claimed_by(&self, data: &Path) -> bool {
        let own = own_claim(data);
        own.is_some() && own == self.promotion().map(|promotion| promotion.claim)
    }

    pub(in crate::replica) fn owner(&self) -> Option<ReplicaOwner> {
        ReplicaOwner::read(&self.folder).ok().flatten()
    }

    /// Takes the next epoch for the office in `data`; `change` is the number of the last change that both have. Takes up its own
    /// one that it claimed in a promotion without an end. Fails with `Claimed` if another machine was promoted since `seen`.
    pub(in crate::replica) fn claim(
        base: &Path,
        data: &Path,
        seen: SeenEpochs,
        change: u64,
    ) -> Result<FolderEpoch, ReplicaError> {
        let failed = |cause| ReplicaError::Folder(base.to_owned(), cause);
        let unnoted = |cause| ReplicaError::Folder(data.to_owned(), cause);
        let SeenEpochs { from, last, next: number } = seen;
        let mut all = FolderEpoch::all(base).map_err(failed)?;
        if let Some(later) = all.pop_if(|epoch| epoch.number > last) {
            let office = later.owner().map(|owner| owner.folder).unwrap_or_default();
            return Err(ReplicaError::Claimed(later.number, office));
        }
        let replica = all.iter().find(|epoch| epoch.number == from).cloned();
        let promotion = |number, claim| {
            let earlier = replica.as_ref().and_then(FolderEpoch::promotion);
            Promotion::new(number, from, change, claim)
                .after(replica.as_ref().and_then(FolderEpoch::owner), earlier)
        };
        let last = all.pop().filter(|epoch| epoch.number == last);
        if let Some(last) = last.filter(|last| last.number > from && last.is_claimed_by(data)) {
            let promotion = promotion(last.number, claim_of(data).map_err(unnoted)?);
            json_file::write(&last.folder.join(PROMOTION), &promotion).map_err(failed)?;
            promotion.note(data)?;
            return Ok(last);
        }
        let promotion = promotion(number, new_claim(data).map_err(unnoted)?);
        promotion.note(data)?;
        let folder = base.join(epoch_name(number));
        let prepared = files::private_temp_dir(base, PREPARED).map_err(failed)?;
        files::give_to_owner_of(data, prepared.path());
        let owner = ReplicaOwner::with_id(data).map_err(unnoted)?;
        owner
            .write(prepared.path())
            .and_then(|()| json_file::write(&prepared.path().join(PROMOTION), &promotion))
            .map_err(failed)?;
        // Fails if the name is taken by a folder that is not empty. All claims have records.
        match fs::rename(prepared.path(), &folder).and_then(|()| files::sync_folder(base)) {
            Ok(()) => {
                let _ = prepared.keep();
                Ok(FolderEpoch { number, folder })
            }
            Err(cause) => match ReplicaOwner::read(&folder).ok().flatten() {
                Some(other) => Err(ReplicaError::Claimed(number, other.folder)),
                None => Err(failed(cause)),
            },
        }
    }
}

fn number(folder: &Path) -> Option<u64> {
    epoch_number(folder.file_name()?.to_str()?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::machine;
    use crate::replica::epochs::end_claim;
    use crate::replica::{Replica, Secrets, Superseded};
    use crate::store;

    /// Machines that share the folder of a replica. The first one is the office of the first epoch.
    struct Machines {
        disk: tempfile::TempDir,
        data: Vec<tempfile::TempDir>,
    }

    impl Machines {
        fn new(count: usize) -> Machines {
            let data = (0..count).map(|_| tempfile::tempdir().unwrap()).collect::<Vec<_>>();
            for data in &data {
                fs::write(data.path().join(store::FILE), "").unwrap();
            }
            let machines = Machines { disk: tempfile::tempdir().unwrap(), data };
            let target = ReplicaTarget::parse(&machines.base().to_string_lossy()).unwrap();
            let first = Replica::new(machines.data[0].path(), target).unwrap();
            first.take_folder().unwrap();
            first.write(&Secrets::default()).unwrap();
            machines.replicate(0);
            machines
        }

        fn base(&self) -> PathBuf {
            self.disk.path().join("replica")
        }

        /// Returns the replica of a machine, by its configuration. `None` for a standby.
        fn replica(&self, machine: usize) -> Option<Replica> {
            Replica::of(self.data[machine].path()).unwrap()
        }

        /// Litestream replicates something from a machine.
        fn replicate(&self, machine: usize) {
            let folder = self.replica(machine).unwrap().target.folder().unwrap().join(STORE);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("ltx"), "").unwrap();
        }

        /// Makes a machine a standby, whose data folder is new.
        fn empty(&mut self, machine: usize) {
            self.data[machine] = tempfile::tempdir().unwrap();
            fs::write(self.data[machine].path().join(store::FILE), "").unwrap();
        }

        fn claim(&self, machine: usize, change: u64) -> FolderEpoch {
            FolderEpoch::claim(&self.base(), self.data[machine].path(), self.seen(), change).unwrap()
        }

        /// Looks at the epochs as a promotion does.
        fn seen(&self) -> SeenEpochs {
            let folders = FolderEpoch::folders(&self.base()).unwrap();
            let all = FolderEpoch::all(&self.base()).unwrap();
            let from = FolderEpoch::newest_replica(all.iter()).unwrap().unwrap().number;
            let last = all.last().unwrap().number;
            let strays = folders.iter().map(|epoch| epoch.number).filter(|number| *number > last);
            SeenEpochs::of(from, last, &strays.collect::<Vec<_>>())
        }

        /// Promotes a machine with a copy that ends at a change. Returns the number of its epoch.
        fn promote(&self, machine: usize, change: u64) -> u64 {
            let data = self.data[machine].path();
            let epoch = self.claim(machine, change);
            Replica::new(data, epoch.target()).unwrap().write(&Secrets::default()).unwrap();
            end_claim(data);
            epoch.number
        }

        /// Returns the machines that serve an office after each has looked.
        fn serving(&self) -> Vec<usize> {
            let serves = |machine: &usize| {
                self.replica(*machine).is_some_and(|replica| !matches!(replica.superseded(), Ok(Some(_))))
            };
            (0..self.data.len()).filter(serves).collect()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// In whatever order machines are promoted, interrupted, replicate, come back and look, exactly one serves: also
        /// while the folder is out of reach, if each has looked before.
        #[test]
        fn one_machine_serves_in_any_order_of_events(events in prop::collection::vec((0..4_usize, 0..3_u8, 0..1000_u64), 1..20)) {
            let mut machines = Machines::new(4);
            let mut last = 0;
            for (machine, event, change) in events {
                match event {
                    0 if machine != last => {
                        let before = FolderEpoch::all(&machines.base()).unwrap().pop().unwrap().number;
                        if machines.replica(machine).is_some() {
                            machines.empty(machine);
                        }
                        prop_assert!(machines.promote(machine, change) >= before);
                        last = machine;
                    }
                    // Also one that was superseded and whose Litestream does not know it.
                    1 if machines.replica(machine).is_some() => machines.replicate(machine),
                    // The power fails in a promotion: nobody serves until it is repeated.
                    2 if machines.replica(machine).is_none() => {
                        machines.claim(machine, change);
                        prop_assert_eq!(machines.serving(), Vec::<usize>::new());
                        machines.promote(machine, change);
                        last = machine;
                    }
                    _ => {}
                }
                prop_assert_eq!(machines.serving(), vec![last]);
                let unplugged = machines.disk.path().join("unplugged");
                fs::rename(machines.base(), &unplugged).unwrap();
                prop_assert_eq!(machines.serving(), vec![last], "out of reach");
                fs::rename(&unplugged, machines.base()).unwrap();
            }
        }
    }

    #[test]
    fn a_cloned_machine_does_not_take_up_the_claim_of_the_other() {
        let machines = Machines::new(3);
        assert_eq!(machines.promote(1, 7), 2);
        // Both have the same id and the same path.
        let epoch = machines.replica(1).unwrap().target.folder().unwrap().to_owned();
        ReplicaOwner::of(machines.data[2].path()).write(&epoch).unwrap();
        assert_eq!(machines.promote(2, 7), 3);
        assert_eq!(machines.serving(), [2]);
    }

    #[test]
    fn a_claim_that_another_promotion_has_followed_is_made_anew() {
        let machines = Machines::new(3);
        assert_eq!(machines.claim(1, 7).number, 2, "the power fails");
        assert_eq!(machines.promote(2, 7), 3);
        assert_eq!(machines.promote(1, 7), 4);
        assert_eq!(machines.serving(), [1]);
    }

    /// Whatever part of it has been copied so far.
    #[test]
    fn a_copy_of_an_epoch_is_no_promotion() {
        let machines = Machines::new(3);
        assert_eq!(machines.promote(1, 7), 2);
        machines.replicate(1);
        let base = machines.base();
        let stray = |name: &str, files: &[&str]| {
            let copy = base.join(name);
            fs::create_dir_all(copy.join(STORE)).unwrap();
            fs::write(copy.join(STORE).join("ltx"), "").unwrap();
            for file in files {
                fs::copy(base.join("epoch-2").join(file), copy.join(file)).unwrap();
            }
            assert_eq!(machines.serving(), [1], "{name} {files:?}");
        };
        stray("epoch-3", &[]);
        stray("epoch-3", &[RECORD]);
        stray("epoch-3", &[RECORD, PROMOTION]);
        stray("epoch-9", &[PROMOTION]);
        stray("epoch-18446744073709551615", &[RECORD, PROMOTION]);
        let half = fs::read(base.join("epoch-2").join(PROMOTION)).unwrap();
        fs::write(base.join("epoch-9").join(PROMOTION), &half[..20]).unwrap();
        fs::write(base.join("epoch-5"), "a file").unwrap();
        assert_eq!(machines.serving(), [1]);
        assert_eq!(machines.seen().from, 2, "a standby does not follow a copy");
        assert_eq!(machines.promote(2, 8), 4, "the first free number");
        assert_eq!(machines.serving(), [2]);
        // That of the first epoch has no promotion, and that of an earlier one another number.
        fs::create_dir(base.join("epoch-6")).unwrap();
        fs::copy(base.join(RECORD), base.join("epoch-6").join(RECORD)).unwrap();
        fs::rename(base.join("epoch-2"), base.join("epoch-7")).unwrap();
        assert_eq!(machines.serving(), [2]);
    }

    #[test]
    fn an_office_puts_its_promotion_back_and_gives_way_to_another_one() {
        let machines = Machines::new(2);
        assert_eq!(machines.promote(1, 7), 2);
        let file = machines.base().join("epoch-2").join(PROMOTION);
        let promotion = fs::read(&file).unwrap();
        let look = || machines.replica(1).unwrap().superseded().unwrap();
        for damaged in [&promotion[..20], b""] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(look(), None);
            assert_eq!(fs::read(&file).unwrap(), promotion);
        }
        fs::remove_file(&file).unwrap();
        assert_eq!(look(), None);
        assert_eq!(fs::read(&file).unwrap(), promotion);
        let other = Promotion::new(2, 1, 5, "another".to_owned());
        json_file::write(&file, &other).unwrap();
        assert_eq!(look().map(|later| (later.epoch, later.change)), Some((2, Some(5))));
    }

    #[test]
    fn a_promotion_fails_if_another_one_came_while_its_copy_was_restored() {
        let machines = Machines::new(3);
        let seen = machines.seen();
        assert_eq!(machines.promote(1, 7), 2);
        let late = FolderEpoch::claim(&machines.base(), machines.data[2].path(), seen, 6);
        assert_eq!(late.unwrap_err().code(), "replica-epoch-claimed");
        assert_eq!(machines.serving(), [1]);
        // A copy that was there when it looked, and which somebody has removed since, gave it another number.
        let claim =
            FolderEpoch::claim(&machines.base(), machines.data[2].path(), SeenEpochs { next: 3, ..seen }, 6);
        assert_eq!(claim.unwrap_err().code(), "replica-epoch-claimed");
        assert_eq!(machines.promote(2, 7), 3, "once it has seen the other one");
    }

    #[test]
    fn a_superseded_office_is_told_where_the_later_one_is() {
        let machines = Machines::new(2);
        assert_eq!(machines.promote(1, 7), 2);
        let later = || machines.replica(0).unwrap().superseded().unwrap().unwrap();
        assert_eq!((later().machine, later().change), (machine::host_name(), Some(7)));
        let before = r#"{"number":2,"from":1,"change":7,"claim":"one"}"#;
        fs::write(machines.base().join("epoch-2").join(PROMOTION), before).unwrap();
        assert_eq!((later().machine, later().change), (None, Some(7)), "of an earlier version");
    }

    #[cfg(unix)]
    #[test]
    fn an_epoch_that_cannot_be_looked_into_counts() {
        let machines = Machines::new(1);
        // A link to itself: a folder that another user made cannot be read either.
        std::os::unix::fs::symlink("epoch-2", machines.base().join("epoch-2")).unwrap();
        let later = machines.replica(0).unwrap().superseded().unwrap();
        let folder = String::new();
        let unknown = Superseded { epoch: 2, machine: None, folder, change: None, is_of_other: false };
        assert_eq!(later, Some(unknown));
        let all = FolderEpoch::all(&machines.base()).unwrap();
        let refused = FolderEpoch::newest_replica(all.iter()).unwrap_err();
        assert_eq!(refused.code(), "replica-target-unusable", "the replica of the first epoch is old");
    }

    /// A target that is only typed wrong must not end the office: nothing keeps it from being tried.
    #[test]
    fn a_target_of_another_time_or_office_is_refused_and_supersedes_nobody() {
        let machines = Machines::new(3);
        assert_eq!(machines.promote(1, 7), 2);
        let base = machines.base();
        let tried = |machine: usize, folder: &Path| {
            let data = machines.data[machine].path();
            let target = ReplicaTarget::parse(&folder.to_string_lossy()).unwrap();
            let replica = Replica::new(data, target).unwrap();
            assert_eq!(replica.superseded().unwrap(), None, "{folder:?}");
            assert_eq!(Superseded::noted(data), None, "{folder:?}");
            let refused = replica.refuse_other_epoch().and_then(|()| replica.take_folder());
            refused.map_err(|error| error.code())
        };
        for folder in [base.clone(), base.join(""), base.join("epoch-2/.."), base.join("epoch-7")] {
            assert_eq!(tried(1, &folder), Err("replica-other-epoch"), "{folder:?}");
        }
        assert_eq!(tried(1, &base.join("epoch-2")), Ok(()), "its own");
        assert_eq!(tried(1, &machines.disk.path().join("new")), Ok(()), "another folder");
        #[cfg(unix)]
        {
            let link = machines.disk.path().join("link");
            std::os::unix::fs::symlink(base.join("epoch-2"), &link).unwrap();
            assert_eq!(tried(1, &link), Err("replica-other-epoch"), "the fence goes by names");
            assert_eq!(tried(2, &link), Err("replica-epoch-not-begun"));
        }
        // Turned off and on, also twice, with its promotion removed meanwhile, and in another folder.
        Replica::forget(machines.data[1].path()).unwrap();
        fs::remove_file(base.join("epoch-2").join(PROMOTION)).unwrap();
        assert_eq!(tried(1, &base.join("epoch-2")), Ok(()));
        assert_eq!(tried(1, &base), Err("replica-other-epoch"));
        // An office that has nothing to do with them.
        assert_eq!(tried(2, &base), Err("replica-of-another-office"));
        for name in ["epoch-2", "epoch-7"] {
            assert_eq!(tried(2, &base.join(name)), Err("replica-epoch-not-begun"));
        }
        // The former office without its configuration is superseded, by what it tries too.
        Replica::forget(machines.data[0].path()).unwrap();
        let target = ReplicaTarget::parse(&base.to_string_lossy()).unwrap();
        let replica = Replica::new(machines.data[0].path(), target).unwrap();
        assert!(replica.superseded().unwrap().is_some());
        // Nor does an office go back to its own first epoch, or end by its own promotion.
        ReplicaOwner::of(machines.data[1].path()).write(&base).unwrap();
        assert_eq!(tried(1, &machines.base().join("epoch-2")), Ok(()), "its own, turned off and on");
        let replica = Replica::new(machines.data[1].path(), replica.target).unwrap();
        assert_eq!(replica.refuse_other_epoch().unwrap_err().code(), "replica-other-epoch");
    }

    #[test]
    fn a_target_on_another_machine_beside_the_own_one_is_refused() {
        let data = tempfile::tempdir().unwrap();
        fs::write(data.path().join(store::FILE), "").unwrap();
        let replica =
            |target: &str| Replica::new(data.path(), ReplicaTarget::parse(target).unwrap()).unwrap();
        let refused = |target: &str| replica(target).refuse_other_epoch().map_err(|error| error.code());
        let own = "s3://bucket/office/epoch-2?region=sa-east-1";
        assert_eq!(refused("s3://bucket/office"), Ok(()));
        assert_eq!(refused(own), Err("replica-epoch-not-begun"));
        replica(own).write(&Secrets::default()).unwrap();
        assert_eq!(refused(own), Ok(()));
        for other in ["s3://bucket/office?region=sa-east-1", "s3://bucket/office/epoch-3?region=sa-east-1"] {
            assert_eq!(refused(other), Err("replica-other-epoch"), "{other}");
        }
        assert_eq!(refused("s3://bucket/other?region=sa-east-1"), Ok(()));
        Replica::forget(data.path()).unwrap();
        let promotion = Promotion::new(2, 1, 7, "own".to_owned());
        promotion.note(data.path()).unwrap();
        assert_eq!(refused(own), Ok(()), "the claim at the target decides");
    }

    #[test]
    fn an_office_that_gives_up_its_replica_stays_superseded() {
        let machines = Machines::new(2);
        machines.promote(1, 7);
        let data = machines.data[0].path();
        let later = Replica::of(data).unwrap().unwrap().superseded().unwrap();
        assert!(later.is_some());
        Replica::forget(data).unwrap();
        assert!(Replica::of(data).unwrap().is_none());
        assert_eq!(Superseded::noted(data), later);
    }

    #[test]
    fn the_age_of_a_heartbeat_is_that_of_its_file() {
        let machines = Machines::new(2);
        let base = machines.base();
        let age = || {
            let all = FolderEpoch::all(&base).unwrap();
            all.last().unwrap().since_heartbeat().ok().map(|age| age.as_secs())
        };
        assert_eq!(age(), None);
        let heartbeat = |at: &str| Heartbeat::new(at.parse().unwrap(), 1, None);
        // The clock of its machine is off by years.
        machines.replica(0).unwrap().heartbeat(&heartbeat("2020-01-01T12:00:00Z")).unwrap();
        assert!(age().is_some_and(|age| age < 60));
        let file = fs::File::options().append(true).open(base.join(HEARTBEAT)).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(500)).unwrap();
        assert!(age().is_some_and(|age| (490..560).contains(&age)));
        machines.promote(1, 7);
        machines.replica(1).unwrap().heartbeat(&heartbeat("2020-01-01T12:00:00Z")).unwrap();
        assert!(age().is_some_and(|age| age < 60), "that of the promoted office");
    }

    #[test]
    fn an_unreadable_heartbeat_is_none_and_not_that_of_an_earlier_epoch() {
        let machines = Machines::new(2);
        let base = machines.base();
        let heartbeat = |change| Heartbeat::new("2026-11-28T12:00:00Z".parse().unwrap(), change, None);
        let newest = || FolderEpoch::newest_heartbeat(&FolderEpoch::all(&base).unwrap());
        assert_eq!(newest(), None);
        machines.replica(0).unwrap().heartbeat(&heartbeat(1)).unwrap();
        machines.promote(1, 7);
        assert_eq!(newest(), Some(heartbeat(1)), "the promoted office has not shown one yet");
        machines.replica(1).unwrap().heartbeat(&heartbeat(8)).unwrap();
        assert_eq!(newest(), Some(heartbeat(8)));
        let promoted = FolderEpoch::all(&base).unwrap().pop().unwrap();
        fs::write(promoted.folder.join(HEARTBEAT), "half").unwrap();
        assert_eq!(newest(), None);
    }

    #[test]
    fn of_promotions_at_the_same_moment_one_succeeds() {
        let machines = Machines::new(9);
        let base = machines.base();
        let base = &*base;
        let seen = machines.seen();
        let claims = std::thread::scope(|scope| {
            let claim = |data: &tempfile::TempDir| {
                let data = data.path().to_owned();
                scope.spawn(move || FolderEpoch::claim(base, &data, seen, 7))
            };
            let claims = machines.data[1..].iter().map(claim).collect::<Vec<_>>();
            claims.into_iter().map(|claim| claim.join().unwrap()).collect::<Vec<_>>()
        });
        let (claimed, refused): (Vec<_>, Vec<_>) = claims.into_iter().partition(Result::is_ok);
        assert_eq!((claimed.len(), claimed[0].as_ref().unwrap().number), (1, 2));
        assert!(
            refused.iter().all(|refused| refused.as_ref().unwrap_err().code() == "replica-epoch-claimed")
        );
        let all = FolderEpoch::all(base).unwrap();
        let promotion = all.last().unwrap().promotion().unwrap();
        assert_eq!((all.len(), promotion.from, promotion.change), (2, 1, 7));
        let left = fs::read_dir(base)
            .unwrap()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(PREPARED));
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn the_shared_change_is_that_of_the_promotion_that_left_the_epoch() {
        let machines = Machines::new(4);
        assert_eq!(machines.promote(1, 50), 2);
        machines.replicate(1);
        // A claim that nobody used is passed over.
        assert_eq!(machines.promote(2, 80), 3);
        assert_eq!(machines.promote(3, 90), 4);
        let shared = |machine: usize| machines.replica(machine).unwrap().superseded().unwrap().unwrap();
        assert_eq!((shared(0).epoch, shared(0).change), (4, Some(50)));
        assert_eq!(shared(1).change, Some(90));
        assert_eq!(shared(2).change, Some(80), "nothing was promoted from it");
        assert_eq!(
            shared(0).folder,
            fs::canonicalize(machines.data[3].path()).unwrap().display().to_string()
        );
    }
}

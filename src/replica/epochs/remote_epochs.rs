//! The epochs of a replica on another machine. Litestream puts no files of others there, so what the folder of an epoch
//! tells by files is told by small databases that Litestream carries (always 43).

use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::thread::{self, sleep};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Heartbeat, Promotion, SeenEpochs, Superseded, claim_of, own_claim, shared_change};
use crate::replica::configuration::ALIVE;
use crate::replica::replica_owner::ReplicaOwner;
use crate::replica::target::{FIRST_EPOCH, epoch_name};
use crate::replica::{Litestream, Replica, ReplicaError, Secrets};

/// What a promotion writes into its epoch.
const CLAIM: &str = "claim";
/// Time after which a claim is read back: that of another machine at the same moment may have replaced it.
const CLAIM_PAUSE: Duration = Duration::from_secs(2);
/// How many numbers in a row may be missing because people have removed those epochs.
const MAX_GAP: u64 = 3;

#[derive(Serialize, Deserialize)]
struct Claim {
    owner: ReplicaOwner,
    promotion: Promotion,
}

/// The place of all epochs of a replica.
pub(in crate::replica) struct RemoteEpochs<'a> {
    /// The replica of the first one.
    first: Replica,
    litestream: &'a Litestream,
    secrets: &'a Secrets,
}

impl<'a> RemoteEpochs<'a> {
    /// Returns the epochs beside a replica, and the number of its own one. `None` if it is in a folder.
    pub(in crate::replica) fn of(
        replica: &Replica,
        litestream: &'a Litestream,
        secrets: &'a Secrets,
    ) -> Option<(u64, RemoteEpochs<'a>)> {
        let (number, target) = replica.target.remote_epoch()?;
        let first = Replica { target, ..replica.clone() };
        Some((number, RemoteEpochs { first, litestream, secrets }))
    }

    /// Returns the replica of an epoch.
    pub(in crate::replica) fn replica(&self, number: u64) -> Result<Replica, ReplicaError> {
        match number {
            FIRST_EPOCH => Ok(self.first.clone()),
            _ => inside(&self.first, &epoch_name(number)),
        }
    }

    /// Returns the number of the last epoch.
    pub(in crate::replica) fn last(&self) -> Result<u64, ReplicaError> {
        self.last_from(FIRST_EPOCH)
    }

    fn last_from(&self, known: u64) -> Result<u64, ReplicaError> {
        let mut last = known;
        while let Some(next) = self.last_of(last + 1..=last + 1 + MAX_GAP)? {
            last = next;
        }
        Ok(last)
    }

    /// Returns the last of these epochs that exists. Asks for all at once, because a target may take seconds to answer. Fails
    /// if none is seen and one cannot be looked into.
    fn last_of(&self, numbers: RangeInclusive<u64>) -> Result<Option<u64>, ReplicaError> {
        let seen = thread::scope(|scope| {
            let looks = numbers.map(|number| {
                scope.spawn(move || self.is_begun(number).map(|is_begun| is_begun.then_some(number)))
            });
            let looks = looks.collect::<Vec<_>>();
            let ended =
                looks.into_iter().map(|look| look.join().unwrap_or_else(|panic| resume_unwind(panic)));
            ended.collect::<Vec<_>>()
        });
        let last = seen.iter().flatten().flatten().max().copied();
        last.map_or_else(
            || seen.into_iter().collect::<Result<Vec<_>, _>>().map(|_| None),
            |last| Ok(Some(last)),
        )
    }

    /// Returns `true` if a promotion began an epoch. Its claim names the epoch; people may have copied that of another one.
    fn is_begun(&self, number: u64) -> Result<bool, ReplicaError> {
        Ok(self.has_claim(number)? && self.claim_in(number)?.promotion.number == number)
    }

    /// Returns the next numbers at which there is a replica that no promotion began: a copy, or one whose claim was removed.
    pub(in crate::replica) fn strays(&self, last: u64) -> Result<Vec<u64>, ReplicaError> {
        let numbers = (last + 1..=last + 1 + MAX_GAP).map(|number| {
            let has_replica = self.litestream.has_replica(&self.replica(number)?, self.secrets)?;
            Ok(has_replica.then_some(number))
        });
        let numbers: Result<Vec<_>, _> = numbers.collect();
        Ok(numbers?.into_iter().flatten().collect())
    }

    fn has_claim(&self, number: u64) -> Result<bool, ReplicaError> {
        self.litestream.has_replica(&self.at(number, CLAIM)?, self.secrets)
    }

    /// Returns the office that was promoted after the epoch `own`, or at the same moment as this one. Fails if the target does
    /// not tell it.
    pub(in crate::replica) fn later(&self, own: u64) -> Result<Option<Superseded>, ReplicaError> {
        let last = self.last_from(own)?;
        if last > own {
            let Claim { owner, promotion } = self.claim_in(last)?;
            if !promotion.is_of(self.first.data()) {
                let change = shared_change(own, last, |number| Some(self.claim_in(number).ok()?.promotion));
                let machine = promotion.machine;
                let folder = owner.folder;
                return Ok(Some(Superseded { epoch: last, machine, folder, change, is_of_other: false }));
            }
        }
        self.replaced_claim(own)
    }

    /// Returns the office whose claim to the epoch `own` has replaced this one's. However slow the target was, only the claim
    /// that is there in the end counts. Puts this one's back if it was removed.
    fn replaced_claim(&self, own: u64) -> Result<Option<Superseded>, ReplicaError> {
        let noted = Promotion::of(self.first.data()).filter(|noted| noted.number == own);
        let Some(noted) = noted else { return Ok(None) };
        let Claim { owner, promotion } = match self.claim_in(own) {
            Err(_) if !self.has_claim(own)? => {
                tracing::warn!(
                    epoch = own,
                    "the claim of this office was removed at the target, and is put back"
                );
                return self.write_claim(noted).map(|()| None);
            }
            read => read?,
        };
        let change = promotion.change.min(noted.change);
        Ok((promotion.claim != noted.claim).then_some(Superseded {
            epoch: own,
            machine: promotion.machine,
            folder: owner.folder,
            change: Some(change),
            is_of_other: false,
        }))
    }

    /// Returns `true` if this office was promoted to an epoch.
    pub(in crate::replica) fn is_promoted_to(&self, number: u64) -> Result<bool, ReplicaError> {
        if !self.has_claim(number)? {
            return Ok(false);
        }
        let Claim { owner, promotion } = self.claim_in(number)?;
        // A copy of the data folder has the promotion, too.
        Ok(promotion.is_of(self.first.data()) && self.is_this_office(&owner))
    }

    /// Returns the office that the heartbeat of an epoch names, if that is another one than this.
    pub(in crate::replica) fn other_office(&self, number: u64) -> Result<Option<ReplicaOwner>, ReplicaError> {
        let owner = self.heartbeat_in(number)?.and_then(|heartbeat| heartbeat.owner);
        Ok(owner.filter(|owner| !self.is_this_office(owner)))
    }

    /// Returns `true` if the replica of the first epoch is of this store, by the heartbeat there.
    pub(in crate::replica) fn owns_first(&self) -> Result<bool, ReplicaError> {
        let owner = self.heartbeat_in(FIRST_EPOCH)?.and_then(|heartbeat| heartbeat.owner);
        Ok(owner.is_some_and(|owner| self.is_this_office(&owner)))
    }

    fn is_this_office(&self, owner: &ReplicaOwner) -> bool {
        owner.is_or_became(&ReplicaOwner::of(self.first.data()))
    }

    /// Returns `true` if the last epoch is what this data folder has claimed, in a promotion without an end.
    pub(in crate::replica) fn is_own(&self, last: u64) -> bool {
        let own = own_claim(self.first.data());
        own.is_some() && own == self.claim_in(last).ok().map(|claim| claim.promotion.claim)
    }

    /// Returns the number of the newest epoch up to `last` to which Litestream has replicated something. `None` if none has a
    /// replica.
    pub(in crate::replica) fn newest_replica(&self, last: u64) -> Result<Option<u64>, ReplicaError> {
        for number in (FIRST_EPOCH..=last).rev() {
            if self.litestream.has_replica(&self.replica(number)?, self.secrets)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Takes the next epoch, as [`FolderEpoch::claim`](super::FolderEpoch::claim) does. Of two machines that claim
    /// it at the same moment, both may fail, or seem to have it until one of them looks again ([`RemoteEpochs::later`]).
    pub(in crate::replica) fn claim(&self, seen: SeenEpochs, change: u64) -> Result<u64, ReplicaError> {
        let data = self.first.data();
        let SeenEpochs { from, last, next } = seen;
        let claim = claim_of(data).map_err(|cause| ReplicaError::Folder(data.to_owned(), cause))?;
        let is_own = |number| self.claim_in(number).is_ok_and(|other| other.promotion.claim == claim);
        let number = if last > from && is_own(last) { last } else { next };
        let newest = self.last_from(last)?;
        if newest > last {
            return Err(ReplicaError::Claimed(newest, self.claim_in(newest)?.owner.folder));
        }
        let owner = self.heartbeat_in(from).ok().flatten().and_then(|heartbeat| heartbeat.owner);
        let earlier = if from == FIRST_EPOCH { None } else { self.claim_in(from).ok() };
        let earlier = earlier.map(|claim| claim.promotion);
        let promotion = Promotion::new(number, from, change, claim).after(owner, earlier);
        self.write_claim(promotion.clone())?;
        sleep(CLAIM_PAUSE);
        let stored = self.claim_in(number)?;
        if stored.promotion.claim != promotion.claim {
            return Err(ReplicaError::Claimed(number, stored.owner.folder));
        }
        promotion.note(data).map(|()| number)
    }

    /// Returns the heartbeat in the newest epoch up to `last` that has one. `None` if that cannot be read: the heartbeat of an
    /// earlier epoch would tell nothing about the office of this one.
    pub(in crate::replica) fn heartbeat(&self, last: u64) -> Result<Option<Heartbeat>, ReplicaError> {
        for number in (FIRST_EPOCH..=last).rev() {
            let alive = self.at(number, ALIVE)?;
            if self.litestream.has_replica(&alive, self.secrets)? {
                return Ok(self.read_heartbeat(number, &alive));
            }
        }
        Ok(None)
    }

    /// Returns the heartbeat in an epoch. `None` if it has none or that cannot be read.
    pub(in crate::replica) fn heartbeat_in(&self, number: u64) -> Result<Option<Heartbeat>, ReplicaError> {
        let alive = self.at(number, ALIVE)?;
        let has_sign = self.litestream.has_replica(&alive, self.secrets)?;
        Ok(has_sign.then(|| self.read_heartbeat(number, &alive)).flatten())
    }

    fn read_heartbeat(&self, number: u64, alive: &Replica) -> Option<Heartbeat> {
        let text = self.litestream.read_note(alive, self.secrets);
        let heartbeat = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        if heartbeat.is_none() {
            tracing::warn!(epoch = number, "the heartbeat at the target cannot be read");
        }
        heartbeat
    }

    /// Sets the heartbeat of an epoch. No office may run there.
    pub(in crate::replica) fn set_heartbeat(
        &self,
        number: u64,
        heartbeat: &Heartbeat,
    ) -> Result<(), ReplicaError> {
        let content = serde_json::to_string(heartbeat).map_err(|cause| self.first.unusable(&cause))?;
        self.litestream.write_note(&self.at(number, ALIVE)?, self.secrets, &content)
    }

    fn write_claim(&self, promotion: Promotion) -> Result<(), ReplicaError> {
        let number = promotion.number;
        let owner = self.first.owner()?;
        let claim = Claim { owner, promotion };
        let content = serde_json::to_string(&claim).map_err(|cause| self.first.unusable(&cause))?;
        self.litestream.write_note(&self.at(number, CLAIM)?, self.secrets, &content)
    }

    fn claim_in(&self, number: u64) -> Result<Claim, ReplicaError> {
        let text = self.litestream.read_note(&self.at(number, CLAIM)?, self.secrets)?;
        serde_json::from_str(&text).map_err(|cause| self.first.unusable(&cause))
    }

    /// Returns the place of a small database of an epoch, as Litestream takes it.
    fn at(&self, number: u64, name: &str) -> Result<Replica, ReplicaError> {
        inside(&self.replica(number)?, name)
    }
}

/// Returns the replica of this name inside another one. Fails if that is in a folder.
fn inside(replica: &Replica, name: &str) -> Result<Replica, ReplicaError> {
    let target = replica.target.inside(name).ok_or(ReplicaError::Form)?;
    Ok(Replica { target, ..replica.clone() })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use super::*;
    use crate::machine;
    use crate::replica::ReplicaTarget;
    use crate::store;

    /// A Litestream that keeps the databases of targets in a folder.
    const LITESTREAM: &str = r#"#!/bin/sh
        for word; do test "$before" = -config && configuration=$word; test "$before" = -o && to=$word; before=$word; done
        from=$(sed -n 's/.*"path":"\([^"]*note\.db\)".*/\1/p' "$configuration")
        at=DISK$(sed -n 's/.*"replica":{[^}]*"path":"\([^"]*\)".*/\1/p' "$configuration")
        case $1 in
            ltx) test ! -e "$at/denied" || exit 1; if test -e "$at/db"; then echo '[{}]'; else echo '[]'; fi ;;
            replicate) mkdir -p "$at" && cp "$from" "$at/db" ;;
            restore) cp "$at/db" "$to" ;;
        esac"#;

    struct Disk(tempfile::TempDir, Litestream);

    impl Disk {
        fn new() -> Disk {
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join("litestream");
            // Written by another process: one that this process starts at the same moment would keep the file open.
            let mut write = Command::new("sh");
            write.args(["-c", "cat >\"$0\" && chmod +x \"$0\""]).arg(&program).stdin(Stdio::piped());
            let mut child = write.spawn().unwrap();
            let script = LITESTREAM.replace("DISK", &folder.path().to_string_lossy());
            child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
            assert!(child.wait().unwrap().success());
            let litestream = Litestream::at(&program.to_string_lossy());
            Disk(folder, litestream)
        }

        fn with<T>(&self, data: &Path, target: &str, work: impl Fn(u64, RemoteEpochs<'_>) -> T) -> T {
            let replica = Replica::new(data, ReplicaTarget::parse(target).unwrap()).unwrap();
            let secrets = Secrets::default();
            let (own, epochs) = RemoteEpochs::of(&replica, &self.1, &secrets).unwrap();
            work(own, epochs)
        }

        /// Litestream replicates something to a target.
        fn replicate(&self, path: &str) {
            let folder: PathBuf = self.0.path().join(path);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("db"), "").unwrap();
        }
    }

    fn machine() -> tempfile::TempDir {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join(store::FILE), "").unwrap();
        data
    }

    const FIRST_TARGET: &str = "sftp://ana@nas.example/office?key-path=/k";
    const SECOND_TARGET: &str = "sftp://ana@nas.example/office/epoch-2?key-path=/k";

    fn seen_from(epochs: &RemoteEpochs<'_>, from: u64) -> SeenEpochs {
        let last = epochs.last().unwrap();
        SeenEpochs::of(from, last, &epochs.strays(last).unwrap())
    }

    #[test]
    fn a_promotion_is_seen_by_the_office_before_it_and_by_the_next_standby() {
        let disk = Disk::new();
        let [one, two, three] = [machine(), machine(), machine()];
        disk.replicate("office");
        let later = |data: &Path, target| disk.with(data, target, |own, epochs| epochs.later(own).unwrap());
        assert_eq!(later(one.path(), FIRST_TARGET), None);
        let claim = |data: &Path, from, change| {
            disk.with(data, FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, from), change).unwrap())
        };
        assert_eq!(claim(two.path(), 1, 7), 2);
        assert_eq!(claim(two.path(), 1, 8), 2, "it takes up its own claim");
        let folder = two.path().canonicalize().unwrap().display().to_string();
        assert_eq!(
            later(one.path(), FIRST_TARGET),
            Some(Superseded {
                epoch: 2,
                machine: machine::host_name(),
                folder,
                change: Some(8),
                is_of_other: false
            })
        );
        let newest = || {
            disk.with(three.path(), FIRST_TARGET, |_, epochs| {
                epochs.newest_replica(epochs.last().unwrap()).unwrap()
            })
        };
        assert_eq!(newest(), Some(1), "the promoted office does not replicate yet");
        disk.replicate("office/epoch-2");
        assert_eq!(newest(), Some(2));
        assert_eq!(claim(three.path(), 2, 20), 3);
        assert_eq!(later(one.path(), FIRST_TARGET).unwrap().change, Some(8));
        assert_eq!(later(two.path(), SECOND_TARGET).unwrap().change, Some(20));
    }

    #[test]
    fn of_two_claims_that_both_seemed_to_be_had_the_one_at_the_target_counts() {
        let disk = Disk::new();
        let [one, two] = [machine(), machine()];
        let claim = |data: &Path, change| {
            disk.with(data, FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, 1), change).unwrap())
        };
        let later = |data: &Path| disk.with(data, SECOND_TARGET, |own, epochs| epochs.later(own).unwrap());
        let stored = disk.0.path().join("office/epoch-2/claim/db");
        assert_eq!(claim(one.path(), 7), 2);
        let first = std::fs::read(&stored).unwrap();
        // The other machine looked before the first one's claim arrived, and its own claim arrives later.
        std::fs::remove_file(&stored).unwrap();
        assert_eq!(claim(two.path(), 5), 2);
        let folder = two.path().canonicalize().unwrap().display().to_string();
        assert_eq!(
            later(one.path()),
            Some(Superseded {
                epoch: 2,
                machine: machine::host_name(),
                folder,
                change: Some(5),
                is_of_other: false
            })
        );
        assert_eq!(later(two.path()), None);
        std::fs::write(&stored, first).unwrap();
        assert_eq!(later(one.path()), None);
        assert_eq!(later(two.path()).unwrap().change, Some(5));
        std::fs::write(&stored, "half").unwrap();
        disk.with(two.path(), SECOND_TARGET, |own, epochs| {
            assert_eq!(
                epochs.later(own).unwrap_err().code(),
                "replica-copy-unusable",
                "nobody's, or another's"
            );
        });
    }

    #[test]
    fn an_epoch_is_seen_behind_removed_ones_and_a_copy_is_none() {
        let disk = Disk::new();
        let office = machine();
        let last = || {
            disk.with(office.path(), FIRST_TARGET, |own, epochs| {
                let later = epochs.later(own).unwrap().map_or(own, |later| later.epoch);
                assert_eq!(later, epochs.last().unwrap());
                later
            })
        };
        let promotion = |number| Promotion::new(number, 1, 7, number.to_string());
        for number in [5, 7] {
            disk.with(office.path(), FIRST_TARGET, |_, epochs| {
                epochs.write_claim(promotion(number)).unwrap()
            });
        }
        assert_eq!(last(), 7, "a gap of three, and one of one");
        let at = |path: &str| disk.0.path().join("office").join(path);
        let copy = |from: &str, to: &str| {
            std::fs::create_dir_all(at(to)).unwrap();
            std::fs::copy(at(from).join("db"), at(to).join("db")).unwrap();
        };
        copy("epoch-7/claim", "epoch-8/claim");
        disk.replicate("office/epoch-8");
        assert_eq!(last(), 7, "a copy");
        let strays = || disk.with(office.path(), FIRST_TARGET, |_, epochs| epochs.strays(7).unwrap());
        assert_eq!(strays(), [8]);
        std::fs::remove_dir_all(at("epoch-8/claim")).unwrap();
        assert_eq!((last(), strays()), (7, vec![8]), "half a copy");
        std::fs::remove_dir_all(at("epoch-7")).unwrap();
        assert_eq!(last(), 5);
    }

    #[test]
    fn an_office_puts_its_removed_claim_back_and_knows_nothing_of_places_that_it_cannot_list() {
        let disk = Disk::new();
        let office = machine();
        disk.with(office.path(), FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, 1), 7).unwrap());
        let folder = disk.0.path().join("office/epoch-2/claim");
        let later = || disk.with(office.path(), SECOND_TARGET, |own, epochs| epochs.later(own));
        let claim = std::fs::read(folder.join("db")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(later().unwrap(), None);
        assert!(folder.join("db").exists());
        std::fs::write(folder.join("denied"), "").unwrap();
        assert_eq!(later().unwrap(), None, "it can be read");
        std::fs::remove_file(folder.join("db")).unwrap();
        assert_eq!(later().unwrap_err().code(), "replica-target-unusable", "its own claim");
        assert!(!folder.join("db").exists(), "one that is there is not replaced");
        std::fs::remove_file(folder.join("denied")).unwrap();
        std::fs::write(folder.join("db"), claim).unwrap();
        let next = disk.0.path().join("office/epoch-4/claim");
        std::fs::create_dir_all(&next).unwrap();
        std::fs::write(next.join("denied"), "").unwrap();
        assert_eq!(later().unwrap_err().code(), "replica-target-unusable", "a later one");
    }

    #[test]
    fn a_copy_of_a_folder_does_not_take_up_its_claim() {
        let disk = Disk::new();
        let [one, copy] = [machine(), machine()];
        let claim = |data: &Path| {
            disk.with(data, FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, 1), 7).unwrap())
        };
        assert_eq!(claim(one.path()), 2);
        let paths = std::fs::read_dir(one.path()).unwrap().map(|entry| entry.unwrap().path());
        for path in paths.filter(|path| path.is_file()) {
            std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
        assert_eq!(claim(copy.path()), 3);
        assert_eq!(claim(copy.path()), 3, "its own claim, which it takes up");
        assert_eq!(claim(one.path()), 4, "another one was claimed meanwhile");
    }

    #[test]
    fn a_copy_of_an_office_does_not_speak_for_it() {
        let disk = Disk::new();
        let [one, copy, other] = [machine(), machine(), machine()];
        let now = "2026-11-28T12:00:00Z".parse().unwrap();
        let arrive = |data: &Path, target| {
            disk.with(data, target, |own, epochs| {
                let replica = epochs.replica(own).unwrap();
                replica
                    .refuse_other_office(epochs.litestream, epochs.secrets)
                    .map_err(|error| error.code())?;
                replica.arrive(epochs.litestream, epochs.secrets, now).map_err(|error| error.code())
            })
        };
        assert_eq!(arrive(one.path(), FIRST_TARGET), Ok(()));
        assert_eq!(arrive(copy.path(), FIRST_TARGET), Err("replica-of-another-office"), "empty, but taken");
        disk.with(one.path(), FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, 1), 7).unwrap());
        let paths = std::fs::read_dir(one.path()).unwrap().map(|entry| entry.unwrap().path());
        for path in paths.filter(|path| path.is_file()) {
            std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
        let is_promoted =
            |data: &Path| disk.with(data, SECOND_TARGET, |own, epochs| epochs.is_promoted_to(own).unwrap());
        assert!(is_promoted(one.path()) && !is_promoted(copy.path()));
        assert_eq!(
            arrive(other.path(), SECOND_TARGET),
            Ok(()),
            "the heartbeat of an earlier epoch is its office's"
        );
        assert_eq!(arrive(one.path(), SECOND_TARGET), Err("replica-of-another-office"));
        std::fs::remove_dir_all(disk.0.path().join("office/epoch-2/alive")).unwrap();
        assert_eq!(arrive(one.path(), SECOND_TARGET), Ok(()));
        assert_eq!(arrive(copy.path(), SECOND_TARGET), Err("replica-of-another-office"));
    }

    #[test]
    fn the_heartbeat_is_that_of_the_newest_epoch() {
        let disk = Disk::new();
        let data = machine();
        let heartbeat = |change| Heartbeat::new("2026-11-28T12:00:00Z".parse().unwrap(), change, None);
        let seen = || {
            disk.with(data.path(), FIRST_TARGET, |_, epochs| {
                epochs.heartbeat(epochs.last().unwrap()).unwrap()
            })
        };
        let show = |target, change| {
            disk.with(data.path(), target, |own, epochs| {
                epochs.set_heartbeat(own, &heartbeat(change)).unwrap()
            });
        };
        assert_eq!(seen(), None);
        show(FIRST_TARGET, 1);
        assert_eq!(seen(), Some(heartbeat(1)));
        disk.with(data.path(), FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, 1), 1).unwrap());
        assert_eq!(seen(), Some(heartbeat(1)), "the promoted office has not shown one yet");
        show(SECOND_TARGET, 2);
        assert_eq!(seen(), Some(heartbeat(2)));
        std::fs::write(disk.0.path().join("office/epoch-2/alive/db"), "half").unwrap();
        assert_eq!(seen(), None, "an earlier heartbeat would call an office ended that may run");
    }

    #[test]
    fn the_first_replica_is_known_by_the_owner_that_its_heartbeat_names() {
        let disk = Disk::new();
        let [one, other] = [machine(), machine()];
        let has = |data: &Path| {
            disk.with(data, FIRST_TARGET, |_, epochs| {
                let own = epochs.first.is_own_elsewhere(epochs.litestream, epochs.secrets);
                own.map_err(|error| error.code())
            })
        };
        let show = |owner| {
            let heartbeat =
                Heartbeat { owner, ..Heartbeat::new("2026-11-28T12:00:00Z".parse().unwrap(), 1, None) };
            disk.with(one.path(), FIRST_TARGET, |_, epochs| epochs.set_heartbeat(1, &heartbeat).unwrap());
        };
        disk.replicate("office");
        assert_eq!(has(one.path()), Ok(false));
        show(None);
        assert_eq!(has(one.path()), Ok(false), "from before it told");
        show(Some(ReplicaOwner::of(one.path())));
        assert_eq!(has(one.path()), Ok(false));
        show(Some(ReplicaOwner::with_id(one.path()).unwrap()));
        ReplicaOwner::with_id(other.path()).unwrap();
        assert_eq!((has(one.path()), has(other.path())), (Ok(true), Ok(false)));
        // Moved: the other office has an id of its own.
        let moved = machine();
        std::fs::rename(one.path().join(store::FILE), moved.path().join(store::FILE)).unwrap();
        std::fs::copy(one.path().join("pleito.office-id"), moved.path().join("pleito.office-id")).unwrap();
        assert_eq!((has(moved.path()), has(other.path())), (Ok(true), Ok(false)));
        std::fs::write(one.path().join(store::FILE), "").unwrap();

        disk.with(other.path(), FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, 1), 7).unwrap());
        let superseded = disk.with(one.path(), FIRST_TARGET, |_, epochs| {
            epochs.first.superseded_elsewhere(epochs.litestream, epochs.secrets).unwrap()
        });
        assert_eq!(superseded.map(|later| later.epoch), Some(2));
        assert!(Superseded::noted(one.path()).is_some());
        // The way back.
        disk.with(one.path(), FIRST_TARGET, |_, epochs| epochs.claim(seen_from(&epochs, 2), 9).unwrap());
        assert_eq!(has(one.path()), Err("replica-other-epoch"));
        // An epoch of another office, also before that replicates.
        let foreign = disk.with(moved.path(), SECOND_TARGET, |_, epochs| {
            let target = epochs.replica(2).unwrap();
            target.is_own_elsewhere(epochs.litestream, epochs.secrets).map_err(|error| error.code())
        });
        assert_eq!(foreign, Err("replica-epoch-not-begun"));
    }
}

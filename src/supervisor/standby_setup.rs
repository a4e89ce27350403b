//! The standby of an office on another machine: how a data folder becomes one (always 43). `promotion`
//! makes it the office.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::owner_channel::single_instance::LOCK;
use super::{Fatal, Instance};
use crate::backup::is_store_lost;
use crate::clock::Clock;
use crate::config::folders::SCRATCH;
use crate::config::{Config, SETTINGS_FILE};
use crate::replica::{Litestream, ReplicaTarget, STANDBY_FILE, Secrets, Standby, StandbyState};
use crate::store::{self, Store, office_id};

/// Returns the replica of which the data folder is to become a standby, by the setting `replica.target`. `None` if the folder
/// is one already, or an office that was promoted. Fails if the setting contradicts what the folder is.
pub fn target_to_begin(config: &Config) -> Result<Option<ReplicaTarget>, Fatal> {
    let data = &config.folders.data;
    let target = match config.settings.replica.target.as_str() {
        "" => return Ok(None),
        text => ReplicaTarget::parse(text).map_err(Fatal::Replica)?,
    };
    match Standby::target_in(data).map_err(Fatal::Replica)? {
        Some(followed) if followed == target.clone().with_all_epochs() => Ok(None),
        Some(followed) => Err(Fatal::FollowsAnother(data.clone(), followed.to_string())),
        // The copy would take the place of the log, or of an office whose backups and id are there.
        None if Store::left_log(data) || is_store_lost(data) => Err(Fatal::StoreLost(data.join(store::FILE))),
        None if !config.folders.has_office() => Ok(Some(target)),
        // A setting or a service may still say so after the promotion.
        None if Standby::was_in(data) => Ok(None),
        None => Err(Fatal::HasOffice(data.clone())),
    }
}

/// Returns the standby that the data folder is, or is to become by the setting `replica.target`. `None` for an office. The
/// caller has the lock of the folder, or a standby of this folder runs.
pub fn of(
    config: &Config,
    secrets: impl FnOnce(&ReplicaTarget) -> Result<Secrets, Fatal>,
) -> Result<Option<Standby>, Fatal> {
    let data = &config.folders.data;
    let target = target_to_begin(config)?;
    if let Some(standby) = Standby::of(data, Litestream::find).map_err(Fatal::Replica)? {
        return Ok(Some(standby));
    }
    let Some(target) = target else { return Ok(None) };
    let secrets = secrets(&target)?;
    let litestream = Litestream::find().map_err(Fatal::Replica)?;
    Ok(Some(Standby::new(data, target, secrets, litestream)))
}

/// Fails if the data folder is to become a standby, so that no office begins there.
pub fn refuse_office(config: &Config) -> Result<(), Fatal> {
    match target_to_begin(config) {
        Ok(Some(target)) => Err(Fatal::BecomesStandby(config.folders.data.clone(), target.to_string())),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// Fails if the data folder is a standby.
pub fn refuse_standby(config: &Config) -> Result<(), Fatal> {
    let data = &config.folders.data;
    if Standby::is_in(data) { Err(Fatal::Standby(data.clone())) } else { Ok(()) }
}

/// Returns how well the standby that the data folder is follows, or that of the target with which it is `to_begin`. `None` for an
/// office.
pub fn state(
    config: &Config,
    to_begin: Option<ReplicaTarget>,
    now: Timestamp,
) -> Result<Option<StandbyState>, Fatal> {
    let zone = &config.settings.office.time_zone;
    match to_begin {
        Some(target) => Ok(Some(StandbyState::new(&target, None, now, zone))),
        None => StandbyState::of(&config.folders.data, now, zone).map_err(Fatal::Replica),
    }
}

/// Opens the store of a standby. Brings its first copy if it has none. The caller has the lock of the folder.
pub fn open(standby: &Standby, clock: &Clock) -> Result<Arc<Store>, Fatal> {
    standby.begin(|| clock.now()).map_err(Fatal::Replica)?;
    let data = standby.data();
    let store = Store::open_standby(data).map_err(|cause| Fatal::Store(data.join(store::FILE), cause))?;
    Ok(Arc::new(store))
}

/// Content of a data folder before a promotion that may be refused.
pub enum FormerContent {
    /// An office or a standby, which stays.
    Office,
    /// The names of other files, such as that of the settings.
    Files(BTreeSet<OsString>),
}

impl FormerContent {
    pub fn of(config: &Config) -> FormerContent {
        let data = &config.folders.data;
        match config.folders.has_office() || Standby::is_in(data) {
            true => FormerContent::Office,
            false => FormerContent::Files(entries(data).map(|entry| entry.file_name()).collect()),
        }
    }

    /// Removes the standby that the refused promotion has begun, unless a server has it or another process has promoted it by now.
    pub fn restore(self, data: &Path) {
        let FormerContent::Files(names) = self else { return };
        let Ok(_instance) = Instance::take_even_standby(data) else { return };
        if !Standby::is_in(data) {
            return;
        }
        // Other files may have come meanwhile, such as the settings, and another process may wait for the lock.
        let is_own = |entry: &DirEntry| {
            let name = entry.file_name();
            let is_of_standby = name.as_encoded_bytes().starts_with(b"pleito.") || name == SCRATCH;
            is_of_standby
                && !names.contains(&name)
                && ![LOCK, SETTINGS_FILE, office_id::FILE].iter().any(|kept| name == *kept)
        };
        let mut own: Vec<_> = entries(data).filter(is_own).collect();
        // A store without the mark of a standby would be an office.
        own.sort_by_key(|entry| (entry.file_name() == STANDBY_FILE, entry.file_name() != store::FILE));
        for entry in own {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = entry.path();
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            if let Err(cause) = removed {
                tracing::warn!(%cause, path = %path.display(), "the refused promotion left a standby");
                return;
            }
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_promotion_removes_its_standby_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        let kept = [SETTINGS_FILE, office_id::FILE, "notes.txt"];
        for name in [&kept[..], &[store::FILE]].concat() {
            fs::write(data.join(name), "").unwrap();
        }
        let refused = || FormerContent::Files(BTreeSet::new()).restore(data);
        refused();
        assert!(data.join(store::FILE).exists(), "another process has promoted it");
        fs::write(data.join(STANDBY_FILE), "").unwrap();
        refused();
        assert!([store::FILE, STANDBY_FILE].iter().all(|name| !data.join(name).exists()));
        assert!(kept.iter().all(|name| data.join(name).exists()));
    }
}

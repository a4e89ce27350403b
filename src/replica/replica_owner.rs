//! The record in the folder of a replica that tells whose it is.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::target::STORE;
use super::{Replica, ReplicaError, ReplicaTarget, json_file};
use crate::config::folders::moved_to;
use crate::files;
use crate::store::{self, DataFolderId, office_id};

pub(super) const RECORD: &str = "pleito-owner.json";
/// The record beside it that tells of a promotion.
pub(super) const PROMOTION: &str = "pleito-promotion.json";
/// What Litestream needs to go on with its replica, in the data folder.
pub(super) const LITESTREAM: &str = ".pleito.db-litestream";
const ALIVE_LITESTREAM: &str = ".pleito-alive.db-litestream";

/// The office to which a replica belongs: a data folder on a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReplicaOwner {
    /// Hash of the machine's id.
    machine: String,
    pub(super) folder: String,
    /// `None` if the office has none yet.
    pub(super) id: Option<String>,
}

impl ReplicaOwner {
    pub(super) fn of(data: &Path) -> ReplicaOwner {
        let DataFolderId { machine, folder } = DataFolderId::of(data);
        ReplicaOwner { machine, folder, id: office_id::read(data) }
    }

    /// Like [`of`](ReplicaOwner::of), for a record at a target.
    pub(super) fn with_id(data: &Path) -> io::Result<ReplicaOwner> {
        let id = office_id::read_or_create(data)?;
        Ok(ReplicaOwner { id: Some(id), ..ReplicaOwner::of(data) })
    }

    /// Reads the record in the folder of a replica. `None` if there is none or it cannot be understood.
    pub(super) fn read(folder: &Path) -> io::Result<Option<ReplicaOwner>> {
        match fs::read(folder.join(RECORD)) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
            read => Ok(serde_json::from_slice(&read?).ok()),
        }
    }

    /// Returns `true` if this office is the other one, or was moved to its folder on the same machine. The former folder may be
    /// gone.
    pub(super) fn is_or_became(&self, other: &ReplicaOwner) -> bool {
        let former = Path::new(&self.folder);
        let has_moved = || match moved_to(former) {
            Some(folder) => folder == Path::new(&other.folder),
            None => !former.join(store::FILE).try_exists().unwrap_or(true),
        };
        let is_same = self.id.is_some() && self.id == other.id && self.machine == other.machine;
        is_same && (self.folder == other.folder || has_moved())
    }

    /// Returns `true` if it seems to be another office than that in a data folder, by id and folder.
    pub(super) fn is_other(&self, data: &Path) -> bool {
        let own = ReplicaOwner::of(data);
        let is_other_id = self.id.as_ref().zip(own.id.as_ref()).is_some_and(|(id, own)| id != own);
        is_other_id && !self.is_in_folder_of(&own)
    }

    /// Returns `true` if both offices are in one folder, one after the other.
    fn is_in_folder_of(&self, other: &ReplicaOwner) -> bool {
        self.machine == other.machine && self.folder == other.folder
    }

    /// Writes the record into the folder of a replica.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        json_file::write(&folder.join(RECORD), self)
    }
}

impl Replica {
    /// Returns `true` if the target is not a folder, or one that says that it belongs to this office.
    pub fn owns_folder(&self) -> bool {
        let owner = self.target.folder().map(ReplicaOwner::read);
        owner.is_none_or(|owner| owner.ok().flatten() == Some(ReplicaOwner::of(&self.data)))
    }

    /// Returns this office, for a record at a target.
    pub(super) fn owner(&self) -> Result<ReplicaOwner, ReplicaError> {
        ReplicaOwner::with_id(&self.data)
            .map_err(|cause| ReplicaError::Id(self.data.join(office_id::FILE), cause))
    }

    /// Takes the folder of the target for this office, and creates it if it is missing. Gives it to the owner of the data
    /// folder: the superuser may have promoted the office. Refuses the folder of another office, what is inside one, and a
    /// replica of which it is not known that it is of this office.
    pub fn take_folder(&self) -> Result<(), ReplicaError> {
        let Some(folder) = self.target.folder() else { return Ok(()) };
        self.ensure_answer()?;
        let failed = |cause| ReplicaError::Folder(folder.to_owned(), cause);
        // Not made: the disk may not be plugged in.
        let parent = fs::canonicalize(files::folder_of(folder)).map_err(failed)?;
        let real =
            fs::canonicalize(folder).unwrap_or_else(|_| parent.join(folder.file_name().unwrap_or_default()));
        if real.starts_with(&self.data) || self.data.starts_with(&real) {
            return Err(ReplicaError::InsideData(folder.to_owned()));
        }
        let has_replica = |above: &Path| above.join(RECORD).exists() && above.join(STORE).exists();
        if !self.target.is_epoch() && !self.owns_folder() && real.ancestors().skip(1).any(has_replica) {
            return Err(ReplicaError::InsideReplica(folder.to_owned()));
        }
        if !folder.exists() {
            files::private_dir(folder).map_err(failed)?;
        }
        let own = self.owner()?;
        let occupied = || Err(ReplicaError::Occupied(self.target.to_string()));
        match ReplicaOwner::read(folder).map_err(failed)? {
            Some(owner) if owner == own => {}
            Some(former) if former.is_or_became(&own) => own.write(folder).map_err(failed)?,
            // A new office where an earlier one was.
            Some(earlier) if earlier.is_in_folder_of(&own) && self.holds_replica() => return occupied(),
            Some(earlier) if earlier.is_in_folder_of(&own) => own.write(folder).map_err(failed)?,
            Some(other) => return Err(ReplicaError::OtherOffice(self.target.to_string(), other.folder)),
            None if self.holds_replica() || folder.join(RECORD).exists() => return occupied(),
            None => own.write(folder).map_err(failed)?,
        }
        self.give_folder(folder);
        Ok(())
    }

    /// Gives the folder with all that is in it to the owner of the data folder, who may be another one than before: the office
    /// may have become a service since.
    fn give_folder(&self, folder: &Path) {
        files::give_to_owner_of(&self.data, folder);
        files::give_contents(folder);
    }

    /// Returns `true` if the target is a folder with a replica.
    fn holds_replica(&self) -> bool {
        matches!(&self.target, ReplicaTarget::File { path } if path.exists())
    }

    /// Removes what Litestream needs to go on, so that it begins with a whole copy. No Litestream may run on the store:
    /// with what is left of an earlier target, it looks for files that it has removed since. Its folder stays, as it tells that
    /// Litestream has run.
    pub fn begin_anew(&self) -> Result<(), ReplicaError> {
        for name in [LITESTREAM, ALIVE_LITESTREAM] {
            let folder = self.data.join(name);
            let emptied = fs::remove_dir_all(&folder).and_then(|()| files::private_dir(&folder));
            match emptied {
                Err(cause) if cause.kind() != ErrorKind::NotFound => {
                    return Err(ReplicaError::Folder(folder, cause));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns `true` if Litestream has replicated this store: its own folder is beside it.
    pub(super) fn was_replicated(&self) -> bool {
        self.data.join(LITESTREAM).exists()
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    struct Office(tempfile::TempDir);

    impl Office {
        fn new() -> Office {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(store::FILE), "").unwrap();
            Office(folder)
        }

        fn replica(&self, folder: &Path) -> Replica {
            Replica::new(self.0.path(), ReplicaTarget::parse(&folder.to_string_lossy()).unwrap()).unwrap()
        }

        fn take(&self, folder: &Path) -> Result<(), &'static str> {
            self.replica(folder).take_folder().map_err(|error| error.code())
        }
    }

    #[test]
    fn a_folder_belongs_to_the_office_that_took_it() {
        let [one, other] = [Office::new(), Office::new()];
        let disk = tempfile::tempdir().unwrap();
        let folder = disk.path().join("replica");
        assert!(!one.replica(&folder).owns_folder());
        assert_eq!(one.take(&folder), Ok(()));
        assert_eq!(one.take(&folder), Ok(()), "again");
        let inside = folder.join("clientes");
        fs::create_dir(folder.join(STORE)).unwrap();
        for office in [&one, &other] {
            assert_eq!(office.take(&inside), Err("replica-inside-replica"));
        }
        assert!(!inside.exists());
        // Without a replica, the folder above was only mistyped.
        fs::remove_dir(folder.join(STORE)).unwrap();
        assert_eq!(other.take(&inside), Ok(()));
        fs::create_dir(folder.join(STORE)).unwrap();
        assert_eq!(other.take(&inside), Ok(()), "it was there before");
        fs::remove_dir(folder.join(STORE)).unwrap();
        assert!(one.replica(&folder).owns_folder());
        assert_eq!(other.take(&folder), Err("replica-of-another-office"));
        assert!(!other.replica(&folder).owns_folder());
        fs::write(folder.join(RECORD), "{").unwrap();
        assert_eq!(one.take(&folder), Err("replica-target-occupied"));
        fs::remove_file(folder.join(RECORD)).unwrap();
        assert!(!one.replica(&folder).owns_folder(), "the disk is not plugged in");
        assert_eq!(other.take(&folder), Ok(()), "an empty folder is anybody's");
        fs::remove_file(folder.join(RECORD)).unwrap();
        fs::create_dir(folder.join("pleito-replica")).unwrap();
        assert_eq!(one.take(&folder), Err("replica-target-occupied"));
    }

    #[test]
    fn a_new_office_in_the_place_of_an_earlier_one_does_not_take_its_replica() {
        let office = Office::new();
        let disk = tempfile::tempdir().unwrap();
        let folder = disk.path().join("replica");
        office.take(&folder).unwrap();
        let forget = || fs::remove_file(office.0.path().join(office_id::FILE)).unwrap();
        forget();
        assert_eq!(office.take(&folder), Ok(()), "without a replica");
        fs::create_dir(folder.join("pleito-replica")).unwrap();
        assert_eq!(office.take(&folder), Ok(()), "turned off and on");
        forget();
        assert_eq!(office.take(&folder), Err("replica-target-occupied"));
    }

    #[test]
    fn an_office_that_was_moved_keeps_its_replica() {
        let [office, moved, stranger] = [Office::new(), Office::new(), Office::new()];
        let disk = tempfile::tempdir().unwrap();
        let folder = disk.path().join("replica");
        office.take(&folder).unwrap();
        fs::create_dir(folder.join("pleito-replica")).unwrap();
        stranger.take(&disk.path().join("other")).unwrap();
        assert_eq!(moved.take(&folder), Err("replica-of-another-office"));
        let id = |office: &Office| office.0.path().join(office_id::FILE);
        fs::copy(id(&office), id(&moved)).unwrap();
        assert_eq!(moved.take(&folder), Err("replica-of-another-office"), "a copy");
        fs::write(office.0.path().join("pleito.moved"), format!("{}\n", moved.0.path().display())).unwrap();
        assert_eq!(stranger.take(&folder), Err("replica-of-another-office"));
        assert_eq!(moved.take(&folder), Ok(()));
        assert!(moved.replica(&folder).owns_folder());
        assert_eq!(office.take(&folder), Err("replica-of-another-office"));
        // The former folder is deleted, as the command says in the end. Its disk may only be away, so what is there may be all
        // that another office has.
        let again = Office::new();
        fs::copy(id(&moved), id(&again)).unwrap();
        assert_eq!(again.take(&folder), Err("replica-of-another-office"));
        drop(moved);
        assert_eq!(stranger.take(&folder), Err("replica-of-another-office"));
        assert_eq!(again.take(&folder), Ok(()));
    }

    #[test]
    fn an_id_that_people_have_edited_is_not_replaced() {
        let office = Office::new();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("replica");
        office.take(&folder).unwrap();
        let file = office.0.path().join(office_id::FILE);
        let id = fs::read(&file).unwrap();
        for edited in ["\"\"", "\"../..\"", "7", ""] {
            fs::write(&file, edited).unwrap();
            assert_eq!(office.take(&folder), Err("office-id-unreadable"), "{edited}");
            assert_eq!(fs::read_to_string(&file).unwrap(), edited);
        }
        fs::write(&file, id).unwrap();
        assert_eq!(office.take(&folder), Ok(()));
    }

    #[test]
    fn a_folder_of_the_office_itself_is_no_target() {
        let office = Office::new();
        let data = office.0.path();
        assert_eq!(office.take(data), Err("replica-inside-data"));
        assert_eq!(office.take(&data.join("replica")), Err("replica-inside-data"));
        assert_eq!(office.take(data.parent().unwrap()), Err("replica-inside-data"));
        assert!(!data.join("replica").exists());
        assert_eq!(office.take(&data.join("missing/replica")), Err("replica-target-unusable"));
    }
}

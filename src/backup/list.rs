//! The backups in the folder, and which of them are this office's.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::file::{self, About, BackupReason, short_hash};
use super::{Backups, Failed, PART, file_name};
use crate::files;
use crate::store::{DataFolderId, FILE, Store, journal, office_id};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFile {
    pub path: PathBuf,
    /// The metadata. `None` if the file is truncated or not a backup.
    pub about: Option<About>,
    /// Number of contents of documents that the new backup lacks. `None` if it was not made just now.
    pub missing: Option<u64>,
}

impl Backups {
    /// Lists all files that may be backups, the newest first by [`About::sequence`], not by date. After those
    /// come the ones without this number, the latest date first, but dates after now last. Files without
    /// metadata come at the end. A missing folder counts as empty, but a missing disk does not.
    pub fn list(&self) -> Result<Vec<BackupFile>, Failed> {
        let folder = self.usable_folder()?;
        let in_folder = |cause| Failed::File(folder.clone(), cause);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            Err(cause) => return Err(in_folder(cause)),
        };
        let mut all = Vec::new();
        let is_store_file = self.store_files();
        for entry in entries {
            let path = entry.map_err(in_folder)?.path();
            // Opening a named pipe would wait for ever, and closing a file of the store would release SQLite's locks on it.
            if path.metadata().is_ok_and(|entry| !entry.is_file() || is_store_file(&entry)) {
                continue;
            }
            let name = path.to_string_lossy();
            // A file that has vanished or cannot be read has no metadata.
            let about = file::about(&path).unwrap_or_default();
            if file_name::is_backup(&name) || about.is_some() && !name.ends_with(PART) {
                all.push(BackupFile { path, about, missing: None });
            }
        }
        let now = self.clock.now();
        let made = |one: &BackupFile| {
            one.about.as_ref().map(|about| (about.sequence, about.age(now).is_some(), about.made_at))
        };
        all.sort_by(|a, b| made(b).cmp(&made(a)).then_with(|| b.path.cmp(&a.path)));
        Ok(all)
    }

    /// Lists this office's backups, in the order of [`Backups::list`]. Also returns the number of those of other data folders.
    pub fn own(&self) -> Result<(Vec<BackupFile>, usize), Failed> {
        let all = self.list()?;
        let is_own = self.ownership(&all);
        let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_own);
        Ok((own, others.len()))
    }

    /// Lists the backups of which a restore takes the latest: this office's, also those made before its data folder was moved. If
    /// nothing was written here, those of the only office that has backups there, which this one takes the place of. Fails if the
    /// latest of this office was made in another data folder, on another machine or in a copy, though there are some of this one.
    pub(super) fn latest(&self) -> Result<Vec<BackupFile>, Failed> {
        let mut all = self.list()?;
        let place = self.place();
        let office = office_id::read(&self.data);
        let is_own = self.ownership(&all);
        let with_id = all.iter().filter(|one| one.office().is_some());
        let places_with_id: BTreeSet<_> = with_id.filter_map(|one| one.place().map(str::to_owned)).collect();
        // The id was lost with the data folder: whose the backups that were made here are is decided as for those of others.
        let is_any_here = self.is_inside() && !places_with_id.is_empty();
        let is_id_lost = office.is_none() && (is_any_here || places_with_id.contains(&place));
        let is_of_office =
            |one: &BackupFile| is_own(one) || one.office().is_some_and(|id| Some(id) == office.as_deref());
        let mut regular = all.iter().filter(|one| one.is_regular() && is_of_office(one));
        // An office that was only just started, in the place of another one, has made an empty one.
        let is_in_force = |newest: &&BackupFile| !is_id_lost && (newest.may_have_records() || !self.is_new());
        if let Some(newest) = regular.next().filter(is_in_force) {
            let is_made_here = |one: &&BackupFile| one.place().is_none_or(|made_in| made_in == place);
            // The last backup of this data folder was made before it was moved, perhaps in it.
            let last = self.newest_path();
            let is_last = last.is_some_and(|last| last.file_name() == newest.path.file_name());
            if let Some(own) = regular.find(is_made_here).filter(|_| !is_last && !is_made_here(&newest)) {
                return Err(Failed::NewestOfOtherFolder(newest.path.clone(), own.path.clone()));
            }
            all.retain(is_of_office);
            return Ok(all);
        }
        if all.iter().any(|one| one.is_regular() && one.may_have_records()) {
            all.retain(BackupFile::may_have_records);
        }
        let mut offices = BTreeSet::new();
        // An earlier version noted no id in the backups of the same data folder.
        let is_earlier = |one: &BackupFile| {
            one.office().is_none() && one.place().is_some_and(|made_in| places_with_id.contains(made_in))
        };
        let of_each = all.iter().filter(|one| {
            one.is_regular() && !is_earlier(one) && offices.insert(one.office().or(one.place()))
        });
        let newest: Vec<_> = of_each.map(|one| one.path.display().to_string()).collect();
        match newest.len() {
            0 => Ok(all),
            1 if self.is_new() => Ok(all),
            _ => Err(Failed::OthersOnly(self.folder(), newest.join(", "))),
        }
    }

    /// Lists the backups that were made in this data folder, by whichever office was there.
    pub(super) fn made_here(&self) -> Result<Vec<BackupFile>, Failed> {
        let mut all = self.list()?;
        let place = self.place();
        all.retain(|one| one.place() == Some(&place));
        Ok(all)
    }

    /// Returns the id of the office that made the newest regular backup of this data folder.
    pub(super) fn last_office_here(&self) -> Option<String> {
        let made_here = self.made_here().ok()?;
        let mut regular = made_here.iter().filter(|one| one.is_regular());
        regular.find_map(|one| one.office().map(str::to_owned))
    }

    /// Returns `true` if the backup folder goes along if the data folder is moved.
    fn is_inside(&self) -> bool {
        files::real_path(&self.folder()).starts_with(files::real_path(&self.data))
    }

    /// Returns `true` if nothing was written in the data folder.
    pub(super) fn is_new(&self) -> bool {
        match self.data.join(FILE).exists() {
            true => Store::read_once(&self.data, journal::is_new).unwrap_or(false),
            false => !Store::was_in(&self.data),
        }
    }

    /// Returns the test whether a backup in the folder, which has `all` of these, is this office's: it has its id, and was made in
    /// this data folder, since a copy to try something has the id too. In a folder inside the data folder, the id suffices: they go
    /// along if that is moved. One without metadata may be, so that no newer one is passed over, and one of a version that noted
    /// neither is, if no other one says whose it is.
    pub(super) fn ownership(&self, all: &[BackupFile]) -> impl Fn(&BackupFile) -> bool + use<> {
        let is_inside = self.is_inside();
        let place = self.place();
        let office = office_id::read(&self.data);
        let is_noted = all.iter().any(|one| one.place().is_some());
        move |one| match one.place() {
            Some(made_in) => {
                (one.office().is_none() || one.office() == office.as_deref())
                    && (is_inside || made_in == place)
            }
            None => one.about.is_none() || is_inside || !is_noted,
        }
    }

    /// Returns the highest number of a backup in the folder. For a backup that is made elsewhere it does not matter if this fails.
    pub(super) fn highest_sequence(&self) -> Result<Option<u64>, Failed> {
        Ok(self.list()?.iter().filter_map(|one| one.about.as_ref()?.sequence).max())
    }

    /// Returns the test whether a file is one of the store, by whatever path.
    #[cfg(unix)]
    fn store_files(&self) -> impl Fn(&Metadata) -> bool + use<> {
        use std::os::unix::fs::MetadataExt;

        use crate::files::beside;
        use crate::store::COMPANIONS;

        let identity = |file: &Metadata| (file.dev(), file.ino());
        let store = self.data.join(FILE);
        let files =
            COMPANIONS.into_iter().chain([""]).filter_map(|name| beside(&store, name).metadata().ok());
        let files: Vec<_> = files.map(|file| identity(&file)).collect();
        move |file| files.contains(&identity(file))
    }

    #[cfg(windows)]
    fn store_files(&self) -> impl Fn(&Metadata) -> bool + use<> {
        |_| false
    }

    /// Identifies the data folder in the metadata of backups.
    pub(super) fn place(&self) -> String {
        let DataFolderId { machine, folder } = DataFolderId::of(&self.data);
        short_hash(&format!("{machine} {folder}"))
    }
}

impl BackupFile {
    /// Returns why the metadata cannot be read, such as missing permission. `None` if they can be read, or the file
    /// has none.
    pub fn unreadable(&self) -> Option<Failed> {
        file::about(&self.path).err().map(|cause| Failed::File(self.path.clone(), cause))
    }

    fn place(&self) -> Option<&str> {
        self.about.as_ref()?.place.as_deref()
    }

    fn office(&self) -> Option<&str> {
        self.about.as_ref()?.office.as_deref()
    }

    /// Returns `true` unless people gave the file its name.
    pub(super) fn has_given_name(&self) -> bool {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        file_name::is_given(&name, self.about.as_ref())
    }

    /// Returns `false` if the backup has neither a customer nor a lawsuit. That of an encrypted one is unknown.
    pub(super) fn may_have_records(&self) -> bool {
        self.about.as_ref().and_then(About::counts) != Some((0, 0))
    }

    /// Returns `true` if settings and `--latest` apply to this backup: it is not a store that a restore
    /// replaced.
    pub fn is_regular(&self) -> bool {
        self.about.as_ref().is_some_and(|about| about.reason != BackupReason::Replaced)
    }
}

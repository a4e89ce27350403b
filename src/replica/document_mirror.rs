//! The copies of documents' files beside a replica in a folder. A file never changes and is named by its SHA-256, so each
//! is copied once. Targets on other machines have no copies.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::{FILE, Replica, erased_after};
use crate::domain::ContentHash;
use crate::files;
use crate::store::ContentStore;

/// The folder of the copies in that of the target. Distinctive, because that folder may have others.
const FOLDER: &str = "pleito-replica-documents";
const PART: &str = ".part";
/// Ending of a copy that no document needs any more. It stays as long as the replica names it.
pub(super) const ERASED: &str = ".erased";

/// The documents of an office and their copies beside its replica.
pub struct DocumentMirror<'r> {
    replica: &'r Replica,
    contents: ContentStore,
    to: PathBuf,
}

/// How much of the documents is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirroredDocuments {
    pub copied: u64,
    pub missing: u64,
    /// When the oldest one that is missing was stored, or, if that is later, when the copies were begun or the last one was made.
    pub missing_since: Option<Timestamp>,
}

impl Replica {
    /// Returns the copies of documents, if the target is a folder.
    pub fn documents(&self) -> Option<DocumentMirror<'_>> {
        let to = folder(self.target.folder()?);
        Some(DocumentMirror { replica: self, contents: ContentStore::of(&self.data), to })
    }
}

impl DocumentMirror<'_> {
    /// Compares the names of documents and copies.
    pub fn state(&self, now: Timestamp) -> io::Result<MirroredDocuments> {
        let documents = listed(self.contents.folder())?;
        let copies = listed(&self.to)?;
        let missing = documents.difference(&copies).collect::<Vec<_>>();
        let stored = |hash| self.contents.path(hash).metadata().and_then(|file| file.modified()).ok();
        let stored = missing.iter().filter_map(|hash| Timestamp::try_from(stored(hash)?).ok());
        // A folder's time is that of its newest or removed file.
        let progress = [self.replica.data().join(FILE), self.to.clone()].into_iter();
        let progress =
            progress.filter_map(|path| Timestamp::try_from(path.metadata().ok()?.modified().ok()?).ok());
        // By a wrong clock of the target, a copy may be made in the future.
        let latest = progress.filter(|at| *at <= now).max();
        Ok(MirroredDocuments {
            copied: (documents.len() - missing.len()) as u64,
            missing: missing.len() as u64,
            missing_since: stored.min().map(|oldest| latest.map_or(oldest, |latest| oldest.max(latest))),
        })
    }

    /// Copies what is missing. Fails if the folder of the target is not there or is another office's, and copies nothing
    /// that was altered.
    pub fn copy_missing(&self, now: Timestamp) -> io::Result<()> {
        if !self.replica.owns_folder() {
            return Err(ErrorKind::NotFound.into());
        }
        let copies = listed(&self.to)?;
        for hash in listed(self.contents.folder())?.difference(&copies) {
            // Erased since it was listed.
            let Ok(file) = self.contents.path(hash).metadata() else { continue };
            let Some((mut document, _)) = self.contents.open(hash, file.len(), now.as_second())? else {
                tracing::error!(content = %hash, "a document's file is altered, and not copied to the replica");
                continue;
            };
            files::private_dir(&self.to)?;
            let part = self.to.join([hash.as_str(), PART].concat());
            let _ = fs::remove_file(&part);
            files::copy(&mut document, &part)
                .and_then(|()| files::rename(&part, &self.to.join(hash.as_str())))
                .inspect_err(|_| _ = fs::remove_file(&part))?;
        }
        Ok(())
    }

    /// Sets the copies aside that no document needs, and removes those that the replica no longer names either. Does
    /// nothing if the folder of the target is not there or is another office's.
    pub fn remove_erased(&self, is_needed: impl Fn(&ContentHash) -> bool, now: Timestamp) -> io::Result<()> {
        if !self.replica.owns_folder() {
            return Ok(());
        }
        let documents = listed(self.contents.folder())?;
        for hash in listed(&self.to)?.difference(&documents) {
            if !is_needed(hash) {
                let copy = self.to.join(hash.as_str());
                let aside = files::beside(&copy, ERASED);
                File::options().append(true).open(&copy)?.set_modified(now.into())?;
                files::rename(&copy, &aside)?;
            }
        }
        for entry in entries(&self.to)? {
            let since = Timestamp::try_from(entry.metadata()?.modified()?).unwrap_or(now);
            if entry.path().as_os_str().to_string_lossy().ends_with(ERASED) && erased_after(since) <= now {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// Returns the folder of the copies beside the replica in a folder.
pub(super) fn folder(target: &Path) -> PathBuf {
    target.join(FOLDER)
}

/// Lists the contents in a folder, which may be missing.
fn listed(folder: &Path) -> io::Result<BTreeSet<ContentHash>> {
    let names = entries(folder)?.into_iter().map(|entry| entry.file_name());
    Ok(names.filter_map(|name| ContentHash::parse(&name.to_string_lossy()).ok()).collect())
}

fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.collect(),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::replica::ReplicaTarget;
    use crate::store;

    struct Office {
        folder: tempfile::TempDir,
        replica: Replica,
    }

    impl Office {
        fn new() -> Office {
            let folder = tempfile::tempdir().unwrap();
            let data = folder.path().join("data");
            fs::create_dir_all(data.join("documents")).unwrap();
            fs::write(data.join(store::FILE), "").unwrap();
            let target = ReplicaTarget::parse(&folder.path().join("replica").to_string_lossy()).unwrap();
            let replica = Replica::new(&data, target).unwrap();
            replica.take_folder().unwrap();
            Office { folder, replica }
        }

        fn document(&self, text: &str) -> ContentHash {
            let hash = ContentHash::of_digest(Sha256::digest(text).into());
            fs::write(self.replica.data().join("documents").join(hash.as_str()), text).unwrap();
            hash
        }

        fn copy(&self, hash: &ContentHash) -> PathBuf {
            self.folder.path().join("replica").join(FOLDER).join(hash.as_str())
        }

        fn mirror(&self) -> DocumentMirror<'_> {
            self.replica.documents().unwrap()
        }

        fn counts(&self) -> (u64, u64) {
            let state = self.mirror().state(now()).unwrap();
            (state.copied, state.missing)
        }
    }

    fn now() -> Timestamp {
        Timestamp::now()
    }

    #[test]
    fn each_document_is_copied_once_and_only_if_it_is_whole() {
        let office = Office::new();
        let mirror = office.mirror();
        mirror.copy_missing(now()).unwrap();
        assert_eq!(office.counts(), (0, 0));
        let [contract, altered] = ["contract", "letter"].map(|text| office.document(text));
        fs::write(office.replica.data().join("documents/0123.part"), "half").unwrap();
        fs::write(office.replica.data().join("documents").join(altered.as_str()), "other").unwrap();
        // What an interrupted copy has left.
        fs::create_dir(office.copy(&contract).parent().unwrap()).unwrap();
        fs::write(files::beside(&office.copy(&contract), PART), "con").unwrap();
        assert_eq!(office.counts(), (0, 2));
        mirror.copy_missing(now()).unwrap();
        assert_eq!(office.counts(), (1, 1), "the altered one is not copied");
        assert_eq!(fs::read(office.copy(&contract)).unwrap(), b"contract");
        let copied = fs::metadata(office.copy(&contract)).unwrap().modified().unwrap();
        mirror.copy_missing(now()).unwrap();
        assert_eq!(fs::metadata(office.copy(&contract)).unwrap().modified().unwrap(), copied);
        assert_eq!(fs::read_dir(office.copy(&contract).parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_is_copied_to_a_disk_that_is_not_there() {
        let office = Office::new();
        office.document("contract");
        let folder = office.replica.target.folder().unwrap();
        fs::remove_dir_all(folder).unwrap();
        // The folder at which the disk is mounted.
        fs::create_dir(folder).unwrap();
        assert!(office.mirror().copy_missing(now()).is_err());
        let other = folder.join(FOLDER).join(ContentHash::of_digest([7; 32]).as_str());
        fs::create_dir(other.parent().unwrap()).unwrap();
        fs::write(&other, "of another office").unwrap();
        office.mirror().remove_erased(|_| false, now()).unwrap();
        assert!(other.exists());
        fs::remove_dir_all(other.parent().unwrap()).unwrap();
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
    }

    #[test]
    fn the_copy_of_an_erased_document_goes_when_the_replica_no_longer_names_it() {
        let office = Office::new();
        let mirror = office.mirror();
        let [erased, lost, kept] = ["erased", "lost", "kept"].map(|text| office.document(text));
        mirror.copy_missing(now()).unwrap();
        for hash in [&erased, &lost] {
            fs::remove_file(office.replica.data().join("documents").join(hash.as_str())).unwrap();
        }
        // A file that a document still needs was lost here: its copy is the only one.
        let is_needed = |hash: &ContentHash| *hash == lost;
        let begun = now();
        mirror.remove_erased(is_needed, begun).unwrap();
        let aside = files::beside(&office.copy(&erased), ERASED);
        assert!(aside.exists() && !office.copy(&erased).exists());
        let end = erased_after(begun);
        mirror
            .remove_erased(is_needed, end.saturating_sub(jiff::SignedDuration::from_secs(1)).unwrap())
            .unwrap();
        assert!(aside.exists());
        mirror.remove_erased(is_needed, end).unwrap();
        assert!(!aside.exists());
        assert!(office.copy(&lost).exists() && office.copy(&kept).exists());
    }
}

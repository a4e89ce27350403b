//! The copies of documents' files beside a replica in a folder. A file never changes and is named by its SHA-256, so each
//! is copied once. Targets on other machines have no copies.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::{Replica, erased_after};
use crate::domain::ContentHash;
use crate::files;
use crate::store::ContentStore;

/// The folder of the copies in that of the target. Distinctive, because that folder may have others.
const FOLDER: &str = "pleito-replica-documents";
const PART: &str = ".part";
/// Ending of a copy that no document needs any more. It stays as long as the replica names it.
const ERASED: &str = ".erased";

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
    /// When the oldest one that is missing was stored.
    pub missing_since: Option<Timestamp>,
}

impl Replica {
    /// Returns the copies of documents, if the target is a folder.
    pub fn documents(&self) -> Option<DocumentMirror<'_>> {
        let to = self.target.folder()?.join(FOLDER);
        Some(DocumentMirror { replica: self, contents: ContentStore::of(&self.data), to })
    }
}

impl DocumentMirror<'_> {
    /// Compares the names of documents and copies.
    pub fn state(&self) -> io::Result<MirroredDocuments> {
        let documents = listed(self.contents.folder())?;
        let copies = listed(&self.to)?;
        let missing = documents.iter().filter(|(hash, _)| !copies.contains_key(*hash));
        let stored = missing.map(|(_, file)| file.modified().and_then(|at| Ok(Timestamp::try_from(at).ok())));
        let stored = stored.map(|at| at.ok().flatten()).collect::<Vec<_>>();
        Ok(MirroredDocuments {
            copied: (documents.len() - stored.len()) as u64,
            missing: stored.len() as u64,
            missing_since: stored.iter().flatten().min().copied(),
        })
    }

    /// Copies what is missing. Fails if the folder of the target is not there or is another office's, and copies nothing
    /// that was altered.
    pub fn copy_missing(&self, now: Timestamp) -> io::Result<()> {
        if !self.replica.owns_folder() {
            return Err(ErrorKind::NotFound.into());
        }
        let copies = listed(&self.to)?;
        for (hash, file) in listed(self.contents.folder())? {
            if copies.contains_key(&hash) {
                continue;
            }
            let opened = match self.contents.open(&hash, file.len(), now.as_second()) {
                // Erased since it was listed.
                Err(cause) if cause.kind() == ErrorKind::NotFound => continue,
                opened => opened?,
            };
            let Some((mut document, _)) = opened else {
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

    /// Sets the copies aside that no document needs, and removes those that the replica no longer names either.
    pub fn remove_erased(&self, is_needed: impl Fn(&ContentHash) -> bool, now: Timestamp) -> io::Result<()> {
        let documents = listed(self.contents.folder())?;
        for hash in listed(&self.to)?.into_keys().filter(|hash| !documents.contains_key(hash)) {
            if !is_needed(&hash) {
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

/// Lists the contents in a folder, which may be missing.
fn listed(folder: &Path) -> io::Result<BTreeMap<ContentHash, fs::Metadata>> {
    let mut contents = BTreeMap::new();
    for entry in entries(folder)? {
        if let Ok(hash) = ContentHash::parse(&entry.file_name().to_string_lossy()) {
            contents.insert(hash, entry.metadata()?);
        }
    }
    Ok(contents)
}

fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.collect(),
    }
}

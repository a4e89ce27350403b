//! The contents of documents, which backups keep beside the copies of the store: each is copied once and kept
//! for as long as a copy needs it (resources 17.3).
//!
//! A new backup knows the contents that its copy needs. A content that it does not need may still be needed
//! by earlier backups. The number of the newest of these is noted, and the content is removed when only
//! backups with higher numbers are left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::encryption::{DocumentsKey, ENCRYPTED};
use super::file::Hashed;
use super::{Backups, Failed, PART, ensure_room};
use crate::domain::{Bilingual, ContentHash};
use crate::files::{self, WatchedReader, beside};
use crate::store::nouns::documents;
use crate::store::{ContentState, ContentStore, Error, Store};

/// The folder of the contents. Its name is distinctive, because users may store a copy in a folder of their
/// own that already has a `documents`.
pub(super) const FOLDER: &str = "pleito-documents";
/// The file that lists the contents that the newest copy does not need.
const UNNEEDED: &str = "unneeded.json";
/// Extension of altered files, which count as missing.
const ALTERED: &str = ".altered";

const COPYING_DOCUMENTS: Bilingual = ("copiando os documentos", "copying the documents");
const BRINGING_DOCUMENTS: Bilingual = ("trazendo os documentos", "bringing the documents back");
const CHECKING_DOCUMENTS: Bilingual = ("conferindo os documentos", "checking the documents");

/// Contents, each with its length in bytes.
pub(super) type ContentSizes = BTreeMap<ContentHash, u64>;

/// The contents that a backup needs, and the key that encrypts them beside it.
pub(super) struct NeededContents {
    pub(super) sizes: ContentSizes,
    /// `None` if the backup is not encrypted.
    pub(super) key: Option<DocumentsKey>,
}

impl NeededContents {
    fn file_name(&self, hash: &ContentHash) -> String {
        self.key.as_ref().map_or_else(|| hash.as_str().to_owned(), |key| key.file_name(hash))
    }

    /// Returns `true` if `folder` has a file of a content, of the right length.
    fn is_in(&self, folder: &Path, hash: &ContentHash, size: u64) -> bool {
        fs::metadata(folder.join(self.file_name(hash))).is_ok_and(|file| {
            file.is_file()
                && match self.key {
                    // age adds a header of random length.
                    Some(_) => file.len() > size,
                    None => file.len() == size,
                }
        })
    }

    /// Opens the file of a content in `folder`.
    fn open(&self, folder: &Path, hash: &ContentHash) -> io::Result<Box<dyn Read>> {
        self.open_file(&folder.join(self.file_name(hash)))
    }

    /// Opens a file that was set aside as altered. A disk that failed in the test may read it now.
    fn open_altered(&self, folder: &Path, hash: &ContentHash) -> io::Result<Box<dyn Read>> {
        self.open_file(&beside(&folder.join(self.file_name(hash)), ALTERED))
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        Ok(match &self.key {
            None => Box::new(File::open(path)?),
            Some(key) => Box::new(key.open(path)?),
        })
    }

    /// Reads the whole file of a content in `folder`. Returns an error if that is not possible.
    fn state_in(&self, folder: &Path, hash: &ContentHash) -> io::Result<ContentState> {
        let read = self.open(folder, hash).and_then(|file| {
            let mut hashed = Hashed::new(file, |_| {});
            io::copy(&mut hashed, &mut io::sink())?;
            Ok(hashed.end().1 == hash.as_str())
        });
        match read {
            Ok(true) => Ok(ContentState::Sound),
            Ok(false) => Ok(ContentState::Altered),
            Err(cause) => match cause.kind() {
                ErrorKind::NotFound => Ok(ContentState::Missing),
                // The encryption finds what was altered.
                ErrorKind::InvalidData | ErrorKind::UnexpectedEof => Ok(ContentState::Altered),
                _ => Err(cause),
            },
        }
    }
}

/// Contents that the newest copy does not need, each with the number of the newest backup that may need it.
#[derive(Default, Serialize, Deserialize)]
struct Unneeded(BTreeMap<String, u64>);

impl Unneeded {
    fn read(folder: &Path) -> Unneeded {
        let text = fs::read(folder.join(UNNEEDED)).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// Writes the list. If this fails, these contents get the number of the next backup and stay longer.
    fn write(&self, folder: &Path) {
        let written = serde_json::to_vec(self)
            .map_err(io::Error::from)
            .and_then(|text| files::replace(&folder.join(UNNEEDED), &text));
        if let Err(cause) = written {
            tracing::warn!(%cause, "the list of unneeded contents could not be written");
        }
    }
}

impl Backups {
    /// Copies the contents that a copy of the store in `folder` needs and that are not there yet. A content
    /// that is missing, altered or unreadable in the data folder does not make the backup fail: the log names
    /// it, and so does `pleito check`. Returns the number of these.
    pub(super) fn copy_contents(&self, needed: &NeededContents, folder: &Path) -> Result<u64, Failed> {
        let to = folder.join(FOLDER);
        let uncopied: Vec<_> =
            needed.sizes.iter().filter(|(hash, size)| !needed.is_in(&to, hash, **size)).collect();
        if uncopied.is_empty() {
            return Ok(0);
        }
        let bytes = uncopied.iter().map(|(_, size)| **size).sum::<u64>();
        ensure_room(folder, bytes)?;
        let contents = ContentStore::of(&self.data);
        let tell = self.report_bytes(COPYING_DOCUMENTS);
        let mut done = 0;
        let mut missing = 0;
        for (hash, size) in uncopied {
            tell(done, bytes);
            done += size;
            if !self.copy_content(needed, &contents, hash, *size, &to)? {
                tracing::error!(content = %hash, "a document's file is not in the backup");
                missing += 1;
            }
        }
        Ok(missing)
    }

    /// Copies the contents of the store as it is now beside the backups in `folder`, so that a backup has little left to copy.
    pub(super) fn copy_contents_of_store(&self, folder: &Path) -> Result<u64, Failed> {
        let needed = NeededContents { sizes: self.needed_now(), key: self.documents_key()? };
        self.copy_contents(&needed, folder)
    }

    /// Returns the contents that the store needs now: none if it cannot be read.
    fn needed_now(&self) -> ContentSizes {
        let mut needed = ContentSizes::new();
        let read = Store::read_once(&self.data, |db| {
            documents::each_file(db, |file| _ = needed.insert(file.hash, file.size))
        });
        if let Err(cause) = read {
            let cause: Error = cause;
            tracing::warn!(%cause, "the documents of the store could not be listed");
        }
        needed
    }

    /// Notes that a backup in `folder` needs these contents, which the newest one in it may not.
    pub(super) fn keep_contents(&self, needed: &NeededContents, folder: &Path) {
        let folder = folder.join(FOLDER);
        let mut unneeded = Unneeded::read(&folder);
        let all = unneeded.0.len();
        for hash in needed.sizes.keys() {
            unneeded.0.remove(&needed.file_name(hash));
        }
        if unneeded.0.len() < all {
            unneeded.write(&folder);
        }
    }

    /// Copies a content into the folder `to`. Returns `false` if it is missing, altered or unreadable.
    fn copy_content(
        &self,
        needed: &NeededContents,
        contents: &ContentStore,
        hash: &ContentHash,
        size: u64,
        to: &Path,
    ) -> Result<bool, Failed> {
        let unreadable = |cause: io::Error| {
            tracing::error!(content = %hash, %cause, "a document's file cannot be read");
        };
        let file = match contents.open(hash, size, self.clock.now().as_second()) {
            Ok(Some((file, _))) => file,
            Ok(None) => {
                tracing::error!(content = %hash, "a document's file is missing or altered");
                return Ok(false);
            }
            Err(cause) => {
                unreadable(cause);
                return Ok(false);
            }
        };
        files::private_dir(to).map_err(|cause| Failed::File(to.to_owned(), cause))?;
        let mut source = WatchedReader::new(file);
        let name = needed.file_name(hash);
        let part = to.join([&name, PART].concat());
        let path = to.join(name);
        let aside = beside(&path, ALTERED);
        let copied = match &needed.key {
            None => files::copy(&mut source, &part),
            Some(key) => key.encrypt(&mut source, &part),
        };
        let put = || {
            // A file would be replaced.
            if path.is_dir() {
                fs::rename(&path, &aside)?;
            }
            files::rename(&part, &path)
        };
        match copied.and_then(|()| put()).inspect_err(|_| _ = fs::remove_file(&part)) {
            Ok(()) => {
                let _ = fs::remove_file(&aside);
                Ok(true)
            }
            Err(cause) if source.has_failed() => {
                unreadable(cause);
                Ok(false)
            }
            Err(cause) => Err(Failed::File(part, cause)),
        }
    }

    /// Reads all contents that `backup` needs. Returns the number of those that are missing beside it, altered or
    /// unreadable. Sets altered ones aside, so that the next backup copies them again.
    pub(super) fn test_contents(&self, needed: &NeededContents, backup: &Path) -> u64 {
        let folder = files::folder_of(backup).join(FOLDER);
        let contents = ContentStore::of(&self.data);
        let tell = self.report_bytes(CHECKING_DOCUMENTS);
        let all = needed.sizes.values().sum();
        let mut done = 0;
        let mut wrong = 0;
        for (hash, size) in &needed.sizes {
            tell(done, all);
            done += size;
            let state = needed.state_in(&folder, hash);
            let is_useless = match &state {
                Ok(ContentState::Sound) => continue,
                Ok(ContentState::Missing) => false,
                Ok(ContentState::Altered) => true,
                // The error may pass, so the file is only replaced by one that is known to be sound.
                Err(_) => contents.state(hash, *size, true).is_ok_and(|here| here == ContentState::Sound),
            };
            wrong += 1;
            let path = folder.join(needed.file_name(hash));
            tracing::error!(content = %hash, ?state, "a document's file is not sound beside the backup");
            if is_useless && let Err(cause) = fs::rename(&path, beside(&path, ALTERED)) {
                tracing::warn!(%cause, file = %path.display(), "the file could not be set aside");
            }
        }
        wrong
    }

    /// Reads the files beside an encrypted backup that this machine can open without the backup's secret: those of
    /// the office's own documents. Returns the number of altered or unreadable ones, and of documents that were there when the
    /// backup was made and have no file.
    pub(super) fn test_own_contents(&self, backup: &Path, made_at: Timestamp) -> Result<u64, Failed> {
        let Some(key) = DocumentsKey::existing(&self.data)? else { return Ok(0) };
        let mut sizes = self.needed_now();
        let folder = files::folder_of(backup).join(FOLDER);
        let mut needed = NeededContents { sizes: ContentSizes::new(), key: Some(key) };
        let contents = ContentStore::of(&self.data);
        // With a clock that was ahead then, newer ones would count too.
        let is_dated = made_at <= self.clock.now();
        let is_older = |hash: &ContentHash| {
            let stored = contents.path(hash).metadata().and_then(|file| file.modified()).ok();
            stored.and_then(|stored| Timestamp::try_from(stored).ok()).is_some_and(|stored| stored < made_at)
        };
        sizes.retain(|hash, _| folder.join(needed.file_name(hash)).exists() || is_dated && is_older(hash));
        needed.sizes = sizes;
        Ok(self.test_contents(&needed, backup))
    }

    /// Removes the contents that no copy in the backup folder needs any more. `sequence` is the number of the
    /// newest backup, and `needed` its contents.
    pub(super) fn remove_unneeded_contents(&self, needed: &NeededContents, sequence: u64) {
        let folder = self.folder().join(FOLDER);
        let Ok(entries) = fs::read_dir(&folder) else { return };
        let names: BTreeSet<String> = needed.sizes.keys().map(|hash| needed.file_name(hash)).collect();
        // The needs of a backup without metadata are unknown, so nothing is removed then.
        let all = self.list().unwrap_or_default();
        // Nor is it known what those of another data folder need.
        let is_own = self.ownership(&all);
        let expired = all.iter().all(|one| one.about.is_some() && is_own(one));
        let oldest = all.iter().filter_map(|one| one.about.as_ref()?.sequence).min().unwrap_or(0);
        let mut before = Unneeded::read(&folder);
        let mut after = Unneeded::default();
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let whole = name.strip_suffix(ALTERED).unwrap_or(&name);
            let is_content = ContentHash::parse(whole.strip_suffix(ENCRYPTED).unwrap_or(whole)).is_ok();
            if !is_content || names.contains(whole) {
                continue;
            }
            let last = before.0.remove(&name).unwrap_or_else(|| sequence.saturating_sub(1));
            let is_gone = expired && last < oldest && fs::remove_file(entry.path()).is_ok();
            match is_gone {
                true => tracing::info!(content = name, "a content that no backup needs was removed"),
                false => _ = after.0.insert(name, last),
            }
        }
        if !after.0.is_empty() || folder.join(UNNEEDED).exists() {
            after.write(&folder);
        }
    }

    /// Restores the contents that a restored store needs and the data folder lacks. Returns the number of
    /// those that are not beside the backup either, or cannot be read there.
    pub(super) fn restore_contents(&self, needed: &NeededContents, backup: &Path) -> Result<u64, Failed> {
        let from = files::folder_of(backup).join(FOLDER);
        let contents = ContentStore::of(&self.data);
        let tell = self.report_bytes(BRINGING_DOCUMENTS);
        let mut missing = 0;
        let mut done = 0;
        let all = needed.sizes.values().sum();
        let now = self.clock.now().as_second();
        for (hash, size) in &needed.sizes {
            tell(done, all);
            done += size;
            // One that cannot be read here is brought like one that is missing.
            if contents.open(hash, *size, now).is_ok_and(|file| file.is_some()) {
                continue;
            }
            let there = needed.open(&from, hash).or_else(|cause| match cause.kind() {
                ErrorKind::NotFound => needed.open_altered(&from, hash),
                _ => Err(cause),
            });
            let is_brought = match there {
                // A folder in the place of the file is left to its owner.
                Ok(_) if contents.path(hash).is_dir() => false,
                Ok(there) => contents.bring_from(hash, *size, there)?,
                Err(cause) => {
                    tracing::error!(content = %hash, %cause, "the copy of a document's file cannot be read");
                    false
                }
            };
            if !is_brought {
                tracing::error!(content = %hash, "a document's file is not in the backup");
                missing += 1;
            }
        }
        Ok(missing)
    }
}

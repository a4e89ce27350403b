//! The contents of documents, which backups keep beside the copies of the store: each is copied once and kept
//! for as long as a copy needs it (resources 17.3).
//!
//! A new backup knows the contents that its copy needs. A content that it does not need may still be needed
//! by earlier backups. The number of the newest of these is noted, and the content is removed when only
//! backups with higher numbers are left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::encryption::{DocumentsKey, ENCRYPTED};
use super::{Backups, Failed, MIN_FREE_BYTES, PART, Temporary};
use crate::domain::{Bilingual, ContentHash};
use crate::files;
use crate::store::ContentStore;

/// The folder of the contents. Its name is distinctive, because users may store a copy in a folder of their
/// own that already has a `documents`.
pub(super) const FOLDER: &str = "pleito-documents";
/// The file that lists the contents that the newest copy does not need.
const UNNEEDED: &str = "unneeded.json";

const COPYING_DOCUMENTS: Bilingual = ("copiando os documentos", "copying the documents");
const BRINGING_DOCUMENTS: Bilingual = ("trazendo os documentos", "bringing the documents back");

/// Contents, each with its length in bytes.
pub(super) type Needed = BTreeMap<ContentHash, u64>;

/// The contents that a backup needs, and the key that encrypts them beside it.
pub(super) struct Mirror {
    pub(super) needed: Needed,
    /// `None` if the backup is not encrypted.
    pub(super) key: Option<DocumentsKey>,
}

impl Mirror {
    fn file_name(&self, hash: &ContentHash) -> String {
        self.key.as_ref().map_or_else(|| hash.as_str().to_owned(), |key| key.file_name(hash))
    }

    /// Returns `true` if `folder` has the whole file of a content.
    fn is_in(&self, folder: &Path, hash: &ContentHash, size: u64) -> bool {
        fs::metadata(folder.join(self.file_name(hash))).is_ok_and(|file| match self.key {
            // age adds a header of random length.
            Some(_) => file.len() > size,
            None => file.len() == size,
        })
    }

    /// Returns the number of contents without a whole file beside `backup`.
    pub(super) fn missing_beside(&self, backup: &Path) -> u64 {
        let folder = files::folder_of(backup).join(FOLDER);
        self.needed.iter().filter(|(hash, size)| !self.is_in(&folder, hash, **size)).count() as u64
    }
}

/// Contents that the newest copy does not need, each with the number of the newest backup that may need it.
#[derive(Default, Serialize, Deserialize)]
struct Unneeded(BTreeMap<String, u64>);

impl Backups {
    /// Copies the contents that a copy of the store in `folder` needs and that are not there yet. A content
    /// that is missing or altered in the data folder does not make the backup fail: the log names it, and so
    /// does `pleito check`.
    pub(super) fn copy_contents(&self, mirror: &Mirror, folder: &Path) -> Result<(), Failed> {
        let to = folder.join(FOLDER);
        let missing: Vec<_> =
            mirror.needed.iter().filter(|(hash, size)| !mirror.is_in(&to, hash, **size)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let of_folder = |cause| Failed::File(to.clone(), cause);
        let room = fs4::available_space(folder).map_err(of_folder)?;
        let bytes = missing.iter().map(|(_, size)| **size).sum::<u64>();
        if room < bytes.saturating_add(MIN_FREE_BYTES) {
            return Err(Failed::NoRoom(folder.to_owned()));
        }
        let contents = ContentStore::of(&self.data);
        let tell = self.report_bytes(COPYING_DOCUMENTS);
        let mut done = 0;
        let now = self.clock.now().as_second();
        for (hash, size) in missing {
            tell(done, bytes);
            done += size;
            let file =
                contents.open(hash, *size, now).map_err(|cause| Failed::File(contents.path(hash), cause))?;
            let Some((mut file, _)) = file else {
                tracing::error!(content = %hash, "a document's file is missing or altered, and not in the backup");
                continue;
            };
            files::private_dir(&to).map_err(of_folder)?;
            let name = mirror.file_name(hash);
            let part = to.join([&name, PART].concat());
            let copied = match &mirror.key {
                None => files::copy(&mut file, &part),
                Some(key) => key.encrypt(&mut file, &part),
            };
            let copied = copied
                .and_then(|()| files::rename(&part, &to.join(&name)))
                .inspect_err(|_| _ = fs::remove_file(&part));
            copied.map_err(|cause| Failed::File(part, cause))?;
        }
        Ok(())
    }

    /// Removes the contents that no copy in the backup folder needs any more. `sequence` is the number of the
    /// newest backup, and `mirror` its contents.
    pub(super) fn thin_contents(&self, mirror: &Mirror, sequence: u64) {
        let folder = self.folder().join(FOLDER);
        let Ok(entries) = fs::read_dir(&folder) else { return };
        let needed: BTreeSet<String> = mirror.needed.keys().map(|hash| mirror.file_name(hash)).collect();
        // The needs of a backup without metadata are unknown, so nothing is removed then.
        let all = self.list().unwrap_or_default();
        let expired = all.iter().all(|one| one.about.is_some());
        let oldest = all.iter().filter_map(|one| one.about.as_ref()?.sequence).min().unwrap_or(0);
        let noted = folder.join(UNNEEDED);
        let mut before: Unneeded =
            fs::read(&noted).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let mut after = Unneeded::default();
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_content = ContentHash::parse(name.strip_suffix(ENCRYPTED).unwrap_or(&name)).is_ok();
            if !is_content || needed.contains(&name) {
                continue;
            }
            let last = before.0.remove(&name).unwrap_or_else(|| sequence.saturating_sub(1));
            let is_gone = expired && last < oldest && fs::remove_file(entry.path()).is_ok();
            match is_gone {
                true => tracing::info!(content = name, "a content that no backup needs was removed"),
                false => _ = after.0.insert(name, last),
            }
        }
        if after.0.is_empty() && !noted.exists() {
            return;
        }
        // If this fails, these contents get the number of the next backup and stay longer.
        let written = serde_json::to_vec(&after)
            .map_err(std::io::Error::from)
            .and_then(|text| files::replace(&noted, &text));
        if let Err(cause) = written {
            tracing::warn!(%cause, "the list of unneeded contents could not be written");
        }
    }

    /// Restores the contents that a restored store needs and the data folder lacks. Returns the number of
    /// those that are not beside the backup either.
    pub(super) fn bring_contents(&self, mirror: &Mirror, backup: &Path) -> Result<u64, Failed> {
        let from = backup.parent().unwrap_or(Path::new("")).join(FOLDER);
        let contents = ContentStore::of(&self.data);
        let tell = self.report_bytes(BRINGING_DOCUMENTS);
        let mut missing = 0;
        let mut done = 0;
        let all = mirror.needed.values().sum();
        let now = self.clock.now().as_second();
        for (hash, size) in &mirror.needed {
            tell(done, all);
            done += size;
            let here = contents.path(hash);
            if contents.open(hash, *size, now).map_err(|cause| Failed::File(here, cause))?.is_some() {
                continue;
            }
            let there: PathBuf = from.join(mirror.file_name(hash));
            let opened = mirror.key.as_ref().map(|key| (key, Temporary::new(&self.data, "document")));
            let is_brought = match &opened {
                None => contents.bring(hash, *size, &there)?,
                Some((key, opened)) => {
                    let decrypted = key.decrypt(&there, opened.path());
                    decrypted.map_err(|cause| Failed::File(there, cause))?
                        && contents.bring(hash, *size, opened.path())?
                }
            };
            match is_brought {
                true => {}
                false => {
                    tracing::error!(content = %hash, "a document's file is not in the backup");
                    missing += 1;
                }
            }
        }
        Ok(missing)
    }

    /// Returns the folder of the contents beside the copies, so that leftovers of killed processes are
    /// removed.
    pub(super) fn contents_folder(&self) -> PathBuf {
        self.folder().join(FOLDER)
    }
}

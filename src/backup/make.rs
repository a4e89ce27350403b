//! Makes backups: copies the store, packs the copy, encrypts it if the settings say so, and reads it back.

use std::fs::File;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::contents::NeededContents;
use super::encryption::{self, DocumentsKey, Recipients};
use super::unpack::unpack;
use super::{
    About, BackupFile, BackupReason, Backups, CHECKING, Failed, PART, READING_BACK, Temporary, ensure_room,
    file,
};
use crate::domain::Bilingual;
use crate::files;
use crate::store::engine::copy;
use crate::store::nouns::documents;
use crate::store::{self, office_id};

const COPYING: Bilingual = ("copiando os dados", "copying the data");
const PACKING: Bilingual = ("compactando", "packing");
const ENCRYPTING: Bilingual = ("criptografando", "encrypting");

impl Backups {
    /// Makes a backup in `folder`, named by `name` from its metadata. Its number is above `highest`. Copies the contents of
    /// documents beside it, and returns them too.
    pub(super) fn make_in(
        &self,
        folder: &Path,
        reason: BackupReason,
        highest: Option<u64>,
        name: impl FnOnce(&About) -> PathBuf,
    ) -> Result<(BackupFile, NeededContents), Failed> {
        let in_folder = |cause| Failed::File(folder.to_owned(), cause);
        let part = tempfile::Builder::new().suffix(PART).tempfile_in(folder).map_err(in_folder)?;
        let (about, needed) = self.pack(&part, reason, highest)?;
        let missing = match self.copy_contents(&needed, folder) {
            // A restore leaves the documents in the data folder as they are.
            Err(Failed::NoRoom(_)) if reason == BackupReason::Replaced => {
                tracing::warn!(folder = %folder.display(), "the documents of the replaced store have no room there");
                None
            }
            copied => Some(copied?),
        };
        self.keep_contents(&needed, folder);
        let path = folder.join(name(&about));
        files::persist(part, &path).map_err(|cause| Failed::File(path.clone(), cause))?;
        Ok((BackupFile { path, about: Some(about), missing }, needed))
    }

    /// Copies the store, verifies the copy, packs it into `part` and reads the file back. Also returns the
    /// contents that the copy needs.
    fn pack(
        &self,
        part: &NamedTempFile,
        reason: BackupReason,
        highest: Option<u64>,
    ) -> Result<(About, NeededContents), Failed> {
        let made_at = self.clock.now();
        let copied = Temporary::new(&self.data, "backup-copy");
        let store = self.data.join(store::FILE);
        let length = std::fs::metadata(&store).map_err(|cause| Failed::File(store, cause))?.len();
        ensure_room(&self.data, length)?;
        let copying = self.report_bytes(COPYING);
        let held = copy::copy(&self.data, copied.path(), |done, all| {
            copying(done, all);
            Ok::<_, Failed>(())
        })?;
        self.report_start(CHECKING);
        // A copy of a damaged store is damaged too. The copy of an older schema is migrated.
        let contents = copy::verify_copy(copied.path())?;
        if (contents.customers, contents.lawsuits) != (held.customers, held.lawsuits) {
            let cause = format!("the copy holds {contents:?}, the store {held:?}");
            return Err(Failed::Store(store::Error::Defect(cause)));
        }
        // The store's number alone is not enough: it is low again if a new store is started or a file is put in place by hand
        // while earlier backups are still there.
        let above = highest.map_or(0, |highest| highest.saturating_add(1));
        let sequence = contents.change.max(above);
        let of_part = |cause| Failed::File(part.path().to_owned(), cause);
        let recipients = match &self.passphrase {
            Some(passphrase) => Some(Recipients::of_passphrase(passphrase)),
            None => Recipients::of_keys(&self.settings().encrypt_to).map_err(of_part)?,
        };
        let key = self.documents_key()?;
        let mut about = About::new(contents, made_at, reason, sequence);
        about.place = Some(self.place());
        about.office = office_id::read_or_create(&self.data)
            .inspect_err(|cause| tracing::warn!(%cause, "the backup lacks the office's id"))
            .ok();
        about.documents_key = key.as_ref().map(DocumentsKey::text);
        let about = match recipients {
            None => self.pack_file(copied.path(), about, part.path(), part.as_file())?,
            Some(recipients) => {
                let plain = Temporary::new(&self.data, "backup-plain");
                let of_plain = |cause| Failed::File(plain.path().to_owned(), cause);
                let to = files::create_private(plain.path()).map_err(of_plain)?;
                let about = self.pack_file(copied.path(), about, plain.path(), &to)?;
                self.report_start(ENCRYPTING);
                encryption::encrypt(plain.path(), about, &recipients, part.as_file()).map_err(of_part)?;
                self.verify_intact(part.path())?
            }
        };
        Ok((about, NeededContents { sizes: documents::contents_in(copied.path())?, key }))
    }

    /// Returns the key of the documents beside new backups. `None` if these are not encrypted.
    pub(super) fn documents_key(&self) -> Result<Option<DocumentsKey>, Failed> {
        let is_encrypted = self.passphrase.is_some() || !self.settings().encrypt_to.is_empty();
        is_encrypted.then(|| DocumentsKey::of(&self.data)).transpose()
    }

    /// Packs a copy into the empty file `to` at `path` and reads the file back.
    fn pack_file(&self, copy: &Path, about: About, path: &Path, to: &File) -> Result<About, Failed> {
        let about = file::pack(copy, about, to, &self.report_bytes(PACKING));
        let about = about.map_err(|cause| Failed::File(path.to_owned(), cause))?;
        unpack(path, None, &mut std::io::sink(), &self.report_bytes(READING_BACK))?;
        Ok(about)
    }
}

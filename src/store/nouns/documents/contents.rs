//! The contents of documents: one file per content in a folder beside the store, named by its SHA-256 (resources 17.3).
//!
//! A content is received under a temporary name, on any thread. The writer thread gives it its final name before it
//! inserts the row of the document. A marker file exists from before the rename until it is known if a row has the
//! content: after the commit, or at the next start if the process was killed in between. So every row has its content,
//! and a content that never had a row does not stay. A file without a marker is only removed when a user empties the
//! trash: a store that is put in place by hand later may have rows for it.

mod check;
mod room;
mod writer;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

pub use check::ContentCheck;
pub use writer::{ContentWriter, NewContent};

use crate::domain::{ContentHash, OPENING_BYTES};
use crate::files::{self, WatchedReader, create_private, private_dir};
use crate::store::{Db, Error, Tx};
use check::SoundContents;

/// Folder of the contents in the data folder.
const FOLDER: &str = "documents";
/// File name extension of a content that is being received.
const PART: &str = ".part";
/// File name extension of a marker: it is not known yet if a row has the content.
const PENDING: &str = ".pending";
/// Disk space in bytes that documents must leave free: 500 MiB (resources 17.3).
const MIN_FREE_BYTES: u64 = 500 * 1024 * 1024;

/// The folder with the contents of documents.
#[derive(Clone)]
pub struct ContentStore {
    folder: PathBuf,
    spare: u64,
    /// Number of bytes reserved for contents that are being received.
    reserved: Arc<Mutex<u64>>,
    /// Contents that this process has marked since the last commit.
    pending: Arc<Mutex<Vec<ContentHash>>>,
    sound: Arc<Mutex<SoundContents>>,
}

/// Result of checking a content on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentState {
    /// The file is unchanged.
    Sound,
    Missing,
    /// The file has another length or SHA-256.
    Altered,
}

impl ContentStore {
    pub fn of(data: &Path) -> ContentStore {
        ContentStore {
            folder: data.join(FOLDER),
            spare: MIN_FREE_BYTES,
            reserved: Arc::default(),
            pending: Arc::default(),
            sound: Arc::default(),
        }
    }

    /// Returns the folder of the contents. It is created with the first content.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a content's file.
    pub fn path(&self, hash: &ContentHash) -> PathBuf {
        self.folder.join(hash.as_str())
    }

    fn mark(&self, hash: &ContentHash) -> PathBuf {
        self.folder.join([hash.as_str(), PENDING].concat())
    }

    /// Begins to receive a content with an announced length in bytes. Returns `Full` if there is no space for it.
    pub fn receive(&self, announced: u64) -> Result<ContentWriter, Error> {
        private_dir(&self.folder)?;
        let room = self.reserve(announced)?;
        let path = self.folder.join(format!("{:016x}{PART}", rand::random::<u64>()));
        let file = create_private(&path)?;
        Ok(ContentWriter::new(self.clone(), path, file, room))
    }

    /// Gives a content its final name. Replaces an existing file, so that a removed or altered content is sound again.
    /// The caller inserts the row of the document in the same transaction.
    pub fn keep(&self, _: Tx<'_>, new: NewContent) -> Result<(), Error> {
        self.set_pending(&new.hash)?;
        Ok(new.part.place(&self.path(&new.hash))?)
    }

    /// Marks contents for removal. Contents that no row has any more are removed after the commit. If the process is
    /// killed or the power fails before that, the next start removes them.
    pub fn release(&self, _: Tx<'_>, hashes: impl IntoIterator<Item = ContentHash>) -> Result<(), Error> {
        let mut any = false;
        for hash in hashes {
            self.set_pending(&hash)?;
            any = true;
        }
        if any { Ok(files::sync_folder(&self.folder)?) } else { Ok(()) }
    }

    /// Returns the contents that no document has, each with its length in bytes. Deleted documents count as documents.
    /// Contents with a marker are left out, because their transaction may still be running.
    pub fn unowned(&self, db: Db<'_>) -> Result<Vec<(ContentHash, u64)>, Error> {
        let mut unowned = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(unowned),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let Ok(hash) = ContentHash::parse(&entry.file_name().to_string_lossy()) else { continue };
            // Check the marker first: it exists from before the rename until the row of the document is visible.
            if self.mark(&hash).exists() || has_document(db, &hash)? {
                continue;
            }
            unowned.push((hash, entry.metadata().map_or(0, |file| file.len())));
        }
        Ok(unowned)
    }

    fn set_pending(&self, hash: &ContentHash) -> Result<(), Error> {
        match create_private(&self.mark(hash)) {
            Err(cause) if cause.kind() != ErrorKind::AlreadyExists => return Err(cause.into()),
            _ => {}
        }
        self.pending.lock().push(hash.clone());
        Ok(())
    }

    /// Removes the marked contents that no row has, and all markers. Runs on the writer thread after a commit, when the
    /// contents of failed jobs have no row.
    pub(in crate::store) fn settle(&self, db: Db<'_>) {
        let pending = std::mem::take(&mut *self.pending.lock());
        for hash in pending {
            self.settle_one(db, &hash);
        }
    }

    fn settle_one(&self, db: Db<'_>, hash: &ContentHash) {
        // If the query fails, the marker stays for the next start.
        let Ok(is_of_document) = has_document(db, hash) else { return };
        if !is_of_document {
            self.sound.lock().forget(hash);
            if fs::remove_file(self.path(hash)).is_err_and(|cause| cause.kind() != ErrorKind::NotFound) {
                return;
            }
        }
        let _ = fs::remove_file(self.mark(hash));
    }

    /// Removes the files that a killed process left behind. No other process may have the store open.
    pub(in crate::store) fn sweep(&self, db: Db<'_>) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.ends_with(PART) {
                let _ = fs::remove_file(entry.path());
            }
            if let Some(hash) = name.strip_suffix(PENDING).and_then(|name| ContentHash::parse(name).ok()) {
                self.settle_one(db, &hash);
            }
        }
    }

    /// Reads the first bytes of a content, for detecting its type.
    pub fn opening(&self, hash: &ContentHash) -> io::Result<Vec<u8>> {
        let mut opening = Vec::with_capacity(OPENING_BYTES);
        File::open(self.path(hash))?.take(OPENING_BYTES as u64).read_to_end(&mut opening)?;
        Ok(opening)
    }

    /// Opens a content of the given length, together with a check to feed while the file is read. Returns `None` if the
    /// file is missing or altered. Verifies the whole file first if that was not done in the last 24 hours, or if the
    /// file was written since. `now` is in seconds since 1970.
    pub fn open(&self, hash: &ContentHash, size: u64, now: i64) -> io::Result<Option<(File, ContentCheck)>> {
        let mut file = match File::open(self.path(hash)) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let metadata = file.metadata()?;
        if metadata.len() != size {
            return Ok(None);
        }
        let check = || -> io::Result<_> {
            Ok(ContentCheck::begin(self.sound.clone(), hash, metadata.modified()?, now))
        };
        if !self.sound.lock().has(hash, metadata.modified()?, now) {
            let mut whole = check()?;
            each_piece(&mut file, |piece| {
                whole.update(piece);
                Ok::<_, io::Error>(())
            })?;
            if !whole.finish() {
                return Ok(None);
            }
            io::Seek::rewind(&mut file)?;
        }
        Ok(Some((file, check()?)))
    }

    /// Copies a content from the file `from`, such as one in a backup folder. Returns `false` if that file is missing,
    /// altered or cannot be read, and `Full` if there is no space for it.
    pub fn bring(&self, hash: &ContentHash, size: u64, from: &Path) -> Result<bool, Error> {
        match File::open(from) {
            Ok(file) => self.bring_from(hash, size, file),
            Err(cause) => {
                if cause.kind() != ErrorKind::NotFound {
                    tracing::error!(content = %hash, %cause, "the copy of a document's file cannot be opened");
                }
                Ok(false)
            }
        }
    }

    /// Copies a content from an opened file. Returns `false`, with the cause in the log, if the file cannot be read, or
    /// if it has another content. Returns `Full` if there is no space for it.
    pub fn bring_from(&self, hash: &ContentHash, size: u64, from: impl Read) -> Result<bool, Error> {
        let mut from = WatchedReader::new(from);
        let mut writer = self.receive(size)?;
        match each_piece(&mut from, |piece| writer.write(piece)) {
            Err(cause) if from.has_failed() => {
                tracing::error!(content = %hash, %cause, "the copy of a document's file cannot be read");
                return Ok(false);
            }
            received => received?,
        }
        let new = writer.finish()?;
        if new.hash != *hash {
            return Ok(false);
        }
        new.part.place(&self.path(hash))?;
        Ok(true)
    }

    /// Receives a content from the file `from`. Returns `None` if that file is missing or has another content, and
    /// `Full` if there is no space for it.
    pub fn receive_from(
        &self,
        hash: &ContentHash,
        size: u64,
        from: &Path,
    ) -> Result<Option<NewContent>, Error> {
        let mut file = match File::open(from) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let mut writer = self.receive(size)?;
        each_piece(&mut file, |piece| writer.write(piece))?;
        Ok(Some(writer.finish()?).filter(|new| new.hash == *hash))
    }

    /// Checks the file of a content: if it can be opened, its length, and its SHA-256 if `deep` is set.
    pub fn state(&self, hash: &ContentHash, size: u64, deep: bool) -> io::Result<ContentState> {
        let path = self.path(hash);
        let file = match fs::metadata(&path) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(ContentState::Missing),
            file => file?,
        };
        if !file.is_file() || file.len() != size {
            return Ok(ContentState::Altered);
        }
        let mut file = File::open(&path)?;
        let is_sound = !deep || hash_of(&mut file)? == *hash;
        Ok(if is_sound { ContentState::Sound } else { ContentState::Altered })
    }
}

/// Returns the SHA-256 of the rest of a file.
pub fn hash_of(file: &mut File) -> io::Result<ContentHash> {
    let mut hash = Sha256::new();
    each_piece(file, |piece| {
        hash.update(piece);
        Ok::<_, io::Error>(())
    })?;
    Ok(ContentHash::of_digest(hash.finalize().into()))
}

/// Calls `see` with the rest of a file, in pieces of up to 256 KiB.
fn each_piece<E: From<io::Error>>(
    file: &mut impl Read,
    mut see: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => see(buffer.get(..read).unwrap_or_default())?,
            Err(cause) if cause.kind() == ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause.into()),
        }
    }
}

/// Returns `true` if any document has the content, deleted ones included.
pub fn has_document(db: Db<'_>, hash: &ContentHash) -> Result<bool, Error> {
    db.value("SELECT EXISTS (SELECT 1 FROM documents WHERE sha256 = ?1)", [hash.as_str()])
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::store::Store;

    fn received(store: &ContentStore, content: &[u8]) -> NewContent {
        let mut writer = store.receive(content.len() as u64).unwrap();
        // Written in pieces of increasing length.
        let mut rest = content;
        for length in 1.. {
            let (piece, after) = rest.split_at(length.min(rest.len()));
            writer.write(piece).unwrap();
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        writer.finish().unwrap()
    }

    /// Stores a document with a content. If `fails` is set, the job fails after the content has its final name.
    fn add(store: &Store, content: &[u8], fails: bool) -> ContentHash {
        let new = received(store.contents(), content);
        let hash = new.hash().clone();
        let contents = store.contents().clone();
        let known = hash.clone();
        let size = content.len();
        let added: Result<(), Error> = store.write(move |tx| {
            contents.keep(tx, new)?;
            tx.conn().execute(
                "INSERT INTO documents (name, size, media_type, sha256, created_at, updated_at) VALUES ('x', ?1, '', ?2, 0, 0)",
                (size, known.as_str()),
            )?;
            if fails { Err(Error::Defect("refused".to_owned())) } else { Ok(()) }
        });
        assert_eq!(added.is_err(), fails);
        hash
    }

    /// One of the copies beside a replica must not keep a standby from its others.
    #[test]
    fn a_copy_that_cannot_be_read_is_not_brought() {
        let folder = tempfile::tempdir().unwrap();
        let contents = ContentStore::of(folder.path());
        let hash = received(&contents, b"x").hash().clone();
        let copies = tempfile::tempdir().unwrap();
        let copy = copies.path().join("copy");
        assert!(!contents.bring(&hash, 1, &copy).unwrap(), "missing");
        fs::create_dir(&copy).unwrap();
        assert!(!contents.bring(&hash, 1, &copy).unwrap(), "a folder");
        fs::remove_dir(&copy).unwrap();
        fs::write(&copy, "x").unwrap();
        assert!(contents.bring(&hash, 1, &copy).unwrap());
    }

    fn names(store: &ContentStore) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(store.folder())
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn contents_are_stored_as_files_named_after_their_hash() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let hash = add(&store, b"abc", false);
        assert_eq!(hash.as_str(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(names(store.contents()), [hash.as_str()]);
        assert_eq!(fs::read(store.contents().path(&hash)).unwrap(), b"abc");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(store.contents().path(&hash)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(received(store.contents(), b"MZ\0").is_program());
        for other in [&b"M"[..], b"mz", b"\0MZ"] {
            assert!(!received(store.contents(), other).is_program());
        }
        assert_eq!(names(store.contents()), [hash.as_str()], "contents that were not kept are removed");
    }

    #[test]
    fn removed_and_altered_contents_are_detected_and_can_be_stored_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let hash = add(&store, b"abc", false);
        let contents = store.contents();
        let state = |deep| contents.state(&hash, 3, deep).unwrap();
        let opens = || contents.open(&hash, 3, 0).unwrap().is_some();
        assert!(opens() && state(true) == ContentState::Sound);

        fs::remove_file(contents.path(&hash)).unwrap();
        assert!(!opens() && state(false) == ContentState::Missing);
        add(&store, b"abc", false);
        assert!(opens() && state(true) == ContentState::Sound);

        fs::write(contents.path(&hash), b"abcd").unwrap();
        assert!(!opens() && state(false) == ContentState::Altered);
        fs::write(contents.path(&hash), b"xyz").unwrap();
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
        File::options().write(true).open(contents.path(&hash)).unwrap().set_modified(later).unwrap();
        assert!(!opens() && state(false) == ContentState::Sound && state(true) == ContentState::Altered);
        add(&store, b"abc", false);
        assert!(opens() && state(true) == ContentState::Sound);
    }

    #[test]
    fn contents_of_failed_jobs_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let stored = add(&store, b"kept", false);
        add(&store, b"kept", true);
        add(&store, b"refused", true);
        // The next commit of any kind removes the contents of failed jobs.
        store.write(crate::store::try_write).unwrap();
        assert_eq!(names(store.contents()), [stored.as_str()]);
    }

    #[test]
    fn opening_the_store_removes_only_leftovers_of_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let stored = add(&store, b"kept", false);
        let contents = store.contents().clone();
        drop(store);
        let [lost, unmarked] = [b"lost", b"else"].map(|content| {
            let new = received(&contents, content);
            let hash = new.hash().clone();
            new.part.place(&contents.path(&hash)).unwrap();
            hash
        });
        fs::write(contents.mark(&lost), b"").unwrap();
        fs::write(contents.mark(&stored), b"").unwrap();
        fs::write(contents.folder().join("0123.part"), b"half").unwrap();
        drop(Store::open(folder.path()).unwrap());
        let mut left = vec![stored.to_string(), unmarked.to_string()];
        left.sort();
        assert_eq!(names(&contents), left);
    }

    #[test]
    fn a_content_is_removed_with_its_last_document() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let hash = add(&store, b"abc", false);
        add(&store, b"abc", false);
        let forget = |id: u32| {
            let contents = store.contents().clone();
            let hash = hash.clone();
            let forgotten: Result<(), Error> = store.write(move |tx| {
                tx.conn().execute("DELETE FROM documents WHERE id = ?1", [id])?;
                contents.release(tx, [hash])
            });
            forgotten.unwrap();
        };
        forget(1);
        assert_eq!(names(store.contents()), [hash.as_str()]);
        forget(2);
        store.write(crate::store::try_write).unwrap();
        assert_eq!(names(store.contents()), [""; 0]);
    }

    #[test]
    fn contents_are_refused_if_free_disk_space_would_fall_below_the_reserve() {
        let folder = tempfile::tempdir().unwrap();
        let room = |spare| ContentStore { spare, ..ContentStore::of(folder.path()) };
        assert!(matches!(room(u64::MAX).receive(1), Err(Error::Full(_))));
        let free = fs4::available_space(folder.path()).unwrap();
        assert!(matches!(room(0).receive(free * 2), Err(Error::Full(_))));
        let mut writer = room(0).receive(1).unwrap();
        writer.store.spare = u64::MAX;
        assert!(matches!(writer.finish(), Err(Error::Full(_))));
        let mut writer = room(0).receive(1).unwrap();
        writer.store.spare = u64::MAX;
        let piece = vec![0; usize::try_from(writer::STRETCH).unwrap()];
        assert!(matches!(writer.write(&piece), Err(Error::Full(_))));
        drop(writer);
        assert_eq!(names(&room(0)), [""; 0]);
    }

    #[test]
    fn simultaneous_uploads_reserve_disk_space_together() {
        let folder = tempfile::tempdir().unwrap();
        let store = ContentStore { spare: 0, ..ContentStore::of(folder.path()) };
        let most = fs4::available_space(folder.path()).unwrap() / 10 * 6;
        let mut first = store.receive(most).unwrap();
        assert!(matches!(store.receive(most), Err(Error::Full(_))), "the first has reserved it");
        first.write(b"abc").unwrap();
        assert_eq!(*store.reserved.lock(), most - 3, "written bytes are no longer reserved");
        drop(first);
        assert_eq!(*store.reserved.lock(), 0);
        drop(store.receive(most).unwrap());

        // Without an announced length, space is reserved as bytes arrive.
        let mut unannounced = store.receive(0).unwrap();
        unannounced.write(b"abc").unwrap();
        assert_eq!(*store.reserved.lock(), writer::STRETCH - 3);
        unannounced.finish().unwrap();
        assert_eq!(*store.reserved.lock(), 0);
    }

    #[test]
    fn a_hash_column_cannot_hold_a_path_outside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(crate::store::FILE);
        drop(Store::open(folder.path()).unwrap());
        let conn = Connection::open(path).unwrap();
        for hash in ["../../etc/passwd".to_owned(), "../".repeat(22)[..64].to_owned(), "A".repeat(64)] {
            let sql = "INSERT INTO documents (name, size, media_type, sha256, created_at, updated_at) VALUES ('x', 1, '', ?1, 0, 0)";
            assert!(conn.execute(sql, [&hash]).is_err(), "{hash}");
        }
    }
}

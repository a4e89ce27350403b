//! Private files and folders, and the atomic replacement of files.
//!
//! What is made here belongs to the owner of the folder that it is in, whoever runs the command: the user who runs
//! the server cannot open files of an administrator.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

/// Free disk space, in bytes, below which people are warned.
pub const LITTLE_ROOM: u64 = 1 << 30;
/// Disk space, in bytes, that a copy of the data leaves free for the server.
const MIN_FREE_BYTES: u64 = 64 * 1024 * 1024;

/// Creates a folder and its missing parents with access for the user only (0700).
///
/// An existing folder keeps its permissions: its owner may share it on purpose.
pub fn private_dir(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !is_there(folder)).collect();
    make_private_dir(path, true)?;
    missing.into_iter().rev().for_each(hand_over);
    Ok(())
}

/// Like [`private_dir`], but fails if the folder exists.
pub fn new_private_dir(path: &Path) -> io::Result<()> {
    private_dir(folder_of(path))?;
    make_private_dir(path, false)?;
    hand_over(path);
    Ok(())
}

fn make_private_dir(path: &Path, with_parents: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(with_parents);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn is_there(folder: &Path) -> bool {
    folder == Path::new("") || folder.exists()
}

/// Creates a private folder with a random name after `prefix`. Dropping the result removes it with its contents.
pub fn private_temp_dir(folder: &Path, prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.prefix(prefix).tempdir_in(folder)
}

/// Returns options for opening a file for writing. A file created with them is private (0600).
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a private file. Fails if the name is taken.
pub fn create_private(path: &Path) -> io::Result<File> {
    open_private(private().create_new(true), path)
}

/// Opens a private file for writing, and creates it if it is missing.
pub fn open_or_create_private(path: &Path) -> io::Result<File> {
    open_private(private().create(true).truncate(false), path)
}

/// Opens a private file for writing at its end, and creates it if it is missing.
pub fn append_private(path: &Path) -> io::Result<File> {
    open_private(private().create(true).append(true), path)
}

fn open_private(options: &OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.open(path)?;
    hand_over(path);
    Ok(file)
}

/// Makes a file of another program private, if it is there.
pub fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        match std::fs::set_permissions(path, permissions) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
            _ => {}
        }
    }
    let _ = path;
    Ok(())
}

pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    }
}

/// Replaces the content of a file atomically: readers see the old or the new bytes in full, even after a loss
/// of power. If `path` is a symbolic link, its target is replaced.
///
/// A new file is private. An existing one keeps its permissions: its owner may share it on purpose.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&path);
    private_dir(folder)?;
    let mut new = NamedTempFile::new_in(folder)?;
    if let Ok(before) = std::fs::metadata(&path) {
        new.as_file().set_permissions(before.permissions())?;
    }
    new.write_all(bytes)?;
    sync(new.as_file())?;
    persist(new, &path)
}

/// Moves a synced temporary file to its final name, durably, and replaces any file there. Removes the temporary
/// file on error.
pub fn persist(file: NamedTempFile, to: &Path) -> io::Result<()> {
    hand_over(file.path());
    file.persist(to)?;
    sync_folder(folder_of(to))
}

/// Renames a synced file, durably, and replaces any file there.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)?;
    sync_folder(folder_of(to))
}

/// Syncs a folder, so that its file names survive a loss of power. Not needed on Windows, nor possible on some network disks.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix).then(|| File::open(folder)?.sync_all()) {
        Some(Err(cause)) if !is_unsupported(&cause) => Err(cause),
        _ => Ok(()),
    }
}

/// Syncs the content of a file, so that it survives a loss of power.
pub fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        // The standard library tells the drive to empty its cache, which network disks do not know.
        #[cfg(target_os = "macos")]
        Err(cause) if is_unsupported(&cause) => Ok(rustix::fs::fsync(file)?),
        synced => synced,
    }
}

/// Returns `true` if the disk does not know an operation, as some network disks have no locks.
pub fn is_unsupported(cause: &io::Error) -> bool {
    #[cfg(unix)]
    let codes = {
        use rustix::io::Errno;
        [Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOSYS, Errno::NOLCK].map(Errno::raw_os_error)
    };
    // ERROR_INVALID_FUNCTION and ERROR_NOT_SUPPORTED.
    #[cfg(windows)]
    let codes = [1, 50];
    cause.kind() == io::ErrorKind::Unsupported
        || cause.raw_os_error().is_some_and(|code| codes.contains(&code))
}

/// Copies the rest of a file to the new private file `to` and syncs it. On error, the partial copy is left.
pub fn copy(from: &mut impl Read, to: &Path) -> io::Result<()> {
    let mut copy = create_private(to)?;
    io::copy(from, &mut copy)?;
    sync(&copy)
}

/// A reader that notes if it failed, so that a fault of the source is told from one of the target.
pub struct WatchedReader<R> {
    inner: R,
    has_failed: bool,
}

impl<R: Read> WatchedReader<R> {
    pub fn new(inner: R) -> WatchedReader<R> {
        WatchedReader { inner, has_failed: false }
    }

    pub fn has_failed(&self) -> bool {
        self.has_failed
    }
}

impl<R: Read> Read for WatchedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer);
        self.has_failed |= read.as_ref().is_err_and(|cause| cause.kind() != io::ErrorKind::Interrupted);
        read
    }
}

/// Gives a file or folder to the owner of its parent folder.
fn hand_over(path: &Path) {
    give_to_owner_of(folder_of(path), path);
}

/// Gives a file or folder to the owner of another folder. Errors are ignored: either both are one user, or the later
/// access reports the problem.
pub fn give_to_owner_of(folder: &Path, path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, lchown};
        let owner = std::fs::metadata(folder);
        // A link's target may be anybody's.
        let _ = owner.map(|folder| lchown(path, Some(folder.uid()), Some(folder.gid())));
    }
    let _ = (folder, path);
}

/// Gives all that is in a folder to the owner of the folder. Follows no links.
pub fn give_contents(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        give_to_owner_of(folder, &path);
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            give_contents(&path);
        }
    }
}

/// Returns the path of a file whose name continues with `suffix`.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Returns `true` if the disk of a folder has room for a copy of that many bytes.
pub fn has_room(folder: &Path, bytes: u64) -> io::Result<bool> {
    Ok(fs4::available_space(folder)? >= bytes.saturating_add(MIN_FREE_BYTES))
}

/// Returns the path without links. Of a path that is not there, those of its last folder that is are followed.
pub fn real_path(path: &Path) -> PathBuf {
    let real = |ancestor: &Path| {
        let rest = path.strip_prefix(ancestor).ok()?;
        Some(std::fs::canonicalize(ancestor).ok()?.join(rest))
    };
    path.ancestors().find_map(real).unwrap_or_else(|| path.to_owned())
}

/// Returns `true` if both folders are on one disk, as far as the system tells. Windows does not.
pub fn is_same_disk(one: &Path, other: &Path) -> bool {
    disk(one).is_some_and(|one| Some(one) == disk(other))
}

/// Returns the folder at which the disk of a folder is mounted. Of a missing folder, the one that it would be made in
/// counts. `None` on Windows, where the folder of a missing disk cannot be made.
pub fn mount_point(folder: &Path) -> Option<PathBuf> {
    let real = real_path(folder);
    let mut above = real.ancestors().filter_map(|ancestor| Some((ancestor, disk(ancestor)?)));
    let (mut mount, own) = above.next()?;
    for (ancestor, _) in above.take_while(|(_, disk)| *disk == own) {
        mount = ancestor;
    }
    Some(mount.to_owned())
}

#[cfg(unix)]
fn disk(folder: &Path) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::dev(&folder.metadata().ok()?))
}

#[cfg(windows)]
fn disk(_: &Path) -> Option<u64> {
    None
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_new_folder_is_private_and_an_existing_one_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let inner = home.path().join("a/b");
        private_dir(&inner).unwrap();
        assert_eq!((mode(&inner), mode(&home.path().join("a"))), (0o700, 0o700));

        let shared = home.path().join("shared");
        std::fs::create_dir(&shared).unwrap();
        std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o750)).unwrap();
        private_dir(&shared).unwrap();
        assert_eq!(mode(&shared), 0o750);

        std::fs::write(home.path().join("file"), "").unwrap();
        assert!(private_dir(&home.path().join("file")).is_err());
    }

    /// Only the superuser may give files away.
    #[cfg(unix)]
    #[test]
    fn what_the_superuser_makes_belongs_to_the_owner_of_its_folder() {
        use std::os::unix::fs::{MetadataExt, chown, symlink};
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        if chown(home, Some(4321), Some(4321)).is_err() {
            return;
        }
        let owner = |path: &Path| path.symlink_metadata().map(|one| (one.uid(), one.gid())).unwrap();
        let target = tempfile::NamedTempFile::new().unwrap();
        symlink(target.path(), home.join("link")).unwrap();
        private_dir(&home.join("a/b")).unwrap();
        create_private(&home.join("a/b/new")).unwrap();
        open_or_create_private(&home.join("lock")).unwrap();
        open_or_create_private(&home.join("link")).unwrap();
        replace(&home.join("a/text"), b"text").unwrap();
        for name in ["a", "a/b", "a/b/new", "a/text", "lock"] {
            assert_eq!(owner(&home.join(name)), (4321, 4321), "{name}");
        }
        assert_eq!(owner(target.path()), (0, 0), "a link gives nothing else away");
    }

    #[test]
    fn a_failed_replacement_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        std::fs::create_dir(&taken).unwrap();
        assert!(replace(&taken, b"new").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        replace(&folder.path().join("file"), b"one").unwrap();
        replace(&folder.path().join("file"), b"two").unwrap();
        assert_eq!(std::fs::read(folder.path().join("file")).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

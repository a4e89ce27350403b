//! Files and folders for the user alone, and how a file is put in its place whole.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{NamedTempFile, TempDir};

/// Makes the folder, and those above it that are missing, for the user alone (0700).
///
/// One that exists already is left as it is: its owner may share it on purpose.
///
/// # Errors
/// The system's, when a folder cannot be made or the path is something else than a folder.
pub fn private_dir(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes a folder of a name by chance that begins so, for the user alone; it goes with all that is in it when this is
/// dropped.
///
/// # Errors
/// The system's, when it cannot be made.
pub fn private_temp_dir(folder: &Path, prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.prefix(prefix).tempdir_in(folder)
}

/// How a file is opened for writing that, where this makes it, is for the user alone (0600).
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a file that is not there yet, for the user alone.
///
/// # Errors
/// The system's, also when there is something of that name.
pub fn create_private(path: &Path) -> io::Result<File> {
    private().create_new(true).open(path)
}

/// Puts the bytes in the place of the file: whoever reads it, and whoever comes after a loss of power, sees the old ones
/// or the new ones, whole. A link goes on pointing to the file that it points to.
///
/// A new file is for the user alone; one that is there keeps its permissions: its owner may share it on purpose.
///
/// # Errors
/// The system's; then the old bytes stand there still.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&path);
    private_dir(folder)?;
    let mut new = NamedTempFile::new_in(folder)?;
    if let Ok(before) = std::fs::metadata(&path) {
        new.as_file().set_permissions(before.permissions())?;
    }
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    persist(new, &path)
}

/// Gives a temporary file that is on the disk its name, for good. What had that name is gone.
///
/// # Errors
/// The system's; the file is gone then.
pub fn persist(file: NamedTempFile, to: &Path) -> io::Result<()> {
    file.persist(to)?;
    sync_folder(folder_of(to))
}

/// Gives a file that is on the disk its name, for good. What had that name is gone.
///
/// # Errors
/// The system's.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)?;
    sync_folder(folder_of(to))
}

/// Makes sure that the names in a folder outlive a loss of power. Windows keeps them without being asked.
///
/// # Errors
/// The system's.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Copies what is left of a file to the new file `to`, which is for the user alone, and puts it on the disk.
///
/// # Errors
/// The system's; what there is of the copy is left.
pub fn copy(from: &mut File, to: &Path) -> io::Result<()> {
    let mut copy = create_private(to)?;
    io::copy(from, &mut copy)?;
    copy.sync_all()
}

/// Gives a file or a folder to who owns the folder that it is in: an administrator's files are closed to the user who runs
/// the server. Where this fails they are the same user, or whoever reads it says that he cannot.
pub fn hand_over(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let owner = std::fs::metadata(folder_of(path));
        let _ = owner.map(|folder| chown(path, Some(folder.uid()), Some(folder.gid())));
    }
    let _ = path;
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_new_folder_is_private_and_an_old_one_stays_as_it_is() {
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

    #[test]
    fn what_cannot_be_put_in_place_leaves_nothing_behind() {
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

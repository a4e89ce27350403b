//! Which folders the program uses, how a folder is made that nobody else can read, and a file written whole.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

/// The program's folders. None need exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// The store and what belongs to it.
    pub data: PathBuf,
    /// Where `pleito.toml` is looked for.
    pub settings: PathBuf,
    /// The log files.
    pub logs: PathBuf,
}

impl Folders {
    /// Those of the system's conventions; none where the user has no home.
    ///
    /// Data stay on the machine (Windows: the local, not the roaming profile): a database must not travel.
    pub fn of_system() -> Option<Folders> {
        let system = ProjectDirs::from("br", "", "pleito")?;
        Some(Folders {
            data: system.data_local_dir().to_owned(),
            settings: system.config_dir().to_owned(),
            logs: system.state_dir().unwrap_or(system.data_local_dir()).join("logs"),
        })
    }

    /// Everything inside the one folder that the user named, so that several instances do not mix.
    pub fn inside(dir: &Path) -> Folders {
        Folders { data: dir.to_owned(), settings: dir.to_owned(), logs: dir.join("logs") }
    }
}

/// Where a file is put for the person's own browser to open; none where the user has no home.
///
/// On Linux it is a folder that is not hidden, right below the home: a browser in a snap reads nothing else. Elsewhere it
/// is beside the data of the user's profile, whatever folder the data are in: that one may be shared.
pub fn for_browser() -> Option<PathBuf> {
    match cfg!(any(windows, target_os = "macos")) {
        true => Some(ProjectDirs::from("br", "", "pleito")?.data_local_dir().join("browser")),
        false => Some(UserDirs::new()?.home_dir().join("pleito-console")),
    }
}

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

/// Makes a file that is not there yet, for the user alone (0600).
///
/// # Errors
/// The system's, also when there is something of that name.
pub fn new_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The system's folder for what is needed for a moment.
#[cfg(unix)]
pub fn temporary() -> PathBuf {
    std::env::temp_dir()
}

/// Puts the text in the place of the file: whoever reads it, and whoever comes after a loss of power, sees the old text
/// or the new one, whole. A link goes on pointing to the file that it points to.
///
/// A new file is for the user alone (0600); one that is there keeps its permissions: its owner may share it on purpose.
///
/// # Errors
/// The system's; then the old text stands there still.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    private_dir(folder)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = folder.join(name);
    let written = write_new(&new, text, std::fs::metadata(&path).ok().map(|metadata| metadata.permissions()))
        .and_then(|()| std::fs::rename(&new, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written?;
    // The new name is on disk once the folder is; Windows has no such door.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

fn write_new(path: &Path, text: &str, like: Option<Permissions>) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file: File = options.open(path)?;
    if let Some(permissions) = like {
        file.set_permissions(permissions)?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
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
    fn one_named_folder_holds_everything() {
        let folders = Folders::inside(Path::new("office"));
        assert_eq!(folders.settings.join("pleito.toml"), Path::new("office/pleito.toml"));
        assert_eq!(folders.logs, Path::new("office/logs"));
    }
}

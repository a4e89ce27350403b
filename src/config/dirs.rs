//! Which folders the program uses, and how a folder is made that nobody else can read.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

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

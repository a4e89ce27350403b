//! The folders that the program uses.

use std::io;
use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

/// The file of the store in the data folder.
pub const STORE: &str = "pleito.db";

/// The file in a person's data folder that names the folder to which its office was moved.
pub const MOVED: &str = "pleito.moved";

/// The same file during the move: the office has moved if the named folder exists.
pub const MOVING: &str = "pleito.moving";

/// The configuration of the replica in a data folder. JSON is YAML.
pub const REPLICA: &str = "litestream.json";

/// The folder of backups in a data folder, if the settings name no other.
pub const BACKUPS: &str = "backups";

/// Folders in a data folder for uploaded files of imports and for copies, which the server empties when it starts.
pub const IMPORTS: &str = "imports";
pub const SCRATCH: &str = "scratch";

/// The program's folders, which need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// Holds the store and its document files.
    pub data: PathBuf,
    /// Holds `pleito.toml`.
    pub settings: PathBuf,
    pub logs: PathBuf,
}

impl Folders {
    /// Returns the folders by the conventions of the system, or `None` if the user has no home folder. If the machine has
    /// an office and the user has none, the folders are the machine's, so that no second office begins beside it.
    ///
    /// On Windows, data go to the local profile, not the roaming one: a database must not be copied between machines.
    pub fn of_system() -> Option<Folders> {
        let system = ProjectDirs::from("br", "", "pleito")?;
        let own = Folders {
            data: system.data_local_dir().to_owned(),
            settings: system.config_dir().to_owned(),
            logs: system.state_dir().unwrap_or(system.data_local_dir()).join("logs"),
        };
        Some(own.or_of_machine(&machine()))
    }

    fn or_of_machine(self, machine: &Path) -> Folders {
        let has_office = self.has_office() && moved_to(&self.data).is_none();
        if has_office || !machine.exists() { self } else { Folders::inside(machine) }
    }

    /// Returns `true` if the data folder has an office.
    pub fn has_office(&self) -> bool {
        self.data.join(STORE).exists()
    }

    /// Returns folders that are all inside `dir`, so that several instances stay apart.
    pub fn inside(dir: &Path) -> Folders {
        Folders { data: dir.to_owned(), settings: dir.to_owned(), logs: dir.join("logs") }
    }
}

/// Returns this user's folder for data, or `None` if the user has no home folder.
pub fn own_folder() -> Option<PathBuf> {
    Some(ProjectDirs::from("br", "", "pleito")?.data_local_dir().to_owned())
}

/// Returns the folder of the office that runs as a service of the machine, which need not exist.
pub fn machine() -> PathBuf {
    #[cfg(windows)]
    return of_windows("ProgramData", r"C:\ProgramData").join("Pleito");
    #[cfg(target_os = "macos")]
    return "/Library/Application Support/br.pleito".into();
    #[cfg(not(any(windows, target_os = "macos")))]
    "/var/lib/pleito".into()
}

/// Returns the folder for programs that only administrators change.
#[cfg(windows)]
pub fn programs() -> PathBuf {
    of_windows("ProgramFiles", r"C:\Program Files")
}

#[cfg(windows)]
fn of_windows(variable: &str, usual: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| usual.into(), PathBuf::from)
}

/// Returns `true` if the user may not open this folder of the machine's office.
pub fn is_closed(folder: &Path) -> bool {
    folder == machine()
        && std::fs::read_dir(folder).is_err_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied)
}

/// Returns the folder to which the office of the data folder `data` was moved.
pub fn moved_to(data: &Path) -> Option<PathBuf> {
    let named =
        |name| std::fs::read_to_string(data.join(name)).ok().map(|text| PathBuf::from(text.trim_end()));
    named(MOVED).or_else(|| named(MOVING).filter(|folder| folder.exists()))
}

/// Returns the folder for files that the user's browser opens, or `None` if the user has no home folder.
///
/// On Linux it is a visible folder directly in the home folder: a browser installed as a snap can read no other. On
/// other systems it is in the user's profile, even if the data folder is elsewhere, because that one may be shared.
pub fn for_browser() -> Option<PathBuf> {
    match cfg!(any(windows, target_os = "macos")) {
        true => Some(own_folder()?.join("browser")),
        false => Some(UserDirs::new()?.home_dir().join("pleito-console")),
    }
}

/// Returns the system's folder for temporary files.
#[cfg(unix)]
pub fn temporary() -> PathBuf {
    std::env::temp_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_folder_holds_settings_and_logs() {
        let folders = Folders::inside(Path::new("office"));
        assert_eq!(folders.settings.join("pleito.toml"), Path::new("office/pleito.toml"));
        assert_eq!(folders.logs, Path::new("office/logs"));
    }

    #[test]
    fn a_person_without_an_office_uses_that_of_the_machine() {
        let folder = tempfile::tempdir().unwrap();
        let machine = folder.path().join("machine");
        let own = Folders::inside(&folder.path().join("own"));
        let used = || own.clone().or_of_machine(&machine).data;
        assert_eq!(used(), own.data);
        std::fs::create_dir(&machine).unwrap();
        assert_eq!(used(), machine);
        std::fs::create_dir(&own.data).unwrap();
        std::fs::write(own.data.join(STORE), "").unwrap();
        assert_eq!(used(), own.data);
        std::fs::write(own.data.join(MOVING), format!("{}\n", folder.path().join("none").display())).unwrap();
        assert_eq!(used(), own.data, "the move was interrupted before the machine's folder was there");
        std::fs::write(own.data.join(MOVING), format!("{}\n", machine.display())).unwrap();
        assert_eq!(used(), machine);
        std::fs::rename(own.data.join(MOVING), own.data.join(MOVED)).unwrap();
        assert_eq!(used(), machine);
    }
}

//! The folders that the program uses.

use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

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
    /// Returns the folders by the conventions of the system, or `None` if the user has no home folder.
    ///
    /// On Windows, data go to the local profile, not the roaming one: a database must not be copied between machines.
    pub fn of_system() -> Option<Folders> {
        let system = ProjectDirs::from("br", "", "pleito")?;
        Some(Folders {
            data: system.data_local_dir().to_owned(),
            settings: system.config_dir().to_owned(),
            logs: system.state_dir().unwrap_or(system.data_local_dir()).join("logs"),
        })
    }

    /// Returns folders that are all inside `dir`, so that several instances stay apart.
    pub fn inside(dir: &Path) -> Folders {
        Folders { data: dir.to_owned(), settings: dir.to_owned(), logs: dir.join("logs") }
    }
}

/// Returns the folder for files that the user's browser opens, or `None` if the user has no home folder.
///
/// On Linux it is a visible folder directly in the home folder: a browser installed as a snap can read no other. On
/// other systems it is in the user's profile, even if the data folder is elsewhere, because that one may be shared.
pub fn for_browser() -> Option<PathBuf> {
    match cfg!(any(windows, target_os = "macos")) {
        true => Some(ProjectDirs::from("br", "", "pleito")?.data_local_dir().join("browser")),
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
}

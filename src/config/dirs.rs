//! Which folders the program uses.

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

/// The system's folder for what is needed for a moment.
#[cfg(unix)]
pub fn temporary() -> PathBuf {
    std::env::temp_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_named_folder_holds_everything() {
        let folders = Folders::inside(Path::new("office"));
        assert_eq!(folders.settings.join("pleito.toml"), Path::new("office/pleito.toml"));
        assert_eq!(folders.logs, Path::new("office/logs"));
    }
}

//! How the program is set: defaults < `pleito.toml` < environment < flags, typed, with the origin of every value.
//!
//! [`settings`] is the table of all settings, of which [`keys`] finds one by its name; `resolve` reads what is written where
//! and puts one over the other, `watch` follows the file while the server runs, `write` changes one setting in
//! it. No secret is a setting.

pub mod cause;
pub mod dirs;
mod errors;
pub mod keys;
mod origin;
mod resolve;
pub mod settings;
mod surroundings;
mod syntax;
mod watch;
mod write;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use dirs::Folders;
use keys::Key;

pub use errors::{Refused, SettingsError};
pub use origin::Origin;
pub use settings::Settings;
#[cfg(windows)]
pub use surroundings::system_root;
pub use surroundings::{Surroundings, VARIABLES};
pub use toml::Value;
pub use watch::Watch;

/// What the command line says about the settings and where they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--data-dir`: the folder that holds everything of this instance.
    pub data_dir: Option<PathBuf>,
    /// `--config`: the settings file, which then must exist.
    pub config: Option<PathBuf>,
    /// `--listen`: `server.listen`.
    pub listen: Option<SocketAddr>,
}

/// The settings in force and where they and everything else are.
#[derive(Clone)]
pub struct Config {
    /// The settings.
    pub settings: Settings,
    /// The folders.
    pub folders: Folders,
    /// The settings file; it need not exist.
    pub file: PathBuf,
    /// What nobody has to mend, but somebody should know.
    pub warnings: Vec<SettingsError>,
    origins: Origins,
    sources: Sources,
    stamp: watch::Stamp,
}

type Origins = BTreeMap<&'static str, Origin>;

impl Config {
    /// Finds and resolves the settings. Paths are made absolute, so that a later change of directory changes nothing.
    ///
    /// # Errors
    /// Everything that is wrong with the settings, in all places, at once.
    pub fn load(flags: Flags, around: Surroundings) -> Result<Config, Refused> {
        let data_dir = flags.data_dir.or_else(|| around.path("PLEITO_DATA_DIR"));
        let folders = match data_dir {
            Some(dir) => Folders::inside(&absolute(&dir)),
            None => around.folders.clone().ok_or_else(|| Refused(vec![SettingsError::no_home()]))?,
        };
        let by_flag = flags.config.map(|path| (path, Origin::Flag("--config")));
        let by_variable = || {
            let variable = "PLEITO_CONFIG";
            around.path(variable).map(|path| (path, Origin::Environment(variable.to_owned())))
        };
        let (file, named_by) = match by_flag.or_else(by_variable) {
            Some((path, origin)) => (absolute(&path), Some(origin)),
            None => (folders.settings.join("pleito.toml"), None),
        };
        let sources = Sources { file: file.clone(), named_by, listen: flags.listen, around };
        // Taken before reading: a change that falls between the two is then seen as one.
        let stamp = watch::stamp(&file);
        let (settings, origins) = sources.read()?;
        let warnings = sources.unknown_variables();
        Ok(Config { settings, folders, file, warnings, origins, sources, stamp })
    }

    /// Where the value of that key came from.
    pub fn origin(&self, key: &Key) -> &Origin {
        self.origins.get(key.name).unwrap_or(&Origin::Default)
    }

    /// Writes one setting into the file, for the next start. A running server's settings are written through its
    /// [`Watch`].
    ///
    /// # Errors
    /// As for [`Watch::write`].
    pub fn write(&self, key: &'static Key, value: &Value) -> Result<(), Refused> {
        self.sources.write(key, value)
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Everything that says something about the settings, to be read again when the file changes.
#[derive(Clone)]
struct Sources {
    file: PathBuf,
    named_by: Option<Origin>,
    listen: Option<SocketAddr>,
    around: Surroundings,
}

#[cfg(test)]
mod tests;

//! Typed settings from four layers (defaults < `pleito.toml` < environment < flags), with the origin of each value.
//!
//! [`settings`] is the table of all settings, and [`setting_names`] finds one by name. `resolve` reads and merges the layers,
//! `file` reads `pleito.toml`, `live_settings` follows the file while the server runs, and `write` changes one setting
//! in the file. Secrets are never settings.

mod environment;
mod errors;
mod file;
pub mod folders;
pub mod io_error_texts;
mod live_settings;
mod origin;
mod resolve;
pub mod setting_names;
pub mod settings;
mod value_types;
mod write;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use folders::Folders;
use setting_names::Key;

#[cfg(windows)]
pub use environment::account_name;
#[cfg(windows)]
pub use environment::system_root;
pub use environment::{Environment, VARIABLES, installed, of_systemd, own_executable, program_path};
pub use errors::{Refused, SettingsError};
pub use live_settings::LiveSettings;
pub use origin::Origin;
pub use settings::Settings;
pub use toml::Value;

/// The options of the command line that concern the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--data-dir`: the folder that holds all files of this instance.
    pub data_dir: Option<PathBuf>,
    /// `--config`: the settings file, which must exist if named.
    pub config: Option<PathBuf>,
    /// `--listen`: `server.listen`.
    pub listen: Option<SocketAddr>,
    /// `--follow`: `replica.target`.
    pub follow: Option<String>,
}

/// The settings in force, their origins and the folders of this instance.
#[derive(Clone)]
pub struct Config {
    pub settings: Settings,
    pub folders: Folders,
    /// The settings file, which need not exist.
    pub file: PathBuf,
    /// Problems that do not prevent the start, such as unknown environment variables.
    pub warnings: Vec<SettingsError>,
    origins: Origins,
    sources: Sources,
    stamp: live_settings::Stamp,
}

/// The name of the settings file, unless people choose another.
pub const SETTINGS_FILE: &str = "pleito.toml";

type Origins = BTreeMap<&'static str, Origin>;

impl Config {
    /// Finds and resolves the settings. Returns absolute paths, so that a change of the working directory does not
    /// matter. Returns the errors of all layers at once.
    pub fn load(flags: Flags, around: Environment) -> Result<Config, Refused> {
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
            None => (folders.settings.join(SETTINGS_FILE), None),
        };
        let Flags { listen, follow, .. } = flags;
        let sources = Sources { file: file.clone(), named_by, listen, follow, around };
        // Taken before the file is read, so that a change in between is noticed later.
        let stamp = live_settings::stamp(&file);
        let (settings, origins) = sources.read()?;
        let warnings = sources.unknown_variables();
        Ok(Config { settings, folders, file, warnings, origins, sources, stamp })
    }

    pub fn origin(&self, key: &Key) -> &Origin {
        self.origins.get(key.name).unwrap_or(&Origin::Default)
    }

    /// Returns a secret in the environment. `None` if the variable is missing or empty.
    pub fn secret(&self, variable: &str) -> Option<String> {
        self.sources.around.variable(variable).and_then(|value| value.to_str()).map(str::to_owned)
    }

    /// Writes one setting into the file, for the next start. In a running server, use [`LiveSettings::write`].
    pub fn write(&self, key: &'static Key, value: &Value) -> Result<(), Refused> {
        self.sources.write(key, value)
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The inputs of [`Config::load`], kept so that the settings can be read again when the file changes.
#[derive(Clone)]
struct Sources {
    file: PathBuf,
    named_by: Option<Origin>,
    listen: Option<SocketAddr>,
    follow: Option<String>,
    around: Environment,
}

#[cfg(test)]
mod tests;

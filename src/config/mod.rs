//! How the program is set: defaults < `pleito.toml` < environment < flags, typed, with the origin of every value.
//!
//! [`keys`] is the table of all settings and [`settings`] their types; `layer` reads what is written where, this file
//! resolves it, `watch` follows the file while the server runs, `write` changes one setting in it. No secret is a setting.

pub mod cause;
pub mod dirs;
pub mod keys;
mod layer;
mod origin;
pub mod settings;
mod surroundings;
mod value;
mod watch;
mod write;
mod wrong;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use dirs::Folders;
use keys::Key;
use layer::Layer;

pub use origin::Origin;
pub use settings::Settings;
pub use surroundings::Surroundings;
pub use value::Value;
pub use watch::Watch;
pub use wrong::{Refused, Wrong};

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
pub struct Config {
    /// The settings.
    pub settings: Settings,
    /// The folders.
    pub folders: Folders,
    /// The settings file; it need not exist.
    pub file: PathBuf,
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
            None => around.folders.clone().ok_or_else(|| Refused(vec![Wrong::NoHome]))?,
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
        Ok(Config { settings, folders, file, origins, sources, stamp })
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
struct Sources {
    file: PathBuf,
    named_by: Option<Origin>,
    listen: Option<SocketAddr>,
    around: Surroundings,
}

impl Sources {
    fn read(&self) -> Result<(Settings, Origins), Refused> {
        let layers = [
            layer::file(&self.file, self.named_by.as_ref()),
            layer::environment(&self.around.variables),
            layer::flags(self.listen),
        ];
        resolve(layers, self.around.time_zone.clone())
    }
}

/// Puts the layers over the defaults, the later over the earlier. A wrong value is refused even where a later layer
/// would hide it: whoever wrote it believes that it holds.
fn resolve(
    layers: impl IntoIterator<Item = Layer>,
    system: Option<TimeZone>,
) -> Result<(Settings, Origins), Refused> {
    let mut settings = Settings::default();
    let mut origins = Origins::from([("office.time_zone", Origin::SystemUnknown)]);
    let mut wrong = Vec::new();
    if let Some(zone) = system {
        settings.office.time_zone = zone;
        origins.insert("office.time_zone", Origin::System);
    }
    for layer in layers {
        let mut here = layer.wrong;
        for written in layer.written {
            let key = written.key;
            match written.value.and_then(|value| (key.set)(&mut settings, &value)) {
                Some(()) => _ = origins.insert(key.name, written.origin),
                None => here.push(Wrong::Value { key, place: written.origin, found: written.found }),
            }
        }
        here.sort_by_key(Wrong::line);
        wrong.extend(here);
    }
    if settings.api.compatibility == settings::Compatibility::Live
        && !origins.contains_key("limits.post_per_day")
    {
        // What the live service allows: contract 8.
        settings.limits.post_per_day = 500;
        origins.insert("limits.post_per_day", Origin::DefaultBecauseOf("api.compatibility"));
    }
    let address = settings.server.listen;
    if !address.ip().to_canonical().is_loopback() && !settings.server.plain_http_on_lan {
        let place = origins.get("server.listen").cloned().unwrap_or(Origin::Default);
        wrong.push(Wrong::PlainHttpOnLan { address, place });
    }
    if wrong.is_empty() { Ok((settings, origins)) } else { Err(Refused(wrong)) }
}

#[cfg(test)]
mod tests;

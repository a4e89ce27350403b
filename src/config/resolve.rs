//! Resolves the settings from their layers (defaults < file < environment < command line), with the origin of each
//! value.

use std::ffi::OsString;
use std::io;

use toml::Value;

use super::environment::VARIABLES;
use super::errors::{Refused, SettingsError, is_private_key};
use super::origin::Origin;
use super::setting_names::{self, KEYS, Key};
use super::settings::{Compatibility, Settings};
use super::{Origins, Sources};

impl Sources {
    /// Reads the file and resolves the settings of all layers.
    pub(super) fn read(&self) -> Result<(Settings, Origins), Refused> {
        self.resolve(self.text().map(Option::unwrap_or_default))
    }

    /// Like [`Sources::read`], with `text` in place of the file's content.
    pub(super) fn resolve(
        &self,
        text: Result<String, SettingsError>,
    ) -> Result<(Settings, Origins), Refused> {
        let mut resolved = Resolved::default();
        let zone = match self.around.time_zone.clone() {
            Some(zone) => {
                resolved.settings.office.time_zone = zone;
                Origin::System
            }
            None => Origin::SystemUnknown,
        };
        resolved.origins.insert("office.time_zone", zone);
        match text {
            Ok(text) => resolved.file(&self.file, &text),
            Err(wrong) => resolved.wrong.push(wrong),
        }
        resolved.environment(self);
        if let (Some(address), Some(key)) = (self.listen, setting_names::find("server.listen")) {
            let is_beside = address.port() != resolved.settings.server.listen.port();
            let address = address.to_string();
            resolved.set(key, Some(address.as_str().into()), &address, Origin::Flag("--listen"));
            if is_beside {
                resolved.leave_network_to_first_office();
            }
        }
        if let (Some(target), Some(key)) = (&self.follow, setting_names::find("replica.target")) {
            resolved.set(key, Some(target.as_str().into()), target, Origin::Flag("--follow"));
        }
        resolved.finish()
    }

    /// Reads the file. Returns `None` if the default file does not exist; a named file must exist.
    pub(super) fn text(&self) -> Result<Option<String>, SettingsError> {
        let bytes = match std::fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.named_by.is_none() => {
                return Ok(None);
            }
            Err(error) => return Err(SettingsError::file(&self.file, self.named_by.as_ref(), &error)),
        };
        String::from_utf8(bytes).map(Some).map_err(|error| {
            let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
            let line = valid.filter(|byte| **byte == b'\n').count() + 1;
            SettingsError::encoding(Origin::File { path: self.file.clone(), line })
        })
    }

    /// Returns the environment variables that may be settings. An empty variable counts as unset.
    fn variables(&self) -> impl Iterator<Item = (&String, &OsString)> {
        let variables = self.around.variables.iter();
        variables.filter(|(name, value)| {
            let is_other = || VARIABLES.iter().any(|(other, _)| other == name);
            !value.is_empty() && name.starts_with("PLEITO_") && !is_other()
        })
    }

    /// Returns a warning for each variable that is named like a setting but is unknown. It is not an error: it may be
    /// a setting of a later version, or belong to a container and have such a name by chance.
    pub(super) fn unknown_variables(&self) -> Vec<SettingsError> {
        let unknown = self.variables().filter(|(name, _)| by_variable(name).is_none());
        unknown.map(|(name, _)| SettingsError::unknown_variable(name)).collect()
    }
}

fn by_variable(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.variable() == name)
}

/// The values and errors of the layers read so far.
#[derive(Default)]
pub(super) struct Resolved {
    settings: Settings,
    origins: Origins,
    pub(super) wrong: Vec<SettingsError>,
}

impl Resolved {
    /// Sets a value over that of lower layers. An invalid value is an error even if a higher layer overrides it,
    /// because its author believes that it is in force. `value` is `None` if it has a type that no setting has. The
    /// error shows `found`, the value as written. A private key is no value of any setting: settings are shown and logged.
    pub(super) fn set(&mut self, key: &'static Key, value: Option<Value>, found: &str, origin: Origin) {
        if is_private_key(found) || value.as_ref().is_some_and(|value| is_private_key(&value.to_string())) {
            return self.wrong.push(SettingsError::private_key(key, &origin));
        }
        match value.and_then(|value| (key.set)(&mut self.settings, &value)) {
            Some(()) => _ = self.origins.insert(key.name, origin),
            None => self.wrong.push(SettingsError::value(key, &origin, found)),
        }
    }

    fn environment(&mut self, sources: &Sources) {
        for (name, value) in sources.variables() {
            let Some(key) = by_variable(name) else { continue };
            let found = format!("\"{}\"", shortened(&value.to_string_lossy()));
            let value = value.to_str().and_then(|text| key.from_text(text));
            self.set(key, value, &found, Origin::Environment(name.clone()));
        }
    }

    /// Turns off the LAN listener of a second office on this machine, unless its settings have `lan.enabled` or
    /// `lan.listen`: the LAN port and the mDNS name belong to the first office.
    fn leave_network_to_first_office(&mut self) {
        let enabled = "lan.enabled";
        let listen = "lan.listen";
        if ![enabled, listen].iter().any(|key| self.origins.contains_key(key)) {
            self.settings.lan.enabled = false;
            self.origins.insert(enabled, Origin::DefaultBecauseOf("--listen"));
        }
    }

    fn finish(mut self) -> Result<(Settings, Origins), Refused> {
        let post = "limits.post_per_day";
        if self.settings.api.compatibility == Compatibility::Live && !self.origins.contains_key(post) {
            // The limit of the live service (contract 8).
            self.settings.limits.post_per_day = 500;
            self.origins.insert(post, Origin::DefaultBecauseOf("api.compatibility"));
        }
        let server = &self.settings.server;
        if !server.listen.ip().to_canonical().is_loopback() && !server.plain_http_on_lan {
            let place = self.origins.get("server.listen").unwrap_or(&Origin::Default);
            self.wrong.push(SettingsError::plain_http_on_lan(server.listen, place));
        }
        if self.wrong.is_empty() { Ok((self.settings, self.origins)) } else { Err(Refused(self.wrong)) }
    }
}

/// Puts the text on one line and cuts it after 60 characters, to be quoted in a sentence.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(60).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

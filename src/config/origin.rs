//! Origins of settings.

use std::path::PathBuf;

use crate::domain::text::sentences::sentences;

sentences! {
lang -> String;

/// The source of a setting's value, as a phrase for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// No layer sets the value.
    Default = "default" => "padrão", "default";
    /// A default that depends on another key or option, which is named here.
    DefaultBecauseOf(key: &'static str) = "default" => "padrão, por causa de {key}", "default, because of {key}";
    /// The setting of the operating system.
    System = "system" => "o do sistema", "the system's";
    SystemUnknown = "default" =>
        "padrão, pois o do sistema é desconhecido",
        "default, as the system's is unknown";
    /// A line of the settings file, from 1.
    File { path: PathBuf, line: usize } = "file" => "{path}, linha {line}", "{path}, line {line}";
    /// An environment variable.
    Environment(name: String) = "environment" => "variável {name}", "variable {name}";
    /// An option of the command line, with its dashes.
    Flag(name: &'static str) = "flag" => "opção {name}", "option {name}";
}
}

impl Origin {
    /// Returns the kind of origin as it appears in JSON.
    pub fn kind(&self) -> &'static str {
        self.own_code()
    }
}

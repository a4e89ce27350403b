//! Where a value was written.

use std::path::PathBuf;

use crate::domain::lang::{Lang, say};

/// The place that a setting's value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody wrote one.
    Default,
    /// Nobody wrote one, and what is the default depends on another key.
    DefaultBecauseOf(&'static str),
    /// The system's own setting.
    System,
    /// The default, because the system does not say.
    SystemUnknown,
    /// A line of the settings file, counted from 1.
    File {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// An environment variable.
    Environment(String),
    /// A flag of the command line, dashes included.
    Flag(&'static str),
}

impl Origin {
    /// The origin as people read it.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            Origin::Default => lang.pick("padrão", "default").to_owned(),
            Origin::DefaultBecauseOf(key) => {
                say!(lang, "padrão, por causa de {key}", "default, because of {key}")
            }
            Origin::System => lang.pick("o do sistema", "the system's").to_owned(),
            Origin::SystemUnknown => lang
                .pick("padrão, pois o do sistema é desconhecido", "default, as the system's is unknown")
                .to_owned(),
            Origin::File { path, line } => lang.pick(
                format!("{}, linha {line}", path.display()),
                format!("{}, line {line}", path.display()),
            ),
            Origin::Environment(name) => say!(lang, "variável {name}", "variable {name}"),
            Origin::Flag(name) => say!(lang, "opção {name}", "option {name}"),
        }
    }

    /// The kind of origin as a program reads it.
    pub fn kind(&self) -> &'static str {
        match self {
            Origin::Default | Origin::DefaultBecauseOf(_) | Origin::SystemUnknown => "default",
            Origin::System => "system",
            Origin::File { .. } => "file",
            Origin::Environment(_) => "environment",
            Origin::Flag(_) => "flag",
        }
    }
}

//! What is wrong with the settings: each with its key, its place and what would be right, in both languages.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use super::cause;
use super::keys::{self, KEYS, Key};
use super::origin::Origin;
use super::value::Value;
use crate::domain::lang::Lang;

/// Why the settings are refused: everything that is wrong with them, at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub Vec<Wrong>);

/// One thing that is wrong with the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// There is no such key or section.
    UnknownKey {
        /// What was written, with its section.
        name: String,
        /// Where.
        place: Origin,
    },
    /// There is no such environment variable.
    UnknownVariable(String),
    /// The value is not one of this key.
    Value {
        /// The key.
        key: &'static Key,
        /// Where.
        place: Origin,
        /// What was written.
        found: String,
    },
    /// A section's name was given a value.
    Section {
        /// The section.
        name: String,
        /// Where.
        place: Origin,
    },
    /// The network would reach the unencrypted listener, and no setting says that this is meant.
    PlainHttpOnLan {
        /// The address.
        address: SocketAddr,
        /// Where.
        place: Origin,
    },
    /// The file is not TOML.
    Toml {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The character within the line, from 1.
        column: usize,
        /// The reader's own words.
        reason: String,
    },
    /// The file is not UTF-8.
    Encoding {
        /// The file.
        path: PathBuf,
        /// The line of the first byte that is wrong, from 1.
        line: usize,
    },
    /// The file cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// What named it; none for the file that is looked for anyway.
        named_by: Option<Origin>,
        /// What kind of refusal it is.
        kind: io::ErrorKind,
        /// The system's own words.
        reason: String,
    },
    /// The value in the file would say nothing: another one is over it.
    Hidden {
        /// The key.
        key: &'static Key,
        /// What is over the file.
        by: Origin,
    },
    /// The file cannot be written.
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What kind of refusal it is.
        kind: io::ErrorKind,
        /// The system's own words.
        reason: String,
    },
    /// The user has no home, so there are no folders to use.
    NoHome,
}

impl Refused {
    /// Everything that is wrong, a line each, under a heading.
    pub fn say(&self, lang: Lang) -> String {
        let heading = lang.pick("as configurações não foram aceitas:", "the settings were refused:");
        self.0.iter().fold(heading.to_owned(), |text, wrong| format!("{text}\n  {}", wrong.say(lang)))
    }
}

/// In English, as the log has it.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Lang::En))
    }
}

impl std::error::Error for Refused {}

impl Wrong {
    /// The line of the file, by which what is wrong in it is put in order; 0 elsewhere.
    pub(super) fn line(&self) -> usize {
        match self {
            Wrong::UnknownKey { place: Origin::File { line, .. }, .. }
            | Wrong::Value { place: Origin::File { line, .. }, .. }
            | Wrong::Section { place: Origin::File { line, .. }, .. } => *line,
            _ => 0,
        }
    }

    /// The key, the place and what would be right, as one line.
    pub fn say(&self, lang: Lang) -> String {
        let (subject, sentence) = match self {
            Wrong::UnknownKey { name, place } => (at(name, place, lang), unknown_key(name, lang)),
            Wrong::UnknownVariable(name) => {
                let nearest = keys::nearest(name.as_str(), KEYS.iter().map(Key::variable));
                let all = || KEYS.iter().map(Key::variable).collect();
                (name.clone(), not_there(nearest, all, lang))
            }
            Wrong::Value { key, place, found } => {
                let right = key.right(lang);
                let notation =
                    notation(key, place, found, lang).map(|text| format!(", {text}")).unwrap_or_default();
                let sentence =
                    format!("{found} {}; {right}{notation}", lang.pick("não serve", "will not do"));
                (at(key.name, place, lang), sentence)
            }
            Wrong::Section { name, place } => {
                let sentence = match lang {
                    Lang::Pt => format!("é uma seção; escreva [{name}] e, abaixo, as chaves dela"),
                    Lang::En => format!("is a section; write [{name}] and its keys below it"),
                };
                (at(name, place, lang), sentence)
            }
            Wrong::PlainHttpOnLan { address, place } => {
                let sentence = match lang {
                    Lang::Pt => format!(
                        "{address} deixaria os dados passarem pela rede sem criptografia; use um endereço desta \
                         máquina, como 127.0.0.1:{}, ou permita isso com server.plain_http_on_lan = true",
                        address.port()
                    ),
                    Lang::En => format!(
                        "{address} would let data cross the network unencrypted; use an address of this machine, such \
                         as 127.0.0.1:{}, or allow it with server.plain_http_on_lan = true",
                        address.port()
                    ),
                };
                (at("server.listen", place, lang), sentence)
            }
            Wrong::Toml { path, line, column, reason } => {
                let place = Origin::File { path: path.clone(), line: *line }.say(lang);
                let sentence = lang.pick("não é TOML válido", "is not valid TOML");
                (
                    format!("{place}, {} {column}", lang.pick("coluna", "column")),
                    format!("{sentence} ({reason})"),
                )
            }
            Wrong::Encoding { path, line } => {
                let place = Origin::File { path: path.clone(), line: *line }.say(lang);
                let sentence = lang.pick(
                    "não está em UTF-8; salve o arquivo como UTF-8",
                    "is not UTF-8; save the file as UTF-8",
                );
                (place, sentence.to_owned())
            }
            Wrong::File { path, named_by, kind, reason } => {
                let path = path.display().to_string();
                let subject = named_by.as_ref().map_or(path.clone(), |origin| at(&path, origin, lang));
                let sentence = lang.pick("não pode ser lido", "cannot be read");
                let cause = cause::say(&io::Error::new(*kind, reason.as_str()), lang);
                (subject, format!("{sentence}: {cause}"))
            }
            Wrong::Hidden { key, by } => {
                let by = by.say(lang);
                let sentence = match lang {
                    Lang::Pt => format!(
                        "o valor em vigor vem de: {by}, que vale mais que o arquivo; retire-o de lá e inicie o programa de novo"
                    ),
                    Lang::En => format!(
                        "the value in force comes from: {by}, which overrides the file; take it away there and start the program again"
                    ),
                };
                (key.name.to_owned(), sentence)
            }
            Wrong::Unwritable { path, kind, reason } => {
                let sentence = lang.pick("não pode ser gravado", "cannot be written");
                let cause = cause::say(&io::Error::new(*kind, reason.as_str()), lang);
                (path.display().to_string(), format!("{sentence}: {cause}"))
            }
            Wrong::NoHome => {
                let sentence = lang.pick(
                    "o usuário não tem pasta pessoal; indique uma pasta com --data-dir ou PLEITO_DATA_DIR",
                    "the user has no home folder; name a folder with --data-dir or PLEITO_DATA_DIR",
                );
                ("--data-dir".to_owned(), sentence.to_owned())
            }
        };
        format!("{subject}: {sentence}")
    }
}

fn at(name: &str, place: &Origin, lang: Lang) -> String {
    format!("{name} ({})", place.say(lang))
}

/// How the place wants such a value written, where that may be all that is wrong.
fn notation(key: &Key, place: &Origin, found: &str, lang: Lang) -> Option<&'static str> {
    let (pt, en) = match (key.default_value(), place) {
        (Value::Text(_), Origin::File { .. }) if !found.starts_with(['"', '\'']) => {
            ("entre aspas", "in quotes")
        }
        (Value::Number(_) | Value::Flag(_), Origin::File { .. }) if found.starts_with(['"', '\'']) => {
            ("sem aspas", "without quotes")
        }
        (Value::List(_), Origin::File { .. }) => {
            ("no formato [\"um\", \"outro\"]", "in the form [\"one\", \"another\"]")
        }
        (Value::List(_), _) => ("separados por vírgulas", "separated by commas"),
        _ => return None,
    };
    Some(lang.pick(pt, en))
}

fn unknown_key(name: &str, lang: Lang) -> String {
    let sections = keys::sections();
    match name.split_once('.') {
        // What stands outside a section may be either a section's slip or a key's.
        None => {
            let nearest =
                keys::nearest(name, sections.iter().copied().chain(KEYS.iter().map(|key| key.name)));
            not_there(nearest, || sections.clone(), lang)
        }
        Some((section, _)) => {
            let nearest = keys::nearest(name, KEYS.iter().map(|key| key.name));
            let of_section = |key: &&'static str| key.split('.').next() == Some(section);
            not_there(nearest, || KEYS.iter().map(|key| key.name).filter(of_section).collect(), lang)
        }
    }
}

fn not_there<S: AsRef<str>>(nearest: Option<S>, all: impl FnOnce() -> Vec<S>, lang: Lang) -> String {
    if let Some(nearest) = nearest {
        let nearest = nearest.as_ref();
        return match lang {
            Lang::Pt => format!("não existe; você quis dizer {nearest}?"),
            Lang::En => format!("does not exist; did you mean {nearest}?"),
        };
    }
    let all: Vec<_> = all().iter().map(|name| name.as_ref().to_owned()).collect();
    format!("{} {}", lang.pick("não existe; há:", "does not exist; there are:"), all.join(", "))
}

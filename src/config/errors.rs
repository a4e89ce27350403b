//! What is wrong with the settings: each with its key, its place and what would be right, in both languages.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use toml::Value;

use super::cause;
use super::keys::{self, KEYS, Key};
use super::origin::Origin;
use crate::domain::lang::{Lang, say};

/// Why the settings are refused: everything that is wrong with them, at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub Vec<SettingsError>);

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

/// One thing that is wrong with the settings: the key, the place and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The key whose value is not one of its own.
    pub key: Option<&'static Key>,
    /// The line of the file, by which what is wrong in it is put in order; 0 elsewhere.
    pub(super) line: usize,
    pt: String,
    en: String,
}

impl SettingsError {
    /// As one line.
    pub fn say(&self, lang: Lang) -> &str {
        lang.pick(&self.pt, &self.en)
    }

    fn new(say: impl Fn(Lang) -> String) -> SettingsError {
        SettingsError { key: None, line: 0, pt: say(Lang::Pt), en: say(Lang::En) }
    }

    /// What is wrong with `name` at that place.
    fn at(name: &str, place: &Origin, say: impl Fn(Lang) -> String) -> SettingsError {
        let line = if let Origin::File { line, .. } = place { *line } else { 0 };
        SettingsError {
            line,
            ..SettingsError::new(|lang| format!("{name} ({}): {}", place.say(lang), say(lang)))
        }
    }

    /// There is no such key or section. `name` has its section.
    pub(super) fn unknown_key(name: &str, place: &Origin) -> SettingsError {
        let keys = || KEYS.iter().map(|key| key.name);
        let section = name.split_once('.').map(|(section, _)| section);
        // What stands outside a section may be either a section's slip or a key's.
        let (nearest, all) = match section {
            None => (keys::nearest(name, keys::sections().into_iter().chain(keys())), keys::sections()),
            Some(_) => {
                let beside = keys().filter(|key| key.split('.').next() == section);
                (keys::nearest(name, keys()), beside.collect())
            }
        };
        SettingsError::at(name, place, |lang| not_there(nearest, &all, lang))
    }

    /// There is no such environment variable.
    pub(crate) fn unknown_variable(name: &str) -> SettingsError {
        let all: Vec<_> = KEYS.iter().map(Key::variable).collect();
        let nearest = keys::nearest(name, all.iter().map(String::as_str));
        SettingsError::new(|lang| format!("{name}: {}", not_there(nearest, &all, lang)))
    }

    /// What was `found` is no value of this key.
    pub(super) fn value(key: &'static Key, place: &Origin, found: &str) -> SettingsError {
        let wrong = SettingsError::at(key.name, place, |lang| {
            let notation = notation(key, place, found, lang);
            format!(
                "{} {found}; {}{notation}",
                lang.pick("valor inválido:", "invalid value:"),
                key.right(lang)
            )
        });
        SettingsError { key: Some(key), ..wrong }
    }

    /// A section's name was given a value.
    pub(super) fn section(name: &str, place: &Origin) -> SettingsError {
        SettingsError::at(name, place, |lang| {
            say!(
                lang,
                "é uma seção; escreva [{name}] e, abaixo, as chaves dela",
                "is a section; write [{name}] and its keys below it"
            )
        })
    }

    /// The network would reach the unencrypted listener, and no setting says that this is meant.
    pub(super) fn plain_http_on_lan(address: SocketAddr, place: &Origin) -> SettingsError {
        let port = address.port();
        let wrong = SettingsError::at("server.listen", place, |lang| {
            say!(
                lang,
                "{address} deixaria os dados passarem pela rede sem criptografia; use um endereço desta \
                     máquina, como 127.0.0.1:{port}, ou permita isso com server.plain_http_on_lan = true",
                "{address} would let data cross the network unencrypted; use an address of this machine, such \
                     as 127.0.0.1:{port}, or allow it with server.plain_http_on_lan = true"
            )
        });
        SettingsError { line: 0, ..wrong }
    }

    /// The file is not TOML, for the parser's own `reason`. `column` is that of the character in the line, from 1.
    pub(super) fn toml(place: Origin, column: usize, reason: &str) -> SettingsError {
        SettingsError::new(|lang| {
            let column = say!(lang, "coluna {column}", "column {column}");
            let sentence = lang.pick("não é TOML válido", "is not valid TOML");
            format!("{}, {column}: {sentence} ({reason})", place.say(lang))
        })
    }

    /// The file is not UTF-8, from that line on.
    pub(super) fn encoding(place: Origin) -> SettingsError {
        SettingsError::new(|lang| {
            let sentence = lang.pick(
                "não está em UTF-8; salve o arquivo como UTF-8",
                "is not UTF-8; save the file as UTF-8",
            );
            format!("{}: {sentence}", place.say(lang))
        })
    }

    /// The file cannot be read. Nothing has named the one that is looked for anyway.
    pub(super) fn file(path: &Path, named_by: Option<&Origin>, error: &io::Error) -> SettingsError {
        SettingsError::new(|lang| {
            let by = named_by.map(|origin| format!(" ({})", origin.say(lang))).unwrap_or_default();
            let sentence = lang.pick("não pode ser lido", "cannot be read");
            format!("{}{by}: {sentence}: {}", path.display(), cause::say(error, lang))
        })
    }

    /// The value in the file would say nothing: another one is over it.
    pub(super) fn hidden(key: &Key, by: &Origin) -> SettingsError {
        SettingsError::new(|lang| {
            let (name, by) = (key.name, by.say(lang));
            say!(
                lang,
                "{name}: o valor em vigor vem de: {by}, que vale mais que o arquivo; retire-o de lá e inicie o programa de novo",
                "{name}: the value in force comes from: {by}, which overrides the file; take it away there and start the program again"
            )
        })
    }

    /// The file cannot be written.
    pub(super) fn unwritable(path: &Path, error: &io::Error) -> SettingsError {
        SettingsError::new(|lang| {
            let sentence = lang.pick("não pode ser gravado", "cannot be written");
            format!("{}: {sentence}: {}", path.display(), cause::say(error, lang))
        })
    }

    /// The user has no home, so there are no folders to use.
    pub(crate) fn no_home() -> SettingsError {
        SettingsError::new(|lang| {
            let sentence = lang.pick(
                "--data-dir: o usuário não tem pasta pessoal; indique uma pasta com --data-dir ou PLEITO_DATA_DIR",
                "--data-dir: the user has no home folder; name a folder with --data-dir or PLEITO_DATA_DIR",
            );
            sentence.to_owned()
        })
    }
}

/// How the place wants such a value written, where that may be all that is wrong.
fn notation(key: &Key, place: &Origin, found: &str, lang: Lang) -> &'static str {
    let is_quoted = found.starts_with(['"', '\'']);
    match (key.default_value(), place) {
        (Value::String(_), Origin::File { .. }) if !is_quoted => lang.pick(", entre aspas", ", in quotes"),
        (Value::Integer(_) | Value::Boolean(_), Origin::File { .. }) if is_quoted => {
            lang.pick(", sem aspas", ", without quotes")
        }
        (Value::Array(_), Origin::File { .. }) => {
            lang.pick(", no formato [\"um\", \"outro\"]", ", in the form [\"one\", \"another\"]")
        }
        (Value::Array(_), _) => lang.pick(", separados por vírgulas", ", separated by commas"),
        _ => "",
    }
}

fn not_there(nearest: Option<&str>, all: &[impl AsRef<str>], lang: Lang) -> String {
    match nearest {
        Some(nearest) => {
            say!(lang, "não existe; você quis dizer {nearest}?", "does not exist; did you mean {nearest}?")
        }
        None => {
            let all = all.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
            format!("{} {all}", lang.pick("não existe; há:", "does not exist; there are:"))
        }
    }
}

//! Errors in the settings, each with its key, its origin and the accepted values, in both languages.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use toml::Value;

use super::io_error_texts;
use super::origin::Origin;
use super::setting_names::{self, KEYS, Key};
use crate::domain::lang::{Lang, localize};
use crate::domain::text::sentences::InSentence;

/// Returns `true` if the text has a private key of age in it.
pub(super) fn is_private_key(text: &str) -> bool {
    text.to_ascii_uppercase().contains("AGE-SECRET-KEY-")
}

/// All errors in the settings. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub Vec<SettingsError>);

impl Refused {
    /// Returns all errors, one per line under a heading.
    pub fn message(&self, lang: Lang) -> String {
        let heading = lang.pick("as configurações não foram aceitas:", "the settings were refused:");
        self.0.iter().fold(heading.to_owned(), |text, wrong| format!("{text}\n  {}", wrong.message(lang)))
    }
}

impl InSentence for Refused {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        self.message(lang)
    }
}

/// Formats the errors in English, for the log.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Lang::En))
    }
}

impl std::error::Error for Refused {}

/// One error in the settings, as a sentence with the key, the origin and the accepted values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The key that has an invalid value. `None` for all other errors.
    pub key: Option<&'static Key>,
    /// The line in the file, by which errors are sorted. 0 if the error is not about a line.
    pub(super) line: usize,
    pt: String,
    en: String,
}

impl SettingsError {
    /// Returns the error as one line.
    pub fn message(&self, lang: Lang) -> &str {
        lang.pick(&self.pt, &self.en)
    }

    fn new(say: impl Fn(Lang) -> String) -> SettingsError {
        SettingsError { key: None, line: 0, pt: say(Lang::Pt), en: say(Lang::En) }
    }

    /// Creates an error about `name`, which was found at `place`.
    fn at(name: &str, place: &Origin, say: impl Fn(Lang) -> String) -> SettingsError {
        let line = if let Origin::File { line, .. } = place { *line } else { 0 };
        SettingsError {
            line,
            ..SettingsError::new(|lang| format!("{name} ({}): {}", place.message(lang), say(lang)))
        }
    }

    /// The key or section does not exist. `name` includes the section of a key.
    pub(super) fn unknown_key(name: &str, place: &Origin) -> SettingsError {
        let keys = || KEYS.iter().map(|key| key.name);
        let section = name.split_once('.').map(|(section, _)| section);
        // A name without a section may be a misspelt section or a misspelt key.
        let (nearest, all) = match section {
            None => (
                setting_names::nearest(name, setting_names::sections().into_iter().chain(keys())),
                setting_names::sections(),
            ),
            Some(_) => {
                let beside = keys().filter(|key| key.split('.').next() == section);
                (setting_names::nearest(name, keys()), beside.collect())
            }
        };
        SettingsError::at(name, place, |lang| not_there(nearest, &all, lang))
    }

    /// No setting has this environment variable.
    pub(crate) fn unknown_variable(name: &str) -> SettingsError {
        let all: Vec<_> = KEYS.iter().map(Key::variable).collect();
        let nearest = setting_names::nearest(name, all.iter().map(String::as_str));
        SettingsError::new(|lang| format!("{name}: {}", not_there(nearest, &all, lang)))
    }

    /// The value is a private key, which is not repeated: the text may be logged.
    pub(super) fn private_key(key: &'static Key, place: &Origin) -> SettingsError {
        let wrong = SettingsError::at(key.name, place, |lang| {
            let sentence = lang.pick(
                "há aqui uma chave privada de backups; apague-a daqui e guarde-a em papel. Em backup.encrypt_to se põe a chave pública, que começa por age1",
                "there is a private key of backups here; remove it and keep it on paper. The public key, which begins with age1, is the one for backup.encrypt_to",
            );
            sentence.to_owned()
        });
        SettingsError { key: Some(key), ..wrong }
    }

    /// `found` is not a valid value of the key.
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

    /// The name of a section was given a value.
    pub(super) fn section(name: &str, place: &Origin) -> SettingsError {
        SettingsError::at(name, place, |lang| {
            localize!(
                lang,
                "é uma seção; escreva [{name}] e, abaixo, as chaves dela",
                "is a section; write [{name}] and its keys below it"
            )
        })
    }

    /// The unencrypted listener would be reachable from the network, and `server.plain_http_on_lan` does not allow
    /// that.
    pub(super) fn plain_http_on_lan(address: SocketAddr, place: &Origin) -> SettingsError {
        let port = address.port();
        let wrong = SettingsError::at("server.listen", place, |lang| {
            localize!(
                lang,
                "{address} deixaria os dados passarem pela rede sem criptografia; use um endereço desta \
                     máquina, como 127.0.0.1:{port}, ou permita isso com server.plain_http_on_lan = true",
                "{address} would let data cross the network unencrypted; use an address of this machine, such \
                     as 127.0.0.1:{port}, or allow it with server.plain_http_on_lan = true"
            )
        });
        SettingsError { line: 0, ..wrong }
    }

    /// The file is not valid TOML. `reason` is the parser's message, `column` counts characters from 1.
    pub(super) fn toml(place: Origin, column: usize, reason: &str) -> SettingsError {
        SettingsError::new(|lang| {
            let column = localize!(lang, "coluna {column}", "column {column}");
            let sentence = lang.pick("não é TOML válido", "is not valid TOML");
            format!("{}, {column}: {sentence} ({reason})", place.message(lang))
        })
    }

    /// The file is not UTF-8. `place` names the line of the first invalid byte.
    pub(super) fn encoding(place: Origin) -> SettingsError {
        SettingsError::new(|lang| {
            let sentence = lang.pick(
                "não está em UTF-8; salve o arquivo como UTF-8",
                "is not UTF-8; save the file as UTF-8",
            );
            format!("{}: {sentence}", place.message(lang))
        })
    }

    /// The file cannot be read. `named_by` is `None` if it is the default file.
    pub(super) fn file(path: &Path, named_by: Option<&Origin>, error: &io::Error) -> SettingsError {
        SettingsError::new(|lang| {
            let by = named_by.map(|origin| format!(" ({})", origin.message(lang))).unwrap_or_default();
            let sentence = lang.pick("não pode ser lido", "cannot be read");
            format!("{}{by}: {sentence}: {}", path.display(), io_error_texts::message(error, lang))
        })
    }

    /// The value cannot be set in the file, because `by` overrides the file.
    pub(super) fn hidden(key: &Key, by: &Origin) -> SettingsError {
        SettingsError::new(|lang| {
            let name = key.name;
            let by = by.message(lang);
            localize!(
                lang,
                "{name}: o valor em vigor vem de: {by}, que vale mais que o arquivo; retire-o de lá e inicie o programa de novo",
                "{name}: the current value comes from {by}, which overrides the file; remove it there and restart the program"
            )
        })
    }

    pub(super) fn unwritable(path: &Path, error: &io::Error) -> SettingsError {
        SettingsError::new(|lang| {
            let sentence = lang.pick("não pode ser gravado", "cannot be written");
            format!("{}: {sentence}: {}", path.display(), io_error_texts::message(error, lang))
        })
    }

    /// The user has no home folder, and no data folder was given.
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

/// Returns a hint on the notation of the value (quotes, brackets, commas), if that may be all that is wrong.
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
            localize!(
                lang,
                "não existe; você quis dizer {nearest}?",
                "does not exist; did you mean {nearest}?"
            )
        }
        None => {
            let all = all.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
            format!("{} {all}", lang.pick("não existe; há:", "does not exist; there are:"))
        }
    }
}

//! The secrets that open encrypted backups: private keys and passphrases (always 44).

use std::fmt;

use age::scrypt;
use age::secrecy::{ExposeSecret, SecretString};
use age::x25519::Identity;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::domain::Lang;
use crate::domain::text::sentences::{InSentence, sentences};

/// Base 2 logarithms of the work for a passphrase, which determines the memory in KiB: that of new backups (256 MiB, which
/// any machine of an office has), and the most that a file may demand (4 GiB).
const WORK: u8 = 18;
const MAX_WORK_FACTOR: u8 = 22;

/// The kind of secret that opens an encrypted backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encryption {
    Key,
    Passphrase,
}

impl Encryption {
    /// Names the secret: `a frase secreta`.
    pub fn secret_name(self, lang: Lang) -> &'static str {
        match self {
            Encryption::Key => lang.pick("a chave privada", "the private key"),
            Encryption::Passphrase => lang.pick("a frase secreta", "the passphrase"),
        }
    }
}

impl InSentence for Encryption {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        self.secret_name(lang)
    }
}

sentences! {
lang -> String;

/// What is wrong with a text that should have a private key in it, as a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// It has no beginning of a private key.
    NoStart => "não há AGE-SECRET-KEY-1 no que foi digitado", "what was typed has no AGE-SECRET-KEY-1";
    /// The number of letters and digits after the beginning is too low.
    Short(found: usize) =>
        "depois de AGE-SECRET-KEY-1 há {found} letras e algarismos, e devem ser 58",
        "there are {found} letters and digits after AGE-SECRET-KEY-1, and there must be 58";
    /// No key has this letter. The place counts from 1, in the whole key.
    Letter(place: usize, letter: String) =>
        "o caractere {place} é \"{letter}\", que nenhuma chave tem",
        "character {place} is \"{letter}\", which no key has";
    /// The checksum in the key does not match.
    Checksum =>
        "uma letra ou um algarismo está errado, falta ou sobra",
        "a letter or digit is wrong, missing or too many";
}
}

/// The beginning of a private key, of which only letters and digits count.
const START: &str = "AGESECRETKEY";
/// Number of letters and digits in a private key after `AGE-SECRET-KEY-1`.
const KEY_LETTERS: usize = 58;
/// Length of a private key in characters.
const KEY_LENGTH: usize = 74;

/// A passphrase, or a private key as age writes it (`AGE-SECRET-KEY-1…`). `Debug` does not show it.
#[derive(Clone, Debug)]
pub struct BackupSecret(SecretString);

impl BackupSecret {
    /// Creates a secret from entered text, without the whitespace around it and the byte order mark of Windows programs.
    pub fn new(text: &str) -> BackupSecret {
        let is_around = |character: char| character.is_whitespace() || character == '\u{feff}';
        BackupSecret(text.trim_matches(is_around).to_owned().into())
    }

    /// Creates the passphrase of a new backup, in NFC: keyboards and systems compose accents differently.
    pub fn new_passphrase(text: &str) -> BackupSecret {
        BackupSecret(BackupSecret::new(text).text().nfc().collect::<String>().into())
    }

    pub fn text(&self) -> &str {
        self.0.expose_secret()
    }

    /// Returns `true` if nothing more has to be read for a private key: `typed` has a whole one, or as many characters
    /// outside of comments.
    pub fn is_whole_key(typed: &str) -> bool {
        match letters_of_key(typed) {
            Some(letters) => letters.len() >= KEY_LETTERS,
            None => {
                let lines = typed.lines().filter(|line| !line.trim_start().starts_with('#'));
                lines.flat_map(str::chars).filter(|character| !character.is_whitespace()).count()
                    >= KEY_LENGTH
            }
        }
    }

    /// Returns the passphrase as a recipient.
    pub(super) fn recipient(&self) -> scrypt::Recipient {
        let mut recipient = scrypt::Recipient::new(self.0.clone());
        recipient.set_work_factor(WORK);
        recipient
    }

    /// Returns what may open a file, to be tried in this order: the private key in the text, or the spellings of the
    /// passphrase.
    pub(super) fn identities(&self, kind: Encryption) -> Result<Vec<Box<dyn age::Identity>>, KeyFault> {
        if kind == Encryption::Key {
            return Ok(vec![Box::new(private_key(self.text())?)]);
        }
        let identity = |spelling: String| {
            let mut identity = scrypt::Identity::new(spelling.into());
            identity.set_max_work_factor(MAX_WORK_FACTOR);
            Box::new(identity) as Box<dyn age::Identity>
        };
        Ok(spellings(self.text()).into_iter().map(identity).collect())
    }
}

/// Returns the passphrase as typed, and as another keyboard, system or program may have written it: with composed or
/// with separate accents, with single spaces, without invisible characters.
fn spellings(typed: &str) -> Vec<String> {
    let visible: String = typed.chars().filter(|character| !is_invisible(*character)).collect();
    let spaced = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all = Vec::new();
    for text in [typed, &spaced] {
        for spelling in [text.to_owned(), text.nfc().collect(), text.nfd().collect()] {
            if !all.contains(&spelling) {
                all.push(spelling);
            }
        }
    }
    all
}

/// Returns `true` for a soft hyphen, a zero-width character or a byte order mark.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Returns the letters and digits after the beginning of the first private key in the text, in upper case. `None` if there
/// is no beginning.
fn letters_of_key(text: &str) -> Option<Vec<char>> {
    let letters: Vec<char> =
        text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_uppercase()).collect();
    let start: Vec<char> = START.chars().collect();
    let at = letters.windows(start.len()).position(|window| window == start)?;
    let mut rest = letters.into_iter().skip(at + start.len());
    // On paper, the digit may look like one of these letters.
    matches!(rest.next(), Some('1' | 'I' | 'L')).then(|| rest.collect())
}

/// Finds the private key in a text, such as a file of age-keygen or a line with a label. What is not a letter or digit does
/// not count. Letters that keys do not have are read as those that look like them; the checksum tells if that is right.
fn private_key(text: &str) -> Result<Identity, KeyFault> {
    let letters = letters_of_key(text).ok_or(KeyFault::NoStart)?;
    if letters.len() < KEY_LETTERS {
        return Err(KeyFault::Short(letters.len()));
    }
    let mut key = String::from("AGE-SECRET-KEY-1");
    for letter in letters.into_iter().take(KEY_LETTERS) {
        if !letter.is_ascii() {
            return Err(KeyFault::Letter(key.len() + 1, letter.to_string()));
        }
        key.push(match letter {
            'O' => '0',
            'B' => '8',
            'I' | '1' => 'L',
            letter => letter,
        });
    }
    key.parse().map_err(|_| KeyFault::Checksum)
}

/// A new pair of keys. Pleito does not store the private one.
pub struct KeyPair {
    /// The value for `backup.encrypt_to`.
    pub public: String,
    pub private: BackupSecret,
}

impl KeyPair {
    pub fn generate() -> KeyPair {
        let identity = Identity::generate();
        KeyPair { public: identity.to_public().to_string(), private: BackupSecret(identity.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> Result<String, KeyFault> {
        private_key(BackupSecret::new(text).text()).map(|key| key.to_public().to_string())
    }

    #[test]
    fn a_private_key_is_found_as_people_paste_and_type_it() {
        let pair = KeyPair::generate();
        let key = pair.private.text();
        let lower = key.to_lowercase();
        let (first, second) = key.split_at(40);
        let spaced: String = key.chars().flat_map(|letter| [letter, ' ']).collect();
        for pasted in [
            key.to_owned(),
            format!("\u{feff}{lower}\u{200b}"),
            format!("\u{201c}{key}\u{201d}"),
            key.replace('-', "\u{2013}"),
            key.replace('-', "\u{2011}"),
            key.replace('-', " "),
            spaced,
            format!("{first}-\r\n   {second}"),
            format!("# created: 2026-06-17T12:00:00Z\n# public key: {}\n{key}\n", pair.public),
            format!("Private key: {key}\n    Write it down or print it."),
            format!("Chave privada: {key}"),
            key.replacen("KEY-1", "KEY-l", 1),
        ] {
            assert_eq!(public(&pasted), Ok(pair.public.clone()), "{pasted}");
            assert!(BackupSecret::is_whole_key(&pasted), "{pasted}");
        }
        // Letters that are read as others: all of them are in some key.
        let with = loop {
            let pair = KeyPair::generate();
            let letters = pair.private.text().get(16..).unwrap().to_owned();
            if "08L".chars().all(|letter| letters.contains(letter)) {
                break pair;
            }
        };
        for (right, typed) in [("0", "O"), ("8", "b"), ("L", "1"), ("L", "I")] {
            let (start, letters) = with.private.text().split_at(16);
            let typed = format!("{start}{}", letters.replace(right, typed));
            assert_eq!(public(&typed), Ok(with.public.clone()), "{typed}");
        }
    }

    #[test]
    fn a_wrong_private_key_is_refused_with_what_is_wrong() {
        let pair = KeyPair::generate();
        let key = pair.private.text();
        let other = if &key[30..31] == "Q" { "P" } else { "Q" };
        for (typed, fault) in [
            (String::new(), KeyFault::NoStart),
            ("correct horse battery".to_owned(), KeyFault::NoStart),
            (pair.public.clone(), KeyFault::NoStart),
            (key[..73].to_owned(), KeyFault::Short(57)),
            (format!("{}{other}{}", &key[..30], &key[31..]), KeyFault::Checksum),
            (format!("{}Ç{}", &key[..30], &key[31..]), KeyFault::Letter(31, "Ç".to_owned())),
        ] {
            assert_eq!(public(&typed), Err(fault), "{typed}");
        }
        assert!(!BackupSecret::is_whole_key(&key[..73]));
        let comments = format!("# created: 2026-06-17T12:00:00Z\n# public key: {}\n", pair.public);
        assert!(!BackupSecret::is_whole_key(&comments));
        assert!(BackupSecret::is_whole_key(&"x".repeat(74)), "a text that is no key is not waited for");
    }

    #[test]
    fn a_passphrase_is_tried_as_typed_first_and_then_in_other_spellings() {
        assert_eq!(spellings("brave zebras"), ["brave zebras"]);
        assert_eq!(
            spellings("a\u{e7}ai  roxo"),
            ["a\u{e7}ai  roxo", "ac\u{327}ai  roxo", "a\u{e7}ai roxo", "ac\u{327}ai roxo",]
        );
        let other = spellings("dois\u{a0}cafe\u{301}s\u{200b}");
        assert!(
            ["dois cafe\u{301}s", "dois caf\u{e9}s"].iter().all(|text| other.iter().any(|one| one == text))
        );
        assert_eq!(BackupSecret::new_passphrase("\u{feff}cafe\u{301} ").text(), "caf\u{e9}");
    }
}

//! The secrets that open encrypted backups: private keys and passphrases (always 44).

use std::fmt;

use age::scrypt;
use age::secrecy::{ExposeSecret, SecretString};
use age::x25519::Identity;
use serde::{Deserialize, Serialize};

use crate::domain::Lang;
use crate::domain::text::sentences::InSentence;

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

/// A passphrase, or a private key as age writes it (`AGE-SECRET-KEY-1…`). `Debug` does not show it.
#[derive(Clone, Debug)]
pub struct BackupSecret(SecretString);

impl BackupSecret {
    /// Length of a private key in characters.
    pub const KEY_LENGTH: usize = 74;

    /// Creates a secret from entered text, without the whitespace around it.
    pub fn new(text: &str) -> BackupSecret {
        BackupSecret(text.trim().to_owned().into())
    }

    pub fn text(&self) -> &str {
        self.0.expose_secret()
    }

    /// Returns the passphrase as a recipient.
    pub(super) fn recipient(&self) -> scrypt::Recipient {
        let mut recipient = scrypt::Recipient::new(self.0.clone());
        recipient.set_work_factor(WORK);
        recipient
    }

    /// Returns what opens a file. A private key may be typed in lower case and with spaces and line breaks. `None` if the
    /// text is no private key.
    pub(super) fn identity(&self, kind: Encryption) -> Option<Box<dyn age::Identity>> {
        Some(match kind {
            Encryption::Key => {
                let typed: String = self.text().split_whitespace().collect();
                Box::new(typed.to_uppercase().parse::<Identity>().ok()?)
            }
            Encryption::Passphrase => {
                let mut identity = scrypt::Identity::new(self.0.clone());
                identity.set_max_work_factor(MAX_WORK_FACTOR);
                Box::new(identity)
            }
        })
    }
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

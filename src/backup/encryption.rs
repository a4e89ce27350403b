//! The encryption of backups with age, so that copies may lie anywhere (always 44).
//!
//! An encrypted backup is the plain backup file as age encrypts it, after the metadata of [`About`] in clear: without
//! these nothing could be listed or thinned without the private key. They hold neither counts nor the checksum of the
//! database; their checksum is that of the encrypted bytes, so that an intact file can be told from a damaged one, and
//! a wrong key from both. `tail -c +1025 FILE | age -d | zstd -d` gives the database.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use age::secrecy::ExposeSecret;
use age::x25519::{Identity, Recipient};
use age::{DecryptError, Decryptor, Encryptor};
use ring::hmac;

use super::failed::Failed;
use super::file::{self, About, ENCRYPTED_FORM, HEAD, Hashed};
use super::secrets::{BackupSecret, Encryption};
use crate::domain::ContentHash;
use crate::domain::text::hex::hex;
use crate::files;

/// Extension of encrypted files, after that of the plain ones.
pub(super) const ENCRYPTED: &str = ".age";
/// The file in the data folder with the private key of the documents beside encrypted backups.
const DOCUMENTS_KEY: &str = "backup-documents.key";

/// Those who can open a new backup.
pub(super) struct Recipients {
    kind: Encryption,
    all: Vec<Box<dyn age::Recipient>>,
}

impl Recipients {
    /// Parses public keys. Returns `None` if there are none. Fails if a text is no public key.
    pub(super) fn of_keys(keys: &[String]) -> io::Result<Option<Recipients>> {
        let parse = |key: &String| key.parse::<Recipient>().map(|key| Box::new(key) as _);
        let all: Vec<_> = keys.iter().map(parse).collect::<Result<_, _>>().map_err(io::Error::other)?;
        Ok((!all.is_empty()).then_some(Recipients { kind: Encryption::Key, all }))
    }

    pub(super) fn of_passphrase(passphrase: &BackupSecret) -> Recipients {
        Recipients { kind: Encryption::Passphrase, all: vec![Box::new(passphrase.recipient())] }
    }
}

/// Encrypts the plain backup file `plain` into the empty file `to` and syncs it.
pub(super) fn encrypt(plain: &Path, about: About, recipients: &Recipients, mut to: &File) -> io::Result<()> {
    to.write_all(&[0; HEAD])?;
    let hashed = Hashed::new(BufWriter::new(to), |_| {});
    let encryptor = Encryptor::with_recipients(recipients.all.iter().map(|one| &**one));
    let mut encrypted = encryptor.map_err(io::Error::other)?.wrap_output(hashed)?;
    io::copy(&mut File::open(plain)?, &mut encrypted)?;
    let mut hashed = encrypted.finish()?;
    hashed.flush()?;
    let about = About {
        pleito_backup: ENCRYPTED_FORM,
        encryption: Some(recipients.kind),
        customers: None,
        lawsuits: None,
        documents_key: None,
        sha256: hashed.end().1,
        packed_bytes: to.stream_position()?,
        ..about
    };
    to.seek(SeekFrom::Start(0))?;
    to.write_all(&file::head(&about)?)?;
    files::sync(to)
}

/// Verifies the checksum of the encrypted bytes, which needs no secret. Returns the metadata in clear.
pub(super) fn verify_intact(path: &Path, on_progress: &dyn Fn(u64, u64)) -> Result<About, Failed> {
    let unreadable = |cause| Failed::File(path.to_owned(), cause);
    let mut file = File::open(path).map_err(unreadable)?;
    let about = file::read_head(&mut file).map_err(unreadable)?.ok_or_else(|| Failed::damaged(path))?;
    let mut hashed = Hashed::new(file, |done| on_progress(done, about.packed_bytes));
    io::copy(&mut hashed, &mut io::sink()).map_err(unreadable)?;
    let (bytes, sum) = hashed.end();
    let is_intact = bytes + HEAD as u64 == about.packed_bytes && sum == about.sha256;
    if is_intact { Ok(about) } else { Err(Failed::damaged(path)) }
}

/// Opens the plain backup file in an encrypted one of this `kind`. Fails with `Damaged` before the secret is tried, with
/// `Locked` if there is none, with `Mistyped` if it is no private key, and with `WrongSecret` if it opens another file.
pub(super) fn open(
    path: &Path,
    kind: Encryption,
    secret: Option<&BackupSecret>,
) -> Result<impl Read + use<>, Failed> {
    verify_intact(path, &|_, _| {})?;
    let unreadable = |cause| Failed::File(path.to_owned(), cause);
    let secret = secret.ok_or_else(|| Failed::Locked(path.to_owned(), kind))?;
    let identities = secret.identities(kind).map_err(|fault| Failed::Mistyped(path.to_owned(), fault))?;
    for identity in identities {
        let mut file = File::open(path).map_err(unreadable)?;
        file.seek(SeekFrom::Start(HEAD as u64)).map_err(unreadable)?;
        match decrypt(file, identity.as_ref()) {
            Ok(opened) => return Ok(opened),
            Err(
                DecryptError::DecryptionFailed
                | DecryptError::KeyDecryptionFailed
                | DecryptError::NoMatchingKeys,
            ) => {}
            Err(DecryptError::Io(cause)) if cause.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(unreadable(cause));
            }
            Err(_) => return Err(Failed::damaged(path)),
        }
    }
    Err(Failed::WrongSecret(path.to_owned(), kind))
}

fn decrypt(file: File, identity: &dyn age::Identity) -> Result<impl Read + use<>, DecryptError> {
    Decryptor::new_buffered(BufReader::new(file))?.decrypt(std::iter::once(identity))
}

/// The key of the documents beside the encrypted backups of one office. A content never changes, so it is encrypted once:
/// to a key of its own, which each encrypted backup contains, and not to the recipients, who may change. Its file is
/// named by a keyed hash, which tells nothing about the content.
pub(super) struct DocumentsKey(Identity);

impl DocumentsKey {
    /// Reads the key from the data folder, or makes it.
    pub(super) fn of(data: &Path) -> Result<DocumentsKey, Failed> {
        if let Some(key) = DocumentsKey::existing(data)? {
            return Ok(key);
        }
        let path = data.join(DOCUMENTS_KEY);
        let key = DocumentsKey(Identity::generate());
        files::replace(&path, key.text().as_bytes()).map_err(|cause| Failed::File(path, cause))?;
        Ok(key)
    }

    /// Reads the key from the data folder. `None` if there is none.
    pub(super) fn existing(data: &Path) -> Result<Option<DocumentsKey>, Failed> {
        let path = data.join(DOCUMENTS_KEY);
        let in_file = |cause| Failed::File(path.clone(), cause);
        match std::fs::read_to_string(&path) {
            Ok(text) => DocumentsKey::parse(&text)
                .map(Some)
                .ok_or_else(|| in_file(io::Error::new(io::ErrorKind::InvalidData, "not a private key"))),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(in_file(cause)),
        }
    }

    pub(super) fn parse(text: &str) -> Option<DocumentsKey> {
        text.trim().parse().ok().map(DocumentsKey)
    }

    /// Returns the private key for the metadata inside an encrypted backup.
    pub(super) fn text(&self) -> String {
        self.0.to_string().expose_secret().to_owned()
    }

    /// Returns the name of the file of a content.
    pub(super) fn file_name(&self, hash: &ContentHash) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.text().as_bytes());
        let tag = hmac::sign(&key, hash.as_str().as_bytes());
        hex(tag.as_ref()) + ENCRYPTED
    }

    /// Encrypts the rest of a file into the new private file `to` and syncs it.
    pub(super) fn encrypt(&self, from: &mut impl Read, to: &Path) -> io::Result<()> {
        let recipient = self.0.to_public();
        let to = files::create_private(to)?;
        let encryptor = Encryptor::with_recipients(std::iter::once(&recipient as _));
        let mut encrypted = encryptor.map_err(io::Error::other)?.wrap_output(BufWriter::new(to))?;
        io::copy(from, &mut encrypted)?;
        files::sync(&encrypted.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?)
    }

    /// Opens the content in a file. Fails with `InvalidData` if the file is altered.
    pub(super) fn open(&self, path: &Path) -> io::Result<impl Read + use<>> {
        decrypt(File::open(path)?, &self.0).map_err(|failed| match failed {
            DecryptError::Io(cause) => cause,
            altered => io::Error::new(io::ErrorKind::InvalidData, altered),
        })
    }
}

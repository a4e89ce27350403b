//! The file format of backups: metadata and packing.
//!
//! A backup is a zstd file, so `zstd -d` unpacks it to a plain SQLite database. Before the packed data is a
//! frame that zstd skips (RFC 8878, 3.1.2): the magic number 0x184D2A50 and the length 1,016, four
//! little-endian bytes each, then a JSON object padded with spaces. The object is [`About`].

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::secrets::Encryption;
use crate::domain::text::hex::hex;
use crate::files;
use crate::store::engine::copy::Contents;

pub(super) const MAGIC: [u8; 4] = 0x184D_2A50_u32.to_le_bytes();
/// Length of the whole skippable frame, in bytes.
pub(super) const HEAD: usize = 1024;
/// What stands before the checksum of the metadata, their last member.
const SUM: &str = ",\"sum\":\"";
/// Version of the file format. Incremented when current programs could no longer read the file.
pub(super) const FORM: u32 = 1;
/// Version of the file format of encrypted backups.
pub(super) const ENCRYPTED_FORM: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackupReason {
    Schedule,
    /// A request by a user or a command.
    #[serde(rename = "asked")]
    Requested,
    /// A restore, which keeps the replaced store.
    Replaced,
}

/// The metadata of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Version of the file format: 1, or 2 if the backup is encrypted.
    pub pleito_backup: u32,
    /// Version of the program that made the backup.
    pub version: String,
    pub made_at: Timestamp,
    pub reason: BackupReason,
    /// The backup with the higher number is newer, whatever the clocks showed. The number is higher than that
    /// of every backup in the folder at that time, and at least that of the store's newest change. `None` if
    /// a version without these numbers made the backup.
    pub sequence: Option<u64>,
    /// Identifies the data folder in which the backup was made. `None` if an earlier version made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<String>,
    /// The id of the office. `None` if it had none, or an earlier version made the backup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) office: Option<String>,
    /// Schema version of the store.
    pub schema: u32,
    /// What opens the backup, if it is encrypted. The checksum is that of the encrypted bytes then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encryption: Option<Encryption>,
    /// The private key of the documents beside an encrypted backup. Only the encrypted part has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) documents_key: Option<String>,
    /// The counts are missing if the backup is encrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customers: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lawsuits: Option<u64>,
    /// Length of the database in bytes.
    pub bytes: u64,
    /// SHA-256 of the database in hexadecimal.
    pub sha256: String,
    /// Length of the whole file in bytes. A shorter file was truncated.
    pub packed_bytes: u64,
}

impl About {
    /// Returns the metadata of a backup that is not packed yet.
    pub(super) fn new(contents: Contents, made_at: Timestamp, reason: BackupReason, sequence: u64) -> About {
        About {
            pleito_backup: FORM,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            made_at,
            reason,
            sequence: Some(sequence),
            place: None,
            office: None,
            schema: contents.schema,
            encryption: None,
            documents_key: None,
            customers: Some(contents.customers),
            lawsuits: Some(contents.lawsuits),
            bytes: 0,
            sha256: String::new(),
            packed_bytes: 0,
        }
    }

    /// Returns the numbers of customers and lawsuits. `None` if the backup is encrypted.
    pub fn counts(&self) -> Option<(u64, u64)> {
        self.customers.zip(self.lawsuits)
    }

    /// Returns the age of the backup. `None` if its date is after `now`, because the clock was ahead then or
    /// is behind now.
    pub fn age(&self, now: Timestamp) -> Option<Duration> {
        Duration::try_from(now.duration_since(self.made_at)).ok()
    }
}

/// Packs the copy of a store into the empty file `to` and syncs it. Reports the packed and the total bytes to
/// `on_progress`.
pub(super) fn pack(
    copy: &Path,
    mut about: About,
    mut to: &File,
    on_progress: &dyn Fn(u64, u64),
) -> io::Result<About> {
    // Reserves space for the metadata, which is known after packing.
    to.write_all(&[0; HEAD])?;
    let (copy, all) = (File::open(copy)?, std::fs::metadata(copy)?.len());
    let mut source = Hashed::new(copy, |done| on_progress(done, all));
    let mut packed = zstd::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?;
    packed.include_checksum(true)?;
    io::copy(&mut source, &mut packed)?;
    packed.finish()?;
    about.packed_bytes = to.stream_position()?;
    (about.bytes, about.sha256) = source.end();
    to.seek(SeekFrom::Start(0))?;
    to.write_all(&head(&about)?)?;
    files::sync(to)?;
    Ok(about)
}

pub(super) fn head(about: &About) -> io::Result<Vec<u8>> {
    let mut head = MAGIC.to_vec();
    head.extend(u32::try_from(HEAD - 8).unwrap_or_default().to_le_bytes());
    let mut json = serde_json::to_string(about)?;
    json.pop();
    let sum = short_hash(&json);
    head.extend(format!("{json}{SUM}{sum}\"}}").into_bytes());
    if head.len() > HEAD {
        return Err(io::Error::other("the head of the backup is too long"));
    }
    head.resize(HEAD, b' ');
    Ok(head)
}

/// Reads the metadata of a backup. Returns `None` if the file is not a complete backup.
pub(super) fn about(path: &Path) -> io::Result<Option<About>> {
    // Opening a named pipe would wait for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok(read_head(&mut file)?.filter(|about| about.packed_bytes == length))
}

pub(super) fn read_head(file: &mut impl Read) -> io::Result<Option<About>> {
    let mut head = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut head)?;
    let json = head.strip_prefix(&MAGIC[..]).filter(|_| head.len() == HEAD).and_then(|rest| rest.get(4..));
    let json = json.and_then(|json| std::str::from_utf8(json).ok());
    // Earlier versions wrote no checksum.
    let is_intact = |json: &&str| {
        json.rsplit_once(SUM)
            .is_none_or(|(before, sum)| sum.trim_end().trim_end_matches("\"}") == short_hash(before))
    };
    Ok(json.filter(is_intact).and_then(|json| serde_json::from_str(json).ok()))
}

/// Returns the first 16 hexadecimal digits of the SHA-256 of a text.
pub(super) fn short_hash(text: &str) -> String {
    hex(Sha256::digest(text).get(..8).unwrap_or_default())
}

/// A reader or writer that counts and hashes the bytes and reports their number.
pub(super) struct Hashed<S, T> {
    inner: S,
    on_progress: T,
    hash: Sha256,
    bytes: u64,
}

impl<S, T: Fn(u64)> Hashed<S, T> {
    pub(super) fn new(inner: S, on_progress: T) -> Hashed<S, T> {
        Hashed { inner, on_progress, hash: Sha256::new(), bytes: 0 }
    }

    fn count(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        (self.on_progress)(self.bytes);
    }

    pub(super) fn end(self) -> (u64, String) {
        (self.bytes, hex(&self.hash.finalize()))
    }
}

impl<R: Read, T: Fn(u64)> Read for Hashed<R, T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

impl<W: Write, T: Fn(u64)> Write for Hashed<W, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.count(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

//! The office's own certificate authority: made once, trusted once by everybody's machine, and what signs the
//! certificates that the server shows.
//!
//! Its key never leaves the machine and never goes on the wire. The certificates themselves are made anew at every start
//! and when the names change, and kept in memory only: a client trusts the authority, so nobody notices.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose,
};
use sha2::{Digest, Sha256};
use x509_parser::pem::parse_x509_pem;

use crate::config::dirs::write_whole;

/// The authority's certificate, which may be handed to anybody.
pub const CERTIFICATE: &str = "ca.pem";
/// Its key, which nobody else may read.
const KEY: &str = "ca.key";

const DAY: i64 = 24 * 60 * 60;
/// For how long an authority holds: ten years (product 5).
const AUTHORITY: i64 = 3652 * DAY;
/// For how long a certificate holds. Short, because it renews itself; Apple's systems take 825 days at the most.
const LEAF: i64 = 90 * DAY;
/// How long before its end something is made anew.
const AHEAD: i64 = 30 * DAY;
/// How far the clocks of the office may be behind this machine's.
const SKEW: i64 = DAY;

/// The authority.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
    until: i64,
}

/// A certificate for the server and its key, both in DER (the key as PKCS #8).
pub struct Leaf {
    /// The certificate.
    pub certificate: Vec<u8>,
    /// Its key.
    pub key: Vec<u8>,
    /// While the clock stands in here, in seconds since 1970, the certificate will do.
    pub good: Range<i64>,
}

impl Authority {
    /// The authority of that folder. One is made where there is none, or none that holds any longer; `machine` is for
    /// people to tell it from others by, and `now` is in seconds since 1970.
    ///
    /// # Errors
    /// Why its files cannot be read or written.
    pub fn open(folder: &Path, machine: &str, now: i64) -> io::Result<Authority> {
        match (read(&folder.join(CERTIFICATE))?, read(&folder.join(KEY))?) {
            (Some(certificate), Some(key)) => match Authority::parse(certificate, &key) {
                Some(authority) if now < authority.until => return Ok(authority),
                Some(_) => tracing::warn!("the certificate authority has come to its end; a new one is made"),
                None => tracing::warn!("the certificate authority is damaged; a new one is made"),
            },
            (None, None) => {}
            _ => tracing::warn!("half of the certificate authority is missing; a new one is made"),
        }
        Authority::make(folder, machine, now)
    }

    fn make(folder: &Path, machine: &str, now: i64) -> io::Result<Authority> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::default();
        let day = TimeZone::UTC.to_datetime(Timestamp::from_second(now).unwrap_or_default()).date();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, format!("Pleito {machine} {day}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        hold(&mut params, now - SKEW..now + AUTHORITY);
        let pem = params.self_signed(&key).map_err(io::Error::other)?.pem();
        // The key first: one without a certificate is made anew, a certificate without its key would be trusted in vain.
        write(&folder.join(KEY), &key.serialize_pem())?;
        write(&folder.join(CERTIFICATE), &pem)?;
        let issuer = Issuer::new(params, key);
        tracing::info!(fingerprint = fingerprint_of(&pem), "a certificate authority was made");
        Ok(Authority { issuer, pem, until: now + AUTHORITY })
    }

    /// None where the two are no authority or do not belong together.
    fn parse(pem: String, key: &str) -> Option<Authority> {
        let key = KeyPair::from_pem(key).ok()?;
        let (_, block) = parse_x509_pem(pem.as_bytes()).ok()?;
        let certificate = block.parse_x509().ok()?;
        if certificate.public_key().raw != rcgen::PublicKeyData::subject_public_key_info(&key) {
            return None;
        }
        let until = certificate.validity().not_after.timestamp();
        let issuer = Issuer::from_ca_cert_pem(&pem, key).ok()?;
        Some(Authority { issuer, pem, until })
    }

    /// The certificate in PEM.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Whether it is time for a new one.
    pub fn is_over(&self, now: i64) -> bool {
        now >= self.until
    }

    /// A certificate for a server of these names and addresses.
    ///
    /// # Errors
    /// Where a name is none, or the system has no randomness.
    pub fn issue(&self, names: Vec<String>, now: i64) -> io::Result<Leaf> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::new(names).map_err(io::Error::other)?;
        let until = (now + LEAF).min(self.until);
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "Pleito");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        hold(&mut params, now - SKEW..until);
        let certificate = params.signed_by(&key, &self.issuer).map_err(io::Error::other)?;
        // Where the authority itself ends soon, a certificate cannot be renewed ahead.
        let good = now - SKEW..(until - AHEAD).max(now + DAY).min(until);
        Ok(Leaf { certificate: certificate.der().to_vec(), key: key.serialize_der(), good })
    }
}

/// The fingerprint of the authority of that folder: SHA-256, as browsers and systems show it. None where there is none.
pub fn fingerprint(folder: &Path) -> Option<String> {
    fingerprint_of(&fs::read_to_string(folder.join(CERTIFICATE)).ok()?)
}

fn fingerprint_of(pem: &str) -> Option<String> {
    let (_, block) = parse_x509_pem(pem.as_bytes()).ok()?;
    let hash = Sha256::digest(&block.contents);
    Some(hash.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":"))
}

fn hold(params: &mut CertificateParams, time: Range<i64>) {
    let moment = |seconds| {
        rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
    };
    (params.not_before, params.not_after) = (moment(time.start), moment(time.end));
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        // What is no text is damaged, and said to be so by whoever parses it.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(cause),
    }
}

/// Puts a file in place for the user alone, whatever stood there and whoever might read that.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Err(cause) = fs::remove_file(path)
        && cause.kind() != io::ErrorKind::NotFound
    {
        return Err(cause);
    }
    write_whole(path, text)
}

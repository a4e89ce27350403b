//! The office's own certificate authority: created once, trusted once by every machine, and used to sign the
//! server's certificates.
//!
//! Its key never leaves the machine. The server certificates are renewed at every start and when the names
//! change, and are kept only in memory: clients trust the authority, so the renewal needs no action.
//!
//! A trusted authority is never discarded. If another one has to be created, the files of the previous one
//! are kept beside it. As soon as the previous one is valid again, because the clock was corrected or a file
//! was put back, it signs again.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose,
};
use x509_parser::pem::parse_x509_pem;

use super::root_certificate::{CERTIFICATE, Root, constraints};
use crate::domain::Day;
use crate::files;

/// The private key of the signing authority.
const KEY: &str = "ca.key";

/// Time from the creation of an authority to the end of its validity: ten years (product 5).
const AUTHORITY_SECONDS: i64 = 3652 * Day::SECONDS;
/// Start of every authority's validity, whenever it was made (2020-01-01). An authority made while the clock
/// is ahead is therefore valid once the clock is corrected, and also for clients whose clocks are behind.
const VALID_SINCE: i64 = 1_577_836_800;
/// Validity of a server certificate. Short, because renewal is automatic; Apple's systems accept at most 825
/// days.
const CERTIFICATE_SECONDS: i64 = 90 * Day::SECONDS;
/// Time before the end of its validity at which a certificate is renewed.
const RENEWAL_SECONDS: i64 = 30 * Day::SECONDS;
/// Difference by which clients' clocks may be behind this machine's.
const CLOCK_SKEW_SECONDS: i64 = Day::SECONDS;

pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    root: Root,
}

/// A server certificate and its key, both in DER (the key as PKCS #8).
pub struct Leaf {
    pub certificate: Vec<u8>,
    pub key: Vec<u8>,
    /// The time, in seconds since 1970, during which the certificate needs no renewal.
    pub validity_before_renewal: Range<i64>,
}

/// A certificate and its matching key, with their files.
struct Pair {
    files: [PathBuf; 2],
    authority: Authority,
}

impl Authority {
    /// Opens the authority of a folder. If several are valid, it is the one that ends first, because clients
    /// trust that one. If no authority is valid, creates one. `own` are the names and addresses of this
    /// machine; the first one appears in the name of the authority. `now` is in seconds since 1970.
    pub fn open(folder: &Path, own: &[String], now: i64) -> io::Result<Authority> {
        let in_place = in_place(folder);
        let pairs = pairs(folder)?;
        let is_any = !pairs.is_empty();
        let is_there = any_exists(&in_place);
        let valid = pairs.into_iter().filter(|pair| pair.authority.root.validity.contains(&now));
        let first = valid.min_by_key(|pair| (pair.authority.root.validity.end, pair.files != in_place));
        let Some(Pair { files, authority }) = first else {
            match is_any {
                true => tracing::warn!("the certificate authority is not valid now; creating a new one"),
                false if is_there => {
                    tracing::warn!("the certificate authority is damaged or incomplete; creating a new one");
                }
                false => {}
            }
            set_aside(folder, &[])?;
            return Authority::make(folder, own, now);
        };
        if files != in_place {
            tracing::warn!(
                fingerprint = authority.root.fingerprint,
                "the previous certificate authority is used again"
            );
            set_aside(folder, &files)?;
            for (kept, place) in files.iter().zip(&in_place).filter(|(kept, place)| kept != place) {
                fs::rename(kept, place)?;
            }
        }
        Ok(authority)
    }

    /// Reads the certificate of the folder's authority, valid or not, and changes nothing. Returns `None` if
    /// no authority exists yet. Fails with `InvalidData` if its files are damaged or do not match.
    pub fn read(folder: &Path) -> io::Result<Option<Root>> {
        let files = in_place(folder);
        if !any_exists(&files) {
            return Ok(None);
        }
        let [pem, key] = files.map(|file| read(&file));
        let authority = Authority::parse(&pem?, &key?).ok_or(io::ErrorKind::InvalidData)?;
        Ok(Some(authority.root))
    }

    fn make(folder: &Path, own: &[String], now: i64) -> io::Result<Authority> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::default();
        let day = TimeZone::UTC.to_datetime(Timestamp::from_second(now).unwrap_or_default()).date();
        let machine = own.first().map(String::as_str).unwrap_or_default();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, format!("Pleito {machine} {day}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        // A stolen key can impersonate the office's servers, but not other sites, and cannot sign programs.
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.name_constraints = Some(constraints(own));
        hold(&mut params, VALID_SINCE..now + AUTHORITY_SECONDS);
        let pem = params.self_signed(&key).map_err(io::Error::other)?.pem();
        let root = Root::parse(&pem).ok_or_else(|| io::Error::other("the new certificate cannot be read"))?;
        // The key first: a certificate without its key would be trusted in vain.
        let place = folder.join(KEY);
        files::replace(&place, key.serialize_pem().as_bytes())?;
        if let Err(cause) = files::replace(&folder.join(CERTIFICATE), pem.as_bytes()) {
            let _ = fs::remove_file(place);
            return Err(cause);
        }
        tracing::info!(fingerprint = root.fingerprint, "a certificate authority was made");
        Ok(Authority { issuer: Issuer::new(params, key), root })
    }

    /// Returns `None` if the two are not an authority or do not match.
    fn parse(pem: &str, key: &str) -> Option<Authority> {
        let key = KeyPair::from_pem(key).ok()?;
        let (_, block) = parse_x509_pem(pem.as_bytes()).ok()?;
        let certificate = block.parse_x509().ok()?;
        if certificate.public_key().raw != rcgen::PublicKeyData::subject_public_key_info(&key) {
            return None;
        }
        Some(Authority { issuer: Issuer::from_ca_cert_pem(pem, key).ok()?, root: Root::parse(pem)? })
    }

    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Issues a certificate for a server with these names and addresses, all of which the authority must
    /// permit. Fails if a name is invalid.
    pub fn issue(&self, names: Vec<String>, now: i64) -> io::Result<Leaf> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::new(names).map_err(io::Error::other)?;
        let end = self.root.validity.end;
        let until = (now + CERTIFICATE_SECONDS).min(end);
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "Pleito");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        hold(&mut params, now - CLOCK_SKEW_SECONDS..until);
        let certificate = params.signed_by(&key, &self.issuer).map_err(io::Error::other)?;
        // If the authority itself ends soon, the certificate cannot be renewed in advance.
        let validity_before_renewal =
            now - CLOCK_SKEW_SECONDS..(until - RENEWAL_SECONDS).max(now + Day::SECONDS).min(until);
        Ok(Leaf {
            certificate: certificate.der().to_vec(),
            key: key.serialize_der(),
            validity_before_renewal,
        })
    }
}

/// Finds the authorities in the folder: every certificate with its matching key, in place or set aside. File
/// names do not matter, because an interruption between two renames may have left a pair under different
/// names.
fn pairs(folder: &Path) -> io::Result<Vec<Pair>> {
    let mut certificates = Vec::new();
    let mut keys = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let [stem, end] =
            [path.file_stem(), path.extension()].map(|part| part.and_then(|part| part.to_str()));
        let text = match stem {
            Some("ca") => read(&path),
            // An unreadable file counts as empty, because it is not the one in use.
            Some(stem) if is_numbered(stem) => Ok(read(&path).unwrap_or_default()),
            _ => continue,
        };
        match end {
            Some("pem") => certificates.push((text?, path)),
            Some("key") => keys.push((text?, path)),
            _ => {}
        }
    }
    let all = certificates.iter().flat_map(|certificate| keys.iter().map(move |key| (certificate, key)));
    let pairs = all.filter_map(|((pem, certificate), (key, place))| {
        let authority = Authority::parse(pem, key)?;
        Some(Pair { files: [certificate.clone(), place.clone()], authority })
    });
    Ok(pairs.collect())
}

/// Renames the files in place to the next free number, except those in `except`.
fn set_aside(folder: &Path, except: &[PathBuf]) -> io::Result<()> {
    let aside = (1..).map(|number| set_aside_as(folder, number)).find(|files| !any_exists(files));
    for (place, aside) in in_place(folder).into_iter().zip(aside.into_iter().flatten()) {
        if place.exists() && !except.contains(&place) {
            fs::rename(place, aside)?;
        }
    }
    Ok(())
}

/// Returns the paths of the signing authority's certificate and key.
fn in_place(folder: &Path) -> [PathBuf; 2] {
    [CERTIFICATE, KEY].map(|name| folder.join(name))
}

/// Returns the paths of an authority that was set aside.
fn set_aside_as(folder: &Path, number: u32) -> [PathBuf; 2] {
    [format!("ca-{number}.pem"), format!("ca-{number}.key")].map(|name| folder.join(name))
}

fn is_numbered(stem: &str) -> bool {
    stem.strip_prefix("ca-").is_some_and(|number| number.parse::<u32>().is_ok())
}

fn any_exists(files: &[PathBuf]) -> bool {
    files.iter().any(|file| file.exists())
}

fn hold(params: &mut CertificateParams, time: Range<i64>) {
    let moment = |seconds| {
        rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
    };
    (params.not_before, params.not_after) = (moment(time.start), moment(time.end));
}

/// Returns an empty text if the file does not exist. Invalid UTF-8 is damage, which the parser rejects.
fn read(path: &Path) -> io::Result<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(cause) => Err(cause),
    }
}

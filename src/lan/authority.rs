//! The office's own certificate authority: made once, trusted once by everybody's machine, and what signs the
//! certificates that the server shows.
//!
//! Its key never leaves the machine and never goes on the wire. The certificates themselves are made anew at every start
//! and when the names change, and kept in memory only: a client trusts the authority, so nobody notices.
//!
//! What people trust is never thrown away. Where another authority has to be made, the files of the one before are kept
//! beside it, and as soon as that one holds again, because the clock was set right or a file was put back, it is the one
//! that signs.

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

use super::root::{CERTIFICATE, Root, constraints};
use crate::files;

/// The key of the authority that signs, which nobody else may read.
const KEY: &str = "ca.key";

const DAY: i64 = 24 * 60 * 60;
/// For how long an authority holds: ten years (product 5).
const AUTHORITY: i64 = 3652 * DAY;
/// Since when every authority holds, whenever it was made (2020-01-01): one that is made while the clock is ahead holds at
/// once when that is set right, and so it does for clients whose clocks are behind.
const SINCE: i64 = 1_577_836_800;
/// For how long a certificate holds. Short, because it renews itself; Apple's systems take 825 days at the most.
const LEAF: i64 = 90 * DAY;
/// How long before its end something is made anew.
const AHEAD: i64 = 30 * DAY;
/// How far the clocks of the office may be behind this machine's.
const SKEW: i64 = DAY;

/// The authority.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    root: Root,
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

/// A certificate and the key that goes with it, and the files where they are.
struct Pair {
    files: [PathBuf; 2],
    authority: Authority,
}

impl Authority {
    /// The authority of that folder: of those that hold, the one that ends first, for it is the one that people trust. One is
    /// made where none holds. `own` are the names and addresses of this machine; by the first of them people tell its
    /// authority from others. `now` is in seconds since 1970.
    ///
    /// # Errors
    /// Why its files cannot be read or written.
    pub fn open(folder: &Path, own: &[String], now: i64) -> io::Result<Authority> {
        let (in_place, pairs) = (in_place(folder), pairs(folder)?);
        let (is_any, is_there) = (!pairs.is_empty(), any_exists(&in_place));
        let holding = pairs.into_iter().filter(|pair| pair.authority.root.holds.contains(&now));
        let first = holding.min_by_key(|pair| (pair.authority.root.holds.end, pair.files != in_place));
        let Some(Pair { files, authority }) = first else {
            match is_any {
                true => tracing::warn!("the certificate authority does not hold now; a new one is made"),
                false if is_there => {
                    tracing::warn!("the certificate authority is damaged or incomplete; a new one is made");
                }
                false => {}
            }
            set_aside(folder, &[])?;
            return Authority::make(folder, own, now);
        };
        if files != in_place {
            tracing::warn!(
                fingerprint = authority.root.fingerprint,
                "the certificate authority from before is used again"
            );
            set_aside(folder, &files)?;
            for (kept, place) in files.iter().zip(&in_place).filter(|(kept, place)| kept != place) {
                fs::rename(kept, place)?;
            }
        }
        Ok(authority)
    }

    /// The certificate of the authority of that folder, whether or not it holds; none where there is no authority yet.
    /// Changes nothing.
    ///
    /// # Errors
    /// Why its files cannot be read; `InvalidData` where they are damaged or do not belong together.
    pub fn look(folder: &Path) -> io::Result<Option<Root>> {
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
        // Whoever gets hold of the key can pass for servers of the office, and neither for other sites nor sign programs.
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.name_constraints = Some(constraints(own));
        hold(&mut params, SINCE..now + AUTHORITY);
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

    /// None where the two are no authority or do not belong together.
    fn parse(pem: &str, key: &str) -> Option<Authority> {
        let key = KeyPair::from_pem(key).ok()?;
        let (_, block) = parse_x509_pem(pem.as_bytes()).ok()?;
        let certificate = block.parse_x509().ok()?;
        if certificate.public_key().raw != rcgen::PublicKeyData::subject_public_key_info(&key) {
            return None;
        }
        Some(Authority { issuer: Issuer::from_ca_cert_pem(pem, key).ok()?, root: Root::parse(pem)? })
    }

    /// Its certificate.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// A certificate for a server of these names and addresses, all of which the authority permits.
    ///
    /// # Errors
    /// Where a name is none, or the system has no randomness.
    pub fn issue(&self, names: Vec<String>, now: i64) -> io::Result<Leaf> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::new(names).map_err(io::Error::other)?;
        let end = self.root.holds.end;
        let until = (now + LEAF).min(end);
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

/// The authorities in the folder: each certificate with the key that goes with it, among those in place and those that were
/// set aside. Their names do not matter: who was interrupted between two files left one of them behind.
fn pairs(folder: &Path) -> io::Result<Vec<Pair>> {
    let (mut certificates, mut keys) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let [stem, end] =
            [path.file_stem(), path.extension()].map(|part| part.and_then(|part| part.to_str()));
        let text = match stem {
            Some("ca") => read(&path),
            // One that cannot be read is none: it is not the one in use.
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

/// Makes room for another authority: what is in place gets the next free number, but for the files to be kept there.
fn set_aside(folder: &Path, kept: &[PathBuf]) -> io::Result<()> {
    let aside = (1..).map(|number| set_aside_as(folder, number)).find(|files| !any_exists(files));
    for (place, aside) in in_place(folder).into_iter().zip(aside.into_iter().flatten()) {
        if place.exists() && !kept.contains(&place) {
            fs::rename(place, aside)?;
        }
    }
    Ok(())
}

/// The files of the authority that signs: its certificate and its key.
fn in_place(folder: &Path) -> [PathBuf; 2] {
    [CERTIFICATE, KEY].map(|name| folder.join(name))
}

/// Those of one that was set aside.
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

/// Empty where there is no such file. What is no text is damaged, and no authority to whoever parses it.
fn read(path: &Path) -> io::Result<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(cause) => Err(cause),
    }
}

//! The office's certificate authority when the clock jumps. An authority that clients trust is kept, and used again
//! as soon as the clock is right. Also tests the damage that a copied key can do.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use pleito::clock::{Clock, ClockFault};
use pleito::domain::Lang;
use pleito::lan::{LanError, LanState};
use pleito::progress::no_progress;
use pleito::supervisor::check::{CheckLines, CheckWanted, check};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{Error, RootCertStore};

use crate::console::visitor::Visitor;
use crate::network::{DAY, SHARED, health, now, set, shared};
use crate::office::{Office, UNLIMITED};

fn seconds(day: &str) -> u64 {
    at(day).as_second().try_into().unwrap()
}

fn at(day: &str) -> Timestamp {
    format!("{day}T12:00:00Z").parse().unwrap()
}

fn ca(office: &Office) -> String {
    office.raw("GET", "/ca.pem", &[], None).text()
}

/// Connects as a client whose clock is set to `at`, after the server has read its own clock. A host name that
/// is new to the server makes it issue a new certificate. Retries for 20 seconds before it returns a refusal.
fn health_with_new_certificate(office: &Office, at: u64) -> Result<(u16, String), String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("n{}.office.lan", COUNT.fetch_add(1, Ordering::Relaxed));
    let (deadline, mut answer) = (Instant::now() + Duration::from_secs(20), Err(String::new()));
    set(office, &format!("{SHARED}[server]\nhosts = [\"{name}\"]\n"), |office| {
        answer = health(office, &name, at);
        answer.is_ok() || Instant::now() > deadline
    });
    answer
}

#[test]
fn a_clock_jump_past_the_authoritys_expiry_and_back_keeps_the_trusted_authority() {
    let mut office = shared();
    let (trusted, today) = (ca(&office), now(&office));
    for year in ["2040-01-01", "2100-01-01", "1970-01-02"] {
        for restarts in [false, true] {
            office.clock.set(at(year));
            if restarts {
                office.restart();
            }
            // A client program writes while the clock is wrong. Before the program was built, nothing is stored.
            let body = serde_json::json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana Souza" });
            let status = office.post("/customers", &body).status;
            assert_eq!(status, if year == "1970-01-02" { 503 } else { 201 }, "{year}");
            assert_eq!(
                health_with_new_certificate(&office, today).unwrap().0,
                200,
                "{year}: a client with the right time"
            );
            assert_eq!(ca(&office), trusted, "{year}");
            office.clock.set(Timestamp::from_second(today.try_into().unwrap()).unwrap());
            if restarts {
                office.restart();
            }
            assert_eq!(
                health_with_new_certificate(&office, today).unwrap().0,
                200,
                "after the return from {year}"
            );
            assert_eq!(ca(&office), trusted, "after the return from {year}");
        }
    }
}

#[test]
fn a_first_start_with_a_wrong_clock_creates_an_authority_valid_at_the_right_time() {
    for wrong in ["1970-01-02", "2030-01-01", "2040-01-01", "2100-01-01"] {
        let office = Office::with(UNLIMITED);
        office.clock.set(at(wrong));
        set(&office, SHARED, |office| crate::network::port(office).is_some());
        let trusted = ca(&office);
        office.clock.set(at("2026-06-17"));
        let today = seconds("2026-06-17");
        assert_eq!(health_with_new_certificate(&office, today).unwrap().0, 200, "{wrong}");
        assert_eq!(ca(&office), trusted, "{wrong}");
        let (_, pem) = x509_parser::pem::parse_x509_pem(trusted.as_bytes()).unwrap();
        let certificate = pem.parse_x509().unwrap();
        let (from, until) = (certificate.validity().not_before, certificate.validity().not_after);
        assert!(from.timestamp() <= at("2020-01-01").as_second(), "{wrong}: {from}");
        let years = (until.timestamp() - at("2026-01-01").as_second()) / (365 * i64::try_from(DAY).unwrap());
        assert!((9..=14).contains(&years), "{wrong}: until {until}");
    }
}

/// Lists the files of authorities in the data folder, by name.
fn kept(office: &Office) -> Vec<String> {
    let files = std::fs::read_dir(office.folder()).unwrap().map(|file| file.unwrap().file_name());
    let mut names: Vec<_> =
        files.map(|name| name.into_string().unwrap()).filter(|name| name.starts_with("ca")).collect();
    names.sort();
    names
}

#[test]
fn an_authority_replaced_too_early_is_used_again_and_its_successor_later() {
    let mut office = shared();
    let (first, made) = (ca(&office), now(&office));
    // The office works for nine and a half years, so that the jump ahead is a plausible one.
    for _ in 0..3 {
        office.pass(1157 * DAY);
        office.customer("Ana Souza", serde_json::json!({}));
    }
    let (today, ahead) = (now(&office), made + 3660 * DAY);
    let set_clock =
        |office: &Office, to: u64| office.clock.set(Timestamp::from_second(to.try_into().unwrap()).unwrap());
    set_clock(&office, ahead);
    assert_eq!(health_with_new_certificate(&office, ahead).unwrap().0, 200);
    let second = ca(&office);
    assert_ne!(second, first);
    assert_eq!(kept(&office), ["ca-1.key", "ca-1.pem", "ca.key", "ca.pem"]);

    set_clock(&office, today);
    assert_eq!(health_with_new_certificate(&office, today).unwrap().0, 200);
    assert_eq!(ca(&office), first, "the running server uses the first authority again");
    set_clock(&office, ahead);
    office.restart();
    assert_eq!(ca(&office), second, "after a restart, the server uses the second one again");
    set_clock(&office, today);
    office.restart();
    assert_eq!(ca(&office), first);
    assert_eq!(std::fs::read_to_string(office.folder().join("ca.pem")).unwrap(), first);

    // The first authority expires now. Clients that already trust the second one need not trust a third.
    office.pass(ahead - today);
    assert_eq!(health_with_new_certificate(&office, ahead).unwrap().0, 200);
    assert_eq!(ca(&office), second);
    assert_eq!(kept(&office), ["ca-1.key", "ca-1.pem", "ca.key", "ca.pem"]);
}

#[test]
fn files_of_an_authority_are_found_again_after_a_crash_or_when_put_back() {
    let mut office = shared();
    let trusted = ca(&office);
    let path = |office: &Office, name: &str| office.folder().join(name);
    // Simulates a crash between renaming the two files of an authority.
    for name in ["ca.key", "ca.pem"] {
        std::fs::rename(path(&office, name), path(&office, &name.replace("ca", "ca-1"))).unwrap();
        office.restart();
        assert_eq!(ca(&office), trusted, "{name}");
        assert_eq!(kept(&office), ["ca.key", "ca.pem"]);
    }
    // The key is lost, and a day later the server restarts. It keeps the certificate and uses the certificate
    // again once the key is back.
    let key = std::fs::read(path(&office, "ca.key")).unwrap();
    std::fs::remove_file(path(&office, "ca.key")).unwrap();
    office.pass(DAY);
    office.restart();
    assert_ne!(ca(&office), trusted);
    assert_eq!(kept(&office), ["ca-1.pem", "ca.key", "ca.pem"]);
    std::fs::write(path(&office, "ca-1.key"), key).unwrap();
    office.restart();
    assert_eq!(ca(&office), trusted);
    assert_eq!(health(&office, "pleito.local", now(&office)).unwrap().0, 200);
}

/// Writes an authority as earlier versions created it: valid from `day` for ten years, and for every name.
fn write_earlier_authority(folder: &std::path::Path, day: (i32, u8, u8)) {
    let (mut params, key) = (CertificateParams::default(), KeyPair::generate().unwrap());
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "Pleito pc");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.not_before = date_time_ymd(day.0, day.1, day.2);
    params.not_after = date_time_ymd(day.0 + 10, day.1, day.2);
    std::fs::write(folder.join("ca.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
    std::fs::write(folder.join("ca.key"), key.serialize_pem()).unwrap();
}

/// Verifies a server certificate for `name` that is signed with a copy of the folder's key, as a client that
/// trusts the folder's authority does.
fn verify_for(folder: &std::path::Path, name: &str) -> Result<(), Error> {
    let read = |file| std::fs::read_to_string(folder.join(file)).unwrap();
    let (root, now) =
        (read("ca.pem"), UnixTime::since_unix_epoch(Duration::from_secs(seconds("2026-06-17"))));
    let issuer = Issuer::from_ca_cert_pem(&root, KeyPair::from_pem(&read("ca.key")).unwrap()).unwrap();
    let mut params = CertificateParams::new([name.to_owned()]).unwrap();
    (params.not_before, params.not_after) = (date_time_ymd(2026, 6, 1), date_time_ymd(2026, 7, 1));
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let certificate = params.signed_by(&KeyPair::generate().unwrap(), &issuer).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(root.as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    verifier.verify_server_cert(certificate.der(), &[], &name, &[], now).map(|_| ())
}

#[test]
fn a_copied_key_can_only_certify_servers_of_the_local_network() {
    let office = Office::with(&format!("{SHARED}[server]\nhosts = [\"srv.office.example\"]\n{UNLIMITED}"));
    for own in ["pleito.local", "pc.office.lan", "192.168.0.10", "fd00::1", "srv.office.example"] {
        verify_for(office.folder(), own).unwrap();
    }
    for other in ["bank.example", "www.google.com", "office.example", "8.8.8.8", "2001:4860:4860::8888"] {
        let refused = verify_for(office.folder(), other).unwrap_err();
        assert!(
            matches!(refused, Error::InvalidCertificate(_)) && refused.to_string().contains("NameConstraint"),
            "{other}: {refused}"
        );
    }
    // The verifier accepts an authority without name constraints.
    let before = tempfile::tempdir().unwrap();
    write_earlier_authority(before.path(), (2026, 6, 1));
    verify_for(before.path(), "bank.example").unwrap();
}

#[test]
fn an_authority_of_an_earlier_version_is_kept_and_certifies_every_name() {
    let mut office = Office::with(UNLIMITED);
    write_earlier_authority(office.folder(), (2026, 6, 1));
    let trusted = std::fs::read_to_string(office.folder().join("ca.pem")).unwrap();
    office.set(&format!("{SHARED}[server]\nhosts = [\"srv.office.example\"]\n{UNLIMITED}"));
    office.restart();
    assert_eq!(ca(&office), trusted);
    assert_eq!(health(&office, "srv.office.example", now(&office)).unwrap().0, 200);
    assert!(office.lan().left_out.is_empty());
}

#[test]
fn a_name_the_authority_does_not_permit_is_left_out_and_reported() {
    let mut office = shared();
    let trusted = ca(&office);
    let hosts = format!("{SHARED}[server]\nhosts = [\"srv.office.example\", \"203.0.113.7\"]\n");
    set(&office, &hosts, |office| office.lan().left_out.contains(&"srv.office.example".to_owned()));
    assert_eq!(health(&office, "pleito.local", now(&office)).unwrap().0, 200);
    assert!(health(&office, "srv.office.example", now(&office)).unwrap_err().contains("not valid for name"));
    let message = checked(&office, "network").unwrap_err();
    assert!(
        message.contains("does not permit") && message.contains("203.0.113.7 srv.office.example"),
        "{message}"
    );

    // To get the names certified, the user deletes the authority, and the server creates a new one.
    for file in ["ca.pem", "ca.key"] {
        std::fs::remove_file(office.folder().join(file)).unwrap();
    }
    office.restart();
    assert_ne!(ca(&office), trusted);
    assert_eq!(health(&office, "srv.office.example", now(&office)).unwrap().0, 200);
    assert_eq!(health(&office, "203.0.113.7", now(&office)).unwrap().0, 200);
    checked(&office, "network").unwrap();
}

/// Returns the result of `pleito check` for one point, by the office's clock.
fn checked(office: &Office, point: &str) -> Result<String, String> {
    checked_by(office, &office.clock, point)
}

/// Like [`checked`], by a clock that differs from the server's.
fn checked_by(office: &Office, clock: &Clock, point: &str) -> Result<String, String> {
    let lines = CheckLines { token_new: "", webhooks_resume: "", key_revoke: "" };
    let findings = check(&office.config(), clock, &lines, CheckWanted::default(), &no_progress(), Lang::En);
    let finding = findings.into_iter().find(|finding| finding.point == point).unwrap();
    if finding.ok { Ok(finding.text) } else { Err(finding.text) }
}

/// Opens the network listener at a port that is in the settings, so that a command can find it.
fn open_at_a_known_port(office: &Office) {
    // Another process may take the free port first, so this retries.
    let mut is_open = false;
    for _ in 0..20 {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        set(office, &format!("[lan]\nlisten = \"{free}\"\ndiscovery = false\n"), |office| {
            match &office.lan().state {
                LanState::Open(address) => {
                    is_open = *address == free;
                    is_open
                }
                LanState::Failed(LanError::Address(address, ..)) => *address == free,
                _ => false,
            }
        });
        if is_open {
            return;
        }
    }
    panic!("no free port was left");
}

#[test]
fn check_reports_what_a_client_would_refuse() {
    let mut office = Office::with(UNLIMITED);
    open_at_a_known_port(&office);
    let message = checked(&office, "network").unwrap();
    assert!(message.contains("until 2036-06-16") && !message.contains("could not be verified"), "{message}");
    assert_eq!(checked(&office, "clock").unwrap(), "2026-06-17 12:00");

    for (day, network, clock) in [
        ("2027-01-01", "that the server shows has expired, by this machine's clock", None),
        ("2026-01-02", "that the server shows does not hold yet, by this machine's clock", None),
        (
            "2040-01-01",
            "came to its end on 2036-06-16, and by this machine's clock it is 2040-01-01",
            Some("is ahead"),
        ),
        (
            "1970-01-02",
            "holds only from 2020-01-01, and by this machine's clock it is 1970-01-02",
            Some("is behind"),
        ),
    ] {
        let wrong = Clock::set_to(at(day));
        let message = checked_by(&office, &wrong, "network").unwrap_err();
        assert!(message.contains(network), "{day}: {message}");
        let message = checked_by(&office, &wrong, "clock");
        assert!(
            clock.map_or(message.is_ok(), |clock| message
                .clone()
                .is_err_and(|message| message.contains(clock))),
            "{message:?}"
        );
    }

    // Replaces the files of the authority that signs with those of another one, then damages them.
    let (own, other) = (office.folder().join("ca.pem"), shared().stopped());
    for file in ["ca.pem", "ca.key"] {
        std::fs::copy(other.path().join(file), office.folder().join(file)).unwrap();
    }
    assert!(checked(&office, "network").unwrap_err().contains("another authority than the one in ca.pem"));
    std::fs::write(&own, "-----BEGIN").unwrap();
    assert!(checked(&office, "network").unwrap_err().contains("are no pair"));
    std::fs::remove_file(&own).unwrap();
    assert!(checked(&office, "network").unwrap_err().contains("are no pair"));
    office.restart();
    checked(&office, "network").unwrap();
}

#[test]
fn check_reports_records_dated_in_the_future() {
    let office = Office::new();
    let earlier = Clock::set_to(at("2026-06-16"));
    let message = checked_by(&office, &earlier, "clock").unwrap();
    assert_eq!(message, "2026-06-16 09:00; records are dated after that, up to 2026-06-17 12:00");
}

#[test]
fn an_implausible_clock_is_reported_in_the_console() {
    let mut office = shared();
    let warning = |office: &Office| {
        let page = Visitor::new(office).page("");
        (page.contains("clock is ahead") || page.contains("está adiantado"), office.lan().clock)
    };
    assert_eq!(warning(&office), (false, None));
    let today = office.clock.now();
    office.clock.set(at("2040-01-01"));
    office.restart();
    assert_eq!(warning(&office), (true, Some(ClockFault::Ahead)));
    office.clock.set(today);
    assert_eq!(health_with_new_certificate(&office, now(&office)).unwrap().0, 200);
    assert_eq!(warning(&office), (false, None));
}

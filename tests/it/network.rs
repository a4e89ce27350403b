//! The LAN listener: TLS with the office's own authority, opened and closed while the server runs (product 5).
//! The end-to-end tests cover several machines, real names and hostile neighbours.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pleito::lan::{LanState, Root};
use serde_json::json;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::time_provider::TimeProvider;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, ProtocolVersion, RootCertStore, StreamOwned};

use crate::console::visitor::Visitor;
use crate::office::{Office, Reply, UNLIMITED};
use crate::program::{Program, new_token, run, run_with, streams};
use crate::wait::{MAX_WAIT, wait_until};
use crate::wire::Wire;

pub const SHARED: &str = "[lan]\nlisten = \"127.0.0.1:0\"\ndiscovery = false\n";
pub const DAY: u64 = 24 * 60 * 60;

pub fn shared() -> Office {
    Office::with(&format!("{SHARED}{UNLIMITED}"))
}

/// Writes the settings file and waits until the server has applied it and `until` returns `true`.
pub fn set(office: &Office, settings: &str, mut until: impl FnMut(&Office) -> bool) {
    office.set(&format!("{settings}{UNLIMITED}"));
    office.pass(2);
    wait_until(MAX_WAIT, "the server has applied the settings", || {
        assert_eq!(office.raw("GET", "/health", &[], None).status, 200);
        until(office).then_some(())
    });
}

pub fn port(office: &Office) -> Option<SocketAddr> {
    if let LanState::Open(address) = office.lan().state { Some(address) } else { None }
}

/// The clock of the client's machine, in seconds since 1970.
#[derive(Debug)]
struct Calendar(u64);

impl TimeProvider for Calendar {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(Duration::from_secs(self.0)))
    }
}

pub fn now(office: &Office) -> u64 {
    office.clock.now().as_second().try_into().unwrap()
}

/// TLS settings of a client that trusts the authority and whose clock shows `at`.
pub fn client(authority: &str, at: u64, protocols: &[&[u8]]) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.as_bytes()).unwrap()).unwrap();
    let config =
        ClientConfig::builder_with_details(Arc::new(ring::default_provider()), Arc::new(Calendar(at)));
    let config = config.with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|one| one.to_vec()).collect();
    Arc::new(config)
}

pub type Stream = StreamOwned<ClientConnection, TcpStream>;

/// Connects and completes the TLS handshake. Returns the client's reason if it refuses the server.
pub fn connect(address: SocketAddr, name: &str, config: Arc<ClientConfig>) -> Result<Stream, String> {
    shake_hands(TcpStream::connect(address).unwrap(), name, config)
}

/// Connects from another address of this machine.
pub fn connect_from(
    own: IpAddr,
    address: SocketAddr,
    name: &str,
    config: Arc<ClientConfig>,
) -> Result<Stream, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let socket = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind((own, 0).into()).unwrap();
        socket.connect(address).await.unwrap().into_std().unwrap()
    });
    socket.set_nonblocking(false).unwrap();
    shake_hands(socket, name, config)
}

fn shake_hands(socket: TcpStream, name: &str, config: Arc<ClientConfig>) -> Result<Stream, String> {
    let name = ServerName::try_from(name.to_owned()).unwrap();
    socket.set_read_timeout(Some(MAX_WAIT)).unwrap();
    let mut stream = StreamOwned::new(ClientConnection::new(config, name).unwrap(), socket);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock).map_err(|cause| cause.to_string())?;
    }
    Ok(stream)
}

fn ask(stream: &mut Stream, head: &str, body: &str) -> (u16, String) {
    let length = body.len();
    // In one piece: a server that refuses the head may close before it has read the rest.
    let request = format!("{head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    // Fails if the connection ends without a TLS close-notify alert, because the response could have been cut off.
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
}

/// Requests `GET /health` as a client on the LAN. Fails if the LAN listener is closed or the client refuses the
/// server.
pub fn health(office: &Office, name: &str, at: u64) -> Result<(u16, String), String> {
    let authority = office.raw("GET", "/ca.pem", &[], None).text();
    // The LAN listener may be reopening.
    let address = port(office).ok_or("the network is closed")?;
    let mut stream = connect(address, name, client(&authority, at, &[]))?;
    Ok(ask(&mut stream, &format!("GET /health HTTP/1.1\r\nHost: {name}"), ""))
}

/// Sends a request without a body to the LAN listener, as a client that trusts the authority. `line` is its method
/// and path.
pub fn on_network(office: &Office, line: &str, headers: &str) -> (u16, String) {
    send_on_network(office, line, headers, "")
}

/// Like [`on_network`], with a body.
pub fn send_on_network(office: &Office, line: &str, headers: &str, body: &str) -> (u16, String) {
    let authority = office.raw("GET", "/ca.pem", &[], None).text();
    let mut stream =
        connect(port(office).unwrap(), "pleito.local", client(&authority, now(office), &[])).unwrap();
    ask(&mut stream, format!("{line} HTTP/1.1\r\nHost: pleito.local\r\n{headers}").trim_end(), body)
}

#[test]
fn a_client_that_trusts_the_authority_creates_a_customer_by_host_name() {
    let office = shared();
    let ca = office.raw("GET", "/ca.pem", &[], None);
    assert_eq!((ca.status, ca.header("content-type")), (200, "application/x-x509-ca-cert"));
    assert_eq!(office.raw("GET", "/ca.crt", &[], None).bytes, ca.bytes);
    let config = client(&ca.text(), now(&office), &[]);
    let mut stream = connect(port(&office).unwrap(), "pleito.local", config).unwrap();
    assert_eq!(stream.conn.protocol_version(), Some(ProtocolVersion::TLSv1_3));
    let head = format!(
        "POST /api/v1/customers HTTP/1.1\r\nHost: pleito.local:8744\r\nAuthorization: Bearer {}",
        office.token
    );
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana Souza" }).to_string();
    let (status, answer) = ask(&mut stream, &head, &body);
    assert_eq!(status, 201, "{answer}");
    assert_eq!(office.get("/customers").json()["data"][0]["name"], "Ana Souza");
}

#[test]
fn clients_refuse_wrong_names_foreign_authorities_and_times_outside_the_validity() {
    let office = shared();
    let (now, address) = (now(&office), port(&office).unwrap());
    for name in ["pleito.local", "localhost", "127.0.0.1"] {
        assert_eq!(health(&office, name, now).unwrap(), (200, "{\"status\":\"ok\"}".to_owned()), "{name}");
    }
    assert!(health(&office, "pleito.example", now).unwrap_err().contains("not valid for name"));
    assert!(health(&office, "192.0.2.7", now).unwrap_err().contains("not valid for name"));
    assert!(health(&office, "pleito.local", now + 91 * DAY).unwrap_err().contains("expired"));
    assert!(health(&office, "pleito.local", now - 2 * DAY).unwrap_err().contains("not valid yet"));
    let foreign = shared().raw("GET", "/ca.pem", &[], None).text();
    let refused = connect(address, "pleito.local", client(&foreign, now, &[])).unwrap_err();
    // Both authorities have the same name, made from machine and day. Only their keys differ.
    assert!(refused.contains("invalid peer certificate: BadSignature"), "{refused}");
}

#[test]
fn http_2_is_used_if_the_client_offers_it() {
    let office = shared();
    let authority = office.raw("GET", "/ca.pem", &[], None).text();
    let negotiated = |protocols: &[&[u8]]| {
        let config = client(&authority, now(&office), protocols);
        let stream = connect(port(&office).unwrap(), "localhost", config)?;
        Ok::<_, String>(stream.conn.alpn_protocol().map(<[u8]>::to_vec))
    };
    assert_eq!(negotiated(&[b"h2", b"http/1.1"]).unwrap().unwrap(), b"h2");
    assert_eq!(negotiated(&[b"http/1.1"]).unwrap().unwrap(), b"http/1.1");
    assert_eq!(negotiated(&[]).unwrap(), None);
    assert!(negotiated(&[b"spdy/1"]).is_err());
}

/// Regression: the response to HEAD had a body over HTTP/2, which clients treat as a protocol error.
#[test]
fn a_response_to_head_over_http_2_has_no_body() {
    let office = shared();
    let config = client(&office.raw("GET", "/ca.pem", &[], None).text(), now(&office), &[b"h2"]);
    for path in ["/docs", "/health"] {
        let mut stream = connect(port(&office).unwrap(), "localhost", config.clone()).unwrap();
        // A HEAD request for the path over HTTPS on the first stream (RFC 9113, 4.1; RFC 7541, 6.2.2).
        let head = [
            &b"\x02\x04HEAD\x87\x04"[..],
            &[path.len().try_into().unwrap()],
            path.as_bytes(),
            b"\x01\x09localhost",
        ]
        .concat();
        stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
        stream
            .write_all(&[&[0, 0, head.len().try_into().unwrap(), 1, 5, 0, 0, 0, 1], &head[..]].concat())
            .unwrap();
        let (kind, flags) = loop {
            let mut frame = [0; 9];
            stream.read_exact(&mut frame).unwrap();
            stream.read_exact(&mut vec![0; usize::from(frame[2])]).unwrap();
            if frame[8] == 1 {
                break (frame[3], frame[4]);
            }
        };
        assert_eq!((kind, flags & 1), (1, 1), "{path}: the HEADERS frame ends the stream");
    }
}

#[test]
fn both_listeners_refuse_requests_for_other_hosts() {
    let office = shared();
    let config = client(&office.raw("GET", "/ca.pem", &[], None).text(), now(&office), &[]);
    for (host, status) in
        [("pleito.local", 200), ("127.0.0.1:8744", 200), ("evil.example", 421), ("192.0.2.1", 421)]
    {
        let mut stream = connect(port(&office).unwrap(), "pleito.local", config.clone()).unwrap();
        let head = format!("GET /health HTTP/1.1\r\nHost: {host}");
        assert_eq!(ask(&mut stream, &head, "").0, status, "{host}");
    }
    // The loopback listener does not accept the network's host names.
    for (host, status) in [("localhost", 200), ("pleito.local", 421), ("evil.example", 421)] {
        assert_eq!(office.raw("GET", "/health", &[("host", host)], None).status, status, "{host}");
    }
}

#[test]
fn the_console_and_the_backups_are_not_available_on_the_lan() {
    let office = shared();
    let config = client(&office.raw("GET", "/ca.pem", &[], None).text(), now(&office), &[]);
    // Not even the cookie of an open session gives access from the LAN.
    let cookie = Visitor::new(&office).cookie;
    assert_eq!(office.raw("GET", "/console/backups", &[("cookie", &cookie)], None).status, 200);
    for line in
        ["GET /console", "GET /console/backups", "GET /console/backups/file?name=x", "POST /console/backups"]
    {
        let mut stream = connect(port(&office).unwrap(), "pleito.local", config.clone()).unwrap();
        let head = format!("{line} HTTP/1.1\r\nHost: pleito.local\r\nCookie: {cookie}");
        assert_eq!(ask(&mut stream, &head, "").0, 404, "{line}");
    }
}

/// Regression: a person who opened the console's address on the LAN got the API's JSON error.
#[test]
fn a_browser_on_the_lan_gets_a_page_that_explains_the_server_and_links_to_trust() {
    let office = shared();
    let get = |path: &str, headers: &str| on_network(&office, &format!("GET {path}"), headers);
    for (path, status) in [("/", 200), ("/console", 404)] {
        for (language, sentence) in
            [("pt-BR", "Este é o servidor do escritório"), ("en", "This is the office's server")]
        {
            let page = get(path, &format!("Accept: text/html\r\nAccept-Language: {language}"));
            assert!(
                page.0 == status && page.1.contains(sentence) && page.1.contains("\"/trust\""),
                "{path}: {page:?}"
            );
        }
    }
    // Programs get a redirect or a JSON error, and a browser on this machine gets the redirect.
    assert_eq!(get("/", "Accept: */*").0, 303);
    assert!(get("/console", "Accept: */*").1.contains("\"error\""));
    assert_eq!(office.raw("GET", "/", &[("accept", "text/html")], None).header("location"), "/docs");
}

#[test]
fn the_authority_is_kept_for_ten_years_and_its_key_is_private() {
    let mut office = shared();
    let ca = |office: &Office| office.raw("GET", "/ca.pem", &[], None).text();
    let first = ca(&office);
    let print = Root::read(office.folder()).unwrap().fingerprint;
    assert_eq!((print.len(), print.matches(':').count()), (95, 31));
    #[cfg(unix)]
    for file in ["ca.key", "ca.pem"] {
        let mode = office.folder().join(file).metadata().unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777, 0o600, "{file}");
    }
    office.restart();
    assert_eq!(ca(&office), first);
    // The office adds records meanwhile, since a clock that is years ahead of the newest record is not trusted.
    for _ in 0..3 {
        office.pass(3 * 365 * DAY);
        office.customer("Ana Souza", json!({}));
    }
    office.restart();
    assert_eq!(ca(&office), first);
    assert_eq!(health(&office, "pleito.local", now(&office)).unwrap().0, 200);

    office.pass(2 * 365 * DAY);
    office.restart();
    let second = ca(&office);
    assert_ne!(second, first);
    assert_eq!(health(&office, "pleito.local", now(&office)).unwrap().0, 200);

    // An incomplete authority, a damaged one and one with a foreign key are replaced.
    let (key, certificate) = (office.folder().join("ca.key"), office.folder().join("ca.pem"));
    let other = shared().stopped();
    let damages: [&dyn Fn(); 4] = [
        &|| std::fs::remove_file(&key).unwrap(),
        &|| std::fs::write(&certificate, &std::fs::read(&certificate).unwrap()[..200]).unwrap(),
        &|| std::fs::write(&key, [0xff; 100]).unwrap(),
        &|| _ = std::fs::copy(other.path().join("ca.key"), &key).unwrap(),
    ];
    for damage in damages {
        let before = ca(&office);
        damage();
        office.restart();
        assert_ne!(ca(&office), before);
        assert_eq!(health(&office, "pleito.local", now(&office)).unwrap().0, 200);
    }
}

#[test]
fn the_certificate_is_renewed_and_gets_new_names_while_the_server_runs() {
    let office = shared();
    let address = port(&office);
    let authority = office.raw("GET", "/ca.pem", &[], None).text();
    assert!(health(&office, "pleito.office.lan", now(&office)).is_err());
    let hosts = |name: &str| format!("{SHARED}[server]\nhosts = [\"{name}\"]\n");
    set(&office, &hosts("pleito.office.lan"), |office| {
        health(office, "pleito.office.lan", now(office)).is_ok()
    });

    // Two months later the certificate is renewed, well before it expires. The first certificate would no
    // longer be valid at `first + 100 days`.
    let first = now(&office);
    office.pass(61 * DAY);
    set(&office, &hosts("pleito.escritorio.lan"), |office| {
        health(office, "pleito.local", first + 100 * DAY).is_ok()
    });
    assert_eq!(office.raw("GET", "/ca.pem", &[], None).text(), authority);
    assert_eq!(port(&office), address, "the listener stays open");
}

#[test]
fn switching_the_lan_listener_does_not_interrupt_local_clients() {
    let office = Office::new();
    assert_eq!(office.lan().state, LanState::Off);
    office.raw("GET", "/ca.pem", &[], None).problem(404, "not-found");
    let mut local = Wire::to(office.address());
    let mut answers = || {
        local.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!(local.answer().status, 200);
    };
    answers();
    for _ in 0..2 {
        set(&office, SHARED, |office| port(office).is_some());
        answers();
        let address = port(&office).unwrap();
        assert_eq!(health(&office, "pleito.local", now(&office)).unwrap().0, 200);
        let authority = office.raw("GET", "/ca.pem", &[], None).text();
        let mut idle = connect(address, "localhost", client(&authority, now(&office), &[])).unwrap();

        set(&office, "[lan]\nenabled = false\n", |office| office.lan().state == LanState::Off);
        answers();
        assert!(TcpStream::connect(address).is_err() || Wire::to(address).is_over());
        assert!(!idle.read(&mut [0]).is_ok_and(|read| read > 0), "an idle connection from the LAN is closed");
    }
}

#[test]
fn a_lan_port_that_is_in_use_is_reported_and_tried_again() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let settings = format!("[lan]\nlisten = \"{address}\"\ndiscovery = false\n");
    let office = Office::with(&format!("{settings}{UNLIMITED}"));
    let health = || office.raw("GET", "/health", &[], None).json();
    assert_eq!(health(), json!({ "status": "ok", "lan": "port-in-use" }));
    assert_eq!(office.get("/settings").status, 200);
    let output = run(office.folder(), &["check"]);
    // The command's own settings have another port, so the state that it prints comes from the server.
    assert!(streams(&output).0.contains("is in use by another program"), "{output:?}");
    drop(taken);
    set(&office, &format!("{settings}[server]\nhosts = [\"a\"]\n"), |office| port(office) == Some(address));
    assert_eq!(health(), json!({ "status": "ok" }));
}

#[test]
fn commands_show_the_fingerprint_of_the_authority() {
    let folder = tempfile::tempdir().unwrap();
    let _program = Program::serve(folder.path(), &[]);
    let print = Root::read(folder.path()).unwrap().fingerprint;
    for arguments in [&["check"][..], &["check", "--json"], &["config"], &["config", "--json"]] {
        let (out, _) = streams(&run(folder.path(), arguments));
        assert!(out.contains(&print), "{arguments:?}: {out}");
    }
}

#[test]
fn each_check_warns_of_plain_http_on_the_lan() {
    let folder = tempfile::tempdir().unwrap();
    let checked = |listen: &str| {
        let variables = [("PLEITO_SERVER_LISTEN", listen), ("PLEITO_SERVER_PLAIN_HTTP_ON_LAN", "true")];
        streams(&run_with(folder.path(), &["check"], &variables)).0
    };
    assert!(checked("0.0.0.0:0").contains("without encryption"));
    assert!(!checked("127.0.0.1:0").contains("without encryption"));
}

#[test]
fn no_token_is_written_to_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::serve(folder.path(), &[("PLEITO_LOG_LEVEL", "trace")]);
    let (old, token) = (new_token(folder.path()), new_token(folder.path()));
    for (token, status) in [(&token, 200), (&old, 401)] {
        let path = format!("/customers?name={token}");
        let reply: Reply = program.ask(token, "GET", &path, None).unwrap();
        assert_eq!(reply.status, status);
        assert!(status == 200 || !reply.text().contains(token.as_str()));
    }
    let mut wire = Wire::to(program.address);
    wire.send(format!("GET /{token} HTTP/1.1\r\nHost: {token}\r\nAuthorization: {token}\r\n\r\n"));
    assert!(!wire.answer().text().contains(token.as_str()));
    program.kill();
    assert!(!logged(folder.path()).is_empty());
    for secret in [old, token] {
        assert!(!logged(folder.path()).contains(&secret));
    }
}

/// Returns the log of a data folder.
pub fn logged(folder: &Path) -> String {
    let files = std::fs::read_dir(folder.join("logs")).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

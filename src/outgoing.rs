//! The HTTP client for all requests that the program makes itself.
//!
//! Every request has a time-out, and every response a size limit. Redirects are returned like any other
//! response, and proxies are not used. Callers can check the very address that is connected to, not the result
//! of an earlier look-up.

mod address_classes;

use std::fmt;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::{HeaderMap, Request, StatusCode, Uri, header};
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{self, CertificateError};
use ureq::config::Config;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, BodyReader};

pub use address_classes::{embedded_ipv4, is_never_a_receiver, is_private, is_public};

use crate::domain::Lang;
use crate::domain::text::sentences::sentences;

/// The `User-Agent`.
const NAME: &str = concat!("Pleito/", env!("CARGO_PKG_VERSION"));

/// Returns `true` if a request to this URI may connect to this address.
pub type AddressCheck = Arc<dyn Fn(&Uri, SocketAddr) -> bool + Send + Sync>;

#[derive(Clone)]
pub struct OutgoingOptions {
    /// Time-out of the name look-up, and of connecting up to the end of the TLS handshake.
    pub connect: Duration,
    /// Time-out of the whole request, until the response is read.
    pub whole: Duration,
    /// Maximum number of idle connections that are kept for reuse. With 0, each request resolves its host name anew.
    pub idle: usize,
    /// Certificate of an authority that is trusted in addition to the system's, in PEM: this server's own.
    pub authority: Option<String>,
    /// Check of each address before it is connected to. Without it, all addresses are permitted.
    pub check: Option<AddressCheck>,
}

/// A blocking HTTP client. Creating one takes milliseconds, because all trusted certificates are parsed.
pub struct Outgoing(Agent);

/// A response whose body is not read yet.
pub struct OutgoingAnswer {
    /// Any status, including errors and redirects.
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: BodyReader<'static>,
}

sentences! {
lang -> String;

/// The reason why a request has no usable response, as a clause without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutgoingError {
    Address = "address" => "o endereço não é de HTTP", "the address is not an HTTP address";
    Name = "name" => "ninguém conhece esse nome", "the host name is unknown";
    Forbidden = "forbidden" =>
        "o nome leva a um endereço que não é permitido",
        "the name leads to an address that is not allowed";
    Refused = "refused" => "nada responde nesse endereço", "nothing answers at that address";
    Connection(cause: String) = "connection" =>
        "a conexão não se fez ou caiu ({cause})",
        "the connection failed or broke ({cause})";
    UnknownAuthority = "unknown_authority" =>
        "o certificado é de uma autoridade que esta máquina não conhece",
        "the certificate is of an authority that this machine does not know";
    /// Any other TLS error, including a server without TLS.
    Tls(cause: String) = "tls" => "a conexão não é de confiança ({cause})", "the connection cannot be trusted ({cause})";
    TimedOut = "timed_out" => "demorou demais", "it took too long";
    /// A redirect that is not followed, with its `Location`.
    Redirected(to: String) = "redirected" =>
        "os redirecionamentos não são seguidos: {to}",
        "redirects are not followed: {to}";
    Protocol(cause: String) = "protocol" => "a resposta não é de HTTP ({cause})", "the answer is not HTTP ({cause})";
}
}

impl Outgoing {
    pub fn new(options: OutgoingOptions) -> Outgoing {
        let own = options.authority.and_then(|pem| Certificate::from_pem(pem.as_bytes()).ok());
        let roots: Vec<_> = system_roots().iter().cloned().chain(own).collect();
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .root_certs(RootCerts::Specific(Arc::new(roots)))
            .build();
        let config: Config = Agent::config_builder()
            .tls_config(tls)
            .user_agent(NAME)
            .timeout_resolve(Some(options.connect))
            .timeout_connect(Some(options.connect))
            .timeout_global(Some(options.whole))
            .max_idle_connections(options.idle)
            .max_idle_connections_per_host(options.idle)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            // A proxy from the environment would connect to addresses that are not checked.
            .proxy(None)
            .build();
        let resolver = CheckedResolver { found: DefaultResolver::default(), check: options.check };
        Outgoing(Agent::with_parts(config, DefaultConnector::default(), resolver))
    }

    /// Sends a request, and returns when the head of the response has arrived.
    pub fn send(&self, request: Request<&[u8]>) -> Result<OutgoingAnswer, OutgoingError> {
        let answer = self.0.run(request)?;
        let (head, body) = answer.into_parts();
        Ok(OutgoingAnswer { status: head.status, headers: head.headers, body: body.into_reader() })
    }
}

/// Returns `true` if a text contains a PEM certificate that [`OutgoingOptions::authority`] accepts.
pub fn is_certificate(pem: &str) -> bool {
    Certificate::from_pem(pem.as_bytes()).is_ok()
}

impl OutgoingAnswer {
    /// Reads at most `most` bytes of the body. Also returns `true` if there are more.
    pub fn read_at_most(self, most: u64) -> Result<(Vec<u8>, bool), OutgoingError> {
        let mut bytes = Vec::new();
        self.body
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|cause| error_of_io(&cause))?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let more = bytes.len() > most;
        bytes.truncate(most);
        Ok((bytes, more))
    }

    /// Returns the body as a stream, for bodies that are too large for memory. The caller limits its size.
    pub fn into_reader(self) -> impl Read + Send + 'static {
        self.body
    }
}

/// Returns the certificates that the system trusts, read once. Unreadable ones are ignored.
fn system_roots() -> &'static [Certificate<'static>] {
    static ROOTS: OnceLock<Vec<Certificate<'static>>> = OnceLock::new();
    ROOTS.get_or_init(|| {
        let found = rustls_native_certs::load_native_certs();
        if found.certs.is_empty() {
            let cause = found.errors.first().map(ToString::to_string).unwrap_or_default();
            tracing::warn!(cause, "this system has no trusted certificates: HTTPS requests will fail");
        }
        found.certs.iter().map(|der| Certificate::from_der(der).to_owned()).collect()
    })
}

/// A resolver that leaves out addresses that may not be connected to.
struct CheckedResolver {
    found: DefaultResolver,
    check: Option<AddressCheck>,
}

impl Resolver for CheckedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.found.resolve(uri, config, timeout).map_err(|cause| match cause {
            // ureq has no error of its own for a failed look-up.
            ureq::Error::Io(_) => ureq::Error::HostNotFound,
            other => other,
        })?;
        let Some(check) = &self.check else { return Ok(found) };
        let mut allowed = self.empty();
        found
            .iter()
            .copied()
            .filter(|address| check(uri, *address))
            .for_each(|address| allowed.push(address));
        match allowed.is_empty() {
            true => Err(ureq::Error::Other(Box::new(OutgoingError::Forbidden))),
            false => Ok(allowed),
        }
    }
}

impl fmt::Debug for CheckedResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CheckedResolver")
    }
}

impl OutgoingError {
    /// Encodes the error for the store, independent of the language. [`OutgoingError::read`] decodes it.
    pub fn written(&self) -> String {
        match self {
            OutgoingError::Connection(detail)
            | OutgoingError::Tls(detail)
            | OutgoingError::Redirected(detail)
            | OutgoingError::Protocol(detail) => [self.own_code(), ": ", detail].concat(),
            error => error.own_code().to_owned(),
        }
    }

    /// Decodes an error that [`OutgoingError::written`] encoded.
    pub fn read(written: &str) -> OutgoingError {
        let (code, detail) = written.split_once(": ").unwrap_or((written, ""));
        match code {
            "address" => OutgoingError::Address,
            "name" => OutgoingError::Name,
            "forbidden" => OutgoingError::Forbidden,
            "refused" => OutgoingError::Refused,
            "unknown_authority" => OutgoingError::UnknownAuthority,
            "timed_out" => OutgoingError::TimedOut,
            "connection" => OutgoingError::Connection(detail.to_owned()),
            "tls" => OutgoingError::Tls(detail.to_owned()),
            "redirected" => OutgoingError::Redirected(detail.to_owned()),
            _ => OutgoingError::Protocol(detail.to_owned()),
        }
    }
}

impl fmt::Display for OutgoingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Lang::En))
    }
}

impl std::error::Error for OutgoingError {}

impl From<ureq::Error> for OutgoingError {
    fn from(error: ureq::Error) -> OutgoingError {
        match error {
            ureq::Error::Other(cause) => match cause.downcast::<OutgoingError>() {
                Ok(own) => *own,
                Err(cause) => OutgoingError::Protocol(cause.to_string()),
            },
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => OutgoingError::Address,
            ureq::Error::HostNotFound => OutgoingError::Name,
            ureq::Error::Timeout(_) => OutgoingError::TimedOut,
            ureq::Error::ConnectionFailed => OutgoingError::Connection(String::new()),
            ureq::Error::Io(cause) => error_of_io(&cause),
            ureq::Error::Rustls(cause) => error_of_tls(&cause),
            ureq::Error::Tls(cause) => OutgoingError::Tls(cause.to_owned()),
            other => OutgoingError::Protocol(other.to_string()),
        }
    }
}

/// Returns the time to wait before a further request that the headers of a response ask for (`Retry-After`; RFC 9110,
/// 10.2.3): seconds or a date.
pub fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let moment = rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(moment.duration_since(now)).unwrap_or_default())
}

/// Converts an I/O error, which may contain an error of ureq (while a body is read) or rustls (while connecting).
fn error_of_io(cause: &io::Error) -> OutgoingError {
    let inner = cause.get_ref();
    if let Some(ureq::Error::Timeout(_)) = inner.and_then(|inner| inner.downcast_ref::<ureq::Error>()) {
        return OutgoingError::TimedOut;
    }
    if let Some(cause) = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return error_of_tls(cause);
    }
    match cause.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => OutgoingError::TimedOut,
        io::ErrorKind::ConnectionRefused => OutgoingError::Refused,
        kind => OutgoingError::Connection(kind.to_string()),
    }
}

fn error_of_tls(cause: &rustls::Error) -> OutgoingError {
    match cause {
        // `BadSignature`: an authority of the same name with another key, such as another Pleito's.
        rustls::Error::InvalidCertificate(
            CertificateError::UnknownIssuer | CertificateError::BadSignature,
        ) => OutgoingError::UnknownAuthority,
        other => OutgoingError::Tls(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;
    use std::thread;

    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
    use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

    use super::*;
    use crate::lan::Authority;

    fn options() -> OutgoingOptions {
        let long = Duration::from_secs(20);
        OutgoingOptions { connect: long, whole: long, idle: 0, authority: None, check: None }
    }

    /// Starts a server that sends this response to every client, and returns its port.
    fn answering(answer: impl Into<Vec<u8>>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answer = answer.into();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(&answer);
            }
        });
        port
    }

    fn send(options: OutgoingOptions, url: &str) -> Result<OutgoingAnswer, OutgoingError> {
        Outgoing::new(options).send(Request::post(url).body(&b"{}"[..]).unwrap())
    }

    #[test]
    fn responses_are_limited_in_size_and_redirects_are_not_followed() {
        let head = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 5\r\n\r\n12345";
        let url = format!("http://127.0.0.1:{}/", answering(head));
        for (most, read) in [(4, (b"1234".to_vec(), true)), (5, (b"12345".to_vec(), false))] {
            let answer = send(options(), &url).unwrap();
            assert_eq!(answer.status, StatusCode::FOUND);
            assert_eq!(answer.headers["location"], "http://127.0.0.1:1/");
            assert_eq!(answer.read_at_most(most).unwrap(), read);
        }
        let mut all = String::new();
        send(options(), &url).unwrap().into_reader().read_to_string(&mut all).unwrap();
        assert_eq!(all, "12345");
    }

    #[test]
    fn failed_requests_have_a_specific_error() {
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let gone = send(options(), &format!("http://{closed}/")).err();
        assert_eq!(gone, Some(OutgoingError::Refused));
        assert_eq!(send(options(), "http://nobody.invalid/").err(), Some(OutgoingError::Name));
        assert_eq!(send(options(), "ftp://127.0.0.1/").err(), Some(OutgoingError::Address));
        let other = send(options(), &format!("http://127.0.0.1:{}/", answering("SSH-2.0\r\n"))).err();
        assert!(
            matches!(other, Some(OutgoingError::Protocol(_) | OutgoingError::Connection(_))),
            "{other:?}"
        );
        let plain =
            send(options(), &format!("https://127.0.0.1:{}/", answering("HTTP/1.1 200 OK\r\n\r\n"))).err();
        assert!(matches!(plain, Some(OutgoingError::Tls(_))), "{plain:?}");
        for error in [gone, other, plain, Some(OutgoingError::UnknownAuthority)].into_iter().flatten() {
            assert_ne!(error.message(Lang::Pt), error.message(Lang::En));
            assert_eq!(OutgoingError::read(&error.written()), error);
        }
    }

    #[test]
    fn a_response_may_ask_for_a_wait_in_seconds_or_until_a_date() {
        let now: Timestamp = "2026-11-21T13:30:00Z".parse().unwrap();
        for (value, waited) in [
            ("120", Some(120)),
            (" 7 ", Some(7)),
            ("Sat, 21 Nov 2026 13:31:00 GMT", Some(60)),
            ("Sat, 21 Nov 2026 13:29:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            let headers = [(header::RETRY_AFTER, value.parse().unwrap())].into_iter().collect();
            assert_eq!(retry_after(&headers, now), waited.map(Duration::from_secs), "{value:?}");
        }
    }

    #[test]
    fn requests_time_out() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let short = OutgoingOptions { whole: Duration::from_millis(50), ..options() };
        assert_eq!(send(short.clone(), &url).err(), Some(OutgoingError::TimedOut));
        // The time-out covers the body too.
        let half =
            format!("http://127.0.0.1:{}/", answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"));
        let body = send(short, &half).and_then(|answer| answer.read_at_most(9));
        assert!(matches!(body, Err(OutgoingError::TimedOut | OutgoingError::Connection(_))), "{body:?}");
    }

    #[test]
    fn the_address_check_applies_to_the_connected_address() {
        let port = answering("HTTP/1.1 204 No Content\r\n\r\n");
        let no_loopback: AddressCheck = Arc::new(|_, address| !embedded_ipv4(address.ip()).is_loopback());
        let checked = OutgoingOptions { check: Some(no_loopback), ..options() };
        for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"] {
            let error = send(checked.clone(), &format!("http://{host}:{port}/")).err();
            assert_eq!(error, Some(OutgoingError::Forbidden), "{host}");
        }
        let of_port: AddressCheck = Arc::new(move |_, address| address.port() == port);
        let checked = OutgoingOptions { check: Some(of_port), ..options() };
        assert_eq!(
            send(checked, &format!("http://localhost:{port}/")).unwrap().status,
            StatusCode::NO_CONTENT
        );
    }

    #[test]
    fn our_authority_is_trusted_only_if_it_is_given() {
        let folder = tempfile::tempdir().unwrap();
        let now = crate::clock::Clock::system().now().as_second();
        let authority = Authority::open(folder.path(), &["office.lan".to_owned()], now).unwrap();
        let leaf = authority.issue(vec!["localhost".to_owned(), "127.0.0.1".to_owned()], now).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![CertificateDer::from(leaf.certificate)],
                PrivatePkcs8KeyDer::from(leaf.key).into(),
            )
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("https://127.0.0.1:{}/", listener.local_addr().unwrap().port());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let connection = ServerConnection::new(config.clone()).unwrap();
                let mut stream = StreamOwned::new(connection, stream.unwrap());
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        });
        let refused = send(options(), &url).err();
        assert_eq!(refused, Some(OutgoingError::UnknownAuthority));
        let trusting = OutgoingOptions { authority: Some(authority.root().pem.clone()), ..options() };
        assert_eq!(send(trusting, &url).unwrap().status, StatusCode::OK);
    }
}

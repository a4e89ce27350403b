//! The requests that the program makes itself: the one place where it is a client of others.
//!
//! Every request has an end in time and its answer one in size. Redirects are answers like any other, no proxy stands between,
//! and what a name stands for can be looked at before it is connected to: the very address, not what a look-up before said.

mod receivers;

use std::fmt;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::{HeaderMap, Request, StatusCode, Uri};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{self, CertificateError};
use ureq::config::Config;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, BodyReader};

pub use receivers::{is_never_a_receiver, is_private, is_public, meant};

use crate::domain::lang::{Lang, say};

/// What the program calls itself.
const NAME: &str = concat!("Pleito/", env!("CARGO_PKG_VERSION"));

/// Whether an address may be connected to, for a request to that one.
pub type AddressCheck = Arc<dyn Fn(&Uri, SocketAddr) -> bool + Send + Sync>;

/// How requests are made.
#[derive(Clone)]
pub struct OutgoingOptions {
    /// How long it may take until a connection stands, from the look-up of the name to the end of the TLS handshake.
    pub connect: Duration,
    /// How long all of it may take, until the answer is read.
    pub whole: Duration,
    /// How many connections wait for the next request. Without any, each request looks its name up anew.
    pub idle: usize,
    /// The certificate of a further authority that is trusted beside those of the system, in PEM: this server's own.
    pub authority: Option<String>,
    /// Which addresses may be connected to; without it every one.
    pub check: Option<AddressCheck>,
}

/// What makes requests. Blocks its thread. To make one takes milliseconds, as every certificate that is trusted is read.
pub struct Outgoing(Agent);

/// An answer, whose body is read as somebody wants it.
pub struct OutgoingAnswer {
    /// Its status, whatever it is.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    body: BodyReader<'static>,
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutgoingError {
    /// The address is none of HTTP.
    Address,
    /// The name is not known.
    Name,
    /// No address that the name stands for may be connected to.
    Forbidden,
    /// Nobody answers there.
    Refused,
    /// The connection failed or broke; the system's word for it.
    Connection(String),
    /// Its certificate is of an authority that nobody here trusts.
    UnknownAuthority,
    /// It cannot be trusted otherwise, or speaks no TLS.
    Tls(String),
    /// It took too long.
    TimedOut,
    /// It speaks, but no HTTP that can be understood.
    Protocol(String),
}

impl Outgoing {
    /// A client that makes requests like this.
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
            // One that the surroundings name would connect to what nobody has looked at.
            .proxy(None)
            .build();
        let resolver = CheckedResolver { found: DefaultResolver::default(), check: options.check };
        Outgoing(Agent::with_parts(config, DefaultConnector::default(), resolver))
    }

    /// Makes a request, and answers once the head of the answer is there.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn send(&self, request: Request<&[u8]>) -> Result<OutgoingAnswer, OutgoingError> {
        let answer = self.0.run(request)?;
        let (head, body) = answer.into_parts();
        Ok(OutgoingAnswer { status: head.status, headers: head.headers, body: body.into_reader() })
    }
}

/// Whether a text has a certificate in PEM, as [`OutgoingOptions::authority`] wants it.
pub fn is_certificate(pem: &str) -> bool {
    Certificate::from_pem(pem.as_bytes()).is_ok()
}

impl OutgoingAnswer {
    /// The first `most` bytes of the body, and whether there are more.
    ///
    /// # Errors
    /// Why not all of them come.
    pub fn read_at_most(self, most: u64) -> Result<(Vec<u8>, bool), OutgoingError> {
        let mut bytes = Vec::new();
        self.body.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|cause| of_io(&cause))?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let more = bytes.len() > most;
        bytes.truncate(most);
        Ok((bytes, more))
    }

    /// The body as a stream, for what is too large to be kept in memory: whoever reads it sets its end in size.
    pub fn into_reader(self) -> impl Read + Send + 'static {
        self.body
    }
}

/// What the system trusts, read once. Certificates that cannot be read are as if they were not there.
fn system_roots() -> &'static [Certificate<'static>] {
    static ROOTS: OnceLock<Vec<Certificate<'static>>> = OnceLock::new();
    ROOTS.get_or_init(|| {
        let found = rustls_native_certs::load_native_certs();
        if found.certs.is_empty() {
            let cause = found.errors.first().map(ToString::to_string).unwrap_or_default();
            tracing::warn!(cause, "this system trusts no certificates: nobody's HTTPS can be reached");
        }
        found.certs.iter().map(|der| Certificate::from_der(der).to_owned()).collect()
    })
}

/// Looks names up, and leaves out the addresses that may not be connected to.
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
            // A failed look-up has no kind of its own.
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
    /// The error as a store keeps it, to be said in any language later.
    pub fn written(&self) -> String {
        let with = |code: &str, detail: &str| [code, ": ", detail].concat();
        match self {
            OutgoingError::Address => "address".to_owned(),
            OutgoingError::Name => "name".to_owned(),
            OutgoingError::Forbidden => "forbidden".to_owned(),
            OutgoingError::Refused => "refused".to_owned(),
            OutgoingError::UnknownAuthority => "unknown_authority".to_owned(),
            OutgoingError::TimedOut => "timed_out".to_owned(),
            OutgoingError::Connection(detail) => with("connection", detail),
            OutgoingError::Tls(detail) => with("tls", detail),
            OutgoingError::Protocol(detail) => with("protocol", detail),
        }
    }

    /// The error that was written so.
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
            _ => OutgoingError::Protocol(detail.to_owned()),
        }
    }

    /// What is wrong, for people, without a full stop.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            OutgoingError::Address => {
                lang.pick("o endereço não é de HTTP", "the address is none of HTTP").into()
            }
            OutgoingError::Name => lang.pick("ninguém conhece esse nome", "nobody knows that name").into(),
            OutgoingError::Forbidden => {
                let text = lang.pick(
                    "o nome leva a um endereço que não é permitido",
                    "the name leads to an address that is not allowed",
                );
                text.into()
            }
            OutgoingError::Refused => {
                lang.pick("nada responde nesse endereço", "nothing answers at that address").into()
            }
            OutgoingError::Connection(cause) => {
                say!(
                    lang,
                    "a conexão não se fez ou caiu ({cause})",
                    "the connection failed or broke ({cause})"
                )
            }
            OutgoingError::UnknownAuthority => {
                let text = lang.pick(
                    "o certificado é de uma autoridade que esta máquina não conhece",
                    "the certificate is of an authority that this machine does not know",
                );
                text.into()
            }
            OutgoingError::Tls(cause) => {
                say!(
                    lang,
                    "a conexão não é de confiança ({cause})",
                    "the connection cannot be trusted ({cause})"
                )
            }
            OutgoingError::TimedOut => lang.pick("demorou demais", "it took too long").into(),
            OutgoingError::Protocol(cause) => {
                say!(lang, "a resposta não é de HTTP ({cause})", "the answer is none of HTTP ({cause})")
            }
        }
    }
}

impl fmt::Display for OutgoingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Lang::En))
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
            ureq::Error::Io(cause) => of_io(&cause),
            ureq::Error::Rustls(cause) => of_tls(&cause),
            ureq::Error::Tls(cause) => OutgoingError::Tls(cause.to_owned()),
            other => OutgoingError::Protocol(other.to_string()),
        }
    }
}

/// What stands behind the system's error: ureq's own errors travel inside of one while a body is read, and rustls's while it
/// connects.
fn of_io(cause: &io::Error) -> OutgoingError {
    let inner = cause.get_ref();
    if let Some(ureq::Error::Timeout(_)) = inner.and_then(|inner| inner.downcast_ref::<ureq::Error>()) {
        return OutgoingError::TimedOut;
    }
    if let Some(cause) = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return of_tls(cause);
    }
    match cause.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => OutgoingError::TimedOut,
        io::ErrorKind::ConnectionRefused => OutgoingError::Refused,
        kind => OutgoingError::Connection(kind.to_string()),
    }
}

fn of_tls(cause: &rustls::Error) -> OutgoingError {
    match cause {
        // Two authorities of the same name, such as those of two Pleitos, differ in what they sign alone.
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

    /// A server that gives that answer to everybody, and its port.
    fn answering(answer: impl Into<Vec<u8>>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, answer) = (listener.local_addr().unwrap().port(), answer.into());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(&answer);
            }
        });
        port
    }

    fn ask(options: OutgoingOptions, url: &str) -> Result<OutgoingAnswer, OutgoingError> {
        Outgoing::new(options).send(Request::post(url).body(&b"{}"[..]).unwrap())
    }

    #[test]
    fn an_answer_has_an_end_in_size_and_a_redirect_is_one() {
        let head = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 5\r\n\r\n12345";
        let url = format!("http://127.0.0.1:{}/", answering(head));
        for (most, read) in [(4, (b"1234".to_vec(), true)), (5, (b"12345".to_vec(), false))] {
            let answer = ask(options(), &url).unwrap();
            assert_eq!(answer.status, StatusCode::FOUND);
            assert_eq!(answer.headers["location"], "http://127.0.0.1:1/");
            assert_eq!(answer.read_at_most(most).unwrap(), read);
        }
        let mut all = String::new();
        ask(options(), &url).unwrap().into_reader().read_to_string(&mut all).unwrap();
        assert_eq!(all, "12345");
    }

    #[test]
    fn what_goes_wrong_has_its_reason() {
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let gone = ask(options(), &format!("http://{closed}/")).err();
        assert_eq!(gone, Some(OutgoingError::Refused));
        assert_eq!(ask(options(), "http://nobody.invalid/").err(), Some(OutgoingError::Name));
        assert_eq!(ask(options(), "ftp://127.0.0.1/").err(), Some(OutgoingError::Address));
        let other = ask(options(), &format!("http://127.0.0.1:{}/", answering("SSH-2.0\r\n"))).err();
        assert!(
            matches!(other, Some(OutgoingError::Protocol(_) | OutgoingError::Connection(_))),
            "{other:?}"
        );
        let plain =
            ask(options(), &format!("https://127.0.0.1:{}/", answering("HTTP/1.1 200 OK\r\n\r\n"))).err();
        assert!(matches!(plain, Some(OutgoingError::Tls(_))), "{plain:?}");
        for error in [gone, other, plain, Some(OutgoingError::UnknownAuthority)].into_iter().flatten() {
            assert_ne!(error.say(Lang::Pt), error.say(Lang::En));
            assert_eq!(OutgoingError::read(&error.written()), error);
        }
    }

    #[test]
    fn nobody_is_waited_for_longer_than_that() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let short = OutgoingOptions { whole: Duration::from_millis(50), ..options() };
        assert_eq!(ask(short.clone(), &url).err(), Some(OutgoingError::TimedOut));
        // The end is that of the body too.
        let half =
            format!("http://127.0.0.1:{}/", answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"));
        let body = ask(short, &half).and_then(|answer| answer.read_at_most(9));
        assert!(matches!(body, Err(OutgoingError::TimedOut | OutgoingError::Connection(_))), "{body:?}");
    }

    #[test]
    fn the_address_that_is_connected_to_is_the_one_that_is_looked_at() {
        let port = answering("HTTP/1.1 204 No Content\r\n\r\n");
        let no_loopback: AddressCheck = Arc::new(|_, address| !meant(address.ip()).is_loopback());
        let checked = OutgoingOptions { check: Some(no_loopback), ..options() };
        for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"] {
            let asked = ask(checked.clone(), &format!("http://{host}:{port}/")).err();
            assert_eq!(asked, Some(OutgoingError::Forbidden), "{host}");
        }
        let of_port: AddressCheck = Arc::new(move |_, address| address.port() == port);
        let checked = OutgoingOptions { check: Some(of_port), ..options() };
        assert_eq!(
            ask(checked, &format!("http://localhost:{port}/")).unwrap().status,
            StatusCode::NO_CONTENT
        );
    }

    #[test]
    fn the_own_authority_is_trusted_where_it_is_named() {
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
        let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
        let url = format!("https://127.0.0.1:{}/", listener.local_addr().unwrap().port());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let connection = ServerConnection::new(config.clone()).unwrap();
                let mut stream = StreamOwned::new(connection, stream.unwrap());
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        });
        let refused = ask(options(), &url).err();
        assert_eq!(refused, Some(OutgoingError::UnknownAuthority));
        let trusting = OutgoingOptions { authority: Some(authority.root().pem.clone()), ..options() };
        assert_eq!(ask(trusting, &url).unwrap().status, StatusCode::OK);
    }
}

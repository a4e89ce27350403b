//! A request, from the socket to its answer, and what it may tell the connection that it came by.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName};
use http::{HeaderValue, Method};
use http_body_util::{BodyExt, Empty};
use parking_lot::Mutex;

use super::body::Incoming;
use super::coding::Coding;
use super::header::header_value;
use super::ignored::Ignored;
use super::route::Route;
use super::upload::file::UploadedFile;
use super::waiting::WaitingPlace;
use crate::limits::Quota;
use crate::store::journal::{Actor, Via};

/// The header that has a request's id.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request: as it came in, and what is known of it by now.
pub struct Request {
    /// By which the log knows it.
    pub id: String,
    /// Its method.
    pub method: Method,
    /// Its path from the root, still percent-encoded.
    pub path: String,
    /// What stands behind the `?`, still encoded.
    pub query: String,
    /// Its headers. Of an absolute request and of HTTP/2, `Host` has the host that is meant.
    pub headers: HeaderMap,
    /// The content coding that its answer may have.
    pub coding: Option<Coding>,
    /// Its body, as far as it is not read.
    pub body: Incoming,
    /// Both ends of its connection.
    pub addresses: Addresses,
    /// The way by which what it does is done.
    pub via: Via,
    /// The last four characters of the token that it came with.
    pub(super) who: Option<String>,
    /// What it came by; nothing for a request of the program's own.
    pub connection: Option<Arc<dyn Connection>>,
    /// Its row in the table, once it is found.
    pub(super) route: Option<Arc<Route>>,
    /// The values of its path's parameters.
    pub(super) path_parameters: Vec<String>,
    /// The query's parameters as received, in their order.
    pub(super) parameters: Vec<(String, String)>,
    /// Its body, once it is read.
    pub(super) content: Bytes,
    /// The file of an upload, until its handler takes it.
    pub(super) file: Mutex<Option<UploadedFile>>,
    /// How its sender stands with the limit that it was counted against.
    pub(super) quota: Option<Quota>,
    /// Its place among the requests that wait; then it is not counted.
    pub(super) place: Option<WaitingPlace>,
    /// Whether it came with a signature in the place of a token: its handler looks at it, and it is not counted.
    pub(super) is_signed: bool,
    /// What its handler found in it that no rule knows.
    pub(super) ignored: Mutex<Ignored>,
    /// Whether the writer had it, and so stored its count too.
    pub(super) is_count_stored: bool,
}

/// Both ends of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// Who sends the requests.
    pub peer: IpAddr,
    /// The address that they reach.
    pub local: Option<IpAddr>,
    /// Whether they come by TLS, which is how the network comes in.
    pub tls: bool,
}

impl Addresses {
    /// Those of a program that talks to itself.
    pub const LOOPBACK: Addresses = {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Addresses { peer: address, local: Some(address), tls: false }
    };
}

/// The connection that a request came by.
pub trait Connection: Send + Sync {
    /// Keeps it until the request is answered, whose sender has shown a token, or a session of the console, that is in
    /// force. Until then another connection may take its place. False where one does already: nothing is to be done, for
    /// nobody may hear the answer.
    fn keep(&self) -> bool;

    /// Whether it is kept for this request.
    fn is_kept(&self) -> bool;

    /// Says that nothing else keeps it: it may be among the first that make room, unless its client has shown a token
    /// before.
    fn release(&self);
}

impl Request {
    /// A request without a body, of this machine's own.
    pub fn new(method: Method, path: String, query: String, headers: HeaderMap) -> Request {
        Request {
            id: request_id(&headers),
            parameters: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
            coding: Coding::preferred(&headers),
            method,
            path,
            query,
            headers,
            body: Empty::new().map_err(|never| match never {}).boxed(),
            addresses: Addresses::LOOPBACK,
            via: Via::Api,
            who: None,
            connection: None,
            route: None,
            path_parameters: Vec::new(),
            content: Bytes::new(),
            file: Mutex::default(),
            quota: None,
            place: None,
            is_signed: false,
            ignored: Mutex::default(),
            is_count_stored: false,
        }
    }

    /// A request of the program's own pages, for the API's path below its base; `id` is that of the request that it is
    /// part of.
    pub fn internal(id: &str, method: Method, path: impl Into<String>) -> Request {
        let id = id.to_owned();
        Request {
            id,
            via: Via::Console,
            ..Request::new(method, path.into(), String::new(), HeaderMap::new())
        }
    }

    /// The same with one more header.
    pub fn with(mut self, name: HeaderName, value: &str) -> Request {
        self.headers.insert(name, header_value(value));
        self
    }

    /// The same with what tells it from another of the same `Idempotency-Key`.
    pub fn with_content(self, content: impl Into<Bytes>) -> Request {
        Request { content: content.into(), ..self }
    }

    /// Who does what it asks for at that moment, in seconds since 1970.
    pub(super) fn actor(&self, at: i64) -> Actor {
        Actor { via: self.via, who: self.who.clone(), request_id: Some(self.id.clone()), at }
    }

    /// The same with the file of a page's form.
    pub fn with_file(self, file: Option<UploadedFile>) -> Request {
        Request { file: Mutex::new(file), ..self }
    }

    /// The host that is meant, with its port; none where several are named, of which nobody can tell (RFC 9112, 3.2).
    pub fn host(&self) -> Option<&str> {
        let mut hosts = self.headers.get_all(header::HOST).iter();
        let host = hosts.next()?.to_str().ok()?;
        hosts.next().is_none().then_some(host)
    }

    /// A header as text; `None` where it is absent or not ASCII.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok())
    }

    /// How its sender calls this server, such as `http://127.0.0.1:8743`.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.addresses.tls { "https" } else { "http" };
        format!("{scheme}://{}", self.host().unwrap_or_default())
    }

    /// Whether it came from this machine itself, by the listener that is for this machine.
    pub fn is_from_here(&self) -> bool {
        let Addresses { peer, local, tls } = self.addresses;
        let is_here = |address: IpAddr| address.to_canonical().is_loopback();
        !tls && is_here(peer) && local.is_some_and(is_here)
    }

    /// [`Connection::keep`].
    pub fn keep(&self) -> bool {
        self.connection.as_ref().is_none_or(|connection| connection.keep())
    }

    /// [`Connection::is_kept`].
    pub fn is_kept(&self) -> bool {
        self.connection.as_ref().is_none_or(|connection| connection.is_kept())
    }

    /// [`Connection::release`].
    pub fn release(&self) {
        if let Some(connection) = &self.connection {
            connection.release();
        }
    }
}

/// The caller's own id where it is a sane one, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let sane = |id: &&str| {
        (1..=128).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':'))
    };
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(sane);
    given.map_or_else(|| format!("{:016x}", rand::random::<u64>()), str::to_owned)
}

//! A request from the socket to its response.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http_body_util::{BodyExt, Empty};
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;

use super::route::Route;
use crate::auth::Caller;
use crate::domain::TokenHash;
use crate::domain::decode;
use crate::http::answers::compression::prefers_gzip;
use crate::http::answers::streams::waiting_limit::WaitingPlace;
use crate::http::files::upload::file::UploadedFile;
use crate::http::json::ignored::Ignored;
use crate::http::requests::body::Incoming;
use crate::limits::Quota;
use crate::store::journal::{Actor, Via, Who};

pub(in crate::http) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request as received, and the state added while it is handled.
pub struct Request {
    /// Id in the log.
    pub id: String,
    pub method: Method,
    /// Path from the root, percent-encoded.
    pub path: String,
    /// Query without the `?`, percent-encoded.
    pub query: String,
    /// Headers. `Host` is replaced by the authority of an absolute or HTTP/2 request.
    pub headers: HeaderMap,
    /// `true` if the client prefers a compressed response.
    pub prefers_gzip: bool,
    /// The part of the body that is not read yet.
    pub body: Incoming,
    pub addresses: Addresses,
    /// The way by which the request arrived, for the journal.
    pub via: Via,
    /// The caller, once its token, key or session was checked.
    pub caller: Option<Caller>,
    /// The hash of its token or key.
    pub(in crate::http) secret: Option<TokenHash>,
    /// `None` until the route is found.
    pub(in crate::http) route: Option<Arc<Route>>,
    pub(in crate::http) path_parameters: Vec<String>,
    /// Query parameters as received, in their order.
    pub(in crate::http) parameters: Vec<(String, String)>,
    /// The body, after it was read.
    pub(in crate::http) content: Bytes,
    /// The uploaded file, until the handler takes it.
    pub(in crate::http) file: Mutex<Option<UploadedFile>>,
    /// State of the limit that the request counts against.
    pub(in crate::http) quota: Option<Quota>,
    /// Place of a waiting long poll, which is not counted.
    pub(in crate::http) waiting_place: Option<WaitingPlace>,
    /// `true` if the request has a signature in place of a token. Its handler checks the signature, and the
    /// request is not counted.
    pub(in crate::http) is_signed: bool,
    /// Unknown names that the handler ignored.
    pub(in crate::http) ignored: Mutex<Ignored>,
    /// `true` if the writer thread has run the request's write, and so has stored its count.
    pub(in crate::http) is_count_stored: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// Address of the client.
    pub peer: IpAddr,
    /// Address that the client connected to. `None` behind a proxy.
    pub local: Option<IpAddr>,
    /// `true` if the client uses TLS, as all connections from the network do.
    pub tls: bool,
}

impl Addresses {
    /// The addresses of a request of the program itself.
    pub const LOOPBACK: Addresses = {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Addresses { peer: address, local: Some(address), tls: false }
    };

    /// Returns `true` for a connection from this machine to the listener for this machine.
    pub(super) fn is_this_machine(self) -> bool {
        let is_here = |address: IpAddr| address.to_canonical().is_loopback();
        !self.tls && is_here(self.peer) && self.local.is_some_and(is_here)
    }
}

/// Parses a query. Its bytes are UTF-8, or else Windows-1252, which curl and scripts on Windows send (contract 1).
pub(in crate::http) fn parameters(query: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        decode(&Cow::from(percent_decode_str(&text))).into_owned()
    };
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, text)| (decoded(name), decoded(text)))
        .collect()
}

impl Request {
    /// Creates a request from this machine, without a body.
    pub fn new(method: Method, path: String, query: String, headers: HeaderMap) -> Request {
        Request {
            id: request_id(&headers),
            parameters: parameters(&query),
            prefers_gzip: prefers_gzip(&headers),
            method,
            path,
            query,
            headers,
            body: Empty::new().map_err(|never| match never {}).boxed(),
            addresses: Addresses::LOOPBACK,
            via: Via::Api,
            caller: None,
            secret: None,
            route: None,
            path_parameters: Vec::new(),
            content: Bytes::new(),
            file: Mutex::default(),
            quota: None,
            waiting_place: None,
            is_signed: false,
            ignored: Mutex::default(),
            is_count_stored: false,
        }
    }

    /// Returns the actor for the journal. `at` is in seconds since 1970.
    pub(in crate::http) fn actor(&self, at: i64) -> Actor {
        Actor { via: self.via, who: self.caller().who.clone(), request_id: Some(self.id.clone()), at }
    }

    pub(in crate::http) fn caller(&self) -> &Caller {
        self.caller.as_ref().unwrap_or(&Caller::NOBODY)
    }

    /// Returns the name of the caller's key, if the caller has one.
    pub(in crate::http) fn key_name(&self) -> Option<&str> {
        match &self.caller().who {
            Some(Who::Key(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the requested host with its port, or `None` unless there is exactly one `Host` header (RFC 9112, 3.2).
    pub fn host(&self) -> Option<&str> {
        let mut hosts = self.headers.get_all(header::HOST).iter();
        let host = hosts.next()?.to_str().ok()?;
        hosts.next().is_none().then_some(host)
    }

    /// Returns a header as text, or `None` if it is absent or not ASCII.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok())
    }

    /// Returns the base of this server's URLs as the client reached it, such as `http://127.0.0.1:8743`.
    pub(in crate::http) fn origin(&self) -> String {
        let scheme = if self.addresses.tls { "https" } else { "http" };
        format!("{scheme}://{}", self.host().unwrap_or_default())
    }

    /// Returns `true` if the request came from this machine, by the listener for this machine and not by a proxy.
    pub fn is_from_here(&self) -> bool {
        self.addresses.is_this_machine()
    }

    /// Returns the body. Empty before it was read.
    pub fn content(&self) -> &Bytes {
        &self.content
    }

    /// Returns `true` if the client accepts HTML, as browsers do.
    pub fn accepts_html(&self) -> bool {
        let accept = self.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        accept.is_some_and(|accept| accept.contains("text/html"))
    }

    /// Returns `true` if the request has shown a valid token, key or console session.
    pub fn is_authenticated(&self) -> bool {
        self.caller.is_some()
    }
}

/// Returns the value of a query parameter, by its [`base_name`]. A blank value counts as absent (contract 3). Handlers
/// refuse a parameter that is repeated with another value.
pub(in crate::http) fn parameter<'q>(query: &'q [(String, String)], name: &str) -> Option<&'q str> {
    let mut values = query.iter().filter(|(key, _)| is_named(key, name)).map(|(_, value)| value.as_str());
    values.rfind(|value| !value.trim().is_empty())
}

/// Returns `true` if this is the [`base_name`] of a parameter's key.
pub(in crate::http) fn is_named(key: &str, name: &str) -> bool {
    // A key begins with its base name, and few keys of a request begin with the name of one parameter.
    key.starts_with(name) && base_name(key) == name
}

/// Returns the name of a parameter without the `[]` or `[0]` that many clients add to names of lists.
pub(in crate::http) fn base_name(key: &str) -> &str {
    let place = key.strip_suffix(']').and_then(|key| key.rsplit_once('['));
    place.filter(|(_, at)| at.bytes().all(|byte| byte.is_ascii_digit())).map_or(key, |(base, _)| base)
}

/// Returns the request id that the client sent if it is valid, or else a new one.
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

//! A request as it came in, and what it may tell the connection that it came by.

use std::net::IpAddr;
use std::sync::Arc;

use http::{HeaderMap, Method};

use super::body::Incoming;
use super::coding::Coding;

/// A request as it came in.
pub struct Request {
    /// Its method.
    pub method: Method,
    /// Its path from the root, still percent-encoded.
    pub path: String,
    /// What stands behind the `?`, still encoded.
    pub query: String,
    /// The host of an absolute request or of HTTP/2.
    pub authority: Option<String>,
    /// Its headers.
    pub headers: HeaderMap,
    /// The content coding that its answer may have.
    pub coding: Option<Coding>,
    /// Its body, not read yet.
    pub body: Incoming,
    /// Who sent it.
    pub peer: IpAddr,
    /// The address that it reached.
    pub local: Option<IpAddr>,
    /// Whether it came by TLS, which is how the network comes in.
    pub tls: bool,
    /// What it came by.
    pub connection: Arc<dyn Connection>,
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
    /// Whether it came from this machine itself, by the listener that is for this machine.
    pub fn is_from_here(&self) -> bool {
        let is_here = |address: IpAddr| address.to_canonical().is_loopback();
        !self.tls && is_here(self.peer) && self.local.is_some_and(is_here)
    }
}

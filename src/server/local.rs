//! What answers, and its listener for this machine.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use futures_util::future::join_all;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::accept::{self, Endpoint};
use super::connection_limit::ConnectionLimit;
use super::mount::{self, Service};
use super::open_files;
use crate::app::App;
use crate::console::Console;
use crate::http::Api;

/// What answers, and how many may ask at a time, by whichever listener they come.
pub struct Server {
    pub(super) app: Arc<App>,
    /// For this machine: the API and the console.
    own: Service,
    /// For the network: the API.
    pub(super) network: Service,
    pub(super) limit: Arc<ConnectionLimit>,
}

/// What listens for this machine, not answered yet.
pub struct Listener {
    socket: TcpListener,
    /// The same port of the other loopback address, where it is to be had: `localhost` and the names below it mean both.
    other: Option<TcpListener>,
}

impl Server {
    /// The server of that API. Only the machine's own listener is given the console.
    pub fn new(api: Arc<Api>, console: Arc<Console>) -> Arc<Server> {
        open_files::raise_limit();
        let network = mount::service(api.clone(), None);
        let app = api.app().clone();
        Arc::new(Server { app, own: mount::service(api, Some(console)), network, limit: Arc::default() })
    }
}

impl Listener {
    /// Takes the address, and beside 127.0.0.1 or `[::1]` the other one if nobody has it.
    ///
    /// # Errors
    /// Why it is not to be had: another program's, or none of this machine's.
    pub async fn bind(address: SocketAddr) -> io::Result<Listener> {
        let socket = accept::listen(address)?;
        let other = other_loopback(socket.local_addr()?).and_then(|other| accept::listen(other).ok());
        Ok(Listener { socket, other })
    }

    /// The address, with the port that the system chose where 0 was asked.
    ///
    /// # Errors
    /// Why the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Whether the port of neither loopback address can be another program's: both are taken here, or the machine has
    /// only one of them.
    pub fn has_loopback(&self) -> bool {
        let other = self.address().ok().and_then(other_loopback);
        let is_there = |other: SocketAddr| UdpSocket::bind((other.ip(), 0)).is_ok();
        self.other.is_some() || other.is_some_and(|other| !is_there(other))
    }

    /// Answers until `stop` says so or its sender is gone; then takes no more connections, and answers what is under
    /// way, for eight seconds at the most.
    pub async fn serve(self, server: Arc<Server>, stop: watch::Receiver<bool>) {
        let listeners = [Some(self.socket), self.other].into_iter().flatten();
        let serving = listeners.map(|listener| {
            let endpoint = Endpoint { listener, tls: None };
            accept::run(endpoint, server.own.clone(), server.limit.clone(), stop.clone())
        });
        join_all(serving).await;
    }
}

/// That port of `[::1]` beside 127.0.0.1, and the other way about.
fn other_loopback(address: SocketAddr) -> Option<SocketAddr> {
    let other = match address.ip() {
        IpAddr::V4(Ipv4Addr::LOCALHOST) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::LOCALHOST) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        _ => return None,
    };
    Some(SocketAddr::new(other, address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_port_of_the_other_loopback_address_is_taken_too_or_known_to_be_anothers() {
        let own = Listener::bind((Ipv4Addr::LOCALHOST, 0).into()).await.unwrap();
        let everywhere = Listener::bind((Ipv4Addr::UNSPECIFIED, 0).into()).await.unwrap();
        assert!(!everywhere.has_loopback(), "who listens for the network has not asked for it");
        // A machine without IPv6 has no other one.
        let Ok(theirs) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await else {
            return assert!(own.has_loopback() && own.other.is_none());
        };
        let at = |listener: &TcpListener| listener.local_addr().unwrap();
        assert_eq!(own.other.as_ref().map(at), other_loopback(own.address().unwrap()));
        assert!(own.has_loopback());
        let beside = other_loopback(at(&theirs)).unwrap();
        assert!(!Listener::bind(beside).await.unwrap().has_loopback(), "it is another program's");
    }
}

//! The server's services, and the listener for this machine.

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
use crate::domain::Lang;
use crate::http::Api;
use crate::mcp::Mcp;

/// The services and the connection limit of all listeners.
pub struct Server {
    pub(super) app: Arc<App>,
    /// The API, assistants and the console.
    pub(super) service: Service,
    pub(super) limit: Arc<ConnectionLimit>,
}

/// The listener for this machine, before it serves requests.
pub struct Listener {
    socket: TcpListener,
    /// This port on the other loopback address, if it was free: `localhost` and its subdomains mean both.
    other: Option<TcpListener>,
}

impl Server {
    /// Creates the server of the API, of assistants and of the console.
    pub fn new(api: Arc<Api>, mcp: Arc<Mcp>, console: Arc<Console>) -> Arc<Server> {
        open_files::raise_limit();
        let app = api.app().clone();
        Arc::new(Server { app, service: mount::service(api, mcp, console), limit: Arc::default() })
    }
}

impl Listener {
    /// Binds the address. For 127.0.0.1 or `[::1]`, also binds the other loopback address if it is free. Fails
    /// if another program uses the address, or if this machine does not have it.
    pub async fn bind(address: SocketAddr) -> io::Result<Listener> {
        let socket = accept::listen(address)?;
        let other = other_loopback(socket.local_addr()?).and_then(|other| accept::listen(other).ok());
        Ok(Listener { socket, other })
    }

    /// Returns the address. If port 0 was requested, the port is the one that the system chose.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Returns `true` if no other program can have this port on a loopback address: this listener has both, or
    /// the machine has only one.
    pub fn has_loopback(&self) -> bool {
        let other = self.address().ok().and_then(other_loopback);
        let is_there = |other: SocketAddr| UdpSocket::bind((other.ip(), 0)).is_ok();
        self.other.is_some() || other.is_some_and(|other| !is_there(other))
    }

    /// Serves requests until `stop` is `true` or its sender is dropped. Then it accepts no more connections,
    /// and finishes the requests in progress within eight seconds.
    pub async fn serve(self, server: Arc<Server>, stop: watch::Receiver<bool>) {
        let listeners = [Some(self.socket), self.other].into_iter().flatten();
        let serving = listeners.map(|listener| {
            let endpoint = Endpoint { listener, tls: None };
            accept::run(endpoint, server.service.clone(), server.limit.clone(), stop.clone())
        });
        join_all(serving).await;
    }
}

/// Returns the same port on `[::1]` for 127.0.0.1, and the other way round.
fn other_loopback(address: SocketAddr) -> Option<SocketAddr> {
    let other = match address.ip() {
        IpAddr::V4(Ipv4Addr::LOCALHOST) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::LOCALHOST) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        _ => return None,
    };
    Some(SocketAddr::new(other, address.port()))
}

/// Returns the address at which a client on this machine reaches the listener.
pub fn reachable(address: SocketAddr) -> SocketAddr {
    let local = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(local, address.port())
}

/// The warning shown if the unencrypted listener can be reached from the network.
pub fn plain_on_network(listen: SocketAddr, lang: Lang) -> Option<&'static str> {
    let text = lang.pick(
        "ATENÇÃO: a rede alcança este endereço sem criptografia, e qualquer pessoa nela pode ler o token e os dados",
        "WARNING: this address is reachable from the network without encryption, and anyone on it can read the token and the data",
    );
    (!listen.ip().to_canonical().is_loopback()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn both_loopback_addresses_are_bound_unless_another_program_has_the_port() {
        let own = Listener::bind((Ipv4Addr::LOCALHOST, 0).into()).await.unwrap();
        let everywhere = Listener::bind((Ipv4Addr::UNSPECIFIED, 0).into()).await.unwrap();
        assert!(!everywhere.has_loopback(), "a listener for all addresses binds no separate loopback port");
        // A machine without IPv6 has only one loopback address.
        let Ok(theirs) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await else {
            return assert!(own.has_loopback() && own.other.is_none());
        };
        let at = |listener: &TcpListener| listener.local_addr().unwrap();
        assert_eq!(own.other.as_ref().map(at), other_loopback(own.address().unwrap()));
        assert!(own.has_loopback());
        let beside = other_loopback(at(&theirs)).unwrap();
        assert!(!Listener::bind(beside).await.unwrap().has_loopback(), "another program has the port");
    }

    #[test]
    fn a_wildcard_address_is_checked_on_the_loopback_address() {
        let reached = |text: &str| reachable(text.parse().unwrap()).to_string();
        assert_eq!(reached("0.0.0.0:1"), "127.0.0.1:1");
        assert_eq!(reached("[::]:1"), "[::1]:1");
        assert_eq!(reached("192.0.2.7:1"), "192.0.2.7:1");
    }
}

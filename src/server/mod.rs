//! From sockets to the API and the console: accepts, bounds, hands over, and stops in time.
//!
//! There are two listeners: a plain one for this machine, and one with TLS for the network, which comes and goes as the
//! settings say. `warp::serve` is not used: it panics where it cannot bind, sets no time-outs and has no
//! deadline for its stop. Its filters, as a tower service, are.

mod accept;
mod activity;
mod connection_limit;
mod discovery;
mod mount;
mod sharing;
mod tls;
mod tracked;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;

pub use sharing::Sharing;

use crate::app::App;
use crate::console::Console;
use crate::http::Api;
use accept::Endpoint;
use connection_limit::ConnectionLimit;
use mount::Service;

/// What answers, and how many may ask at a time, by whichever listener they come.
pub struct Server {
    app: Arc<App>,
    /// For this machine: the API and the console.
    own: Service,
    /// For the network: the API.
    network: Service,
    limit: Arc<ConnectionLimit>,
}

/// A socket that listens, not answered yet.
pub struct Listener(TcpListener);

impl Server {
    /// The server of that API. Only the machine's own listener is given the console.
    pub fn new(api: Arc<Api>, console: Arc<Console>) -> Arc<Server> {
        let network = mount::service(api.clone(), None);
        let app = api.app().clone();
        Arc::new(Server { app, own: mount::service(api, Some(console)), network, limit: Arc::default() })
    }

    /// Its side towards the network.
    pub fn sharing(self: &Arc<Server>) -> Sharing {
        Sharing::new(self.clone())
    }
}

impl Listener {
    /// Takes the address.
    ///
    /// # Errors
    /// Why it is not to be had: another program's, or none of this machine's.
    pub async fn bind(address: SocketAddr) -> io::Result<Listener> {
        accept::listen(address).map(Listener)
    }

    /// The address, with the port that the system chose where 0 was asked.
    ///
    /// # Errors
    /// Why the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }

    /// Answers until `stop` says so or its sender is gone; then takes no more connections, and answers what is under
    /// way, for eight seconds at the most.
    pub async fn serve(self, server: Arc<Server>, stop: watch::Receiver<bool>) {
        let endpoint = Endpoint { listener: self.0, tls: None };
        accept::run(endpoint, server.own.clone(), server.limit.clone(), stop).await;
    }
}

//! From sockets to the API and the console: accepts, bounds, hands over, and stops in time.
//!
//! `warp::serve` is not used: it panics where it cannot bind, sets no time-outs and has no deadline for its stop. Its
//! filters, as a tower service, are.

mod accept;
mod mount;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::console::Console;
use crate::http::Api;

/// A socket that listens, not answered yet.
pub struct Listener(TcpListener);

impl Listener {
    /// Takes the address.
    ///
    /// # Errors
    /// Why it is not to be had: another program's, or none of this machine's.
    pub async fn bind(address: SocketAddr) -> io::Result<Listener> {
        TcpListener::bind(address).await.map(Listener)
    }

    /// The address, with the port that the system chose where 0 was asked.
    ///
    /// # Errors
    /// Why the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }

    /// Answers until `stop` says so or its sender is gone; then takes no more connections, and answers what is under
    /// way, for ten seconds at the most. Only the machine's own listener is given a console.
    pub async fn serve(self, api: Arc<Api>, console: Option<Arc<Console>>, stop: watch::Receiver<bool>) {
        accept::run(self.0, mount::service(api, console), stop).await;
    }
}

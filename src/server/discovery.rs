//! Announces the server on the local network, without any set-up: multicast DNS (RFC 6762) and DNS-SD (RFC 6763).

use std::time::Duration;

use mdns_sd::{DaemonEvent, Error, Receiver, ServiceDaemon, ServiceInfo};

use crate::lan::NAME;

/// The DNS-SD service type. Service browsers show it as a web page to open.
const KIND: &str = "_https._tcp.local.";
/// The instance name that service browsers show.
const INSTANCE: &str = "Pleito";
/// Interval of checks for changed addresses, in seconds.
const CHECK_INTERVAL_SECONDS: u32 = 10;
/// Maximum time to withdraw the announcement.
const GOODBYE: Duration = Duration::from_secs(1);

/// An announcement, which is withdrawn when this value is dropped.
pub(super) struct Discovery {
    daemon: ServiceDaemon,
    events: Receiver<DaemonEvent>,
    name: String,
}

impl Discovery {
    /// Announces the server's port on every interface, with the current addresses of the interface. Fails if
    /// multicast is not available.
    pub fn start(port: u16) -> Result<Discovery, Error> {
        let daemon = ServiceDaemon::new()?;
        daemon.set_ip_check_interval(CHECK_INTERVAL_SECONDS)?;
        let events = daemon.monitor()?;
        let properties = [("path", "/docs"), ("api", crate::http::BASE)];
        let service = ServiceInfo::new(KIND, INSTANCE, &format!("{NAME}."), "", port, &properties[..])?;
        daemon.register(service.enable_addr_auto())?;
        Ok(Discovery { daemon, events, name: NAME.to_owned() })
    }

    /// Returns the announced host name, which differs from [`NAME`] if another machine on the network has that.
    pub fn name(&mut self) -> &str {
        while let Ok(event) = self.events.try_recv() {
            if let DaemonEvent::NameChange(change) = event
                && change.original.eq_ignore_ascii_case(&format!("{NAME}."))
            {
                change.new_name.trim_end_matches('.').clone_into(&mut self.name);
                tracing::warn!(name = self.name, "another server on the network has the name {NAME}");
            }
        }
        &self.name
    }
}

impl Drop for Discovery {
    /// Withdraws the name, which clients would otherwise use until it expires.
    fn drop(&mut self) {
        if let Ok(gone) = self.daemon.shutdown() {
            let _ = gone.recv_timeout(GOODBYE);
        }
    }
}

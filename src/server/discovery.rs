//! Being found by name without anybody setting up anything: multicast DNS (RFC 6762) and DNS-SD (RFC 6763).

use std::time::Duration;

use mdns_sd::{DaemonEvent, Error, Receiver, ServiceDaemon, ServiceInfo};

use crate::lan::NAME;

/// The kind of service; a browser of services shows it as a page to open.
const KIND: &str = "_https._tcp.local.";
/// What the office's machines list.
const INSTANCE: &str = "Pleito";
/// How often the addresses are looked at, in seconds.
const LOOK: u32 = 10;
/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// The announcement, for as long as it lives.
pub(super) struct Discovery {
    daemon: ServiceDaemon,
    events: Receiver<DaemonEvent>,
    name: String,
}

impl Discovery {
    /// Announces the server on that port, on every interface and with the addresses that this has now.
    ///
    /// # Errors
    /// Why no multicast is to be had.
    pub fn start(port: u16) -> Result<Discovery, Error> {
        let daemon = ServiceDaemon::new()?;
        daemon.set_ip_check_interval(LOOK)?;
        let events = daemon.monitor()?;
        let properties = [("path", "/docs"), ("api", crate::http::BASE)];
        let service = ServiceInfo::new(KIND, INSTANCE, &format!("{NAME}."), "", port, &properties[..])?;
        daemon.register(service.enable_addr_auto())?;
        Ok(Discovery { daemon, events, name: NAME.to_owned() })
    }

    /// The name that it goes by: another one where another machine of the network had the first.
    pub fn name(&mut self) -> &str {
        while let Ok(event) = self.events.try_recv() {
            if let DaemonEvent::NameChange(change) = event
                && change.original.eq_ignore_ascii_case(&format!("{NAME}."))
            {
                change.new_name.trim_end_matches('.').clone_into(&mut self.name);
                tracing::warn!(name = self.name, "another server of the network is called {NAME}");
            }
        }
        &self.name
    }
}

impl Drop for Discovery {
    /// Takes the name back, so that nobody goes on asking here for as long as it would have held.
    fn drop(&mut self) {
        if let Ok(gone) = self.daemon.shutdown() {
            let _ = gone.recv_timeout(GOODBYE);
        }
    }
}

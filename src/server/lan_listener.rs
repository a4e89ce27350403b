//! The network's listener: opens, closes and announces it as the settings require, with a certificate for the
//! machine's current names. Problems of this listener do not affect the other one.

use std::net::SocketAddr;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{JoinSet, block_in_place};
use tokio::time::{MissedTickBehavior, interval};

use super::accept::{self, Endpoint};
use super::discovery::Discovery;
use super::local::Server;
use super::tls::CertificateResolver;
use crate::clock::{Holdover, Time};
use crate::domain::lang::Lang;
use crate::lan::{self, Authority, LanError, LanState, LanStatus, Names};
use crate::store::records::timestamps;
use crate::store::{self};

/// Interval of checks for changed addresses or settings, an expiring certificate, and a port that has become
/// free. A check takes a few system calls; no notification mechanism covers all of this on all systems.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// The network's listener and its announcement.
pub struct LanListener {
    server: Arc<Server>,
    certificate: Option<Certificate>,
    holdover: Holdover,
    open: Option<Open>,
    /// The tasks of the listener, and of earlier listeners that still have requests in progress.
    serving: JoinSet<()>,
    discovery: Option<Discovery>,
    /// `true` if announcing the server has failed and was logged.
    announce_failed: bool,
}

struct Open {
    /// The address in the settings. `address` may have a port that the system chose.
    wanted: SocketAddr,
    address: SocketAddr,
    stop: watch::Sender<bool>,
}

/// The certificate for new connections.
struct Certificate {
    authority: Arc<Authority>,
    shown: Arc<CertificateResolver>,
    /// The names that the certificate should have.
    names: Vec<String>,
    /// Those of `names` that the authority does not permit.
    left_out: Vec<String>,
    validity_before_renewal: Range<i64>,
}

impl Server {
    pub fn sharing(self: &Arc<Server>) -> LanListener {
        LanListener::new(self.clone())
    }
}

impl LanListener {
    /// Nothing is shared before the first [`LanListener::poll`].
    pub(super) fn new(server: Arc<Server>) -> LanListener {
        LanListener {
            server,
            certificate: None,
            holdover: Holdover::default(),
            open: None,
            serving: JoinSet::new(),
            discovery: None,
            announce_failed: false,
        }
    }

    /// Follows changes of the settings and the machine until `stop` is `true` or its sender is dropped. Then it
    /// closes like [`super::Listener::serve`].
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut changes = self.server.app.live_settings().subscribe();
        let mut tick = interval(CHECK_INTERVAL);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                Ok(()) = changes.changed() => {}
                _ = stop.wait_for(|stop| *stop) => break,
            }
            self.poll().await;
        }
        self.close();
        while self.serving.join_next().await.is_some() {}
    }

    /// Checks settings, names and clock once, opens or closes the listener accordingly, and publishes its status.
    pub async fn poll(&mut self) {
        let server = self.server.clone();
        let settings = server.app.settings();
        while self.serving.try_join_next().is_some() {}
        let wanted = settings.lan.enabled.then_some(settings.lan.listen);
        if self.open.as_ref().is_some_and(|open| Some(open.wanted) != wanted) {
            self.close();
        }
        let mut names = self.names();
        let time = self.time();
        let state = match wanted {
            None => LanState::Off,
            Some(wanted) => {
                match self.ensure_listening(wanted, &names, &settings.server.hosts, time.now).await {
                    Ok(address) => LanState::Open(address),
                    Err(trouble) => LanState::Failed(trouble),
                }
            }
        };
        // The name in the network is the office's.
        self.announce(settings.lan.discovery && server.app.standby().is_none());
        names.discovered = self.found_as();
        let (root, left_out) = self.certificate.as_ref().map_or_else(Default::default, |certificate| {
            (Some(certificate.authority.root().clone()), certificate.left_out.clone())
        });
        let before = server.app.lan().status();
        server.app.lan().publish(LanStatus {
            state: state.clone(),
            names,
            root,
            left_out,
            clock: time.fault,
        });
        if before.clock != time.fault {
            match time.fault {
                Some(fault) => tracing::error!("{} Certificates do not follow it.", fault.message(Lang::En)),
                None => tracing::info!("the clock is plausible again"),
            }
        }
        if before.state != state {
            match state {
                LanState::Off => tracing::info!("the network listener is closed"),
                LanState::Open(address) => tracing::info!(%address, "the network listener is open"),
                LanState::Failed(trouble) => {
                    tracing::error!(
                        code = trouble.code(),
                        "the network listener cannot open: {}",
                        trouble.message(Lang::En)
                    );
                }
            }
        }
    }

    /// Returns the time to use for certificates. Reads the times of the newest records only if the clock is in doubt.
    fn time(&mut self) -> Time {
        let app = &self.server.app;
        let records = || {
            block_in_place(|| app.store().read(timestamps::newest)).unwrap_or_else(|cause: store::Error| {
                tracing::debug!(%cause, "the times of the newest records cannot be read");
                Vec::new()
            })
        };
        self.holdover.time(app.clock(), records)
    }

    /// Opens the listener if it is closed, and keeps its certificate up to date with these names and the hosts
    /// in the settings.
    async fn ensure_listening(
        &mut self,
        wanted: SocketAddr,
        names: &Names,
        hosts: &[String],
        now: i64,
    ) -> Result<SocketAddr, LanError> {
        let certified = self.certify(names, hosts, now);
        if let Some(open) = &self.open {
            if let Err(trouble) = certified {
                tracing::error!("the certificate cannot be renewed: {}", trouble.message(Lang::En));
            }
            return Ok(open.address);
        }
        let shown = certified?;
        let taken = accept::listen(wanted).and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = taken.map_err(|cause| LanError::address(wanted, &cause))?;
        let of_folder = |cause| LanError::certificate(self.server.app.lan().folder().clone(), &cause);
        let endpoint = Endpoint { listener, tls: Some(shown.acceptor().map_err(of_folder)?) };
        let (stop, stopped) = watch::channel(false);
        self.serving.spawn(accept::run(
            endpoint,
            self.server.service.clone(),
            self.server.limit.clone(),
            stopped,
        ));
        self.open = Some(Open { wanted, address, stop });
        Ok(address)
    }

    /// Closes the listener. Requests in progress are finished.
    fn close(&mut self) {
        self.announce(false);
        if let Some(open) = self.open.take() {
            let _ = open.stop.send(true);
        }
    }

    /// Returns a certificate for these names at this time. Issues a new one if the current one does not fit.
    fn certify(
        &mut self,
        names: &Names,
        hosts: &[String],
        now: i64,
    ) -> Result<Arc<CertificateResolver>, LanError> {
        let folder = self.server.app.lan().folder();
        let of_folder = |cause| LanError::certificate(folder.clone(), &cause);
        let wanted = names.certified(hosts);
        let there = self.certificate.as_ref();
        if let Some(there) =
            there.filter(|there| there.names == wanted && there.validity_before_renewal.contains(&now))
        {
            return Ok(there.shown.clone());
        }
        // If the clock was set back, the folder may hold an earlier authority that is valid again.
        let is_valid = |there: &&Certificate| {
            now >= there.validity_before_renewal.start && there.authority.root().validity.contains(&now)
        };
        let authority = match there.filter(is_valid) {
            Some(there) => there.authority.clone(),
            None => {
                let own = [&names.machine, hosts].concat();
                Arc::new(Authority::open(folder, &own, now).map_err(of_folder)?)
            }
        };
        let (named, left_out): (Vec<_>, Vec<_>) =
            wanted.iter().cloned().partition(|name| authority.root().permits(name));
        let leaf = authority.issue(named.clone(), now).map_err(of_folder)?;
        let validity_before_renewal = leaf.validity_before_renewal.clone();
        let shown = match there {
            Some(there) => there.shown.change(leaf).map(|()| there.shown.clone()),
            None => CertificateResolver::new(leaf),
        };
        let shown = shown.map_err(of_folder)?;
        tracing::info!(names = named.join(" "), left_out = left_out.join(" "), "a certificate was issued");
        self.certificate = Some(Certificate {
            authority,
            shown: shown.clone(),
            names: wanted,
            left_out,
            validity_before_renewal,
        });
        Ok(shown)
    }

    /// Announces the listener if it is open and `wanted` is true. Otherwise, withdraws the announcement.
    fn announce(&mut self, wanted: bool) {
        let Some(open) = self.open.as_ref().filter(|_| wanted) else {
            // Dropping the announcement waits for its thread.
            return block_in_place(|| self.discovery = None);
        };
        if self.discovery.is_some() {
            return;
        }
        match Discovery::start(open.address.port()) {
            Ok(discovery) => (self.discovery, self.announce_failed) = (Some(discovery), false),
            Err(cause) => {
                if !self.announce_failed {
                    tracing::warn!(%cause, "the server cannot be announced on the network");
                }
                self.announce_failed = true;
            }
        }
    }

    fn found_as(&mut self) -> Option<String> {
        self.discovery.as_mut().map(|discovery| discovery.name().to_owned())
    }

    /// Returns the current names and addresses of the machine. If the addresses cannot be read, returns the
    /// last known ones.
    fn names(&mut self) -> Names {
        let addresses = lan::addresses().unwrap_or_else(|cause| {
            tracing::debug!(%cause, "the machine's addresses cannot be read");
            self.server.app.lan().status().names.addresses.clone()
        });
        Names { discovered: self.found_as(), machine: lan::machine(), addresses }
    }
}

//! The life of the network's listener: opened, closed and announced as the settings say, with a certificate that goes by
//! what the machine is called now. Whatever is in its way, the other listener does not notice.

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
use crate::store::{self, moments};

/// How often somebody looks whether addresses or the settings file have changed, the certificate ends, or a port that was
/// taken is free. A look is a few system calls, and no two systems tell of all these by themselves in one way.
const LOOK: Duration = Duration::from_secs(10);

/// The network's side of the server.
pub struct Sharing {
    server: Arc<Server>,
    certificate: Option<Certificate>,
    holdover: Holdover,
    open: Option<Open>,
    /// The listener's task, and those of earlier ones that are still answering somebody.
    serving: JoinSet<()>,
    discovery: Option<Discovery>,
    /// Whether it could not be announced, which is said once.
    is_unheard: bool,
}

/// A listener that answers.
struct Open {
    /// What the settings asked for; the port of `address` may be the system's choice.
    wanted: SocketAddr,
    address: SocketAddr,
    stop: watch::Sender<bool>,
}

/// What newcomers are shown, and how long it will do.
struct Certificate {
    authority: Arc<Authority>,
    shown: Arc<CertificateResolver>,
    /// What it should name, and what of that the authority does not permit.
    names: Vec<String>,
    left_out: Vec<String>,
    good: Range<i64>,
}

impl Server {
    /// Its side towards the network.
    pub fn sharing(self: &Arc<Server>) -> Sharing {
        Sharing::new(self.clone())
    }
}

impl Sharing {
    /// Nothing is shared before the first [`Sharing::look`].
    pub(super) fn new(server: Arc<Server>) -> Sharing {
        Sharing {
            server,
            certificate: None,
            holdover: Holdover::default(),
            open: None,
            serving: JoinSet::new(),
            discovery: None,
            is_unheard: false,
        }
    }

    /// Keeps in step with the settings and the machine until `stop` says so or its sender is gone; then closes, as
    /// [`super::Listener::serve`] does.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut changes = self.server.app.watch().subscribe();
        let mut tick = interval(LOOK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                Ok(()) = changes.changed() => {}
                _ = stop.wait_for(|stop| *stop) => break,
            }
            self.look().await;
        }
        self.close();
        while self.serving.join_next().await.is_some() {}
    }

    /// Looks at everything once, does what follows from it, and says how it stands.
    pub async fn look(&mut self) {
        let server = self.server.clone();
        let settings = server.app.settings();
        while self.serving.try_join_next().is_some() {}
        let wanted = settings.lan.enabled.then_some(settings.lan.listen);
        if self.open.as_ref().is_some_and(|open| Some(open.wanted) != wanted) {
            self.close();
        }
        let (mut names, time) = (self.names(), self.time());
        let state = match wanted {
            None => LanState::Off,
            Some(wanted) => match self.stay_open(wanted, &names, &settings.server.hosts, time.now).await {
                Ok(address) => LanState::Open(address),
                Err(trouble) => LanState::Failed(trouble),
            },
        };
        self.announce(settings.lan.discovery);
        names.discovered = self.found_as();
        let (root, left_out) = self.certificate.as_ref().map_or_else(Default::default, |certificate| {
            (Some(certificate.authority.root().clone()), certificate.left_out.clone())
        });
        let before = server.app.lan().standing();
        server.app.lan().stands(LanStatus { state: state.clone(), names, root, left_out, clock: time.odd });
        if before.clock != time.odd {
            match time.odd {
                Some(odd) => tracing::error!("{} Certificates do not follow it.", odd.say(Lang::En)),
                None => tracing::info!("the clock is right again"),
            }
        }
        if before.state != state {
            match state {
                LanState::Off => tracing::info!("the network is not let in any more"),
                LanState::Open(address) => tracing::info!(%address, "the network is let in, by HTTPS"),
                LanState::Failed(trouble) => {
                    tracing::error!(
                        code = trouble.code(),
                        "the network is not let in: {}",
                        trouble.say(Lang::En)
                    );
                }
            }
        }
    }

    /// The time to go by; what the records tell is looked up only where the clock is in doubt.
    fn time(&mut self) -> Time {
        let app = &self.server.app;
        let records = || {
            block_in_place(|| app.store().read(moments::newest)).unwrap_or_else(|cause: store::Error| {
                tracing::debug!(%cause, "the newest records are not known");
                Vec::new()
            })
        };
        self.holdover.time(app.clock(), records)
    }

    /// Opens what is not open, with a certificate for these names and the further ones of the settings, or keeps that in
    /// step.
    async fn stay_open(
        &mut self,
        wanted: SocketAddr,
        names: &Names,
        hosts: &[String],
        now: i64,
    ) -> Result<SocketAddr, LanError> {
        let certified = self.certify(names, hosts, now);
        if let Some(open) = &self.open {
            if let Err(trouble) = certified {
                tracing::error!("the certificate stays as it is: {}", trouble.say(Lang::En));
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
            self.server.network.clone(),
            self.server.limit.clone(),
            stopped,
        ));
        self.open = Some(Open { wanted, address, stop });
        Ok(address)
    }

    /// Who is being answered is answered to the end; nobody else is let in from here on.
    fn close(&mut self) {
        self.announce(false);
        if let Some(open) = self.open.take() {
            let _ = open.stop.send(true);
        }
    }

    /// The certificate for these names and this time: the one there is, or a new one.
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
        if let Some(there) = there.filter(|there| there.names == wanted && there.good.contains(&now)) {
            return Ok(there.shown.clone());
        }
        // When the clock was set back, the authority from before it was set forward may hold again.
        let holds =
            |there: &&Certificate| now >= there.good.start && there.authority.root().holds.contains(&now);
        let authority = match there.filter(holds) {
            Some(there) => there.authority.clone(),
            None => {
                let own = [&names.machine, hosts].concat();
                Arc::new(Authority::open(folder, &own, now).map_err(of_folder)?)
            }
        };
        let (named, left_out): (Vec<_>, Vec<_>) =
            wanted.iter().cloned().partition(|name| authority.root().permits(name));
        let leaf = authority.issue(named.clone(), now).map_err(of_folder)?;
        let good = leaf.good.clone();
        let shown = match there {
            Some(there) => there.shown.change(leaf).map(|()| there.shown.clone()),
            None => CertificateResolver::new(leaf),
        };
        let shown = shown.map_err(of_folder)?;
        tracing::info!(names = named.join(" "), left_out = left_out.join(" "), "a certificate was made");
        self.certificate =
            Some(Certificate { authority, shown: shown.clone(), names: wanted, left_out, good });
        Ok(shown)
    }

    /// Announces what is open, if that is wanted; takes back what is not.
    fn announce(&mut self, wanted: bool) {
        let Some(open) = self.open.as_ref().filter(|_| wanted) else {
            // Saying goodbye waits for the thread that says it.
            return block_in_place(|| self.discovery = None);
        };
        if self.discovery.is_some() {
            return;
        }
        match Discovery::start(open.address.port()) {
            Ok(discovery) => (self.discovery, self.is_unheard) = (Some(discovery), false),
            Err(cause) => {
                if !self.is_unheard {
                    tracing::warn!(%cause, "the server cannot be announced on the network");
                }
                self.is_unheard = true;
            }
        }
    }

    fn found_as(&mut self) -> Option<String> {
        self.discovery.as_mut().map(|discovery| discovery.name().to_owned())
    }

    /// What the machine is called now and where it is; where the system does not say, it is where it was.
    fn names(&mut self) -> Names {
        let addresses = lan::addresses().unwrap_or_else(|cause| {
            tracing::debug!(%cause, "the machine's addresses are not known");
            self.server.app.lan().standing().names.addresses.clone()
        });
        Names { discovered: self.found_as(), machine: lan::machine(), addresses }
    }
}

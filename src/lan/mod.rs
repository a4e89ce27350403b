//! What the office's network knows of this server: its names and addresses, the authority behind its certificates, and
//! whether it can be reached there at all.
//!
//! The listener itself is the floor of the server's; this is what it has to go by and what it tells everybody else.

mod authority;
mod names;
mod root;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

pub use authority::{Authority, Leaf};
pub use names::{NAME, Names, addresses, machine};
pub use root::Root;

use crate::clock::Odd;
use crate::config::cause;
use crate::domain::lang::{Lang, say};

/// How the server stands with the network.
pub struct Lan {
    folder: PathBuf,
    standing: watch::Sender<Arc<LanStatus>>,
}

/// How it stands at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LanStatus {
    /// Whether it listens.
    pub state: LanState,
    /// What it is called and where it is, whether or not it listens.
    pub names: Names,
    /// The authority's certificate; none before the first time that it listened.
    pub root: Option<Root>,
    /// Names and addresses of the server that its certificate does not have, because the authority does not permit them.
    pub left_out: Vec<String>,
    /// What is wrong with the machine's clock; certificates do not follow it then.
    pub clock: Option<Odd>,
}

/// Whether others can come in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LanState {
    /// Sharing is switched off.
    #[default]
    Off,
    /// It listens.
    Open(SocketAddr),
    /// It should listen and cannot, for now.
    Failed(LanError),
}

/// Why nobody on the network can come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LanError {
    /// The address cannot be listened on.
    Address(SocketAddr, io::ErrorKind, String),
    /// There is no certificate to be had.
    Certificate(PathBuf, io::ErrorKind, String),
}

impl Lan {
    /// Over the folder in which the authority is kept.
    pub fn new(folder: PathBuf) -> Lan {
        Lan { folder, standing: watch::Sender::default() }
    }

    /// Where the authority is kept.
    pub fn folder(&self) -> &PathBuf {
        &self.folder
    }

    /// How it stands now.
    pub fn standing(&self) -> Arc<LanStatus> {
        self.standing.borrow().clone()
    }

    /// Hears of every change.
    pub fn subscribe(&self) -> watch::Receiver<Arc<LanStatus>> {
        self.standing.subscribe()
    }

    /// Says how it stands from now on; whether that is news.
    pub fn stands(&self, standing: LanStatus) -> bool {
        self.standing.send_if_modified(|before| {
            let is_news = **before != standing;
            if is_news {
                *before = Arc::new(standing);
            }
            is_news
        })
    }
}

impl LanStatus {
    /// The addresses for others on the network, as they write them: the name first, then those that need no look-up.
    /// Those that the certificate does not have are none. Empty where nobody can come in.
    pub fn urls(&self) -> Vec<String> {
        let LanState::Open(address) = self.state else { return Vec::new() };
        let (found, ip, port) = (self.names.discovered.iter(), address.ip(), address.port());
        let addresses: Vec<_> = match ip.is_unspecified() {
            true => {
                self.names.addresses.iter().filter(|one| ip.is_ipv6() || one.is_ipv4()).copied().collect()
            }
            false => vec![ip],
        };
        let addresses = addresses.into_iter().filter(|ip| !self.left_out.contains(&ip.to_string()));
        let addresses = addresses.map(|ip| SocketAddr::new(ip, port).to_string());
        found
            .map(|name| format!("{name}:{port}"))
            .chain(addresses)
            .map(|host| format!("https://{host}"))
            .collect()
    }
}

impl LanError {
    /// From the system's refusal to listen.
    pub fn address(address: SocketAddr, cause: &io::Error) -> LanError {
        LanError::Address(address, cause.kind(), cause.to_string())
    }

    /// From what stands in the way of a certificate in that folder.
    pub fn certificate(folder: PathBuf, cause: &io::Error) -> LanError {
        LanError::Certificate(folder, cause.kind(), cause.to_string())
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            LanError::Address(_, io::ErrorKind::AddrInUse, _) => "port-in-use",
            LanError::Address(..) => "address-unavailable",
            LanError::Certificate(..) => "certificate-unavailable",
        }
    }

    /// What is wrong, and what to do about it.
    pub fn say(&self, lang: Lang) -> String {
        let because = |kind: &io::ErrorKind, reason: &str| cause::say(&io::Error::new(*kind, reason), lang);
        match self {
            LanError::Address(address, io::ErrorKind::AddrInUse, _) => {
                let port = address.port();
                say!(
                    lang,
                    "a porta {port} já está em uso por outro programa ou por outro Pleito, e por isso a rede não alcança este servidor. Escolha outra com lan.listen ou encerre o outro programa; o Pleito continua tentando.",
                    "port {port} is in use by another program or another Pleito, so the network does not reach this server. Choose another one with lan.listen, or stop the other program; Pleito keeps trying."
                )
            }
            LanError::Address(address, kind, reason) => {
                let cause = because(kind, reason);
                say!(
                    lang,
                    "não é possível escutar em {address}: {cause}. Escolha outro endereço com lan.listen; o Pleito continua tentando.",
                    "cannot listen on {address}: {cause}. Choose another address with lan.listen; Pleito keeps trying."
                )
            }
            LanError::Certificate(folder, kind, reason) => {
                let (folder, cause) = (folder.display(), because(kind, reason));
                say!(
                    lang,
                    "o certificado em {folder} não pode ser lido ou gravado: {cause}. Sem ele a rede não alcança este servidor.",
                    "the certificate in {folder} cannot be read or written: {cause}. Without it the network does not reach this server."
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(address: &str) -> LanStatus {
        let names = Names {
            discovered: Some(NAME.to_owned()),
            machine: vec!["pc".to_owned()],
            addresses: vec!["192.0.2.7".parse().unwrap(), "2001:db8::7".parse().unwrap()],
        };
        LanStatus { state: LanState::Open(address.parse().unwrap()), names, ..LanStatus::default() }
    }

    #[test]
    fn addresses_are_those_that_somebody_can_type() {
        assert_eq!(open("0.0.0.0:8744").urls(), ["https://pleito.local:8744", "https://192.0.2.7:8744"]);
        let both = ["https://pleito.local:1", "https://192.0.2.7:1", "https://[2001:db8::7]:1"];
        assert_eq!(open("[::]:1").urls(), both);
        assert_eq!(open("192.0.2.9:2").urls(), ["https://pleito.local:2", "https://192.0.2.9:2"]);
        let left_out = vec!["2001:db8::7".to_owned()];
        assert_eq!(LanStatus { left_out, ..open("[::]:1") }.urls(), both[..2]);
        assert!(LanStatus { state: LanState::Off, ..open("0.0.0.0:1") }.urls().is_empty());
    }

    #[test]
    fn only_news_is_told() {
        let lan = Lan::new(PathBuf::new());
        let mut changes = lan.subscribe();
        assert!(lan.stands(open("0.0.0.0:1")) && changes.has_changed().unwrap());
        changes.borrow_and_update();
        assert!(!lan.stands(open("0.0.0.0:1")) && !changes.has_changed().unwrap());
    }

    #[test]
    fn trouble_is_said_in_both_languages_without_the_systems_words() {
        let address = "0.0.0.0:8744".parse().unwrap();
        for kind in [io::ErrorKind::AddrInUse, io::ErrorKind::PermissionDenied] {
            for trouble in [
                LanError::address(address, &io::Error::new(kind, "os error 98")),
                LanError::certificate("d".into(), &io::Error::new(kind, "os error 98")),
            ] {
                let (pt, en) = (trouble.say(Lang::Pt), trouble.say(Lang::En));
                assert!(pt != en && !pt.contains("os error") && !en.contains("os error"), "{pt} {en}");
            }
        }
    }
}

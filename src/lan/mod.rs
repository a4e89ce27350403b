//! The server on the office's network: its names and addresses, its certificate authority, and the state of
//! the LAN listener.
//!
//! The listener itself is part of `server`. This module holds its configuration and publishes its state.

mod authority;
mod names;
mod root_certificate;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

pub use authority::{Authority, Leaf};
pub use names::{NAME, Names, addresses, machine};
pub use root_certificate::Root;

use crate::clock::ClockFault;
use crate::config::io_error_texts;
use crate::domain::lang::{Lang, localize};

/// The current state of the LAN listener, with change notification.
pub struct Lan {
    folder: PathBuf,
    standing: watch::Sender<Arc<LanStatus>>,
}

/// The state of the server on the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LanStatus {
    pub state: LanState,
    /// Names and addresses, also while it is not listening.
    pub names: Names,
    /// The authority's certificate. `None` before the server has first listened.
    pub root: Option<Root>,
    /// Names and addresses of the server that are not in its certificate, because the authority does not
    /// permit them.
    pub left_out: Vec<String>,
    /// The fault of the machine's clock, if any. Certificates are not renewed by a wrong clock.
    pub clock: Option<ClockFault>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LanState {
    /// Sharing is turned off.
    #[default]
    Off,
    Open(SocketAddr),
    /// It should listen but currently cannot.
    Failed(LanError),
}

/// The reason for which the LAN listener is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LanError {
    Address(SocketAddr, io::ErrorKind, String),
    /// The certificate cannot be read or written.
    Certificate(PathBuf, io::ErrorKind, String),
}

impl Lan {
    pub fn new(folder: PathBuf) -> Lan {
        Lan { folder, standing: watch::Sender::default() }
    }

    pub fn folder(&self) -> &PathBuf {
        &self.folder
    }

    pub fn status(&self) -> Arc<LanStatus> {
        self.standing.borrow().clone()
    }

    pub fn subscribe(&self) -> watch::Receiver<Arc<LanStatus>> {
        self.standing.subscribe()
    }

    /// Publishes a new state. Returns `true` if it differs from the previous one.
    pub fn publish(&self, standing: LanStatus) -> bool {
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
    /// Returns the URLs for other machines: by name first, then by address. Leaves out addresses that are not
    /// in the certificate. Empty if the listener is closed.
    pub fn urls(&self) -> Vec<String> {
        let LanState::Open(address) = self.state else { return Vec::new() };
        let found = self.names.discovered.iter();
        let ip = address.ip();
        let port = address.port();
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
    pub fn address(address: SocketAddr, cause: &io::Error) -> LanError {
        LanError::Address(address, cause.kind(), cause.to_string())
    }

    pub fn certificate(folder: PathBuf, cause: &io::Error) -> LanError {
        LanError::Certificate(folder, cause.kind(), cause.to_string())
    }

    /// Returns the stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            LanError::Address(_, io::ErrorKind::AddrInUse, _) => "port-in-use",
            LanError::Address(..) => "address-unavailable",
            LanError::Certificate(..) => "certificate-unavailable",
        }
    }

    /// Returns the sentence for the user, with the remedy.
    pub fn message(&self, lang: Lang) -> String {
        let message_of = |kind: &io::ErrorKind, reason: &str| {
            io_error_texts::message(&io::Error::new(*kind, reason), lang)
        };
        match self {
            LanError::Address(address, io::ErrorKind::AddrInUse, _) => {
                let port = address.port();
                localize!(
                    lang,
                    "a porta {port} já está em uso por outro programa ou por outro Pleito, e por isso a rede não alcança este servidor. Escolha outra com lan.listen ou encerre o outro programa; o Pleito continua tentando.",
                    "port {port} is in use by another program or another Pleito, so the network does not reach this server. Choose another one with lan.listen, or stop the other program; Pleito keeps trying."
                )
            }
            LanError::Address(address, kind, reason) => {
                let cause = message_of(kind, reason);
                localize!(
                    lang,
                    "não é possível escutar em {address}: {cause}. Escolha outro endereço com lan.listen; o Pleito continua tentando.",
                    "cannot listen on {address}: {cause}. Choose another address with lan.listen; Pleito keeps trying."
                )
            }
            LanError::Certificate(folder, kind, reason) => {
                let folder = folder.display();
                let cause = message_of(kind, reason);
                localize!(
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
    fn urls_contain_names_and_reachable_addresses() {
        assert_eq!(open("0.0.0.0:8744").urls(), ["https://pleito.local:8744", "https://192.0.2.7:8744"]);
        let both = ["https://pleito.local:1", "https://192.0.2.7:1", "https://[2001:db8::7]:1"];
        assert_eq!(open("[::]:1").urls(), both);
        assert_eq!(open("192.0.2.9:2").urls(), ["https://pleito.local:2", "https://192.0.2.9:2"]);
        let left_out = vec!["2001:db8::7".to_owned()];
        assert_eq!(LanStatus { left_out, ..open("[::]:1") }.urls(), both[..2]);
        assert!(LanStatus { state: LanState::Off, ..open("0.0.0.0:1") }.urls().is_empty());
    }

    #[test]
    fn only_changed_states_are_published() {
        let lan = Lan::new(PathBuf::new());
        let mut changes = lan.subscribe();
        assert!(lan.publish(open("0.0.0.0:1")) && changes.has_changed().unwrap());
        changes.borrow_and_update();
        assert!(!lan.publish(open("0.0.0.0:1")) && !changes.has_changed().unwrap());
    }

    #[test]
    fn errors_are_described_in_both_languages_without_system_messages() {
        let address = "0.0.0.0:8744".parse().unwrap();
        for kind in [io::ErrorKind::AddrInUse, io::ErrorKind::PermissionDenied] {
            for trouble in [
                LanError::address(address, &io::Error::new(kind, "os error 98")),
                LanError::certificate("d".into(), &io::Error::new(kind, "os error 98")),
            ] {
                let pt = trouble.message(Lang::Pt);
                let en = trouble.message(Lang::En);
                assert!(pt != en && !pt.contains("os error") && !en.contains("os error"), "{pt} {en}");
            }
        }
    }
}

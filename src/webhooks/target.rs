//! Checks of receivers' addresses (events 21.4). A URL is checked when it is saved. Every attempt checks the
//! address of its connection again, because a name may resolve to another address by then.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use http::Uri;
use http::uri::Scheme;

use crate::app::App;
use crate::domain::Reason;
use crate::lan::{self, LanState};
use crate::outgoing::{embedded_ipv4, is_never_a_receiver, is_private};

/// Maximum length of a URL, in characters.
const MAX_URL_CHARACTERS: usize = 2000;
/// Time-out of the name look-up when a URL is saved. A slow look-up does not prevent the saving, because each
/// attempt resolves the name anew.
const LOOK_UP_TIMEOUT: Duration = Duration::from_secs(2);

/// Host names of cloud providers' metadata services, refused even if they do not resolve.
const METADATA_NAMES: [&str; 5] =
    ["metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"];

/// The parsed URL of a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookTarget {
    uri: Uri,
    host: String,
    port: u16,
    is_encrypted: bool,
}

/// The addresses and ports of this server's listeners.
#[derive(Clone, Debug, Default)]
pub struct OwnAddresses {
    ports: Vec<u16>,
    machine: Vec<IpAddr>,
}

impl WebhookTarget {
    /// Parses a URL.
    pub fn parse(text: &str) -> Result<WebhookTarget, Reason> {
        if text.chars().count() > MAX_URL_CHARACTERS {
            return Err(Reason::TooLong { most: MAX_URL_CHARACTERS });
        }
        let uri: Uri = text.parse().map_err(|_| Reason::NotUrl)?;
        let is_encrypted = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(Reason::NotUrl),
        };
        let authority = uri.authority().ok_or(Reason::NotUrl)?;
        if authority.as_str().contains('@') {
            return Err(Reason::UserInUrl);
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = authority.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 });
        let has_port = authority.as_str().rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
        // The `http` crate returns `None` for an invalid port.
        if host.is_empty() || port == 0 || has_port && authority.port_u16().is_none() {
            return Err(Reason::NotUrl);
        }
        Ok(WebhookTarget { uri: uri.clone(), host, port, is_encrypted })
    }

    /// Returns host and port for display, without the parts of a URL that may be secret.
    pub fn host(&self) -> &str {
        self.uri.authority().map_or(&self.host, |authority| authority.as_str())
    }

    /// Checks the addresses that the host resolves to. Succeeds if one of them is permitted. A name that does
    /// not resolve is accepted, because it may resolve later.
    pub fn check(&self, own: &OwnAddresses) -> Result<(), Reason> {
        let name = self.host.trim_end_matches('.').to_ascii_lowercase();
        if METADATA_NAMES.contains(&name.as_str()) {
            return Err(Reason::ForbiddenAddress);
        }
        let mut refused = None;
        for address in self.addresses() {
            match own.permit(address, self.is_encrypted) {
                Ok(()) => return Ok(()),
                Err(reason) => refused = Some(reason),
            }
        }
        refused.map_or(Ok(()), Err)
    }

    fn addresses(&self) -> Vec<SocketAddr> {
        if let Ok(ip) = self.host.parse() {
            return vec![SocketAddr::new(ip, self.port)];
        }
        let (host, (reply, found)) = ((self.host.clone(), self.port), sync_channel(1));
        let look_up = move || _ = reply.send(host.to_socket_addrs().map(Iterator::collect));
        let looks = std::thread::Builder::new().name("pleito-lookup".to_owned()).spawn(look_up);
        looks.ok().and_then(|_| found.recv_timeout(LOOK_UP_TIMEOUT).ok()?.ok()).unwrap_or_default()
    }
}

impl OwnAddresses {
    /// Returns the addresses of the running server.
    pub fn of(app: &App) -> OwnAddresses {
        let network = match app.lan().status().state {
            LanState::Open(address) => Some(address),
            LanState::Off | LanState::Failed(_) => None,
        };
        let ports = [app.address(), network];
        OwnAddresses {
            ports: ports.into_iter().flatten().map(|address| address.port()).collect(),
            machine: lan::addresses().unwrap_or_default(),
        }
    }

    /// Returns `true` if a client may connect to this address to send a message to the URL `to`.
    pub(super) fn permits(&self, to: &Uri, address: SocketAddr) -> bool {
        self.permit(address, to.scheme() == Some(&Scheme::HTTPS)).is_ok()
    }

    /// Checks that messages may be sent to an address.
    fn permit(&self, address: SocketAddr, is_encrypted: bool) -> Result<(), Reason> {
        if is_never_a_receiver(address.ip()) {
            return Err(Reason::ForbiddenAddress);
        }
        let ip = embedded_ipv4(address.ip());
        let is_here = ip.is_loopback() || self.machine.iter().any(|own| embedded_ipv4(*own) == ip);
        if is_here && self.ports.contains(&address.port()) {
            return Err(Reason::OwnAddress);
        }
        match is_encrypted || is_here || is_private(ip) {
            true => Ok(()),
            false => Err(Reason::Unencrypted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_an_http_url_without_user_info() {
        for (text, host) in [
            ("https://n8n.example.com/webhook/pleito?x=1", "n8n.example.com"),
            ("http://localhost:5678/webhook/pleito", "localhost:5678"),
            ("http://[::1]:5678/", "[::1]:5678"),
            ("https://[2001:db8::1]/", "[2001:db8::1]"),
            ("HTTPS://EXAMPLE.COM", "EXAMPLE.COM"),
        ] {
            assert_eq!(WebhookTarget::parse(text).unwrap().host(), host, "{text}");
        }
        for text in [
            "",
            "x",
            "/webhook",
            "localhost:5678/webhook",
            "ftp://example.com/",
            "file:///etc/passwd",
            "https://",
            "https:///x",
            "https://exam ple.com/",
            "https://example.com:0/",
            "https://example.com:65536/",
            "https://example.com:x/",
        ] {
            assert_eq!(WebhookTarget::parse(text), Err(Reason::NotUrl), "{text}");
        }
        for text in ["https://ana@example.com/", "https://ana:senha@example.com/", "http://@localhost/"] {
            assert_eq!(WebhookTarget::parse(text), Err(Reason::UserInUrl), "{text}");
        }
        let long = |length: usize| format!("https://e.com/{}", "x".repeat(length - "https://e.com/".len()));
        assert!(WebhookTarget::parse(&long(2000)).is_ok());
        assert_eq!(WebhookTarget::parse(&long(2001)), Err(Reason::TooLong { most: 2000 }));
    }

    #[test]
    fn names_of_metadata_services_are_always_refused() {
        for host in ["metadata.google.internal", "METADATA.google.internal.", "instance-data"] {
            let target = WebhookTarget::parse(&format!("http://{host}/")).unwrap();
            assert_eq!(target.check(&OwnAddresses::default()), Err(Reason::ForbiddenAddress), "{host}");
        }
    }

    #[test]
    fn forbidden_unencrypted_and_own_addresses_are_refused() {
        let own = OwnAddresses { ports: vec![8743], machine: vec!["192.168.1.7".parse().unwrap()] };
        let permit = |text: &str| {
            let target = WebhookTarget::parse(text).unwrap();
            let checked = target.check(&own);
            let connected = own.permits(&text.parse().unwrap(), target.addresses()[0]);
            assert_eq!(checked.is_ok(), connected, "{text}");
            checked
        };
        for text in [
            "https://93.184.215.14/",
            "https://[2606:4700::1111]/",
            "https://192.168.1.9/",
            "http://127.0.0.1:5678/",
            "http://[::1]:5678/",
            "http://192.168.1.7:5678/",
            "http://192.168.1.9:8743/",
            "http://10.1.2.3/",
            "http://172.16.0.1/",
            "http://172.31.255.254/",
            "http://100.64.0.1/",
            "http://100.127.255.254/",
            "http://[fd00::1]/",
            "http://[::ffff:10.0.0.1]/",
        ] {
            assert_eq!(permit(text), Ok(()), "{text}");
        }
        for text in [
            "http://93.184.215.14/",
            "http://172.15.255.255/",
            "http://172.32.0.1/",
            "http://100.63.255.255/",
            "http://100.128.0.1/",
            "http://[2606:4700::1111]/",
            "http://[::ffff:93.184.215.14]/",
            "http://[64:ff9b::93.184.215.14]/",
        ] {
            assert_eq!(permit(text), Err(Reason::Unencrypted), "{text}");
        }
        for text in [
            "https://169.254.169.254/",
            "https://[fe80::1]/",
            "https://[::ffff:169.254.169.254]/",
            "https://[64:ff9b::a9fe:a9fe]/",
            "https://224.0.0.1/",
            "https://[ff02::1]/",
            "https://0.0.0.0/",
            "https://[::]/",
            "https://255.255.255.255/",
            "https://0.1.2.3/",
            "https://240.0.0.1/",
            "http://100.100.100.200/",
            "https://168.63.129.16/",
            "https://192.0.0.192/",
            "https://[fd00:ec2::254]/",
            "https://[fd20:ce::254]/",
            "http://[64:ff9b::10.0.0.1]/",
            "https://[64:ff9b::127.0.0.1]/",
            "https://[64:ff9b::100.100.100.200]/",
            "https://[64:ff9b:1::93.184.215.14]/",
            "https://[2002:a00:1::]/",
            "https://[2002:5db8:d70e::1]/",
            "https://[2001:0:4136:e378:8000:63bf:f5ff:fffe]/",
            "https://[::10.0.0.1]/",
        ] {
            assert_eq!(permit(text), Err(Reason::ForbiddenAddress), "{text}");
        }
        for text in [
            "http://127.0.0.1:8743/",
            "http://127.9.9.9:8743/",
            "https://[::1]:8743/",
            "http://[::ffff:127.0.0.1]:8743/",
            "http://192.168.1.7:8743/api/v1/customers",
        ] {
            assert_eq!(permit(text), Err(Reason::OwnAddress), "{text}");
        }
    }
}

//! SSRF guard: restricts the addresses that a move connects to. A response of the source may contain any
//! address, but must not lead into the office's network. The rules check the address of the connection itself,
//! not an earlier DNS result.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::Uri;
use http::uri::Scheme;
use parking_lot::Mutex;

use crate::outgoing::{AddressCheck, embedded_ipv4, is_public};

/// The addresses to which one move may connect.
#[derive(Default)]
pub(in crate::transfer::cloud_import) struct Reach {
    insecure: bool,
    own: Mutex<BTreeSet<IpAddr>>,
    /// `true` once the source was reached at a public address. Contents must not come from private addresses then.
    is_public: AtomicBool,
}

impl Reach {
    pub(in crate::transfer::cloud_import) fn new(insecure: bool) -> Arc<Reach> {
        Arc::new(Reach { insecure, ..Reach::default() })
    }

    /// Returns the check for requests to the source, whose address the user chose. Allows any address, but no
    /// unencrypted connection to a public one.
    pub(in crate::transfer::cloud_import) fn of_source(self: &Arc<Reach>) -> AddressCheck {
        let reach = self.clone();
        Arc::new(move |to, address| reach.permits_source(to, address))
    }

    /// Returns the check for requests for contents. Allows the machine of the source and public addresses.
    pub(in crate::transfer::cloud_import) fn of_contents(self: &Arc<Reach>) -> AddressCheck {
        let reach = self.clone();
        Arc::new(move |to, address| reach.permits_content(to, address))
    }

    fn permits_source(&self, to: &Uri, address: SocketAddr) -> bool {
        let ip = embedded_ipv4(address.ip());
        if is_public(address.ip()) {
            self.is_public.store(true, Ordering::Relaxed);
            return self.is_safe(to);
        }
        self.own.lock().insert(ip);
        true
    }

    fn permits_content(&self, to: &Uri, address: SocketAddr) -> bool {
        let ip = embedded_ipv4(address.ip());
        match is_public(address.ip()) {
            true => self.is_safe(to),
            false => !self.is_public.load(Ordering::Relaxed) && self.own.lock().contains(&ip),
        }
    }

    fn is_safe(&self, to: &Uri) -> bool {
        self.insecure || to.scheme() == Some(&Scheme::HTTPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> SocketAddr {
        address.parse().unwrap()
    }

    fn uri(text: &str) -> Uri {
        text.parse().unwrap()
    }

    const PUBLIC: &str = "93.184.215.14:443";

    #[test]
    fn a_public_source_needs_https_unless_plain_http_is_allowed() {
        let safe = Reach::new(false);
        let any = Reach::new(true);
        for (to, address, is_safe) in [
            ("https://example.com/", PUBLIC, true),
            ("http://example.com/", PUBLIC, false),
            ("http://example.com/", "[2606:4700::1111]:80", false),
            ("http://localhost:8743/", "127.0.0.1:8743", true),
            ("http://192.168.0.10/", "192.168.0.10:80", true),
            ("http://[::ffff:10.0.0.1]/", "[::ffff:10.0.0.1]:80", true),
            ("http://[fd00::1]/", "[fd00::1]:80", true),
        ] {
            assert_eq!(safe.permits_source(&uri(to), of(address)), is_safe, "{to} {address}");
            assert!(any.permits_source(&uri(to), of(address)), "{to} {address}");
        }
    }

    #[test]
    fn content_is_fetched_only_from_the_source_and_public_addresses() {
        let cloud = Reach::new(false);
        assert!(cloud.permits_source(&uri("https://example.com/"), of(PUBLIC)));
        for inside in [
            "127.0.0.1:6379",
            "192.168.0.1:80",
            "169.254.169.254:80",
            "[::1]:80",
            "[fe80::1]:80",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(!cloud.permits_content(&uri("https://files.example.com/"), of(inside)), "{inside}");
        }
        assert!(cloud.permits_content(&uri("https://files.example.com/"), of("93.184.215.20:443")));
        assert!(!cloud.permits_content(&uri("http://files.example.com/"), of("93.184.215.20:80")));
        // DNS rebinding: the name of a public source now resolves to a private address.
        cloud.permits_source(&uri("https://example.com/"), of("127.0.0.1:443"));
        assert!(!cloud.permits_content(&uri("https://example.com/"), of("127.0.0.1:443")));

        let office = Reach::new(false);
        assert!(!office.permits_content(&uri("http://192.168.0.10/"), of("192.168.0.10:80")));
        assert!(office.permits_source(&uri("http://192.168.0.10:8743/"), of("192.168.0.10:8743")));
        assert!(office.permits_content(&uri("http://192.168.0.10:9000/"), of("192.168.0.10:9000")));
        assert!(!office.permits_content(&uri("http://192.168.0.11/"), of("192.168.0.11:80")));
    }
}

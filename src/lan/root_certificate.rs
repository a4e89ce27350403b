//! The public certificate of the office's own authority: its validity, and the names that it may sign.

use std::fs;
use std::net::IpAddr;
use std::ops::Range;
use std::path::Path;

use rcgen::{CidrSubnet, GeneralSubtree, NameConstraints};
use sha2::{Digest, Sha256};
use x509_parser::extensions::GeneralName;
use x509_parser::pem::parse_x509_pem;
use x509_parser::prelude::X509Certificate;

/// The file in the data folder. It may be given to anyone.
pub(super) const CERTIFICATE: &str = "ca.pem";

/// Domains in which an authority may sign names: those that the public DNS never has. They are that of mDNS
/// (RFC 6762), those that offices use internally (RFC 6762, appendix G), and `home.arpa` (RFC 8375).
const LOCAL_NAMES: [&str; 9] =
    ["local", "localhost", "lan", "home", "home.arpa", "intranet", "internal", "private", "corp"];

/// Networks in which an authority may sign addresses: those that belong to no one alone. They are private
/// networks (RFC 1918, RFC 4193), shared addresses of providers and most VPNs (RFC 6598), link-local ones
/// (RFC 3927, RFC 4291), and loopback.
const LOCAL_ADDRESSES: [&str; 9] = [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub pem: String,
    /// SHA-256 of the certificate, as browsers and systems show it.
    pub fingerprint: String,
    /// The validity, in seconds since 1970.
    pub validity: Range<i64>,
    /// The names that it may sign. `None` if there is no limit, as in the authorities of earlier versions.
    permitted: Option<Permitted>,
}

/// Name constraints (RFC 5280, 4.2.1.10).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Permitted {
    /// Domains in lower case, including everything below them.
    names: Vec<String>,
    /// Networks: an address and a mask, of four or sixteen bytes each.
    addresses: Vec<Vec<u8>>,
}

impl Root {
    /// Reads the authority's certificate in a folder. Returns `None` if it is missing or unreadable.
    pub fn read(folder: &Path) -> Option<Root> {
        Root::parse(&fs::read_to_string(folder.join(CERTIFICATE)).ok()?)
    }

    /// Returns `None` if the text is not a certificate.
    pub(super) fn parse(pem: &str) -> Option<Root> {
        let (_, block) = parse_x509_pem(pem.as_bytes()).ok()?;
        let certificate = block.parse_x509().ok()?;
        let hash = Sha256::digest(&block.contents);
        let validity = certificate.validity();
        Some(Root {
            fingerprint: hash.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":"),
            validity: validity.not_before.timestamp()..validity.not_after.timestamp(),
            permitted: Permitted::of(&certificate)?,
            pem: pem.to_owned(),
        })
    }

    /// Returns `true` if the authority may sign only certain names.
    pub fn is_limited(&self) -> bool {
        self.permitted.is_some()
    }

    /// Returns `true` if a certificate signed by the authority may have that name or address. Clients reject
    /// a certificate with a single name that is not permitted.
    pub fn permits(&self, name: &str) -> bool {
        self.permitted.as_ref().is_none_or(|permitted| permitted.has(name))
    }
}

impl Permitted {
    /// Returns the name constraints of a certificate, or `Some(None)` if it has none. Returns `None` if they
    /// cannot be parsed.
    fn of(certificate: &X509Certificate<'_>) -> Option<Option<Permitted>> {
        let Some(constraints) = certificate.name_constraints().ok()? else { return Some(None) };
        let mut permitted = Permitted::default();
        for subtree in constraints.value.permitted_subtrees.iter().flatten() {
            match &subtree.base {
                GeneralName::DNSName(name) => permitted.names.push(name.to_ascii_lowercase()),
                GeneralName::IPAddress(network) => permitted.addresses.push(network.to_vec()),
                _ => {}
            }
        }
        Some(Some(permitted))
    }

    fn has(&self, name: &str) -> bool {
        match name.parse() {
            Ok(IpAddr::V4(address)) => self.addresses.iter().any(|one| covers(one, &address.octets())),
            Ok(IpAddr::V6(address)) => self.addresses.iter().any(|one| covers(one, &address.octets())),
            Err(_) => self.names.iter().any(|permitted| {
                name.strip_suffix(permitted.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }),
        }
    }
}

fn covers(network: &[u8], address: &[u8]) -> bool {
    let Some((base, mask)) = network.split_at_checked(address.len()) else { return false };
    mask.len() == address.len()
        && base.iter().zip(mask).zip(address).all(|((base, mask), byte)| base & mask == byte & mask)
}

/// The name constraints of a new authority: local names and addresses, and the office's `own` ones, local or
/// not. A name of one label also permits everything below it, which exists only if a machine is named like a
/// top-level domain.
pub(super) fn constraints(own: &[String]) -> NameConstraints {
    let names = LOCAL_NAMES.iter().map(|name| GeneralSubtree::DnsName((*name).to_owned()));
    let addresses = LOCAL_ADDRESSES.iter().filter_map(|network| network.parse::<CidrSubnet>().ok());
    let own = own.iter().map(|name| match name.parse::<IpAddr>() {
        Ok(address) => GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(
            address,
            if address.is_ipv4() { 32 } else { 128 },
        )),
        Err(_) => GeneralSubtree::DnsName(name.clone()),
    });
    let permitted = names.chain(addresses.map(GeneralSubtree::IpAddress)).chain(own);
    NameConstraints { permitted_subtrees: permitted.collect(), excluded_subtrees: Vec::new() }
}

#[cfg(test)]
mod tests {
    use crate::lan::Authority;

    #[test]
    fn only_local_names_and_the_offices_own_are_permitted() {
        let folder = tempfile::tempdir().unwrap();
        let own = ["pc", "srv.office.example", "203.0.113.7", "2001:db8::7"].map(str::to_owned);
        let authority = Authority::open(folder.path(), &own, 1_780_000_000).unwrap();
        let root = authority.root();
        assert!(root.is_limited());
        for name in [
            "pleito.local",
            "local",
            "a.b.local",
            "localhost",
            "pleito.office.lan",
            "nas.home.arpa",
            "pc",
            "a.pc",
            "srv.office.example",
            "127.0.0.1",
            "::1",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.255.1",
            "169.254.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "fd00::1",
            "fe80::1",
            "203.0.113.7",
            "2001:db8::7",
        ] {
            assert!(root.permits(name), "{name}");
        }
        for name in [
            "example.com",
            "local.example",
            "notlocal",
            "xlocal",
            "com",
            "office.example",
            "evilsrv.office.example",
            "npc",
            "9.255.255.255",
            "11.0.0.0",
            "172.15.0.1",
            "172.32.0.1",
            "192.169.0.1",
            "100.128.0.1",
            "8.8.8.8",
            "203.0.113.8",
            "::2",
            "2001:db8::8",
            "fec0::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(!root.permits(name), "{name}");
        }
    }
}

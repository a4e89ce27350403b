//! The names of this machine on the network, and its current addresses.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use if_addrs::IfAddr;

use crate::config::setting_names;
use crate::machine;

/// The name under which the server is found without any configuration (mDNS).
pub const NAME: &str = "pleito.local";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The name published by mDNS. Differs from [`NAME`] if another machine already uses that one.
    pub discovered: Option<String>,
    pub machine: Vec<String>,
    /// The machine's addresses without loopback and IPv6 link-local ones, IPv4 first.
    pub addresses: Vec<IpAddr>,
}

impl Names {
    /// Returns `true` if the host name, in lower case and without a port, is one of the server's. [`NAME`]
    /// always is, because it may be in a hosts file.
    pub fn contains(&self, host: &str) -> bool {
        host == NAME
            || self.discovered.as_deref() == Some(host)
            || self.machine.iter().any(|name| name == host)
    }

    /// Returns all names and addresses for the certificate, including the `further` ones of the settings.
    pub fn certified(&self, further: &[String]) -> Vec<String> {
        let own = [NAME, "localhost"].map(str::to_owned);
        let loopback = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        let addresses = loopback.iter().chain(&self.addresses).map(IpAddr::to_string);
        let all = own.into_iter().chain(self.discovered.clone()).chain(self.machine.clone());
        let mut names: Vec<_> = all.chain(further.iter().cloned()).chain(addresses).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Returns the machine's host name, its first label and its mDNS name. Empty if it has no name of its own.
pub fn machine() -> Vec<String> {
    let Some(name) = machine::host_name().as_deref().and_then(setting_names::host) else {
        return Vec::new();
    };
    of_machine(&name)
}

fn of_machine(name: &str) -> Vec<String> {
    let label = name.split('.').next().unwrap_or(name);
    // The default name of containers and minimal systems identifies no machine.
    if label == "localhost" || name.parse::<IpAddr>().is_ok() {
        return Vec::new();
    }
    let mut names = vec![name.to_owned(), label.to_owned(), format!("{label}.local")];
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the addresses of the interfaces that are up.
pub fn addresses() -> io::Result<Vec<IpAddr>> {
    let interfaces = if_addrs::get_if_addrs()?;
    let up = interfaces.into_iter().filter(if_addrs::Interface::is_oper_up);
    let mut addresses: Vec<_> = up
        .map(|interface| match interface.addr {
            IfAddr::V4(one) => IpAddr::V4(one.ip),
            IfAddr::V6(one) => IpAddr::V6(one.ip),
        })
        .filter(is_reached)
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    Ok(addresses)
}

/// Returns `true` if other machines can use the address. A link-local IPv6 address would need the name of the
/// other machine's interface.
fn is_reached(address: &IpAddr) -> bool {
    let on_link = matches!(address, IpAddr::V6(address) if address.is_unicast_link_local());
    !address.is_loopback() && !address.is_unspecified() && !on_link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_its_full_name_its_first_label_and_its_mdns_name() {
        assert_eq!(of_machine("pc-1"), ["pc-1", "pc-1.local"]);
        assert_eq!(of_machine("pc.office.lan"), ["pc", "pc.local", "pc.office.lan"]);
        assert_eq!(of_machine("mac.local"), ["mac", "mac.local"]);
        assert!(of_machine("localhost.localdomain").is_empty() && of_machine("192.0.2.1").is_empty());
    }

    #[test]
    fn a_certificate_lists_each_name_once_including_loopback() {
        let names = Names {
            discovered: Some(NAME.to_owned()),
            machine: of_machine("pc"),
            addresses: vec![IpAddr::from([192, 0, 2, 7])],
        };
        let further = ["pc".to_owned(), "pleito.office.lan".to_owned(), "192.0.2.7".to_owned()];
        let certified = names.certified(&further);
        let expected = [
            "127.0.0.1",
            "192.0.2.7",
            "::1",
            "localhost",
            "pc",
            "pc.local",
            "pleito.local",
            "pleito.office.lan",
        ];
        assert_eq!(certified, expected);
        assert!(
            names.contains("pleito.local") && names.contains("pc.local") && !names.contains("evil.example")
        );
    }

    #[test]
    fn only_addresses_reachable_from_other_machines_are_listed() {
        for (address, reached) in [
            ("127.0.0.1", false),
            ("::1", false),
            ("fe80::1", false),
            ("192.168.0.2", true),
            ("2001:db8::1", true),
        ] {
            assert_eq!(is_reached(&address.parse().unwrap()), reached, "{address}");
        }
        assert!(addresses().unwrap().iter().all(is_reached));
    }
}

//! Host names of this server (contract 9). Requests of a DNS rebinding attack have the host name of the
//! attacker's site.

use std::net::IpAddr;

use bytes::Bytes;
use http::uri::Authority;

use crate::lan::Names;

/// Returns `true` if `authority` means this server. It is the `Host` header, or the host and port of an
/// absolute request.
///
/// `local` is the address that the connection reached, and `further` are names from the settings. `network`
/// are the names on the network, for requests from there; programs on this machine do not need them. Behind a proxy,
/// `local` and `network` are `None`, and only `further` means this office among those of the machine.
pub(in crate::http) fn is_ours(
    authority: &str,
    local: Option<IpAddr>,
    further: &[String],
    network: Option<&Names>,
) -> bool {
    let Some(authority) = parse(authority) else { return false };
    let host = host(&authority);
    let address = address(host);
    local.is_some() && is_own(host, address)
        || address.zip(local).is_some_and(|(address, local)| local.to_canonical() == address.to_canonical())
        || further.iter().any(|name| name == host)
        || network.is_some_and(|names| names.contains(host))
}

/// Returns `true` if `authority` means this machine: a loopback address, `localhost` or `name`. Other names
/// below `localhost` belong to other programs on the machine.
pub fn is_this_machine(authority: &str, name: Option<&str>) -> bool {
    let Some(authority) = parse(authority) else { return false };
    let host = host(&authority);
    match address(host) {
        Some(address) => address.to_canonical().is_loopback(),
        None => host == "localhost" || name == Some(host),
    }
}

fn is_own(host: &str, address: Option<IpAddr>) -> bool {
    match address {
        Some(address) => address.to_canonical().is_loopback(),
        None => host == "localhost" || host.ends_with(".localhost"),
    }
}

fn address(host: &str) -> Option<IpAddr> {
    host.trim_matches(['[', ']']).parse().ok()
}

fn host(authority: &Authority) -> &str {
    authority.host().trim_end_matches('.')
}

/// Parses an authority in lower case. Returns `None` if it has more than a host and a port.
fn parse(authority: &str) -> Option<Authority> {
    let authority = Authority::from_maybe_shared(Bytes::from(authority.to_ascii_lowercase())).ok()?;
    let beside = authority.as_str().strip_prefix(authority.host())?;
    (beside.is_empty() || authority.port_u16().is_some()).then_some(authority)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_the_local_address_and_configured_names_are_accepted() {
        let local = Some(IpAddr::from([192, 0, 2, 7]));
        let further = ["pleito.example".to_owned()];
        let names = Names { machine: vec!["pc.local".to_owned()], ..Names::default() };
        for host in [
            "localhost",
            "LOCALHOST:8743",
            "localhost.",
            "127.0.0.1:8743",
            "127.8.8.8",
            "[::1]",
            "[::1]:8743",
            "app.localhost",
            "192.0.2.7:8743",
            "pleito.example",
            "Pleito.Example:443",
            "[::ffff:127.0.0.1]:1",
            "pleito.local:8744",
            "PC.local",
        ] {
            assert!(is_ours(host, local, &further, Some(&names)), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "192.0.2.8",
            "pleito.example.evil",
            "",
            "localhost:x",
            "localhost:99999",
            "127.0.0.1.evil.example",
            "[::2]",
            "xlocalhost",
            "[::1",
            "localhost:80:80",
            "localhost:",
            "user@localhost",
            "user@localhost:80",
        ] {
            assert!(!is_ours(host, local, &further, Some(&names)), "{host}");
        }
    }

    #[test]
    fn loopback_and_the_console_name_mean_this_machine() {
        let name = Some("pleito-1.localhost");
        for host in
            ["localhost", "127.0.0.1:8743", "[::1]:8743", "Pleito-1.localhost:8743", "pleito-1.localhost."]
        {
            assert!(is_this_machine(host, name), "{host}");
        }
        for host in
            ["app.localhost", "a.pleito-1.localhost", "pleito-2.localhost", "192.0.2.7", "evil.example", ""]
        {
            assert!(!is_this_machine(host, name), "{host}");
        }
        assert!(!is_this_machine("pleito-1.localhost", None));
    }

    #[test]
    fn behind_a_proxy_only_configured_names_are_accepted() {
        let further = ["ana.example".to_owned(), "rui.localhost".to_owned()];
        for host in ["ana.example", "Ana.Example:443", "rui.localhost"] {
            assert!(is_ours(host, None, &further, None), "{host}");
        }
        for host in ["localhost", "127.0.0.1:8743", "[::1]", "app.localhost", "bia.example", "pleito.local"] {
            assert!(!is_ours(host, None, &further, None), "{host}");
        }
    }

    #[test]
    fn network_names_are_refused_on_loopback() {
        for host in ["pleito.local", "pleito.local:8743"] {
            assert!(!is_ours(host, Some(IpAddr::from([127, 0, 0, 1])), &[], None), "{host}");
        }
    }
}

//! Classes of IP addresses for outgoing requests: forbidden, private and public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The metadata services of cloud providers outside of the link-local networks: Alibaba, Azure (WireServer) and Oracle.
const METADATA_V4: [Ipv4Addr; 3] =
    [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(192, 0, 0, 192)];
/// Google's metadata service by IPv6.
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254);

/// Returns `true` if no request may go to the address, even an encrypted one: link-local, multicast, broadcast,
/// unspecified and reserved addresses, the metadata services of cloud providers, and forms of IPv6 that lead to
/// an IPv4 address through a relay or gateway.
pub fn is_never_a_receiver(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(ip) => is_never_v4(ip),
        IpAddr::V6(ip) => is_never_v6(ip),
    }
}

fn is_never_v4(ip: Ipv4Addr) -> bool {
    // 0.0.0.0/8 and 240.0.0.0/4 with the broadcast address (RFC 6890).
    let is_reserved = matches!(ip.octets(), [0 | 240..=255, ..]);
    is_reserved || ip.is_link_local() || ip.is_multicast() || METADATA_V4.contains(&ip)
}

fn is_never_v6(ip: Ipv6Addr) -> bool {
    match ip.segments() {
        // NAT64 (RFC 6052): the prefix must not be used with an address that is not global.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            let inside = Ipv4Addr::new(a, b, c, d);
            let is_shared = a == 100 && (64..128).contains(&b);
            inside.is_private() || inside.is_loopback() || is_shared || is_never_v4(inside)
        }
        // NAT64 of a local network (RFC 8215): the position of the IPv4 address is that network's choice.
        [0x64, 0xff9b, 1, ..] => true,
        // Teredo (RFC 4380) and 6to4 (deprecated by RFC 7526).
        [0x2001, 0, ..] | [0x2002, ..] => true,
        // Unspecified, and the IPv4-compatible addresses of RFC 4291, 2.5.5.1. `::1` is the loopback address.
        [0, 0, 0, 0, 0, 0, ..] => !ip.is_loopback(),
        // Amazon's services for instances.
        [0xfd00, 0xec2, ..] => true,
        _ => ip.is_unicast_link_local() || ip.is_multicast() || ip == METADATA_V6,
    }
}

/// Returns `true` for private networks (RFC 1918, RFC 4193) and for shared addresses of providers, which most
/// VPNs use too (RFC 6598).
pub fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            ip.is_private() || a == 100 && (64..128).contains(&b)
        }
        IpAddr::V6(ip) => ip.is_unique_local(),
    }
}

/// Returns `true` for a public address that requests may go to.
pub fn is_public(address: IpAddr) -> bool {
    let ip = embedded_ipv4(address);
    !(is_never_a_receiver(address) || is_private(ip) || ip.is_loopback())
}

/// Returns the IPv4 address inside an IPv6 address: mapped or compatible (RFC 4291, 2.5.5), NAT64 (RFC 6052) or
/// 6to4 (RFC 3056). Returns any other address unchanged.
pub fn embedded_ipv4(address: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = address.to_canonical() else { return address.to_canonical() };
    let [a, b, c, d, e, f, g, h] = six.segments();
    let four = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match [a, b, c, d, e, f] {
        [0x64, 0xff9b, 0, 0, 0, 0] => four(g, h),
        // IPv4-compatible addresses, but not `::1` and `::`.
        [0, 0, 0, 0, 0, 0] if g != 0 => four(g, h),
        [0x2002, b, c, ..] => four(b, c),
        _ => IpAddr::V6(six),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_ipv4_addresses_are_extracted() {
        for (address, inside) in [
            ("::ffff:169.254.169.254", "169.254.169.254"),
            ("64:ff9b::a9fe:a9fe", "169.254.169.254"),
            ("2002:7f00:1::", "127.0.0.1"),
            ("::10.0.0.1", "10.0.0.1"),
            ("::1", "::1"),
            ("::", "::"),
            ("fe80::1", "fe80::1"),
            ("192.168.0.1", "192.168.0.1"),
        ] {
            assert_eq!(
                embedded_ipv4(address.parse().unwrap()),
                inside.parse::<IpAddr>().unwrap(),
                "{address}"
            );
        }
    }
}

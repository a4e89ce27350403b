//! What a reverse proxy on this machine tells about its client (always 45.1): scheme and address, by `X-Forwarded-…` or
//! `Forwarded` (RFC 7239).

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;

use super::request::Addresses;

const FOR: &str = "x-forwarded-for";
const PROTO: &str = "x-forwarded-proto";
const STANDARD: &str = "forwarded";

/// Headers that only a request through a proxy has.
const SIGNS: [&str; 6] = [FOR, PROTO, STANDARD, "x-forwarded-host", "x-real-ip", "via"];

impl Addresses {
    /// Returns the addresses behind the proxy that sent these headers, or `self` if none did. Believes programs on this
    /// machine only, and of several values the last one, which the proxy itself has added.
    #[must_use]
    pub fn behind_proxy(self, headers: &HeaderMap) -> Addresses {
        if !self.is_this_machine() || !headers.keys().any(|name| SIGNS.contains(&name.as_str())) {
            return self;
        }
        let last = |name| headers.get_all(name).iter().next_back().and_then(|value| value.to_str().ok());
        let (client, scheme) = match (last(FOR), last(PROTO)) {
            (None, None) => last(STANDARD).map_or((None, None), client_and_scheme),
            // Proxies that send these pass on a `Forwarded` that their client made up.
            (client, scheme) => (client.and_then(last_of_list), scheme.and_then(last_of_list)),
        };
        let peer = client.and_then(address).unwrap_or(self.peer);
        Addresses {
            peer,
            local: None,
            tls: scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
        }
    }
}

fn last_of_list(value: &str) -> Option<&str> {
    value.rsplit(',').next().map(str::trim)
}

/// Returns `for` and `proto` of the last element of `Forwarded`.
fn client_and_scheme(value: &str) -> (Option<&str>, Option<&str>) {
    let element = unquoted_parts(value, ',').pop().unwrap_or_default();
    let pairs = unquoted_parts(element, ';');
    let member = |wanted: &str| {
        let mut pairs = pairs.iter().filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case(wanted))?;
        let value = value.trim();
        Some(value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value))
    };
    (member("for"), member("proto"))
}

/// Splits outside of quoted strings. Returns nothing if a quoted string does not end: its beginning may be a client's, and
/// hide what the proxy has added.
fn unquoted_parts(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    let parts = text
        .split(|character| {
            match character {
                _ if is_escaped => is_escaped = false,
                '\\' if is_quoted => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                _ => {}
            }
            !is_quoted && character == separator
        })
        .collect();
    if is_quoted { Vec::new() } else { parts }
}

/// Parses an address with or without a port. Returns `None` for `unknown` and hidden names.
fn address(text: &str) -> Option<IpAddr> {
    let bare = || text.trim_start_matches('[').trim_end_matches(']').parse().ok();
    let address = text.parse::<SocketAddr>().map(|address| address.ip()).ok().or_else(bare);
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    const PROXY: Addresses = Addresses::LOOPBACK;

    fn behind(headers: &[(&'static str, &'static str)]) -> (String, bool) {
        let mut all = HeaderMap::new();
        for &(name, value) in headers {
            all.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let Addresses { peer, tls, local } = PROXY.behind_proxy(&all);
        assert_eq!(local, None, "{headers:?}");
        (peer.to_string(), tls)
    }

    #[test]
    fn the_last_value_tells_client_and_scheme() {
        for (header, value, peer, tls) in [
            (FOR, "203.0.113.7", "203.0.113.7", false),
            (FOR, "6.6.6.6, 203.0.113.7", "203.0.113.7", false),
            (FOR, "6.6.6.6,203.0.113.7:4711", "203.0.113.7", false),
            (FOR, "2001:db8::7", "2001:db8::7", false),
            (FOR, "[2001:db8::7]", "2001:db8::7", false),
            (FOR, "[2001:db8::7]:4711", "2001:db8::7", false),
            (FOR, "::ffff:203.0.113.7", "203.0.113.7", false),
            (FOR, "unknown", "127.0.0.1", false),
            (FOR, "203.0.113.7,", "127.0.0.1", false),
            (PROTO, "https", "127.0.0.1", true),
            (PROTO, "HTTPS", "127.0.0.1", true),
            (PROTO, "http, https", "127.0.0.1", true),
            (PROTO, "https, http", "127.0.0.1", false),
            (PROTO, "https://", "127.0.0.1", false),
            (PROTO, "", "127.0.0.1", false),
            (STANDARD, "for=203.0.113.7;proto=https", "203.0.113.7", true),
            (STANDARD, "For=\"203.0.113.7:4711\"; Proto=\"HTTPS\"", "203.0.113.7", true),
            (STANDARD, "proto=https;for=\"[2001:db8::7]:4711\";by=_hidden", "2001:db8::7", true),
            (STANDARD, "for=6.6.6.6;proto=https, for=203.0.113.7;proto=http", "203.0.113.7", false),
            (STANDARD, "for=\"_a,b;proto=https\";host=x, for=203.0.113.7", "203.0.113.7", false),
            (STANDARD, "for=_hidden;proto=https", "127.0.0.1", true),
            (STANDARD, "proto", "127.0.0.1", false),
            ("x-forwarded-host", "pleito.example", "127.0.0.1", false),
            ("x-real-ip", "6.6.6.6", "127.0.0.1", false),
            ("via", "1.1 proxy", "127.0.0.1", false),
        ] {
            assert_eq!(behind(&[(header, value)]), (peer.to_owned(), tls), "{header}: {value}");
        }
        let lines = [(FOR, "6.6.6.6"), (PROTO, "http"), (FOR, "203.0.113.7"), (PROTO, "https")];
        assert_eq!(behind(&lines), ("203.0.113.7".to_owned(), true));
    }

    #[test]
    fn a_client_cannot_speak_for_the_proxy() {
        for value in [
            // Before what the proxy has added.
            "for=6.6.6.6;proto=https;by=\", for=203.0.113.7;proto=http",
            "for=6.6.6.6;proto=https;by=\", for=\"[2001:db8::7]\";proto=http",
            "for=6.6.6.6;proto=https;by=\"\\, for=\"203.0.113.7:1\";proto=http",
        ] {
            assert_eq!(behind(&[(STANDARD, value)]), ("127.0.0.1".to_owned(), false), "{value}");
        }
        let both = [(STANDARD, "for=6.6.6.6;proto=https"), (FOR, "203.0.113.7"), (PROTO, "http")];
        assert_eq!(behind(&both), ("203.0.113.7".to_owned(), false));
    }

    #[test]
    fn only_a_program_on_this_machine_is_believed() {
        let headers = HeaderMap::from_iter([
            (HeaderName::from_static(FOR), HeaderValue::from_static("6.6.6.6")),
            (HeaderName::from_static(PROTO), HeaderValue::from_static("https")),
        ]);
        let lan = IpAddr::from([192, 0, 2, 7]);
        for direct in [
            Addresses { peer: lan, ..PROXY },
            Addresses { local: Some(lan), ..PROXY },
            Addresses { peer: lan, local: Some(lan), tls: true },
        ] {
            let after = direct.behind_proxy(&headers);
            assert_eq!((after.peer, after.local, after.tls), (direct.peer, direct.local, direct.tls));
        }
        assert!(PROXY.behind_proxy(&HeaderMap::new()).is_this_machine());
    }
}

//! Web addresses, for example of a case at its court.

use crate::domain::{Line, Reason};

/// Maximum length of an address, in characters.
pub const MAX_CHARACTERS: usize = 2000;

/// An address with a host that starts with `http://` or `https://`. The server never connects to it; pages
/// show it as a link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebAddress(String);

text_value!(WebAddress);

impl WebAddress {
    /// Parses an address, after trimming it.
    pub fn parse(text: &str) -> Result<WebAddress, Reason> {
        let line = Line::<MAX_CHARACTERS>::parse(text)?;
        let (scheme, rest) = line.as_str().split_once("://").ok_or(Reason::NotUrl)?;
        let scheme = scheme.to_ascii_lowercase();
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let host = authority.split(':').next().unwrap_or_default();
        let is_known = ["http", "https"].contains(&&*scheme);
        let has_host = host.chars().any(char::is_alphanumeric) || authority.starts_with('[');
        if !is_known || !has_host || rest.contains([' ', '\\', '"', '<', '>']) {
            return Err(Reason::NotUrl);
        }
        // A user name before the @ can make an address look like one of another host.
        if authority.contains('@') {
            return Err(Reason::UserInUrl);
        }
        Ok(WebAddress([&scheme, "://", rest].concat()))
    }

    /// Returns the host and its port, by which people recognize the site.
    pub fn host(&self) -> &str {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        for (text, stored, host) in [
            (
                " https://esaj.tjsp.jus.br/cpopg?n=1#a ",
                "https://esaj.tjsp.jus.br/cpopg?n=1#a",
                "esaj.tjsp.jus.br",
            ),
            ("HTTP://localhost:8080", "http://localhost:8080", "localhost:8080"),
            ("https://[::1]/a", "https://[::1]/a", "[::1]"),
            (
                "https://eproc.exemplo.jus.br/ação?a=b@c",
                "https://eproc.exemplo.jus.br/ação?a=b@c",
                "eproc.exemplo.jus.br",
            ),
        ] {
            let address = WebAddress::parse(text).unwrap();
            assert_eq!((address.as_str(), address.host()), (stored, host));
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for text in [
            "esaj.tjsp.jus.br",
            "javascript:alert(1)",
            "javascript://exemplo.com.br/%0aalert(1)",
            "ftp://exemplo.com.br",
            "https://",
            "https:///a",
            "https://:80",
            "https://a b",
            "https://exemplo.com.br\\@outro",
            "https://exemplo.com.br/\"",
        ] {
            assert_eq!(WebAddress::parse(text), Err(Reason::NotUrl), "{text}");
        }
        assert_eq!(WebAddress::parse("https://tjsp.jus.br@outro.com"), Err(Reason::UserInUrl));
        assert_eq!(WebAddress::parse(" "), Err(Reason::Blank));
        let long = format!("https://a.br/{}", "x".repeat(MAX_CHARACTERS));
        assert_eq!(WebAddress::parse(&long), Err(Reason::TooLong { most: MAX_CHARACTERS }));
    }
}

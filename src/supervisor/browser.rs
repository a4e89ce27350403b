//! Opens the console in the user's browser.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use http::Uri;
use http::uri::Scheme;

use crate::clock::Clock;
use crate::config::folders::for_browser;
use crate::console::{RedirectFile, SignInLinks};
use crate::desktop;

/// Opens the console of the server at `address` in the browser. Keep the returned file until the browser has
/// used it or the time for that has passed. Fails if the file cannot be written or no browser can be started.
pub fn open_console(links: &SignInLinks, address: SocketAddr) -> io::Result<RedirectFile> {
    let file = links.redirect_file(address, &folder()?)?;
    desktop::open(file.path())?;
    Ok(file)
}

/// Opens a link to the console that a server of another user has made. Keep the returned file like that of
/// [`open_console`].
pub(super) fn open_link(link: &str, clock: &Clock) -> io::Result<RedirectFile> {
    if !is_of_this_machine(link) {
        return Err(io::Error::other("the link leads elsewhere"));
    }
    let file = RedirectFile::of_link(link, &folder()?, clock.clone())?;
    desktop::open(file.path())?;
    Ok(file)
}

/// Returns `true` for an address at which a server of this machine answers.
fn is_of_this_machine(link: &str) -> bool {
    let Ok(uri) = link.parse::<Uri>() else { return false };
    let host = uri.host().unwrap_or_default();
    let is_loopback = |ip: IpAddr| ip.is_loopback();
    uri.scheme() == Some(&Scheme::HTTP)
        && (host.ends_with("localhost") || host.trim_matches(['[', ']']).parse().is_ok_and(is_loopback))
}

fn folder() -> io::Result<PathBuf> {
    for_browser().ok_or_else(|| io::Error::other("the user has no home"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_of_this_machine_are_opened() {
        for link in
            ["http://127.0.0.1:8743/console/in/x", "http://pleito-0a.localhost:8743/x", "http://[::1]:1/x"]
        {
            assert!(is_of_this_machine(link), "{link}");
        }
        for link in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://127.0.0.1:8743/x",
            "http://192.0.2.7/x",
            "http://localhost.example/x",
            "http://localhost@pleito.example/x",
            "",
        ] {
            assert!(!is_of_this_machine(link), "{link}");
        }
    }
}

//! Opens the console in the user's browser.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::clock::Clock;
use crate::config::folders::for_browser;
use crate::console::{LoginLinks, RedirectFile};
use crate::desktop;

/// Opens the console of the server at `address` in the browser. Keep the returned file until the browser has
/// used it or the time for that has passed. Fails if the file cannot be written or no browser can be started.
pub fn open_console(links: &LoginLinks, address: SocketAddr) -> io::Result<RedirectFile> {
    let file = links.redirect_file(address, &folder()?)?;
    desktop::open(file.path())?;
    Ok(file)
}

/// Opens a link to the console that a server of another user has made. Keep the returned file like that of
/// [`open_console`].
pub(super) fn open_link(link: &str, clock: &Clock) -> io::Result<RedirectFile> {
    let file = RedirectFile::of_link(link, &folder()?, clock.clone())?;
    desktop::open(file.path())?;
    Ok(file)
}

fn folder() -> io::Result<PathBuf> {
    for_browser().ok_or_else(|| io::Error::other("the user has no home"))
}

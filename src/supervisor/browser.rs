//! The console in the person's own browser.

use std::io;
use std::net::SocketAddr;

use crate::config::dirs::for_browser;
use crate::console::{LoginLinks, RedirectFile};
use crate::desktop;

/// Has the browser open the console of the server at `address`. The file that it is given has to stay until it was used or
/// is late.
///
/// # Errors
/// Why there is no such file, or the system knows no browser.
pub fn open_console(links: &LoginLinks, address: SocketAddr) -> io::Result<RedirectFile> {
    let folder = for_browser().ok_or_else(|| io::Error::other("the user has no home"))?;
    let file = links.redirect_file(address, &folder)?;
    desktop::open(file.path())?;
    Ok(file)
}

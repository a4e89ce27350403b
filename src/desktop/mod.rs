//! What the desktop does for the program: the clipboard, notifications, opening a page, starting with the computer.
//!
//! A leaf: it is told texts, addresses and paths, and answers whether it went well.

pub mod autostart;
pub mod clipboard;
pub mod notification;

use std::ffi::OsStr;
use std::io;

pub use autostart::Autostart;
pub use clipboard::Clipboard;
pub use notification::notify;

/// Opens a page, a file or a folder with the program that the person has chosen for it, and waits for nothing.
///
/// # Errors
/// Why the system knows no program for it.
pub fn open(what: impl AsRef<OsStr>) -> io::Result<()> {
    open::that_detached(what)
}

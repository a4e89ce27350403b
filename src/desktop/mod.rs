//! Services of the desktop: clipboard, notifications, opening pages and files, autostart.
//!
//! This module depends on neither server nor store.

pub mod autostart;
pub mod clipboard;
pub mod notification;

use std::ffi::OsStr;
use std::io;

pub use autostart::Autostart;
pub use clipboard::Clipboard;
pub use notification::notify;

/// Opens a page, file or folder in the person's default program, without waiting for it.
pub fn open(what: impl AsRef<OsStr>) -> io::Result<()> {
    open::that_detached(what)
}

//! The terminal that the program was called from.
//!
//! The Windows executable belongs to the desktop, so that a double-click opens no black window. A program of that kind
//! begins without a terminal even where it was called from one, and what it prints is lost until it takes that one.

use std::os::windows::io::AsRawHandle;

use winsafe::{AttachConsole, PidParent};

/// Takes the caller's terminal. Where there is none, or the output goes to a file or another program, nothing changes.
pub(super) fn take() {
    // Taking it would put it in the place of a file or a pipe (GetStdHandle, "Attach/detach behavior").
    if std::io::stdout().as_raw_handle().is_null() {
        let _ = AttachConsole(PidParent::Parent);
    }
}

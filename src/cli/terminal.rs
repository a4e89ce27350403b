//! Attaches the program to the console that it was called from.
//!
//! The Windows executable uses the GUI subsystem, so that a double-click opens no console window. Such a program starts
//! without a console even if it was called from one, and its output is lost until it attaches to that console.

use std::os::windows::io::AsRawHandle;

use winsafe::{AttachConsole, PidParent};

/// Attaches to the caller's console. Does nothing if there is no console, or if output goes to a file or a pipe.
pub(super) fn take() {
    // Attaching would replace a handle to a file or a pipe (GetStdHandle, "Attach/detach behavior").
    if std::io::stdout().as_raw_handle().is_null() {
        let _ = AttachConsole(PidParent::Parent);
    }
}

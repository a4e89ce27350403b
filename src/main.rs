//! The executable: everything is in the library.

#![forbid(unsafe_code)]
// A program of the desktop: a double-click opens no black window (cli::terminal says what that costs).
#![cfg_attr(windows, windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    pleito::cli::main()
}

//! The executable, which only calls the library.

#![forbid(unsafe_code)]
// A desktop program, so that a double-click opens no console window (see `cli::terminal` for the consequences).
#![cfg_attr(windows, windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    pleito::cli::main()
}

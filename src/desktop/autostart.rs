//! Starting with the computer: one entry in the system's own place, changed only when the person asks for it.
//!
//! Linux uses a desktop file (Desktop Application Autostart Specification 0.5), Windows a value of the user's
//! `Run` key, and macOS a launch agent. All three belong to the user and start the program at sign-in.

use std::io;
use std::path::{Path, PathBuf};

#[cfg(all(unix, not(target_os = "macos")))]
#[path = "autostart/linux.rs"]
mod platform;
#[cfg(target_os = "macos")]
#[path = "autostart/macos.rs"]
mod platform;
#[cfg(windows)]
#[path = "autostart/windows.rs"]
mod platform;

#[derive(Clone, Debug)]
pub struct Autostart {
    program: PathBuf,
    arguments: Vec<String>,
}

impl Autostart {
    /// Creates an entry that starts `program` with these arguments. Writes nothing.
    pub fn new(program: PathBuf, arguments: Vec<String>) -> Autostart {
        Autostart { program, arguments }
    }

    /// Returns `true` if the entry exists and is enabled, or `None` if the system has no place for it.
    pub fn is_on(&self) -> Option<bool> {
        platform::entry().map(|entry| entry.is_some())
    }

    /// Creates or removes the entry.
    pub fn set(&self, on: bool) -> io::Result<()> {
        match on {
            true => platform::make(&self.program, &self.arguments),
            false => platform::remove(),
        }
    }

    /// Rewrites the entry if its program no longer exists, for example because an update has moved it.
    pub fn mend(&self) -> io::Result<()> {
        match platform::entry().flatten() {
            Some(Some(program)) if !program.exists() => self.set(true),
            _ => Ok(()),
        }
    }
}

/// Writes the entry to its file. Fails with `NotFound` if the system has no place for it.
#[cfg(unix)]
fn write(file: Option<PathBuf>, content: &str) -> io::Result<()> {
    let file = file.ok_or(io::ErrorKind::NotFound)?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, content)
}

#[cfg(unix)]
fn erase(file: Option<PathBuf>) -> io::Result<()> {
    match std::fs::remove_file(file.ok_or(io::ErrorKind::NotFound)?) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Returns the path as text. Paths that are not UTF-8 cannot be written into any of the three places.
fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path is not Unicode"))
}

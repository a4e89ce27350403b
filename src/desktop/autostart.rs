//! Starting with the computer: one entry in the place that the system has for it, made and removed by the person's word
//! only.
//!
//! Linux: a desktop file (Desktop Application Autostart Specification 0.5). Windows: a value of the user's `Run` key.
//! macOS: a launch agent. All three belong to the user and start the program when that user signs in.

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

/// The entry of this program.
#[derive(Clone, Debug)]
pub struct Autostart {
    program: PathBuf,
    arguments: Vec<String>,
}

impl Autostart {
    /// An entry that would start `program` with these arguments.
    pub fn new(program: PathBuf, arguments: Vec<String>) -> Autostart {
        Autostart { program, arguments }
    }

    /// Whether there is an entry, and it is in force; none where the system has no place for one.
    pub fn is_on(&self) -> Option<bool> {
        platform::entry().map(|entry| entry.is_some())
    }

    /// Makes the entry, or removes it.
    ///
    /// # Errors
    /// Why the system refuses.
    pub fn set(&self, on: bool) -> io::Result<()> {
        match on {
            true => platform::make(&self.program, &self.arguments),
            false => platform::remove(),
        }
    }

    /// Puts the entry right where it starts a program that is no longer there: an update may have moved it.
    ///
    /// # Errors
    /// Why the system refuses.
    pub fn mend(&self) -> io::Result<()> {
        match platform::entry().flatten() {
            Some(Some(program)) if !program.exists() => self.set(true),
            _ => Ok(()),
        }
    }
}

/// Puts the entry into its file, where there is a place for it.
#[cfg(unix)]
fn write(file: Option<PathBuf>, content: &str) -> io::Result<()> {
    let file = file.ok_or(io::ErrorKind::NotFound)?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, content)
}

/// Takes the file away; one that is not there is away.
#[cfg(unix)]
fn erase(file: Option<PathBuf>) -> io::Result<()> {
    match std::fs::remove_file(file.ok_or(io::ErrorKind::NotFound)?) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// A path as text; what is not UTF-8 cannot be written into any of the three places.
fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path is not Unicode"))
}

//! Units of systemd, for the services that this program installs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Fatal;
use super::system_command::run;
use crate::files;

/// Folders that the units of the package hide from the program.
const HIDDEN: [&str; 4] = ["/home", "/root", "/run/user", "/tmp"];
/// The folder of units that an administrator has written.
const FOLDER: &str = "/etc/systemd/system";
/// The folder of the package's units.
const OF_PACKAGE: &str = "/usr/lib/systemd/system";

/// Returns `true` if systemd runs the machine (sd_booted(3)).
pub fn is_live() -> bool {
    Path::new("/run/systemd/system").is_dir()
}

/// Returns the file of a unit that no package has brought.
pub fn file(unit: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{unit}.service"))
}

/// Returns `true` if an administrator or the package has brought a unit.
pub(super) fn is_installed(unit: &str) -> bool {
    file(unit).exists() || is_packaged(unit)
}

/// Returns `true` if the package has brought a unit.
pub(super) fn is_packaged(unit: &str) -> bool {
    Path::new(OF_PACKAGE).join(format!("{unit}.service")).exists()
}

/// Writes the file of a unit.
pub(super) fn write(unit: &str, content: &str) -> Result<(), Fatal> {
    let file = file(unit);
    files::replace(&file, content.as_bytes()).map_err(|cause| Fatal::Folder(file, cause))
}

/// Removes the file of a unit, which may be missing.
pub(super) fn remove(unit: &str) -> Result<(), Fatal> {
    let file = file(unit);
    match fs::remove_file(&file) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(Fatal::Folder(file, cause)),
        _ => reload(),
    }
}

/// Lets a unit of the package write to a folder outside of its own, and restarts it if it runs and this is new.
pub(super) fn let_write(unit: &str, name: &str, folder: &Path) -> Result<(), Fatal> {
    extend(unit, name, &format!("[Service]\nReadWritePaths={}\n", writable(folder)))
}

/// Formats a folder to which a unit may write, and which may be missing.
pub(super) fn writable(folder: &Path) -> String {
    quoted(Path::new(&format!("-{}", folder.display())))
}

/// Adds to what a unit says, and restarts it if it runs.
fn extend(unit: &str, name: &str, content: &str) -> Result<(), Fatal> {
    let file = extension(unit, name);
    if fs::read_to_string(&file).is_ok_and(|before| before == content) {
        return Ok(());
    }
    fs::create_dir_all(files::folder_of(&file))
        .and_then(|()| fs::write(&file, content))
        .map_err(|cause| Fatal::Folder(file, cause))?;
    reload()?;
    try_restart(unit)
}

/// Takes back what was added to a unit.
pub(super) fn retract(unit: &str, name: &str) -> Result<(), Fatal> {
    match fs::remove_file(extension(unit, name)) {
        Ok(()) => reload().and_then(|()| try_restart(unit)),
        Err(_) => Ok(()),
    }
}

fn extension(unit: &str, name: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{unit}.service.d/{name}.conf"))
}

/// Restarts a unit if it runs. Fails without asking for a password if the user may not do that.
pub(super) fn try_restart(unit: &str) -> Result<(), Fatal> {
    if is_live() { run("systemctl", &["--no-ask-password", "try-restart", unit]).map(|_| ()) } else { Ok(()) }
}

/// Lets a unit start with the machine, or no longer. If systemd runs, it also starts or stops it.
pub(super) fn switch(unit: &str, on: bool) -> Result<(), Fatal> {
    reload()?;
    let now = if is_live() { &["--now"][..] } else { &[] };
    run("systemctl", &[&[if on { "enable" } else { "disable" }, unit], now].concat()).map(|_| ())
}

pub(super) fn restart(unit: &str) -> Result<(), Fatal> {
    run("systemctl", &["restart", unit]).map(|_| ())
}

/// Lets systemd read the units again.
fn reload() -> Result<(), Fatal> {
    if is_live() { run("systemctl", &["daemon-reload"]).map(|_| ()) } else { Ok(()) }
}

/// Returns `true` if the units of the package do not see this path.
pub(super) fn hides(path: &Path) -> bool {
    HIDDEN.iter().any(|folder| path.starts_with(folder))
}

/// Quotes a path as a word of a unit (systemd.service(5)).
pub(super) fn quoted(path: &Path) -> String {
    let escaped = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
    format!("\"{escaped}\"")
}

/// Escapes a path for the name of a unit, as `systemd-escape --path` does.
pub(super) fn escaped(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = text.trim_matches('/');
    let bytes = text.bytes().enumerate().map(|(at, byte)| match byte {
        b'/' => "-".to_owned(),
        b'.' if at == 0 => "\\x2e".to_owned(),
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b':' | b'_' | b'.' => char::from(byte).to_string(),
        byte => format!("\\x{byte:02x}"),
    });
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_of_units_are_escaped() {
        assert_eq!(escaped(Path::new("/srv/a-b/ação")), "srv-a\\x2db-a\\xc3\\xa7\\xc3\\xa3o");
        assert_eq!(escaped(Path::new("/.x/.y")), "\\x2ex-.y");
        assert_eq!(quoted(Path::new("/a b/50%\"")), "\"/a b/50%%\\\"\"");
    }
}

//! The service as a unit of systemd.

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};

use super::{Account, BackupAccess, run};
use crate::config::folders::machine;
use crate::supervisor::{Fatal, systemd_units};

/// How to see why the service does not run.
pub const LOG: &str = "sudo journalctl -u pleito";
/// The lines with which an administrator starts the service, and restarts it.
pub const START: &str = "sudo systemctl start pleito";
pub const RESTART: &str = "sudo systemctl restart pleito";

/// The unit and its user.
const NAME: &str = "pleito";
const UNIT: &str = include_str!("../../../installer/linux/system.service");
const PROGRAM: &str = "/usr/bin/pleito";

/// Returns the program that the unit is to run. Fails if its user could not run it.
pub(super) fn program() -> Result<PathBuf, Fatal> {
    if systemd_units::is_packaged(NAME) {
        return Ok(PROGRAM.into());
    }
    let program = fs::read_link("/proc/self/exe").map_err(Fatal::System)?;
    match systemd_units::hides(&program) {
        true => Err(Fatal::ProgramInHome(program, "/usr/local/bin")),
        false => Ok(program),
    }
}

/// Returns `true`: the folder that holds that of the service is root's.
pub(super) fn only_administrators_made_folder() -> bool {
    true
}

/// Returns the folder that systemd makes for the running service (`RuntimeDirectory` in `installer/linux/system.service`).
pub(super) fn runtime_folder() -> PathBuf {
    "/run/pleito".into()
}

/// Makes nothing: systemd does.
pub(super) fn make_runtime_folder(_: Option<Account>) -> Result<(), Fatal> {
    Ok(())
}

/// Lets the unit write backups to a folder outside of its own.
pub(super) fn allow_backups(folder: &Path) -> Result<BackupAccess, Fatal> {
    if systemd_units::hides(folder) {
        return Ok(BackupAccess::Hidden);
    }
    systemd_units::let_write(NAME, "backups", folder)?;
    Ok(BackupAccess::of(NAME, folder))
}

/// Installs the unit, unless the package has brought it, and starts it if systemd runs.
pub(super) fn enable(program: &Path) -> Result<(), Fatal> {
    if !systemd_units::is_packaged(NAME) {
        systemd_units::write(NAME, &content(program))?;
    }
    systemd_units::switch(NAME, true).map_err(|fatal| match fatal {
        Fatal::SystemCommand(line, cause) => {
            let reason = last_line().map_or_else(String::new, |line| format!(" ({line})"));
            Fatal::SystemCommand(line, cause + &reason)
        }
        fatal => fatal,
    })
}

/// Returns what the program last said in the log of the service within a minute, such as why it did not start.
fn last_line() -> Option<String> {
    let unit = ["--unit", NAME, "--identifier", NAME, "--since", "-1min"];
    // With `--since`, older systemd returns the first lines.
    let options = ["--reverse", "--lines", "1", "--output", "cat", "--no-pager", "--quiet"];
    let line = run("journalctl", &[&unit[..], &options].concat()).ok()?;
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// Returns the text of the unit for a program that is not the package's.
fn content(program: &Path) -> String {
    UNIT.replace(&format!("ExecStart={PROGRAM} "), &format!("ExecStart={} ", systemd_units::quoted(program)))
}

/// Returns the service's user, and creates it if it is missing.
pub(super) fn account() -> Result<Option<Account>, Fatal> {
    let known = || run("getent", &["passwd", NAME]).ok().and_then(|line| ids(&line));
    if known().is_none() {
        let home = machine().display().to_string();
        let shell = ["--shell", "/usr/sbin/nologin", NAME];
        let options = ["--system", "--user-group", "--no-create-home", "--home-dir", &home];
        run("useradd", &[options.as_slice(), &shell].concat())?;
    }
    Ok(known())
}

/// Gives a file or folder to the service.
pub(super) fn give(path: &Path, (user, group): Account) -> Result<(), Fatal> {
    chown(path, Some(user), Some(group)).map_err(|cause| Fatal::Folder(path.to_owned(), cause))
}

/// Reads user and group of a line of passwd(5).
fn ids(line: &str) -> Option<Account> {
    let mut fields = line.trim_end().split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// Returns why systemd does not answer, although it runs the machine: without D-Bus it answers to root alone.
pub(super) fn fault() -> Option<Fatal> {
    if systemd_units::is_live() { run("systemctl", &["show", "--property=Version"]).err() } else { None }
}

pub(super) fn is_enabled() -> bool {
    run("systemctl", &["is-enabled", "--quiet", NAME]).is_ok()
}

pub(super) fn is_running() -> bool {
    systemd_units::is_live() && run("systemctl", &["is-active", "--quiet", NAME]).is_ok()
}

pub(super) fn disable() -> Result<(), Fatal> {
    systemd_units::switch(NAME, false)?;
    systemd_units::remove(NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_names_the_program_that_installed_it() {
        let own = content(Path::new("/opt/meu pleito/pleito"));
        assert!(
            own.contains("\nExecStart=\"/opt/meu pleito/pleito\" serve --data-dir /var/lib/pleito\n"),
            "{own}"
        );
        assert!(!own.contains("ExecStart=/usr/bin"));
    }

    #[test]
    fn user_and_group_are_read_from_the_list_of_users() {
        assert_eq!(ids("pleito:x:105:112:Pleito:/var/lib/pleito:/usr/sbin/nologin\n"), Some((105, 112)));
        assert_eq!(ids(""), None);
    }
}

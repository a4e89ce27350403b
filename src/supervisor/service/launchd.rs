//! The service as a daemon of launchd.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use quick_xml::escape::escape;

use super::{Account, BackupAccess, run};
use crate::config::{folders, own_executable};
use crate::files;
use crate::supervisor::Fatal;

/// How to see why the service does not run.
pub const LOG: &str = "sudo launchctl print system/br.pleito.service";

/// The lines with which an administrator starts the service, and restarts it.
pub const START: &str = "sudo launchctl kickstart system/br.pleito.service";
pub const RESTART: &str = "sudo launchctl kickstart -k system/br.pleito.service";

const SERVICE: &str = "system/br.pleito.service";
const DAEMON: &str = "/Library/LaunchDaemons/br.pleito.service.plist";
const CONTENT: &str = include_str!("../../../installer/macos/br.pleito.service.plist");
/// The user of the service, and the ids that its system leaves to programs.
const NAME: &str = "_pleito";
const IDS: std::ops::Range<u32> = 300..400;

/// Returns the program that the daemon is to run. Fails if its user could not run it.
pub(super) fn program() -> Result<PathBuf, Fatal> {
    let program = own_executable();
    match program.starts_with("/Users") || program.starts_with("/private") {
        true => Err(Fatal::ProgramInHome(program, "/Applications")),
        false => Ok(program),
    }
}

/// Returns `true`: the folder that holds that of the service is the administrators'.
pub(super) fn only_administrators_made_folder() -> bool {
    true
}

/// Returns the folder that everyone may open. `/var/run` is emptied at each start of the machine.
pub(super) fn runtime_folder() -> PathBuf {
    "/Library/Application Support/br.pleito.run".into()
}

/// Makes the runtime folder anew and gives it to the service. The group of its socket is that of the folder.
pub(super) fn make_runtime_folder(owner: Option<Account>) -> Result<(), Fatal> {
    let folder = runtime_folder();
    remove_runtime_folder()?;
    // Fails if something has come there meanwhile.
    let made = fs::create_dir(&folder);
    made.and_then(|()| fs::set_permissions(&folder, Permissions::from_mode(0o755)))
        .map_err(|cause| Fatal::Folder(folder.clone(), cause))?;
    owner.map_or(Ok(()), |owner| give(&folder, owner))
}

fn remove_runtime_folder() -> Result<(), Fatal> {
    let folder = runtime_folder();
    match fs::remove_dir_all(&folder) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(Fatal::Folder(folder, cause)),
        _ => Ok(()),
    }
}

/// Returns what lets the daemon write backups to a folder outside of its own.
pub(super) fn allow_backups(folder: &Path) -> Result<BackupAccess, Fatal> {
    Ok(BackupAccess::of(NAME, folder))
}

/// Installs the daemon and starts it.
pub(super) fn enable(program: &Path) -> Result<(), Fatal> {
    let _ = run("launchctl", &["bootout", SERVICE]);
    let written = files::replace(Path::new(DAEMON), content(program).as_bytes());
    written.map_err(|cause| Fatal::Folder(DAEMON.into(), cause))?;
    run("launchctl", &["bootstrap", "system", DAEMON]).map(|_| ())
}

fn content(program: &Path) -> String {
    let escaped = |path: &Path| escape(path.display().to_string());
    CONTENT.replace("PROGRAM", &escaped(program)).replace("FOLDER", &escaped(&folders::machine()))
}

/// Returns the service's user, and creates it if it is missing.
pub(super) fn account() -> Result<Option<Account>, Fatal> {
    let known = || Some((id("-u")?, id("-g")?));
    if known().is_none() {
        let given = run("dscl", &[".", "-list", "/Users", "UniqueID"])?;
        let groups = run("dscl", &[".", "-list", "/Groups", "PrimaryGroupID"])?;
        let id =
            free(&format!("{given}\n{groups}")).ok_or(Fatal::NoFreeId(IDS.start, IDS.end - 1))?.to_string();
        let group = format!("/Groups/{NAME}");
        let user = format!("/Users/{NAME}");
        run("dscl", &[".", "-create", &group, "PrimaryGroupID", &id])?;
        for (key, value) in [
            ("UniqueID", id.as_str()),
            ("PrimaryGroupID", &id),
            ("UserShell", "/usr/bin/false"),
            ("NFSHomeDirectory", "/var/empty"),
            ("IsHidden", "1"),
        ] {
            run("dscl", &[".", "-create", &user, key, value])?;
        }
    }
    Ok(known())
}

fn id(which: &str) -> Option<u32> {
    run("id", &[which, NAME]).ok()?.trim().parse().ok()
}

/// Returns an id that neither a user nor a group has. Each line ends with an id.
fn free(given: &str) -> Option<u32> {
    let taken =
        |id: &u32| given.lines().any(|line| line.split_whitespace().next_back() == Some(&id.to_string()));
    IDS.rev().find(|id| !taken(id))
}

/// Gives a file or folder to the service.
pub(super) fn give(path: &Path, (user, group): Account) -> Result<(), Fatal> {
    chown(path, Some(user), Some(group)).map_err(|cause| Fatal::Folder(path.to_owned(), cause))
}

/// Returns `None`: everyone may ask.
pub(super) fn fault() -> Option<Fatal> {
    None
}

pub(super) fn is_enabled() -> bool {
    Path::new(DAEMON).exists()
}

pub(super) fn is_running() -> bool {
    run("launchctl", &["print", SERVICE]).is_ok_and(|state| state.contains("state = running"))
}

pub(super) fn disable() -> Result<(), Fatal> {
    let _ = run("launchctl", &["bootout", SERVICE]);
    match fs::remove_file(DAEMON) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(Fatal::Folder(PathBuf::from(DAEMON), cause))
        }
        _ => remove_runtime_folder(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_daemon_names_the_program_and_the_folder() {
        let own = content(Path::new("/Applications/A & B/pleito"));
        assert!(own.contains("<string>/Applications/A &amp; B/pleito</string>"), "{own}");
        assert!(own.contains("<string>/Library/Application Support/br.pleito</string>"), "{own}");
    }

    #[test]
    fn an_id_is_free_if_neither_a_user_nor_a_group_has_it() {
        assert_eq!(free("_www 70\n_a 399\n_b   398\n"), Some(397));
        let all = IDS.map(|id| format!("_a {id}\n")).collect::<String>();
        assert_eq!(free(&all), None);
    }
}

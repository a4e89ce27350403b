//! The service as a task that Windows starts with the machine.
//!
//! It is not a service of the service manager: that one calls a function of the program by its C interface, which takes
//! unsafe code. The task runs a copy of the program in the folder for programs: whatever runs as a person could replace the
//! program in that person's folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use quick_xml::escape::escape;

use super::{Account, BackupAccess, run};
use crate::config::{account_name, folders, own_executable};
use crate::domain::text::shell::quoted_path;
use crate::machine::{ADMINISTRATORS, LOCAL_SERVICE, SYSTEM};
use crate::supervisor::Fatal;
use crate::supervisor::owner_channel::channel::GROUP;

/// Where to see why the service does not run.
pub const LOG: &str = r"%ProgramData%\Pleito\logs";
/// The lines with which an administrator starts the service, and restarts it.
pub const START: &str = "schtasks /Run /TN Pleito";
pub const RESTART: &str = "schtasks /End /TN Pleito && schtasks /Run /TN Pleito";

const TASK: &str = "Pleito";
const CONTENT: &str = include_str!("../../../installer/windows/service.xml");
/// The last result of a task while it runs (`SCHED_S_TASK_RUNNING`).
const RUNNING: &str = "\"267009\"";
/// The files are free a moment after the task has ended.
const MAX_TRIES: u32 = 50;
const RETRY_PAUSE: Duration = Duration::from_millis(200);
/// `ERROR_SHARING_VIOLATION`: another process has the file open.
const IN_USE: i32 = 32;

/// Returns the program of which the task runs a copy.
pub(super) fn program() -> Result<PathBuf, Fatal> {
    Ok(own_executable())
}

/// Returns the folder of the copied program. Only administrators write there.
fn own_folder() -> PathBuf {
    folders::programs().join(TASK)
}

fn copied_program() -> PathBuf {
    own_folder().join("pleito.exe")
}

/// Returns `true` if the service was installed before. Otherwise anyone may have made the folder: everyone may make
/// folders in `C:\ProgramData`.
pub(super) fn only_administrators_made_folder() -> bool {
    copied_program().exists()
}

/// Returns the folder that everyone may read. Everyone may make folders in `C:\ProgramData`, and only administrators here.
pub(super) fn runtime_folder() -> PathBuf {
    own_folder().join("run")
}

/// Makes the runtime folder, in which the service may write, and the group that manages the service from the icon. Whoever
/// installs the service gets into the group.
pub(super) fn make_runtime_folder(_: Option<Account>) -> Result<(), Fatal> {
    let folder = runtime_folder();
    fs::create_dir_all(&folder).map_err(|cause| Fatal::Folder(folder.clone(), cause))?;
    run("icacls", &[&folder.to_string_lossy(), "/grant:r", &format!("*{LOCAL_SERVICE}:(OI)(CI)M")])?;
    // Fails if the group is there, and on a domain controller, which has no local groups. Without the group, icons only
    // show that the service runs.
    let _ = run("net", &["localgroup", GROUP, "/add"]);
    if let Some(person) = account_name() {
        let _ = run("net", &["localgroup", GROUP, &person, "/add"]);
    }
    Ok(())
}

/// Returns what lets the task write backups to a folder outside of its own.
pub(super) fn allow_backups(folder: &Path) -> Result<BackupAccess, Fatal> {
    let folder = quoted_path(folder);
    Ok(BackupAccess::Needs(format!("icacls {folder} /grant *{LOCAL_SERVICE}:(OI)(CI)M")))
}

/// Copies the program, makes the task and starts it.
pub(super) fn enable(program: &Path) -> Result<(), Fatal> {
    let folder = own_folder();
    let copied = copied_program();
    let definition = folder.join("service.xml");
    let failed = |cause| Fatal::Folder(folder.clone(), cause);
    let _ = run("schtasks", &["/End", "/TN", TASK]);
    fs::create_dir_all(&folder).map_err(failed)?;
    if program != copied {
        once_free(|| fs::copy(program, &copied)).map_err(failed)?;
    }
    fs::write(&definition, utf16(&content(&copied))).map_err(failed)?;
    let made = run("schtasks", &["/Create", "/F", "/TN", TASK, "/XML", &definition.to_string_lossy()]);
    let _ = fs::remove_file(&definition);
    made?;
    run("schtasks", &["/Run", "/TN", TASK]).map(|_| ())
}

/// Changes files that the ending service may still use.
fn once_free<T>(change: impl Fn() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..MAX_TRIES {
        match change() {
            Err(cause)
                if cause.kind() == io::ErrorKind::PermissionDenied
                    || cause.raw_os_error() == Some(IN_USE) =>
            {
                sleep(RETRY_PAUSE);
            }
            done => return done,
        }
    }
    change()
}

fn content(program: &Path) -> String {
    let escaped = |path: &Path| escape(path.display().to_string());
    CONTENT.replace("PROGRAM", &escaped(program)).replace("FOLDER", &escaped(&folders::machine()))
}

/// Returns the text in the encoding that `schtasks` reads.
fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

pub(super) fn account() -> Result<Option<Account>, Fatal> {
    Ok(Some(()))
}

/// Lets only the service, administrators and the system use a folder and what will be in it. Whoever made the folder no
/// longer owns it.
pub(super) fn give(path: &Path, (): Account) -> Result<(), Fatal> {
    let path = path.to_string_lossy();
    let all = |account| format!("*{account}:(OI)(CI)F");
    run("icacls", &[&path, "/setowner", &format!("*{ADMINISTRATORS}")])?;
    let [service, administrators, system] = [LOCAL_SERVICE, ADMINISTRATORS, SYSTEM].map(all);
    run("icacls", &[&path, "/inheritance:r", "/grant:r", &service, &administrators, &system]).map(|_| ())
}

/// Returns `None`: everyone may ask.
pub(super) fn fault() -> Option<Fatal> {
    None
}

pub(super) fn is_enabled() -> bool {
    run("schtasks", &["/Query", "/TN", TASK]).is_ok()
}

pub(super) fn is_running() -> bool {
    run("schtasks", &["/Query", "/TN", TASK, "/V", "/FO", "CSV"]).is_ok_and(|state| state.contains(RUNNING))
}

pub(super) fn disable() -> Result<(), Fatal> {
    if !is_enabled() {
        return Ok(());
    }
    let _ = run("schtasks", &["/End", "/TN", TASK]);
    run("schtasks", &["/Delete", "/F", "/TN", TASK])?;
    let _ = once_free(|| fs::remove_dir_all(runtime_folder()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_task_names_the_copied_program_and_the_folder() {
        let own = content(Path::new(r"C:\Program Files\A & B\pleito.exe"));
        assert!(own.contains(r"<Command>C:\Program Files\A &amp; B\pleito.exe</Command>"), "{own}");
        assert!(own.contains(&format!("serve --data-dir \"{}\"", folders::machine().display())), "{own}");
        assert_eq!(utf16("<é"), [0xFF, 0xFE, b'<', 0, 0xE9, 0]);
    }
}

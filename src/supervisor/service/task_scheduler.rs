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

use super::{Account, run};
use crate::config::{folders, own_executable};
use crate::supervisor::Fatal;

/// Where to see why the service does not run.
pub const LOG: &str = r"%ProgramData%\Pleito\logs";

const TASK: &str = "Pleito";
const CONTENT: &str = include_str!("../../../installer/windows/service.xml");
/// The last result of a task while it runs (`SCHED_S_TASK_RUNNING`).
const RUNNING: &str = "\"267009\"";
/// Security identifiers, which have other names in each language: the account of the service, which has fewer rights than
/// any person, the administrators, the system.
const LOCAL_SERVICE: &str = "*S-1-5-19:(OI)(CI)F";
const ADMINISTRATORS: &str = "*S-1-5-32-544:(OI)(CI)F";
const SYSTEM: &str = "*S-1-5-18:(OI)(CI)F";
/// The program's file is free a moment after the task has ended.
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

/// Returns the folder that everyone may open. Only administrators could have made it there.
pub(super) fn runtime_folder() -> PathBuf {
    own_folder().join("run")
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
        copy(program, &copied).map_err(failed)?;
    }
    fs::write(&definition, utf16(&content(&copied))).map_err(failed)?;
    let made = run("schtasks", &["/Create", "/F", "/TN", TASK, "/XML", &definition.to_string_lossy()]);
    let _ = fs::remove_file(&definition);
    made?;
    run("schtasks", &["/Run", "/TN", TASK]).map(|_| ())
}

/// Copies the program over one that may still run.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 0..MAX_TRIES {
        match fs::copy(from, to) {
            Err(cause)
                if cause.kind() == io::ErrorKind::PermissionDenied
                    || cause.raw_os_error() == Some(IN_USE) =>
            {
                sleep(RETRY_PAUSE);
            }
            done => return done.map(|_| ()),
        }
    }
    fs::copy(from, to).map(|_| ())
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
    for options in [
        &["/setowner", "*S-1-5-32-544"][..],
        &["/inheritance:r", "/grant:r", LOCAL_SERVICE, ADMINISTRATORS, SYSTEM],
    ] {
        run("icacls", &[&[&*path], options].concat())?;
    }
    Ok(())
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
    run("schtasks", &["/Delete", "/F", "/TN", TASK]).map(|_| ())
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

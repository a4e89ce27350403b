//! The service of the machine, which serves the office when nobody is signed in: a unit of
//! systemd, a task of Windows' scheduler or a daemon of launchd, whose definitions are in `installer`.

#[cfg(target_os = "macos")]
#[path = "service/launchd.rs"]
mod platform;
#[cfg(windows)]
#[path = "service/task_scheduler.rs"]
mod platform;
#[cfg(not(any(windows, target_os = "macos")))]
#[path = "service/systemd.rs"]
mod platform;

pub mod notify;
mod relocation;
mod runtime_folder;

use std::path::{Path, PathBuf};

#[cfg(unix)]
use super::os_user::{self, Use};
use super::promotion::refuse_superseded;
use super::system_command::run;
use super::{Fatal, Instance, open_store};
use crate::config::{Config, folders};
#[cfg(unix)]
use crate::domain::text::shell::quoted_path;
use crate::replica::Standby;
use crate::store::DataFolderId;
use crate::store::webhooks::{former_place, send_from};

pub use platform::{LOG, RESTART, START};
pub use runtime_folder::RuntimeFolder;

/// The account of the service: user and group. On Windows it is always the same.
#[cfg(unix)]
type Account = (u32, u32);
#[cfg(windows)]
type Account = ();

/// The state of the service.
pub struct ServiceStatus {
    /// `true` if it starts with the machine.
    pub installed: bool,
    pub running: bool,
    /// Why the system could not be asked.
    pub fault: Option<Fatal>,
    /// The folder of its office.
    pub data: PathBuf,
    /// `true` if a move into that folder was interrupted.
    pub interrupted: bool,
}

/// An installed service.
pub struct Installed {
    /// `true` if an office was moved.
    pub moved: bool,
    /// Access to the folder of backups. `None` if that is inside the data folder.
    pub backups: Option<BackupAccess>,
}

/// What the service may do in a folder of backups outside of its own.
pub enum BackupAccess {
    Granted,
    /// An administrator must type this line first.
    Needs(String),
    /// The service sees nothing there.
    Hidden,
}

#[cfg(unix)]
impl BackupAccess {
    /// Returns the access of the service's user to a folder that it sees.
    fn of(user: &str, folder: &Path) -> BackupAccess {
        let quoted = quoted_path(folder);
        if !folder.exists() {
            let make = format!("sudo install -d -m 700 -o {user} -g {user} {quoted}");
            return BackupAccess::Needs(format!("{make} && {}", platform::RESTART));
        }
        match os_user::can(Use::Write, folder, &folders::machine()) {
            true => BackupAccess::Granted,
            false => BackupAccess::Needs(format!("sudo chown -R {user}: {quoted}")),
        }
    }
}

/// Returns the state of the service.
pub fn status() -> ServiceStatus {
    let data = folders::machine();
    ServiceStatus {
        installed: platform::is_enabled(),
        running: platform::is_running(),
        fault: platform::fault(),
        interrupted: relocation::partial(&data).exists(),
        data,
    }
}

/// Installs the service and starts it. Moves the office of `config` to the service's folder, or
/// prepares that folder for a new office if `config` has none.
pub fn install(config: &Config) -> Result<Installed, Fatal> {
    let from = &config.folders.data;
    let to = folders::machine();
    let program = platform::program()?;
    let account = platform::account()?;
    let moves = *from != to && (config.folders.has_office() || folders::moved_to(from).is_some());
    if moves {
        refuse_superseded(from)?;
        relocation::relocate(from, &config.file, &to, account).map_err(|fatal| match fatal {
            Fatal::Running(folder) => Fatal::RunsBeforeMove(folder),
            fatal => fatal,
        })?;
        keep_webhooks(from, &to)?;
    } else {
        relocation::prepare(&to, platform::only_administrators_made_folder(), account)?;
    }
    platform::make_runtime_folder(account)?;
    let backups = config.settings.backup.folder(from);
    let backups = (!backups.starts_with(from)).then(|| platform::allow_backups(&backups)).transpose()?;
    platform::enable(&program)?;
    Ok(Installed { moved: moves, backups })
}

/// Returns the line that starts the server of a data folder: that of the service, or `line` if the service has another one.
pub fn line_to_start(data: &Path, line: String) -> String {
    match data == folders::machine() && platform::is_enabled() {
        true => START.to_owned(),
        false => line,
    }
}

/// Stops the service and keeps it from starting again. Its data stay.
pub fn remove() -> Result<(), Fatal> {
    platform::disable()
}

/// Lets the moved office send webhooks if it sent them before: a copy of an office would not. A standby sends none.
fn keep_webhooks(from: &Path, to: &Path) -> Result<(), Fatal> {
    if Standby::is_in(to) {
        return Ok(());
    }
    let _held = Instance::take(to)?;
    let failed = |cause| Fatal::Store(to.join(crate::store::FILE), cause);
    let store = open_store(to)?;
    let before = DataFolderId::of(from);
    let here = DataFolderId::of(to);
    if store.read(move |db| former_place(db, &before)).map_err(failed)?.is_none() {
        store.write(move |tx| send_from(tx, &here)).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replica::{Litestream, ReplicaTarget, Secrets};

    #[test]
    fn a_moved_standby_stays_one_and_is_not_written() {
        let [from, to] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let target = ReplicaTarget::parse("/mnt/nas/pleito").unwrap();
        let standby = Standby::new(to.path(), target, Secrets::default(), Litestream::at("litestream"));
        drop(open_store(to.path()).unwrap());
        standby.begin(jiff::Timestamp::now).unwrap();
        keep_webhooks(from.path(), to.path()).unwrap();
        let refused = Instance::take(to.path()).err();
        assert!(matches!(refused, Some(Fatal::Standby(_))));
    }
}

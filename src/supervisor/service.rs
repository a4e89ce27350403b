//! The service of the machine, which serves the office when nobody is signed in.

pub mod notify;
mod relocation;
mod systemd;

use std::path::{Path, PathBuf};

use super::{Fatal, Instance, has_office, open_store};
use crate::config::Config;
use crate::config::dirs;
use crate::store::webhooks::{WebhookPlace, former_place, send_from};

pub use systemd::is_administrator;

/// The state of the service.
pub struct ServiceStatus {
    /// `true` if it starts with the machine.
    pub installed: bool,
    pub running: bool,
    /// The folder of its office.
    pub data: PathBuf,
    /// `true` if a move into that folder was interrupted.
    pub interrupted: bool,
}

/// Returns the state of the service.
pub fn status() -> ServiceStatus {
    let data = dirs::machine();
    ServiceStatus {
        installed: systemd::is_enabled(),
        running: systemd::is_running(),
        interrupted: relocation::partial(&data).exists(),
        data,
    }
}

/// Installs the service and starts it if systemd runs. Moves the office of `config` to the service's folder, or
/// prepares that folder for a new office if `config` has none. Returns `true` if an office was moved.
pub fn install(config: &Config) -> Result<bool, Fatal> {
    let from = &config.folders.data;
    let to = dirs::machine();
    let unit = systemd::Unit::for_program()?;
    let user = systemd::user()?;
    let moves = *from != to && (has_office(config) || dirs::moved_to(from).is_some());
    if moves {
        relocation::relocate(from, &config.file, &to, user)?;
        keep_webhooks(from, &to)?;
    } else {
        relocation::prepare(&to, user)?;
    }
    unit.enable()?;
    Ok(moves)
}

/// Stops the service and keeps it from starting again. Its data stay.
pub fn remove() -> Result<(), Fatal> {
    systemd::disable()
}

/// Lets the moved office send webhooks if it sent them before: a copy of an office would not.
fn keep_webhooks(from: &Path, to: &Path) -> Result<(), Fatal> {
    let _held = Instance::take(to)?;
    let failed = |cause| Fatal::Store(to.join(crate::store::FILE), cause);
    let store = open_store(to)?;
    let before = WebhookPlace::of(from);
    let here = WebhookPlace::of(to);
    if store.read(move |db| former_place(db, &before)).map_err(failed)?.is_none() {
        store.write(move |tx| send_from(tx, &here)).map_err(failed)?;
    }
    Ok(())
}

//! The folder that everyone may read while the service runs. It holds what icons in the trays of people need: the socket
//! of the channel, the address of the server, and the URL at which people of the office sign in.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;

use super::platform;
use crate::app::App;
use crate::config::folders::machine;
use crate::config::of_systemd;
use crate::supervisor::Owner;
use crate::supervisor::owner_channel::channel::{self, ChannelListener, Peers};
use crate::supervisor::owner_channel::single_instance::ADDRESS;

const NETWORK: &str = "pleito.network";

#[derive(Clone)]
pub struct RuntimeFolder(PathBuf);

impl RuntimeFolder {
    /// Returns the folder in which an icon looks for the service, which need not exist.
    pub fn of_icon() -> RuntimeFolder {
        RuntimeFolder(platform::runtime_folder())
    }

    /// Returns the folder of the server of the data folder `data`. `None` if it is not the service: systemd makes a folder
    /// for each of its services (`RuntimeDirectory`, systemd.exec(5)), and elsewhere the installation made that of the one
    /// service.
    pub(in crate::supervisor) fn of_server(data: &Path) -> Option<RuntimeFolder> {
        let folder = match cfg!(any(windows, target_os = "macos")) {
            true => Some(platform::runtime_folder()).filter(|folder| data == machine() && folder.is_dir()),
            false => of_systemd("RUNTIME_DIRECTORY").map(PathBuf::from),
        };
        folder.map(RuntimeFolder)
    }

    /// Listens for icons.
    pub(in crate::supervisor) fn bind(&self) -> io::Result<ChannelListener> {
        ChannelListener::bind(&self.0, Peers::Group)
    }

    /// Fails unless the service runs and this user may send requests to it.
    pub(in crate::supervisor) fn reach(&self) -> io::Result<()> {
        channel::reach(&self.0)
    }

    /// Returns the service, for requests.
    pub(in crate::supervisor) fn owner(&self) -> Owner {
        Owner::Running(self.0.clone())
    }

    /// Writes the address of the server.
    pub(in crate::supervisor) fn note_address(&self, address: SocketAddr) {
        self.note(ADDRESS, &address.to_string());
    }

    /// Writes the URL at which the office is shared, until `stop` is set.
    pub(in crate::supervisor) async fn note_network(self, app: Arc<App>, mut stop: watch::Receiver<bool>) {
        let mut lan = app.lan().subscribe();
        loop {
            let url = lan.borrow_and_update().urls().into_iter().next().unwrap_or_default();
            self.note(NETWORK, &url);
            tokio::select! {
                changed = lan.changed() => if changed.is_err() { return },
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// Returns the address of the server.
    pub(in crate::supervisor) fn address(&self) -> Option<SocketAddr> {
        self.noted(ADDRESS)?.parse().ok()
    }

    /// Returns the URL at which people of the office sign in. `None` if the office is not shared.
    pub(in crate::supervisor) fn network(&self) -> Option<String> {
        self.noted(NETWORK).filter(|url| url.starts_with("https://"))
    }

    /// Writes a line to a file that everyone may read. The server works without it, so a failure is only logged.
    fn note(&self, name: &str, line: &str) {
        let file = self.0.join(name);
        let noted = fs::write(&file, format!("{line}\n")).and_then(|()| open_to_all(&file));
        if let Err(cause) = noted {
            tracing::warn!(%cause, "a file for everyone could not be written");
        }
    }

    fn noted(&self, name: &str) -> Option<String> {
        Some(fs::read_to_string(self.0.join(name)).ok()?.trim().to_owned())
    }
}

/// Lets everyone read a file. On Windows its folder has done that.
#[cfg(unix)]
fn open_to_all(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o644))
}
#[cfg(windows)]
fn open_to_all(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_icon_reads_what_the_service_has_written_for_everyone() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = RuntimeFolder(folder.path().to_owned());
        assert_eq!((runtime.address(), runtime.network()), (None, None));
        let address = "127.0.0.1:12345".parse().unwrap();
        runtime.note_address(address);
        runtime.note(NETWORK, "https://pleito.local");
        assert_eq!(runtime.address(), Some(address));
        assert_eq!(runtime.network().as_deref(), Some("https://pleito.local"));
        runtime.note(NETWORK, "");
        assert_eq!(runtime.network(), None);
        #[cfg(unix)]
        for name in [ADDRESS, NETWORK] {
            let metadata = fs::metadata(folder.path().join(name)).unwrap();
            assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777, 0o644);
        }
    }
}

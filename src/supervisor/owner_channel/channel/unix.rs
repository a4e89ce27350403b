//! The channel as a Unix socket in the folder.

use std::fs::Permissions;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use super::{Peers, SOCKET};
use crate::config::folders::temporary;

/// Longest path that fits into a socket's address, in bytes. The limit is 103 on macOS and 107 on Linux.
const MAX_PATH_BYTES: usize = 100;

/// Accepts command connections until it is dropped.
pub(in crate::supervisor) struct ChannelListener {
    inner: tokio::net::UnixListener,
    path: PathBuf,
    pub(super) peers: Peers,
}

impl ChannelListener {
    /// Creates the socket and listens. The caller owns the folder, so an existing socket was left by a
    /// killed process.
    pub(in crate::supervisor) fn bind(folder: &Path, peers: Peers) -> io::Result<ChannelListener> {
        let path = folder.join(SOCKET);
        let _ = std::fs::remove_file(&path);
        let socket = tokio::net::UnixSocket::new_stream()?;
        in_short(folder, |path| socket.bind(path))?;
        let mode = match peers {
            Peers::Owner => 0o600,
            Peers::Group => 0o660,
        };
        // Set before `listen`, so that no connection is accepted under other permissions.
        std::fs::set_permissions(&path, Permissions::from_mode(mode))?;
        Ok(ChannelListener { inner: socket.listen(16)?, path, peers })
    }

    pub(super) async fn accept(&mut self) -> io::Result<tokio::net::UnixStream> {
        Ok(self.inner.accept().await?.0)
    }
}

impl Drop for ChannelListener {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

pub(super) fn connect(folder: &Path) -> io::Result<UnixStream> {
    in_short(folder, |path| UnixStream::connect(path))
}

/// Calls `work` with a path of the socket that fits into an address. If the folder's own path is too
/// long, uses a temporary symbolic link to the folder.
fn in_short<T>(folder: &Path, work: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let path = folder.join(SOCKET);
    if path.as_os_str().as_bytes().len() <= MAX_PATH_BYTES {
        return work(&path);
    }
    let link = temporary().join(format!("pleito-{:016x}", rand::random::<u64>()));
    symlink(std::path::absolute(folder)?, &link)?;
    let done = work(&link.join(SOCKET));
    let _ = std::fs::remove_file(&link);
    done
}

//! The channel as a named pipe of Windows. Its name is random, and stands in a file in the folder.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use interprocess::os::windows::ToWtf16;
use interprocess::os::windows::named_pipe::PipeListenerOptions;
use interprocess::os::windows::named_pipe::pipe_mode::Bytes;
use interprocess::os::windows::named_pipe::tokio::{DuplexPipeStream, PipeListener};
use interprocess::os::windows::security_descriptor::SecurityDescriptor;

use super::{Peers, SOCKET};
use crate::machine::{ADMINISTRATORS, LOCAL_SERVICE, SYSTEM, local_group};

/// The local group whose people may manage the service.
pub(in crate::supervisor) const GROUP: &str = "Pleito";

/// `ERROR_PIPE_BUSY`: the owner has not created the next pipe instance yet.
const BUSY: i32 = 231;
const MAX_TRIES: u32 = 100;
const RETRY_PAUSE: Duration = Duration::from_millis(20);
/// `ERROR_SHARING_VIOLATION`: another process has the file open in a way that this one does not share.
const IN_USE: i32 = 32;
/// `FILE_READ_DATA` and `FILE_WRITE_DATA`: what a client needs.
const READ_AND_WRITE: u32 = 3;
/// All rights to read and to write, except for `FILE_CREATE_PIPE_INSTANCE`, with which one could answer in place of the
/// owner.
const CLIENT_RIGHTS: u32 = 0x0012_019B;
/// `SECURITY_IDENTIFICATION`: the owner learns who the client is, and cannot act in its name.
const IDENTIFICATION: u32 = 0x0001_0000;
/// `FILE_SHARE_READ`.
const SHARE_READ: u32 = 1;

/// Accepts command connections until it is dropped.
pub(in crate::supervisor) struct ChannelListener {
    pipe: PipeListener<Bytes, Bytes>,
    /// The file with the name. It is open for writing while the pipe exists, which clients check.
    #[expect(unused, reason = "closing it shows that the pipe has ended")]
    name: File,
    path: PathBuf,
    pub(super) peers: Peers,
}

impl ChannelListener {
    /// Creates the pipe. Only the owner and administrators may write to the folder, so an existing file was left by a
    /// killed process.
    pub(in crate::supervisor) fn bind(folder: &Path, peers: Peers) -> io::Result<ChannelListener> {
        let pipe = format!(r"\\.\pipe\pleito-{:032x}", rand::random::<u128>());
        let options = PipeListenerOptions::new().path(pipe.as_str()).security_descriptor(match peers {
            Peers::Owner => None,
            Peers::Group => Some(security(local_group(GROUP).as_deref())?),
        });
        let listener = options.create_tokio_duplex::<Bytes>()?;
        let path = folder.join(SOCKET);
        let mut name = File::create(&path)?;
        name.write_all(pipe.as_bytes())?;
        Ok(ChannelListener { pipe: listener, name, path, peers })
    }

    pub(super) async fn accept(&mut self) -> io::Result<DuplexPipeStream<Bytes>> {
        self.pipe.accept().await
    }
}

impl Drop for ChannelListener {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Returns the rights of a pipe for the service, administrators, the system, and the group if it exists.
fn security(group: Option<&str>) -> io::Result<SecurityDescriptor> {
    let text = rights(group).to_wtf_16().map_err(io::Error::other)?;
    SecurityDescriptor::deserialize(&text)
}

/// Returns the rights as text (security descriptor string format).
fn rights(group: Option<&str>) -> String {
    let all = [SYSTEM, ADMINISTRATORS, LOCAL_SERVICE].map(|account| format!("(A;;GA;;;{account})")).concat();
    let group = group.map(|group| format!("(A;;{CLIENT_RIGHTS:#x};;;{group})")).unwrap_or_default();
    format!("D:P{all}{group}")
}

/// Connects to the owner of the folder.
///
/// A killed owner leaves its file, and anyone may create a pipe with the name in it. So a connection counts only if
/// afterwards the file is still open for writing: its owner then had the pipe when this process connected. Other users
/// can neither write to the file nor, as `name` is open, refuse to share it.
pub(super) fn connect(folder: &Path) -> io::Result<File> {
    let path = folder.join(SOCKET);
    let mut name = File::open(&path)?;
    let mut pipe = String::new();
    name.read_to_string(&mut pipe)?;
    let opened = open(&pipe);
    match File::options().read(true).share_mode(SHARE_READ).open(&path) {
        Err(cause) if cause.raw_os_error() == Some(IN_USE) => opened,
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

fn open(pipe: &str) -> io::Result<File> {
    let mut tries = 0..MAX_TRIES;
    let mut options = File::options();
    options.access_mode(READ_AND_WRITE).security_qos_flags(IDENTIFICATION);
    loop {
        match options.open(pipe) {
            Err(cause) if cause.raw_os_error() == Some(BUSY) && tries.next().is_some() => {
                std::thread::sleep(RETRY_PAUSE);
            }
            opened => return opened,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tokio::net::windows::named_pipe::ServerOptions;

    use super::*;

    #[test]
    fn the_group_may_use_the_pipe_of_the_service_and_not_answer_in_its_place() {
        const CREATE_PIPE_INSTANCE: u32 = 4;
        assert_eq!(CLIENT_RIGHTS & CREATE_PIPE_INSTANCE, 0);
        assert_eq!(CLIENT_RIGHTS & READ_AND_WRITE, READ_AND_WRITE);
        let all = "D:P(A;;GA;;;S-1-5-18)(A;;GA;;;S-1-5-32-544)(A;;GA;;;S-1-5-19)";
        assert_eq!(rights(None), all);
        assert_eq!(rights(Some("S-1-5-21-1-2-3-1001")), format!("{all}(A;;0x12019b;;;S-1-5-21-1-2-3-1001)"));
        security(Some("S-1-5-21-1-2-3-1001")).unwrap();
    }

    #[tokio::test]
    async fn a_client_reaches_the_owner_and_nobody_who_took_the_name_of_a_killed_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SOCKET);
        let listener = ChannelListener::bind(folder.path(), Peers::Owner).unwrap();
        connect(folder.path()).unwrap();
        let pipe = fs::read_to_string(&path).unwrap();
        drop(listener);
        assert!(!path.exists());

        fs::write(&path, &pipe).unwrap();
        assert!(connect(folder.path()).is_err());
        let _squatter = ServerOptions::new().create(&pipe).unwrap();
        assert_eq!(connect(folder.path()).err().map(|cause| cause.kind()), Some(io::ErrorKind::NotFound));
    }
}

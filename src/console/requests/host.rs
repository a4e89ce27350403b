//! The console's host name: a random one below `localhost` that other users of the machine do not know.
//!
//! Browsers do not separate cookies by port: a cookie of `127.0.0.1` goes to every program that listens there,
//! even to one of another user. The name is readable only by those who can read the data folder. It survives
//! restarts, so that a form filled in before a restart can still be sent.

use std::fs;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::path::Path;

use crate::console::requests::sign_in::secret::Secret;
use crate::files;

/// File in the data folder with the name, while the server uses one.
const FILE: &str = "console.host";
const BEGIN: &str = "pleito-";
const END: &str = ".localhost";
/// Number of random hexadecimal digits in the name: 64 bits. Each guess would be a page that the person must open.
const DIGITS: usize = 16;

/// Returns the host name for a server that is starting, and stores it for other processes that make links.
/// `has_loopback` is `true` if no other program can listen on the server's port of 127.0.0.1 and `[::1]`,
/// because browsers resolve the name to both.
///
/// Returns `None` if the name could lead to another program or fail to resolve; then the console uses its address.
pub fn name(data: &Path, has_loopback: bool) -> Option<String> {
    let name = match has_loopback {
        true => noted(data).map_or_else(|| make(data), Ok),
        false => Err(io::Error::other("its port of 127.0.0.1 or of [::1] may lead to another program")),
    };
    match name.and_then(|name| resolves(&name).map(|()| name)) {
        Ok(name) => Some(name),
        Err(cause) => {
            tracing::warn!(%cause, "the console uses its address, not a host name of its own");
            // Other processes must not make links with the name.
            let _ = fs::remove_file(data.join(FILE));
            None
        }
    }
}

/// Returns the host name of the folder's running server, if it uses one.
pub(in crate::console) fn noted(data: &Path) -> Option<String> {
    let name = fs::read_to_string(data.join(FILE)).ok()?;
    let digits = name.strip_prefix(BEGIN)?.strip_suffix(END)?;
    (digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(name)
}

fn make(data: &Path) -> io::Result<String> {
    let secret = Secret::new().ok_or_else(|| io::Error::other("no randomness from the system"))?;
    let digits = secret.expose().get(..DIGITS).unwrap_or_default();
    let name = format!("{BEGIN}{digits}{END}");
    files::replace(&data.join(FILE), name.as_bytes())?;
    Ok(name)
}

/// Checks that the name leads to this machine. Browsers resolve names below `localhost` themselves
/// (RFC 6761, 6.3). Safari asks the system, which may not know the rule and may ask the network.
fn resolves(name: &str) -> io::Result<()> {
    if !cfg!(target_os = "macos") {
        return Ok(());
    }
    let mut addresses = (name, 0).to_socket_addrs()?.map(|address| address.ip());
    match addresses.all(|address: IpAddr| address.is_loopback()) {
        true => Ok(()),
        false => Err(io::Error::other("names below localhost lead to other machines")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_random_name_is_kept_and_removed_if_it_might_reach_another_program() {
        let one = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        assert_eq!(noted(one.path()), None);
        let first = name(one.path(), true).unwrap();
        assert!(first.starts_with("pleito-") && first.ends_with(".localhost"), "{first}");
        assert_eq!(name(one.path(), true).as_deref(), Some(first.as_str()));
        assert_eq!(noted(one.path()), Some(first.clone()));
        assert_ne!(name(other.path(), true).unwrap(), first);

        assert_eq!(name(one.path(), false), None);
        assert_eq!(noted(one.path()), None, "links no longer use the name");
    }

    #[test]
    fn invalid_names_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        for wrong in [
            "",
            "localhost",
            "pleito-.localhost",
            "pleito-0123456789abcdef.localhost.evil.example",
            "evil.example/pleito-",
        ] {
            fs::write(folder.path().join(FILE), wrong).unwrap();
            assert_eq!(noted(folder.path()), None, "{wrong}");
        }
        assert!(name(folder.path(), true).is_some(), "a new name replaces the invalid one");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_the_name() {
        let folder = tempfile::tempdir().unwrap();
        name(folder.path(), true).unwrap();
        let metadata = fs::metadata(folder.path().join(FILE)).unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777, 0o600);
    }
}

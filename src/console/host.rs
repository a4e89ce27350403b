//! The host name that the console goes by: one below `localhost` that nobody else on the machine knows.
//!
//! Browsers keep cookies by host and do not look at ports: a cookie of `127.0.0.1` goes to every program that listens
//! there, also to one of another user. The name is a secret of whoever may read the data folder. It stays the same from
//! start to start, so that a form that was filled in before a restart can still be sent.

use std::fs;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::path::Path;

use super::secret::Secret;
use crate::files;

/// Where the name stands in the data folder while the server goes by it.
const FILE: &str = "console.host";
const BEGIN: &str = "pleito-";
const END: &str = ".localhost";
/// How many hexadecimal digits of randomness are between the two: 64 bits, of which every guess is a page that the
/// person would have to open.
const DIGITS: usize = 16;

/// The name of a server that is about to answer, for those who make links to it too. `has_loopback` says whether its port
/// of 127.0.0.1 and of `[::1]` lead to nobody else: browsers take the name for both.
///
/// None where it could lead to somebody else, or to nobody; then the console goes by its address.
pub fn name(data: &Path, has_loopback: bool) -> Option<String> {
    let name = match has_loopback {
        true => noted(data).map_or_else(|| make(data), Ok),
        false => Err(io::Error::other("its port of 127.0.0.1 or of [::1] may lead to another program")),
    };
    match name.and_then(|name| resolves(&name).map(|()| name)) {
        Ok(name) => Some(name),
        Err(cause) => {
            tracing::warn!(%cause, "the console goes by its address, not by a name of its own");
            // Nobody shall make a link to it.
            let _ = fs::remove_file(data.join(FILE));
            None
        }
    }
}

/// The name of the folder's running server, if it goes by one.
pub(super) fn noted(data: &Path) -> Option<String> {
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

/// Browsers know that names below `localhost` mean the machine itself (RFC 6761, 6.3). Safari asks the system, which may
/// not know it, and then asks the network.
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
    fn a_name_is_random_stays_and_is_taken_back_where_it_might_lead_elsewhere() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert_eq!(noted(one.path()), None);
        let first = name(one.path(), true).unwrap();
        assert!(first.starts_with("pleito-") && first.ends_with(".localhost"), "{first}");
        assert_eq!(name(one.path(), true).as_deref(), Some(first.as_str()));
        assert_eq!(noted(one.path()), Some(first.clone()));
        assert_ne!(name(other.path(), true).unwrap(), first);

        assert_eq!(name(one.path(), false), None);
        assert_eq!(noted(one.path()), None, "nobody makes a link by it");
    }

    #[test]
    fn what_is_no_name_is_none() {
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
        assert!(name(folder.path(), true).is_some(), "a new one takes its place");
    }

    #[cfg(unix)]
    #[test]
    fn the_name_is_the_users_alone() {
        let folder = tempfile::tempdir().unwrap();
        name(folder.path(), true).unwrap();
        let metadata = fs::metadata(folder.path().join(FILE)).unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777, 0o600);
    }
}

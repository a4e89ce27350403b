//! Sign-in links to the console for people who can write to the data folder. A link works once, for a minute.
//!
//! A link leaves an empty file, whose name contains the time of creation and the hash of its secret. So another
//! process of the same user can make one (`pleito console`), and other users of the machine cannot. Removing
//! the file uses up the link, and a full disk locks out no one.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::clock::Clock;
use crate::console::requests::host;
use crate::console::requests::paths::{BASE, LINK};
use crate::console::requests::sign_in::secret::Secret;
use crate::files::{create_private, private_dir};

/// Lifetime of a link in seconds (product 4).
pub(in crate::console) const LIFETIME_SECONDS: i64 = 60;

/// Makes and redeems sign-in links.
#[derive(Clone)]
pub struct SignInLinks {
    data: PathBuf,
    folder: PathBuf,
    pub(in crate::console) clock: Clock,
}

impl SignInLinks {
    /// Creates the links of the server with this data folder.
    pub fn new(data: &Path, clock: Clock) -> SignInLinks {
        SignInLinks { data: data.to_owned(), folder: data.join("console-links"), clock }
    }

    /// Makes a link to the console of the server at `address`. The link is a secret until it is used.
    pub fn link(&self, address: SocketAddr) -> io::Result<String> {
        self.create(address).map(|(link, _)| link)
    }

    /// Makes a link, and returns it with its file.
    pub(in crate::console) fn create(&self, address: SocketAddr) -> io::Result<(String, PathBuf)> {
        private_dir(&self.folder)?;
        let secret = Secret::new().ok_or_else(|| io::Error::other("no randomness from the system"))?;
        let file = self.folder.join(format!("{}-{}", self.clock.now().as_second(), secret.hash().hex()));
        create_private(&file)?;
        let authority = match host::noted(&self.data) {
            Some(name) => format!("{name}:{}", address.port()),
            None => address.to_string(),
        };
        Ok((format!("http://{authority}{BASE}/{LINK}/{}", secret.expose()), file))
    }

    /// Redeems a link: returns `true` if its secret is valid and not expired. Removes the link, and all expired ones.
    pub(in crate::console) fn opens(&self, secret: &str) -> bool {
        let Some(hash) = Secret::sent(secret).map(|secret| secret.hash().hex()) else { return false };
        let Ok(links) = fs::read_dir(&self.folder) else { return false };
        let mut opens = false;
        for link in links.flatten() {
            let name = link.file_name();
            let Some((made, of)) = name.to_str().and_then(|name| name.split_once('-')) else { continue };
            let in_time = is_in_time(made, &self.clock);
            // If two requests use the same link, only the one that removes the file is let in.
            if (of == hash || !in_time) && fs::remove_file(link.path()).is_ok() {
                opens |= of == hash && in_time;
            }
        }
        opens
    }
}

/// Returns `true` if a link with this creation time, as in its file name, has not expired.
pub(in crate::console) fn is_in_time(made: &str, clock: &Clock) -> bool {
    let age = made.parse::<i64>().map(|made| clock.now().as_second().saturating_sub(made));
    age.is_ok_and(|age| (0..LIFETIME_SECONDS).contains(&age))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn secret(link: &str) -> &str {
        link.rsplit('/').next().unwrap()
    }

    #[test]
    fn a_link_opens_once_and_within_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::set_to("2026-06-17T12:00:00Z".parse().unwrap());
        let links = SignInLinks::new(folder.path(), clock.clone());
        let link = || links.link("127.0.0.1:8743".parse().unwrap()).unwrap();
        assert!(!links.opens(&"0".repeat(64)), "no link was made");

        let first = link();
        let second = link();
        assert!(first.starts_with("http://127.0.0.1:8743/console/in/"), "{first}");
        assert!(links.opens(secret(&first)) && !links.opens(secret(&first)));
        clock.advance(Duration::from_secs(59));
        assert!(links.opens(secret(&second)));

        let late = link();
        clock.advance(Duration::from_secs(60));
        assert!(!links.opens(secret(&late)));
        assert_eq!(fs::read_dir(&links.folder).unwrap().count(), 0, "expired links are deleted");
    }

    #[test]
    fn a_link_made_in_the_future_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::set_to("2026-06-17T12:00:00Z".parse().unwrap());
        let links = SignInLinks::new(folder.path(), clock.clone());
        let link = links.link("127.0.0.1:1".parse().unwrap()).unwrap();
        clock.set("2026-06-17T11:59:00Z".parse().unwrap());
        assert!(!links.opens(secret(&link)));
    }

    #[cfg(unix)]
    #[test]
    fn link_files_are_private_and_do_not_contain_the_secret() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let links = SignInLinks::new(folder.path(), Clock::system());
        let link = links.link("127.0.0.1:1".parse().unwrap()).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&links.folder), 0o700);
        for file in fs::read_dir(&links.folder).unwrap().flatten() {
            assert_eq!(mode(&file.path()), 0o600);
            assert!(!file.file_name().to_str().unwrap().contains(secret(&link)));
        }
    }
}

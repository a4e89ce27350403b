//! A private file that leads a browser to the console. Command lines are visible to every user of a machine, so
//! the browser gets the path of a file that only its owner can read, and the file contains the link.

use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use maud::{DOCTYPE, html};

use crate::clock::Clock;
use crate::console::requests::sign_in::links::{LIFETIME_SECONDS, SignInLinks, is_in_time};
use crate::files::{create_private, folder_of, private_dir};

const EXTENSION: &str = "html";
/// Interval between checks that the link was used.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// A file that leads to the console once. Dropping it removes the file and an unused link.
pub struct RedirectFile {
    path: PathBuf,
    /// The link's file in the data folder, which is gone once the link was used. `None` if this user may not see it.
    link_file: Option<PathBuf>,
    clock: Clock,
    /// Expiry on the monotonic clock.
    until: Duration,
}

impl SignInLinks {
    /// Makes a link and puts it into a file in `folder` that leads a browser there, because other users can
    /// read a browser's command line.
    pub fn redirect_file(&self, address: SocketAddr, folder: &Path) -> io::Result<RedirectFile> {
        let (link, link_file) = self.create(address)?;
        let name = link_file.file_name().unwrap_or_default().to_owned();
        RedirectFile::new(&folder.join(name), &link, Some(link_file), self.clock.clone())
    }
}

impl RedirectFile {
    /// Puts a link of a server that runs for another user into a file in `folder`.
    pub fn of_link(link: &str, folder: &Path, clock: Clock) -> io::Result<RedirectFile> {
        let name = format!("{}-{:032x}", clock.now().as_second(), rand::random::<u128>());
        RedirectFile::new(&folder.join(name), link, None, clock)
    }

    /// Creates the file, whose name contains no secret.
    fn new(path: &Path, link: &str, link_file: Option<PathBuf>, clock: Clock) -> io::Result<RedirectFile> {
        let path = path.with_extension(EXTENSION);
        let folder = folder_of(&path).to_owned();
        let until = clock.monotonic() + Duration::from_secs(LIFETIME_SECONDS.unsigned_abs());
        // From here on, an error removes the link, because `file` is dropped.
        let file = RedirectFile { path, link_file, clock, until };
        sweep(&folder, &file.clock);
        let make = || private_dir(&folder).and_then(|()| create_private(&file.path));
        // Another process may just have removed the folder together with its last file.
        let made =
            make().or_else(|cause| if cause.kind() == io::ErrorKind::NotFound { make() } else { Err(cause) });
        made?.write_all(document(link).as_bytes())?;
        Ok(file)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the link was used, or if that cannot be seen.
    pub fn was_used(&self) -> bool {
        self.link_file.as_ref().is_none_or(|link_file| !link_file.exists())
    }

    /// Returns `true` if the link can still be used.
    pub fn is_waiting(&self) -> bool {
        let is_there = self.link_file.as_ref().is_none_or(|link_file| link_file.exists());
        is_there && self.clock.monotonic() < self.until
    }

    /// Waits until the link is used or expires. Returns `true` if it was used.
    pub fn wait(self) -> bool {
        while self.is_waiting() {
            thread::sleep(CHECK_INTERVAL);
        }
        self.was_used()
    }
}

impl Drop for RedirectFile {
    fn drop(&mut self) {
        for file in [Some(&self.path), self.link_file.as_ref()].into_iter().flatten() {
            // Usually already removed.
            let _ = fs::remove_file(file);
        }
        // Removes the folder only if it is empty.
        let _ = self.path.parent().map(fs::remove_dir);
    }
}

/// Removes files that a killed process has left behind.
fn sweep(folder: &Path, clock: &Clock) {
    let Ok(files) = fs::read_dir(folder) else { return };
    for path in files.flatten().map(|file| file.path()) {
        let made = path.file_stem().and_then(|name| name.to_str()).and_then(|name| name.split_once('-'));
        let is_ours = path.extension().is_some_and(|extension| extension == EXTENSION);
        if is_ours && made.is_some_and(|(made, _)| !is_in_time(made, clock)) {
            let _ = fs::remove_file(path);
        }
    }
}

fn document(link: &str) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="pt-BR" {
            head {
                meta charset="utf-8";
                meta name="color-scheme" content="light dark";
                meta http-equiv="refresh" content={ "0; url=" (link) };
                title { "Pleito" }
            }
            body { a href=(link) { "Abrir o Pleito" } " · " a href=(link) lang="en" { "Open the console" } }
        }
    };
    document.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Machine {
        data: tempfile::TempDir,
        home: tempfile::TempDir,
        clock: Clock,
    }

    impl Machine {
        fn new() -> Machine {
            let clock = Clock::set_to("2026-06-17T12:00:00Z".parse().unwrap());
            Machine { data: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap(), clock }
        }

        fn folder(&self) -> PathBuf {
            self.home.path().join("pages")
        }

        fn links(&self) -> SignInLinks {
            SignInLinks::new(self.data.path(), self.clock.clone())
        }

        fn file(&self) -> RedirectFile {
            self.links().redirect_file("127.0.0.1:8743".parse().unwrap(), &self.folder()).unwrap()
        }
    }

    fn secret(file: &RedirectFile) -> String {
        let page = fs::read_to_string(file.path()).unwrap();
        let (_, link) = page.split_once("url=http://127.0.0.1:8743/console/in/").unwrap();
        link[..64].to_owned()
    }

    #[test]
    fn the_file_redirects_to_a_link_that_its_path_does_not_contain() {
        let machine = Machine::new();
        let file = machine.file();
        assert!(!file.path().to_str().unwrap().contains(&secret(&file)));
        assert!(file.is_waiting() && !file.was_used());
        assert!(machine.links().opens(&secret(&file)));
        assert!(!file.is_waiting() && file.was_used() && file.wait());
        assert!(!machine.folder().exists(), "the file is deleted, and with the last one the folder");
    }

    #[test]
    fn the_link_ends_with_its_file_or_after_a_minute() {
        let machine = Machine::new();
        let file = machine.file();
        let other = machine.file();
        let unused = secret(&file);
        drop(file);
        assert!(!machine.links().opens(&unused), "the link no longer works");
        machine.clock.advance(Duration::from_secs(59));
        assert!(other.is_waiting() && other.path().exists());
        machine.clock.advance(Duration::from_secs(1));
        assert!(!other.wait());
        assert!(!machine.folder().exists());
    }

    #[test]
    fn leftover_files_are_deleted_and_foreign_ones_kept() {
        let machine = Machine::new();
        let leftover = machine.file();
        let theirs = machine.folder().join("notes.html");
        let path = leftover.path().to_owned();
        std::mem::forget(leftover);
        fs::write(&theirs, "").unwrap();
        let beside = machine.file();
        assert!(path.exists() && beside.path().exists());
        machine.clock.advance(Duration::from_secs(60));
        drop(machine.file());
        assert!(!path.exists() && !beside.path().exists() && theirs.exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let machine = Machine::new();
        let file = machine.file();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(file.path()), mode(&machine.folder())), (0o600, 0o700));
    }
}

//! Moves an office from a person's folder to that of the service.
//!
//! The office is copied beside its new folder, and one rename puts the copy there. Until then the office works where
//! it was; from then on the old folder refuses to be used and names the new one. What was in it is left.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::Account;
use super::platform::give;
use crate::config::SETTINGS_FILE;
use crate::config::folders::{MOVED, MOVING, moved_to};
use crate::files;
use crate::replica::{Replica, ReplicaError};
use crate::supervisor::os_user::owner as owner_of;
use crate::supervisor::owner_channel::channel::SOCKET;
use crate::supervisor::owner_channel::single_instance::{ADDRESS, DESKTOP_LOCK, LOCK};
use crate::supervisor::{Fatal, Instance};

/// Entries of a data folder that belong to its running server, or that are not the office's.
const LEFT: [&str; 9] =
    ["console-links", "logs", DESKTOP_LOCK, ADDRESS, "pleito.db-shm", LOCK, SOCKET, MOVED, MOVING];

/// Moves the office in `from` and its settings file to the folder `to`, which must be missing or empty, and gives it to
/// `owner`. On failure the office stays where it was. An interrupted move is finished or begun anew.
pub(super) fn relocate(from: &Path, settings: &Path, to: &Path, owner: Option<Account>) -> Result<(), Fatal> {
    let _held = Instance::take_even_moved(from)?;
    let failed = |cause| Fatal::Folder(to.to_owned(), cause);
    if moved_to(from).is_none() {
        if is_filled(to) {
            return Err(Fatal::MachineOffice(to.to_owned()));
        }
        // Litestream would go on with the old folder. The standby of an office may be moved.
        if !matches!(Replica::of(from), Ok(None)) {
            return Err(Fatal::Replica(ReplicaError::NotMoved(from.to_owned())));
        }
        let copy = partial(to);
        let _ = fs::remove_dir_all(&copy);
        let moved = copy_office(from, settings, &copy, owner).and_then(|()| {
            files::replace(&from.join(MOVING), format!("{}\n", to.display()).as_bytes()).map_err(failed)?;
            // Fails if somebody has put files there meanwhile.
            let _ = fs::remove_dir(to);
            files::rename(&copy, to).map_err(failed)
        });
        if let Err(fatal) = moved {
            let _ = fs::remove_file(from.join(MOVING));
            let _ = fs::remove_dir_all(&copy);
            return Err(fatal);
        }
    }
    match files::rename(&from.join(MOVING), &from.join(MOVED)) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(failed(cause)),
        _ => Ok(()),
    }
}

/// Creates the folder of the service for a new office and gives it to `owner`. Fails if there are files in it that are
/// not `trusted`: who put an office there would know its token.
pub(super) fn prepare(folder: &Path, trusted: bool, owner: Option<Account>) -> Result<(), Fatal> {
    if trusted {
        files::private_dir(folder).map_err(|cause| Fatal::Folder(folder.to_owned(), cause))?;
        let before = owner_of(folder);
        owner.map_or(Ok(()), |owner| give(folder, owner))?;
        // The superuser has made an office there, such as by a promotion.
        if owner_of(folder) != before {
            files::give_contents(folder);
        }
        return Ok(());
    }
    if is_filled(folder) {
        return Err(Fatal::UntrustedFolder(folder.to_owned()));
    }
    // Who made it may have given rights to it.
    let _ = fs::remove_dir(folder);
    make_closed(folder, owner)
}

/// Makes a folder for `owner`. What is made inside later belongs to the owner too.
fn make_closed(folder: &Path, owner: Option<Account>) -> Result<(), Fatal> {
    files::new_private_dir(folder).map_err(|cause| Fatal::Folder(folder.to_owned(), cause))?;
    if let Some(owner) = owner {
        give(folder, owner)?;
    }
    // On Windows, everyone may have put files there until now.
    match is_filled(folder) {
        true => Err(Fatal::UntrustedFolder(folder.to_owned())),
        false => Ok(()),
    }
}

fn is_filled(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut inside| inside.next().is_some())
}

/// Returns the folder beside `to` for the copy while it is not complete.
pub(super) fn partial(to: &Path) -> PathBuf {
    files::beside(to, ".moving")
}

fn copy_office(from: &Path, settings: &Path, copy: &Path, owner: Option<Account>) -> Result<(), Fatal> {
    let failed = |cause| Fatal::Folder(copy.to_owned(), cause);
    make_closed(copy, owner)?;
    copy_folder(from, copy, &LEFT)?;
    let target = copy.join(SETTINGS_FILE);
    if !target.exists() && settings.exists() {
        copy_file(settings, &target)?;
    }
    files::sync_folder(copy).map_err(failed)
}

fn copy_folder(from: &Path, to: &Path, left: &[&str]) -> Result<(), Fatal> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |cause| Fatal::Folder(path, cause)
    };
    for entry in fs::read_dir(from).map_err(failed(from))? {
        let entry = entry.map_err(failed(from))?;
        let source = entry.path();
        let target = to.join(entry.file_name());
        let kind = entry.file_type().map_err(failed(&source))?;
        if left.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if kind.is_symlink() {
            return Err(Fatal::LinkInFolder(source));
        }
        if kind.is_dir() {
            files::private_dir(&target).map_err(failed(&target))?;
            copy_folder(&source, &target, &[])?;
            files::sync_folder(&target).map_err(failed(&target))?;
        } else if kind.is_file() {
            copy_file(&source, &target)?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), Fatal> {
    let mut source = File::open(from).map_err(|cause| Fatal::Folder(from.to_owned(), cause))?;
    files::copy(&mut source, to).map_err(|cause| Fatal::Folder(to.to_owned(), cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::FILE;

    struct Folders {
        root: tempfile::TempDir,
        from: PathBuf,
        to: PathBuf,
    }

    impl Folders {
        fn new() -> Folders {
            let root = tempfile::tempdir().unwrap();
            let from = root.path().join("person");
            let to = root.path().join("machine");
            for (name, text) in
                [(FILE, "store"), ("documents/ab/c", "document"), ("backups/b", "backup"), ("logs/l", "")]
            {
                let file = from.join(name);
                files::private_dir(files::folder_of(&file)).unwrap();
                fs::write(file, text).unwrap();
            }
            fs::write(root.path().join("settings"), "[office]\n").unwrap();
            Folders { root, from, to }
        }

        fn relocate(&self) -> Result<(), Fatal> {
            relocate(&self.from, &self.root.path().join("settings"), &self.to, None)
        }

        fn works(&self) -> bool {
            Instance::take(&self.from).is_ok()
        }

        fn assert_moved(&self) {
            let text = |name: &str| fs::read_to_string(self.to.join(name)).unwrap_or_default();
            assert_eq!(
                [FILE, "documents/ab/c", "backups/b", "pleito.toml"].map(text),
                ["store", "document", "backup", "[office]\n"]
            );
            assert!(
                !self.to.join("logs").exists()
                    && !self.to.join(MOVED).exists()
                    && !partial(&self.to).exists()
            );
            let refused = Instance::take(&self.from);
            assert!(matches!(refused, Err(Fatal::Moved(_, to)) if to == self.to));
        }
    }

    #[test]
    fn the_office_is_in_its_new_folder_and_the_old_one_says_so() {
        let folders = Folders::new();
        fs::create_dir(&folders.to).unwrap();
        folders.relocate().unwrap();
        folders.assert_moved();
        assert!(Instance::take(&folders.to).is_ok());
        // Its folder may be on a disk that is not there.
        fs::remove_dir_all(&folders.to).unwrap();
        assert!(!folders.works());
    }

    #[test]
    fn an_interrupted_move_leaves_one_office_that_works() {
        // During the copy.
        let folders = Folders::new();
        fs::create_dir(partial(&folders.to)).unwrap();
        fs::write(partial(&folders.to).join("half"), "").unwrap();
        assert!(folders.works() && !folders.to.exists());
        // Before the rename.
        fs::write(folders.from.join(MOVING), format!("{}\n", folders.to.display())).unwrap();
        assert!(folders.works());
        folders.relocate().unwrap();
        folders.assert_moved();
        assert!(!folders.to.join("half").exists());
        // Just after the rename.
        fs::rename(folders.from.join(MOVED), folders.from.join(MOVING)).unwrap();
        assert!(!folders.works());
        folders.relocate().unwrap();
        folders.assert_moved();
        assert!(!folders.from.join(MOVING).exists());
    }

    #[test]
    fn an_office_in_the_folder_of_the_service_is_kept_only_if_it_is_trusted() {
        let folders = Folders::new();
        prepare(&folders.to, false, None).unwrap();
        prepare(&folders.to, false, None).unwrap();
        fs::write(folders.to.join(FILE), "planted").unwrap();
        assert!(matches!(prepare(&folders.to, false, None), Err(Fatal::UntrustedFolder(_))));
        prepare(&folders.to, true, None).unwrap();
        assert_eq!(fs::read(folders.to.join(FILE)).unwrap(), b"planted");
    }

    /// On Windows, rights that its maker gave go in the same way.
    #[cfg(unix)]
    #[test]
    fn an_empty_folder_that_is_not_trusted_is_made_anew() {
        use std::os::unix::fs::PermissionsExt;
        let folders = Folders::new();
        fs::create_dir(&folders.to).unwrap();
        fs::set_permissions(&folders.to, fs::Permissions::from_mode(0o777)).unwrap();
        prepare(&folders.to, false, None).unwrap();
        assert_eq!(fs::metadata(&folders.to).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        let folders = Folders::new();
        fs::create_dir(&folders.to).unwrap();
        fs::write(folders.to.join("other"), "").unwrap();
        assert!(matches!(folders.relocate(), Err(Fatal::MachineOffice(_))));
        assert!(folders.works());
        fs::remove_file(folders.to.join("other")).unwrap();
        {
            let _running = Instance::take(&folders.from).unwrap();
            assert!(matches!(folders.relocate(), Err(Fatal::Running(_))));
        }
        let configuration = folders.from.join(crate::replica::FILE);
        fs::write(&configuration, "{}").unwrap();
        assert!(matches!(folders.relocate(), Err(Fatal::Replica(ReplicaError::NotMoved(_)))));
        assert!(folders.works() && !partial(&folders.to).exists());
        fs::remove_file(configuration).unwrap();
        #[cfg(unix)]
        {
            let link = folders.from.join("documents/link");
            std::os::unix::fs::symlink("/etc/passwd", link).unwrap();
            assert!(matches!(folders.relocate(), Err(Fatal::LinkInFolder(_))));
            assert!(folders.works() && !partial(&folders.to).exists() && !folders.from.join(MOVING).exists());
        }
    }
}

//! The processes of Litestream that have a store open: the office's own, also if its socket is gone; a second one, with another
//! configuration, such as that of many offices (`docs/hosting.md`); and one that goes on with a store that a restore has replaced.

use std::fs;
use std::path::Path;

use super::{FILE, Replica};
use crate::files::real_path;
use crate::store;

/// Name of the program, as Linux lists it.
const PROGRAM: &str = "litestream";

impl Replica {
    /// Returns the process of a Litestream with another configuration. `None` if there is none, or if this user cannot see the open
    /// files of processes in `/proc`.
    pub fn other_litestream(&self) -> Option<u32> {
        self.find_litestream(false)
    }

    /// Like [`other_litestream`](Self::other_litestream), for one with the office's own configuration.
    pub fn own_litestream(&self) -> Option<u32> {
        self.find_litestream(true)
    }

    fn find_litestream(&self, has_own_configuration: bool) -> Option<u32> {
        // A copied configuration names the store of the other folder.
        let data = fs::canonicalize(self.data()).ok()?;
        let store = data.join(store::FILE);
        let own = data.join(FILE);
        find(|process| has_open(process, &store) && is_run_with(process, &own) == has_own_configuration)
    }
}

/// Returns the process of a Litestream that has a file open which was replaced by the store.
pub fn litestream_of_replaced(store: &Path) -> Option<u32> {
    let mut replaced = fs::canonicalize(store).ok()?.into_os_string();
    // Linux lists a file without a name so.
    replaced.push(" (deleted)");
    find(|process| has_open(process, Path::new(&replaced)))
}

fn find(matches: impl Fn(&Path) -> bool) -> Option<u32> {
    let processes = fs::read_dir("/proc").ok()?.flatten();
    processes.map(|process| process.path()).find_map(|process| {
        let id = process.file_name()?.to_str()?.parse().ok()?;
        (is_litestream(&process) && matches(&process)).then_some(id)
    })
}

fn is_litestream(process: &Path) -> bool {
    fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim_end() == PROGRAM)
}

/// Returns `true` if the file is an argument of the process, or the value of an option. `file` is a real path.
fn is_run_with(process: &Path, file: &Path) -> bool {
    let line = fs::read(process.join("cmdline")).unwrap_or_default();
    let folder = fs::read_link(process.join("cwd")).unwrap_or_default();
    // A configuration that was removed since counts too.
    let real = |path: &str| real_path(&folder.join(path));
    let mut arguments = line.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    arguments.any(|argument| {
        let value = argument.split_once('=').filter(|(option, _)| option.starts_with('-'));
        real(value.map_or(&*argument, |(_, value)| value)) == file
    })
}

fn has_open(process: &Path, file: &Path) -> bool {
    let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    open.into_iter().any(|open| fs::read_link(open.path()).is_ok_and(|path| path == file))
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::process::Command;

    use jiff::Timestamp;
    use jiff::tz::TimeZone;

    use super::*;
    use crate::replica::{ReplicaState, ReplicaTarget};

    #[test]
    fn a_litestream_with_another_configuration_is_found_by_the_store_that_it_has_open() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join(crate::store::FILE);
        fs::write(&store, "").unwrap();
        let target = ReplicaTarget::parse("/mnt/nas/office").unwrap();
        let replica = Replica::new(folder.path(), target).unwrap();
        let program = folder.path().join(PROGRAM);
        std::os::unix::fs::symlink("/bin/sh", &program).unwrap();
        let run = |words: &[&str], input: &Path| {
            let mut command = Command::new(&program);
            command.args(["-c", "while :; do sleep 1; done"]).args(words);
            command.stdin(File::open(input).unwrap()).spawn().unwrap()
        };
        let own = replica.data().join(FILE).display().to_string();
        let option = format!("-config={own}");
        let mut unrelated = [run(&["-config", &own], &store), run(&[&option], &store), run(&[], &program)];
        assert_eq!(replica.other_litestream(), None);
        let mut other = run(&["-config", "/etc/litestream.yml"], &store);
        let found = (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            replica.other_litestream()
        });
        let own_found = replica.own_litestream();
        let observed = replica.observe(Timestamp::UNIX_EPOCH, &TimeZone::UTC).state;
        let copy = tempfile::tempdir().unwrap();
        fs::write(copy.path().join(crate::store::FILE), "").unwrap();
        let copied = Replica { data: copy.path().to_owned(), ..replica.clone() };
        assert_eq!(copied.other_litestream(), None, "that of the office that was copied");
        assert_eq!(litestream_of_replaced(&store), None);
        fs::remove_file(&store).unwrap();
        fs::write(&store, "").unwrap();
        let of_replaced = litestream_of_replaced(&store);
        let id = other.id();
        for process in unrelated.iter_mut().chain([&mut other]) {
            process.kill().unwrap();
            process.wait().unwrap();
        }
        assert_eq!(found, Some(id));
        assert!(own_found.is_some_and(|own| own != id));
        assert_eq!(observed, ReplicaState::ByAnother(id));
        assert!(of_replaced.is_some());
    }
}

//! Imports that are interrupted: either everything is stored or nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use pleito::store::Store;
use serde_json::Value;

use crate::program::{new_token, pleito, run, streams};
use crate::wait::{MAX_WAIT, wait_until};

/// Rows and notes that exceed the page cache of the writer's connection, so that SQLite writes to the WAL
/// before the commit.
const ROWS: usize = 1_500;
const NOTES: usize = 18_000;

/// Returns an office without a server, and a file to import.
fn office() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    new_token(folder.path());
    let file = folder.path().join("grande.csv");
    let notes = "x".repeat(NOTES);
    let rows = (0..ROWS).map(|at| format!("Pessoa {at};1;1;{notes}\n"));
    fs::write(
        &file,
        ["Nome;Origem;Cadastrado por;Anotações\n".to_owned()].into_iter().chain(rows).collect::<String>(),
    )
    .unwrap();
    (folder, file)
}

fn arguments(file: &Path) -> [String; 5] {
    ["import", "--apply", "--resource", "customers", &file.display().to_string()].map(str::to_owned)
}

fn stored(folder: &Path) -> u64 {
    Store::check(folder).unwrap().customers
}

fn imports(folder: &Path) -> usize {
    let all: Value = serde_json::from_str(&streams(&run(folder, &["import", "--list", "--json"])).0).unwrap();
    all.as_array().unwrap().len()
}

#[test]
fn a_kill_during_an_import_stores_all_or_nothing() {
    let (folder, file) = office();
    let arguments = arguments(&file);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let log = folder.path().join("pleito.db-wal");
    let mut import = pleito(folder.path(), &arguments, &[]).stdout(Stdio::null()).spawn().unwrap();
    // The WAL has uncommitted pages now, unless the import has already finished.
    wait_until(MAX_WAIT, "part of the import is written", || {
        let is_written = fs::metadata(&log).is_ok_and(|log| log.len() > 1 << 20);
        (is_written || import.try_wait().unwrap().is_some()).then_some(())
    });
    import.kill().unwrap();
    import.wait().unwrap();
    let count = stored(folder.path());
    assert!(count == 0 || count == ROWS as u64, "{count} of {ROWS}");
    assert_eq!(imports(folder.path()), usize::from(count > 0));
    let again = run(folder.path(), &arguments);
    assert!(again.status.success(), "{again:?}");
    assert_eq!(stored(folder.path()), ROWS as u64);
}

/// Wraps the command so that no file may exceed the size in KiB, as on a full disk.
#[cfg(unix)]
fn with_room(command: &std::process::Command, kibibytes: u64) -> std::process::Command {
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", kibibytes * 2);
    let mut limited = std::process::Command::new("sh");
    limited.arg("-c").arg(script).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited
}

#[cfg(unix)]
#[test]
fn a_full_disk_stores_nothing_and_is_reported() {
    let (folder, file) = office();
    let arguments = arguments(&file);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = with_room(&pleito(folder.path(), &arguments, &[]), 4_096).output().unwrap();
    let (out, err) = streams(&output);
    assert!(output.status.code() == Some(1) && out.is_empty() && err.starts_with("pleito: "), "{output:?}");
    assert_eq!((stored(folder.path()), imports(folder.path())), (0, 0));
    let again = run(folder.path(), &arguments);
    assert!(again.status.success(), "{again:?}");
    assert_eq!(stored(folder.path()), ROWS as u64);
}

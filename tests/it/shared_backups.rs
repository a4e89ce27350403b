//! Backups of several data folders in one backup folder.

use std::path::Path;
use std::time::Duration;

use pleito::backup::schedule::Schedule;
use pleito::backup::{BackupReason, Backups};
use pleito::clock::Clock;
use pleito::domain::Lang;
use serde_json::json;

use crate::backups::keeper_in;
use crate::office::{NOON, Office, UNLIMITED};
use crate::restores::{at, damage, names, restore};

#[test]
fn backups_of_other_data_folders_in_one_folder_are_left_alone() {
    let disk = tempfile::tempdir().unwrap();
    let office = |name: &str| {
        let office = Office::with(UNLIMITED);
        office.customer(name, json!({}));
        let folder = office.stopped();
        let clock = Clock::set_to(at(NOON));
        (keeper_in(folder.path(), &clock, disk.path().to_str().unwrap()), folder, clock)
    };
    let [(ana, ana_folder, _), (rui, rui_folder, clock)] = ["Ana", "Rui"].map(office);
    let of_ana = ana.make(BackupReason::Schedule).unwrap().path;
    let due = |backups: &Backups| {
        let mut schedule = Schedule::new(backups.moment());
        clock.advance(Duration::from_secs(600));
        backups.make_if_due(&mut schedule);
    };
    due(&rui);
    let of_rui = rui.own().unwrap();
    assert_eq!((of_rui.0.len(), of_rui.1), (1, 1), "it makes its own");
    for _ in 0..30 {
        clock.advance(Duration::from_secs(24 * 60 * 60));
        rui.make(BackupReason::Schedule).unwrap();
    }
    assert!(of_ana.exists());
    assert_eq!(ana.newest_sound(), ana.own().unwrap().0[0].about);
    damage(ana_folder.path());
    assert_eq!(restore(&ana, None).unwrap().path, of_ana);
    let store = rusqlite::Connection::open(ana_folder.path().join("pleito.db")).unwrap();
    assert_eq!(names(&store), ["Ana"]);
    drop(rui_folder);
}

/// A new machine takes the place of another one.
#[test]
fn the_latest_backup_is_not_that_of_another_office() {
    let disk = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(at(NOON));
    let office = |name: &str| {
        let office = Office::with(UNLIMITED);
        office.customer(name, json!({}));
        office.stopped()
    };
    let of = |folder: &Path| keeper_in(folder, &clock, disk.path().to_str().unwrap());
    let ana = office("Ana");
    let of_ana = of(ana.path()).make(BackupReason::Schedule).unwrap().path;
    let new = || {
        let folder = tempfile::tempdir().unwrap();
        let backups = of(folder.path());
        (folder, backups)
    };
    // The empty office makes none that would be newer.
    let empty = Office::with(UNLIMITED).stopped();
    let mut schedule = Schedule::new(of(empty.path()).moment());
    clock.advance(Duration::from_secs(600));
    of(empty.path()).make_if_due(&mut schedule);
    assert_eq!(of(empty.path()).own().unwrap(), (Vec::new(), 1));
    for folder in [empty.path(), new().0.path()] {
        assert_eq!(restore(&of(folder), None).unwrap().path, of_ana);
    }
    // It has data of its own, and is perhaps another office.
    let rui = office("Rui");
    let refused = restore(&of(rui.path()), None).unwrap_err();
    assert_eq!(refused.code(), "backups-of-others");
    assert!(refused.message(Lang::En).contains(of_ana.to_str().unwrap()));
    assert_eq!(of(rui.path()).test().unwrap_err().code(), "no-sound-backup");
    // Nothing tells which of two it is.
    clock.advance(Duration::from_secs(60));
    let of_rui = of(rui.path()).make(BackupReason::Schedule).unwrap().path;
    let (_folder, backups) = new();
    let message = restore(&backups, None).unwrap_err().message(Lang::En);
    assert!([of_ana, of_rui].iter().all(|path| message.contains(path.to_str().unwrap())), "{message}");
}

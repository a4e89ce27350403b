//! Backups of several data folders in one backup folder.

use std::path::Path;
use std::time::Duration;

use pleito::backup::schedule::Schedule;
use pleito::backup::{BackupReason, Backups};
use pleito::clock::Clock;
use pleito::domain::Lang;
use serde_json::json;

use crate::backups::{keeper_in, point};
use crate::office::{NOON, Office, UNLIMITED};
use crate::program::{run_with, streams};
use crate::restores::{at, damage, names, restore, rewrite};

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

#[test]
fn a_failure_in_a_folder_that_the_settings_no_longer_name_is_not_repeated() {
    let office = Office::with(UNLIMITED);
    let folder = office.stopped();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("file");
    std::fs::write(&file, "").unwrap();
    let dir = file.join("backups").display().to_string();
    let dir = [("PLEITO_BACKUP_DIR", &*dir), ("PLEITO_SERVER_LISTEN", "127.0.0.1:0")];
    let refused = run_with(folder.path(), &["backup"], &dir);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let repeated = streams(&run_with(folder.path(), &["check"], &dir)).0;
    assert!(repeated.contains("the last one failed: "), "{repeated}");
    // The server may have that variable, and the terminal not.
    let by_variable = point(folder.path(), "backups");
    assert_eq!(by_variable["ok"], false, "{by_variable}");
    assert!(by_variable["text"].as_str().unwrap().contains(file.to_str().unwrap()), "{by_variable}");
    let settings = std::fs::File::options().append(true).open(folder.path().join("pleito.toml")).unwrap();
    settings.set_modified(std::time::SystemTime::now() + Duration::from_secs(1)).unwrap();
    let changed = point(folder.path(), "backups");
    assert_eq!(changed["ok"], true, "{changed}");
    assert!(changed["text"].as_str().unwrap().contains("since the folder was changed"), "{changed}");
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
    assert_eq!(of(rui.path()).test().unwrap_err().code(), "no-backup-to-test");
    // Nothing tells which of two it is.
    clock.advance(Duration::from_secs(60));
    let of_rui = of(rui.path()).make(BackupReason::Schedule).unwrap().path;
    let (_folder, backups) = new();
    let message = restore(&backups, None).unwrap_err().message(Lang::En);
    assert!([of_ana, of_rui].iter().all(|path| message.contains(path.to_str().unwrap())), "{message}");
}

/// The backup folder of one office is inside the data folder of another one, by mistake or as a link.
#[test]
fn backups_of_another_office_inside_the_data_folder_are_left_alone() {
    let clock = Clock::set_to(at(NOON));
    let [ana, rui] = ["Ana", "Rui"].map(|name| {
        let office = Office::with(UNLIMITED);
        office.customer(name, json!({}));
        office.stopped()
    });
    let disk = ana.path().join("backups");
    let of = |folder: &Path| keeper_in(folder, &clock, disk.to_str().unwrap());
    let of_ana = of(ana.path()).make(BackupReason::Schedule).unwrap().path;
    clock.advance(Duration::from_secs(60));
    let of_rui = of(rui.path()).make(BackupReason::Schedule).unwrap().path;
    assert_eq!(
        (of(ana.path()).own().unwrap().0[0].path.clone(), of(ana.path()).own().unwrap().1),
        (of_ana, 1)
    );
    for _ in 0..30 {
        clock.advance(Duration::from_secs(24 * 60 * 60));
        of(ana.path()).make(BackupReason::Schedule).unwrap();
    }
    assert!(of_rui.exists());
    restore(&of(ana.path()), None).unwrap();
    let store = rusqlite::Connection::open(ana.path().join("pleito.db")).unwrap();
    assert_eq!(names(&store), ["Ana"]);
}

/// What another office has in the folder does not take the place of a lost store.
#[test]
fn a_lost_store_is_not_replaced_by_the_backup_of_another_office() {
    let disk = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(at(NOON));
    let of = |folder: &Path| keeper_in(folder, &clock, disk.path().to_str().unwrap());
    let [ana, rui] = [(); 2].map(|()| Office::with(UNLIMITED).stopped());
    of(rui.path()).make(BackupReason::Schedule).unwrap();
    std::fs::remove_file(ana.path().join("pleito.db")).unwrap();
    assert_eq!(restore(&of(ana.path()), None).unwrap_err().code(), "backups-of-others");
}

/// The id of the office goes along if its data folder is moved, and to a new machine with a restore.
#[test]
fn an_office_finds_its_backups_after_a_move() {
    let disk = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(at(NOON));
    let of = |folder: &Path| keeper_in(folder, &clock, disk.path().to_str().unwrap());
    let ana = Office::with(UNLIMITED);
    ana.customer("Ana", json!({}));
    let ana = ana.stopped();
    let made = of(ana.path()).make(BackupReason::Schedule).unwrap().path;
    let rui = Office::with(UNLIMITED).stopped();
    clock.advance(Duration::from_secs(60));
    of(rui.path()).make(BackupReason::Schedule).unwrap();
    let moved = tempfile::tempdir().unwrap();
    for file in
        std::fs::read_dir(ana.path()).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file())
    {
        std::fs::copy(&file, moved.path().join(file.file_name().unwrap())).unwrap();
    }
    damage(moved.path());
    assert_eq!(of(moved.path()).own().unwrap(), (Vec::new(), 2));
    assert_eq!(restore(&of(moved.path()), None).unwrap().path, made);
    let new = tempfile::tempdir().unwrap();
    restore(&of(new.path()), Some(&made)).unwrap();
    assert_eq!(restore(&of(new.path()), None).unwrap().path, made);
}

/// The newest backup is on a disk that is away, and another one is in its place.
#[test]
fn an_older_backup_does_not_take_the_place_of_one_that_is_away() {
    let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let clock = Clock::set_to(at(NOON));
    let ana = Office::with(UNLIMITED).stopped();
    let of = |disk: &Path| keeper_in(ana.path(), &clock, disk.to_str().unwrap());
    let older = of(first.path()).make(BackupReason::Schedule).unwrap().path;
    clock.advance(Duration::from_secs(60));
    let newer = of(second.path()).make(BackupReason::Schedule).unwrap().path;
    assert_eq!(restore(&of(first.path()), None).unwrap_err().code(), "newest-backup-elsewhere");
    drop(second);
    let refused = restore(&of(first.path()), None).unwrap_err();
    assert_eq!(refused.code(), "newest-backup-away");
    assert!(refused.message(Lang::En).contains(newer.to_str().unwrap()));
    restore(&of(first.path()), Some(&older)).unwrap();
}

/// An old backup of a version that did not note its data folder was restored, in the place of the newer ones of a dead machine.
#[test]
fn a_backup_without_its_data_folder_takes_the_place_of_no_newer_one() {
    let disk = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(at(NOON));
    let of = |folder: &Path| keeper_in(folder, &clock, disk.path().to_str().unwrap());
    let ana = Office::with(UNLIMITED);
    ana.customer("Ana", json!({}));
    let ana = ana.stopped();
    let old = of(ana.path()).make(BackupReason::Schedule).unwrap();
    rewrite(&old, |about| about.retain(|name, _| !["place", "office"].contains(&name.as_str())));
    let own = || of(ana.path()).own().unwrap().0.into_iter().map(|one| one.path).collect::<Vec<_>>();
    assert_eq!(own(), [&*old.path], "no other data folder is noted");
    clock.advance(Duration::from_secs(60));
    let newer = of(ana.path()).make(BackupReason::Schedule).unwrap().path;
    assert_eq!(own(), [&*newer]);
    assert_eq!(restore(&of(ana.path()), None).unwrap().path, newer);
    let new = tempfile::tempdir().unwrap();
    assert_eq!(restore(&of(new.path()), None).unwrap_err().code(), "backups-of-others");
    // One that cannot be read may be this office's.
    clock.advance(Duration::from_secs(60));
    let cut = of(ana.path()).make(BackupReason::Schedule).unwrap().path;
    std::fs::File::options().write(true).open(&cut).unwrap().set_len(100).unwrap();
    assert_eq!(restore(&of(ana.path()), None).unwrap_err().code(), "newer-backup-unusable");
}

/// Backups of a version that noted no id counted as the only own ones after the id was lost with the data folder.
#[test]
fn a_backup_without_the_id_of_its_office_takes_the_place_of_no_newer_one() {
    let disk = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(at(NOON));
    let of = |folder: &Path| keeper_in(folder, &clock, disk.path().to_str().unwrap());
    let ana = Office::with(UNLIMITED);
    ana.customer("Ana", json!({}));
    let ana = ana.stopped();
    let make = || {
        clock.advance(Duration::from_secs(60));
        of(ana.path()).make(BackupReason::Schedule).unwrap()
    };
    rewrite(&make(), |about| _ = about.remove("office").unwrap());
    let newest = make().path;
    let id = ana.path().join("pleito.office-id");
    for content in ["", "garbage"] {
        std::fs::write(&id, content).unwrap();
        assert_eq!(restore(&of(ana.path()), None).unwrap_err().code(), "backups-of-others", "{content}");
        assert!(of(ana.path()).newest_sound().is_some(), "{content}");
    }
    for file in std::fs::read_dir(ana.path()).unwrap().map(|file| file.unwrap().path()) {
        let _ = std::fs::remove_file(file);
    }
    assert_eq!(restore(&of(ana.path()), None).unwrap().path, newest);
    let new = tempfile::tempdir().unwrap();
    assert_eq!(restore(&of(new.path()), None).unwrap().path, newest, "a new machine");
    // The backups went along with the folder.
    let moved = tempfile::tempdir().unwrap();
    let inside = moved.path().join("backups");
    std::fs::create_dir(&inside).unwrap();
    for file in std::fs::read_dir(disk.path()).unwrap().map(|file| file.unwrap()) {
        std::fs::copy(file.path(), inside.join(file.file_name())).unwrap();
    }
    let restored = restore(&keeper_in(moved.path(), &clock, "backups"), None).unwrap().path;
    assert_eq!(restored.file_name(), newest.file_name());
}

/// A machine that comes back, and a copy to try something, work in the backup folder of the office too.
#[test]
fn a_newer_backup_of_another_data_folder_of_the_office_is_not_passed_over() {
    let disk = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(at(NOON));
    let of = |folder: &Path| keeper_in(folder, &clock, disk.path().to_str().unwrap());
    let ana = Office::with(UNLIMITED);
    ana.customer("Ana", json!({}));
    let ana = ana.stopped();
    let make = |folder: &Path| {
        clock.advance(Duration::from_secs(60));
        of(folder).make(BackupReason::Schedule).unwrap().path
    };
    let first = make(ana.path());
    let other = tempfile::tempdir().unwrap();
    restore(&of(other.path()), Some(&first)).unwrap();
    let newer = make(other.path());
    let refused = restore(&of(ana.path()), None).unwrap_err();
    assert_eq!(refused.code(), "newest-backup-of-other-folder");
    let message = refused.message(Lang::En);
    assert!([&first, &newer].iter().all(|path| message.contains(path.to_str().unwrap())), "{message}");
    assert!(of(ana.path()).newest_sound().is_some(), "a start over damage names one");
    assert_eq!(restore(&of(other.path()), None).unwrap().path, newer);
    let own = make(ana.path());
    assert_eq!(restore(&of(ana.path()), None).unwrap().path, own);
    // The folder was moved, and moved back: what it says of its last backup went along.
    let moved = make(other.path());
    std::fs::copy(other.path().join("backup.state"), ana.path().join("backup.state")).unwrap();
    assert_eq!(restore(&of(ana.path()), None).unwrap().path, moved);
}

/// An empty office, which has made a backup already, becomes the one of the backup that is restored.
#[test]
fn a_restore_in_an_empty_office_takes_over_the_office_of_the_backup() {
    let disk = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(at(NOON));
    let of = |folder: &Path| keeper_in(folder, &clock, disk.path().to_str().unwrap());
    let ana = Office::with(UNLIMITED);
    ana.customer("Ana", json!({}));
    let made = of(ana.stopped().path()).make(BackupReason::Schedule).unwrap().path;
    let new = Office::with(UNLIMITED).stopped();
    clock.advance(Duration::from_secs(60));
    of(new.path()).make(BackupReason::Requested).unwrap();
    assert_eq!(restore(&of(new.path()), None).unwrap().path, made, "an empty one takes the place of none");
    let another = Office::with(UNLIMITED).stopped();
    clock.advance(Duration::from_secs(60));
    of(another.path()).make(BackupReason::Requested).unwrap();
    restore(&of(another.path()), Some(&made)).unwrap();
    assert_eq!(restore(&of(another.path()), None).unwrap().path, made);
}

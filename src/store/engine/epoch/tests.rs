//! Stores that came back by other means than `pleito restore`, and those that did not.

use std::fs::{copy, remove_file};

use super::*;
use crate::store::{FILE, Store, WAL_FILE};

const CUSTOMERS: &str = "customers";

fn next_customer(store: &Store) -> u64 {
    store.read(|db| Ok::<_, Error>(ids::given(db)?[CUSTOMERS] + 1)).unwrap()
}

fn reserve(store: &Store, id: u64) {
    let given = GivenIds::from([(CUSTOMERS.to_owned(), id)]);
    store.write(move |tx| ids::reserve_all(tx.conn(), &given)).unwrap();
}

/// Returns how often the feed of a store says that it was replaced.
fn times_replaced(store: &Store) -> u32 {
    let sql = "SELECT count(*) FROM changes WHERE kind = 'store'";
    store.read(|db| Ok::<_, Error>(db.conn().query_row(sql, [], |row| row.get(0))?)).unwrap()
}

fn number(store: &Store) -> u64 {
    store.read(|db| reserved_ids::highest(db.conn(), RESOURCE)).unwrap().unwrap()
}

/// A copy of the database as a replica has it: complete, without the note.
fn replica(store: &Store) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    super::super::copy::copy(store.folder(), &path, |_, _| Ok::<_, Error>(())).unwrap();
    (folder, path)
}

#[test]
fn a_store_that_stops_and_starts_keeps_its_epoch() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let store = Store::open(folder.path()).unwrap();
        let next = next_customer(&store);
        reserve(&store, next);
        assert_eq!((number(&store), times_replaced(&store), next_customer(&store)), (1, 0, next + 1));
    }
    let noted = EpochNote::read(folder.path()).unwrap();
    assert!(noted.has_stopped && noted.given.ids[CUSTOMERS] == 3, "{noted:?}");
}

#[test]
fn a_store_from_before_epochs_begins_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.write(|tx| forget(tx.conn())).unwrap();
    drop(store);
    remove_file(folder.path().join(NOTE)).unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!((number(&store), times_replaced(&store), next_customer(&store)), (1, 0, 1));
}

#[test]
fn a_store_behind_its_note_goes_on_above_the_noted_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    reserve(&store, 10);
    let (_earlier, earlier) = replica(&store);
    reserve(&store, 25);
    drop(store);
    copy(&earlier, folder.path().join(FILE)).unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!((number(&store), times_replaced(&store), next_customer(&store)), (2, 1, 26));
    let noted = EpochNote::read(folder.path()).unwrap();
    assert!(!noted.has_stopped && noted.number == 2, "{noted:?}");
    drop(store);
    assert_eq!(times_replaced(&Store::open(folder.path()).unwrap()), 1, "once");
}

#[test]
fn a_store_in_a_folder_without_its_note_leaves_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    reserve(&store, 10);
    let (elsewhere, _path) = replica(&store);
    let store = Store::open(elsewhere.path()).unwrap();
    assert_eq!((number(&store), times_replaced(&store), next_customer(&store)), (2, 1, 100_011));
    let lists = store.read(|db| Ok::<_, Error>(ids::given(db)?["origins"])).unwrap();
    assert_eq!(lists, 1_010);
}

/// The note is up to a minute old then, so that the restored store need not be behind it.
#[test]
fn another_file_after_a_crash_leaves_a_gap_and_the_same_file_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    reserve(&store, 10);
    let (_replica, restored) = replica(&store);
    let note = std::fs::read(folder.path().join(NOTE)).unwrap();
    drop(store);
    std::fs::write(folder.path().join(NOTE), &note).unwrap();
    assert!(!EpochNote::read(folder.path()).unwrap().has_stopped, "as a crash leaves it");
    let store = Store::open(folder.path()).unwrap();
    assert_eq!((times_replaced(&store), next_customer(&store)), (0, 11));
    drop(store);
    std::fs::write(folder.path().join(NOTE), &note).unwrap();
    remove_file(folder.path().join(FILE)).unwrap();
    let _ = remove_file(folder.path().join(WAL_FILE));
    copy(&restored, folder.path().join(FILE)).unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!((times_replaced(&store), next_customer(&store)), (1, 100_011));
}

#[test]
fn a_restore_begins_an_epoch_and_goes_on_above_the_replaced_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    reserve(&store, 10);
    let (_earlier, earlier) = replica(&store);
    super::super::copy::verify_copy(&earlier).unwrap();
    reserve(&store, 25);
    store.put_in_place(&earlier, false).unwrap();
    assert_eq!((number(&store), times_replaced(&store), next_customer(&store)), (2, 1, 26));
    reserve(&store, 30);
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!((number(&store), times_replaced(&store), next_customer(&store)), (2, 1, 31));
}

#[test]
fn a_restore_into_an_empty_folder_leaves_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    reserve(&store, 10);
    let (_backup, backup) = replica(&store);
    super::super::copy::verify_copy(&backup).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    super::super::copy::put_in_place(elsewhere.path(), &backup, false).unwrap();
    let store = Store::open(elsewhere.path()).unwrap();
    assert_eq!((number(&store), times_replaced(&store), next_customer(&store)), (1, 1, 100_011));
}

/// Whatever is noted first, a crash between the two halves says it once more at most and gives no number twice.
#[test]
fn a_crash_between_the_halves_gives_no_number_twice() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    reserve(&store, 10);
    drop(store);
    let mut noted = EpochNote::read(folder.path()).unwrap();
    noted.number += 1;
    noted.given.ids.insert(CUSTOMERS.to_owned(), 70);
    noted.has_stopped = false;
    noted.write(folder.path()).unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!((number(&store), times_replaced(&store)), (3, 1));
    assert!(next_customer(&store) > 100_070);
}

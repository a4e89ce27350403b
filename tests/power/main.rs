//! Power loss and failing disks below the store: product 8. This is a separate binary because SQLite
//! registers a VFS for a whole process. It is the only part of the project with unsafe code, and it is not
//! shipped.

#![cfg(unix)]
#![allow(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used
)]

mod disk;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use disk::{Event, Fault, disk};
use pleito::domain::text::{Name, Notes};
use pleito::records::{Customer, OriginId, UserId};
use pleito::store::records;
use pleito::store::{Error, Store};
use rand::RngExt;
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// Bytes that a disk writes atomically.
const SECTOR: usize = 512;

type Files = BTreeMap<String, Vec<u8>>;

fn customer(number: u32, notes: usize) -> Customer {
    let (user, origin) = (UserId::new(1).unwrap(), OriginId::new(1).unwrap());
    let mut fields = Customer::new(user, origin, Name::parse(&format!("Cliente {number}")).unwrap()).unwrap();
    fields.notes = Some(Notes::parse(&"n".repeat(notes)).unwrap());
    fields
}

fn add(store: &Store, number: u32, notes: usize) -> Result<(), Error> {
    store.write(move |tx| records::insert(tx, &customer(number, notes), 0).map(|_| ()))
}

/// Returns the customers' numbers in the folder's store after an integrity check.
fn numbers(folder: &Path) -> BTreeSet<u32> {
    let db = rusqlite::Connection::open(folder.join("pleito.db")).unwrap();
    let sound: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    let mut names = db.prepare("SELECT name FROM customers").unwrap();
    let names = names.query_map([], |row| row.get::<_, String>(0)).unwrap();
    names.map(|name| name.unwrap().rsplit(' ').next().unwrap().parse().unwrap()).collect()
}

fn apply(files: &mut Files, event: &Event, bytes_of: impl Fn(&[u8]) -> usize) {
    match event {
        Event::Write { file, offset, bytes } => {
            let file = files.entry(file.clone()).or_default();
            let bytes = &bytes[..bytes_of(bytes)];
            let end = offset + bytes.len();
            if file.len() < end {
                file.resize(end, 0);
            }
            file[*offset..end].copy_from_slice(bytes);
        }
        Event::Truncate { file, length } => files.entry(file.clone()).or_default().resize(*length, 0),
        Event::Sync { .. } | Event::Acknowledged(_) => {}
    }
}

fn of_file(event: &Event) -> Option<&str> {
    match event {
        Event::Write { file, .. } | Event::Truncate { file, .. } | Event::Sync { file } => Some(file),
        Event::Acknowledged(_) => None,
    }
}

/// Returns possible contents of the disk after a power loss. Synced data is there. Of the pending writes
/// there may be nothing, everything, or any part in any order, torn at a sector.
fn states(durable: &Files, pending: &[Event], chance: &mut SmallRng) -> Vec<Files> {
    let mut all = durable.clone();
    pending.iter().for_each(|event| apply(&mut all, event, <[u8]>::len));
    let mut states = vec![durable.clone(), all];
    for _ in 0..3 {
        let mut some = durable.clone();
        let mut order: Vec<&Event> = pending.iter().filter(|_| chance.random_bool(0.5)).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, chance.random_range(0..=at));
        }
        for event in order {
            let torn = chance.random_bool(0.3);
            let sectors = chance.random_range(0..=8usize);
            apply(
                &mut some,
                event,
                |bytes| if torn { bytes.len().min(sectors * SECTOR) } else { bytes.len() },
            );
        }
        states.push(some);
    }
    states
}

fn read_all(folder: &Path) -> Files {
    let names = ["pleito.db", "pleito.db-wal"];
    names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), std::fs::read(folder.join(name)).ok()?)))
        .collect()
}

/// Runs several writers until the WAL has been checkpointed several times, then cuts the power at every sync.
fn lose_power(writers: u32, each: u32, notes: usize) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    // The files as they are now count as synced.
    let mut durable = read_all(folder.path());
    disk(|disk| disk.journal.clear());
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let store = &store;
            scope.spawn(move || {
                for number in (0..each).map(|number| writer * each + number) {
                    add(store, number, notes).unwrap();
                    disk(|disk| disk.journal.push(Event::Acknowledged(number)));
                }
            });
        }
    });
    let journal = disk(|disk| std::mem::take(&mut disk.journal));
    drop(store);
    disk::remove();
    let chance = &mut SmallRng::seed_from_u64(8);
    let (mut acknowledged, mut pending) = (BTreeSet::new(), Vec::<Event>::new());
    let (mut cuts, mut looked, mut moved) = (0, 0, 0);
    for event in &journal {
        match event {
            Event::Acknowledged(number) => _ = acknowledged.insert(*number),
            Event::Sync { file } => {
                cuts += 1;
                moved += u32::from(file == "pleito.db");
                for files in states(&durable, &pending, chance) {
                    looked += 1;
                    let after = tempfile::tempdir().unwrap();
                    for (name, bytes) in &files {
                        std::fs::write(after.path().join(name), bytes).unwrap();
                    }
                    let there = numbers(after.path());
                    let lost: Vec<_> = acknowledged.difference(&there).collect();
                    assert!(lost.is_empty(), "power loss at sync {cuts}: {lost:?} are lost");
                }
                pending.retain(|event| {
                    let synced = of_file(event) == Some(file);
                    if synced {
                        apply(&mut durable, event, <[u8]>::len);
                    }
                    !synced
                });
            }
            written => pending.push(written.clone()),
        }
    }
    assert_eq!(acknowledged.len(), usize::try_from(writers * each).unwrap());
    assert!(moved > 0, "the WAL was never checkpointed, so that was not tested");
    println!(
        "power loss: {cuts} cuts, {looked} states of the disk, {} acknowledged, lost 0; the log was moved {moved} times",
        acknowledged.len()
    );
}

/// Makes each write and sync fail in turn, once and several times in a row. A refused write must store
/// nothing and an acknowledged one everything, and the store must work as soon as the disk does.
fn the_disk_fails() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (mut there, mut refused, mut number, mut faults) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
    for fault in [Fault::Full, Fault::Broken, Fault::Torn, Fault::Sync] {
        for (before, times) in (0..12).flat_map(|before| [(before, 1), (before, 4)]) {
            disk(|disk| disk.fault = Some((fault, before, times)));
            for _ in 0..6 {
                number += 1;
                match add(&store, number, 5000) {
                    Ok(()) => _ = there.insert(number),
                    Err(cause) => {
                        let may_pass = matches!(cause, Error::Full(_) | Error::Unavailable(_));
                        assert!(may_pass, "{fault:?} after {before}: {cause}");
                        let full = matches!(cause, Error::Full(_));
                        assert_eq!(full, fault == Fault::Full, "{fault:?}: {cause}");
                        assert!(store.last_write().is_err());
                        refused.insert(number);
                        faults += 1;
                    }
                }
            }
            disk(|disk| disk.fault = None);
            number += 1;
            add(&store, number, 10).unwrap_or_else(|cause| panic!("{fault:?} after {before}: still {cause}"));
            there.insert(number);
            assert!(store.last_write().is_ok());
        }
    }
    assert_eq!(numbers(folder.path()), there);
    drop(store);
    assert_eq!(numbers(folder.path()), there);
    assert!(refused.is_disjoint(&there) && faults > 48, "{faults}");
    println!(
        "failing disk: {faults} writes refused, {} stored, none of the one among the other",
        there.len()
    );
}

/// Runs both tests in sequence, because they share the process's VFS.
#[test]
fn acknowledged_writes_survive_power_loss_and_disk_failures() {
    disk::insert();
    the_disk_fails();
    lose_power(8, 40, 16_000);
}

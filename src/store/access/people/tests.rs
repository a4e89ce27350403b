//! Tests of people, invitations and sessions in the store.

use super::failed_sign_ins::FailedSignIns;
use super::*;
use crate::records::{Kind, Level, Nouns};
use crate::store::Store;
use crate::store::engine::copy;

const RIGHTS: Rights = Rights { level: Level::Write, nouns: Nouns::ALL };
const NOW: i64 = 1_800_000_000;
const HOUR: i64 = 3600;

fn office() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

fn grant_one(store: &Store) {
    assert_eq!(store.write(|tx| grant(tx, 1, "Ana@Example.com", RIGHTS, NOW)).unwrap(), Granted::Done);
}

#[test]
fn access_is_granted_changed_and_revoked() {
    let (_folder, store) = office();
    assert!(!store.read(exist).unwrap());
    grant_one(&store);
    let some = Rights { level: Level::Read, nouns: Nouns::named(["lawsuits", "tasks"]).unwrap() };
    store.write(move |tx| grant(tx, 1, "ana", some, NOW + 1)).unwrap();
    let ana = store.read(|db| find(db, 1)).unwrap().unwrap();
    assert_eq!((ana.sign_in.as_str(), ana.rights), ("ana", some));
    assert!(ana.rights.nouns.has(Kind::Customer) && !ana.rights.nouns.has(Kind::Transaction));
    assert_eq!(store.read(|db| signing_in(db, " ANÁ ")).unwrap().map(|ana| ana.id), Some(1));
    let sql = "INSERT INTO users (id, name, name_key, active) VALUES (2, 'Bia', 'bia', 1)";
    store.write(move |tx| Ok::<_, Error>(tx.conn().execute(sql, []).map(|_| ())?)).unwrap();
    assert_eq!(store.write(|tx| grant(tx, 2, "Ana", RIGHTS, NOW)).unwrap(), Granted::Taken);
    assert!(store.end_access(1).unwrap() && !store.end_access(1).unwrap());
    assert!(store.read(all).unwrap().is_empty());
}

#[test]
fn an_invitation_is_valid_for_a_day_and_a_second_one_replaces_it() {
    let (_folder, store) = office();
    grant_one(&store);
    let opens = |hash: u8, now| store.read(move |db| invited(db, [hash; 32], now)).unwrap().is_some();
    store.write(|tx| invite(tx, 1, [1; 32], NOW)).unwrap();
    assert!(opens(1, NOW) && opens(1, NOW + INVITATION_SECONDS - 1) && !opens(1, NOW + INVITATION_SECONDS));
    assert!(!opens(1, NOW - 1), "the clock was set back");
    store.write(|tx| invite(tx, 1, [2; 32], NOW)).unwrap();
    assert!(!opens(1, NOW) && opens(2, NOW));
    assert!(store.write(|tx| set_password(tx, 1, "$argon2id$")).unwrap());
    assert!(!opens(2, NOW), "used");
}

#[test]
fn a_session_ends_when_idle_after_a_week_or_if_the_clock_is_set_back() {
    let (_folder, store) = office();
    grant_one(&store);
    let opened = |now| store.read(move |db| sessions::find(db, [7; 32], now)).unwrap().is_some();
    store.write(|tx| sessions::open(tx, 1, [7; 32], "Firefox", NOW)).unwrap();
    assert!(opened(NOW) && opened(NOW + 12 * HOUR - 1) && !opened(NOW + 12 * HOUR));
    assert!(opened(NOW - 60) && !opened(NOW - HOUR), "the clock was set back by a minute, by an hour");
    for day in 1..14 {
        store.write(move |tx| sessions::used(tx, 1, NOW + day * 11 * HOUR)).unwrap();
        assert!(opened(NOW + day * 11 * HOUR) || day * 11 >= 7 * 24);
    }
    store.write(|tx| sessions::used(tx, 1, NOW + 168 * HOUR)).unwrap();
    assert!(opened(NOW + 168 * HOUR - 1) && !opened(NOW + 168 * HOUR), "a session lasts at most seven days");
}

#[test]
fn sessions_end_with_a_new_password_lost_access_or_an_inactive_user() {
    let (_folder, store) = office();
    let is_open = || store.read(|db| sessions::find(db, [7; 32], NOW)).unwrap().is_some();
    type End = fn(Tx<'_>) -> Result<(), Error>;
    let ends: [End; 6] = [
        |tx| set_password(tx, 1, "$argon2id$").map(|_| ()),
        |tx| take_away(tx, 1),
        |tx| Ok(tx.conn().execute("UPDATE users SET active = 0", []).map(|_| ())?),
        |tx| sessions::end(tx, 1, 1),
        |tx| sessions::end_others(tx, 1, None),
        |tx| sessions::end_by_cookie(tx, [7; 32]),
    ];
    for end in ends {
        grant_one(&store);
        store
            .write(|tx| Ok::<_, Error>(tx.conn().execute("UPDATE users SET active = 1", []).map(|_| ())?))
            .unwrap();
        store.write(|tx| sessions::open(tx, 1, [7; 32], "", NOW)).unwrap();
        assert!(is_open());
        store.write(end).unwrap();
        store
            .write(|tx| Ok::<_, Error>(tx.conn().execute("UPDATE users SET active = 1", []).map(|_| ())?))
            .unwrap();
        assert!(!is_open());
    }
}

#[test]
fn access_ends_if_a_move_replaces_the_user() {
    let (_folder, store) = office();
    grant_one(&store);
    store.write(|tx| sessions::open(tx, 1, [7; 32], "", NOW)).unwrap();
    store.write(crate::store::imports::moves::empty_lists).unwrap();
    let again = "INSERT INTO users (id, name, name_key) VALUES (1, 'Bia', 'bia')";
    store.write(move |tx| Ok::<_, Error>(tx.conn().execute(again, []).map(|_| ())?)).unwrap();
    assert!(store.read(|db| find(db, 1)).unwrap().is_none(), "the access does not pass to another person");
    assert!(store.read(|db| sessions::find(db, [7; 32], NOW)).unwrap().is_none());
}

#[test]
fn a_person_has_at_most_twenty_sessions() {
    let (_folder, store) = office();
    grant_one(&store);
    for at in 0..25u8 {
        store.write(move |tx| sessions::open(tx, 1, [at; 32], "", NOW + i64::from(at))).unwrap();
    }
    let open = store.read(|db| sessions::of(db, 1, NOW + 60)).unwrap();
    assert_eq!((open.len(), open[0].created_at, open[19].created_at), (20, NOW + 24, NOW + 5));
}

#[test]
fn a_restored_store_has_people_but_no_sessions_or_invitations() {
    let (folder, store) = office();
    grant_one(&store);
    store.write(|tx| set_password(tx, 1, "$argon2id$")).unwrap();
    store.write(|tx| invite(tx, 1, [1; 32], NOW)).unwrap();
    store.write(|tx| sessions::open(tx, 1, [7; 32], "", NOW)).unwrap();
    let backup = folder.path().join("copy.db");
    copy::copy(folder.path(), &backup, |_, _| Ok::<_, Error>(())).unwrap();
    // Where there is no store, the people of the backup come along.
    let elsewhere = tempfile::tempdir().unwrap();
    copy::verify_copy(&backup).unwrap();
    copy::put_in_place(elsewhere.path(), &backup, false).unwrap();
    let other = Store::open(elsewhere.path()).unwrap();
    let ana = other.read(|db| find(db, 1)).unwrap().unwrap();
    assert_eq!((ana.password.as_deref(), ana.invited_at, ana.used_at), (Some("$argon2id$"), None, None));
}

#[test]
fn failed_sign_ins_are_counted_by_person_and_day() {
    let (_folder, store) = office();
    let failed = |person: Option<u32>, count, last_at, address: &str| {
        let name = person.map(|_| "Usuário 1".to_owned());
        FailedSignIns { person, name, count, last_at, address: address.to_owned(), at_address: count }
    };
    for one in [
        failed(None, 3, NOW - 40 * 24 * HOUR, "192.0.2.1"),
        failed(None, 2, NOW - 2 * 24 * HOUR, "192.0.2.1"),
        failed(None, 1, NOW, "192.0.2.2"),
        failed(Some(1), 7, NOW - 24 * HOUR, "192.0.2.3"),
        failed(Some(1), 4, NOW - 60, "192.0.2.3"),
        failed(Some(1), 2, NOW, "192.0.2.4"),
    ] {
        store.write(move |tx| failed_sign_ins::add(tx, &one)).unwrap();
    }
    let within = store.read(|db| failed_sign_ins::within(db, 7, NOW)).unwrap();
    let found = within
        .iter()
        .map(|one| (one.person, one.count, one.address.as_str(), one.at_address))
        .collect::<Vec<_>>();
    assert_eq!(found, [(Some(1), 13, "192.0.2.3", 11), (None, 3, "192.0.2.1", 2)], "not the last address");
    assert_eq!(within[0].last_at, NOW);
    assert!(within[0].name.is_some() && within[1].name.is_none());
    let failures: u32 = store
        .read(|db| {
            Ok::<_, Error>(db.conn().query_row("SELECT count(*) FROM failed_sign_ins", [], |row| row.get(0))?)
        })
        .unwrap();
    assert_eq!(failures, 5, "older ones are deleted");
}

#[test]
fn at_most_100_addresses_are_counted_and_the_one_that_guesses_is_among_them() {
    let (_folder, store) = office();
    for number in 0..300_u32 {
        for (address, count) in [("192.0.2.7".to_owned(), 5), (format!("10.0.0.{number}"), 1)] {
            let failed = FailedSignIns {
                person: Some(1),
                name: None,
                count,
                last_at: NOW + i64::from(number),
                address,
                at_address: count,
            };
            store.write(move |tx| failed_sign_ins::add(tx, &failed)).unwrap();
        }
    }
    let within = store.read(|db| failed_sign_ins::within(db, 7, NOW + 300)).unwrap();
    assert_eq!((within[0].count, within[0].at_address), (1800, 1500));
    assert_eq!(within[0].address, "192.0.2.7");
    let sql = "SELECT count(*) FROM failed_sign_ins";
    let rows =
        store.read(move |db| Ok::<_, Error>(db.conn().query_row(sql, [], |row| row.get::<_, u32>(0))?));
    assert_eq!(rows.unwrap(), 100);
}

#[test]
fn a_device_is_known_for_its_person_until_400_days_without_a_sign_in() {
    let (_folder, store) = office();
    grant_one(&store);
    let is_known =
        |person, hash: u8, now| store.read(move |db| devices::is_known(db, person, [hash; 32], now)).unwrap();
    store.write(|tx| devices::remember(tx, 1, [7; 32], NOW)).unwrap();
    assert!(is_known(1, 7, NOW + 400 * 24 * HOUR - 1) && !is_known(1, 7, NOW + 400 * 24 * HOUR));
    assert!(!is_known(2, 7, NOW) && !is_known(1, 8, NOW));
    for other in 100..149 {
        store.write(move |tx| devices::remember(tx, 1, [other; 32], NOW + 1)).unwrap();
    }
    assert!(is_known(1, 7, NOW));
    store.write(|tx| devices::remember(tx, 1, [149; 32], NOW + 1)).unwrap();
    assert!(!is_known(1, 7, NOW), "a person has at most 50 devices");
    store.write(|tx| take_away(tx, 1)).unwrap();
    assert!(!is_known(1, 149, NOW));
}

//! What the journal holds after writes that no request of today makes, and what goes from it.

use rusqlite::Connection;

use super::*;
use crate::domain::Name;
use crate::records::{Customer, CustomerId, Lawsuit, LawsuitId, OriginId, Record, StageId, TypeId, UserId};
use crate::store::{Store, records, trash};

fn customer(name: &str) -> Customer {
    let (user, origin) = (UserId::from_stored(1), OriginId::from_stored(1));
    Customer::new(user, origin, Name::parse(name).unwrap()).unwrap()
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

/// Writes, and says what the journal has of it.
fn told(store: &Store, work: impl FnOnce(Tx<'_>) -> Result<(), Error> + Send + 'static) -> Vec<JournalEntry> {
    let since = store.read(latest).unwrap();
    let _ = store.write(work);
    store.read(move |db| page(db, since, &JournalFilter::default(), 1000)).unwrap()
}

fn said(entries: &[JournalEntry]) -> Vec<String> {
    let each = entries.iter().map(|entry| {
        let before = entry.before.as_deref().unwrap_or("-");
        format!("{} {} {} {} {before}", entry.op.as_str(), entry.kind, entry.id, entry.changed.join(","))
    });
    each.collect()
}

#[test]
fn what_a_savepoint_takes_back_is_not_told() {
    let (_folder, store) = store();
    let made = told(&store, |tx| {
        let id: CustomerId = records::insert(tx, &customer("Ana"), 5)?;
        let refused = tx.savepoint(|tx| {
            records::update(tx, id, &customer("Ana Souza"), 6)?;
            records::insert(tx, &customer("Bia"), 6).map(|_: CustomerId| ())?;
            Err::<(), _>(Error::Closed)
        });
        assert!(matches!(refused, Err(Error::Closed)));
        Ok(())
    });
    assert_eq!(said(&made), ["created customers 1  -"]);
    let untouched = told(&store, |tx| {
        let id = CustomerId::from_stored(1);
        let refused = tx.savepoint(|tx| {
            records::update(tx, id, &customer("Ana Souza"), 7)?;
            Err::<(), _>(Error::Closed)
        });
        assert!(matches!(refused, Err(Error::Closed)));
        Ok(())
    });
    assert_eq!(said(&untouched), [""; 0]);
}

#[test]
fn one_request_is_one_entry_for_each_record_whatever_it_takes() {
    let (_folder, store) = store();
    let made = told(&store, |tx| {
        let id = records::insert(tx, &customer("Ana"), 5)?;
        records::update(tx, id, &customer("Ana Souza"), 6)?;
        let gone: CustomerId = records::insert(tx, &customer("Bia"), 5)?;
        tx.conn().execute("DELETE FROM customers WHERE id = ?1", [gone])?;
        let lawsuit =
            Lawsuit::new(UserId::from_stored(1), TypeId::from_stored(1), StageId::from_stored(12), &vec![id]);
        records::insert(tx, &lawsuit.unwrap(), 5).map(|_: LawsuitId| ())
    });
    assert_eq!(
        said(&made),
        ["created customers 1  -", "created lawsuits 1  -"],
        "what came and went is nothing"
    );
    let changed = told(&store, |tx| {
        let id = CustomerId::from_stored(1);
        records::update(tx, id, &customer("Ana Lima"), 7)?;
        records::update(tx, id, &customer("Ana"), 8)?;
        trash::delete(tx, Lawsuit::TABLE, 1, None, 9)?;
        trash::restore(tx, Lawsuit::TABLE, 1)
    });
    let expected = [r#"updated customers 1 name ["Ana Souza"]"#, "updated lawsuits 1  -"];
    assert_eq!(said(&changed), expected, "the first value before, once");
    assert!(told(&store, |_| Ok(())).is_empty());
    let failed = told(&store, |tx| {
        records::update(tx, CustomerId::from_stored(1), &customer("Caio"), 9)?;
        Err(Error::Closed)
    });
    assert_eq!(said(&failed), [""; 0]);
    let after = told(&store, |tx| records::update(tx, CustomerId::from_stored(1), &customer("Duda"), 9));
    assert_eq!(said(&after), [r#"updated customers 1 name ["Ana"]"#], "nothing is left of what failed");
}

#[test]
fn what_is_gone_for_good_takes_its_values_along() {
    let (_folder, store) = store();
    told(&store, |tx| records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ()));
    told(&store, |tx| records::insert(tx, &customer("Bia"), 5).map(|_: CustomerId| ()));
    for id in [1, 2] {
        told(&store, move |tx| records::update(tx, CustomerId::from_stored(id), &customer("Caio"), 6));
    }
    let purged =
        told(&store, |tx| Ok(tx.conn().execute("DELETE FROM customers WHERE id = 1", []).map(|_| ())?));
    assert_eq!(said(&purged), ["purged customers 1  -"]);
    let of = |id: u32| said(&store.read(move |db| newest_of(db, "customers", id, 9)).unwrap());
    assert_eq!(of(1), ["purged customers 1  -", "updated customers 1 name -", "created customers 1  -"]);
    assert_eq!(of(2), [r#"updated customers 2 name ["Bia"]"#, "created customers 2  -"]);
}

#[test]
fn values_go_when_their_time_is_over_and_what_was_done_stays() {
    let (_folder, store) = store();
    told(&store, |tx| records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ()));
    for (at, name) in [(100, "Bia"), (200, "Caio")] {
        let actor =
            Actor { via: Via::Api, who: Some("abcd".to_owned()), request_id: Some("r".to_owned()), at };
        told(&store, move |tx| records::update(tx.by(actor), CustomerId::from_stored(1), &customer(name), 6));
    }
    let of = || said(&store.read(|db| newest_of(db, "customers", 1, 2)).unwrap());
    assert_eq!(of(), [r#"updated customers 1 name ["Bia"]"#, r#"updated customers 1 name ["Ana"]"#]);
    assert_eq!(store.write(|tx| forget_values(tx, 100)).unwrap(), 0);
    assert_eq!(store.write(|tx| forget_values(tx, 101)).unwrap(), 1);
    assert_eq!(of(), [r#"updated customers 1 name ["Bia"]"#, "updated customers 1 name -"]);
}

/// A store from before there was a journal.
#[test]
fn every_record_that_was_there_gets_its_entries_by_its_own_moments() {
    let (folder, store) = store();
    told(&store, |tx| records::insert(tx, &customer("Ana"), 100).map(|_: CustomerId| ()));
    told(&store, |tx| records::insert(tx, &customer("Bia"), 200).map(|_: CustomerId| ()));
    told(&store, |tx| records::update(tx, CustomerId::from_stored(1), &customer("Caio"), 300));
    told(&store, |tx| trash::delete(tx, Customer::TABLE, 2, Some("engano"), 250));
    drop(store);
    let other = Connection::open(folder.path().join(crate::store::FILE)).unwrap();
    other.execute_batch("DELETE FROM changes").unwrap();
    drop(other);
    let store = Store::open(folder.path()).unwrap();
    let all = store.read(|db| page(db, 0, &JournalFilter::default(), 1000)).unwrap();
    let (lists, own): (Vec<_>, Vec<_>) = all.into_iter().partition(|entry| entry.kind != "customers");
    assert!(lists.iter().all(|entry| (entry.op, entry.at) == (Op::Created, 100)) && !lists.is_empty());
    let own: Vec<_> =
        own.iter().map(|entry| (entry.op, entry.id, entry.at, entry.reason.as_deref())).collect();
    let expected = [
        (Op::Created, 1, 100, None),
        (Op::Created, 2, 200, None),
        (Op::Deleted, 2, 250, Some("engano")),
        (Op::Updated, 1, 300, None),
    ];
    assert_eq!(own, expected);
    // Once is enough.
    let newest = store.read(latest).unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.read(latest).unwrap(), newest);
    let next = told(&store, |tx| records::insert(tx, &customer("Duda"), 400).map(|_: CustomerId| ()));
    assert_eq!(next[0].seq, newest + 1);
}

#[test]
fn who_hears_of_commits_is_told_of_every_record_and_of_those_that_show_it() {
    let (_folder, store) = store();
    let (tell, heard) = std::sync::mpsc::channel();
    store.after_commit(Box::new(move |_, committed| {
        tell.send((committed.seq, committed.changes.unwrap_or_default().to_vec())).unwrap();
    }));
    let seq = heard.recv().unwrap().0;
    let kind = crate::records::Kind::Customer;
    told(&store, |tx| records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ()));
    assert_eq!(heard.recv().unwrap(), (seq + 1, vec![(RowKind::Record(kind), 1)]));
    told(&store, |_| Err(Error::Closed));
    assert_eq!(heard.recv().unwrap(), (seq + 1, Vec::new()));
    let lawsuit = |customers: &[u32]| {
        let customers = customers.iter().map(|id| CustomerId::from_stored(*id)).collect();
        Lawsuit::new(UserId::from_stored(1), TypeId::from_stored(1), StageId::from_stored(12), &customers)
    };
    let (both, one) = (lawsuit(&[1]).unwrap(), lawsuit(&[2]).unwrap());
    told(&store, |tx| records::insert(tx, &customer("Bia"), 5).map(|_: CustomerId| ()));
    told(&store, move |tx| records::insert(tx, &both, 5).map(|_: LawsuitId| ()));
    told(&store, move |tx| records::update(tx, LawsuitId::from_stored(1), &one, 5));
    let last = heard.try_iter().last().unwrap();
    let lawsuit = crate::records::Kind::Lawsuit;
    assert_eq!(last.1, [(RowKind::Record(lawsuit), 1), (RowKind::Unlinked(kind), 1)]);
}

//! Journal contents after unusual writes, and the erasing of old values.

use super::*;
use crate::domain::Name;
use crate::records::{Customer, CustomerId, Lawsuit, LawsuitId, OriginId, Record, StageId, TypeId, UserId};
use crate::store::journal::affected_records::{MAX_PUBLISHED_CHANGES, RowKind, since};
use crate::store::{Changes, Store, records, trash};

fn customer(name: &str) -> Customer {
    let user = UserId::from_stored(1);
    let origin = OriginId::from_stored(1);
    Customer::new(user, origin, Name::parse(name).unwrap()).unwrap()
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

/// Runs a write and returns the journal entries that it added.
fn journaled(
    store: &Store,
    work: impl FnOnce(Tx<'_>) -> Result<(), Error> + Send + 'static,
) -> Vec<JournalEntry> {
    let since = store.read(latest).unwrap();
    let _ = store.write(work);
    store.read(move |db| page(db, since, &JournalFilter::default(), 1000)).unwrap()
}

fn described(entries: &[JournalEntry]) -> Vec<String> {
    let each = entries.iter().map(|entry| {
        let before = entry.before.as_deref().unwrap_or("-");
        format!("{} {} {} {} {before}", entry.op.as_str(), entry.kind, entry.id, entry.changed.join(","))
    });
    each.collect()
}

#[test]
fn changes_rolled_back_by_a_savepoint_are_not_journaled() {
    let (_folder, store) = store();
    let made = journaled(&store, |tx| {
        let id: CustomerId = records::insert(tx, &customer("Ana"), 5)?;
        let refused = tx.savepoint(|tx| {
            records::update(tx, id, &customer("Ana Souza"), 6)?;
            records::insert(tx, &customer("Bia"), 6).map(|_: CustomerId| ())?;
            Err::<(), _>(Error::Closed)
        });
        assert!(matches!(refused, Err(Error::Closed)));
        Ok(())
    });
    assert_eq!(described(&made), ["created customers 1  -"]);
    let untouched = journaled(&store, |tx| {
        let id = CustomerId::from_stored(1);
        let refused = tx.savepoint(|tx| {
            records::update(tx, id, &customer("Ana Souza"), 7)?;
            Err::<(), _>(Error::Closed)
        });
        assert!(matches!(refused, Err(Error::Closed)));
        Ok(())
    });
    assert_eq!(described(&untouched), [""; 0]);
}

#[test]
fn one_request_adds_at_most_one_entry_per_record() {
    let (_folder, store) = store();
    let made = journaled(&store, |tx| {
        let id = records::insert(tx, &customer("Ana"), 5)?;
        records::update(tx, id, &customer("Ana Souza"), 6)?;
        let gone: CustomerId = records::insert(tx, &customer("Bia"), 5)?;
        tx.conn().execute("DELETE FROM customers WHERE id = ?1", [gone])?;
        let lawsuit =
            Lawsuit::new(UserId::from_stored(1), TypeId::from_stored(1), StageId::from_stored(12), &vec![id]);
        records::insert(tx, &lawsuit.unwrap(), 5).map(|_: LawsuitId| ())
    });
    assert_eq!(
        described(&made),
        ["created customers 1  -", "created lawsuits 1  -"],
        "a record created and deleted at once has no entry"
    );
    let changed = journaled(&store, |tx| {
        let id = CustomerId::from_stored(1);
        records::update(tx, id, &customer("Ana Lima"), 7)?;
        records::update(tx, id, &customer("Ana"), 8)?;
        trash::delete(tx, Lawsuit::TABLE, 1, None, 9)?;
        trash::restore(tx, Lawsuit::TABLE, 1)
    });
    let expected = [r#"updated customers 1 name ["Ana Souza"]"#, "updated lawsuits 1  -"];
    assert_eq!(described(&changed), expected, "one entry, with the first previous value");
    assert!(journaled(&store, |_| Ok(())).is_empty());
    let failed = journaled(&store, |tx| {
        records::update(tx, CustomerId::from_stored(1), &customer("Caio"), 9)?;
        Err(Error::Closed)
    });
    assert_eq!(described(&failed), [""; 0]);
    let after = journaled(&store, |tx| records::update(tx, CustomerId::from_stored(1), &customer("Duda"), 9));
    assert_eq!(described(&after), [r#"updated customers 1 name ["Ana"]"#], "the failed write left nothing");
}

/// Changes the same records in two passes. If `in_pieces` is set, the entries of the first pass are written
/// before the second. Returns the entries and the last published commit.
fn two_passes(in_pieces: bool) -> (Vec<String>, String) {
    let (_folder, store) = store();
    let lawsuit = |customers: &[u32]| {
        let customers = customers.iter().map(|id| CustomerId::from_stored(*id)).collect();
        Lawsuit::new(UserId::from_stored(1), TypeId::from_stored(1), StageId::from_stored(12), &customers)
            .unwrap()
    };
    let made = lawsuit(&[1]);
    journaled(&store, move |tx| {
        for name in ["Ana", "Bia", "Caio", "Duda", "Edu"] {
            records::insert(tx, &customer(name), 5).map(|_: CustomerId| ())?;
        }
        records::insert(tx, &made, 5).map(|_: LawsuitId| ())
    });
    let (publish, published) = std::sync::mpsc::channel();
    store.after_commit(Box::new(move |_, committed| {
        publish.send(format!("{:?} {}", committed.changes, committed.seq)).unwrap();
    }));
    published.recv().unwrap();
    let filler = if in_pieces { change_log::ROWS_PER_WRITE } else { 0 };
    let entries = journaled(&store, move |tx| {
        let actor = Actor::import(9).of_request("import-1".to_owned());
        let tx = tx.by(actor.clone());
        let rename = |id, name: &str| records::update(tx, CustomerId::from_stored(id), &customer(name), 6);
        let is_gone = |id: u32| tx.conn().execute("DELETE FROM customers WHERE id = ?1", [id]).map(|_| ());
        for pass in 1..=2 {
            let first = pass == 1;
            // One value returns to the original, the other ends up different.
            rename(1, if first { "Ana, \"a\" [x]" } else { "Ana" })?;
            rename(2, if first { "Bia Lima" } else { "Bia Souza" })?;
            if first {
                trash::delete(tx, Customer::TABLE, 3, None, 6)?;
                trash::delete(tx, Customer::TABLE, 4, None, 6)?;
                records::insert(tx, &customer("Fábio"), 6).map(|_: CustomerId| ())?;
                records::insert(tx, &customer("Gabi"), 6).map(|_: CustomerId| ())?;
            } else {
                trash::restore(tx, Customer::TABLE, 3)?;
                rename(6, "Fábio Reis")?;
                is_gone(4)?;
                is_gone(7)?;
            }
            let customers: &[u32] = if first { &[2] } else { &[5, 1] };
            records::update(tx, LawsuitId::from_stored(1), &lawsuit(customers), 6)?;
            for _ in 0..filler {
                rename(5, if first { "Edu Reis" } else { "Edu" })?;
            }
            rename(5, "Eduardo")?;
            tx.journal_so_far(&actor)?;
        }
        Ok(())
    });
    assert!(entries.iter().all(|entry| entry.request_id.as_deref() == Some("import-1") && entry.at == 9));
    (described(&entries), published.try_iter().last().unwrap())
}

#[test]
fn work_journaled_in_pieces_has_the_same_entries_as_work_journaled_at_once() {
    let (whole, _) = two_passes(false);
    let (pieces, _) = two_passes(true);
    assert_eq!(pieces, whole);
    let expected = [
        "updated customers 1  -",
        r#"updated customers 2 name ["Bia"]"#,
        "updated customers 3  -",
        "purged customers 4  -",
        "created customers 6  -",
        "updated lawsuits 1 customers [[1]]",
        r#"updated customers 5 name ["Edu"]"#,
    ];
    assert_eq!(whole, expected);
}

#[test]
fn large_commits_are_published_by_journal_position() {
    let (_folder, store) = store();
    let (publish, published) = std::sync::mpsc::channel();
    store.after_commit(Box::new(move |_, committed| {
        let some = match committed.changes {
            Changes::These(changes) => Err(changes.len()),
            Changes::After(seq) => Ok(seq),
            Changes::Anything => panic!("{committed:?}"),
        };
        publish.send((some, committed.seq)).unwrap();
    }));
    let (_, before) = published.recv().unwrap();
    for (in_pieces, rows) in [
        (false, MAX_PUBLISHED_CHANGES),
        (false, MAX_PUBLISHED_CHANGES + 1),
        (true, MAX_PUBLISHED_CHANGES),
        (true, MAX_PUBLISHED_CHANGES + 1),
    ] {
        let seq = store.read(latest).unwrap();
        store
            .write_alone(move |tx| {
                for _ in 0..rows {
                    records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ())?;
                    if in_pieces {
                        tx.journal_so_far(&Actor::import(9))?;
                    }
                }
                Ok::<_, Error>(())
            })
            .unwrap();
        let last = seq + rows as u64;
        let some = if rows > MAX_PUBLISHED_CHANGES { Ok(seq) } else { Err(rows) };
        assert_eq!(published.recv().unwrap(), (some, last), "{in_pieces} {rows}");
        assert_eq!(store.read(move |db| since(db, seq, usize::MAX >> 1)).unwrap().0.len(), rows);
    }
    // A failed job leaves nothing behind, and the next commit is published normally.
    let seq = store.read(latest).unwrap();
    assert_eq!(seq, before + 4 * MAX_PUBLISHED_CHANGES as u64 + 2);
    let failed = store.write_alone(|tx| {
        for _ in 0..=MAX_PUBLISHED_CHANGES {
            records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ())?;
            tx.journal_so_far(&Actor::import(9))?;
        }
        Err::<(), _>(Error::Closed)
    });
    assert!(failed.is_err() && published.try_recv().is_err());
    journaled(&store, |tx| records::insert(tx, &customer("Bia"), 5).map(|_: CustomerId| ()));
    assert_eq!(published.recv().unwrap(), (Err(1), seq + 1));
}

#[test]
fn purging_a_record_erases_its_previous_values() {
    let (_folder, store) = store();
    journaled(&store, |tx| records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ()));
    journaled(&store, |tx| records::insert(tx, &customer("Bia"), 5).map(|_: CustomerId| ()));
    for id in [1, 2] {
        journaled(&store, move |tx| records::update(tx, CustomerId::from_stored(id), &customer("Caio"), 6));
    }
    let purged = journaled(&store, |tx| {
        Ok(tx.conn().execute("DELETE FROM customers WHERE id = 1", []).map(|_| ())?)
    });
    assert_eq!(described(&purged), ["purged customers 1  -"]);
    let of = |id: u32| described(&store.read(move |db| newest_of(db, "customers", id, 9)).unwrap());
    assert_eq!(of(1), ["purged customers 1  -", "updated customers 1 name -", "created customers 1  -"]);
    assert_eq!(of(2), [r#"updated customers 2 name ["Bia"]"#, "created customers 2  -"]);
}

#[test]
fn expired_values_are_erased_but_their_entries_remain() {
    let (_folder, store) = store();
    journaled(&store, |tx| records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ()));
    for (at, name) in [(100, "Bia"), (200, "Caio")] {
        let actor = Actor {
            via: Via::Api,
            who: Some(Who::Token("abcd".to_owned())),
            request_id: Some("r".to_owned()),
            at,
        };
        journaled(&store, move |tx| {
            records::update(tx.by(actor), CustomerId::from_stored(1), &customer(name), 6)
        });
    }
    let of = || described(&store.read(|db| newest_of(db, "customers", 1, 2)).unwrap());
    assert_eq!(of(), [r#"updated customers 1 name ["Bia"]"#, r#"updated customers 1 name ["Ana"]"#]);
    assert_eq!(store.write(|tx| forget_values(tx, 100)).unwrap(), 0);
    assert_eq!(store.write(|tx| forget_values(tx, 101)).unwrap(), 1);
    assert_eq!(of(), [r#"updated customers 1 name ["Bia"]"#, "updated customers 1 name -"]);
}

#[test]
fn commits_publish_changed_records_and_unlinked_ones() {
    let (_folder, store) = store();
    let (publish, published) = std::sync::mpsc::channel();
    store.after_commit(Box::new(move |_, committed| {
        let Changes::These(changes) = committed.changes else { panic!("{committed:?}") };
        publish.send((committed.seq, changes.to_vec())).unwrap();
    }));
    let seq = published.recv().unwrap().0;
    let kind = crate::records::Kind::Customer;
    journaled(&store, |tx| records::insert(tx, &customer("Ana"), 5).map(|_: CustomerId| ()));
    assert_eq!(published.recv().unwrap(), (seq + 1, vec![(RowKind::Record(kind), 1)]));
    journaled(&store, |_| Err(Error::Closed));
    assert_eq!(published.recv().unwrap(), (seq + 1, Vec::new()));
    let lawsuit = |customers: &[u32]| {
        let customers = customers.iter().map(|id| CustomerId::from_stored(*id)).collect();
        Lawsuit::new(UserId::from_stored(1), TypeId::from_stored(1), StageId::from_stored(12), &customers)
    };
    let both = lawsuit(&[1]).unwrap();
    let one = lawsuit(&[2]).unwrap();
    journaled(&store, |tx| records::insert(tx, &customer("Bia"), 5).map(|_: CustomerId| ()));
    journaled(&store, move |tx| records::insert(tx, &both, 5).map(|_: LawsuitId| ()));
    journaled(&store, move |tx| records::update(tx, LawsuitId::from_stored(1), &one, 5));
    let last = published.try_iter().last().unwrap();
    let lawsuit = crate::records::Kind::Lawsuit;
    assert_eq!(last.1, [(RowKind::Record(lawsuit), 1), (RowKind::Unlinked(kind), 1)]);
}

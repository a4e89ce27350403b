//! A part of the index equals a part built from the rows, and a naive scan of them, after any sequence of
//! events.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index as Which, select};
use rusqlite::Connection;

use super::*;
use crate::domain::text::fold;
use crate::domain::{Day, Name};
use crate::index::{Condition, Filter, Index, Named, build};
use crate::records::{
    Customer, CustomerId, GroupId, Lawsuit, LawsuitId, LawsuitType, OriginId, Record, StageId, TABLES,
    TypeId, UserId,
};
use crate::store::{Lane, Store, records};

/// An event in the life of a store.
#[derive(Clone, Debug)]
enum Act {
    Add(String),
    Rename(Which, String),
    AddLawsuit(Vec<Which>, String),
    RenameType(String),
    /// Another program adds and deletes records; then this one checks for changes.
    Foreign(String),
    Delete(Which),
    Compare,
    /// The program ends and starts again.
    Restart,
}

fn built(table: &'static Table, folder: &Path, stop: &Stop) -> Result<NounIndex, store::Error> {
    NounIndex::build(table, folder, &TimeZone::UTC, stop, &AtomicU32::default())
}

fn text() -> impl Strategy<Value = String> {
    let word = select(&["João", "da", "Silva", "Maria", "ana", "D'Ávila", "s", "Mariana"][..]);
    vec(word, 1..4).prop_map(|words| words.join(" "))
}

fn act() -> impl Strategy<Value = Act> {
    let one = any::<Which>;
    prop_oneof![
        5 => text().prop_map(Act::Add),
        3 => (one(), text()).prop_map(|(which, name)| Act::Rename(which, name)),
        3 => (vec(one(), 1..3), text()).prop_map(|(which, notes)| Act::AddLawsuit(which, notes)),
        1 => text().prop_map(Act::RenameType),
        1 => text().prop_map(Act::Foreign),
        1 => one().prop_map(Act::Delete),
        3 => Just(Act::Compare),
        1 => Just(Act::Restart),
    ]
}

struct World {
    folder: tempfile::TempDir,
    /// The index is dropped before the store.
    program: Option<(Arc<Index>, Arc<Store>)>,
}

impl World {
    fn new() -> World {
        let mut world = World { folder: tempfile::tempdir().unwrap(), program: None };
        world.start();
        world
    }

    fn start(&mut self) {
        self.program = None;
        let store = Arc::new(Store::open(self.folder.path()).unwrap());
        self.program = Some((Arc::new(Index::start(&store, &TimeZone::UTC)), store));
    }

    fn store(&self) -> &Arc<Store> {
        &self.program.as_ref().unwrap().1
    }

    fn index(&self) -> Arc<Index> {
        self.program.as_ref().unwrap().0.clone()
    }

    fn read<T: Send + 'static>(&self, work: impl FnOnce(Db<'_>) -> T + Send + 'static) -> T {
        self.store().read(|db| Ok::<T, store::Error>(work(db))).unwrap()
    }

    fn ids(&self) -> Vec<u32> {
        self.read(|db| {
            let mut ids = Vec::new();
            let each = |row: records::Row<'_>| {
                ids.push(row.id()?);
                Ok(())
            };
            records::search_each(db, Customer::TABLE, 0..=u32::MAX, each).unwrap();
            ids
        })
    }

    fn add(&self, name: &str) -> u32 {
        let fields = fields(name, self.ids().len());
        let added = self.store().write(move |tx| records::insert(tx, &fields, 86_400 * 10));
        let id: Result<CustomerId, store::Error> = added;
        id.unwrap().get()
    }

    /// Runs SQL as another program would; then this one checks for changes.
    fn foreign(&self, sql: &str) {
        let other = Connection::open(self.store().path()).unwrap();
        other.execute_batch(sql).unwrap();
        self.store().write(store::try_write).unwrap();
    }

    fn act(&mut self, act: Act) {
        let ids = self.ids();
        let chosen = |which: &Which| CustomerId::new(u64::from(ids[which.index(ids.len())])).unwrap();
        match act {
            Act::Rename(..) | Act::Delete(_) | Act::AddLawsuit(..) if ids.is_empty() => {}
            Act::Add(name) => {
                let id = self.add(&name);
                if let Some(customers) = &*part(&self.index(), Customer::TABLE).part.read() {
                    assert!(customers.all().contains(id), "the part has the record when the write returns");
                }
            }
            Act::Rename(which, name) => {
                let id = chosen(&which);
                let fields = fields(&name, ids.len());
                self.store().write(move |tx| records::update(tx, id, &fields, 0)).unwrap();
            }
            Act::AddLawsuit(which, notes) => {
                let customers: BTreeSet<_> = which.iter().map(|which| chosen(which).get()).collect();
                let user = UserId::new(1).unwrap();
                let kind = TypeId::new(1).unwrap();
                let linked = customers.into_iter().filter_map(|id| CustomerId::new(u64::from(id))).collect();
                let mut fields = Lawsuit::new(user, kind, StageId::new(1).unwrap(), &linked).unwrap();
                fields.notes = crate::domain::text::Notes::parse(&notes).ok();
                let added = self.store().write(move |tx| records::insert(tx, &fields, 0));
                let _: LawsuitId = added.map_err(|cause: store::Error| cause).unwrap();
            }
            Act::RenameType(name) => {
                let name = Name::parse(&format!("{name} {}", ids.len())).unwrap();
                let renamed = LawsuitType { name, group_id: GroupId::new(1).unwrap(), active: true };
                let write =
                    move |tx: store::Tx<'_>| records::update(tx, TypeId::new(1).unwrap(), &renamed, 0);
                self.store().write(write).unwrap();
            }
            Act::Foreign(name) => self.foreign(&format!(
                "INSERT INTO customers (user_id, origin_id, name, name_key, created_at, updated_at)
                 VALUES (1, 1, 'x', '{}', 0, 0)",
                fold(&name).replace('\'', "")
            )),
            // Acts as a program that does not write to the table `changes`.
            Act::Delete(which) => self.foreign(&format!(
                "PRAGMA foreign_keys = OFF; DELETE FROM lawsuit_customers WHERE customer_id = {0};
                 DELETE FROM customers WHERE id = {0}; DELETE FROM changes WHERE id = {0}",
                chosen(&which).get()
            )),
            Act::Compare => self.compare(),
            Act::Restart => self.start(),
        }
    }

    /// Compares every filter with a part built from the rows, and names with a scan.
    fn compare(&self) {
        let index = self.index();
        let folder = self.folder.path().to_owned();
        self.read(move |db| {
            let expected = built(Customer::TABLE, &folder, &Stop::default()).unwrap();
            let current = part(&index, Customer::TABLE).current(db).unwrap();
            assert_eq!(current.all(), expected.all());
            for filter in customer_filters() {
                assert_eq!(current.find(&filter), expected.find(&filter), "{filter:?}");
            }
            let mut scanned = Vec::new();
            records::search_each(db, Customer::TABLE, 0..=u32::MAX, |row| {
                // Column 0 is the folded name.
                if row.value(0)?.text().unwrap().contains("an") {
                    scanned.push(row.id()?);
                }
                Ok(())
            })
            .unwrap();
            let filter = Filter::default().with("name", Condition::Words("an".to_owned()));
            assert_eq!(current.find(&filter)[0].iter().collect::<Vec<_>>(), scanned);
            drop(current);
            let expected = built(Lawsuit::TABLE, &folder, &Stop::default()).unwrap();
            let current = part(&index, Lawsuit::TABLE).current(db).unwrap();
            assert_eq!(current.all(), expected.all());
            for filter in lawsuit_filters() {
                assert_eq!(current.find(&filter), expected.find(&filter), "{filter:?}");
            }
        });
    }
}

fn part<'i>(index: &'i Index, table: &Table) -> &'i Followed {
    index.part(table).unwrap()
}

fn fields(name: &str, number: usize) -> Customer {
    let user = UserId::new(1).unwrap();
    let origin = OriginId::new(1).unwrap();
    let mut fields = Customer::new(user, origin, Name::parse(name).unwrap()).unwrap();
    fields.city = crate::domain::Short::parse("Criciúma").ok();
    fields.occupation = crate::domain::Short::parse(name).ok();
    fields.document = crate::domain::Short::parse(&format!("{number:011}")).ok();
    fields.birthdate = Day::from_ymd(1980, 2, 17);
    fields
}

fn each(conditions: Vec<(&'static str, Condition)>) -> Vec<Filter> {
    conditions.into_iter().map(|(column, condition)| Filter::default().with(column, condition)).collect()
}

fn words(words: &str) -> Condition {
    Condition::Words(words.to_owned())
}

fn customer_filters() -> Vec<Filter> {
    let names = ["a", "an", "silva", "joao maria", "d", "mariana"].map(|name| ("name", words(name)));
    let others = [
        ("phone", Condition::Digits("00001".to_owned())),
        ("identification", Condition::Start("00000000".to_owned())),
        ("email", words("exemplo")),
        ("city", words("cric")),
        ("state", words("c")),
        ("occupation", words("ana")),
        ("document", words("0001")),
        ("origin_id", Condition::Entry(Named::new("1"))),
        ("birthdate", Condition::Month(2)),
        ("created_at", Condition::Days(Day::from_ymd(1970, 1, 5), Day::from_ymd(1970, 1, 20))),
    ];
    each(names.into_iter().chain(others).collect())
}

fn lawsuit_filters() -> Vec<Filter> {
    let texts = ["a", "silva", "joao maria", "mariana"];
    let texts = texts.iter().flat_map(|text| [("name", words(text)), ("notes", words(text))]);
    each(texts.chain([("type_id", Condition::Entry(Named::new("1")))]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]
    #[test]
    fn a_part_equals_one_built_from_the_rows_after_any_events(acts in vec(act(), 8..40)) {
        let mut world = World::new();
        acts.into_iter().for_each(|act| world.act(act));
        world.compare();
    }
}

#[test]
fn records_written_while_a_part_is_built_are_in_it() {
    let world = World::new();
    for round in 0..20 {
        // The state after a change that could not be followed.
        let index = world.index();
        *part(&index, Customer::TABLE).part.write() = None;
        let store = world.store().clone();
        std::thread::scope(|threads| {
            threads.spawn(|| (0..10).for_each(|_| _ = world.add("Ana")));
            let built = store.read(move |db| part(&index, Customer::TABLE).build(db));
            built.unwrap();
        });
        let index = world.index();
        let held = part(&index, Customer::TABLE).part.read().as_ref().map(|part| part.all().len());
        assert_eq!(held, Some((round + 1) * 10));
    }
    world.compare();
}

#[test]
fn a_commit_too_large_to_list_its_changes_is_followed_through_the_journal() {
    let world = World::new();
    world.add("Ana");
    world.compare();
    let index = world.index();
    // More changes than a commit reports one by one, and a last batch that is not full.
    world
        .store()
        .write_alone(|tx| {
            for number in 0..2_100 {
                let _: CustomerId = records::insert(tx, &fields("Maria Silva", number), 86_400 * 10)?;
            }
            records::update(tx, CustomerId::new(1).unwrap(), &fields("Mariana", 0), 86_400 * 10)
        })
        .unwrap();
    for table in [Customer::TABLE, Lawsuit::TABLE] {
        assert!(part(&index, table).part.read().is_some(), "the part is kept");
    }
    world.compare();

    // If following takes longer than a rebuild, the part is dropped.
    let held = |table| part(&index, table).part.read().is_some();
    let seq = world.read(journal::latest).unwrap();
    let behind = move |many| Committed { seq: seq + many, changes: Changes::After(seq), token: false };
    let publish = |many| {
        let index = world.index();
        world.read(move |db| part(&index, Customer::TABLE).committed(db, &behind(many)));
    };
    publish(MAX_PENDING_CHANGES);
    assert!(held(Customer::TABLE));
    publish(MAX_PENDING_CHANGES + 1);
    assert!(!held(Customer::TABLE) && held(Lawsuit::TABLE));
    world.compare();
}

#[test]
fn a_part_is_rebuilt_after_unjournaled_changes_of_another_program() {
    let world = World::new();
    (0..5).for_each(|_| _ = world.add("Ana"));
    let index = world.index();
    let customers = part(&index, Customer::TABLE);
    world.read({
        let index = index.clone();
        move |db| part(&index, Customer::TABLE).build(db).unwrap()
    });
    assert!(customers.part.read().is_some());
    world.foreign("DELETE FROM customers WHERE id = 2; DELETE FROM changes");
    assert!(customers.part.read().is_none(), "the change is unknown, so the part is dropped");
    world.compare();
}

#[test]
fn a_stop_cancels_builds_and_keeps_finished_parts() {
    let world = World::new();
    world.add("Ana");
    world.compare();
    let index = world.index();
    index.stop();
    world.add("Bia");
    world.compare();

    *part(&index, Customer::TABLE).part.write() = None;
    let refused = world.store().read(move |db| part(&index, Customer::TABLE).current(db).map(|_| ()));
    assert!(matches!(refused, Err(store::Error::Closed)), "{refused:?}");
    let stopped = Stop::default();
    stopped.set();
    let refused = built(Customer::TABLE, world.folder.path(), &stopped).map(|_| ());
    assert!(matches!(refused, Err(store::Error::Closed)), "{refused:?}");
}

#[test]
fn a_customer_search_does_not_wait_for_slower_parts() {
    let world = World::new();
    let stop = Stop::default();
    let part = |table: &&'static Table| {
        Followed::new(table, world.folder.path().to_owned(), TimeZone::UTC, stop.clone(), 0)
    };
    let parts: Arc<Vec<_>> = Arc::new(TABLES.iter().map(part).collect());
    let longer = parts.iter().skip(1).map(|part| part.building.lock()).collect::<Vec<_>>();
    build(world.store(), parts.clone(), 0..parts.len());
    let (answer, answered) = std::sync::mpsc::channel();
    let searched = parts.clone();
    world.store().submit_read(Lane::Long, move |db| {
        let customers = db.and_then(|db| Ok(searched[0].current(db)?.all().len()));
        answer.send(customers.unwrap()).unwrap();
    });
    let found = answered.recv_timeout(std::time::Duration::from_secs(60));
    assert_eq!(found, Ok(0), "the list waits for the parts of other tables");
    assert!(parts.iter().skip(1).all(|part| !part.is_begun()));
    drop(longer);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    parts.iter().filter_map(Followed::begun).for_each(|begun| runtime.block_on(begun));
    assert!(parts.iter().all(|part| part.is_begun() && part.begun().is_none()));
}

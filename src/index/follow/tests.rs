//! A part of the index, however it came about, equals one that was built from the rows and a naive scan of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rusqlite::Connection;

use super::*;
use crate::clock::Clock;
use crate::domain::{Day, fold};
use crate::index::Named;
use crate::index::customers::{self, Customers};
use crate::index::lawsuits::{self, Lawsuits};
use crate::store::Store;

/// What happens, one after the other.
#[derive(Clone, Debug)]
enum Act {
    /// Another process adds, changes and deletes.
    Add(String),
    Rename(Index, String),
    Delete(Index),
    Sue(Vec<Index>, String),
    /// This process adds, and tells the index.
    Write(String),
    Ask,
    Save,
    /// The program ends and starts again.
    Restart,
    /// The file of the store is set aside, and put back while the program does not run.
    Keep,
    Restore,
    /// A byte of each file is another one, or the file ends there.
    Damage(Index, bool),
}

fn text() -> impl Strategy<Value = String> {
    let word = select(&["João", "da", "Silva", "Maria", "ana", "D'Ávila", "s", "Mariana"][..]);
    vec(word, 1..4).prop_map(|words| words.join(" "))
}

fn act() -> impl Strategy<Value = Act> {
    let one = any::<Index>;
    prop_oneof![
        5 => text().prop_map(Act::Add),
        3 => (one(), text()).prop_map(|(whose, name)| Act::Rename(whose, name)),
        1 => one().prop_map(Act::Delete),
        2 => (vec(one(), 1..3), text()).prop_map(|(whose, notes)| Act::Sue(whose, notes)),
        2 => text().prop_map(Act::Write),
        2 => Just(Act::Ask),
        3 => Just(Act::Save),
        3 => Just(Act::Restart),
        1 => Just(Act::Keep),
        1 => Just(Act::Restore),
        1 => (one(), any::<bool>()).prop_map(|(at, cut)| Act::Damage(at, cut)),
    ]
}

struct World {
    folder: tempfile::TempDir,
    other: Option<Connection>,
    store: Option<Arc<Store>>,
    clock: Clock,
    customers: Arc<Followed<Customers>>,
    lawsuits: Arc<Followed<Lawsuits>>,
    /// What each of the two files is worth: whether a start has to use it.
    good: bool,
    /// Whether that holds of the copy that was set aside too.
    kept: Option<bool>,
}

fn followed<T: Follow>(folder: &Path, clock: &Clock) -> Arc<Followed<T>> {
    let rush = Rush::new(clock.clone(), crossbeam_channel::bounded(1).0);
    Arc::new(Followed::new(folder.to_owned(), TimeZone::UTC, rush, Stop::default()))
}

fn save<T: Follow>(part: &Followed<T>, store: &Store) {
    let written = part.write_standing(part.seq().unwrap()).unwrap();
    part.keep(store, written).unwrap();
}

impl World {
    fn new() -> World {
        let clock = Clock::set_to(jiff::Timestamp::UNIX_EPOCH);
        let folder = tempfile::tempdir().unwrap();
        let (customers, lawsuits) = (followed(folder.path(), &clock), followed(folder.path(), &clock));
        let mut world =
            World { folder, other: None, store: None, clock, customers, lawsuits, good: false, kept: None };
        world.start();
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn files(&self) -> [PathBuf; 2] {
        [Customers::FILE, Lawsuits::FILE].map(|name| self.path(name))
    }

    fn other(&self) -> &Connection {
        self.other.as_ref().unwrap()
    }

    fn ids(&self, table: &str) -> Vec<u32> {
        let mut statement = self.other().prepare(&format!("SELECT id FROM {table}")).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn read<T: Send + 'static>(&self, work: impl FnOnce(Db<'_>) -> T + Send + 'static) -> T {
        self.store.as_ref().unwrap().read(|db| Ok::<T, store::Error>(work(db))).unwrap()
    }

    fn latest(&self) -> u64 {
        self.read(|db| changes::latest(db).unwrap())
    }

    fn stop(&mut self) {
        self.store = None;
        let end = self.other.take().map(|conn| conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"));
        end.into_iter().for_each(Result::unwrap);
    }

    /// Starts, and holds that the files are used exactly where they may be.
    fn start(&mut self) {
        self.store = Some(Arc::new(Store::open(self.folder.path()).unwrap()));
        self.other = Some(Connection::open(self.path(store::FILE)).unwrap());
        let folder = self.folder.path();
        (self.customers, self.lawsuits) = (followed(folder, &self.clock), followed(folder, &self.clock));
        let (customers, lawsuits) = (self.customers.clone(), self.lawsuits.clone());
        let loaded = self.read(move |db| {
            customers.build(db).unwrap();
            lawsuits.build(db).unwrap();
            [customers.file.lock().seq.is_some(), lawsuits.file.lock().seq.is_some()]
        });
        assert_eq!(loaded, [self.good; 2], "whether the files were used");
    }

    /// Answers the id, which one that was deleted may have had before.
    fn add(&self, name: &str) -> u32 {
        let number = self.ids("customers").into_iter().max().unwrap_or(0) + 1;
        let sql = "INSERT INTO customers (user_id, origin_id, name, name_key, identification, phone, email, city, state,
            occupation, document, birthdate, created_at, updated_at)
            VALUES (1, 1, ?1, ?2, ?3, ?4, ?1 || '@exemplo.com', 'Criciúma', 'SC', ?2, ?3, '1980-02-17', ?5, 0)";
        let phone = format!("4898{number:07}");
        let digits = format!("{number:011}");
        let values = (name, fold(name), digits, phone, i64::from(number) * 86_400);
        self.other().execute(sql, values).unwrap();
        number
    }

    fn act(&mut self, act: Act) {
        let ids = self.ids("customers");
        let chosen = |whose: &Index| ids[whose.index(ids.len())];
        match act {
            Act::Rename(..) | Act::Delete(_) | Act::Sue(..) if ids.is_empty() => {}
            Act::Add(name) => _ = self.add(&name),
            Act::Rename(whose, name) => {
                let sql = "UPDATE customers SET name = ?1, name_key = ?2 WHERE id = ?3";
                self.other().execute(sql, (&name, fold(&name), chosen(&whose))).unwrap();
            }
            Act::Delete(whose) => {
                let id = chosen(&whose);
                let sql = "DELETE FROM customers WHERE id = ?1
                    AND NOT EXISTS (SELECT 1 FROM lawsuit_customers WHERE customer_id = ?1)";
                self.other().execute(sql, [id]).unwrap();
            }
            Act::Sue(whose, notes) => {
                let sql = "INSERT INTO lawsuits (user_id, type_id, stage_id, notes, created_at, updated_at)
                    VALUES (1, 1, 1, ?1, 0, 0)";
                let mut customers: Vec<u32> = whose.iter().map(chosen).collect();
                customers.dedup();
                customers.truncate(if customers.first() == customers.last() { 1 } else { 2 });
                let other = self.other();
                other.execute_batch("BEGIN").unwrap();
                other.execute(sql, [&notes]).unwrap();
                let id = other.last_insert_rowid();
                for (at, customer) in customers.into_iter().enumerate() {
                    let sql = "INSERT INTO lawsuit_customers VALUES (?1, ?2, ?3)";
                    other.execute(sql, (id, at, customer)).unwrap();
                }
                other.execute_batch("COMMIT").unwrap();
            }
            Act::Write(name) => {
                let before = self.latest();
                let id = self.add(&name);
                let last = self.latest();
                let (customers, lawsuits) = (self.customers.clone(), self.lawsuits.clone());
                let held = self.read(move |db| {
                    customers.wrote(db, before, last).unwrap();
                    lawsuits.wrote(db, before, last).unwrap();
                    customers.state.read().as_ref().is_some_and(|state| state.part.all().contains(id))
                });
                assert!(held, "its own write is in it");
            }
            Act::Ask => self.compare(),
            Act::Save => {
                save(&self.customers, self.store.as_ref().unwrap());
                save(&self.lawsuits, self.store.as_ref().unwrap());
                (self.good, self.kept) = (true, self.kept.map(|_| false));
            }
            Act::Restart => {
                self.stop();
                self.start();
                self.compare();
            }
            Act::Keep => {
                self.stop();
                std::fs::copy(self.path(store::FILE), self.path("kept")).unwrap();
                self.kept = Some(self.good);
                self.start();
            }
            Act::Restore => {
                if let Some(good) = self.kept {
                    self.stop();
                    std::fs::copy(self.path("kept"), self.path(store::FILE)).unwrap();
                    self.good = good;
                    self.start();
                    self.compare();
                }
            }
            Act::Damage(at, cut) => {
                for file in self.files().into_iter().filter(|file| file.exists()) {
                    let mut bytes = std::fs::read(&file).unwrap();
                    let at = at.index(bytes.len());
                    if cut {
                        bytes.truncate(at)
                    } else {
                        bytes[at] ^= 0x10
                    };
                    std::fs::write(file, bytes).unwrap();
                }
                (self.good, self.kept) = (false, self.kept.map(|_| false));
            }
        }
    }

    /// Every filter gives what a part built from the rows gives, and names what a scan gives.
    fn compare(&self) {
        let (customers, lawsuits) = (self.customers.clone(), self.lawsuits.clone());
        self.read(move |db| {
            let built = Customers::build(db, &TimeZone::UTC, &Stop::default()).unwrap();
            let current = customers.current(db).unwrap();
            assert_eq!(current.all(), built.all());
            for filter in customer_filters() {
                assert_eq!(current.find(&filter), built.find(&filter), "{filter:?}");
            }
            let mut scanned = Vec::new();
            crate::store::customers::searchable(db, 0..=u32::MAX, |row| {
                if row.name_key.contains("an") {
                    scanned.push(row.id);
                }
                Ok(())
            })
            .unwrap();
            let filter = customers::Filter { name: Some("an".into()), ..customers::Filter::default() };
            assert_eq!(current.find(&filter)[0].iter().collect::<Vec<_>>(), scanned);
            drop(current);
            let built = Lawsuits::build(db, &TimeZone::UTC, &Stop::default()).unwrap();
            let current = lawsuits.current(db).unwrap();
            assert_eq!(current.all(), built.all());
            for filter in lawsuit_filters() {
                assert_eq!(current.find(&filter), built.find(&filter), "{filter:?}");
            }
        });
    }
}

fn customer_filters() -> Vec<customers::Filter> {
    let none = customers::Filter::default;
    let mut filters: Vec<_> = ["a", "an", "silva", "joao maria", "d", "mariana"]
        .iter()
        .map(|name| customers::Filter { name: Some((*name).to_owned()), ..none() })
        .collect();
    filters.extend([
        customers::Filter { phone: Some("000001".to_owned()), ..none() },
        customers::Filter { identification: Some("00000000".to_owned()), ..none() },
        customers::Filter { email: Some("exemplo".to_owned()), ..none() },
        customers::Filter { city: Some("cric".to_owned()), ..none() },
        customers::Filter { state: Some("c".to_owned()), ..none() },
        customers::Filter { occupation: Some("ana".to_owned()), ..none() },
        customers::Filter { document: Some("0001".to_owned()), ..none() },
        customers::Filter { origin: Some(Named::new("1")), ..none() },
        customers::Filter { birth_month: Some(2), ..none() },
        customers::Filter { created: (Day::from_ymd(1970, 1, 5), Day::from_ymd(1970, 1, 20)), ..none() },
    ]);
    filters
}

fn lawsuit_filters() -> Vec<lawsuits::Filter> {
    let none = lawsuits::Filter::default;
    let mut filters: Vec<_> = ["a", "silva", "joao maria", "mariana"]
        .iter()
        .flat_map(|text| {
            let text = Some((*text).to_owned());
            [lawsuits::Filter { name: text.clone(), ..none() }, lawsuits::Filter { notes: text, ..none() }]
        })
        .collect();
    filters.push(lawsuits::Filter { kind: Some(Named::new("1")), ..none() });
    filters
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]
    #[test]
    fn whatever_happens_the_part_equals_one_built_from_the_rows(acts in vec(act(), 8..40)) {
        let mut world = World::new();
        acts.into_iter().for_each(|act| world.act(act));
        world.act(Act::Restart);
    }
}

/// The proof that the property above proves something: each of these has to go the way that its name says.
#[test]
fn a_file_counts_after_a_restart_and_in_a_later_copy_but_in_no_earlier_one() {
    let mut world = World::new();
    let name = || "Maria da Silva".to_owned();
    for act in [Act::Add(name()), Act::Ask, Act::Keep, Act::Add(name()), Act::Ask, Act::Save, Act::Restart] {
        world.act(act);
    }
    assert!(world.good);
    // As many changes as the file has, but others.
    world.act(Act::Restore);
    world.act(Act::Add("Outra Pessoa".to_owned()));
    world.act(Act::Add("Mais Outra".to_owned()));
    assert!(!world.good);
    for act in [Act::Restart, Act::Save, Act::Keep, Act::Add(name()), Act::Restart, Act::Restore] {
        world.act(act);
    }
    assert!(world.good, "the copy was made after the file");
    (0..3).for_each(|_| _ = world.add("Ana"));
    let forget = "DELETE FROM changes WHERE seq < (SELECT max(seq) FROM changes)";
    world.other().execute(forget, []).unwrap();
    world.good = false;
    world.act(Act::Restart);
}

#[test]
fn what_this_process_wrote_is_there_while_other_writes_are_not() {
    let mut world = World::new();
    let version = |world: &World| {
        let (customers, latest) = (world.customers.clone(), world.latest());
        world.read(move |db| customers.version(db, latest).unwrap())
    };
    world.customers.rush.begin();
    let before = version(&world);
    (0..600).for_each(|_| _ = world.add("Ana"));
    assert_eq!(version(&world), before, "the list is the same, and so is what tells it from others");
    world.act(Act::Write("Josefa".to_owned()));
    let after = version(&world);
    assert_ne!(after, before, "whoever has the list of before is to get another one");
    let customers = world.customers.clone();
    let held = customers.state.read().as_ref().map(|state| state.part.all().len());
    assert_eq!(held, Some(1), "nobody has asked yet");
    // Far behind for the first time: whoever asks waits. Far behind for more than a second: nobody does.
    customers.rush.begin();
    let found = world.read(move |db| customers.current(db).unwrap().all().iter().collect::<Vec<_>>());
    assert_eq!(found, [601]);
    assert_eq!(version(&world), after);
    world.clock.advance(std::time::Duration::from_secs(2));
    world.compare();
    assert_ne!(version(&world), after);
}

#[test]
fn a_stop_ends_a_build_and_leaves_what_stands() {
    let world = World::new();
    (0..20).for_each(|_| _ = world.add("Ana"));
    let seq = world.latest();
    let stop = Stop::default();
    let rush = Rush::new(world.clock.clone(), crossbeam_channel::bounded(1).0);
    let fresh: Arc<Followed<Customers>> =
        Arc::new(Followed::new(world.folder.path().to_owned(), TimeZone::UTC, rush, stop.clone()));
    stop.set();
    let asked = fresh.clone();
    let refused =
        |ended: Result<(), store::Error>| assert!(matches!(ended, Err(store::Error::Closed)), "{ended:?}");
    refused(world.read(move |db| asked.current(db).map(|_| ())));
    assert_eq!(fresh.seq(), None);
    refused(world.read(move |db| Customers::build(db, &TimeZone::UTC, &stop).map(|_| ())));

    world.compare();
    world.customers.stop.set();
    let customers = world.customers.clone();
    refused(world.read(move |db| customers.rebuild(db)));
    assert_eq!(world.customers.seq(), Some(seq));
    world.add("Bia");
    world.compare();
}

//! A cache of the JSON of records. A record stays cached until a commit may have changed its JSON, or until its space
//! is needed. Requests for a cached record are answered without a thread of the store, and list pages usually read only
//! the records that are not cached.

use std::collections::{BTreeSet, HashMap};
use std::mem;
use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;

use crate::store::journal::affected_records::{self, Change, RowKind};
use crate::store::{Changes, Committed, Db, Store};

/// Maximum size of each half of the cache (`young` and `old`) in bytes, enough for several thousand records.
const MAX_HALF_BYTES: usize = 4 * 1024 * 1024;
/// Bytes that a cached record takes in addition to its JSON: its map entry and the allocator's overhead.
const ENTRY_BYTES: usize = 128;

#[derive(Default)]
pub(in crate::http) struct RecordCache(Mutex<Records>);

/// The cached records. Their keys are kind and id, as in the store's changes.
#[derive(Default)]
struct Records {
    /// Number of commits seen.
    turn: u64,
    /// Newest journal number seen.
    seq: u64,
    /// The records that were used most recently.
    young: HashMap<Change, Bytes>,
    /// The previous content of `young`. A record that is used moves back to `young`; the others are dropped when
    /// `young` is full again.
    old: HashMap<Change, Bytes>,
    /// Size of `young`.
    bytes: usize,
    /// The kinds of all records that were cached since the cache was last empty.
    kinds: BTreeSet<RowKind>,
}

impl RecordCache {
    /// Creates a cache that listens to the commits of a store.
    pub(in crate::http) fn start(store: &Store) -> Arc<RecordCache> {
        let cache = Arc::new(RecordCache::default());
        let listener = cache.clone();
        store.after_commit(Box::new(move |db, committed| listener.committed(db, committed)));
        cache
    }

    /// Drops the records whose JSON the commit may have changed: the written records, and those that show data of them.
    fn committed(&self, db: Db<'_>, committed: &Committed<'_>) {
        let cached = {
            let mut records = self.0.lock();
            // What is read from here on is current, so kinds that are cached from here on have nothing to drop.
            records.turn += 1;
            records.kinds.clone()
        };
        // `None` drops everything: the changes are too many, unknown or unreadable, or a list entry was written.
        let touched = match committed.changes {
            Changes::These(changes) => affected_records::touched(db, changes, &cached).ok().flatten(),
            Changes::After(_) | Changes::Anything => None,
        };
        let mut records = self.0.lock();
        match touched {
            Some(touched) => touched.iter().for_each(|key| records.forget(key)),
            None => *records = Records { turn: records.turn, ..Records::default() },
        }
        records.seq = committed.seq;
    }

    pub(in crate::http) fn get(&self, kind: RowKind, id: u32) -> Option<Bytes> {
        self.0.lock().find((kind, id))
    }

    /// Returns the newest journal number, up to which the cache is current, and each of the records if it is cached.
    pub(in crate::http) fn find(&self, kind: RowKind, ids: &[u32]) -> (u64, Vec<Option<Bytes>>) {
        let mut records = self.0.lock();
        (records.seq, ids.iter().map(|id| records.find((kind, *id))).collect())
    }

    /// Returns the number of commits so far, for [`RecordCache::keep`]. Must be called before the records are read.
    pub(in crate::http) fn turn(&self) -> u64 {
        self.0.lock().turn
    }

    /// Caches records that were read after [`RecordCache::turn`] returned `turn`. Does nothing if a commit has occurred
    /// since then, because it may have changed them.
    pub(in crate::http) fn keep(&self, turn: u64, kind: RowKind, read: &[(u32, Bytes)]) {
        let mut records = self.0.lock();
        if records.turn == turn {
            for (id, json) in read {
                records.add((kind, *id), json.clone());
            }
        }
    }
}

impl Records {
    fn forget(&mut self, key: &Change) {
        self.old.remove(key);
        if let Some(json) = self.young.remove(key) {
            self.bytes -= json.len() + ENTRY_BYTES;
        }
    }

    fn find(&mut self, key: Change) -> Option<Bytes> {
        if let Some(json) = self.young.get(&key) {
            return Some(json.clone());
        }
        let json = self.old.remove(&key)?;
        self.add(key, json.clone());
        Some(json)
    }

    fn add(&mut self, key: Change, json: Bytes) {
        self.forget(&key);
        let size = json.len() + ENTRY_BYTES;
        if self.bytes + size > MAX_HALF_BYTES {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.kinds.insert(key.0);
        self.young.insert(key, json);
        self.bytes += size;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::text::{Name, Short};
    use crate::records::{
        Customer, CustomerId, Kind as Noun, Lawsuit, LawsuitId, Origin, OriginId, Record, StageId, TypeId,
        UserId,
    };
    use crate::store::nouns::{customers, lawsuits};
    use crate::store::{self, records};

    const CUSTOMER: RowKind = RowKind::Record(Noun::Customer);
    const LAWSUIT: RowKind = RowKind::Record(Noun::Lawsuit);

    fn json(size: usize) -> Bytes {
        Bytes::from(vec![b' '; size])
    }

    #[test]
    fn requested_records_stay_cached_within_a_memory_limit() {
        let folder = tempfile::tempdir().unwrap();
        let cache = RecordCache::start(&Store::open(folder.path()).unwrap());
        let found = |id| cache.get(CUSTOMER, id).map(|json| json.len());
        assert_eq!(found(0), None);
        cache.keep(cache.turn(), CUSTOMER, &[(0, json(1))]);
        assert!(cache.get(LAWSUIT, 0).is_none(), "a record of another kind");
        for id in 1..100 {
            // A record that is added twice counts once.
            cache.keep(
                cache.turn(),
                CUSTOMER,
                &[(id, json(MAX_HALF_BYTES / 10)), (id, json(MAX_HALF_BYTES / 10))],
            );
            assert_eq!(found(0), Some(1), "{id}");
            let records = cache.0.lock();
            let held = records.young.values().chain(records.old.values()).map(Bytes::len).sum::<usize>();
            assert!(held <= 2 * MAX_HALF_BYTES && records.bytes <= MAX_HALF_BYTES, "{held}");
        }
        assert!(found(99).is_some() && found(1).is_none());
    }

    #[derive(Clone, Debug)]
    enum Step {
        /// Reads a record and caches it. `late` is a write that occurs after the call of `turn`.
        Read {
            kind: RowKind,
            id: u32,
            late: Option<Box<Step>>,
        },
        AddCustomer,
        AddLawsuit(BTreeSet<u32>),
        ChangeCustomer(u32, u32),
        ChangeLawsuit(u32, u32, BTreeSet<u32>),
        RenameOrigin(u32),
        Other,
        Many,
    }

    struct World {
        _folder: tempfile::TempDir,
        store: Store,
        cache: Arc<RecordCache>,
        written: u32,
    }

    impl World {
        fn new() -> World {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path()).unwrap();
            let cache = RecordCache::start(&store);
            let mut world = World { store, cache, _folder: folder, written: 0 };
            (0..3).for_each(|_| world.write(&Step::AddCustomer));
            (1..3).for_each(|id| world.write(&Step::AddLawsuit([id, id + 1].into())));
            world
        }

        fn write(&mut self, step: &Step) {
            let step = step.clone();
            let number = self.written;
            self.written += 1;
            let done = self.store.write(move |tx| -> Result<(), store::Error> {
                let customer = |id| CustomerId::new(u64::from(id)).unwrap();
                let add = |name: String| {
                    let name = Name::parse(&name).unwrap();
                    let user = UserId::new(1).unwrap();
                    let origin = OriginId::new(1).unwrap();
                    records::insert(tx, &Customer::new(user, origin, name).unwrap(), 0).map(|_| ())
                };
                let is_there = |id: &u32| records::by_id::<Customer>(*tx, customer(*id)).unwrap().is_some();
                let those = |ids: BTreeSet<u32>| ids.into_iter().filter(is_there).map(customer).collect();
                match step {
                    Step::AddCustomer => add(format!("Nova {number}")),
                    Step::Many => (0..2_100).try_for_each(|one| add(format!("Muitas {number} {one}"))),
                    Step::AddLawsuit(ids) => {
                        let kind = TypeId::new(1).unwrap();
                        let stage = StageId::new(1).unwrap();
                        let lawsuit =
                            Lawsuit::new(UserId::new(1).unwrap(), kind, stage, &those(ids)).unwrap();
                        records::insert(tx, &lawsuit, 0).map(|_| ())
                    }
                    Step::ChangeCustomer(id, to) => {
                        let Some(mut fields) = records::by_id::<Customer>(*tx, customer(id))? else {
                            return Ok(());
                        };
                        fields.name = Name::parse(&format!("Outra {to}")).unwrap();
                        records::update(tx, customer(id), &fields, 0)
                    }
                    Step::ChangeLawsuit(id, to, ids) => {
                        let id = LawsuitId::new(u64::from(id)).unwrap();
                        let Some(mut fields) = records::by_id::<Lawsuit>(*tx, id)? else { return Ok(()) };
                        fields.protocol_number = Some(Short::parse(&to.to_string()).unwrap());
                        fields.customers = those(ids);
                        records::update(tx, id, &fields, 0)
                    }
                    Step::RenameOrigin(to) => {
                        let name = Name::parse(&format!("Origem {to}")).unwrap();
                        records::update(
                            tx,
                            OriginId::new(1).unwrap(),
                            &Origin { name, active: true, opposing: None },
                            0,
                        )
                    }
                    Step::Other | Step::Read { .. } => store::try_write(tx),
                }
            });
            done.unwrap();
        }

        fn found(&self, kind: RowKind, id: u32) -> Option<Bytes> {
            self.cache.find(kind, &[id]).1.pop()?
        }

        fn shown(&self, kind: RowKind, id: u32) -> Option<Bytes> {
            self.store
                .read(move |db| -> Result<Option<Bytes>, store::Error> {
                    db.snapshot(|db| {
                        let table = match kind {
                            CUSTOMER => Customer::TABLE,
                            _ => Lawsuit::TABLE,
                        };
                        let mut shown = None;
                        records::show_each(db, table, &[id], |row| {
                            let values = (0..table.fields.len()).map(|at| row.value(at));
                            let values = values.collect::<Result<Vec<_>, _>>()?;
                            let linked = match kind {
                                CUSTOMER => format!("{:?}", customers::lawsuits(db, id)?),
                                _ => format!("{:?}", lawsuits::customers(db, id)?),
                            };
                            shown = Some(format!("{values:?} {linked}"));
                            Ok(())
                        })?;
                        Ok(shown.map(Bytes::from))
                    })
                })
                .unwrap()
        }

        fn take(&mut self, step: &Step) {
            let Step::Read { kind, id, late } = step else { return self.write(step) };
            if self.found(*kind, *id).is_some() {
                return;
            }
            let turn = self.cache.turn();
            late.iter().for_each(|late| self.write(late));
            if let Some(shown) = self.shown(*kind, *id) {
                self.cache.keep(turn, *kind, &[(*id, shown)]);
            }
        }

        /// Asserts that each cached record equals the one in the store.
        fn compare(&self) {
            for (kind, id) in
                [CUSTOMER, LAWSUIT].into_iter().flat_map(|kind| (1..8).map(move |id| (kind, id)))
            {
                if let Some(cached) = self.found(kind, id) {
                    assert_eq!(Some(cached), self.shown(kind, id), "{kind:?} {id}");
                }
            }
        }
    }

    fn writing() -> impl Strategy<Value = Step> {
        let those = || prop::collection::btree_set(1u32..6, 1..4);
        prop_oneof![
            3 => Just(Step::AddCustomer),
            2 => those().prop_map(Step::AddLawsuit),
            3 => (1u32..6, 0u32..9).prop_map(|(id, to)| Step::ChangeCustomer(id, to)),
            4 => (1u32..6, 0u32..9, those()).prop_map(|(id, to, those)| Step::ChangeLawsuit(id, to, those)),
            1 => (0u32..9).prop_map(Step::RenameOrigin),
            1 => Just(Step::Other),
        ]
    }

    fn step() -> impl Strategy<Value = Step> {
        let kind = prop_oneof![Just(CUSTOMER), Just(LAWSUIT)];
        let late = prop::option::weighted(0.2, writing().prop_map(Box::new));
        prop_oneof![
            3 => (kind, 1u32..6, late).prop_map(|(kind, id, late)| Step::Read { kind, id, late }),
            2 => writing(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn cached_records_equal_the_stored_ones(steps in prop::collection::vec(step(), 1..60)) {
            let mut world = World::new();
            for step in steps {
                world.take(&step);
                world.compare();
            }
        }
    }

    #[test]
    fn a_write_drops_only_the_records_it_affects() {
        let mut world = World::new();
        // Lawsuit 1 has customers 1 and 2. Lawsuit 2 has customers 2 and 3.
        let [ana, bia, caio] = [1, 2, 3].map(|id| (CUSTOMER, id));
        let [first, second] = [1, 2].map(|id| (LAWSUIT, id));
        let all = [ana, bia, caio, first, second];
        for (step, dropped) in [
            (Step::AddCustomer, &[][..]),
            (Step::Other, &[]),
            (Step::ChangeCustomer(1, 1), &[ana, first]),
            (Step::ChangeLawsuit(2, 1, [2, 3].into()), &[bia, caio, second]),
            (Step::ChangeLawsuit(2, 1, [1, 2].into()), &[ana, bia, caio, second]),
            (Step::AddLawsuit([3].into()), &[caio]),
            (Step::RenameOrigin(1), &all),
            (Step::Many, &all),
        ] {
            for (kind, id) in all {
                world.take(&Step::Read { kind, id, late: None });
            }
            world.write(&step);
            let gone = |(kind, id): &(RowKind, u32)| world.found(*kind, *id).is_none();
            assert_eq!(all.into_iter().filter(gone).collect::<Vec<_>>(), dropped, "{step:?}");
        }
    }
}

//! Records as JSON, kept until somebody touches them: who asks for one again waits for no store thread, and a page that
//! holds it need not read it.
//!
//! Nobody has to say what became wrong. Everything here is as it was read in one state of the store or in a later one; once
//! the store is in another, whoever wrote, the records that its changes touch are dropped, or all where that is not known.

use std::collections::HashMap;
use std::mem;

use bytes::Bytes;
use parking_lot::Mutex;

use crate::store::changes::Kind;
use crate::store::{State, Store};

/// How many bytes of records each of the two halves may hold: some thousands of them.
const HALF: usize = 4 * 1024 * 1024;
/// About what a record takes beside its JSON: its place in the map, and what the allocator adds.
const BESIDE: usize = 128;

/// What a record is, and its id.
pub(super) type Key = (Kind, u32);

#[derive(Default)]
pub(super) struct Kept(Mutex<Records>);

#[derive(Default)]
struct Records {
    state: Option<State>,
    /// The newest change of that state.
    seq: u64,
    /// Those that were asked for last.
    young: HashMap<Key, Bytes>,
    /// Those that were young when that half was full: what nobody asks for again goes with the next time.
    old: HashMap<Key, Bytes>,
    /// Of the young ones.
    bytes: usize,
}

impl Kept {
    /// The records of that kind with those ids, as they are in the state `now`, which the caller has just asked for, or in
    /// a later one; none for one that is not kept. With that state, where it can be told.
    pub(super) fn find(
        &self,
        store: &Store,
        now: Option<State>,
        kind: Kind,
        ids: &[u32],
    ) -> (Option<State>, Vec<Option<Bytes>>) {
        let mut records = self.0.lock();
        if now.is_none() || now != records.state {
            records.turn(store);
        }
        (records.state, ids.iter().map(|id| records.find((kind, *id))).collect())
    }

    /// Keeps records of that kind. `state` was asked for before they were read.
    pub(super) fn keep(&self, state: State, kind: Kind, read: &[(u32, Bytes)]) {
        let mut records = self.0.lock();
        if records.state == Some(state) {
            for (id, json) in read {
                records.add((kind, *id), json.clone());
            }
        }
    }
}

impl Records {
    /// Takes over what was written since the last time.
    fn turn(&mut self, store: &Store) {
        let turned = store.turn(self.seq).ok();
        match turned.as_ref().and_then(|turn| turn.touched.as_ref()).filter(|_| self.state.is_some()) {
            Some(touched) => touched.iter().for_each(|key| self.drop(key)),
            None => *self = Records::default(),
        }
        self.state = turned.as_ref().map(|turn| turn.state);
        self.seq = turned.map_or(0, |turn| turn.seq);
    }

    fn drop(&mut self, key: &Key) {
        self.old.remove(key);
        if let Some(json) = self.young.remove(key) {
            self.bytes -= json.len() + BESIDE;
        }
    }

    fn find(&mut self, key: Key) -> Option<Bytes> {
        if let Some(json) = self.young.get(&key) {
            return Some(json.clone());
        }
        let json = self.old.remove(&key)?;
        self.add(key, json.clone());
        Some(json)
    }

    fn add(&mut self, key: Key, json: Bytes) {
        self.drop(&key);
        let size = json.len() + BESIDE;
        if self.bytes + size > HALF {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.young.insert(key, json);
        self.bytes += size;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::id::{CustomerId, LawsuitId, OriginId, StageId, TypeId, UserId};
    use crate::domain::text::{Name, Short};
    use crate::records::{Customer, Lawsuit, Record};
    use crate::store::settings::{self, List};
    use crate::store::{self, customers, lawsuits, records};

    fn json(size: usize) -> Bytes {
        Bytes::from(vec![b' '; size])
    }

    /// The length of the record that is kept under that id.
    fn found(kept: &Kept, store: &Store, id: u32) -> Option<usize> {
        kept.find(store, store.state(Duration::ZERO).ok(), Kind::Customer, &[id]).1[0]
            .as_ref()
            .map(Bytes::len)
    }

    #[test]
    fn what_is_asked_for_stays_and_memory_has_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let (store, kept) = (Store::open(folder.path()).unwrap(), Kept::default());
        let state = store.state(Duration::ZERO).unwrap();
        assert_eq!(found(&kept, &store, 0), None);
        kept.keep(state, Kind::Customer, &[(0, json(1))]);
        assert!(kept.find(&store, Some(state), Kind::Lawsuit, &[0]).1[0].is_none(), "of another kind");
        for id in 1..100 {
            // Twice the same counts once.
            kept.keep(state, Kind::Customer, &[(id, json(HALF / 10)), (id, json(HALF / 10))]);
            assert_eq!(found(&kept, &store, 0), Some(1), "{id}");
            let records = kept.0.lock();
            let held = records.young.values().chain(records.old.values()).map(Bytes::len).sum::<usize>();
            assert!(held <= 2 * HALF && records.bytes <= HALF, "{held}");
        }
        assert!(found(&kept, &store, 99).is_some() && found(&kept, &store, 1).is_none());
    }

    /// What one program does, or another one beside it.
    #[derive(Clone, Debug)]
    enum Step {
        /// Reads a record and keeps it; `late`: somebody writes after the state was asked for.
        Read {
            kind: Kind,
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
        stores: [Arc<Store>; 2],
        kept: Kept,
        written: u32,
    }

    impl World {
        fn new() -> World {
            let folder = tempfile::tempdir().unwrap();
            let open = || Arc::new(Store::open(folder.path()).unwrap());
            let mut world =
                World { stores: [open(), open()], _folder: folder, kept: Kept::default(), written: 0 };
            (0..3).for_each(|_| world.write(0, &Step::AddCustomer));
            (1..3).for_each(|id| world.write(0, &Step::AddLawsuit([id, id + 1].into())));
            world
        }

        fn write(&mut self, by: usize, step: &Step) {
            let (step, number) = (step.clone(), self.written);
            self.written += 1;
            let done = self.stores[by].write(move |tx| -> Result<(), store::Error> {
                let customer = |id| CustomerId::new(u64::from(id)).unwrap();
                let add = |name: String| {
                    let name = Name::parse(&name).unwrap();
                    let (user, origin) = (UserId::new(1).unwrap(), OriginId::new(1).unwrap());
                    records::insert(tx, &Customer::new(user, origin, name).unwrap(), 0).map(|_| ())
                };
                let is_there = |id: &u32| records::by_id::<Customer>(*tx, customer(*id)).unwrap().is_some();
                let those = |ids: BTreeSet<u32>| ids.into_iter().filter(is_there).map(customer).collect();
                match step {
                    Step::AddCustomer => add(format!("Nova {number}")),
                    Step::Many => (0..2_100).try_for_each(|one| add(format!("Muitas {number} {one}"))),
                    Step::AddLawsuit(ids) => {
                        let (kind, stage) = (TypeId::new(1).unwrap(), StageId::new(1).unwrap());
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
                        settings::update(tx, List::Origins, 1, &settings::Fields::new(name))
                    }
                    Step::Other | Step::Read { .. } => store::try_write(tx),
                }
            });
            done.unwrap();
        }

        fn found(&self, kind: Kind, id: u32) -> Option<Bytes> {
            let now = self.stores[0].state(Duration::ZERO).ok();
            self.kept.find(&self.stores[0], now, kind, &[id]).1.pop()?
        }

        fn shown(&self, kind: Kind, id: u32) -> Option<Bytes> {
            self.stores[0]
                .read(move |db| -> Result<Option<Bytes>, store::Error> {
                    db.snapshot(|db| {
                        let table = match kind {
                            Kind::Customer => Customer::TABLE,
                            _ => Lawsuit::TABLE,
                        };
                        let mut shown = None;
                        records::show_each(db, table, &[id], |row| {
                            let values = (0..table.fields.len()).map(|at| row.value(at));
                            let values = values.collect::<Result<Vec<_>, _>>()?;
                            let linked = match kind {
                                Kind::Customer => format!("{:?}", customers::lawsuits(db, id)?),
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

        fn take(&mut self, by: usize, step: &Step) {
            let Step::Read { kind, id, late } = step else { return self.write(by, step) };
            if self.found(*kind, *id).is_some() {
                return;
            }
            let state = self.stores[0].state(Duration::ZERO).unwrap();
            late.iter().for_each(|late| self.write(by, late));
            if let Some(shown) = self.shown(*kind, *id) {
                self.kept.keep(state, *kind, &[(*id, shown)]);
            }
        }

        /// Nothing is kept that is shown otherwise by now.
        fn compare(&self) {
            for (kind, id) in
                [Kind::Customer, Kind::Lawsuit].into_iter().flat_map(|kind| (1..8).map(move |id| (kind, id)))
            {
                if let Some(kept) = self.found(kind, id) {
                    assert_eq!(Some(kept), self.shown(kind, id), "{kind:?} {id}");
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
        let kind = prop_oneof![Just(Kind::Customer), Just(Kind::Lawsuit)];
        let late = prop::option::weighted(0.2, writing().prop_map(Box::new));
        prop_oneof![
            3 => (kind, 1u32..6, late).prop_map(|(kind, id, late)| Step::Read { kind, id, late }),
            2 => writing(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_is_kept_is_what_would_be_read(steps in prop::collection::vec((0usize..2, step()), 1..60)) {
            let mut world = World::new();
            for (by, step) in steps {
                world.take(by, &step);
                world.compare();
            }
        }
    }

    #[test]
    fn only_what_a_write_touches_is_dropped() {
        let mut world = World::new();
        // Lawsuit 1 is of customers 1 and 2, lawsuit 2 of 2 and 3.
        let [ana, bia, caio] = [1, 2, 3].map(|id| (Kind::Customer, id));
        let [first, second] = [1, 2].map(|id| (Kind::Lawsuit, id));
        let all = [ana, bia, caio, first, second];
        for (by, step, dropped) in [
            (0, Step::AddCustomer, &[][..]),
            (1, Step::Other, &[]),
            (0, Step::ChangeCustomer(1, 1), &[ana, first]),
            (1, Step::ChangeLawsuit(2, 1, [2, 3].into()), &[bia, caio, second]),
            (0, Step::ChangeLawsuit(2, 1, [1, 2].into()), &[ana, bia, caio, second]),
            (1, Step::AddLawsuit([3].into()), &[caio]),
            (0, Step::RenameOrigin(1), &all),
            (1, Step::Many, &all),
        ] {
            for (kind, id) in all {
                world.take(0, &Step::Read { kind, id, late: None });
            }
            world.write(by, &step);
            let gone = |(kind, id): &(Kind, u32)| world.found(*kind, *id).is_none();
            assert_eq!(all.into_iter().filter(gone).collect::<Vec<_>>(), dropped, "{step:?}");
        }
    }
}

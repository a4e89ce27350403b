//! Merges, hand-overs, their undo, edits, restorations, completions and erasures in random sequences: after each act, every
//! reference and member is compared with a plain model (office 53 and 56).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::naive::with_check_digits;
use crate::office::{Office, Reply};

/// What a record refers to, chosen by people, and the replacements that stand for it, each as the one that went and the one that
/// stayed. A guest has `true` if the task is done.
#[derive(Clone, Debug, Default)]
struct Reference {
    chosen: Vec<(u64, bool)>,
    replaced: Vec<[u64; 2]>,
}

impl Reference {
    fn of(ids: &[u64]) -> Reference {
        Reference { chosen: ids.iter().map(|id| (*id, false)).collect(), replaced: Vec::new() }
    }

    /// Returns the record that stands for a chosen one after the first replacements.
    fn shown_for(&self, id: u64, count: usize) -> u64 {
        self.replaced[..count].iter().fold(id, |id, [from, into]| if id == *from { *into } else { id })
    }

    fn is_shown(&self, id: u64) -> bool {
        self.shown().iter().any(|(shown, _)| *shown == id)
    }

    fn shown(&self) -> Vec<(u64, bool)> {
        self.replaced.iter().fold(self.chosen.clone(), |mut list, [from, into]| {
            let Some(at) = list.iter().position(|(id, _)| id == from) else { return list };
            match list.iter().position(|(id, _)| id == into) {
                Some(own) => {
                    list[own].1 &= list[at].1;
                    list.remove(at);
                }
                None => list[at].0 = *into,
            }
            list
        })
    }

    fn replace(&mut self, from: u64, into: u64) {
        if self.is_shown(from) {
            self.replaced.push([from, into]);
        }
    }

    fn choose(&mut self, list: &[u64]) {
        let shown = self.shown();
        let behind = |id: &u64| {
            let own = self.chosen.iter().copied();
            let own =
                own.filter(|(one, _)| self.shown_for(*one, self.replaced.len()) == *id).collect::<Vec<_>>();
            if shown.iter().any(|(one, _)| one == id) { own } else { vec![(*id, false)] }
        };
        self.chosen = list.iter().flat_map(behind).collect();
    }

    fn mark(&mut self, guest: u64, is_done: bool) {
        let last = self.replaced.len();
        let behind = (0..self.chosen.len()).filter(|at| self.shown_for(self.chosen[*at].0, last) == guest);
        for at in behind.collect::<Vec<_>>() {
            self.chosen[at].1 = is_done;
        }
    }

    /// Lets what was shown for `from` be that of the one that stayed, for good.
    fn settle(&mut self, from: u64) {
        let Some(at) = self.replaced.iter().position(|[gone, _]| *gone == from) else { return };
        let into = self.replaced[at][1];
        let shown = self.chosen.iter().map(|(id, _)| self.shown_for(*id, at)).collect::<Vec<_>>();
        self.replaced.remove(at);
        if !shown.contains(&from) {
            return;
        }
        let own = self.chosen.iter().position(|(id, _)| *id == into);
        let mut all = (0..shown.len()).filter(|at| shown[*at] == from || Some(*at) == own);
        let one = (into, all.all(|at| self.chosen[at].1));
        // Beside the one that already stands for it, or in the place of the one that went.
        let place = own.or(shown.iter().position(|id| *id == into));
        let place = place.unwrap_or_else(|| shown.iter().position(|id| *id == from).unwrap());
        let mut chosen = Vec::new();
        for (at, id) in shown.into_iter().enumerate() {
            if at == place {
                chosen.push(one);
            }
            if id != from && Some(at) != own {
                chosen.push(self.chosen[at]);
            }
        }
        self.chosen = chosen;
    }

    /// Takes the replacement of `from` back, if a person did not choose another one since.
    fn undo(&mut self, from: u64) {
        self.replaced.retain(|[gone, _]| *gone != from);
    }

    /// Returns `true` if the record is behind what is shown without the replacement of `from`.
    fn has_behind(&self, from: u64) -> bool {
        let mut without = self.clone();
        without.undo(from);
        without.is_shown(from)
    }
}

/// Members of customers: filled if empty, joined, the deceased prevail, and unique.
const MEMBERS: [&str; 4] = ["email", "notes", "situation", "identification"];

/// A member of a customer: what a person gave it, and what merges add, each with the record that went.
#[derive(Clone, Debug, Default)]
struct Member {
    base: Option<String>,
    fills: Vec<(u64, Option<String>)>,
}

impl Member {
    fn value(&self) -> Option<String> {
        self.value_after(self.fills.len())
    }

    /// Returns the value after the first merges.
    fn value_after(&self, count: usize) -> Option<String> {
        self.fills[..count].iter().fold(self.base.clone(), |own, (_, more)| match (own, more) {
            (None, more) => more.clone(),
            (Some(own), Some(more)) if more == "deceased" || own.contains(more.as_str()) => {
                Some(if more == "deceased" { more.clone() } else { own })
            }
            (Some(own), Some(more)) if own.starts_with("nota") => Some([own.as_str(), more].join("\n\n")),
            (own, _) => own,
        })
    }

    /// Lets what a merge filled in stay for good.
    fn settle(&mut self, from: u64) {
        let Some(at) = self.fills.iter().position(|(gone, _)| *gone == from) else { return };
        if self.value_after(at) == self.value_after(at + 1) {
            self.fills.remove(at);
        } else {
            self.fills[at].0 = 0;
        }
    }
}

/// A merge that stands, with the members of the record that stayed before and after it.
struct Merge {
    from: u64,
    into: u64,
    at: i64,
    before: [Option<String>; 4],
    after: [Option<String>; 4],
}

struct HandOver {
    from: u64,
    to: u64,
}

/// The kinds of references, each with the path of its records and the name of the member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Of {
    Clients,
    Party,
    Payer,
    Visitor,
    Responsible,
    Guests,
}

impl Of {
    const fn is_person(self) -> bool {
        matches!(self, Of::Responsible | Of::Guests)
    }

    const fn resource(self) -> &'static str {
        match self {
            Of::Clients | Of::Party | Of::Responsible => "lawsuits",
            Of::Payer => "transactions",
            Of::Visitor | Of::Guests => "posts",
        }
    }

    /// Returns the name of the member in `kept`.
    const fn member(self) -> &'static str {
        match self {
            Of::Clients => "customers",
            Of::Party => "opposing_parties",
            Of::Payer | Of::Visitor => "customers_id",
            Of::Responsible | Of::Guests => "",
        }
    }

    fn body(self, ids: &[u64]) -> Value {
        match self {
            Of::Clients => json!({ "customers_id": ids }),
            Of::Party => json!({ "opposing_parties": [{ "party_id": 1, "customer_id": ids[0] }] }),
            Of::Payer | Of::Visitor => json!({ "customers_id": ids[0] }),
            Of::Responsible => json!({ "users_id": ids[0] }),
            Of::Guests => json!({ "guests": ids }),
        }
    }

    /// Reads the reference from the answer of a GET.
    fn read(self, record: &Value) -> Vec<(u64, bool)> {
        let one = |id: &Value| vec![(id.as_u64().unwrap(), false)];
        match self {
            Of::Clients => {
                let all = record["customers"].as_array().unwrap().iter();
                all.map(|one| (one["customer_id"].as_u64().unwrap(), false)).collect()
            }
            Of::Party => one(&record["opposing_parties"][0]["customer_id"]),
            Of::Payer | Of::Visitor => one(&record["customers_id"]),
            Of::Responsible => one(&record["responsible_id"]),
            Of::Guests => {
                let all = record["users"].as_array().unwrap().iter();
                all.map(|one| (one["user_id"].as_u64().unwrap(), !one["completed"].is_null())).collect()
            }
        }
    }
}

struct World {
    office: Office,
    random: u64,
    /// Customers that are live or merged.
    customers: BTreeMap<u64, [Member; 4]>,
    merges: Vec<Merge>,
    /// Who has a CPF, the merged records included.
    holders: BTreeMap<String, u64>,
    /// The users, and those of them who are active.
    active: BTreeSet<u64>,
    handed: Vec<HandOver>,
    references: BTreeMap<(Of, u64), Reference>,
    /// Number of texts made so far.
    texts: u64,
    acts: Vec<String>,
}

impl World {
    fn new(seed: u64) -> World {
        let office = Office::new();
        for name in ["Ana Souza", "Rui Prado", "Davi Sá", "Eva Luz"] {
            assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
        }
        let client = office.customer("Zélia Ramos", json!({}));
        let mut world = World {
            office,
            random: 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed),
            customers: BTreeMap::new(),
            merges: Vec::new(),
            holders: BTreeMap::new(),
            active: (1..=5).collect(),
            handed: Vec::new(),
            references: BTreeMap::new(),
            texts: 0,
            acts: Vec::new(),
        };
        let [a, b, c, d] = [(); 4].map(|()| world.add_customer());
        let mut add = |of: Of, id: u64, ids: &[u64]| world.references.insert((of, id), Reference::of(ids));
        let office = &world.office;
        for (list, user) in [(vec![a], 2), (vec![b, a], 3), (vec![c, a, d], 2)] {
            let case = office.lawsuit(&list, json!({ "users_id": user }));
            add(Of::Clients, case, &list);
            add(Of::Responsible, case, &[user]);
        }
        let party = json!({ "opposing_parties": [{ "customer_id": b }] });
        add(Of::Party, office.lawsuit(&[client], party), &[b]);
        for customer in [a, c] {
            let body = json!({
                "entry_type": "income", "date_due": "2026-12-15", "amount": "10.00", "users_id": 1, "categories_id": 1,
                "cost_centers_id": 1, "debit_account": 1, "customers_id": customer,
            });
            let id = office.post("/transactions", &body).json()["transaction_id"].as_u64().unwrap();
            add(Of::Payer, id, &[customer]);
        }
        for (day, guests) in [(21, vec![2]), (22, vec![3, 2]), (23, vec![4, 3, 2])] {
            let body = json!({
                "from": 1, "guests": guests, "tasks_id": 4, "start_date": format!("2026-12-{day}"), "customers_id": d,
            });
            let id = office.post("/posts", &body).json()["posts_id"].as_u64().unwrap();
            add(Of::Guests, id, &guests);
            add(Of::Visitor, id, &[d]);
        }
        world
    }

    fn below(&mut self, most: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from(self.random % most as u64).unwrap()
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.below(all.len())]) }
    }

    fn cpf(&mut self) -> String {
        self.texts += 1;
        let digits = with_check_digits(&format!("{:09}", 100_000_000 + self.texts), 11);
        [&digits[..3], ".", &digits[3..6], ".", &digits[6..9], "-", &digits[9..]].concat()
    }

    /// Returns a value for a member, or `None` to leave it empty.
    fn text(&mut self, member: &str) -> Option<String> {
        let is_empty = self.below(3) == 0;
        self.texts += 1;
        let number = self.texts;
        match member {
            "situation" => Some(["active", "inactive", "deceased"][self.below(3)].to_owned()),
            _ if is_empty => None,
            // Records of one person often have the same address.
            "email" => Some(format!("{}@exemplo.com.br", ["a", "b", "c"][self.below(3)])),
            "notes" => Some(format!("nota {number:03}")),
            _ => {
                let free = self.holders.iter().filter(|(_, holder)| **holder == 0);
                let free = free.map(|(number, _)| number.clone()).next();
                Some(free.unwrap_or_else(|| self.cpf()))
            }
        }
    }

    fn add_customer(&mut self) -> u64 {
        let texts = MEMBERS.map(|member| self.text(member));
        let id = self.office.customer("Ana Lima", MEMBERS.into_iter().zip(texts.clone()).collect());
        if let Some(number) = &texts[3] {
            self.holders.insert(number.clone(), id);
        }
        self.customers.insert(id, texts.map(|base| Member { base, fills: Vec::new() }));
        id
    }

    fn values(&self, id: u64) -> [Option<String>; 4] {
        self.customers[&id].each_ref().map(Member::value)
    }

    fn is_merged(&self, id: u64) -> bool {
        self.merges.iter().any(|merge| merge.from == id)
    }

    fn live(&self) -> Vec<u64> {
        self.customers.keys().copied().filter(|id| !self.is_merged(*id)).collect()
    }

    fn put(&self, path: String, body: &Value) {
        let changed = self.office.put(&path, body);
        assert_eq!(changed.status, 200, "{path} {body}: {} {:?}", changed.text(), self.acts);
    }

    fn of_customers(&mut self) -> impl Iterator<Item = (&(Of, u64), &mut Reference)> {
        self.references.iter_mut().filter(|((of, _), _)| !of.is_person())
    }

    fn of_people(&mut self) -> impl Iterator<Item = (&(Of, u64), &mut Reference)> {
        self.references.iter_mut().filter(|((of, _), _)| of.is_person())
    }

    fn merge(&mut self) {
        let live = self.live();
        let (Some(into), Some(from)) = (self.one_of(&live), self.one_of(&live)) else { return };
        if into == from {
            return;
        }
        self.acts.push(format!("merge {from} into {into}"));
        let merged = self.office.post(&format!("/customers/{into}/merge"), &json!({ "from": from }));
        assert_eq!(merged.status, 200, "{} {:?}", merged.text(), self.acts);
        let before = self.values(into);
        let more = self.values(from);
        for (member, more) in self.customers.get_mut(&into).unwrap().iter_mut().zip(more) {
            member.fills.push((from, more));
        }
        let after = self.values(into);
        self.hold(into);
        self.of_customers().for_each(|(_, reference)| reference.replace(from, into));
        self.merges.push(Merge { from, into, at: self.office.app().now(), before, after });
    }

    /// Lets a customer hold the CPF that it has.
    fn hold(&mut self, id: u64) {
        if let [.., Some(number)] = self.values(id) {
            self.holders.insert(number, id);
        }
    }

    fn undo_merge(&mut self) {
        let undoable = (0..self.merges.len()).filter(|at| !self.is_merged(self.merges[*at].into));
        let undoable = undoable.collect::<Vec<_>>();
        let Some(at) = self.one_of(&undoable) else { return };
        let Merge { from, into, before, after, .. } = self.merges.remove(at);
        self.acts.push(format!("undo the merge of {from} into {into}"));
        let mut kept = Vec::new();
        let mut name = |resource: &str, id: u64, member: &str| {
            kept.push(json!({ "resource": resource, "id": id, "member": member }));
        };
        for ((of, id), reference) in self.references.iter_mut().filter(|((of, _), _)| !of.is_person()) {
            if reference.replaced.iter().any(|[gone, _]| *gone == from) {
                match reference.has_behind(from) {
                    true => reference.undo(from),
                    false => {
                        name(of.resource(), *id, of.member());
                        reference.settle(from);
                    }
                }
            }
        }
        let own = self.customers.get_mut(&into).unwrap();
        let had = own[3].value();
        for (at, member) in own.iter_mut().enumerate() {
            let count = member.fills.len();
            member.fills.retain(|(gone, _)| *gone != from);
            if member.fills.len() == count && before[at] != after[at] && member.value() != before[at] {
                name("customers", into, MEMBERS[at]);
            }
        }
        if let Some(number) = had.filter(|number| self.values(into)[3].as_ref() != Some(number)) {
            self.holders.insert(number, from);
        }
        self.hold(into);
        if let [.., Some(number)] = self.values(from) {
            let holder = self.holders.get_mut(&number).unwrap();
            if *holder == 0 {
                *holder = from;
            } else if *holder != from {
                name("customers", from, "identification");
                self.customers.get_mut(&from).unwrap()[3] = Member::default();
            }
        }
        let undone = self.office.post(&format!("/customers/{from}/merge/undo"), &json!({}));
        self.assert_kept(&undone, kept);
    }

    fn assert_kept(&self, undone: &Reply, mut kept: Vec<Value>) {
        assert_eq!(undone.status, 200, "{} {:?}", undone.text(), self.acts);
        let mut all = undone.json()["kept"].as_array().unwrap().clone();
        all.sort_by_key(Value::to_string);
        kept.sort_by_key(Value::to_string);
        assert_eq!(all, kept, "{:?}", self.acts);
    }

    /// Restores a merged customer alone: what passed to the other one stays there.
    fn restore(&mut self) {
        let all = (0..self.merges.len()).collect::<Vec<_>>();
        let Some(at) = self.one_of(&all) else { return };
        let Merge { from, into, .. } = self.merges.remove(at);
        self.acts.push(format!("restore {from}, merged into {into}, alone"));
        self.put(format!("/customers/{from}"), &json!({ "deleted": false }));
        self.end_merge(from, into);
        let number = self.values(from)[3].clone();
        if number.is_some_and(|number| self.holders[&number] != from) {
            self.customers.get_mut(&from).unwrap()[3] = Member::default();
        }
    }

    fn end_merge(&mut self, from: u64, into: u64) {
        self.of_customers().for_each(|(_, reference)| reference.settle(from));
        if let Some(own) = self.customers.get_mut(&into) {
            own.iter_mut().for_each(|member| member.settle(from));
        }
    }

    /// Erases merged customers up to one of them for good.
    fn erase(&mut self) {
        let times = self.merges.iter().map(|merge| merge.at).collect::<Vec<_>>();
        let Some(until) = self.one_of(&times) else { return };
        self.acts.push(format!("erase until {until}"));
        self.office.store().erase_deleted(until, None).unwrap();
        while let Some(at) = self
            .merges
            .iter()
            .position(|merge| merge.at <= until && self.merges.iter().all(|other| other.into != merge.from))
        {
            let Merge { from, into, .. } = self.merges.remove(at);
            self.end_merge(from, into);
            self.customers.remove(&from);
            self.holders.retain(|_, holder| *holder != from);
            let new = self.add_customer();
            self.acts.push(format!("{from} is erased, {new} is new"));
        }
    }

    fn edit_member(&mut self) {
        let live = self.live();
        let (Some(id), at) = (self.one_of(&live), self.below(4)) else { return };
        let value = self.text(MEMBERS[at]);
        self.acts.push(format!("{id}: {} is {value:?}", MEMBERS[at]));
        self.put(format!("/customers/{id}"), &json!({ MEMBERS[at]: value }));
        let had = self.values(id)[at].clone();
        if had == value {
            return;
        }
        if at == 3 {
            had.into_iter().for_each(|number| _ = self.holders.insert(number, 0));
        }
        self.customers.get_mut(&id).unwrap()[at] = Member { base: value, fills: Vec::new() };
        self.hold(id);
    }

    fn edit_reference(&mut self) {
        let all = self.references.keys().copied().collect::<Vec<_>>();
        let Some(key @ (of, id)) = self.one_of(&all) else { return };
        let new = if of.is_person() { self.active.iter().copied().collect() } else { self.live() };
        let Some(new) = self.one_of(&new) else { return };
        let mut list = vec![new];
        // A person turns a list and adds to it, or begins it anew.
        if matches!(of, Of::Clients | Of::Guests) && self.below(3) > 0 {
            let mut own = self.references[&key].shown().into_iter().map(|(id, _)| id).collect::<Vec<_>>();
            own.rotate_left(1);
            own.retain(|id| *id != new);
            if self.below(3) == 0 && own.len() > 1 {
                own.pop();
            }
            list.splice(0..0, own);
        }
        self.acts.push(format!("{of:?} of {id}: {list:?}"));
        self.put(format!("/{}/{id}", of.resource()), &of.body(&list));
        self.references.get_mut(&key).unwrap().choose(&list);
    }

    fn complete(&mut self) {
        let tasks = self.references.keys().copied().filter(|(of, _)| *of == Of::Guests).collect::<Vec<_>>();
        let Some(key @ (_, id)) = self.one_of(&tasks) else { return };
        let guests = self.references[&key].shown();
        let Some((guest, is_done)) = self.one_of(&guests) else { return };
        let act = if is_done { "reopen" } else { "complete" };
        self.acts.push(format!("{act} {id} for {guest}"));
        self.put(format!("/posts/{id}/{act}"), &json!({ "users_id": [guest] }));
        self.references.get_mut(&key).unwrap().mark(guest, !is_done);
    }

    fn hand_over(&mut self) {
        let active = self.active.iter().copied().collect::<Vec<_>>();
        let (Some(from), Some(to)) = (self.one_of(&active), self.one_of(&active)) else { return };
        // The first user adds the records.
        if from == to || from == 1 {
            return;
        }
        self.acts.push(format!("hand {from} over to {to}"));
        let handed = self.office.post(&format!("/settings/users/{from}/hand_over"), &json!({ "to": to }));
        assert_eq!(handed.status, 200, "{} {:?}", handed.text(), self.acts);
        self.active.remove(&from);
        for (_, reference) in self.of_people() {
            if reference.shown().contains(&(from, false)) {
                reference.replace(from, to);
            }
        }
        self.handed.push(HandOver { from, to });
    }

    fn undo_hand_over(&mut self) {
        let all = (0..self.handed.len()).collect::<Vec<_>>();
        let Some(at) = self.one_of(&all) else { return };
        let HandOver { from, to } = self.handed[at];
        let is_moved = |reference: &Reference| reference.replaced.iter().any(|[gone, _]| *gone == from);
        let undone = self.office.post(&format!("/settings/users/{from}/hand_over/undo"), &json!({}));
        self.acts.push(format!("undo the hand-over of {from} to {to}"));
        let is_handed_on = |reference: &Reference| {
            is_moved(reference)
                && reference.has_behind(from)
                && reference.shown_for(from, reference.replaced.len()) != to
        };
        if self.of_people().any(|(_, reference)| is_handed_on(reference)) {
            undone.problem(409, "handed-on");
            return;
        }
        let mut kept = Vec::new();
        for ((of, id), reference) in self.of_people().filter(|(_, reference)| is_moved(reference)) {
            let is_done = *of == Of::Guests && reference.shown().contains(&(to, true));
            if reference.has_behind(from) && !is_done {
                reference.undo(from);
            } else {
                kept.push(json!({ "resource": of.resource(), "id": id }));
                reference.settle(from);
            }
        }
        self.assert_kept(&undone, kept);
        self.handed.remove(at);
        self.active.insert(from);
    }

    /// Activates a user without undoing the hand-over.
    fn activate(&mut self) {
        let all = (0..self.handed.len()).collect::<Vec<_>>();
        let Some(at) = self.one_of(&all) else { return };
        let HandOver { from, .. } = self.handed.remove(at);
        self.acts.push(format!("activate {from}"));
        self.put(format!("/settings/users/{from}"), &json!({ "active": true }));
        self.active.insert(from);
        self.of_people().for_each(|(_, reference)| reference.settle(from));
    }

    fn act(&mut self) {
        self.office.pass(1);
        match self.below(16) {
            0..=3 => self.merge(),
            4 | 5 => self.undo_merge(),
            6 => self.restore(),
            7 => self.erase(),
            8 => self.edit_member(),
            9 | 10 => self.edit_reference(),
            11 => self.complete(),
            12 | 13 => self.hand_over(),
            14 => self.undo_hand_over(),
            _ => self.activate(),
        }
    }

    fn compare(&self) {
        let read = |path: String| {
            let read = self.office.get(&path);
            assert_eq!(read.status, 200, "{path}: {} {:?}", read.text(), self.acts);
            read.json()
        };
        for id in self.live() {
            let record = read(format!("/customers/{id}"));
            let values = MEMBERS.map(|member| record[member].as_str().map(str::to_owned));
            assert_eq!(values, self.values(id), "customer {id}: {:#?}", self.acts);
        }
        let mut records = BTreeMap::new();
        for ((of, id), reference) in &self.references {
            let path = format!("/{}/{id}", of.resource());
            let record = records.entry(path.clone()).or_insert_with(|| read(path));
            assert_eq!(of.read(record), reference.shown(), "{of:?} of {id}: {:#?}", self.acts);
        }
    }
}

#[test]
fn merges_and_hand_overs_in_any_sequence_leave_what_people_chose() {
    for seed in 1..=20 {
        let mut world = World::new(seed);
        world.acts.push(format!("seed {seed}"));
        for _ in 0..24 {
            let count = world.acts.len();
            world.act();
            if world.acts.len() > count {
                world.compare();
            }
        }
    }
}

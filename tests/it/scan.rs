//! Lists return what a naive scan over all written records finds, after any sequence of writes (contract 3, 4.2, 5.2).

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use crate::forms::with_query;
use crate::naive;
use crate::office::Office;

/// One step of a random sequence. An `Index` chooses among the records written so far.
#[derive(Clone, Debug)]
enum Act {
    Create(Person),
    Rename(Index, String),
    Renumber(Index, Person),
    Sue(Vec<Index>, Option<String>),
    AskName(String),
    /// Searches for the first characters of a person's tax id. The numbers are the count of characters and the
    /// position of a dot among them.
    AskTaxId(Index, usize, usize),
    /// Searches for the last digits of a person's telephone. The number is their count, and the text is a prefix as
    /// people write it.
    AskPhone(Index, usize, &'static str),
}

#[derive(Clone, Debug)]
struct Person {
    name: String,
    tax_id: Option<String>,
    phone: Option<String>,
    cellphone: Option<String>,
}

const PARTS: [&str; 24] = [
    "João",
    "Joana",
    "José",
    "Josué",
    "Conceição",
    "Assunção",
    "D'Ávila",
    "Sant’Anna",
    "Müller",
    "Antônio",
    "Ângela",
    "Inês",
    "Luís",
    "Luiz",
    "da",
    "dos",
    "e",
    "Silva",
    "Sá",
    "Ltda.",
    "S/A",
    "3M",
    "nº 7",
    "O",
];
const GAPS: [&str; 8] = [" ", "  ", "-", "/", "_", " & ", ". ", " - "];

/// Generates a way of writing a text: as it is, upper case, lower case, decomposed, or folded.
fn written() -> impl Strategy<Value = fn(&str) -> String> {
    let ways: [fn(&str) -> String; 5] = [
        |text| text.to_owned(),
        |text| text.to_uppercase(),
        |text| text.to_lowercase(),
        |text| text.nfd().collect(),
        naive::fold,
    ];
    select(ways.to_vec())
}

fn name() -> impl Strategy<Value = String> {
    let parts = vec((select(&PARTS[..]), select(&GAPS[..])), 0..4);
    (parts, select(&PARTS[..]), written()).prop_map(|(parts, last, written)| {
        let begin: String = parts.into_iter().flat_map(|(part, gap)| [part, gap]).collect();
        written(&(begin + last))
    })
}

/// Generates one or two parts of words, which may occur in names.
fn term() -> impl Strategy<Value = String> {
    let piece = (select(&PARTS[..]), any::<Index>(), 1..6_usize).prop_map(|(part, from, count)| {
        let letters: Vec<char> = part.chars().collect();
        letters.iter().skip(from.index(letters.len())).take(count).collect::<String>()
    });
    (vec(piece, 1..3), select(&GAPS[..]), written())
        .prop_map(|(pieces, gap, written)| written(&pieces.join(gap)))
        // A blank parameter counts as absent and would return every record.
        .prop_filter("blank", |term| !term.trim().is_empty())
}

fn person() -> impl Strategy<Value = Person> {
    // Few different digits, so that numbers share beginnings and ends.
    let tax_id = prop_oneof![
        "5[01]{7}9".prop_map(|body| naive::with_check_digits(&body, 11)),
        "5[01A]{10}9".prop_map(|body| naive::with_check_digits(&body, 9)),
    ];
    let phone = || prop::option::of("(11|48|55)(9[01]{8}|[35][01]{7})");
    (name(), prop::option::of(tax_id), phone(), phone()).prop_map(|(name, tax_id, phone, cellphone)| Person {
        name,
        tax_id,
        phone,
        cellphone,
    })
}

fn act() -> impl Strategy<Value = Act> {
    let one = any::<Index>;
    prop_oneof![
        4 => person().prop_map(Act::Create),
        2 => (one(), name()).prop_map(|(whose, name)| Act::Rename(whose, name)),
        1 => (one(), person()).prop_map(|(whose, person)| Act::Renumber(whose, person)),
        2 => (vec(one(), 1..4), prop::option::of(name())).prop_map(|(whose, folder)| Act::Sue(whose, folder)),
        6 => term().prop_map(Act::AskName),
        2 => (one(), 1..15_usize, 0..4_usize).prop_map(|(whose, count, gap)| Act::AskTaxId(whose, count, gap)),
        2 => (one(), prop_oneof![4..6_usize, 4..12_usize], select(&["", "+55", "+55 (0", "-"][..]))
            .prop_map(|(whose, count, before)| Act::AskPhone(whose, count, before)),
    ]
}

/// All written records. The first of each list has id 1.
struct Written {
    office: Office,
    people: Vec<Person>,
    lawsuits: Vec<(Vec<usize>, Option<String>)>,
}

impl Written {
    /// Returns the person's numbers as members. Drops a tax id that another person has.
    fn numbers(&self, person: &mut Person) -> Value {
        if self.people.iter().any(|other| other.tax_id == person.tax_id) {
            person.tax_id = None;
        }
        json!({ "identification": person.tax_id, "phone": person.phone, "cellphone": person.cellphone })
    }

    fn put(&self, at: usize, members: &Value) {
        let reply = self.office.put(&format!("/customers/{}", at + 1), members);
        assert_eq!(reply.status, 200, "{members}: {}", reply.text());
    }

    fn found(&self, path: &str, filter: &str, term: &str) -> Vec<usize> {
        let ids = self.office.ids(&with_query(path, &[(filter, term)]));
        ids.into_iter().map(|id| id as usize - 1).collect()
    }

    /// Asserts that the list of customers equals the scan.
    fn compare(&self, filter: &str, term: &str, fits: impl Fn(&Person) -> bool) {
        let scanned: Vec<usize> = (0..self.people.len()).filter(|at| fits(&self.people[*at])).collect();
        assert_eq!(self.found("/customers", filter, term), scanned, "{filter}={term:?} of {:?}", self.people);
    }

    fn lawsuit_name(&self, customers: &[usize]) -> String {
        customers.iter().map(|at| self.people[*at].name.nfc().collect()).collect::<Vec<String>>().join(" · ")
    }

    fn ask_name(&self, term: &str) {
        self.compare("name", term, |person| naive::matches_names(&[&person.name], term));
        let fits = |at: &usize| {
            let (customers, folder) = &self.lawsuits[*at];
            let names = customers.iter().map(|at| &*self.people[*at].name).collect::<Vec<_>>();
            naive::matches_names(&names, term)
                || folder.as_ref().is_some_and(|folder| naive::matches(folder, term))
        };
        let scanned: Vec<usize> = (0..self.lawsuits.len()).filter(fits).collect();
        assert_eq!(self.found("/lawsuits", "name", term), scanned, "name={term:?} of {:?}", self.lawsuits);
    }

    fn act(&mut self, act: Act) {
        if self.people.is_empty() && !matches!(act, Act::Create(_) | Act::AskName(_)) {
            return;
        }
        let chosen = |whose: &Index| whose.index(self.people.len());
        match act {
            Act::Create(mut person) => {
                let numbers = self.numbers(&mut person);
                let id = self.office.customer(&person.name, numbers);
                self.people.push(person);
                assert_eq!(id as usize, self.people.len());
            }
            Act::Rename(whose, name) => {
                let at = chosen(&whose);
                self.put(at, &json!({ "name": name }));
                self.people[at].name = name;
            }
            Act::Renumber(whose, mut person) => {
                let at = chosen(&whose);
                let numbers = self.numbers(&mut person);
                self.put(at, &numbers);
                person.name = std::mem::take(&mut self.people[at].name);
                self.people[at] = person;
            }
            Act::Sue(whose, folder) => {
                let mut customers: Vec<usize> = Vec::new();
                for at in whose.iter().map(chosen) {
                    if !customers.contains(&at) {
                        customers.push(at);
                    }
                }
                let ids: Vec<u64> = customers.iter().map(|at| *at as u64 + 1).collect();
                self.office.lawsuit(&ids, json!({ "folder": folder }));
                self.lawsuits.push((customers, folder));
            }
            Act::AskName(term) => self.ask_name(&term),
            Act::AskTaxId(whose, count, gap) => {
                let Some(whole) = self.people[chosen(&whose)].tax_id.as_deref() else { return };
                let prefix: String = whole.chars().take(count).collect();
                let (first, last) = prefix.split_at(gap.min(prefix.len()));
                let term = format!("{}.{last}", first.to_lowercase());
                let held = |person: &Person| person.tax_id.clone().unwrap_or_default();
                self.compare("identification", &term, |person| held(person).starts_with(&prefix));
            }
            Act::AskPhone(whose, count, before) => {
                let Person { phone, cellphone, .. } = &self.people[chosen(&whose)];
                let Some(whole) = cellphone.as_deref().or(phone.as_deref()) else { return };
                // A trunk 0 is only valid before a complete number. Without a prefix, the searched part is from
                // the middle of the number.
                let left_out = if before.ends_with('0') { 0 } else { whole.len().saturating_sub(count) };
                let behind = if before.is_empty() { left_out / 2 } else { 0 };
                let part = &whole[left_out - behind..whole.len() - behind];
                let term = format!("{before}{}-{}", &part[..2], &part[2..]);
                for filter in ["phone", "cellphone"] {
                    let holds = |number: &Option<String>| number.as_ref().is_some_and(|n| n.contains(part));
                    self.compare(filter, &term, |person| holds(&person.phone) || holds(&person.cellphone));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 200, ..ProptestConfig::default() })]
    #[test]
    fn lists_equal_a_naive_scan(acts in vec(act(), 10..50), last in vec(term(), 4)) {
        let mut written = Written { office: Office::new(), people: Vec::new(), lawsuits: Vec::new() };
        acts.into_iter().for_each(|act| written.act(act));
        for term in last {
            written.ask_name(&term);
        }
        for (at, (customers, folder)) in written.lawsuits.iter().enumerate() {
            let record = written.office.get(&format!("/lawsuits/{}", at + 1)).json();
            let spaces = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(&record["name"], &json!(spaces(&written.lawsuit_name(customers))));
            let folder = folder.as_ref().map(|folder| spaces(&folder.nfc().collect::<String>()));
            prop_assert_eq!(&record["folder"], &json!(folder));
        }
    }
}

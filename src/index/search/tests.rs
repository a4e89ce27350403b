//! The console's search compared with a plain scan over the texts that pages show.

use std::cmp::Reverse;
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::*;
use crate::demo::{Plan, fill};
use crate::domain::parties::similar_names::words::{SplitName, with_spellings};
use crate::domain::text::fold;
use crate::domain::{Name, Notes, Phone, Short};
use crate::index::{Filter, Index};
use crate::records::{Customer, CustomerId, Lawsuit, LawsuitId, Record, TABLES, TaskId};
use crate::store::records::{View, by_id, highest_id, update};
use crate::store::{Store, Tx, trash};

/// The search mode of each field, stated independently of the code under test.
const MEMBERS: &[(Kind, &[(&str, char)])] = &[
    (
        Kind::Customer,
        &[
            ("name", 'w'),
            ("occupation", 'w'),
            ("city", 'w'),
            ("state", 'w'),
            ("email", 'w'),
            ("notes", 'w'),
            ("document", 'c'),
            ("identification", 's'),
            ("cellphone", 'd'),
            ("phone", 'd'),
            ("origin", 'n'),
        ],
    ),
    (
        Kind::Lawsuit,
        &[
            ("name", 'w'),
            ("folder", 'w'),
            ("notes", 'w'),
            ("opposing_parties", 'p'),
            ("court", 'w'),
            ("venue", 'w'),
            ("protocol_number", 'c'),
            ("process_number", 'd'),
            ("kind", 'n'),
            ("group", 'n'),
            ("stage", 'n'),
            ("step", 'n'),
        ],
    ),
    (Kind::Task, &[("notes", 'w'), ("local", 'w'), ("task", 'n'), ("guest_names", 'n')]),
    (Kind::Movement, &[("title", 'w'), ("header", 'w')]),
    (
        Kind::Publication,
        &[
            ("publication", 'w'),
            ("source", 'w'),
            ("local", 'w'),
            ("court", 'w'),
            ("kind", 'w'),
            ("process_number", 's'),
        ],
    ),
    (
        Kind::Transaction,
        &[
            ("description", 'w'),
            ("name", 'w'),
            ("protocol_number", 'c'),
            ("process_number", 'd'),
            ("identification", 's'),
            ("category", 'n'),
            ("cost_center", 'n'),
            ("debit_bank", 'n'),
            ("sector", 'n'),
        ],
    ),
    (Kind::Document, &[("name", 'w'), ("media_type", 'w'), ("notes", 'w')]),
    (Kind::Holiday, &[("name", 'w'), ("scope", 'w'), ("proof", 'w'), ("source", 'w')]),
];

/// The owners of each kind, by field.
const OWNERS: &[(Kind, &[(&str, Kind)])] = &[
    (Kind::Lawsuit, &[("customers", Kind::Customer)]),
    (Kind::Task, &[("lawsuit_id", Kind::Lawsuit), ("customer_id", Kind::Customer)]),
    (Kind::Movement, &[("lawsuit_id", Kind::Lawsuit)]),
    (Kind::Publication, &[("lawsuit_id", Kind::Lawsuit)]),
    (Kind::Transaction, &[("lawsuit_id", Kind::Lawsuit), ("customer_id", Kind::Customer)]),
];

/// The fields that hold names of people and companies, which are found by their other spellings too.
const NAMES: &[(Kind, &str)] =
    &[(Kind::Customer, "name"), (Kind::Lawsuit, "name"), (Kind::Transaction, "name")];

/// The fields that count as long texts.
const TEXTS: &[(Kind, &[&str])] = &[
    (Kind::Customer, &["notes"]),
    (Kind::Lawsuit, &["notes"]),
    (Kind::Task, &["notes", "local"]),
    (Kind::Movement, &["title"]),
    (Kind::Publication, &["publication"]),
    (Kind::Document, &["notes"]),
];

/// Writes doubled consonants once.
fn single(text: &str) -> String {
    let letters = text.chars().collect::<Vec<_>>();
    let runs = letters.chunk_by(|one, next| one == next);
    let single = runs.flat_map(|run| match run {
        [one, _] if "bcdfghjklmnpqrstvwxyz".contains(*one) => &run[..1],
        run => run,
    });
    single.collect()
}

fn term_has(term: &Term, has: &dyn Fn(&str) -> bool) -> bool {
    term.words().all(has) || term.whole().is_some_and(has)
}

/// All live records of an office.
struct Scan(BTreeMap<(Kind, u32), View>);

impl Scan {
    fn read(db: Db<'_>) -> Result<Scan, store::Error> {
        let mut all = BTreeMap::new();
        for table in TABLES.iter().copied() {
            let ids = (1..=highest_id(db, table)?).collect::<Vec<_>>();
            all.extend(View::read(db, table, &ids)?.into_iter().map(|view| ((table.kind, view.id), view)));
        }
        Ok(Scan(all))
    }

    fn own(&self, view: &View, word: &str) -> bool {
        Self::own_by(view, word, |_, _| true)
    }

    /// Returns `true` if a word matches the record itself by one of these columns and search modes.
    fn own_by(view: &View, word: &str, is_one: impl Fn(&str, char) -> bool) -> bool {
        let digits = word.chars().any(|c| c.is_ascii_digit());
        let is_short = word.len() < 3 && word.chars().all(|c| c.is_ascii_digit());
        let part = |own: &str| if is_short { own.starts_with(word) } else { own.contains(word) };
        let single_word = single(word);
        let single_part = |own: &str| {
            part(own)
                || if is_short {
                    single(own).starts_with(&single_word)
                } else {
                    single(own).contains(&single_word)
                }
        };
        let (_, members) = MEMBERS.iter().find(|(kind, _)| *kind == view.table.kind).unwrap();
        members.iter().filter(|(column, how)| is_one(column, *how)).any(|(column, how)| {
            let folded = fold(view.text(column));
            let joined = folded.replace(' ', "");
            let has_word = |folded: &str| with_spellings(folded).split(' ').any(single_part);
            match how {
                'w' if NAMES.contains(&(view.table.kind, column)) => has_word(&folded),
                'w' => folded.split(' ').any(single_part),
                'p' => view
                    .text(column)
                    .split('"')
                    .any(|own| has_word(&fold(own)) && own != "party_id" && own != "name"),
                'c' => part(&joined),
                's' => digits && joined.starts_with(word),
                'd' => digits && part(&joined),
                _ => word.len() >= 3 && folded.split(' ').any(|own| single(own).starts_with(&single_word)),
            }
        })
    }

    fn has(&self, view: &View, word: &str) -> bool {
        let owners =
            OWNERS.iter().filter(|(kind, _)| *kind == view.table.kind).flat_map(|(_, owners)| *owners);
        let mut owners = owners.flat_map(|(column, kind)| {
            view.value(column).ids().into_iter().filter_map(|id| self.0.get(&(*kind, id)))
        });
        self.own(view, word) || owners.any(|owner| self.has(owner, word))
    }

    /// Returns the matches that a list shows, and those that a search over everything shows.
    fn find(&self, table: &Table, text: &SearchText) -> [RoaringBitmap; 2] {
        let mut found = [RoaringBitmap::new(), RoaringBitmap::new()];
        for ((_, id), view) in self.0.iter().filter(|((kind, _), _)| *kind == table.kind) {
            let all = text.terms().iter().all(|term| term_has(term, &|word| self.has(view, word)));
            let words = text.terms().iter().flat_map(|term| term.words().chain(term.whole()));
            let own = words.into_iter().any(|word| self.own(view, word));
            if !text.terms().is_empty() && all {
                found[0].insert(*id);
                if own {
                    found[1].insert(*id);
                }
            }
            if text.id() == Some(*id) {
                found[0].insert(*id);
            }
            if text.counted().is_some() && self.is_named(view, text) {
                found.iter_mut().for_each(|found| _ = found.insert(*id));
            }
        }
        // Without a match, the words that do not count in a name are left out.
        if let Some(counted) = text.counted().filter(|_| found.iter().any(RoaringBitmap::is_empty)) {
            for (found, others) in found.iter_mut().zip(self.find(table, counted)) {
                *found = if found.is_empty() { others } else { std::mem::take(found) };
            }
        }
        found
    }

    fn is_named(&self, view: &View, text: &SearchText) -> bool {
        let typed = sorted(text.folded());
        let is_same = |name: &str| sorted(name).iter().any(|reading| typed.contains(reading));
        let of_customers = view.value("customers").ids();
        let mut customers = of_customers.iter().filter_map(|id| self.0.get(&(Kind::Customer, *id)));
        match view.table.kind {
            Kind::Customer => is_same(view.text("name")),
            Kind::Lawsuit => customers.any(|customer| is_same(customer.text("name"))),
            _ => false,
        }
    }

    /// Like `is_named`, with the same words that do not count.
    fn is_named_exactly(&self, view: &View, text: &SearchText) -> bool {
        let dropped = |name: &str| {
            let folded = fold(name);
            let split = SplitName::of(&folded);
            split.dropped(&folded).map(single).collect::<BTreeSet<_>>()
        };
        let typed = dropped(text.folded());
        let of_customers = view.value("customers").ids();
        let customers = of_customers.iter().filter_map(|id| self.0.get(&(Kind::Customer, *id)));
        let mut own = customers.chain((view.table.kind == Kind::Customer).then_some(view));
        own.any(|own| {
            let has = dropped(own.text("name"));
            self.is_named(own, text) && if typed.is_empty() { has.is_empty() } else { typed.is_subset(&has) }
        })
    }

    /// Returns the rank of a match, from exactly this name (0) to a match by owners (6), and behind it the ranks of the
    /// words that count in a name.
    fn rank(&self, view: &View, text: &SearchText) -> usize {
        let all = |is_one: &dyn Fn(&str, char) -> bool| {
            text.terms().iter().all(|term| term_has(term, &|word| Self::own_by(view, word, is_one)))
        };
        let has_digits = text.folded().contains(|c: char| c.is_ascii_digit());
        let terms = text.terms().iter().flat_map(Term::words).map(single).collect::<Vec<_>>();
        let texts =
            TEXTS.iter().find(|(kind, _)| *kind == view.table.kind).map_or(&[][..], |(_, texts)| texts);
        match view.table.kind {
            _ if self.is_named_exactly(view, text) => 0,
            _ if self.is_named(view, text) => 1,
            Kind::Customer if begins(view, &terms) => 2,
            _ if text.id() == Some(view.id) => 3,
            _ if !text.terms().is_empty()
                && has_digits
                && all(&|column, how| column == "name" || "csd".contains(how))
                && !all(&|column, _| column == "name") =>
            {
                3
            }
            _ if !text.terms().is_empty() && all(&|column, _| !texts.contains(&column)) => 4,
            _ if !text.terms().is_empty() && all(&|_, _| true) => 5,
            _ => 6 + text.counted().map_or(0, |counted| self.rank(view, counted)),
        }
    }

    /// Sorts matches as a search shows them.
    fn in_order(&self, table: &Table, text: &SearchText, found: &RoaringBitmap) -> Vec<u32> {
        let ranked = found.iter().map(|id| (self.rank(&self.0[&(table.kind, id)], text), Reverse(id)));
        let mut ranked = ranked.collect::<Vec<_>>();
        ranked.sort();
        ranked.into_iter().map(|(_, id)| id.0).collect()
    }

    /// Search texts as people type them, taken from the data: words, parts of words, numbers and ends of
    /// numbers.
    fn texts(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (at, view) in self.0.values().enumerate().filter(|(at, _)| at % 3 == 0) {
            for column in [
                "name",
                "cellphone",
                "process_number",
                "kind",
                "task",
                "notes",
                "title",
                "publication",
                "category",
            ] {
                let all = view.text(column).split_whitespace().collect::<Vec<_>>();
                words.extend(all.get(at % all.len().max(1)).map(|word| (*word).to_owned()));
            }
            for column in ["cellphone", "phone", "process_number", "identification"] {
                let digits = view.text(column).chars().filter(char::is_ascii_digit).collect::<String>();
                words.extend(digits.len().checked_sub(4).and_then(|at| digits.get(at..)).map(str::to_owned));
                words.extend(digits.get(..2).map(str::to_owned));
            }
        }
        let part = |at: usize, word: &str| {
            let end = word.char_indices().map(|(end, _)| end).nth(at % 5 + 1).unwrap_or(word.len());
            if at.is_multiple_of(3) { word.get(..end).unwrap_or(word).to_owned() } else { word.to_owned() }
        };
        let pick = |at: usize| part(at, &words[at * 7_919 % words.len()]);
        (0..60)
            .map(|at| (0..at % 4 + 1).map(|n| pick(at * 5 + n * 31)).collect::<Vec<_>>().join(" "))
            .collect()
    }
}

/// Returns the readings of a name, each with its words in alphabetical order.
fn sorted(text: &str) -> Vec<Vec<String>> {
    let folded = fold(text);
    let readings = SplitName::of(&folded).into_readings().into_iter().map(|words| {
        let mut words = words.iter().map(|word| single(word)).collect::<Vec<_>>();
        words.sort();
        words
    });
    readings.collect()
}

/// Returns `true` if the name begins with the first of these words, and has words that begin with the others.
fn begins(view: &View, typed: &[String]) -> bool {
    let name = fold(view.text("name"));
    let words = with_spellings(&name).split(' ').map(single).collect::<Vec<_>>();
    let first = SplitName::of(&name).into_readings();
    let Some((first_typed, others)) = typed.split_first() else { return false };
    first.iter().any(|words| single(&words[0]).starts_with(first_typed))
        && others.iter().all(|typed| words.iter().any(|word| word.starts_with(typed)))
}

fn compare(index: &Index, db: Db<'_>) -> Result<usize, store::Error> {
    let scan = Scan::read(db)?;
    let mut hits = 0;
    let signs = [
        "",
        "%",
        "\"",
        "' OR 1=1 --",
        "😀",
        "a",
        "silva",
        "48",
        "7",
        "(48) 9",
        "xyzw silva",
        "dr silva",
        "silva ltda xyzw",
        "sra ana",
        "maria da",
    ]
    .map(str::to_owned);
    for (number, text) in scan.texts().into_iter().chain(signs).enumerate() {
        let search = SearchText::parse(&text);
        let everything = index.search(db, TABLES, &search, 1_000_000)?;
        for (table, found) in TABLES.iter().copied().zip(&everything.found) {
            let [listed, own] = scan.find(table, &search);
            let filter = Filter::default().with_text(search.clone());
            let list = index.find(db, table, &filter, Page::all())?;
            assert_eq!(list.ids, listed.iter().collect::<Vec<_>>(), "{}: {text:?}", table.name);
            // The order of some texts is enough: it takes long to find out without an index.
            if number % 6 > 0 {
                assert_eq!(
                    found.ids.iter().copied().collect::<RoaringBitmap>(),
                    own,
                    "search in all tables, {}: {text:?}",
                    table.name
                );
                hits += found.ids.len();
                continue;
            }
            let best = scan.in_order(table, &search, &listed);
            for offset in [0, 7] {
                let page =
                    Page::parse(None, Some(&offset.to_string()), 20).unwrap().in_order(Order::Descending);
                let list = index.find(db, table, &filter, page)?;
                let expected = best.iter().copied().skip(offset).take(20).collect::<Vec<_>>();
                assert_eq!(list.ids, expected, "page of {}: {text:?}", table.name);
            }
            assert_eq!(
                (&found.ids, found.total),
                (&scan.in_order(table, &search, &own), own.len()),
                "search in all tables, {}: {text:?}",
                table.name
            );
            hits += found.ids.len();
        }
    }
    Ok(hits)
}

fn office(plan: Plan) -> (tempfile::TempDir, Arc<Store>, Arc<Index>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path()).unwrap());
    fill(&store, plan, |_| {}).unwrap();
    let index = Arc::new(Index::start(&store, &TimeZone::UTC));
    (folder, store, index)
}

#[test]
fn equals_a_plain_scan_before_and_after_changes() {
    let plan = Plan { tasks: 60, movements: 70, publications: 40, transactions: 60, ..Plan::of(70, 60) };
    let (_folder, store, index) = office(plan);
    let same = || {
        let index = index.clone();
        store.read(move |db| compare(&index, db)).unwrap()
    };
    assert!(same() > 200, "most texts find something");
    store
        .write(|tx: Tx<'_>| {
            for id in (1..=70).step_by(5) {
                let id = CustomerId::new(id).unwrap();
                let mut customer = by_id(*tx, id)?.unwrap();
                customer.name = Name::parse("Rosângela Quadros").unwrap();
                customer.cellphone = Phone::parse("(48) 98888-3456").ok();
                customer.notes = Notes::parse("Prefere falar à tarde").ok();
                update(tx, id, &customer, 0)?;
            }
            for id in (2..=60).step_by(7) {
                let id = LawsuitId::new(id).unwrap();
                let mut lawsuit: Lawsuit = by_id(*tx, id)?.unwrap();
                lawsuit.venue = Short::parse("2ª Vara Cível de Laguna").ok();
                lawsuit.customers = vec![CustomerId::new(1).unwrap(), CustomerId::new(4).unwrap()];
                update(tx, id, &lawsuit, 0)?;
            }
            trash::delete(tx, Lawsuit::TABLE, 3, None, 1)?;
            trash::delete(tx, Kind::Task.table(), TaskId::new(5).unwrap().get(), None, 1)?;
            Ok::<_, store::Error>(())
        })
        .unwrap();
    assert!(same() > 200, "after changes");
    store.write(|tx: Tx<'_>| trash::restore(tx, Lawsuit::TABLE, 3)).unwrap();
    assert!(same() > 200, "after a restore");
}

/// Uses more records than the search reads one by one, and more than it counts.
#[test]
fn the_newest_matches_of_many_records_equal_a_full_search() {
    let plan = Plan { tasks: 900, movements: 0, publications: 0, transactions: 700, ..Plan::of(600, 800) };
    let (_folder, store, index) = office(plan);
    let index = index.clone();
    let found = store.read(move |db| {
        let scan = Scan::read(db)?;
        let mut hits = 0;
        let mut more = 0;
        for text in scan.texts().into_iter().take(60) {
            let search = SearchText::parse(&text);
            let everything = index.search(db, TABLES, &search, 1_000_000)?;
            let newest = index.search(db, TABLES, &search, 5)?;
            assert_eq!(newest.only, everything.only, "{text:?}");
            for ((table, found), newest) in TABLES.iter().zip(&everything.found).zip(&newest.found) {
                assert_eq!(found.total, scan.find(table, &search)[1].len(), "{}: {text:?}", table.name);
                assert_eq!(
                    newest.total,
                    found.total.min(MAX_COUNTED_MATCHES + 1),
                    "{}: {text:?}",
                    table.name
                );
                let best = &found.ids[..found.ids.len().min(5)];
                let rank = |id: &u32| scan.rank(&scan.0[&(table.kind, *id)], &search);
                // Of matches by owners, only the newest are looked at.
                assert!(
                    newest.ids == best || newest.ids.iter().map(rank).eq(best.iter().map(rank)),
                    "{}: {text:?}",
                    table.name
                );
                hits += found.ids.len();
                more += u32::from(newest.total > MAX_COUNTED_MATCHES);
            }
        }
        Ok::<_, store::Error>((hits, more))
    });
    let (hits, more) = found.unwrap();
    assert!(hits > 100 && more > 10, "{hits} {more}");
}

/// The client who calls has an old record, and those added after her contain her name.
#[test]
fn the_same_name_is_first_however_many_are_newer() {
    let (_folder, store, index) =
        office(Plan { tasks: 0, movements: 0, publications: 0, transactions: 0, ..Plan::of(300, 0) });
    let names = |id: u64| match id {
        4 => "Carla Dias",
        9 => "Dr. Carla Beatriz Dias",
        12 => "Dias, Carla",
        20 => "Carlla Dias Hoffmann",
        _ if id.is_multiple_of(2) => "Ana Carla Dias Prado",
        _ => "Paulo Diaz Carlasare",
    };
    store
        .write(move |tx: Tx<'_>| {
            for id in 1..=300 {
                let customer_id = CustomerId::new(id).unwrap();
                let mut customer: Customer = by_id(*tx, customer_id)?.unwrap();
                customer.name = Name::parse(names(id)).unwrap();
                customer.notes = Notes::parse("Indicada por Carla Dias").ok().filter(|_| id == 7);
                customer.email = None;
                update(tx, customer_id, &customer, 0)?;
            }
            Ok::<_, store::Error>(())
        })
        .unwrap();
    let find = |text: &'static str, limit: u32, offset: u32| {
        let index = index.clone();
        let (everything, list) = store
            .read(move |db| {
                let text = SearchText::parse(text);
                let filter = Filter::default().with_text(text.clone());
                let page = Page::parse(Some(&limit.to_string()), Some(&offset.to_string()), 100).unwrap();
                let list = index.find(db, Customer::TABLE, &filter, page.in_order(Order::Descending))?;
                Ok::<_, store::Error>((index.search(db, &[Customer::TABLE], &text, limit)?, list))
            })
            .unwrap();
        (everything.found[0].ids.clone(), list.ids, list.total)
    };
    let (everything, list, total) = find("carla dias", 6, 0);
    assert_eq!(everything, [12, 4, 20, 9, 300, 298]);
    assert_eq!((list, total), (everything, 152));
    assert_eq!(find("Dias, Carla", 2, 0).0, [12, 4], "in any order");
    assert_eq!(find("hofman carla", 3, 0).0, [20]);
    assert_eq!(find("carla dias", 6, 146).1.last(), Some(&7), "notes are last");
}

#[test]
fn a_record_is_the_only_match_if_no_other_has_all_words_itself() {
    let (_folder, store, index) =
        office(Plan { tasks: 0, movements: 0, publications: 0, transactions: 0, ..Plan::of(40, 40) });
    store
        .write(|tx: Tx<'_>| {
            let id = CustomerId::new(9).unwrap();
            let mut customer: Customer = by_id(*tx, id)?.unwrap();
            customer.name = Name::parse("Rosângela Quadros").unwrap();
            customer.cellphone = Phone::parse("(48) 98888-3456").ok();
            update(tx, id, &customer, 0)?;
            let lawsuit_id = LawsuitId::new(2).unwrap();
            let mut lawsuit: Lawsuit = by_id(*tx, lawsuit_id)?.unwrap();
            lawsuit.customers = vec![id];
            update(tx, lawsuit_id, &lawsuit, 0)
        })
        .unwrap();
    let only = |text: &str| {
        let index = index.clone();
        let text = SearchText::parse(text);
        store.read(move |db| index.search(db, TABLES, &text, 5)).unwrap().only
    };
    assert_eq!(only("rosangela 3456"), Some((Kind::Customer, 9)), "not her lawsuit, which has no phone");
    assert_eq!(only("rosangela quadros"), None, "the customer and the lawsuit both have the name");
    assert_eq!(only("zzzz"), None);
    assert_eq!(only(""), None);
}

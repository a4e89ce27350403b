//! Masks (assistants 50): answers without what tells who a person is. Names become initials, numbers and addresses `•••`;
//! ids stay. A member is masked by its type (`Field::masking`), a text by the names that the office knows and by the form of
//! numbers.

mod numbers;
mod searches;
mod split_words;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Map, Value};

use self::numbers::{Hidden, MASKED, numbers, tax_id};
use self::split_words::{split_words, visible};
use super::answer::{LISTED_CHARACTERS, WHOLE_CHARACTERS};
use super::read::Findings;
use super::records_shown::changed_table;
use crate::domain::parties::similar_names::words::{is_dropped, is_legal_form};
use crate::domain::{TaxId, folded_words};
use crate::index::{Index, KnownNames};
use crate::records::{Kind, List, Masking, TABLES, Table};
use crate::store::{self, Db};

/// What stands behind initials of which no single customer is known.
const UNKNOWN: &str = "(#?)";

/// Signs between two words that are not parts of one name.
const NAME_SEPARATORS: [char; 2] = ['·', ';'];

/// What the address of a page has.
const PAGES: [&str; 2] = ["www.", "://"];

/// Maximum number of words after one of a name among which another one of it is looked for.
const MAX_WORDS_APART: usize = 9;

/// Maximum number of capitalized words between two of one name that it does not have.
const MAX_NAMES_BETWEEN: usize = 2;

/// Maximum number of characters of a text that are masked, many more than an answer shows. What follows them is hidden,
/// so that a long text does not block the writes of the office.
const MAX_MASKED: usize = 4 * WHOLE_CHARACTERS;
const MAX_MASKED_IN_LIST: usize = 4 * LISTED_CHARACTERS;

/// Number of characters before the first hidden one that are hidden too, as a number may go on there.
const HIDDEN_BEFORE: usize = 100;

/// The masks of one answer.
pub struct Mask<'i> {
    known: KnownNames<'i>,
    /// First and last words of the names that the answer shows, which also stand alone in its texts.
    shown: BTreeSet<String>,
    /// Number of characters of a text that are masked.
    max_characters: usize,
}

impl Mask<'_> {
    pub fn new<'i>(index: &'i Index, db: Db<'_>) -> Result<Mask<'i>, store::Error> {
        Ok(Mask { known: index.known_names(db)?, shown: BTreeSet::new(), max_characters: MAX_MASKED_IN_LIST })
    }

    /// Masks what a reading tool found.
    pub fn findings(&mut self, found: &mut Findings) {
        let related = found.related.iter().map(|(_, related)| related);
        for found in std::iter::once(&*found).chain(related) {
            found.items.iter().for_each(|item| self.note(item, found.table));
        }
        self.page(found);
        found.related.iter_mut().for_each(|(_, related)| self.page(related));
    }

    fn page(&mut self, found: &mut Findings) {
        self.max_characters = if found.is_whole { MAX_MASKED } else { MAX_MASKED_IN_LIST };
        found.items.iter_mut().for_each(|item| self.value(item, found.table));
        self.members(&mut found.more);
    }

    /// Masks a value that belongs to a table, or whose members are known by their names alone.
    pub fn value(&self, value: &mut Value, table: Option<&'static Table>) {
        each_text(value, table, Masking::Searched, &mut |masking, text| self.masked(masking, text));
    }

    /// Masks members that are known by their names alone.
    pub fn members(&self, members: &mut Map<String, Value>) {
        let mut value = Value::Object(std::mem::take(members));
        self.value(&mut value, None);
        if let Value::Object(masked) = value {
            *members = masked;
        }
    }

    /// Notes the names in a value, for the texts beside them.
    pub fn note(&mut self, value: &Value, table: Option<&'static Table>) {
        let shown = &mut self.shown;
        each_text(&mut value.clone(), table, Masking::Searched, &mut |masking, text| {
            if matches!(masking, Masking::Name | Masking::Names) {
                for name in text.split(NAME_SEPARATORS) {
                    let words: Vec<_> = folded_words(name).into_iter().map(|(_, word)| word).collect();
                    let mut words = words.into_iter().filter(|word| is_long(word) && word.len() > 2);
                    shown.extend(words.next());
                    shown.extend(words.next_back());
                }
            }
            text.to_owned()
        });
    }

    fn masked(&self, masking: Masking, text: &str) -> String {
        match masking {
            Masking::Kept => text.to_owned(),
            Masking::Searched | Masking::Parties => self.text(text),
            Masking::Name => self.name(text),
            Masking::Names => text.split('·').map(|name| self.name(name)).collect::<Vec<_>>().join(" · "),
            Masking::TaxId => TaxId::parse(text).map_or(MASKED, |number| tax_id(&number)).to_owned(),
            Masking::Year => {
                let year = folded_words(text).into_iter().map(|(_, word)| word).find(|word| word.len() == 4);
                year.unwrap_or_else(|| MASKED.to_owned())
            }
            Masking::Hidden => MASKED.to_owned(),
        }
    }

    /// Returns the initials of a name, with the id of the customer who alone has it.
    fn name(&self, name: &str) -> String {
        let words = folded_words(name);
        if words.is_empty() { name.to_owned() } else { self.initials(name, &words) }
    }

    fn initials(&self, text: &str, words: &[(Range<usize>, String)]) -> String {
        let counted = words.iter().filter(|(_, word)| !is_dropped(word));
        let counted: Vec<_> =
            if counted.clone().next().is_some() { counted.collect() } else { words.iter().collect() };
        let initial = |(at, _): &&(Range<usize>, String)| text.get(at.clone())?.chars().next();
        let initials = counted.iter().filter_map(initial).flat_map(char::to_uppercase);
        let mut masked: String = initials.map(|initial| format!("{initial}. ")).collect();
        let folded = words.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ");
        match self.known.customer(&folded) {
            Some(id) => masked.push_str(&format!("(#{id})")),
            None => masked.push_str(UNKNOWN),
        }
        masked
    }

    /// Returns a text without the names and numbers of people.
    fn text(&self, text: &str) -> String {
        let (text, cut) = self.beginning(text);
        // A character that is removed later must not divide a name now.
        let (text, breaks) = visible(text);
        let words = folded_words(&text);
        let mut hidden = addresses(&text);
        hidden.extend(numbers(&text, &words));
        hidden.extend(self.names(&text, &words));
        let split = split_words(&text, &words, &breaks);
        if split.len() != words.len() {
            hidden.extend(numbers(&text, &split));
            hidden.extend(self.names(&text, &split));
        }
        hidden.sort_by_key(|(at, _)| (at.start, Reverse(at.end)));
        let mut masked = String::with_capacity(text.len());
        let mut end = 0;
        for (at, replacement) in hidden {
            if at.start >= end {
                masked.push_str(text.get(end..at.start).unwrap_or_default());
                masked.push_str(&replacement);
            }
            end = end.max(at.end);
        }
        masked.push_str(text.get(end..).unwrap_or_default());
        masked.extend(std::iter::repeat_n('•', cut));
        masked
    }

    /// Returns the characters that are masked, and the number of those behind them.
    fn beginning<'t>(&self, text: &'t str) -> (&'t str, usize) {
        if text.char_indices().nth(self.max_characters).is_none() {
            return (text, 0);
        }
        let end = text.char_indices().nth(self.max_characters - HIDDEN_BEFORE).map_or(0, |(at, _)| at);
        let (beginning, rest) = text.split_at_checked(end).unwrap_or_default();
        (beginning, rest.chars().count())
    }

    /// Returns the known names in a text: two words or more of one, a whole name of one word, and single words of names that
    /// the answer shows.
    fn names(&self, text: &str, words: &[(Range<usize>, String)]) -> Vec<Hidden> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for (at, (_, word)) in words.iter().enumerate().filter(|(_, (_, word))| is_part(word)) {
            let end = self.partner(text, words, at, word).unwrap_or(at);
            let follows = spans.last().is_some_and(|last| last.contains(&at));
            let is_alone = || is_long(word) && (self.shown.contains(word) || self.known.is_whole(word));
            match spans.last_mut() {
                Some(last) if follows => last.end = last.end.max(end + 1),
                _ if end > at || is_alone() => spans.push(at..end + 1),
                _ => {}
            }
        }
        let hidden = spans.into_iter().filter_map(|span| {
            let words = words.get(span)?;
            let place = words.first()?.0.start..words.last()?.0.end;
            Some((place, self.initials(text, words)))
        });
        hidden.collect()
    }

    /// Returns the farthest of the next words that stand with this one in a known name.
    fn partner(&self, text: &str, words: &[(Range<usize>, String)], at: usize, word: &str) -> Option<usize> {
        let is_apart = |other: &usize| {
            let between = words.get(*other - 1).zip(words.get(*other));
            let between = between.and_then(|((one, _), (next, _))| text.get(one.end..next.start));
            between.is_none_or(|between| between.contains(NAME_SEPARATORS))
        };
        let following = (at + 1..words.len()).take(MAX_WORDS_APART).take_while(|other| !is_apart(other));
        let of_name = following
            .filter_map(|other| Some((other, words.get(other)?.1.as_str())))
            .filter(|(_, word)| is_part(word));
        let mut partner = None;
        let mut names_between = 0;
        for (other, next) in of_name {
            let is_named = has_letters(word) || has_letters(next);
            if is_named && word != next && self.known.have(&[word, next].join(" ")) {
                partner = Some(other);
            }
            if is_long(next) {
                // Another name of the same person: `Rosângela Batista Lima`.
                names_between += 1;
                if names_between > MAX_NAMES_BETWEEN || !is_capital(text, words, other) {
                    break;
                }
            }
        }
        partner
    }
}

/// Returns `true` for words of which two are enough to name someone.
fn is_part(word: &str) -> bool {
    (!is_dropped(word) || is_legal_form(word)) && !["a", "o"].contains(&word)
}

fn is_long(word: &str) -> bool {
    !is_dropped(word) && has_letters(word) && word.chars().nth(1).is_some()
}

fn is_capital(text: &str, words: &[(Range<usize>, String)], at: usize) -> bool {
    let word = words.get(at).and_then(|(place, _)| text.get(place.clone()));
    word.and_then(|word| word.chars().next()).is_some_and(char::is_uppercase)
}

fn has_letters(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
}

/// Returns the addresses of e-mail, pages and accounts.
fn addresses(text: &str) -> Vec<Hidden> {
    let is_end = |c: char| c.is_whitespace() || "<>()[],;«»\"".contains(c);
    let mut start = 0;
    let words = text.split_inclusive(is_end).map(|piece| {
        let word = start..start + piece.trim_end_matches(is_end).len();
        start += piece.len();
        word
    });
    let is_address = |word: &Range<usize>| {
        let word = text.get(word.clone()).unwrap_or_default();
        word.contains(['@', '＠']) && word.chars().nth(1).is_some()
            || PAGES.iter().any(|page| word.contains(page))
    };
    words.filter(is_address).map(|word| (word, MASKED.to_owned())).collect()
}

/// Replaces each text of a value. `masking` is that of the member that has the value.
fn each_text(
    value: &mut Value,
    table: Option<&'static Table>,
    masking: Masking,
    replace: &mut impl FnMut(Masking, &str) -> String,
) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => *text = replace(masking, text),
        Value::Array(entries) => {
            entries.iter_mut().for_each(|entry| each_text(entry, table, masking, replace))
        }
        Value::Object(members) => {
            let table = table.or_else(|| changed_table(members)).or_else(|| changed_list(members));
            for (name, value) in members {
                // Reasons of a refusal, by member.
                if name == "errors" {
                    each_sentence(value, replace);
                    continue;
                }
                let of_member = match (name.as_str(), masking) {
                    // The values of a change are one level deeper.
                    ("before" | "after", masking) => masking,
                    ("name" | "lawyer", Masking::Parties) => Masking::Name,
                    (name, _) => masking_of(table, name),
                };
                let nested = if name == "values" { table } else { Table::noun_named(name) };
                let nested = if ["before", "after"].contains(&name.as_str()) { table } else { nested };
                each_text(value, nested, of_member, replace);
            }
        }
    }
}

/// Replaces each text of a value, whatever its member is.
fn each_sentence(value: &mut Value, replace: &mut impl FnMut(Masking, &str) -> String) {
    match value {
        Value::String(text) => *text = replace(Masking::Searched, text),
        Value::Array(entries) => entries.iter_mut().for_each(|entry| each_sentence(entry, replace)),
        Value::Object(members) => members.values_mut().for_each(|value| each_sentence(value, replace)),
        _ => {}
    }
}

/// Returns what masking takes away of a member: by its field in the table or, without one, as much as of any field of this name.
fn masking_of(table: Option<&'static Table>, name: &str) -> Masking {
    let of = |table: &'static Table| {
        let mut fields = table.fields.iter().filter(move |field| [field.shown, field.member].contains(&name));
        fields.next().map(|field| field.masking(table))
    };
    if ["resource", "op"].contains(&name) {
        return Masking::Kept;
    }
    let known = table.and_then(of);
    let users = [Kind::List(List::Users).table()];
    let mut all = TABLES.iter().copied().chain(users).filter_map(of);
    // Any list has names. Those of people are known.
    let is_certain = |masking: &Masking| {
        !matches!(masking, Masking::Kept | Masking::Searched | Masking::Name | Masking::Names)
    };
    known.or_else(|| all.find(is_certain)).unwrap_or(Masking::Searched)
}

/// Returns the reference list that a change is about.
fn changed_list(change: &Map<String, Value>) -> Option<&'static Table> {
    let path = change.get("resource")?.as_str()?.strip_prefix("settings/")?;
    List::ALL.iter().map(|list| list.table()).find(|table| table.path == path)
}

/// Returns `true` if a value has a mask, which must not replace what the office knows.
pub fn has_mask(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let has_sign = [MASKED, "***", "(#", ". #"].iter().any(|sign| text.contains(sign));
            has_sign || is_initials(text)
        }
        Value::Array(values) => values.iter().any(has_mask),
        Value::Object(members) => members.values().any(has_mask),
        _ => false,
    }
}

/// Returns `true` for initials, perhaps with an id behind them: `R. L.`, `R.L. (17)`, `R L #17`, but not `R$ 17` or `J & F`.
fn is_initials(text: &str) -> bool {
    let initials = text.trim_matches(['«', '»', ' ']);
    let initials = initials.trim_end_matches(|c: char| c.is_ascii_digit() || " ()#?".contains(c));
    let letters: Vec<_> = initials.split(['.', ' ']).filter(|word| !word.is_empty()).collect();
    let is_letter = |word: &&str| word.chars().all(char::is_alphabetic) && word.chars().nth(1).is_none();
    letters.len() > 1 && letters.iter().all(is_letter)
}

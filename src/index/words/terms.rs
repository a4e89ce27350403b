//! Parses search texts into terms, each of which must match a record or one of its owners.

use crate::domain::numbers::phone::{searched_digits, without_address};
use crate::domain::numbers::process_number::with_zeros;
use crate::domain::parties::similar_names::words::{SplitName, with_spellings};
use crate::domain::text::fold;
use crate::domain::{OpposingParties, PhoneTerm, compact, single_consonants};
use crate::records::{Field, Find, List, Source, Table, Type};

/// Words that only announce a number and need not match: `final 3456` is `3456`.
const BEFORE_NUMBERS: &[&str] = &[
    "final", "fim", "termina", "em", "tel", "telefone", "fone", "cel", "celular", "ddd", "cpf", "cnpj",
    "numero", "no", "processo", "ending", "in", "phone", "number", "case",
];
/// A number with fewer digits than this matches only the beginning of a word or number, such as the area code
/// of a phone. Most numbers contain any two given digits.
const ANYWHERE: usize = 3;
/// Names of entries and users match by the beginnings of their words, and only words of at least this many
/// letters do. Many records share each name, so matches on parts of it would bury the wanted record.
const MIN_PREFIX_LETTERS: usize = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchText {
    folded: String,
    terms: Vec<Term>,
    id: Option<u32>,
    /// The text without the words that do not count in a name, if it has any: titles, particles and legal forms.
    counted: Option<Box<SearchText>>,
}

/// A word, or a number with or without punctuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Folded words, all of which must match.
    words: Vec<String>,
    /// The words joined, which may match instead.
    whole: Option<String>,
}

impl SearchText {
    /// Parses a text. A text without letters and digits has no terms and matches nothing.
    pub fn parse(text: &str) -> SearchText {
        let mut search = SearchText::default();
        let mut is_in_number = false;
        for token in text.split_whitespace() {
            let folded = fold(without_address(token));
            let words = folded.split(' ').filter(|word| !word.is_empty()).map(str::to_owned);
            let has_digits = folded.bytes().any(|byte| byte.is_ascii_digit());
            let is_number = has_digits && folded.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
            match search.terms.last_mut().filter(|_| is_number && is_in_number) {
                Some(number) => number.words.extend(words),
                None if is_number => {
                    search.take_back_name();
                    search.terms.push(Term { words: words.collect(), whole: None });
                }
                None if has_digits => search.terms.push(Term { words: words.collect(), whole: None }),
                None => search.terms.extend(words.map(|word| Term { words: vec![word], whole: None })),
            }
            is_in_number = is_number;
        }
        for term in search.terms.iter_mut().filter(|term| term.words.len() > 1) {
            term.whole = Some(term.words.concat());
        }
        let mut once = Vec::with_capacity(search.terms.len());
        search.terms.into_iter().for_each(|term| {
            if !once.contains(&term) {
                once.push(term);
            }
        });
        let is_id = text.trim().bytes().all(|byte| byte.is_ascii_digit());
        let folded = fold(text);
        let words = SplitName::of(&folded);
        let is_counted = |word: &str| words.words().contains(&word);
        let is_shorter = !folded.is_empty() && !folded.split(' ').all(is_counted);
        let counted = is_shorter.then(|| Box::new(SearchText::parse(&words.words().join(" "))));
        SearchText { folded, terms: once, id: text.trim().parse().ok().filter(|_| is_id), counted }
    }

    /// Drops the words that only announce the number that follows.
    fn take_back_name(&mut self) {
        let is_name = |term: &Term| term.words.iter().all(|word| BEFORE_NUMBERS.contains(&&**word));
        while self.terms.last().is_some_and(is_name) {
            self.terms.pop();
        }
    }

    /// Returns the whole text, folded.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Returns the terms without duplicates.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Returns the text without the words that do not count in a name, if it has any: `Dr.`, `da`, `Ltda`.
    pub fn counted(&self) -> Option<&SearchText> {
        self.counted.as_deref()
    }

    /// Returns the id if the whole text is one.
    pub fn id(&self) -> Option<u32> {
        self.id
    }
}

impl Term {
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// Returns the joined words, which may match instead.
    pub fn whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }

    /// Returns `true` if a displayed text contains the term.
    pub fn is_in(&self, text: &str) -> bool {
        let folded = fold(text);
        let has = |part: &str| anchor(part).is_in_single(&folded, part);
        self.words().all(has) || self.whole().is_some_and(|whole| folded.replace(' ', "").contains(whole))
    }

    /// Returns `true` if a displayed word contains one of the term's words.
    pub fn marks(&self, word: &str) -> bool {
        let folded = fold(word);
        self.words().any(|part| anchor(part).is_in_single(&folded, part))
    }

    pub fn matches(&self, by: MatchMode, field: &Field, value: &str) -> bool {
        let text = by.text(field, value);
        let has = |word: &str| by.is_in(field, &text, word);
        self.words().all(has) || self.whole().is_some_and(has)
    }
}

/// The way in which the search matches a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchMode {
    /// Parts of its words.
    Words,
    /// Parts of its letters and digits.
    Code,
    /// The beginning of its letters and digits.
    Start,
    /// A sequence of its digits.
    Digits,
    /// The beginnings of words in names.
    Names,
}

/// The position at which a needle must occur in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Anywhere,
    Beginning,
}

impl Anchor {
    fn is_in(self, text: &str, needle: &str) -> bool {
        text.split(' ').any(|word| match self {
            Anchor::Anywhere => word.contains(needle),
            Anchor::Beginning => word.starts_with(needle),
        })
    }

    /// Like [`is_in`](Self::is_in), but does not tell doubled consonants from single ones.
    fn is_in_single(self, text: &str, needle: &str) -> bool {
        self.is_in(&single_consonants(text), &single_consonants(needle))
    }
}

/// Returns the position at which a folded word must occur.
fn anchor(word: &str) -> Anchor {
    let is_short = word.len() < ANYWHERE && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_short { Anchor::Beginning } else { Anchor::Anywhere }
}

impl MatchMode {
    /// Returns the way in which the search matches a field of a table. `None` if the field is not searched.
    pub fn at(table: &'static Table, field: &'static Field) -> Option<MatchMode> {
        let of_entry = |field: &Field| match field.ty {
            // Users are found by filters only: clients have the same names.
            Type::Reference(list) if list != List::Users => Some(MatchMode::Names),
            _ => None,
        };
        match (field.find, field.source) {
            _ if field.searched => Some(MatchMode::Words),
            (Some(Find::Words | Find::WordsOr(_)), _) => Some(MatchMode::Words),
            (Some(Find::Code), _) => Some(MatchMode::Code),
            (Some(Find::Start), _) => Some(MatchMode::Start),
            (Some(Find::Digits), _) => Some(MatchMode::Digits),
            (Some(Find::Guests), _) => Some(MatchMode::Names),
            (Some(Find::Entry(_) | Find::EntryOrParent(_)), Source::Column) => of_entry(field),
            (_, Source::NameOf(of) | Source::ParentNameOf(of)) => {
                let of = table.field(of).filter(|of| of.find.is_some());
                of.and_then(of_entry)
            }
            (_, Source::NamesOf(of)) => {
                let is_guests = table.field(of).is_some_and(|of| of.find == Some(Find::Guests));
                is_guests.then_some(MatchMode::Names)
            }
            _ => None,
        }
    }

    /// Returns `true` if a value matches a word. `text` is the value's [`text`](MatchMode::text).
    pub fn is_in(self, field: &Field, text: &str, word: &str) -> bool {
        self.needle(field, word).is_some_and(|(needle, anchor)| match self {
            MatchMode::Words | MatchMode::Names => anchor.is_in_single(text, &needle),
            _ => {
                anchor.is_in(text, &needle)
                    || other_notation(field, &needle).is_some_and(|other| anchor.is_in(text, &other))
            }
        })
    }

    /// Returns the needle for a folded word, and its position in the words of [`text`](MatchMode::text). `None`
    /// if nothing can match.
    pub fn needle(self, field: &Field, word: &str) -> Option<(String, Anchor)> {
        let has_digits = word.bytes().any(|byte| byte.is_ascii_digit());
        let anchor = anchor(word);
        match self {
            MatchMode::Words | MatchMode::Code => Some((word.to_owned(), anchor)),
            MatchMode::Start => has_digits.then(|| (compact(word), Anchor::Beginning)),
            MatchMode::Digits => has_digits.then(|| {
                let dialled = PhoneTerm::parse(word).ok().filter(|_| field.ty == Type::Phone);
                let needle = dialled.map_or_else(|| compact(word), |term| term.as_str().to_owned());
                (needle, anchor)
            }),
            MatchMode::Names => {
                (word.chars().count() >= MIN_PREFIX_LETTERS).then(|| (word.to_owned(), Anchor::Beginning))
            }
        }
    }

    /// Returns the words of a stored value in which needles are searched.
    pub fn text(self, field: &Field, value: &str) -> String {
        match self {
            MatchMode::Words if field.ty == Type::OpposingParties => parties(value),
            MatchMode::Words if field.ty == Type::Name => with_spellings(&fold(value)).into_owned(),
            MatchMode::Words | MatchMode::Names => fold(value),
            MatchMode::Code => fold(value).replace(' ', ""),
            MatchMode::Digits if field.ty == Type::Phone => searched_digits(value),
            MatchMode::Start | MatchMode::Digits => compact(value),
        }
    }
}

/// Returns the other notation of a number, which is searched beside the digits that were typed: a mobile number with its
/// ninth digit, or a case number with its leading zeros, where it is searched by its beginning.
pub fn other_notation(field: &Field, digits: &str) -> Option<String> {
    match (field.find?, field.ty) {
        (Find::Digits, Type::Phone) => PhoneTerm::parse(digits).ok()?.key(),
        (Find::Start, Type::ProcessNumber) => with_zeros(digits),
        _ => None,
    }
}

/// Returns the searchable text of a lawsuit's parties: names, numbers, and their lawyers' names.
fn parties(stored: &str) -> String {
    let mut words = Vec::new();
    for party in OpposingParties::from_json(stored).iter() {
        words.extend(party.name.iter().map(|name| with_spellings(&fold(name.as_str())).into_owned()));
        words.extend(party.lawyer.iter().map(|name| fold(name.as_str())));
        words.extend(party.identification.as_ref().map(|number| number.compact().to_lowercase()));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_into_terms() {
        let read = |text: &str| {
            let terms = SearchText::parse(text).terms;
            terms
                .iter()
                .map(|term| format!("{}={}", term.words.join(" "), term.whole().unwrap_or("")))
                .collect::<Vec<_>>()
        };
        for (text, terms) in [
            ("", &[][..]),
            (" % \" ' 😀 ", &[]),
            ("Rosângela 3456", &["rosangela=", "3456="]),
            ("Rosângela, final 3456", &["rosangela=", "3456="]),
            ("Rosângela com fone terminado em 3456", &["rosangela=", "com=", "fone=", "terminado=", "3456="]),
            ("final", &["final="]),
            ("3456 final", &["3456=", "final="]),
            ("alegações finais", &["alegacoes=", "finais="]),
            ("D'Ávila-Souza d’avila", &["davila=", "souza="]),
            ("(48) 98888-0000", &["48 98888 0000=48988880000"]),
            ("maria 529.982.247-25 silva", &["maria=", "529 982 247 25=52998224725", "silva="]),
            ("A-12 12.ABC.345/01DE-35", &["a 12=a12", "12 abc 345 01de 35=12abc34501de35"]),
        ] {
            assert_eq!(read(text), terms, "{text:?}");
        }
        let many = "silva lima ".repeat(200);
        assert_eq!(SearchText::parse(&many).terms().len(), 2, "repeated terms are dropped");
        for (text, id) in
            [("48", Some(48)), (" 7 ", Some(7)), ("+7", None), ("4 8", None), ("99999999999", None)]
        {
            assert_eq!(SearchText::parse(text).id(), id, "{text}");
        }
    }
}

//! What people type into a search field: terms, each of which has to match a record or one that it belongs to.

use crate::domain::{OpposingParties, PhoneTerm, compact, fold};
use crate::records::{Field, Find, List, Source, Table, Type};

/// Words that say which number follows. They need not be found themselves: `final 3456` is `3456`.
const BEFORE_NUMBERS: &[&str] = &[
    "final", "fim", "termina", "em", "tel", "telefone", "fone", "cel", "celular", "ddd", "cpf", "cnpj",
    "numero", "no", "processo", "ending", "in", "phone", "number", "case",
];
/// A number of fewer digits is found by how a word or number begins, such as a phone by its area code. Any two digits stand
/// somewhere in most of them.
const ANYWHERE: usize = 3;
/// Names of entries and people are found by how their words begin, from so many letters on: each is shared by many records,
/// and parts of them would hide what people look for.
const NAMED: usize = 3;

/// What somebody typed into a search field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchText {
    terms: Vec<Term>,
    id: Option<u32>,
}

/// A word; or a number, which may be punctuated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Folded words, which all have to match.
    words: Vec<String>,
    /// All of them without what parts them, which may match instead.
    whole: Option<String>,
}

impl SearchText {
    /// Reads a text. One without a letter or digit has no terms, and finds nothing.
    pub fn parse(text: &str) -> SearchText {
        let mut search = SearchText::default();
        let mut is_in_number = false;
        for token in text.split_whitespace() {
            let folded = fold(token);
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
        SearchText { terms: once, id: text.trim().parse().ok().filter(|_| is_id) }
    }

    /// Leaves out the words that say which number follows.
    fn take_back_name(&mut self) {
        let is_name = |term: &Term| term.words.iter().all(|word| BEFORE_NUMBERS.contains(&&**word));
        while self.terms.last().is_some_and(is_name) {
            self.terms.pop();
        }
    }

    /// The terms, each once.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The id that the whole text is.
    pub fn id(&self) -> Option<u32> {
        self.id
    }
}

impl Term {
    /// The words, all of which match.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// What may match in their place.
    pub fn whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }

    /// Whether what somebody reads says it.
    pub fn is_in(&self, text: &str) -> bool {
        let folded = fold(text);
        let has = |part: &str| anchor(part).is_in(&folded, part);
        self.words().all(has) || self.whole().is_some_and(|whole| folded.replace(' ', "").contains(whole))
    }

    /// Whether one of its words stands in a word of a text.
    pub fn marks(&self, word: &str) -> bool {
        let folded = fold(word);
        self.words().any(|part| anchor(part).is_in(&folded, part))
    }

    /// Whether a member with that value matches.
    pub fn matches(&self, by: Looked, field: &Field, value: &str) -> bool {
        let text = by.text(field, value);
        let has = |word: &str| by.needle(field, word).is_some_and(|(needle, by)| by.is_in(&text, &needle));
        self.words().all(has) || self.whole().is_some_and(has)
    }
}

/// How the search looks at a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// By parts of its words.
    Words,
    /// By a part of its letters and digits.
    Code,
    /// By how its letters and digits begin.
    Start,
    /// By digits that stand together.
    Digits,
    /// By how the words of names begin.
    Names,
}

/// How a needle stands in one of the words of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Anywhere.
    Anywhere,
    /// At its beginning.
    Beginning,
}

impl Anchor {
    fn is_in(self, text: &str, needle: &str) -> bool {
        text.split(' ').any(|word| match self {
            Anchor::Anywhere => word.contains(needle),
            Anchor::Beginning => word.starts_with(needle),
        })
    }
}

/// Where a folded word is looked for in words.
fn anchor(word: &str) -> Anchor {
    let is_short = word.len() < ANYWHERE && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_short { Anchor::Beginning } else { Anchor::Anywhere }
}

impl Looked {
    /// How the search looks at the member of a table; `None` if it does not.
    pub fn at(table: &'static Table, field: &'static Field) -> Option<Looked> {
        let of_entry = |field: &Field| match field.ty {
            // Whose cases and tasks they are is asked for by filters: clients have the same names.
            Type::Reference(list) if list != List::Users => Some(Looked::Names),
            _ => None,
        };
        match (field.find, field.source) {
            _ if field.searched => Some(Looked::Words),
            (Some(Find::Words | Find::WordsOr(_)), _) => Some(Looked::Words),
            (Some(Find::Code), _) => Some(Looked::Code),
            (Some(Find::Start), _) => Some(Looked::Start),
            (Some(Find::Digits), _) => Some(Looked::Digits),
            (Some(Find::Guests), _) => Some(Looked::Names),
            (Some(Find::Entry(_) | Find::EntryOrParent(_)), Source::Column) => of_entry(field),
            (_, Source::NameOf(of) | Source::ParentNameOf(of)) => {
                let of = table.field(of).filter(|of| of.find.is_some());
                of.and_then(of_entry)
            }
            (_, Source::NamesOf(of)) => {
                let is_guests = table.field(of).is_some_and(|of| of.find == Some(Find::Guests));
                is_guests.then_some(Looked::Names)
            }
            _ => None,
        }
    }

    /// What is looked for so for a folded word, and where in the words of [`text`](Looked::text); `None` if nothing can match.
    pub fn needle(self, field: &Field, word: &str) -> Option<(String, Anchor)> {
        let has_digits = word.bytes().any(|byte| byte.is_ascii_digit());
        let anchor = anchor(word);
        match self {
            Looked::Words | Looked::Code => Some((word.to_owned(), anchor)),
            Looked::Start => has_digits.then(|| (compact(word), Anchor::Beginning)),
            Looked::Digits => has_digits.then(|| {
                let dialled = PhoneTerm::parse(word).ok().filter(|_| field.ty == Type::Phone);
                let needle = dialled.map_or_else(|| compact(word), |term| term.as_str().to_owned());
                (needle, anchor)
            }),
            Looked::Names => (word.chars().count() >= NAMED).then(|| (word.to_owned(), Anchor::Beginning)),
        }
    }

    /// The words of a stored value in which a needle is looked for.
    pub fn text(self, field: &Field, value: &str) -> String {
        match self {
            Looked::Words if field.ty == Type::OpposingParties => parties(value),
            Looked::Words | Looked::Names => fold(value),
            Looked::Code => fold(value).replace(' ', ""),
            Looked::Start | Looked::Digits => compact(value),
        }
    }
}

/// What parties of a lawsuit are found by: names, numbers, and their lawyers' names.
fn parties(stored: &str) -> String {
    let mut words = Vec::new();
    for party in OpposingParties::from_json(stored).iter() {
        words.extend(party.name.iter().chain(&party.lawyer).map(|name| fold(name.as_str())));
        words.extend(party.identification.as_ref().map(|number| number.compact().to_lowercase()));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_terms() {
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
        assert_eq!(SearchText::parse(&many).terms().len(), 2, "each once");
        for (text, id) in
            [("48", Some(48)), (" 7 ", Some(7)), ("+7", None), ("4 8", None), ("99999999999", None)]
        {
            assert_eq!(SearchText::parse(text).id(), id, "{text}");
        }
    }
}

//! Explains why a search found a record, if the row does not show the term.

use std::collections::BTreeMap;

use crate::console::layout::view::format_value;
use crate::console::prelude::*;
use crate::domain::compact;
use crate::domain::text::fold;
use crate::index::{MatchMode, Term, other_notation};
use crate::records::{Find, Source};

/// Words of a long text shown before the first match, and after it.
const WORDS_BEFORE_MATCH: usize = 6;
const WORDS_AFTER_MATCH: usize = 14;
/// Query parameter that finds tasks by the name of a responsible person.
const GUEST: &str = "user_name";
/// Maximum number of owner records that are searched for a term.
const MAX_OWNERS_SEARCHED: usize = 20;

/// The terms of a search, and the matches in the records' owners.
#[derive(Default)]
pub(in crate::console) struct Matches {
    terms: Vec<MatchTerm>,
    /// Matches in owners, by the record's id and the position of the term.
    in_owners: BTreeMap<(u32, usize), Match>,
}

#[derive(Clone, Debug)]
pub(in crate::console) enum MatchTerm {
    /// A text searched in one field.
    Of(&'static Field, String),
    /// A word of the search field, searched in all fields.
    Any(Term),
}

struct Match {
    /// Kind of the record that contains the match; empty for the record itself.
    whose: String,
    label: Bilingual,
    by: MatchMode,
    text: String,
}

impl Matches {
    /// Searches the records and their owners for the terms.
    pub fn read(db: Db<'_>, records: &[View], terms: Vec<MatchTerm>, lang: Lang) -> StoreResult<Matches> {
        let mut in_owners = BTreeMap::new();
        for record in records {
            for (at, term) in terms.iter().enumerate() {
                let MatchTerm::Any(term) = term else { continue };
                if own_match(record, term, lang).is_none() && !is_shown(record, term) {
                    let found = match_in_owners(db, record, term, lang)?;
                    in_owners.extend(found.map(|found| ((record.id, at), found)));
                }
            }
        }
        Ok(Matches { terms, in_owners })
    }

    /// Returns `true` if there are no search terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Renders the matches that the row does not show. `shown` are the texts in the row.
    pub fn render(&self, record: &View, shown: &[String], lang: Lang) -> Markup {
        let unseen = self.terms.iter().enumerate();
        let unseen = unseen.filter(|(_, term)| !shown.iter().any(|text| term.is_in(text)));
        html! {
            @for (at, term) in unseen {
                @match term {
                    MatchTerm::Of(field, typed) => (render_of(record, field, typed, lang)),
                    MatchTerm::Any(term) => {
                        @let own = own_match(record, term, lang);
                        @if let Some(found) = own.as_ref().or_else(|| self.in_owners.get(&(record.id, at))) { (found.render(term, lang)) }
                    }
                }
            }
        }
    }
}

impl Match {
    fn render(&self, term: &Term, lang: Lang) -> Markup {
        html! {
            p.hit {
                @if !self.whose.is_empty() { (self.whose) " · " }
                (lang.pick(self.label.0, self.label.1)) ": "
                @if matches!(self.by, MatchMode::Words | MatchMode::Names) { (marked(&self.text, |word| term.marks(word))) } @else { mark { (self.text) } }
            }
        }
    }
}

/// Returns the match of a term in the record itself.
fn own_match(record: &View, term: &Term, lang: Lang) -> Option<Match> {
    record.table.fields.iter().find_map(|field| {
        let by = MatchMode::at(record.table, field)?;
        let is_found = term.matches(by, field, record.text(field.column));
        is_found.then(|| Match {
            whose: String::new(),
            label: label(record.table, field),
            by,
            text: format_value(field, &record.typed(field, lang), None, lang),
        })
    })
}

/// Returns the label of a field. The name of a referenced record has the label of the reference.
fn label(table: &'static Table, field: &Field) -> Bilingual {
    let is_meant = |other: &&Field| match field.source {
        Source::NameOf(of) | Source::NamesOf(of) => other.column == of,
        Source::ParentNameOf(of) => other.source == Source::ParentOf(of),
        _ => false,
    };
    match field.label {
        ("", "") => table.fields.iter().find(is_meant).map_or(field.label, |other| other.label),
        label => label,
    }
}

/// Returns `true` if the record's heading or row already shows the term, in a text that comes from its owner.
fn is_shown(record: &View, term: &Term) -> bool {
    let fields = record.table.fields.iter();
    let mut of_others = fields.filter(|field| {
        matches!(field.source, Source::NamesThrough(..) | Source::Sides(_) | Source::MemberOf(..))
    });
    of_others.any(|field| term.is_in(record.text(field.column)))
}

/// Returns the match of a term in one of the record's owners, or in their owners.
fn match_in_owners(db: Db<'_>, record: &View, term: &Term, lang: Lang) -> StoreResult<Option<Match>> {
    for (field, kind) in record.table.fields.iter().filter_map(|field| Some((field, owner(field)?))) {
        let ids = record.value(field.column).ids();
        for owner in View::read(db, kind.table(), ids.get(..MAX_OWNERS_SEARCHED).unwrap_or(&ids))? {
            let whose = owner.table.noun.title(lang);
            let found = match own_match(&owner, term, lang) {
                Some(own) => Some(Match { whose, ..own }),
                None => match_in_owners(db, &owner, term, lang)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

/// Returns the kind of the owners that a field refers to.
fn owner(field: &Field) -> Option<Kind> {
    match (field.find?, field.ty) {
        (
            Find::Record | Find::RecordOrThrough(..) | Find::Newest(_) | Find::Linked(..),
            Type::Record(kind) | Type::Links(kind),
        ) => Some(kind),
        _ => None,
    }
}

impl MatchTerm {
    /// Returns the term for a list parameter, if the parameter searches a text.
    pub fn new(table: &'static Table, parameter: &str, text: &str) -> Option<MatchTerm> {
        let is_of_guests = |field: &&Field| field.find == Some(Find::Guests) && parameter == GUEST;
        let mut fields = table.fields.iter();
        let field =
            fields.find(|field| [field.shown, field.member].contains(&parameter) || is_of_guests(field))?;
        let is_text = is_of_guests(&field)
            || matches!(
                field.find,
                Some(Find::Words | Find::WordsOr(_) | Find::Code | Find::Start | Find::Digits)
            );
        (is_text && !text.trim().is_empty()).then(|| MatchTerm::Of(field, text.to_owned()))
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            MatchTerm::Of(field, typed) => is_of(field, typed, text),
            MatchTerm::Any(term) => term.is_in(text),
        }
    }
}

/// Returns `true` if the text matches what was typed for a field.
fn is_of(field: &Field, typed: &str, text: &str) -> bool {
    match field.find {
        Some(Find::Start) => {
            let text = compact(text);
            let typed = compact(typed);
            text.starts_with(&typed) || other_notation(field, &typed).is_some_and(|other| text == other)
        }
        Some(Find::Digits) => MatchMode::Digits.is_in(field, &MatchMode::Digits.text(field, text), typed),
        Some(Find::Code) => {
            let text = fold(text).replace(' ', "");
            fold(typed).split(' ').all(|word| text.contains(word))
        }
        _ => {
            let text = fold(text);
            fold(typed).split(' ').all(|word| text.contains(word))
        }
    }
}

/// Renders the match of a field's parameter in a record.
fn render_of(record: &View, searched: &'static Field, typed: &str, lang: Lang) -> Markup {
    let other = if let Some(Find::WordsOr(other)) = searched.find { other } else { "" };
    let is_meant = |field: &&Field| match searched.find {
        Some(Find::Digits) => field.find == Some(Find::Digits),
        _ => field.column == searched.column || field.column == other,
    };
    let text = |field: &Field| match field.find {
        Some(Find::Guests) => record.text("guest_names").to_owned(),
        _ => format_value(field, &record.typed(field, lang), None, lang),
    };
    let mut texts = record.table.fields.iter().filter(is_meant).map(|field| (field, text(field)));
    let Some((field, text)) = texts.find(|(_, text)| is_of(searched, typed, text)) else { return html! {} };
    let term = fold(typed);
    let by_words = matches!(searched.find, Some(Find::Words | Find::WordsOr(_) | Find::Guests));
    let is_hit = |word: &str| {
        let word = fold(word);
        term.split(' ').any(|part| word.contains(part))
    };
    html! {
        p.hit {
            (lang.pick(field.label.0, field.label.1)) ": "
            @if by_words { (marked(&text, is_hit)) } @else { mark { (text) } }
        }
    }
}

/// Renders the words around the first match, with all matches marked.
fn marked(text: &str, is_hit: impl Fn(&str) -> bool) -> Markup {
    let words = text.split_whitespace().collect::<Vec<_>>();
    let first = words.iter().position(|word| is_hit(word)).unwrap_or_default();
    let from = first.saturating_sub(WORDS_BEFORE_MATCH);
    let to = words.len().min(first + WORDS_AFTER_MATCH);
    html! {
        @if from > 0 { "… " }
        @for word in words.iter().take(to).skip(from) { @if is_hit(word) { mark { (word) } } @else { (word) } " " }
        @if to < words.len() { "…" }
    }
}

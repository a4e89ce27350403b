//! What in a record a search has found, where its row does not show it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::view::said;
use crate::api::pages::View;
use crate::domain::{Bilingual, Lang, PhoneTerm, compact, fold};
use crate::index::{Looked, Term};
use crate::records::{Field, Find, Kind, Source, Table, Type};
use crate::store::{self, Db};

/// So many words of a long text are shown before the first that was found, and behind it.
const BEFORE: usize = 6;
const BEHIND: usize = 14;
/// The parameter that finds tasks by who is to do them.
const GUEST: &str = "user_name";
/// So many of the records that one belongs to are looked at.
const OWNERS: usize = 20;

/// What records were found by, and where it stands in what they belong to.
#[derive(Default)]
pub(super) struct Hits {
    terms: Vec<Sought>,
    /// By the record's id and the place of the term.
    beyond: BTreeMap<(u32, usize), Hit>,
}

/// What was searched for.
#[derive(Clone, Debug)]
pub(super) enum Sought {
    /// A text in a member.
    Of(&'static Field, String),
    /// A word of the search field, in any member.
    Any(Term),
}

/// Where something was found.
struct Hit {
    /// What the record is whose member it is; empty if it is the one that was found.
    whose: String,
    label: Bilingual,
    by: Looked,
    text: String,
}

impl Hits {
    /// Looks for the terms in the records that were found, and in what they belong to.
    pub fn read(db: Db<'_>, records: &[View], terms: Vec<Sought>, lang: Lang) -> Result<Hits, store::Error> {
        let mut beyond = BTreeMap::new();
        for record in records {
            for (at, term) in terms.iter().enumerate() {
                let Sought::Any(term) = term else { continue };
                if own_hit(record, term, lang).is_none() && !is_told(record, term) {
                    let hit = beyond_hit(db, record, term, lang)?;
                    beyond.extend(hit.map(|hit| ((record.id, at), hit)));
                }
            }
        }
        Ok(Hits { terms, beyond })
    }

    /// Returns `true` if nothing was searched for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// What was found of a record whose row says `shown`: of each term that stands in none of these texts, where it stands.
    pub fn draw(&self, record: &View, shown: &[String], lang: Lang) -> Markup {
        let unseen = self.terms.iter().enumerate();
        let unseen = unseen.filter(|(_, term)| !shown.iter().any(|text| term.is_in(text)));
        html! {
            @for (at, term) in unseen {
                @match term {
                    Sought::Of(field, typed) => (draw_of(record, field, typed, lang)),
                    Sought::Any(term) => {
                        @let own = own_hit(record, term, lang);
                        @if let Some(hit) = own.as_ref().or_else(|| self.beyond.get(&(record.id, at))) { (hit.draw(term, lang)) }
                    }
                }
            }
        }
    }
}

impl Hit {
    fn draw(&self, term: &Term, lang: Lang) -> Markup {
        html! {
            p.hit {
                @if !self.whose.is_empty() { (self.whose) " · " }
                (lang.pick(self.label.0, self.label.1)) ": "
                @if matches!(self.by, Looked::Words | Looked::Names) { (marked(&self.text, |word| term.marks(word))) } @else { mark { (self.text) } }
            }
        }
    }
}

/// Where a record itself has a term.
fn own_hit(record: &View, term: &Term, lang: Lang) -> Option<Hit> {
    record.table.fields.iter().find_map(|field| {
        let by = Looked::at(record.table, field)?;
        let is_found = term.matches(by, field, record.text(field.column));
        is_found.then(|| Hit {
            whose: String::new(),
            label: label(record.table, field),
            by,
            text: said(field, &record.typed(field, lang), None, lang),
        })
    })
}

/// What people call a member; a name is called as what it is the name of.
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

/// Whether a record tells a term of what it belongs to, which its row and its heading are made of.
fn is_told(record: &View, term: &Term) -> bool {
    let fields = record.table.fields.iter();
    let mut of_others = fields
        .filter(|field| matches!(field.source, Source::NamesBy(..) | Source::Sides(_) | Source::Of(..)));
    of_others.any(|field| term.is_in(record.text(field.column)))
}

/// Where one of the records that one belongs to has a term.
fn beyond_hit(db: Db<'_>, record: &View, term: &Term, lang: Lang) -> Result<Option<Hit>, store::Error> {
    for (field, kind) in record.table.fields.iter().filter_map(|field| Some((field, owner(field)?))) {
        let ids = record.value(field.column).ids();
        for owner in View::read(db, kind.table(), ids.get(..OWNERS).unwrap_or(&ids))? {
            let whose = owner.table.noun.title(lang);
            let hit = match own_hit(&owner, term, lang) {
                Some(own) => Some(Hit { whose, ..own }),
                None => beyond_hit(db, &owner, term, lang)?,
            };
            if hit.is_some() {
                return Ok(hit);
            }
        }
    }
    Ok(None)
}

/// The kind of the records that one belongs to by a member.
fn owner(field: &Field) -> Option<Kind> {
    match (field.find?, field.ty) {
        (
            Find::Record | Find::RecordOrLinked(..) | Find::Newest(_) | Find::Linked(..),
            Type::Record(kind) | Type::Links(kind),
        ) => Some(kind),
        _ => None,
    }
}

impl Sought {
    /// What a parameter of a list asks for, where that is looked for in a text.
    pub fn new(table: &'static Table, parameter: &str, text: &str) -> Option<Sought> {
        let is_of_guests = |field: &&Field| field.find == Some(Find::Guests) && parameter == GUEST;
        let mut fields = table.fields.iter();
        let field =
            fields.find(|field| [field.shown, field.member].contains(&parameter) || is_of_guests(field))?;
        let is_text = is_of_guests(&field)
            || matches!(
                field.find,
                Some(Find::Words | Find::WordsOr(_) | Find::Code | Find::Start | Find::Digits)
            );
        (is_text && !text.trim().is_empty()).then(|| Sought::Of(field, text.to_owned()))
    }

    /// Whether a text is what was searched for.
    fn is_in(&self, text: &str) -> bool {
        match self {
            Sought::Of(field, typed) => is_of(field, typed, text),
            Sought::Any(term) => term.is_in(text),
        }
    }
}

/// Whether a text is what a member was searched for.
fn is_of(field: &Field, typed: &str, text: &str) -> bool {
    match field.find {
        Some(Find::Start) => compact(text).starts_with(&compact(typed)),
        Some(Find::Digits) if field.ty == Type::Phone => {
            PhoneTerm::parse(typed).is_ok_and(|term| compact(text).contains(term.as_str()))
        }
        Some(Find::Digits) => compact(text).contains(&compact(typed)),
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

/// Where a record has what one of its members was searched for.
fn draw_of(record: &View, searched: &'static Field, typed: &str, lang: Lang) -> Markup {
    let other = if let Some(Find::WordsOr(other)) = searched.find { other } else { "" };
    let is_meant = |field: &&Field| match searched.find {
        Some(Find::Digits) => field.find == Some(Find::Digits),
        _ => field.column == searched.column || field.column == other,
    };
    let text = |field: &Field| match field.find {
        Some(Find::Guests) => record.text("guest_names").to_owned(),
        _ => said(field, &record.typed(field, lang), None, lang),
    };
    let mut texts = record.table.fields.iter().filter(is_meant).map(|field| (field, text(field)));
    let Some((field, text)) = texts.find(|(_, text)| is_of(searched, typed, text)) else { return html! {} };
    let (term, by_words) =
        (fold(typed), matches!(searched.find, Some(Find::Words | Find::WordsOr(_) | Find::Guests)));
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

/// The words of a text around the first hit, the hits marked.
fn marked(text: &str, is_hit: impl Fn(&str) -> bool) -> Markup {
    let words = text.split_whitespace().collect::<Vec<_>>();
    let first = words.iter().position(|word| is_hit(word)).unwrap_or_default();
    let (from, to) = (first.saturating_sub(BEFORE), words.len().min(first + BEHIND));
    html! {
        @if from > 0 { "… " }
        @for word in words.iter().take(to).skip(from) { @if is_hit(word) { mark { (word) } } @else { (word) } " " }
        @if to < words.len() { "…" }
    }
}

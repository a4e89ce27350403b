//! What in a record a search has found, where its row does not show it.

use maud::{Markup, html};

use super::view::said;
use crate::api::pages::View;
use crate::domain::{Lang, PhoneTerm, compact, fold};
use crate::records::{Field, Find, Table, Type};

/// So many words of a long text are shown before the first that was found, and behind it.
const BEFORE: usize = 6;
const BEHIND: usize = 14;
/// The parameter that finds tasks by who is to do them.
const GUEST: &str = "user_name";

/// What a member was searched for.
#[derive(Clone, Debug)]
pub(super) struct Term {
    field: &'static Field,
    text: String,
}

impl Term {
    /// What a parameter of a list asks for, where that is looked for in a text.
    pub fn new(table: &'static Table, parameter: &str, text: &str) -> Option<Term> {
        let is_of_guests = |field: &&Field| field.find == Some(Find::Guests) && parameter == GUEST;
        let mut fields = table.fields.iter();
        let field =
            fields.find(|field| [field.shown, field.member].contains(&parameter) || is_of_guests(field))?;
        let is_text = is_of_guests(&field)
            || matches!(
                field.find,
                Some(Find::Words | Find::WordsOr(_) | Find::Code | Find::Start | Find::Digits)
            );
        (is_text && !text.trim().is_empty()).then(|| Term { field, text: text.to_owned() })
    }

    /// Whether a text is what was searched for.
    fn is_in(&self, text: &str) -> bool {
        match self.field.find {
            Some(Find::Start) => compact(text).starts_with(&compact(&self.text)),
            Some(Find::Digits) if self.field.ty == Type::Phone => {
                let term = PhoneTerm::parse(&self.text);
                term.is_ok_and(|term| compact(text).contains(term.as_str()))
            }
            Some(Find::Digits) => compact(text).contains(&compact(&self.text)),
            Some(Find::Code) => {
                let text = fold(text).replace(' ', "");
                fold(&self.text).split(' ').all(|word| text.contains(word))
            }
            _ => {
                let text = fold(text);
                fold(&self.text).split(' ').all(|word| text.contains(word))
            }
        }
    }

    /// The members that it is looked for in.
    fn fields(&self, table: &'static Table) -> impl Iterator<Item = &'static Field> {
        let other = if let Some(Find::WordsOr(other)) = self.field.find { other } else { "" };
        let is_meant = move |field: &&Field| match self.field.find {
            Some(Find::Digits) => field.find == Some(Find::Digits),
            _ => field.column == self.field.column || field.column == other,
        };
        table.fields.iter().filter(is_meant)
    }

    /// The words of a text, those that were found marked.
    fn marked(&self, text: &str) -> Markup {
        if !matches!(self.field.find, Some(Find::Words | Find::WordsOr(_) | Find::Guests)) {
            return html! { mark { (text) } };
        }
        let (term, words) = (fold(&self.text), text.split_whitespace().collect::<Vec<_>>());
        let is_hit = |word: &str| {
            let word = fold(word);
            term.split(' ').any(|part| word.contains(part))
        };
        let first = words.iter().position(|word| is_hit(word)).unwrap_or_default();
        let (from, to) = (first.saturating_sub(BEFORE), words.len().min(first + BEHIND));
        html! {
            @if from > 0 { "… " }
            @for word in words.iter().take(to).skip(from) { @if is_hit(word) { mark { (word) } } @else { (word) } " " }
            @if to < words.len() { "…" }
        }
    }
}

/// What was found of a record whose row says `shown`: of each term that stands in none of these texts, where it stands.
pub(super) fn draw(terms: &[Term], record: &View, shown: &[String], lang: Lang) -> Markup {
    let unseen = terms.iter().filter(|term| !shown.iter().any(|text| term.is_in(text)));
    let hits = unseen.filter_map(|term| {
        let text = |field: &Field| match field.find {
            Some(Find::Guests) => record.text("guest_names").to_owned(),
            _ => said(field, &record.typed(field, lang), None, lang),
        };
        let mut texts = term.fields(record.table).map(|field| (field, text(field)));
        texts.find(|(_, text)| term.is_in(text)).map(|(field, text)| (term, field, text))
    });
    html! {
        @for (term, field, text) in hits {
            p.hit { (lang.pick(field.label.0, field.label.1)) ": " (term.marked(&text)) }
        }
    }
}

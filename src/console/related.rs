//! What hangs on a record: the newest few of each noun that refers to it, on its page.

use maud::{Markup, html};

use super::numbers::count;
use super::paths::BASE;
use super::summary::draw_owed;
use super::viewer::drop_zone;
use super::visit::Visit;
use super::words::title;
use crate::api::PAGES;
use crate::api::pages::{EVERYTHING, Pages, View};
use crate::api::pages_of;
use crate::domain::{Bilingual, Day};
use crate::records::{Field, Find, Kind, Record, Source, Task, Transaction, TransactionId, Type};
use crate::store::lawsuits::{documents_of_customer, tasks_of_customer};
use crate::store::records::{linked_to, missing, newest_of};
use crate::store::series::members;
use crate::store::transactions::{Owed, owed, unpaid_first};
use crate::store::{self, Db};

/// How many of those that refer to a record stand on its page.
const NEWEST: usize = 5;
/// How many of those that it is linked to itself.
const LINKED: usize = 100;

/// The records of a noun that hang on another one.
pub(super) struct Related {
    /// The member that links the two: theirs, or that one's own.
    field: &'static Field,
    is_own: bool,
    /// Whether that is a member of records between the two.
    is_of_others: bool,
    /// What its part of the page is called, if not by its noun or its member.
    label: Option<Bilingual>,
    pages: &'static Pages,
    first: Vec<View>,
    /// How many there are in all.
    total: usize,
    /// What a form for another one is filled in with: that record, and what both belong to.
    begin: Vec<(&'static str, u32)>,
    /// The parameter of their list that finds all of them.
    all: Option<&'static str>,
    /// What they come to, of transactions.
    owed: Option<Owed>,
}

impl Related {
    /// All that hangs on a record: what it is linked to itself, then what refers to it. Of a customer also what belongs to the
    /// customer's lawsuits.
    pub fn on(db: Db<'_>, record: &View, today: Day) -> Result<Vec<Related>, store::Error> {
        let mut all = Vec::new();
        for field in record.table.stored() {
            let Type::Links(kind) = field.ty else { continue };
            let Some(pages) = pages_of(kind) else { continue };
            let ids = record.value(field.column).ids();
            all.push(Related { is_own: true, ..Related::read(db, field, pages, ids, LINKED)? });
        }
        all.extend(Related::series_of(db, record)?);
        for (field, pages) in referring(record) {
            let kinds = (record.table.kind, pages.table.kind);
            let ids = match kinds {
                (_, Kind::Transaction) => unpaid_first(db, field.column, record.id)?,
                (Kind::Customer, Kind::Document) => documents_of_customer(db, record.id)?,
                _ => live(db, field, pages, record.id)?,
            };
            let owed = (kinds.1 == Kind::Transaction)
                .then(|| owed(db, field.column, record.id, today))
                .transpose()?;
            let begin = begin(record, field, pages);
            // A document of a lawsuit is not found by the lawsuit's customer.
            let finds_all =
                kinds != (Kind::Customer, Kind::Document) || ids == live(db, field, pages, record.id)?;
            let related = Related::read(db, field, pages, ids, NEWEST)?;
            all.push(Related { begin, owed, all: related.all.filter(|_| finds_all), ..related });
            if kinds == (Kind::Customer, Kind::Lawsuit) {
                all.extend(Related::tasks_of(db, record)?);
            }
        }
        Ok(all)
    }

    /// The transactions that belong together with one, itself included: instalments, and those of a repetition.
    fn series_of(db: Db<'_>, record: &View) -> Result<Option<Related>, store::Error> {
        let field = Transaction::TABLE.field("date_due").filter(|_| record.table.kind == Kind::Transaction);
        let (Some(field), Some(pages)) = (field, pages_of(Kind::Transaction)) else { return Ok(None) };
        let ids = members(db, TransactionId::from_stored(record.id))?;
        let label = Some(("Parcelas e repetições", "Instalments and repetitions"));
        let related = Related::read(db, field, pages, ids, LINKED)?;
        Ok(Some(Related { is_own: true, label, ..related }).filter(|related| related.total > 1))
    }

    /// The tasks of a customer's lawsuits.
    fn tasks_of(db: Db<'_>, customer: &View) -> Result<Option<Related>, store::Error> {
        let field =
            Task::TABLE.fields.iter().find(|field| matches!(field.find, Some(Find::RecordOrLinked(..))));
        let (Some(field), Some(pages)) = (field, pages_of(Kind::Task)) else { return Ok(None) };
        let Some(Find::RecordOrLinked([of_customer, _], _)) = field.find else { return Ok(None) };
        let ids = tasks_of_customer(db, customer.id)?;
        let lawsuits = customer.value("lawsuits").ids();
        let begin = if let [only] = lawsuits[..] { vec![(field.member, only)] } else { Vec::new() };
        let related = Related::read(db, field, pages, ids, NEWEST)?;
        // Who has no lawsuit has nothing to do in one.
        let related = Related { begin, is_of_others: true, all: Some(of_customer), ..related };
        Ok(Some(related).filter(|_| !lawsuits.is_empty()))
    }

    fn read(
        db: Db<'_>,
        field: &'static Field,
        pages: &'static Pages,
        ids: Vec<u32>,
        most: usize,
    ) -> Result<Related, store::Error> {
        let first = View::read(db, pages.table, ids.get(..most).unwrap_or(&ids))?;
        let all = match field.find {
            Some(Find::Linked(name, _)) => Some(name),
            Some(Find::Record | Find::Newest(_) | Find::RecordOrLinked(..)) => Some(field.shown),
            _ => None,
        };
        Ok(Related {
            field,
            is_own: false,
            is_of_others: false,
            label: None,
            pages,
            first,
            total: ids.len(),
            begin: Vec::new(),
            all,
            owed: None,
        })
    }

    /// `true` if nothing of the kind hangs on the record.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// What does not hang on a record yet, as a row of buttons.
    pub fn draw_empty(all: &[Related], visit: &Visit) -> Markup {
        let empty = || all.iter().filter(|related| related.is_empty() && !related.is_own);
        html! {
            @if empty().next().is_some() {
                p.choices.none { @for related in empty() { (related.button(visit)) " " } }
            }
        }
    }

    /// The place for files that belong to the record.
    pub fn drop_zone(all: &[Related], visit: &Visit) -> Markup {
        let files = all.iter().find(|related| related.pages.file.is_some() && !related.is_own);
        html! { @if let Some(files) = files { (drop_zone(files.pages.path(), &files.begin, visit)) } }
    }

    /// The button for a new one.
    fn button(&self, visit: &Visit) -> Markup {
        let (pt, en) = self.pages.presentation.new;
        html! { a.button href={ (BASE) "/" (self.pages.path()) "/new?" (query(&self.begin)) } { (visit.lang.pick(pt, en)) } }
    }

    /// A part of the page of the record with that id.
    pub fn draw(&self, id: &str, visit: &Visit) -> Markup {
        let Related { field, is_own, is_of_others, pages, first, total, owed, .. } = self;
        let number = u64::try_from(*total).unwrap_or(u64::MAX);
        let label = match is_own {
            _ if self.label.is_some() => self.label.map_or("", |(pt, en)| visit.lang.pick(pt, en)).to_owned(),
            true => visit.lang.pick(field.label.0, field.label.1).to_owned(),
            false => title(pages.table, visit.lang),
        };
        html! {
            section.below {
                header {
                    h2 { (label) " " span.quiet { (count(number, visit.lang)) } }
                    @if !is_own {
                        @if let (Some(query), true) = (self.everything(id), *total > first.len()) {
                            a href={ (BASE) "/" (pages.path()) "?" (query) } { (visit.say("Ver tudo", "See all")) }
                        }
                        (self.button(visit))
                    }
                }
                @if let Some(owed) = owed { (draw_owed(*owed, visit)) }
                table.list data-rows { (pages.rows_of(first, (!is_own && !is_of_others).then_some(*field), visit)) }
            }
        }
    }

    /// What a list is asked for that has all of them.
    fn everything(&self, id: &str) -> Option<String> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(self.all?, id);
        if let Some(preset) = self.pages.preset.as_ref().filter(|preset| preset.value != preset.everything) {
            query.append_pair(preset.parameter, EVERYTHING);
        }
        Some(query.finish())
    }
}

/// The records whose member refers to that one, the newest first; by their day, if they have one for that.
fn live(db: Db<'_>, field: &Field, pages: &Pages, id: u32) -> Result<Vec<u32>, store::Error> {
    let mut ids: Vec<u32> = match field.find {
        Some(Find::Newest(_)) => newest_of(db, pages.table, field.column, id)?,
        _ => linked_to(db, pages.table, field.column, id)?.into_iter().rev().collect(),
    };
    let deleted = missing(db, pages.table, &ids)?;
    ids.retain(|id| !deleted.contains(id));
    Ok(ids)
}

/// What a new record of `pages` that belongs to that one by `field` begins with. What that one belongs to, it does too.
fn begin(record: &View, field: &Field, pages: &Pages) -> Vec<(&'static str, u32)> {
    let kinds = |kind| record.table.fields.iter().find(move |own| own.record() == Some(kind));
    let shared = pages.table.stored().filter_map(|theirs| {
        let kind = theirs.record().filter(|kind| *kind != record.table.kind)?;
        Some((theirs.member, record.value(kinds(kind)?.column).id()?))
    });
    let own =
        pages.table.stored().filter(|own| own.column == field.column).map(|own| (own.member, record.id));
    own.chain(shared).collect()
}

fn query(pairs: &[(&str, u32)]) -> String {
    let pairs = pairs.iter().map(|(name, id)| (name, id.to_string()));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The members of nouns that refer to such records, and the pages of those, in the order of the navigation.
fn referring(record: &View) -> impl Iterator<Item = (&'static Field, &'static Pages)> {
    let kind = record.table.kind;
    PAGES.iter().flat_map(move |pages| {
        let fields = pages.table.stored();
        let referring = fields.filter(move |field| match field.ty {
            Type::Links(to) => to == kind && matches!(field.source, Source::Links(..)),
            _ => field.record() == Some(kind),
        });
        referring.map(move |field| (field, pages))
    })
}

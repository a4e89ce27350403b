//! Related records on a record's page: of each kind, the newest ones that refer to the record.

use crate::api::console_pages::EVERYTHING;
use crate::console::prelude::*;
use crate::console::records::page::document_viewer::drop_zone;
use crate::console::records::page::summary::render_owed;
use crate::records::{Find, Source, Transaction, TransactionId};
use crate::store::nouns::lawsuits::{documents_of_customer, tasks_of_customer};
use crate::store::nouns::transactions::series::members;
use crate::store::nouns::transactions::{Owed, owed, unpaid_first};
use crate::store::records::{linked_to, missing, newest_of};

/// Referring records of each kind shown on the page.
const NEWEST_OF_EACH: usize = 5;
/// Linked records of each field shown on the page.
const LINKED: usize = 100;

/// The records of one kind that are related to a record.
pub(in crate::console) struct Related {
    /// The field that links the two: in the related records, or in the record itself if `is_own`.
    field: &'static Field,
    is_own: bool,
    /// Heading, if it is not the name of the kind or field.
    label: Option<Bilingual>,
    pages: &'static Pages,
    first: Vec<View>,
    total: usize,
    /// Values for the form of a new related record: the record, and the records that both belong to.
    initial: Vec<(&'static str, u32)>,
    /// Parameter of the list that finds all of them.
    all: Option<&'static str>,
    /// Sums, for transactions.
    owed: Option<Owed>,
    /// Label of the button that adds one.
    new: Bilingual,
}

impl Related {
    /// Returns all related records that the caller may see: first the linked ones, then the referring ones. A
    /// customer's also include those of the customer's lawsuits.
    pub fn on(db: Db<'_>, record: &View, today: Day) -> StoreResult<Vec<Related>> {
        let mut all = Vec::new();
        for field in record.table.stored() {
            let Type::Links(kind) = field.ty else { continue };
            let Some(pages) = pages_of(kind).filter(|_| db.nouns().has(kind)) else { continue };
            let ids = record.value(field.column).ids();
            all.push(Related { is_own: true, ..Related::read(db, field, pages, ids, LINKED)? });
        }
        all.extend(Related::series_of(db, record)?);
        for (field, pages) in referring(record) {
            // A rest is shown among the instalments.
            if !db.nouns().has(pages.table.kind) || field.read_only {
                continue;
            }
            let kinds = (record.table.kind, pages.table.kind);
            if kinds.0 == kinds.1 {
                all.extend(Related::refunds_of(db, record, field, pages)?);
                continue;
            }
            let ids = match kinds {
                (_, Kind::Transaction) => unpaid_first(db, field.column, record.id)?,
                (Kind::Customer, Kind::Document) => documents_of_customer(db, record.id)?,
                (Kind::Customer, Kind::Task) => tasks_of_customer(db, record.id)?,
                _ => live(db, field, pages, record.id)?,
            };
            let owed = (kinds.1 == Kind::Transaction)
                .then(|| owed(db, field.column, record.id, today))
                .transpose()?;
            let initial = match &record.value("lawsuits").ids()[..] {
                [only] if kinds == (Kind::Customer, Kind::Task) => vec![("lawsuits_id", *only)],
                _ => initial_values(record, field, pages),
            };
            // The list filter by customer does not find the documents of the customer's lawsuits.
            let finds_all =
                kinds != (Kind::Customer, Kind::Document) || ids == live(db, field, pages, record.id)?;
            let related = Related::read(db, field, pages, ids, NEWEST_OF_EACH)?;
            all.push(Related { initial, owed, all: related.all.filter(|_| finds_all), ..related });
        }
        Ok(all)
    }

    /// Returns the transactions of the same series (instalments or repetitions), the record included.
    fn series_of(db: Db<'_>, record: &View) -> StoreResult<Option<Related>> {
        let field = Transaction::TABLE.field("date_due").filter(|_| record.table.kind == Kind::Transaction);
        let (Some(field), Some(pages)) = (field, pages_of(Kind::Transaction)) else { return Ok(None) };
        let ids = members(db, TransactionId::from_stored(record.id))?;
        let label = Some(("Parcelas e repetições", "Instalments and repetitions"));
        let related = Related::read(db, field, pages, ids, LINKED)?;
        Ok(Some(Related { is_own: true, label, ..related }).filter(|related| related.total > 1))
    }

    /// Returns the refunds of an income that was paid.
    fn refunds_of(
        db: Db<'_>,
        income: &View,
        field: &'static Field,
        pages: &'static Pages,
    ) -> StoreResult<Option<Related>> {
        let is_received =
            income.text("entry_type") == "income" && income.value("date_payment").day().is_some();
        let ids = live(db, field, pages, income.id)?;
        let label = Some(("Devoluções", "Refunds"));
        let new = ("Devolver ao cliente", "Refund to the customer");
        let initial = vec![(field.member, income.id)];
        let related = Related::read(db, field, pages, ids, NEWEST_OF_EACH)?;
        Ok(Some(Related { label, new, initial, ..related }).filter(|_| is_received))
    }

    fn read(
        db: Db<'_>,
        field: &'static Field,
        pages: &'static Pages,
        ids: Vec<u32>,
        most: usize,
    ) -> StoreResult<Related> {
        let first = View::read(db, pages.table, ids.get(..most).unwrap_or(&ids))?;
        let all = match field.find {
            Some(Find::Linked(name, _)) => Some(name),
            Some(Find::RecordOrThrough(..)) => Some(field.parameter),
            Some(Find::Record | Find::Newest(_)) => Some(field.shown),
            _ => None,
        };
        Ok(Related {
            field,
            is_own: false,
            label: None,
            pages,
            first,
            total: ids.len(),
            initial: Vec::new(),
            all,
            owed: None,
            new: pages.presentation.new,
        })
    }

    /// `true` if there are no related records of the kind.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Renders buttons that add the first record of a kind.
    pub fn render_empty(all: &[Related], visit: &Visit) -> Markup {
        let may_add = |related: &Related| visit.may(Access::Create(related.pages.table.kind));
        let empty = || all.iter().filter(|related| related.is_empty() && !related.is_own && may_add(related));
        html! {
            @if empty().next().is_some() {
                p.choices.none { @for related in empty() { (related.button(visit)) " " } }
            }
        }
    }

    /// `true` for the files that belong to the record.
    pub fn takes_files(&self) -> bool {
        self.pages.file.is_some() && !self.is_own
    }

    pub fn drop_zone(&self, visit: &Visit) -> Markup {
        html! { @if visit.may(Access::Create(self.pages.table.kind)) { (drop_zone(self.pages.path(), &self.initial, visit)) } }
    }

    /// Renders the button for a new record.
    fn button(&self, visit: &Visit) -> Markup {
        let (pt, en) = self.new;
        html! { a.button href={ (BASE) "/" (self.pages.path()) "/new?" (query(&self.initial)) } { (visit.lang.pick(pt, en)) } }
    }

    /// Renders the section on the page of the record with this id.
    pub fn render(&self, id: &str, visit: &Visit) -> Markup {
        let Related { field, is_own, pages, first, total, owed, .. } = self;
        let number = u64::try_from(*total).unwrap_or(u64::MAX);
        let label = match is_own {
            _ if self.label.is_some() => self.label.map_or("", |(pt, en)| visit.lang.pick(pt, en)).to_owned(),
            true => visit.lang.pick(field.label.0, field.label.1).to_owned(),
            false => pages.table.title(visit.lang),
        };
        html! {
            section.below {
                header {
                    @let shown = u64::try_from(first.len()).unwrap_or(number);
                    h2 { (label) " " span.quiet {
                        @if shown < number { span.printed { (count(shown, visit.lang)) (visit.pick(" de ", " of ")) } }
                        (count(number, visit.lang))
                    } }
                    @if !is_own {
                        @if let (Some(query), true) = (self.everything(id), *total > first.len()) {
                            a href={ (BASE) "/" (pages.path()) "?" (query) } { (visit.pick("Ver tudo", "See all")) }
                        }
                        @if visit.may(Access::Create(pages.table.kind)) { (self.button(visit)) }
                    }
                }
                @if let Some(owed) = owed { (render_owed(*owed, visit)) }
                table.list data-rows { (pages.rows_of(first, (!is_own).then_some(*field), visit)) }
            }
        }
    }

    /// Returns the query for the list of all related records.
    fn everything(&self, id: &str) -> Option<String> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(self.all?, id);
        if let Some(preset) = self.pages.preset.as_ref().filter(|preset| preset.value != preset.everything) {
            query.append_pair(preset.parameter, EVERYTHING);
        }
        Some(query.finish())
    }
}

/// Returns the ids of the records whose field refers to the record: newest first, by their day if they have one.
fn live(db: Db<'_>, field: &Field, pages: &Pages, id: u32) -> StoreResult<Vec<u32>> {
    let mut ids: Vec<u32> = match field.find {
        Some(Find::Newest(_)) => newest_of(db, pages.table, field.column, id)?,
        _ => linked_to(db, pages.table, field.column, id)?.into_iter().rev().collect(),
    };
    let deleted = missing(db, pages.table, &ids)?;
    ids.retain(|id| !deleted.contains(id));
    Ok(ids)
}

/// Returns the values for a new record of `pages` that refers to `record` by `field`. It also gets references
/// that both kinds have in common, such as the customer.
fn initial_values(record: &View, field: &Field, pages: &Pages) -> Vec<(&'static str, u32)> {
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

/// Returns the fields that refer to records of this kind, with the pages of their own kind, in the order of the
/// navigation.
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

//! What hangs on a record: the newest few of each noun that refers to it, on its page.

use maud::{Markup, html};

use super::numbers::count;
use super::paths::BASE;
use super::visit::Visit;
use super::words::{nothing_yet, title};
use crate::api::PAGES;
use crate::api::pages::{EVERYTHING, Pages, View};
use crate::api::pages_of;
use crate::records::{Field, Find, Source, Type};
use crate::store::records::{linked_to, missing, newest_of};
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
    pages: &'static Pages,
    first: Vec<View>,
    /// How many there are in all.
    total: usize,
    /// What a form for another one is filled in with: that record, and what both belong to.
    begin: Vec<(&'static str, u32)>,
}

impl Related {
    /// All that hangs on a record: what it is linked to itself, then what refers to it.
    pub fn on(db: Db<'_>, record: &View) -> Result<Vec<Related>, store::Error> {
        let mut all = Vec::new();
        for field in record.table.stored() {
            let Type::Links(kind) = field.ty else { continue };
            let Some(pages) = pages_of(kind) else { continue };
            all.push(Related::read(db, (field, true), pages, record.value(field.column).ids(), Vec::new())?);
        }
        for (field, pages) in referring(record) {
            let by_day = matches!(field.find, Some(Find::Newest(_)));
            let ids = match by_day {
                true => newest_of(db, pages.table, field.column, record.id)?,
                false => linked_to(db, pages.table, field.column, record.id)?.into_iter().rev().collect(),
            };
            let deleted = missing(db, pages.table, &ids)?;
            let ids = ids.into_iter().filter(|id| !deleted.contains(id)).collect();
            all.push(Related::read(db, (field, false), pages, ids, begin(record, field, pages))?);
        }
        Ok(all)
    }

    fn read(
        db: Db<'_>,
        (field, is_own): (&'static Field, bool),
        pages: &'static Pages,
        ids: Vec<u32>,
        begin: Vec<(&'static str, u32)>,
    ) -> Result<Related, store::Error> {
        let most = if is_own { LINKED } else { NEWEST };
        let first = View::read(db, pages.table, ids.get(..most).unwrap_or(&ids))?;
        Ok(Related { field, is_own, pages, first, total: ids.len(), begin })
    }

    /// A part of the page of the record with that id.
    pub fn draw(&self, id: &str, visit: &Visit) -> Markup {
        let Related { field, is_own, pages, first, total, begin } = self;
        let number = u64::try_from(*total).unwrap_or(u64::MAX);
        let (path, new) = (format!("{BASE}/{}", pages.path()), pages.presentation.new);
        let label = match is_own {
            true => visit.lang.pick(field.label.0, field.label.1).to_owned(),
            false => title(pages.table, visit.lang),
        };
        html! {
            section.below {
                header {
                    h2 { (label) @if *total > 0 { " " span.quiet { (count(number, visit.lang)) } } }
                    @if !is_own {
                        @if let (Some(query), true) = (self.everything(id), *total > first.len()) {
                            a href={ (path) "?" (query) } { (visit.say("Ver tudo", "See all")) }
                        }
                        a.button href={ (path) "/new?" (query(begin)) } { (visit.lang.pick(new.0, new.1)) }
                    }
                }
                @if first.is_empty() { p.quiet { (nothing_yet(pages.table, visit.lang)) } }
                @else { table.list data-rows { (pages.rows_of(first, (!is_own).then_some(*field), visit)) } }
            }
        }
    }

    /// What a list is asked for that has all of them.
    fn everything(&self, id: &str) -> Option<String> {
        let name = match self.field.find? {
            Find::Linked(name, _) => name,
            Find::Record | Find::Newest(_) | Find::RecordOrLinked(..) => self.field.shown,
            _ => return None,
        };
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(name, id);
        if let Some(preset) = self.pages.preset.as_ref().filter(|preset| preset.value != preset.everything) {
            query.append_pair(preset.parameter, EVERYTHING);
        }
        Some(query.finish())
    }
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

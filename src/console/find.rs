//! Records found by what somebody typed, whatever of them it may mean.

use super::hits::Term;
use super::pager;
use super::sort::Sort;
use super::state::Console;
use super::visit::Visit;
use crate::api::pages::{Pages, View};
use crate::domain::{Page, Sum};
use crate::http::Problem;
use crate::http::search::{ORDER, read_search};
use crate::index::{Found, Index};
use crate::store::Db;
use crate::store::records::newest_of;

/// A page of a list.
#[derive(Default)]
pub(super) struct Listed {
    pub records: Vec<View>,
    pub total: u64,
    /// What they were searched for.
    pub terms: Vec<Term>,
    /// What the text was taken for where nothing is found by it as it was typed.
    pub respelled: Option<String>,
    /// What all that were found come to, by the groups of the noun.
    pub sums: Vec<Sum>,
}

/// The page that the visitor asks for, of `limit` records.
pub(super) fn page_of(limit: u32, visit: &Visit) -> Result<Page, Problem> {
    Ok(Page::parse(None, Some(&pager::offset(visit).to_string()), limit)?)
}

/// What records are looked for by.
pub(super) struct SearchFor<'a> {
    /// What somebody typed into a search field.
    pub text: &'a str,
    /// Further parameters of the list, with their values.
    pub filters: Vec<(String, String)>,
    /// The order that they come in; without one by id.
    pub sort: Option<Sort>,
    /// How many at most.
    pub limit: u32,
    /// Whether a word that no record has may stand for one that is like it.
    pub is_forgiving: bool,
}

impl SearchFor<'_> {
    /// Those that just this text finds, the oldest first.
    pub fn of(text: &str, limit: u32) -> SearchFor<'_> {
        SearchFor { text, filters: Vec::new(), sort: None, limit, is_forgiving: false }
    }

    /// The newest of those that just this text finds.
    pub fn newest(text: &str, limit: u32) -> SearchFor<'_> {
        SearchFor { filters: vec![(ORDER.to_owned(), "desc".to_owned())], ..SearchFor::of(text, limit) }
    }
}

/// The page of such records.
pub(super) async fn find(
    console: &Console,
    pages: &'static Pages,
    asked: SearchFor<'_>,
    visit: &Visit,
) -> Result<Listed, Problem> {
    let page = page_of(asked.limit, visit)?;
    let terms = asked.filters.iter().filter_map(|(name, asked)| Term::new(pages.table, name, asked));
    let mut terms = terms.collect::<Vec<_>>();
    let read = move |db: Db<'_>, Hits { found, sums, meant, respelled }| {
        let records = db.snapshot(|db| View::read(db, pages.table, &found.ids))?;
        terms.extend(meant);
        Ok(Listed { records, total: found.total, terms, respelled, sums })
    };
    found(console, pages, asked, page, visit, read).await
}

/// The ids of all that the visitor's filters find.
pub(super) async fn find_all(
    console: &Console,
    pages: &'static Pages,
    visit: &Visit,
) -> Result<Vec<u32>, Problem> {
    let asked = pages.asked(&pages.filters(visit.lang), visit);
    found(console, pages, asked, Page::all(), visit, |_, hits| Ok(hits.found.ids)).await
}

/// What a search finds.
#[derive(Default)]
struct Hits {
    found: Found,
    sums: Vec<Sum>,
    /// What the text was looked for as.
    meant: Option<Term>,
    respelled: Option<String>,
}

/// What `read_hits` makes of the records that are found on that page.
async fn found<T: Send + 'static>(
    console: &Console,
    pages: &'static Pages,
    asked: SearchFor<'_>,
    page: Page,
    visit: &Visit,
    read_hits: impl FnOnce(Db<'_>, Hits) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let SearchFor { text, filters, sort, is_forgiving, .. } = asked;
    let table = pages.table;
    let (of_one, app) = (pages.newest_of(visit), console.api.app().clone());
    let read = move |meaning: Option<(&str, &str)>| {
        let meant = meaning.map(|(name, text)| (name.to_owned(), text.to_owned()));
        read_search(table, &filters.iter().cloned().chain(meant).collect::<Vec<_>>(), &app)
    };
    let meanings = if text.is_empty() { Vec::new() } else { (pages.presentation.meanings)(text) };
    let likeliest = meanings.first().copied();
    let (first, order) = read(likeliest.map(|name| (name, text)))?;
    let others =
        meanings.iter().skip(1).filter_map(|name| Some((Some(*name), read(Some((name, text))).ok()?.0)));
    let tries = std::iter::once((likeliest, first)).chain(others).collect::<Vec<_>>();
    let (page, text) = (page.in_order(sort.map_or(order, |sort| sort.order)), text.to_owned());
    let (column, groups) =
        pages.sums.as_ref().map_or(("", Vec::new()), |sums| (sums.column, (sums.groups)()));
    let list = move |index: &Index, db: Db<'_>| {
        let find = |filter: &_| match (of_one, sort) {
            (Some((column, id)), None) => {
                let ids = newest_of(db, table, column, id)?;
                Ok::<_, Problem>((index.find_among(db, table, filter, ids, page)?, Vec::new()))
            }
            _ => {
                let by = sort.map(|sort| sort.column);
                Ok(index.find_and_sum(db, table, filter, (page, by), (column, &groups))?)
            }
        };
        for (name, filter) in &tries {
            let (found, sums) = find(filter)?;
            if found.total > 0 {
                let meant = name.and_then(|name| Term::new(table, name, &text));
                return read_hits(db, Hits { found, sums, meant, respelled: None });
            }
        }
        for name in meanings.iter().filter(|_| is_forgiving) {
            let Some(respelled) = index.respell(db, table, name, &text)? else { continue };
            let Ok((filter, _)) = read(Some((name, &respelled))) else { continue };
            let (found, sums) = find(&filter)?;
            if found.total > 0 {
                let meant = Term::new(table, name, &respelled);
                return read_hits(db, Hits { found, sums, meant, respelled: Some(respelled) });
            }
        }
        read_hits(db, Hits::default())
    };
    console.api.list_inside(&visit.id, list).await
}

//! Records found by what somebody typed, whatever of them it may mean.

use super::hits::{Hits, Sought};
use super::pager;
use super::sort::Sort;
use super::state::Console;
use super::visit::Visit;
use crate::api::pages::{Pages, View};
use crate::domain::{Day, Lang, Page, Sum};
use crate::http::Problem;
use crate::http::search::{ORDER, read_search};
use crate::index::{Condition, Found, Index, SearchText};
use crate::store::records::newest_of;
use crate::store::{self, Db};

/// A page of a list.
#[derive(Default)]
pub(super) struct Listed {
    pub records: Vec<View>,
    pub total: u64,
    /// What of them was found.
    pub hits: Hits,
    /// What the text was taken for where nothing is found by it as it was typed.
    pub respelled: Option<String>,
    /// What all that were found come to, by the groups of the noun.
    pub sums: Vec<Sum>,
}

impl Listed {
    /// The records that were found, with what tells why.
    pub fn read(
        db: Db<'_>,
        pages: &'static Pages,
        found: &Found,
        terms: Vec<Sought>,
        lang: Lang,
    ) -> Result<Listed, store::Error> {
        let records = View::read(db, pages.table, &found.ids)?;
        let hits = Hits::read(db, &records, terms, lang)?;
        Ok(Listed { records, total: found.total, hits, ..Listed::default() })
    }
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
    /// The day since which nothing has happened to them, by the column of what happens.
    pub idle: Option<(&'static str, Day)>,
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
        SearchFor { text, filters: Vec::new(), idle: None, sort: None, limit, is_forgiving: false }
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
    let terms = asked.filters.iter().filter_map(|(name, asked)| Sought::new(pages.table, name, asked));
    let (mut terms, lang) = (terms.collect::<Vec<_>>(), visit.lang);
    let read = move |db: Db<'_>, Matched { found, sums, text, respelled }| {
        terms.extend(text.terms().iter().cloned().map(Sought::Any));
        let listed = db.snapshot(|db| Listed::read(db, pages, &found, terms, lang))?;
        Ok(Listed { respelled, sums, ..listed })
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
    found(console, pages, asked, Page::all(), visit, |_, matched| Ok(matched.found.ids)).await
}

/// What a search finds.
#[derive(Default)]
struct Matched {
    found: Found,
    sums: Vec<Sum>,
    /// What the text was looked for as.
    text: SearchText,
    respelled: Option<String>,
}

/// What `read_matched` makes of the records that are found on that page.
async fn found<T: Send + 'static>(
    console: &Console,
    pages: &'static Pages,
    asked: SearchFor<'_>,
    page: Page,
    visit: &Visit,
    read_matched: impl FnOnce(Db<'_>, Matched) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let SearchFor { text, filters, idle, sort, is_forgiving, .. } = asked;
    let table = pages.table;
    let (of_one, app) = (pages.newest_of(visit), console.api.app().clone());
    let (mut filter, order) = read_search(table, &filters, &app)?;
    idle.into_iter().for_each(|(column, day)| filter.add(column, Condition::IdleSince(day)));
    let page = page.in_order(sort.map_or(order, |sort| sort.order));
    let text = Some(text.trim()).filter(|text| !text.is_empty()).map(SearchText::parse);
    let (column, groups) =
        pages.sums.as_ref().map_or(("", Vec::new()), |sums| (sums.column, (sums.groups)(visit.today)));
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
        let Some(text) = text else {
            let (found, sums) = find(&filter)?;
            return read_matched(db, Matched { found, sums, ..Matched::default() });
        };
        let (found, sums) = find(&filter.clone().with_text(text.clone()))?;
        if found.total > 0 {
            return read_matched(db, Matched { found, sums, text, respelled: None });
        }
        // A slip is forgiven where nothing is found.
        if let Some(respelled) = index.respell(db, &[table], &text)?.filter(|_| is_forgiving) {
            let text = SearchText::parse(&respelled);
            let (found, sums) = find(&filter.with_text(text.clone()))?;
            if found.total > 0 {
                return read_matched(db, Matched { found, sums, text, respelled: Some(respelled) });
            }
        }
        read_matched(db, Matched::default())
    };
    console.api.list_inside(&visit.id, list).await
}

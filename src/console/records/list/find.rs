//! Searches the records of one kind for a list page.

use crate::console::prelude::*;
use crate::console::records::list::pager;
use crate::console::records::list::sort::Sort;
use crate::console::records::matches::{MatchTerm, Matches};
use crate::domain::{Page, Sum};
use crate::http::json::list_filter::{ORDER, read_search};
use crate::index::{Condition, Found, Index, SearchText};
use crate::store::records::newest_of;

#[derive(Default)]
pub(in crate::console) struct Listed {
    pub records: Vec<View>,
    pub total: u64,
    /// The terms that were found in the records.
    pub matches: Matches,
    /// The corrected text, if the text as typed finds nothing.
    pub respelled: Option<String>,
    /// Sums over all results, by the groups of the kind.
    pub sums: Vec<Sum>,
    /// Number of all overdue records, if the list comes by day.
    pub overdue: Option<u64>,
}

impl Listed {
    /// Reads the records that were found, and where each contains the terms.
    pub fn read(
        db: Db<'_>,
        pages: &'static Pages,
        found: &Found,
        terms: Vec<MatchTerm>,
        lang: Lang,
    ) -> StoreResult<Listed> {
        let records = View::read(db, pages.table, &found.ids)?;
        let matches = Matches::read(db, &records, terms, lang)?;
        Ok(Listed { records, total: found.total, matches, ..Listed::default() })
    }
}

/// Returns the page at the visitor's offset, with up to `limit` records.
pub(in crate::console) fn page_of(limit: u32, visit: &Visit) -> Result<Page> {
    Ok(Page::parse(None, Some(&pager::offset(visit).to_string()), limit)?)
}

pub(in crate::console) struct SearchFor<'a> {
    pub text: &'a str,
    /// Query parameters of the list with their values.
    pub filters: Vec<(String, String)>,
    /// Finds only records that nothing has happened to since this day. The column tells which events count.
    pub idle: Option<(&'static str, Day)>,
    /// Order of the results; `None` orders by id.
    pub sort: Option<Sort>,
    /// `true` if open records come by the day on which they are due. Such a search has no text and no order.
    pub by_day: bool,
    pub limit: u32,
    /// `true` if an unknown word may be corrected to a similar one.
    pub is_forgiving: bool,
}

impl SearchFor<'_> {
    /// Searches for a text without filters, oldest records first.
    pub fn of(text: &str, limit: u32) -> SearchFor<'_> {
        SearchFor {
            text,
            filters: Vec::new(),
            idle: None,
            sort: None,
            by_day: false,
            limit,
            is_forgiving: false,
        }
    }

    /// Searches for a text without filters, newest records first.
    pub fn newest(text: &str, limit: u32) -> SearchFor<'_> {
        SearchFor { filters: vec![(ORDER.to_owned(), "desc".to_owned())], ..SearchFor::of(text, limit) }
    }
}

/// Runs the search and returns a page of results.
pub(in crate::console) async fn find(
    pages: &'static Pages,
    search: SearchFor<'_>,
    visit: &Visit,
) -> Result<Listed> {
    let page = page_of(search.limit, visit)?;
    let terms = search.filters.iter().filter_map(|(name, value)| MatchTerm::new(pages.table, name, value));
    let mut terms = terms.collect::<Vec<_>>();
    let lang = visit.lang;
    let read = move |db: Db<'_>, Matched { found, sums, text, respelled, overdue }| {
        terms.extend(text.terms().iter().cloned().map(MatchTerm::Any));
        let listed = db.snapshot(|db| Listed::read(db, pages, &found, terms, lang))?;
        Ok(Listed { respelled, sums, overdue, ..listed })
    };
    found(pages, search, page, visit, read).await
}

/// Returns the ids of all records that match the visitor's filters.
pub(in crate::console) async fn find_all(pages: &'static Pages, visit: &Visit) -> Result<Vec<u32>> {
    let search = pages.search_for(&pages.filters(visit), visit);
    found(pages, search, Page::all(), visit, |_, matched| Ok(matched.found.ids)).await
}

#[derive(Default)]
struct Matched {
    found: Found,
    sums: Vec<Sum>,
    /// The text that found the records: as typed, or corrected.
    text: SearchText,
    respelled: Option<String>,
    overdue: Option<u64>,
}

/// Runs the search and passes its result to `read_matched`.
async fn found<T: Send + 'static>(
    pages: &'static Pages,
    search: SearchFor<'_>,
    page: Page,
    visit: &Visit,
    read_matched: impl FnOnce(Db<'_>, Matched) -> Result<T> + Send + 'static,
) -> Result<T> {
    let SearchFor { text, filters, idle, sort, by_day, is_forgiving, .. } = search;
    let table = pages.table;
    let of_one = pages.newest_of(visit);
    let app = visit.app().clone();
    let today = visit.today;
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
        if by_day && filter.is_of_open_tasks() {
            let (found, overdue) = index.find_due(db, &filter, (None, None), today, page)?;
            return read_matched(db, Matched { found, overdue: Some(overdue), ..Matched::default() });
        }
        let Some(text) = text else {
            let (found, sums) = find(&filter)?;
            return read_matched(db, Matched { found, sums, ..Matched::default() });
        };
        let (found, sums) = find(&filter.clone().with_text(text.clone()))?;
        if found.total > 0 {
            return read_matched(db, Matched { found, sums, text, ..Matched::default() });
        }
        // A typing error is corrected only if nothing was found.
        if let Some(respelled) = index.respell(db, &[table], &text)?.filter(|_| is_forgiving) {
            let text = SearchText::parse(&respelled);
            let (found, sums) = find(&filter.with_text(text.clone()))?;
            if found.total > 0 {
                let respelled = Some(respelled);
                return read_matched(db, Matched { found, sums, text, respelled, overdue: None });
            }
        }
        read_matched(db, Matched::default())
    };
    visit.list(list).await
}

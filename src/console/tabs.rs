//! Tabs above a list, each with filters and an order of its own. A list that nobody has asked anything of stands at the first.

use std::sync::Arc;

use maud::{Markup, html};

use super::find::{Listed, SearchFor, find};
use super::numbers::count;
use super::pager;
use super::paths::BASE;
use super::sort::SORT;
use super::state::Console;
use super::visit::Visit;
use crate::api::pages::{Pages, Tab};

/// The parameter that says which tab.
pub(super) const TAB: &str = "tab";
/// Parameters that ask nothing of a list.
const BESIDE: [&str; 4] = ["offset", "done", "as", SORT];
/// How many records of another tab stand above the first one's.
const BEFORE: u32 = 5;

impl Pages {
    /// The tab at which the list stands, if it has tabs.
    pub(super) fn tab(&self, visit: &Visit) -> Option<&'static Tab> {
        let asks = |(name, value): &(String, String)| !value.trim().is_empty() && !BESIDE.contains(&&**name);
        match visit.asked(TAB) {
            "" if visit.query.iter().any(asks) => None,
            "" => self.tabs.first(),
            name => self.tab_called(name),
        }
    }

    fn tab_called(&self, name: &str) -> Option<&'static Tab> {
        self.tabs.iter().find(|tab| tab.name == name)
    }

    /// What the tab asks for by that parameter.
    pub(super) fn of_tab(&self, name: &str, visit: &Visit) -> Option<String> {
        let filters = (self.tab(visit)?.filters)(visit.today);
        filters.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// `true` if the list leaves records out by its tab.
    pub(super) fn is_at_tab(&self, visit: &Visit) -> bool {
        self.tab(visit).is_some_and(|tab| !(tab.filters)(visit.today).is_empty())
    }

    /// The tabs.
    pub(super) fn draw_tabs(&self, visit: &Visit) -> Markup {
        let chosen = self.tab(visit).map(|tab| tab.name);
        html! {
            @if !self.tabs.is_empty() {
                nav.months aria-label=(visit.say("Situação", "Status")) {
                    @for tab in self.tabs {
                        a href={ (BASE) "/" (self.path()) "?" (TAB) "=" (tab.name) } aria-current=[(chosen == Some(tab.name)).then_some("true")] {
                            (visit.lang.pick(tab.label.0, tab.label.1))
                        }
                    }
                }
            }
        }
    }

    /// The first records of the tab that comes before the one at which the list stands; nothing but on the first page.
    pub(super) async fn before(
        &'static self,
        console: &Arc<Console>,
        visit: &Visit,
    ) -> Option<(&'static Tab, Listed)> {
        let tab = self.tab(visit).and_then(|tab| self.tab_called(tab.before))?;
        if pager::offset(visit) > 0 {
            return None;
        }
        let filters = (tab.filters)(visit.today).into_iter().map(|(name, value)| (name.to_owned(), value));
        let asked = SearchFor {
            filters: filters.collect(),
            sort: self.sort_by(tab.sort),
            ..SearchFor::of("", BEFORE)
        };
        let listed = find(console, self, asked, visit).await.ok()?;
        Some((tab, listed)).filter(|(_, listed)| listed.total > 0)
    }

    /// Those records, above the others.
    pub(super) fn draw_before(&self, before: Option<&(&'static Tab, Listed)>, visit: &Visit) -> Markup {
        html! {
            @if let Some((tab, Listed { records, total, .. })) = before {
                section.before {
                    header {
                        h2 { (visit.lang.pick(tab.label.0, tab.label.1)) " " span.quiet { (count(*total, visit.lang)) } }
                        @if *total > u64::from(BEFORE) {
                            a href={ (BASE) "/" (self.path()) "?" (TAB) "=" (tab.name) } { (visit.say("Ver tudo", "See all")) }
                        }
                    }
                    table.list data-rows { (self.rows_of(records, None, visit)) }
                }
                @if let Some(own) = self.tab(visit) { h2 { (visit.lang.pick(own.label.0, own.label.1)) } }
            }
        }
    }
}

//! Tabs above a list, each with its own filters and order. A list without query parameters shows the first tab.

use crate::api::console_pages::Tab;
use crate::console::layout::days::month_later;
use crate::console::prelude::*;
use crate::console::records::list::find::{Listed, SearchFor, find};
use crate::console::records::list::pager;
use crate::console::records::list::sort::SORT;
use crate::domain::YearMonth;
use crate::http::json::list_filter::days;
use crate::records::Find;

/// Query parameter with the name of the tab.
pub(in crate::console) const TAB: &str = "tab";
/// Query parameter for the people of a task.
const USER: &str = "user_id";
/// Query parameters that do not count as a search.
const BESIDE: [&str; 5] = ["offset", "done", "undo", "as", SORT];
/// Records of the tab `before` that are shown above the list.
const BEFORE: u32 = 5;

impl Pages {
    pub(in crate::console) fn tab(&self, visit: &Visit) -> Option<&'static Tab> {
        let asks = |(name, value): &(String, String)| !value.trim().is_empty() && !BESIDE.contains(&&**name);
        match visit.parameter(TAB) {
            "" if visit.query.iter().any(asks) => None,
            "" => self.tabs.first(),
            name => self.tab_called(name),
        }
    }

    fn tab_called(&self, name: &str) -> Option<&'static Tab> {
        self.tabs.iter().find(|tab| tab.name == name)
    }

    /// Returns the tab's value for a list parameter.
    pub(in crate::console) fn of_tab(&self, name: &str, visit: &Visit) -> Option<String> {
        let filters = (self.tab(visit)?.filters)(visit.today);
        filters.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// `true` if the tab or a period filters out records.
    pub(in crate::console) fn is_at_tab(&self, visit: &Visit) -> bool {
        let is_given = |period| days(period).iter().any(|name| !visit.parameter(name).is_empty());
        self.period.is_some_and(is_given)
            || self.tab(visit).is_some_and(|tab| !(tab.filters)(visit.today).is_empty())
    }

    pub(in crate::console) fn render_tabs(&self, visit: &Visit) -> Markup {
        let chosen = self.tab(visit).map(|tab| tab.name);
        html! {
            @if !self.tabs.is_empty() {
                nav.months aria-label=(visit.pick("Situação", "Status")) {
                    @for tab in self.tabs {
                        a href={ (BASE) "/" (self.path()) "?" (TAB) "=" (tab.name) } aria-current=[(chosen == Some(tab.name)).then_some("true")] {
                            (visit.lang.pick(tab.label.0, tab.label.1))
                        }
                    }
                }
            }
        }
    }

    /// Renders the periods of the list. The first tab stands for this month, so another period leads to the last tab,
    /// which has all records.
    pub(in crate::console) fn render_periods(&self, visit: &Visit) -> Markup {
        let (Some(period), Some(first), Some(all)) = (self.period, self.tabs.first(), self.tabs.last())
        else {
            return html! {};
        };
        let names = days(period);
        let chosen = self.tab(visit).unwrap_or(all);
        // The first tab is this month.
        let is_first = chosen.name == first.name;
        let tab = if is_first { all } else { chosen };
        let now = names.each_ref().map(|name| match visit.parameter(name) {
            "" => self.of_tab(name, visit).unwrap_or_default(),
            given => Day::parse(given).map_or_else(|_| given.to_owned(), Day::iso),
        });
        let month = YearMonth::of(visit.today);
        let year = visit.today.year();
        let of_month = |month: YearMonth| [month.first_day().iso(), month.last_day().iso()];
        let periods = [
            (visit.pick("Todo o período", "All time"), [String::new(), String::new()]),
            (visit.pick("Este mês", "This month"), of_month(month)),
            (visit.pick("Mês passado", "Last month"), of_month(YearMonth::of(month_later(visit.today, -1)))),
            (visit.pick("Este ano", "This year"), [format!("{year}-01-01"), format!("{year}-12-31")]),
        ];
        let is_own = periods.iter().all(|(_, days)| *days != now);
        let [start, end] = names.each_ref().map(|name| visit.parameter(name));
        let others = visit.query.iter().filter(|(name, value)| {
            !value.trim().is_empty()
                && ![TAB, "offset", "done", "undo", "as"].contains(&&**name)
                && !names.contains(name)
        });
        let others = others.collect::<Vec<_>>();
        let link = |days: &[String; 2]| {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair(TAB, tab.name).extend_pairs(others.iter().copied());
            query.extend_pairs(names.iter().zip(days).filter(|(_, day)| !day.is_empty()));
            format!("{BASE}/{}?{}", self.path(), query.finish())
        };
        html! {
            nav.months aria-label=(visit.pick("Período", "Period")) {
                @for (label, days) in periods.iter().filter(|(_, days)| !(is_first && *days == now)) {
                    a href=(link(days)) aria-current=[(*days == now).then_some("true")] { (label) }
                }
                details.period open[is_own] {
                    summary { (visit.pick("De – até", "From – to")) }
                    form action={ (BASE) "/" (self.path()) } autocomplete="off" {
                        input type="hidden" name=(TAB) value=(tab.name);
                        @for (name, value) in &others { input type="hidden" name=(name) value=(value); }
                        @for (name, (label, value)) in names.iter().zip([(visit.pick("de", "from"), start), (visit.pick("até", "to"), end)]) {
                            label { (label) " " input type="text" name=(name) value=(value) inputmode="numeric" data-mask=(visit.pick("day", "iso-day")) placeholder=(visit.pick("DD/MM/AAAA", "YYYY-MM-DD")); }
                        }
                        button.slight type="submit" { (visit.pick("Mostrar", "Show")) }
                    }
                }
            }
        }
    }

    /// Renders the choice between a signed-in person's own tasks and those of all people.
    pub(in crate::console) fn render_whose(&self, visit: &Visit) -> Markup {
        let has_people = self.table.fields.iter().any(|field| field.find == Some(Find::Guests));
        let person = visit.person.as_ref().filter(|_| has_people);
        html! {
            @if let Some(own) = person.map(|person| person.id.to_string()) {
                @let value = visit.parameter(USER);
                nav.months aria-label=(visit.pick("De quem", "Whose")) {
                    a href=(visit.url_anew(USER, &own)) aria-current=[(value == own).then_some("true")] { (visit.pick("Minhas", "Mine")) }
                    a href=(visit.url_anew(USER, "")) aria-current=[value.is_empty().then_some("true")] { (visit.pick("De todos", "Everyone's")) }
                }
            }
        }
    }

    /// Returns the first records of the tab that precedes the current one, on the first page only.
    pub(in crate::console) async fn before(&'static self, visit: &Visit) -> Option<(&'static Tab, Listed)> {
        let tab = self.tab(visit).and_then(|tab| self.tab_called(tab.before))?;
        if pager::offset(visit) > 0 {
            return None;
        }
        let filters = (tab.filters)(visit.today).into_iter().map(|(name, value)| (name.to_owned(), value));
        let search = SearchFor {
            filters: filters.collect(),
            sort: self.sort_by(tab.sort),
            ..SearchFor::of("", BEFORE)
        };
        let listed = find(self, search, visit).await.ok()?;
        Some((tab, listed)).filter(|(_, listed)| listed.total > 0)
    }

    pub(in crate::console) fn render_before(
        &self,
        before: Option<&(&'static Tab, Listed)>,
        visit: &Visit,
    ) -> Markup {
        html! {
            @if let Some((tab, Listed { records, total, .. })) = before {
                section.before {
                    header {
                        h2 { (visit.lang.pick(tab.label.0, tab.label.1)) " " span.quiet { (count(*total, visit.lang)) } }
                        @if *total > u64::from(BEFORE) {
                            a href={ (BASE) "/" (self.path()) "?" (TAB) "=" (tab.name) } { (visit.pick("Ver tudo", "See all")) }
                        }
                    }
                    table.list data-rows { (self.rows_of(records, None, visit)) }
                }
                @if let Some(own) = self.tab(visit) { h2 { (visit.lang.pick(own.label.0, own.label.1)) } }
            }
        }
    }
}

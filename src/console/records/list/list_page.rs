//! List pages: search field, filters, sorting, pages and totals.

use crate::api::console_pages::EVERYTHING;
use crate::console::agenda::court_calendar;
use crate::console::layout::choices::Choices;
use crate::console::layout::days::days_later;
use crate::console::layout::field_errors::{FieldErrors, wrong};
use crate::console::money::links::links;
use crate::console::money::months::{MONTHS_OF_HALF_YEAR, Months};
use crate::console::office::assigned;
use crate::console::prelude::*;
use crate::console::records::form::reference_fields::RecordNames;
use crate::console::records::list::export::exports;
use crate::console::records::list::filters::Filter;
use crate::console::records::list::find::{Listed, SearchFor, find};
use crate::console::records::list::pager;
use crate::console::records::list::sort::SORT;
use crate::console::records::list::sums;
use crate::console::records::list::tabs::TAB;
use crate::console::records::list_description::chosen_names;
use crate::console::requests::response::part;
use crate::http::json::list_filter::{ORDER, days};
use crate::records::{Find, Input};

const RECORDS_PER_PAGE: u32 = 50;
/// Filters that stand beside the search field, before the others are opened.
const DEFAULT_FILTERS: usize = 3;
/// Maximum number of suggestions.
const MAX_SUGGESTIONS: u32 = 8;

/// Query parameter for the days without activity, and its allowed values.
const IDLE_PARAMETER: &str = "idle";
const IDLE_DAYS: &[i32] = &[30, 60, 90];

/// Maximum number of records listed if a text is ambiguous.
const MAX_AMBIGUOUS_RECORDS: u32 = 5;

impl Pages {
    /// Returns the value of a list parameter, or its default.
    fn wanted<'v>(&'v self, name: &str, visit: &'v Visit) -> &'v str {
        match (visit.parameter(name), &self.preset) {
            ("", _) if name == ORDER => "desc",
            ("", Some(preset)) if preset.parameter == name => preset.value,
            (EVERYTHING, Some(preset)) if preset.parameter == name => preset.everything,
            (value, _) => value,
        }
    }

    /// If the visitor asks for the newest records of one owner, returns the referring column and the owner's
    /// id. Those records are ordered by their day.
    pub(in crate::console) fn newest_of(&self, visit: &Visit) -> Option<(&'static str, u32)> {
        let field = self.table.fields.iter().find(|field| matches!(field.find, Some(Find::Newest(_))))?;
        let id = visit.parameter(field.shown).parse().ok()?;
        visit.parameter(ORDER).is_empty().then_some((field.column, id))
    }

    /// Returns the minimum number of days without activity.
    pub(in crate::console::records) fn idle_days(&self, visit: &Visit) -> Option<i32> {
        let value = visit.parameter(IDLE_PARAMETER).parse().ok();
        value.filter(|days| self.idle.is_some() && IDLE_DAYS.contains(days))
    }

    pub(in crate::console) fn search_for<'v>(&self, filters: &[Filter], visit: &'v Visit) -> SearchFor<'v> {
        let idle = self.idle_days(visit).zip(self.idle);
        let wanted = |Filter { name, .. }: &Filter| match &self.preset {
            // Finished records do not count as idle.
            Some(preset)
                if idle.is_some() && preset.parameter == name && visit.parameter(name).is_empty() =>
            {
                (name.clone(), true.to_string())
            }
            _ => {
                let of_tab = self.of_tab(name, visit).filter(|_| visit.parameter(name).is_empty());
                (name.clone(), of_tab.unwrap_or_else(|| self.wanted(name, visit).to_owned()))
            }
        };
        let text = visit.parameter("q");
        let sort = self.sort(visit);
        SearchFor {
            text,
            filters: filters.iter().map(wanted).collect(),
            idle: idle.map(|(days, column)| (column, days_later(visit.today, -days))),
            sort,
            by_day: self.due_day.is_some()
                && sort.is_none()
                && text.is_empty()
                && visit.parameter(ORDER).is_empty(),
            limit: RECORDS_PER_PAGE,
            is_forgiving: true,
        }
    }

    /// Renders the list page, or only its results for the search-as-you-type script.
    pub(in crate::console) async fn list(&'static self, visit: &Visit) -> Result<Answer> {
        let filters = self.filters(visit);
        let (listed, wrong) = match find(self, self.search_for(&filters, visit), visit).await {
            Ok(listed) => (Some(listed), FieldErrors::new()),
            Err(problem) if problem.code() == "invalid" => (None, wrong(problem.wrong(), visit)),
            Err(problem) => return Err(problem),
        };
        let is_filled =
            |filter: &&Filter| !visit.parameter(&filter.name).is_empty() && !self.is_preset(filter);
        let filled = filters.iter().filter(is_filled).count();
        let before = self.before(visit).await;
        let results = html! {
            (self.render_tabs(visit)) (self.render_periods(visit)) (self.render_whose(visit)) (self.render_before(before.as_ref(), visit)) (self.results(listed.as_ref(), filled, visit))
        };
        if visit.part {
            return Ok(part(html! { (results) @for filter in &filters { (filter.wrong(&wrong)) } }));
        }
        if self.table.kind == Kind::Task {
            let shown = listed.iter().flat_map(|listed| &listed.records).map(|task| task.id);
            assigned::mark_seen(visit, &shown.collect::<Vec<_>>()).await?;
        }
        let today = visit.today;
        let is_searched = filled > 0 || !visit.parameter("q").is_empty() || pager::offset(visit) > 0;
        let has_months = self.table.kind == Kind::Transaction && !is_searched;
        let (choices, names) = chosen_names(&filters, visit).await?;
        let months = match has_months {
            true => visit
                .list(move |index, db| Months::read(index, db, today, MONTHS_OF_HALF_YEAR))
                .await
                .map(Some)?,
            false => None,
        };
        let title = self.table.title(visit.lang);
        let new = self.presentation.new;
        let main = html! {
            @if self.table.kind == Kind::Transaction { (links("", visit)) }
            header.title {
                h1 { (title) }
                div.tools {
                    @if self.merge.is_some() && visit.may(Access::Manage(self.table.kind)) { a.button href={ (BASE) "/" (self.path()) "/duplicates" } { (visit.pick("Possíveis duplicados", "Possible duplicates")) } }
                    @if self.table.kind == Kind::Holiday { a.button href={ (BASE) (court_calendar::PATH) } { (visit.pick("Calendário do ano", "Calendar of the year")) } }
                    @if visit.may(Access::Create(self.table.kind)) { a.button.main href={ (BASE) "/" (self.path()) "/new" } data-new { (visit.lang.pick(new.0, new.1)) } }
                }
            }
            @let about = self.described_by(&filters, &choices, &names, visit);
            @if !about.is_empty() { p.printed { (about) } }
            (self.done_in_row(visit))
            (self.done_with_chosen(visit))
            @if let Some(months) = &months { (months.render(visit)) }
            (self.search(&filters, filled, &wrong, (&choices, &names), visit))
            div #results { (results) }
        };
        Ok(page(visit, self.nav_item(), &title, &main))
    }

    /// Renders suggestions for a reference field, for the script.
    pub(in crate::console) async fn pick(&'static self, visit: &Visit) -> Answer {
        let search =
            SearchFor { is_forgiving: true, ..SearchFor::newest(visit.parameter("q"), MAX_SUGGESTIONS) };
        let mut found = find(self, search, visit).await.unwrap_or_default();
        found.records.retain(|record| record.id.to_string() != visit.parameter("not"));
        part(self.options(&found.records, &found.matches, visit))
    }

    /// Resolves a text that is not an id: returns the id of the only matching record, or the reason why it is
    /// not unique.
    pub(in crate::console) async fn meant(
        &'static self,
        text: &str,
        visit: &Visit,
    ) -> Result<Result<u32, String>> {
        let found = find(self, SearchFor::of(text, MAX_AMBIGUOUS_RECORDS), visit).await?;
        Ok(match found.records.as_slice() {
            [] => Err(visit
                .pick(
                    "nada encontrado; digite o número do cadastro ou parte do que o identifica",
                    "nothing found; type the record's number, or part of what identifies it",
                )
                .to_owned()),
            [one] if found.total == 1 => Ok(one.id),
            several => {
                let named = several.iter().map(|record| {
                    let number = numbered(&record.id.to_string(), visit.lang);
                    format!("{number} ({})", self.name(record, visit.lang))
                });
                let named = named.collect::<Vec<_>>().join(", ");
                let more = if found.total > u64::from(MAX_AMBIGUOUS_RECORDS) { "…" } else { "" };
                let total = count(found.total, visit.lang);
                let advice = visit.pick(
                    "encontrados; digite o número de um deles",
                    "found; type the number of one of them",
                );
                Err(format!("{total} {advice}: {named}{more}"))
            }
        })
    }

    fn search(
        &self,
        filters: &[Filter],
        filled: usize,
        wrong: &FieldErrors,
        (choices, names): (&Choices, &RecordNames),
        visit: &Visit,
    ) -> Markup {
        let at = format!("{BASE}/{}", self.path());
        let placeholder = self.presentation.placeholder;
        html! {
            form.search role="search" aria-label=(self.table.title(visit.lang)) action=(at) data-live="results" autocomplete="off" {
                div.line {
                    label.hidden for="q" { (visit.pick("Buscar", "Search")) }
                    input #q type="search" name="q" value=(visit.parameter("q")) placeholder=(visit.lang.pick(placeholder.0, placeholder.1))
                        autocomplete="off" spellcheck="false" data-focus[filled == 0];
                    button type="submit" { (visit.pick("Buscar", "Search")) }
                }
                @if self.sort(visit).is_some() { input type="hidden" name=(SORT) value=(visit.parameter(SORT)); }
                @if !visit.parameter(TAB).is_empty() { input type="hidden" name=(TAB) value=(visit.parameter(TAB)); }
                @if let Some(days) = self.idle_days(visit) { input type="hidden" name=(IDLE_PARAMETER) value=(days); }
                @for filter in filters.iter().filter(|filter| self.is_preset(filter)) {
                    @let typed = visit.parameter(&filter.name);
                    @if !typed.is_empty() { input type="hidden" name=(filter.name) value=(typed); }
                }
                @let mut usual = filters.iter().filter(|filter| !self.is_preset(filter) && filter.is_usual()).collect::<Vec<_>>();
                @let () = usual.sort_by_key(|filter| filter.rank());
                @let () = usual.truncate(DEFAULT_FILTERS);
                @let is_rest = |filter: &&Filter| !self.is_preset(filter) && usual.iter().all(|own| own.name != filter.name);
                @if !usual.is_empty() { div.usual { @for filter in &usual { (filter.render(wrong, choices, names, visit)) } } }
                details open[filters.iter().filter(is_rest).any(|filter| !visit.parameter(&filter.name).is_empty())] {
                    summary { (visit.pick("Filtros", "Filters")) @if filled > 0 { " (" (filled) ")" } }
                    div.fields { @for filter in filters.iter().filter(is_rest) { (filter.render(wrong, choices, names, visit)) } }
                    p { a href=(at) { (visit.pick("Limpar tudo", "Clear all")) } }
                }
            }
        }
    }

    /// Returns `true` if the filter has its own tabs or periods above the list.
    fn is_preset(&self, filter: &Filter) -> bool {
        let is_period = self.period.is_some_and(|period| days(period).contains(&filter.name));
        is_period || self.preset.as_ref().is_some_and(|preset| preset.parameter == filter.name)
    }

    /// Renders the tabs of the preset filter, and those for idle records.
    fn presets(&self, visit: &Visit) -> Markup {
        let Some(preset) = &self.preset else { return html! {} };
        let value = visit.parameter(preset.parameter);
        html! {
            nav.months aria-label=(visit.pick("Situação", "Status")) {
                @for (choice, (pt, en)) in preset.choices {
                    a href=(visit.url_anew(preset.parameter, choice)) aria-current=[(value == *choice).then_some("true")] { (visit.pick(pt, en)) }
                }
            }
            @if self.idle.is_some() {
                nav.months aria-label=(visit.pick("Sem andamento", "Without a movement")) {
                    span.quiet { (visit.pick("Parados há", "Idle for")) }
                    @let chosen = self.idle_days(visit);
                    @for days in IDLE_DAYS {
                        @let is_chosen = chosen == Some(*days);
                        // A second click removes the filter.
                        a href=(visit.url_anew(IDLE_PARAMETER, &if is_chosen { String::new() } else { days.to_string() })) aria-current=[is_chosen.then_some("true")] {
                            (days) " " (visit.pick("dias", "days"))
                        }
                    }
                }
            }
        }
    }

    /// Renders the results. `listed` is `None` if a filter is invalid.
    fn results(&self, listed: Option<&Listed>, filled: usize, visit: &Visit) -> Markup {
        let Some(listed) = listed else {
            return html! {
                p.empty role="status" { (visit.pick("Há algo a corrigir nos filtros.", "Some filters need to be corrected.")) }
            };
        };
        let Listed { records, total, respelled, sums, overdue, .. } = listed;
        let total = *total;
        let searched = visit.parameter("q");
        let new = self.presentation.new;
        let offset = pager::offset(visit);
        let page = u64::from(RECORDS_PER_PAGE);
        let last = offset + u64::try_from(records.len()).unwrap_or_default();
        html! {
            (self.presets(visit))
            @let by_itself = self.preset.as_ref().is_none_or(|preset| visit.parameter(preset.parameter).is_empty()) && self.idle_days(visit).is_none();
            @if total == 0 && searched.is_empty() && filled == 0 && self.is_at_tab(visit) {
                div.empty { p role="status" { (visit.pick("Nada nesta aba.", "Nothing in this tab.")) } }
            } @else if total == 0 && searched.is_empty() && filled == 0 && by_itself {
                div.empty {
                    @if let Some(preset) = &self.preset {
                        p { strong { (visit.lang.pick(preset.none_left.0, preset.none_left.1)) } }
                    } @else {
                        p { strong { (nothing_yet(self.table, visit.lang)) } }
                    }
                    @if visit.may(Access::Create(self.table.kind)) { p { a.button.main href={ (BASE) "/" (self.path()) "/new" } { (visit.lang.pick(new.0, new.1)) } } }
                }
            } @else if total == 0 {
                div.empty {
                    p role="status" { (visit.pick("Nada encontrado", "Nothing found")) @if !searched.is_empty() { (visit.pick(" para ", " for ")) strong { (searched) } } "." }
                    p.quiet { (visit.pick(
                        "Maiúsculas, acentos e a ordem das palavras não importam; um nome incompleto basta.",
                        "Capitals, accents and the order of words do not matter; a part of a name will do.",
                    )) }
                    (self.register(searched, visit))
                }
            } @else {
                @if let Some(respelled) = respelled { (respelled_notice(searched, respelled, visit)) }
                (sums::render(sums, visit))
                p.total role="status" {
                    (counted(total, self.table, visit.lang))
                    @if total > page { " · " (count(offset + 1, visit.lang)) "–" (count(last, visit.lang)) }
                    @if total > page { span.printed { (visit.pick(
                        "; todos em papel: exporte a lista e imprima a planilha",
                        "; to print all, export the list and print the spreadsheet",
                    )) } }
                    // Today's records are on another page.
                    @if let Some(overdue) = overdue.filter(|overdue| *overdue >= last && *overdue < total) {
                        " · " a href=(visit.url_with("offset", &overdue.to_string())) { (visit.pick("pular as atrasadas", "skip the overdue ones")) }
                    }
                }
                @if records.is_empty() { p.empty { a href=(visit.url_with("offset", "0")) { (visit.pick("Voltar à primeira página", "Back to the first page")) } } }
                @else { table.list data-rows { (self.rows_found(listed, visit)) } }
                @if !records.is_empty() { (self.bar(total, records.len(), visit)) (exports(self, visit)) }
                (pager::render(total, page, visit))
            }
        }
    }

    /// Renders the link to the form for a new record with the search text filled in. A number after words, such as the phone
    /// of a caller, gets a field of its own.
    pub(in crate::console) fn register(&self, text: &str, visit: &Visit) -> Markup {
        let new = self.presentation.new;
        let (words, number) = split_number(text);
        let fields: Vec<_> = match (self.filled_in(words), self.filled_in(number)) {
            (Some(words), Some(number)) => vec![words, number],
            // Without a field that the text is valid for, there is no link.
            _ => self.filled_in(text).into_iter().collect(),
        };
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
        html! {
            @if !fields.is_empty() && visit.may(Access::Create(self.table.kind)) {
                p { a.button.main href={ (BASE) "/" (self.path()) "/new?" (query) } {
                    (visit.lang.pick(new.0, new.1)) " “" (text) "”"
                } }
            }
        }
    }

    /// Returns the member of the first field that the text is valid for, with the text.
    fn filled_in<'t>(&self, text: &'t str) -> Option<(&'static str, &'t str)> {
        let fields =
            (self.presentation.meanings)(text).into_iter().filter_map(|name| self.table.member(name));
        let mut fields = fields.filter(|field| field.is_stored() && field.read(&Input::Text(text)).is_ok());
        fields.next().filter(|_| !text.is_empty()).map(|field| (field.member, text))
    }
}

/// Splits a text before the number at its end.
fn split_number(text: &str) -> (&str, &str) {
    let words = text.trim_end_matches(|c: char| c.is_ascii_digit() || " .-/()+".contains(c));
    (words, text.get(words.len()..).unwrap_or_default().trim())
}

/// Renders the note that a text was not found and was corrected.
pub(in crate::console) fn respelled_notice(text: &str, respelled: &str, visit: &Visit) -> Markup {
    html! {
        p.respelled role="status" {
            (visit.pick("Nada encontrado para ", "Nothing found for ")) strong { (text) }
            (visit.pick("; mostrando ", "; showing ")) strong { (respelled) } "."
        }
    }
}

fn nothing_yet(table: &Table, lang: Lang) -> String {
    match lang {
        Lang::Pt => format!("Ainda não há {}.", table.many.0),
        Lang::En => format!("There are no {} yet.", table.many.1),
    }
}

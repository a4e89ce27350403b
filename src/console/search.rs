//! Lists of records: one field that understands what is typed, all filters of the contract, pages with totals.

use std::sync::Arc;

use maud::{Markup, html};
use serde_json::Value;

use super::choices::{Choices, List};
use super::numbers::count;
use super::page::{Place, page, part};
use super::said::{Said, Wrong, wrong};
use super::visit::Visit;
use super::{BASE, Console, enter};
use crate::config::keys::Words;
use crate::domain::compact;
use crate::http::{Answer, Inside, Problem};

/// How many records a page has.
pub(super) const PAGE: u64 = 50;

/// A filter beside the search field.
pub(super) struct Filter {
    pub name: &'static str,
    pub label: Words,
    pub kind: FilterKind,
}

/// How a filter is filled in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterKind {
    Text,
    Day,
    Yes,
    Entry(List),
}

/// What a list is of.
pub(super) struct Listing {
    /// The path, here and in the API.
    pub path: &'static str,
    pub place: Place,
    pub title: Words,
    /// Of one and of many records.
    pub nouns: [Words; 2],
    pub placeholder: Words,
    pub new: Words,
    pub nothing_yet: Words,
    pub filters: &'static [Filter],
    /// What the search field's text may mean, the likeliest first: the first that finds something counts.
    pub meanings: fn(&str) -> Vec<(&'static str, String)>,
    pub table: fn(&[Value], &Visit) -> Markup,
}

/// The meaning of a text in a field that searches customers.
pub(super) fn customer_meanings(text: &str) -> Vec<(&'static str, String)> {
    let digits = compact(text).len();
    let is_number = digits > 0 && text.chars().all(|c| c.is_ascii_digit() || " .-/()+".contains(c));
    match (is_number, text.contains('@')) {
        (true, _) if digits >= 4 => vec![("identification", text.to_owned()), ("phone", text.to_owned())],
        (true, _) => vec![("identification", text.to_owned())],
        (_, true) => vec![("email", text.to_owned())],
        // The new CNPJ has letters as well.
        _ if digits >= 8 && text.chars().any(|c| c.is_ascii_digit()) => {
            vec![("name", text.to_owned()), ("identification", text.to_owned())]
        }
        _ => vec![("name", text.to_owned())],
    }
}

/// Asks for a page of a list, in the first of its meanings that finds something.
pub(super) async fn ask(
    console: &Console,
    path: &str,
    meanings: Vec<(&'static str, String)>,
    rest: &[(String, String)],
    visit: &Visit,
) -> Result<Said, Problem> {
    let of = |meaning: Option<(&'static str, String)>| {
        let mut inside = Inside::get(format!("/{path}"));
        inside.query = rest.to_vec();
        inside.query.extend(meaning.map(|(name, text)| (name.to_owned(), text)));
        inside
    };
    let mut meanings = meanings.into_iter();
    let finds = |said: &Result<Said, Problem>| said.as_ref().is_ok_and(|said| said.list().1 > 0);
    let mut said = console.ask(of(meanings.next()), visit).await;
    for other in meanings {
        if finds(&said) {
            break;
        }
        let next = console.ask(of(Some(other)), visit).await;
        if finds(&next) {
            said = next;
        }
    }
    said
}

impl Listing {
    /// The list, or for a script that searches while somebody types the part of it that changes.
    pub async fn show(&self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let searched = visit.asked("q");
        let offset = visit.asked("offset").parse::<u64>().unwrap_or_default();
        let filled = self.filters.iter().map(|filter| (filter.name, visit.asked(filter.name)));
        let mut rest: Vec<(String, String)> = filled
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let filters = rest.len();
        rest.push(("limit".to_owned(), PAGE.to_string()));
        rest.push(("offset".to_owned(), offset.to_string()));
        let meanings = if searched.is_empty() { Vec::new() } else { (self.meanings)(searched) };
        let said = ask(console, self.path, meanings, &rest, visit).await;
        let wrong = match &said {
            Ok(_) => Wrong::new(),
            Err(problem) if problem.code() == "invalid" => wrong(problem, visit),
            Err(problem) => return enter::failed(visit, problem),
        };
        let results = self.results(said.ok().as_ref(), searched, filters, offset, visit);
        if visit.part {
            return part(results);
        }
        let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
        let title = visit.lang.pick(self.title.0, self.title.1);
        let main = html! {
            header.title {
                h1 { (title) }
                div.tools { a.button.main href={ (BASE) "/" (self.path) "/new" } data-new { (visit.lang.pick(self.new.0, self.new.1)) } }
            }
            (self.form(searched, filters, &wrong, &choices, visit))
            div #results { (results) }
        };
        page(visit, self.place, title, &main)
    }

    fn form(
        &self,
        searched: &str,
        filters: usize,
        wrong: &Wrong,
        choices: &Choices,
        visit: &Visit,
    ) -> Markup {
        html! {
            form.search role="search" action={ (BASE) "/" (self.path) } data-live="results" autocomplete="off" {
                div.line {
                    label.hidden for="q" { (visit.say("Buscar", "Search")) }
                    input #q type="search" name="q" value=(searched) placeholder=(visit.lang.pick(self.placeholder.0, self.placeholder.1))
                        autocomplete="off" spellcheck="false" aria-keyshortcuts="Control+K" autofocus[filters == 0];
                    button type="submit" { (visit.say("Buscar", "Search")) }
                }
                details open[filters > 0] {
                    summary { (visit.say("Filtros", "Filters")) @if filters > 0 { " (" (filters) ")" } }
                    div.fields { @for filter in self.filters { (filter.draw(wrong, choices, visit)) } }
                    p { a href={ (BASE) "/" (self.path) } { (visit.say("Limpar tudo", "Clear all")) } }
                }
            }
        }
    }

    /// The page of records; `said` is none where a filter is wrong.
    fn results(
        &self,
        said: Option<&Said>,
        searched: &str,
        filters: usize,
        offset: u64,
        visit: &Visit,
    ) -> Markup {
        let (records, total) = said.map(Said::list).unwrap_or_default();
        let noun = |count: u64| {
            let [one, many] = self.nouns;
            let noun = if count == 1 { one } else { many };
            visit.lang.pick(noun.0, noun.1)
        };
        let last = offset + u64::try_from(records.len()).unwrap_or_default();
        html! {
            @if said.is_none() {
                p.empty role="status" { (visit.say("Há algo a corrigir nos filtros.", "Something in the filters has to be corrected.")) }
            } @else if total == 0 && searched.is_empty() && filters == 0 {
                div.empty {
                    p { strong { (visit.lang.pick(self.nothing_yet.0, self.nothing_yet.1)) } }
                    p { a.button.main href={ (BASE) "/" (self.path) "/new" } { (visit.lang.pick(self.new.0, self.new.1)) } }
                }
            } @else if total == 0 {
                div.empty {
                    p role="status" { (visit.say("Nada encontrado", "Nothing found")) @if !searched.is_empty() { (visit.say(" para ", " for ")) strong { (searched) } } "." }
                    p.quiet { (visit.say(
                        "Maiúsculas, acentos e a ordem das palavras não importam; um nome incompleto basta.",
                        "Capitals, accents and the order of words do not matter; a part of a name will do.",
                    )) }
                }
            } @else {
                p.total role="status" {
                    (count(total, visit.lang)) " " (noun(total))
                    @if total > PAGE { " · " (count(offset + 1, visit.lang)) "–" (count(last, visit.lang)) }
                }
                @if records.is_empty() { p.empty { a href=(visit.url_with("offset", "0")) { (visit.say("Voltar à primeira página", "Back to the first page")) } } }
                @else { (table(records, self.table, visit)) }
                @if total > PAGE {
                    nav.pager aria-label=(visit.say("Páginas da lista", "Pages of the list")) {
                        @if offset > 0 { a.button rel="prev" href=(visit.url_with("offset", &offset.saturating_sub(PAGE).to_string())) { (visit.say("← Anteriores", "← Previous")) } }
                        @if last < total { a.button rel="next" href=(visit.url_with("offset", &(offset + PAGE).to_string())) { (visit.say("Próximos →", "Next →")) } }
                    }
                }
            }
        }
    }
}

/// A table of records, one line each.
pub(super) fn table(records: &[Value], draw: fn(&[Value], &Visit) -> Markup, visit: &Visit) -> Markup {
    html! { table.list data-rows { (draw(records, visit)) } }
}

impl Filter {
    fn draw(&self, wrong: &Wrong, choices: &Choices, visit: &Visit) -> Markup {
        let (id, value) = (format!("q-{}", self.name), visit.asked(self.name));
        let wrong = wrong.get(self.name).map(|reasons| reasons.join("; "));
        let invalid = wrong.is_some().then_some("true");
        let described = wrong.is_some().then(|| format!("e-{}", self.name));
        html! {
            div.field {
                label for=(id) { (visit.lang.pick(self.label.0, self.label.1)) }
                @match self.kind {
                    FilterKind::Text => { input id=(id) type="text" name=(self.name) value=(value) aria-invalid=[invalid] aria-describedby=[described]; }
                    FilterKind::Day => { input id=(id) type="text" name=(self.name) value=(value) inputmode="numeric"
                        data-mask=(visit.say("day", "iso-day")) placeholder=(visit.say("DD/MM/AAAA", "YYYY-MM-DD")) aria-invalid=[invalid] aria-describedby=[described]; }
                    FilterKind::Yes => { select id=(id) name=(self.name) {
                        option value="" {} option value="true" selected[value == "true"] { (visit.say("Sim", "Yes")) }
                    } }
                    FilterKind::Entry(list) => { select id=(id) name=(self.name) { option value="" {} (choices.options(list, value, visit)) } }
                }
                @if let Some(wrong) = &wrong { p.wrong id={ "e-" (self.name) } { (wrong) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_field_understands_what_is_typed() {
        let first =
            |text: &str| customer_meanings(text).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(first("joão da silva"), ["name"]);
        assert_eq!(first("529.982"), ["identification", "phone"]);
        assert_eq!(first("52"), ["identification"]);
        assert_eq!(first("(48) 98888-0000"), ["identification", "phone"]);
        assert_eq!(first("ana@"), ["email"]);
        assert_eq!(first("12.ABC.345/01DE"), ["name", "identification"]);
        assert_eq!(first("Rua 7"), ["name"]);
    }
}

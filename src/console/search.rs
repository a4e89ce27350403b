//! Lists of records: one field that understands what is typed, a filter for whatever records are found by, pages with
//! totals.

use std::sync::Arc;

use maud::{Markup, html};

use super::choices::Choices;
use super::filters::{Filter, filters};
use super::numbers::count;
use super::page::{Place, page, part};
use super::records::Records;
use super::view::View;
use super::visit::Visit;
use super::wrong::{Wrong, wrong};
use super::{BASE, Console, enter};
use crate::config::keys::Words;
use crate::domain::{Page, compact};
use crate::http::search::read_filter;
use crate::http::{Answer, Problem};
use crate::index::Index;
use crate::store::Db;

/// How many records a page has.
const PAGE: u32 = 50;

/// How people speak of a list.
pub(super) struct Listing {
    pub place: Place,
    pub title: Words,
    /// Of one and of many records.
    pub nouns: [Words; 2],
    pub placeholder: Words,
    pub new: Words,
    pub nothing_yet: Words,
    /// The parameters that the search field's text may be meant for, the likeliest first: the first that finds something
    /// counts.
    pub meanings: fn(&str) -> Vec<&'static str>,
}

/// A page of a list.
#[derive(Default)]
pub(super) struct Listed {
    pub records: Vec<View>,
    pub total: u64,
}

/// What a text in a field that searches customers may be meant for.
pub(super) fn customer_meanings(text: &str) -> Vec<&'static str> {
    let digits = compact(text).len();
    let is_number = digits > 0 && text.chars().all(|c| c.is_ascii_digit() || " .-/()+".contains(c));
    match (is_number, text.contains('@')) {
        (true, _) if digits >= 4 => vec!["identification", "phone"],
        (true, _) => vec!["identification"],
        (_, true) => vec!["email"],
        // The new CNPJ has letters as well.
        _ if digits >= 8 && text.chars().any(|c| c.is_ascii_digit()) => vec!["name", "identification"],
        _ => vec!["name"],
    }
}

/// The page that the visitor asks for, of `limit` records.
pub(super) fn page_of(limit: u32, visit: &Visit) -> Result<Page, Problem> {
    let offset = visit.asked("offset").parse::<u64>().unwrap_or_default();
    Ok(Page::parse(None, Some(&offset.to_string()), limit)?)
}

/// The page of the records that the visitor's text and what was filled in of these filters find.
pub(super) async fn find(
    console: &Console,
    records: &'static Records,
    filters: &[Filter],
    limit: u32,
    visit: &Visit,
) -> Result<Listed, Problem> {
    let (page, text, table) = (page_of(limit, visit)?, visit.asked("q"), records.table());
    let asked = filters.iter().map(|Filter { name, .. }| (name.clone(), visit.asked(name).to_owned()));
    let asked = asked.collect::<Vec<_>>();
    let read = |meaning: Option<&str>| {
        let meant = meaning.map(|name| (name.to_owned(), text.to_owned()));
        let query = asked.iter().cloned().chain(meant).collect::<Vec<_>>();
        read_filter(table, &query, console.api.app())
    };
    let meanings = if text.is_empty() { Vec::new() } else { (records.listing.meanings)(text) };
    let mut meanings = meanings.into_iter();
    let first = read(meanings.next())?;
    let others = meanings.filter_map(|other| read(Some(other)).ok()).collect::<Vec<_>>();
    let list = move |index: &Index, db: Db<'_>| {
        let mut found = index.find(db, table, &first, page)?;
        for other in &others {
            if found.total > 0 {
                break;
            }
            found = index.find(db, table, other, page)?;
        }
        let records = db.snapshot(|db| records.read(db, &found.ids))?;
        Ok(Listed { records, total: found.total })
    };
    console.api.list_inside(&visit.id, list).await
}

impl Records {
    /// The list, or for a script that searches while somebody types the part of it that changes.
    pub async fn list(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let filters = filters(self.table(), visit.lang);
        let (listed, wrong) = match find(console, self, &filters, PAGE, visit).await {
            Ok(listed) => (Some(listed), Wrong::new()),
            Err(problem) if problem.code() == "invalid" => (None, wrong(problem.wrong(), visit)),
            Err(problem) => return enter::failed(visit, &problem),
        };
        let filled = filters.iter().filter(|filter| !visit.asked(&filter.name).is_empty()).count();
        let results = self.results(listed.as_ref(), filled, visit);
        if visit.part {
            return part(html! { (results) @for filter in &filters { (filter.wrong(&wrong)) } });
        }
        let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
        let Listing { place, title, new, .. } = self.listing;
        let title = visit.lang.pick(title.0, title.1);
        let main = html! {
            header.title {
                h1 { (title) }
                div.tools { a.button.main href={ (BASE) "/" (self.path()) "/new" } data-new { (visit.lang.pick(new.0, new.1)) } }
            }
            (self.search(&filters, filled, &wrong, &choices, visit))
            div #results { (results) }
        };
        page(visit, *place, title, &main)
    }

    fn search(
        &self,
        filters: &[Filter],
        filled: usize,
        wrong: &Wrong,
        choices: &Choices,
        visit: &Visit,
    ) -> Markup {
        let (at, placeholder) = (format!("{BASE}/{}", self.path()), self.listing.placeholder);
        html! {
            form.search role="search" action=(at) data-live="results" autocomplete="off" {
                div.line {
                    label.hidden for="q" { (visit.say("Buscar", "Search")) }
                    input #q type="search" name="q" value=(visit.asked("q")) placeholder=(visit.lang.pick(placeholder.0, placeholder.1))
                        autocomplete="off" spellcheck="false" aria-keyshortcuts="Control+K" autofocus[filled == 0];
                    button type="submit" { (visit.say("Buscar", "Search")) }
                }
                details open[filled > 0] {
                    summary { (visit.say("Filtros", "Filters")) @if filled > 0 { " (" (filled) ")" } }
                    div.fields { @for filter in filters { (filter.draw(wrong, choices, visit)) } }
                    p { a href=(at) { (visit.say("Limpar tudo", "Clear all")) } }
                }
            }
        }
    }

    /// The page of records; `listed` is none where a filter is wrong.
    fn results(&self, listed: Option<&Listed>, filled: usize, visit: &Visit) -> Markup {
        let Some(Listed { records, total }) = listed else {
            return html! {
                p.empty role="status" { (visit.say("Há algo a corrigir nos filtros.", "Something in the filters has to be corrected.")) }
            };
        };
        let (total, searched, listing) = (*total, visit.asked("q"), self.listing);
        let offset = visit.asked("offset").parse::<u64>().unwrap_or_default();
        let page = u64::from(PAGE);
        let noun = |count: u64| {
            let [one, many] = listing.nouns;
            let noun = if count == 1 { one } else { many };
            visit.lang.pick(noun.0, noun.1)
        };
        let last = offset + u64::try_from(records.len()).unwrap_or_default();
        html! {
            @if total == 0 && searched.is_empty() && filled == 0 {
                div.empty {
                    p { strong { (visit.lang.pick(listing.nothing_yet.0, listing.nothing_yet.1)) } }
                    p { a.button.main href={ (BASE) "/" (self.path()) "/new" } { (visit.lang.pick(listing.new.0, listing.new.1)) } }
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
                    @if total > page { " · " (count(offset + 1, visit.lang)) "–" (count(last, visit.lang)) }
                }
                @if records.is_empty() { p.empty { a href=(visit.url_with("offset", "0")) { (visit.say("Voltar à primeira página", "Back to the first page")) } } }
                @else { table.list data-rows { ((self.rows)(records, visit)) } }
                @if total > page {
                    nav.pager aria-label=(visit.say("Páginas da lista", "Pages of the list")) {
                        @if offset > 0 { a.button rel="prev" href=(visit.url_with("offset", &offset.saturating_sub(page).to_string())) { (visit.say("← Anteriores", "← Previous")) } }
                        @if last < total { a.button rel="next" href=(visit.url_with("offset", &(offset + page).to_string())) { (visit.say("Próximos →", "Next →")) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_field_understands_what_is_typed() {
        assert_eq!(customer_meanings("joão da silva"), ["name"]);
        assert_eq!(customer_meanings("529.982"), ["identification", "phone"]);
        assert_eq!(customer_meanings("52"), ["identification"]);
        assert_eq!(customer_meanings("(48) 98888-0000"), ["identification", "phone"]);
        assert_eq!(customer_meanings("ana@"), ["email"]);
        assert_eq!(customer_meanings("12.ABC.345/01DE"), ["name", "identification"]);
        assert_eq!(customer_meanings("Rua 7"), ["name"]);
    }
}

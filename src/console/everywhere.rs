//! One search over all that the office keeps, from every page: by a script while somebody types, as a page without one.

use std::sync::Arc;

use maud::{Markup, html};

use super::find::{Listed, SearchFor, find};
use super::hits;
use super::numbers::count;
use super::page::{Place, page, part};
use super::paths::BASE;
use super::search::taken_for;
use super::state::Console;
use super::visit::Visit;
use super::words::title;
use crate::api::PAGES;
use crate::api::pages::{EVERYTHING, Pages};
use crate::http::Answer;

/// How many records of a noun are named.
const NAMED: u32 = 5;
/// Of how many nouns a new record is offered where nothing is found: those that most others hang on.
const OFFERED: usize = 2;

/// What was found of each noun.
type Found = Vec<(&'static Pages, Listed)>;

/// What the text of the address finds, or for a script only that.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let text = visit.asked("q");
    let mut found = search(console, text, false, visit).await;
    // A slip is forgiven where nothing of any noun is found.
    if found.is_empty() && !text.is_empty() {
        found = search(console, text, true, visit).await;
    }
    let results = results(&found, text, visit);
    if visit.part {
        return part(results);
    }
    let heading = visit.say("Busca", "Search");
    let main = html! {
        header.title { h1 { (heading) @if !text.is_empty() { ": " (text) } } }
        div.everything { (results) }
    };
    page(visit, Place::Search, heading, &main)
}

async fn search(console: &Arc<Console>, text: &str, is_forgiving: bool, visit: &Visit) -> Found {
    let mut found = Found::new();
    for pages in PAGES.iter().filter(|_| !text.is_empty()) {
        let mut asked = SearchFor { is_forgiving, ..SearchFor::newest(text, NAMED) };
        // Whether it is done or not.
        let everything = pages.preset.as_ref().filter(|preset| !preset.everything.is_empty());
        asked
            .filters
            .extend(everything.map(|preset| (preset.parameter.to_owned(), preset.everything.to_owned())));
        // Of a noun that cannot be searched for such a text, there is nothing.
        let listed = find(console, pages, asked, visit).await.unwrap_or_default();
        if listed.total > 0 {
            found.push((pages, listed));
        }
    }
    found
}

fn results(found: &Found, text: &str, visit: &Visit) -> Markup {
    html! {
        @if text.is_empty() {
            p.quiet { (visit.say(
                "Nomes, CPF ou CNPJ, telefones, e-mails, números de processo, pastas, tarefas, textos de publicações…",
                "Names, CPF or CNPJ, phones, e-mail addresses, case numbers, folders, tasks, texts of publications…",
            )) }
        } @else if found.is_empty() {
            p role="status" { (visit.say("Nada encontrado para ", "Nothing found for ")) strong { (text) } "." }
            p.choices { @for pages in PAGES.iter().take(OFFERED) { (pages.register(text, visit)) } }
        }
        @if let Some(respelled) = found.iter().find_map(|(_, listed)| listed.respelled.as_ref()) {
            (taken_for(text, respelled, visit))
        }
        @for (pages, listed) in found {
            section.group {
                h2 {
                    (title(pages.table, visit.lang)) " " span.quiet { (count(listed.total, visit.lang)) }
                    @if listed.total > u64::from(NAMED) {
                        " " a.all href=(all(pages, text)) { (visit.say("Ver tudo", "See all")) }
                    }
                }
                ul { @for record in &listed.records {
                    @let heading = (pages.presentation.heading)(record, visit.lang);
                    @let told = pages.told(record, visit);
                    li {
                        a href=(pages.at(&record.id.to_string())) { (heading) }
                        " " span.quiet { (told.join(" · ")) }
                        (hits::draw(&listed.terms, record, &[&[heading][..], &told].concat(), visit.lang))
                    }
                } }
            }
        }
    }
}

/// The list of all that a text finds of a noun.
fn all(pages: &Pages, text: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("q", text);
    if let Some(preset) = pages.preset.as_ref().filter(|preset| preset.value != preset.everything) {
        query.append_pair(preset.parameter, EVERYTHING);
    }
    format!("{BASE}/{}?{}", pages.path(), query.finish())
}

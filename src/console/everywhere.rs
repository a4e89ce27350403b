//! One search over all that the office keeps, from every page: by a script while somebody types, as a page without one.

use std::sync::Arc;

use maud::{Markup, html};

use super::enter;
use super::find::Listed;
use super::hits::Sought;
use super::numbers::count;
use super::page::{Place, page, part, redirect};
use super::paths::BASE;
use super::search::taken_for;
use super::state::Console;
use super::visit::Visit;
use super::words::title;
use crate::api::pages::{EVERYTHING, Pages};
use crate::api::{PAGES, pages_of};
use crate::http::{Answer, Problem};
use crate::index::{Index, SearchText};
use crate::records::Kind;
use crate::store::Db;

/// How many records of a noun are named.
const NAMED: usize = 5;
/// Of how many nouns a new record is offered where nothing is found: those that most others hang on.
const OFFERED: usize = 2;

/// What was found.
#[derive(Default)]
struct Everything {
    /// Of each noun of which anything was.
    listed: Vec<(&'static Pages, Listed)>,
    /// What the text was taken for if nothing is found by it as it was typed.
    respelled: Option<String>,
    /// The only record that is meant.
    only: Option<(Kind, u32)>,
}

/// What the text of the address finds, or for a script only that. If only one record can be meant, its page.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let text = visit.asked("q");
    let found = match search(console, text, visit).await {
        Ok(found) => found,
        Err(problem) => return enter::failed(visit, &problem),
    };
    if visit.part {
        return part(results(&found, text, visit));
    }
    if let Some((kind, id)) = found.only
        && let Some(pages) = pages_of(kind)
    {
        return redirect(&pages.at(&id.to_string()));
    }
    let heading = visit.say("Busca", "Search");
    let main = html! {
        header.title { h1 { (heading) @if !text.is_empty() { ": " (text) } } }
        div.everything { (results(&found, text, visit)) }
    };
    page(visit, Place::Search, heading, &main)
}

async fn search(console: &Console, text: &str, visit: &Visit) -> Result<Everything, Problem> {
    let (text, lang) = (SearchText::parse(text), visit.lang);
    let list = move |index: &Index, db: Db<'_>| {
        let tables = PAGES.iter().map(|pages| pages.table).collect::<Vec<_>>();
        let mut searched = index.search(db, &tables, &text, NAMED)?;
        let (mut text, mut respelled) = (text, None);
        // A slip is forgiven if nothing of any noun is found.
        if searched.found.iter().all(|found| found.total == 0) {
            respelled = index.respell(db, &tables, &text)?;
            if let Some(respelled) = &respelled {
                text = SearchText::parse(respelled);
                searched = index.search(db, &tables, &text, NAMED)?;
                searched.only = None;
            }
        }
        let mut listed = Vec::new();
        for (pages, found) in PAGES.iter().zip(&searched.found).filter(|(_, found)| found.total > 0) {
            let terms = text.terms().iter().cloned().map(Sought::Any).collect();
            listed.push((pages, db.snapshot(|db| Listed::read(db, pages, found, terms, lang))?));
        }
        Ok(Everything { listed, respelled, only: searched.only })
    };
    console.api.list_inside(&visit.id, list).await
}

fn results(found: &Everything, text: &str, visit: &Visit) -> Markup {
    html! {
        @if text.is_empty() {
            p.quiet { (visit.say(
                "Nomes, CPF ou CNPJ, telefones, e-mails, números de processo, pastas, tarefas, textos de publicações…",
                "Names, CPF or CNPJ, phones, e-mail addresses, case numbers, folders, tasks, texts of publications…",
            )) }
        } @else if found.listed.is_empty() {
            p role="status" { (visit.say("Nada encontrado para ", "Nothing found for ")) strong { (text) } "." }
            p.choices { @for pages in PAGES.iter().take(OFFERED) { (pages.register(text, visit)) } }
        }
        @if let Some(respelled) = found.respelled.as_ref().filter(|_| !found.listed.is_empty()) { (taken_for(text, respelled, visit)) }
        @for (pages, listed) in &found.listed {
            section.group {
                h2 {
                    (title(pages.table, visit.lang)) " " span.quiet { (count(listed.total, visit.lang)) }
                    @if listed.total > NAMED as u64 {
                        " " a.all href=(all(pages, text)) { (visit.say("Ver tudo", "See all")) }
                    }
                }
                ul { @for record in &listed.records {
                    @let heading = (pages.presentation.heading)(record, visit.lang);
                    @let told = pages.told(record, visit);
                    li {
                        a href=(pages.at(&record.id.to_string())) { (heading) }
                        " " span.quiet { (told.join(" · ")) }
                        (listed.hits.draw(record, &[&[heading][..], &told].concat(), visit.lang))
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

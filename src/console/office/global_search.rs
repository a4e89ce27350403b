//! Global search over all records, on every page: as suggestions by a script, or as a page.

use crate::api::console_pages::EVERYTHING;
use crate::console::prelude::*;
use crate::console::records::list::find::Listed;
use crate::console::records::list::list_page::respelled_notice;
use crate::console::records::matches::MatchTerm;
use crate::console::requests::response::part;
use crate::index::{Index, MAX_COUNTED_MATCHES, SearchText};

/// Records shown of each kind.
const RECORDS_OF_A_KIND: u32 = 5;
/// Number of kinds for which a new record is offered if nothing is found: those that most others refer to.
const KINDS_OFFERED: usize = 2;

#[derive(Default)]
struct Everything {
    listed: Vec<(&'static Pages, Listed)>,
    /// The corrected text, if the text as typed finds nothing.
    respelled: Option<String>,
    /// The only record that can be meant.
    only: Option<(Kind, u32)>,
}

/// Renders the results for the text in the query, for a script only the list. If only one record can be meant,
/// redirects to its page.
pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let text = visit.parameter("q");
    let found = search(text, visit).await?;
    if visit.part {
        return Ok(part(results(&found, text, visit)));
    }
    if let Some((kind, id)) = found.only
        && let Some(pages) = pages_of(kind)
    {
        return Ok(redirect(&pages.at(&id.to_string())));
    }
    let heading = visit.pick("Busca", "Search");
    let main = html! {
        header.title { h1 { (heading) @if !text.is_empty() { ": " (text) } } }
        div.everything { (results(&found, text, visit)) }
    };
    Ok(page(visit, NavItem::Search, heading, &main))
}

async fn search(text: &str, visit: &Visit) -> Result<Everything> {
    let text = SearchText::parse(text);
    let lang = visit.lang;
    let list = move |index: &Index, db: Db<'_>| {
        let tables = PAGES.iter().map(|pages| pages.table).collect::<Vec<_>>();
        let mut searched = index.search(db, &tables, &text, RECORDS_OF_A_KIND)?;
        let mut text = text;
        let mut respelled = None;
        // A typing error is corrected only if no kind has any result.
        if searched.found.iter().all(|found| found.total == 0) {
            respelled = index.respell(db, &tables, &text)?;
            if let Some(respelled) = &respelled {
                text = SearchText::parse(respelled);
                searched = index.search(db, &tables, &text, RECORDS_OF_A_KIND)?;
                searched.only = None;
            }
        }
        let mut listed = Vec::new();
        for (pages, found) in PAGES.iter().zip(&searched.found).filter(|(_, found)| found.total > 0) {
            let terms = text.terms().iter().cloned().map(MatchTerm::Any).collect();
            listed.push((pages, db.snapshot(|db| Listed::read(db, pages, found, terms, lang))?));
        }
        Ok(Everything { listed, respelled, only: searched.only })
    };
    visit.list(list).await
}

fn results(found: &Everything, text: &str, visit: &Visit) -> Markup {
    html! {
        @if text.is_empty() {
            p.quiet { (visit.pick(
                "Nomes, CPF ou CNPJ, telefones, e-mails, números de processo, pastas, tarefas, textos de publicações…",
                "Names, CPF or CNPJ, phones, e-mail addresses, case numbers, folders, tasks, texts of publications…",
            )) }
        } @else if found.listed.is_empty() {
            p role="status" { (visit.pick("Nada encontrado para ", "Nothing found for ")) strong { (text) } "." }
            p.choices { @for pages in PAGES.iter().take(KINDS_OFFERED) { (pages.register(text, visit)) } }
        }
        @if let Some(respelled) = found.respelled.as_ref().filter(|_| !found.listed.is_empty()) { (respelled_notice(text, respelled, visit)) }
        @for (pages, listed) in &found.listed {
            section.group {
                h2 {
                    (pages.table.title(visit.lang)) " " span.quiet {
                        (more_than(listed.total > MAX_COUNTED_MATCHES, visit.lang)) (count(listed.total.min(MAX_COUNTED_MATCHES), visit.lang))
                    }
                    @if listed.total > u64::from(RECORDS_OF_A_KIND) {
                        " " a.all href=(all(pages, text)) { (visit.pick("Ver tudo", "See all")) }
                    }
                }
                ul { @for record in &listed.records {
                    @let heading = (pages.presentation.heading)(record, visit.lang);
                    @let cells = pages.cells(record, visit);
                    li {
                        a href=(pages.at(&record.id.to_string())) { (heading) }
                        " " span.quiet { (cells.join(" · ")) }
                        (listed.matches.render(record, &[&[heading][..], &cells].concat(), visit.lang))
                    }
                } }
            }
        }
    }
}

/// Returns the address of the list with all results of one kind.
fn all(pages: &Pages, text: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("q", text);
    if let Some(preset) = pages.preset.as_ref().filter(|preset| preset.value != preset.everything) {
        query.append_pair(preset.parameter, EVERYTHING);
    }
    format!("{BASE}/{}?{}", pages.path(), query.finish())
}

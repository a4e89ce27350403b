//! The trash: what was deleted, when and why, and the way back (resources 18).

use std::sync::Arc;

use maud::{Markup, html};

use super::enter;
use super::numbers::{count, counted, moment};
use super::page::{Place, csrf_field, page, redirect};
use super::pager;
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use super::words::{numbered, title};
use crate::api::PAGES;
use crate::api::pages::{Pages, View};
use crate::http::{Answer, Problem};
use crate::store::Db;
use crate::store::journal::{Actor, Via};
use crate::store::trash::{self, Deleted};

/// How many records a page has.
const PAGE: u32 = 50;

/// What the page shows.
struct Trash {
    /// How many there are of each noun.
    counts: Vec<(&'static Pages, u64)>,
    /// The noun that is shown.
    of: &'static Pages,
    deleted: Vec<(Deleted, Option<View>)>,
}

/// The page of a noun; without a word of which, of the first that has any.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let (asked, offset) = (visit.asked("of").to_owned(), pager::offset(visit));
    let read = move |db: Db<'_>| {
        let mut counts = Vec::new();
        for pages in PAGES {
            counts.push((pages, trash::count(db, pages.table)?));
        }
        let named = counts.iter().find(|(pages, _)| pages.path() == asked);
        let of = named.or_else(|| counts.iter().find(|(_, count)| *count > 0)).or_else(|| counts.first());
        let Some(of) = of.map(|(pages, _)| *pages) else { return Ok(None) };
        let deleted = trash::newest(db, of.table, PAGE, offset)?;
        let ids = deleted.iter().map(|one| one.id).collect::<Vec<_>>();
        let mut views = View::read_deleted(db, of.table, &ids)?;
        let deleted = deleted.into_iter().map(|one| {
            let at = views.iter().position(|view| view.id == one.id);
            (one, at.map(|at| views.swap_remove(at)))
        });
        let deleted = deleted.collect();
        Ok(Some(Trash { counts, of, deleted }))
    };
    let trash = match console.api.read_inside(&visit.id, read).await {
        Ok(Some(trash)) => trash,
        Ok(None) => return enter::not_found(visit),
        Err(problem) => return enter::failed(visit, &problem),
    };
    let heading = visit.say("Lixeira", "Trash");
    let main = html! {
        @if visit.asked("done") == "deleted" {
            div.done role="status" data-done { p { (visit.say("Movido para a lixeira.", "Moved to the trash.")) } }
        }
        (trash.of.done_with_chosen(visit))
        @if let Ok(gone) = visit.asked("gone").parse::<u64>() { (emptied(gone, visit)) }
        header.title {
            h1 { (heading) }
            @if !trash.deleted.is_empty() {
                div.tools { a.button href={ (BASE) "/trash/empty" } { (visit.say("Esvaziar a lixeira…", "Empty the trash…")) } }
            }
        }
        p.lead.quiet { (visit.say(
            "O que foi excluído fica aqui e pode ser restaurado como era. O que foi junto com um processo volta com ele.",
            "What was deleted stays here and can be restored as it was. What went with a lawsuit comes back with it.",
        )) }
        nav.months aria-label=(visit.say("De que tipo", "Of which kind")) {
            @for (pages, number) in &trash.counts {
                a href={ (BASE) "/trash?of=" (pages.path()) } aria-current=[(pages.path() == trash.of.path()).then_some("true")] {
                    (title(pages.table, visit.lang)) @if *number > 0 { " (" (count(*number, visit.lang)) ")" }
                }
            }
        }
        (list(&trash, console, visit))
    };
    page(visit, Place::Trash, heading, &main)
}

fn list(trash: &Trash, console: &Console, visit: &Visit) -> Markup {
    let (zone, pages) = (console.api.app().zone(), trash.of);
    let total = trash.counts.iter().find(|(of, _)| of.path() == pages.path()).map_or(0, |(_, count)| *count);
    html! {
        @if trash.deleted.is_empty() {
            p.empty { (visit.say("Não há nada aqui na lixeira.", "There is nothing of this kind in the trash.")) }
        } @else {
            table.list data-rows {
                thead { tr {
                    (pages.tick_page(visit))
                    th scope="col" { (visit.say("O que era", "What it was")) }
                    th scope="col" { (visit.say("Excluído em", "Deleted")) }
                    th scope="col" { (visit.say("Motivo", "Reason")) }
                    th scope="col" { span.hidden { (visit.say("Restaurar", "Restore")) } }
                } }
                tbody { @for (deleted, view) in &trash.deleted {
                    @let id = deleted.id.to_string();
                    @let name = view.as_ref().map_or_else(|| numbered(&id, visit.lang), |view| pages.name(view, visit.lang));
                    tr {
                        (pages.tick(deleted.id, &name, visit))
                        td.name { (name) " " span.quiet { (numbered(&id, visit.lang)) } }
                        td.whole { (moment(deleted.deletion.at, zone, visit.lang)) }
                        td { (why(deleted, pages, visit)) }
                        td.act {
                            form method="post" action={ (pages.at(&id)) "/restore" } {
                                (csrf_field(visit))
                                button.slight type="submit" aria-label={ (visit.say("Restaurar ", "Restore ")) (name) } { (visit.say("Restaurar", "Restore")) }
                            }
                        }
                    }
                } }
            }
            (pages.restore_bar(total, trash.deleted.len(), visit))
            (pager::draw(total, u64::from(PAGE), visit))
        }
    }
}

/// What was erased.
fn emptied(gone: u64, visit: &Visit) -> Markup {
    html! {
        div.done role="status" data-done {
            p {
                @match gone {
                    0 => (visit.say("Nada pôde ser apagado.", "Nothing could be erased.")),
                    1 => (visit.say("1 registro apagado para sempre.", "1 record erased for good.")),
                    _ => { (count(gone, visit.lang)) " " (visit.say("registros apagados para sempre.", "records erased for good.")) }
                }
            }
        }
    }
}

/// Asks whether the trash shall be emptied.
pub(super) async fn ask(console: &Arc<Console>, visit: &Visit) -> Answer {
    let held = match console.api.read_inside(&visit.id, |db| Ok(trash::holdings(db, i64::MAX)?.0)).await {
        Ok(held) => held,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let heading = visit.say("Esvaziar a lixeira", "Empty the trash");
    let main = html! {
        header.title { h1 { (heading) } }
        section.panel.question {
            @if held.is_empty() { p { (visit.say("A lixeira está vazia.", "The trash is empty.")) } }
            @else {
                p { (visit.say("Está na lixeira e será apagado para sempre:", "This is in the trash and will be erased for good:")) }
                ul.plain { @for (table, number) in &held { li { strong { (counted(*number, table, visit.lang)) } } } }
                p.quiet { (visit.say(
                    "Não há volta, a não ser por um backup. Fica o que outro registro ainda mostra.",
                    "There is no way back but by a backup. What another record still shows stays.",
                )) }
            }
            form method="post" action={ (BASE) "/trash/empty" } {
                (csrf_field(visit))
                div.choices {
                    @if !held.is_empty() { button.danger type="submit" { (visit.say("Apagar para sempre", "Erase for good")) } }
                    a.button href={ (BASE) "/trash" } { (visit.say("Cancelar", "Cancel")) }
                }
            }
        }
    };
    page(visit, Place::Trash, heading, &main)
}

/// Empties the trash.
pub(super) async fn empty(console: &Arc<Console>, visit: &Visit) -> Answer {
    let request_id = visit.id.clone();
    let erase = move |console: &Console| {
        let app = console.api.app();
        let by = Actor { via: Via::Console, who: None, request_id: Some(request_id), at: app.now() };
        let erased = app.store().erase_deleted(i64::MAX, Some(&by));
        Some(erased.map(|erased| erased.iter().map(|(_, count)| count).sum::<u64>()).map_err(Problem::from))
    };
    match console.apart(erase).await {
        Some(Ok(gone)) => redirect(&format!("{BASE}/trash?gone={gone}")),
        Some(Err(problem)) => enter::failed(visit, &problem),
        None => enter::unreadable(visit),
    }
}

/// Why a record was deleted.
fn why(deleted: &Deleted, pages: &Pages, visit: &Visit) -> Markup {
    html! {
        @match (deleted.deletion.merged_into, &deleted.reason) {
            (Some(into), _) => {
                (visit.say("Unido ao cadastro ", "Merged into ")) a href=(pages.at(&into.to_string())) { (numbered(&into.to_string(), visit.lang)) }
            }
            (None, Some(reason)) => (reason),
            (None, None) => {}
        }
    }
}

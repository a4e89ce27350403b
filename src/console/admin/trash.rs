//! The trash page: deleted records with time and reason, and restoring them (resources 18).

use crate::console::layout::panel_page::panel_page;
use crate::console::prelude::*;
use crate::console::records::list::pager;
use crate::console::requests::state::Console;
use crate::store::journal::{self, JournalEntry, Op, Who};
use crate::store::trash::{self, Deleted};

const RECORDS_PER_PAGE: u32 = 50;

struct Trash {
    /// Number of deleted records of each kind.
    counts: Vec<(&'static Pages, u64)>,
    of: &'static Pages,
    deleted: Vec<(Deleted, Option<View>, Option<JournalEntry>)>,
}

/// Renders the trash of one kind: the requested one, or else the first kind with deleted records.
pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let requested = visit.parameter("of").to_owned();
    let offset = pager::offset(visit);
    let read = move |db: Db<'_>| {
        let mut counts = Vec::new();
        for pages in PAGES.iter().filter(|pages| db.nouns().has(pages.table.kind)) {
            counts.push((pages, trash::count(db, pages.table)?));
        }
        let named = counts.iter().find(|(pages, _)| pages.path() == requested);
        let of = named.or_else(|| counts.iter().find(|(_, count)| *count > 0)).or_else(|| counts.first());
        let Some(of) = of.map(|(pages, _)| *pages) else { return Ok(None) };
        let deleted = trash::newest(db, of.table, RECORDS_PER_PAGE, offset)?;
        let ids = deleted.iter().map(|one| one.id).collect::<Vec<_>>();
        let mut views = View::read_deleted(db, of.table, &ids)?;
        let deleted = deleted.into_iter().map(|one| {
            let at = views.iter().position(|view| view.id == one.id);
            let entry = journal::newest_of_op(db, of.table.name, one.id, Op::Deleted)?;
            Ok((one, at.map(|at| views.swap_remove(at)), entry))
        });
        let deleted = deleted.collect::<Result<_>>()?;
        Ok(Some(Trash { counts, of, deleted }))
    };
    let trash = visit.read(read).await?.ok_or_else(Problem::no_route)?;
    let heading = visit.pick("Lixeira", "Trash");
    let main = html! {
        @if visit.parameter("done") == "deleted" {
            div.done role="status" data-done { p { (visit.pick("Movido para a lixeira.", "Moved to the trash.")) } }
        }
        (trash.of.done_with_chosen(visit))
        @if let Ok(gone) = visit.parameter("gone").parse::<u64>() { (emptied(gone, visit)) }
        header.title {
            h1 { (heading) }
            @if !trash.deleted.is_empty() && visit.may(Access::Owner) {
                div.tools { a.button href={ (BASE) "/trash/empty" } { (visit.pick("Esvaziar a lixeira…", "Empty the trash…")) } }
            }
        }
        p.lead.quiet { (visit.pick(
            "O que foi excluído fica aqui e pode ser restaurado como era. O que foi junto com um processo volta com ele.",
            "Deleted records stay here and can be restored. Records that were deleted with a lawsuit are restored with it.",
        )) }
        nav.months aria-label=(visit.pick("De que tipo", "Kind")) {
            @for (pages, number) in &trash.counts {
                a href={ (BASE) "/trash?of=" (pages.path()) } aria-current=[(pages.path() == trash.of.path()).then_some("true")] {
                    (pages.table.title(visit.lang)) @if *number > 0 { " (" (count(*number, visit.lang)) ")" }
                }
            }
        }
        (list(&trash, visit))
    };
    Ok(page(visit, NavItem::Trash, heading, &main))
}

fn list(trash: &Trash, visit: &Visit) -> Markup {
    let zone = visit.zone();
    let pages = trash.of;
    let may_restore =
        |entry: &Option<JournalEntry>| visit.caller.may_restore(pages.table.kind, entry.as_ref());
    let may_any = trash.deleted.iter().any(|(.., entry)| may_restore(entry));
    let total = trash.counts.iter().find(|(of, _)| of.path() == pages.path()).map_or(0, |(_, count)| *count);
    html! {
        @if trash.deleted.is_empty() {
            p.empty { (visit.pick("Não há nada aqui na lixeira.", "There is nothing of this kind in the trash.")) }
        } @else {
            table.list data-rows {
                thead { tr {
                    @if may_any { (pages.tick_page(visit)) }
                    th scope="col" { (visit.pick("O que era", "Record")) }
                    th scope="col" { (visit.pick("Excluído em", "Deleted")) }
                    th scope="col" { (visit.pick("Motivo", "Reason")) }
                    @if may_any { th scope="col" { span.hidden { (visit.pick("Restaurar", "Restore")) } } }
                } }
                tbody { @for (deleted, view, entry) in &trash.deleted {
                    @let id = deleted.id.to_string();
                    @let name = view.as_ref().map_or_else(|| numbered(&id, visit.lang), |view| pages.name(view, visit.lang));
                    tr {
                        @if may_restore(entry) { (pages.tick(deleted.id, &name, visit)) } @else if may_any { td.tick {} }
                        td.name { (name) " " span.quiet { (numbered(&id, visit.lang)) } }
                        td.whole {
                            (moment(deleted.deletion.at, zone, visit.lang))
                            @if let Some(by) = entry.as_ref().and_then(author) { br; span.quiet { (by) } }
                        }
                        td { (why(deleted, pages, visit)) }
                        @if may_any { td.act { @if may_restore(entry) {
                            form method="post" action={ (pages.at(&id)) "/restore" } {
                                (csrf_field(visit))
                                button.slight type="submit" aria-label={ (visit.pick("Restaurar ", "Restore ")) (name) } { (visit.pick("Restaurar", "Restore")) }
                            }
                        } } }
                    }
                } }
            }
            @if may_any { (pages.restore_bar(total, trash.deleted.len(), visit)) }
            (pager::render(total, u64::from(RECORDS_PER_PAGE), visit))
        }
    }
}

/// Returns the name of the person or key that is the author of a change.
fn author(entry: &JournalEntry) -> Option<&str> {
    match &entry.who {
        Some(Who::Person(_)) => entry.person.as_deref(),
        Some(Who::Key(name)) => Some(name),
        Some(Who::Token(_)) | None => None,
    }
}

/// Renders the confirmation with the number of erased records.
fn emptied(gone: u64, visit: &Visit) -> Markup {
    html! {
        div.done role="status" data-done {
            p {
                @match gone {
                    0 => (visit.pick("Nada pôde ser apagado.", "Nothing could be erased.")),
                    1 => (visit.pick("1 registro apagado para sempre.", "1 record erased for good.")),
                    _ => { (count(gone, visit.lang)) " " (visit.pick("registros apagados para sempre.", "records erased for good.")) }
                }
            }
        }
    }
}

/// Renders the confirmation before the trash is emptied.
pub(in crate::console) async fn ask(visit: &Visit) -> Result<Answer> {
    let held = visit.read(|db| Ok(trash::holdings(db, i64::MAX)?.0)).await?;
    let heading = visit.pick("Esvaziar a lixeira", "Empty the trash");
    let panel = html! {
        @if held.is_empty() { p { (visit.pick("A lixeira está vazia.", "The trash is empty.")) } }
        @else {
            p { (visit.pick("Está na lixeira e será apagado para sempre:", "This is in the trash and will be erased for good:")) }
            ul.plain { @for (table, number) in &held { li { strong { (counted(*number, table, visit.lang)) } } } }
            p.quiet { (visit.pick(
                "Não há volta, a não ser por um backup. Fica o que outro registro ainda mostra.",
                "Only a backup can bring it back. Data that another record still shows is kept.",
            )) }
        }
        form method="post" action={ (BASE) "/trash/empty" } {
            (csrf_field(visit))
            div.choices {
                @if !held.is_empty() { button.danger type="submit" { (visit.pick("Apagar para sempre", "Erase for good")) } }
                a.button href={ (BASE) "/trash" } { (visit.pick("Cancelar", "Cancel")) }
            }
        }
    };
    Ok(panel_page(visit, NavItem::Trash, heading, None, &panel))
}

pub(in crate::console) async fn empty(visit: &Visit) -> Result<Answer> {
    let by = visit.actor();
    let erase = move |console: &Console| {
        let erased = console.api.app().store().erase_deleted(i64::MAX, Some(&by));
        erased.map(|erased| erased.iter().map(|(_, count)| count).sum::<u64>())
    };
    let gone = visit.run_blocking(erase).await??;
    Ok(redirect(&format!("{BASE}/trash?gone={gone}")))
}

/// Renders the reason for a deletion.
fn why(deleted: &Deleted, pages: &Pages, visit: &Visit) -> Markup {
    html! {
        @match (deleted.deletion.merged_into, &deleted.reason) {
            (Some(into), _) => {
                (visit.pick("Unido ao cadastro ", "Merged into ")) a href=(pages.at(&into.to_string())) { (numbered(&into.to_string(), visit.lang)) }
            }
            (None, Some(reason)) => (reason),
            (None, None) => {}
        }
    }
}

//! A file on its way in as its page shows it: how far it is, and what its rows come to.

use std::time::Duration;

use maud::{Markup, html};

use super::address::{at, many, named};
use super::choose::options;
use crate::api::pages_of;
use crate::console::choices::Choices;
use crate::console::numbers::{count, counted};
use crate::console::page::csrf_field;
use crate::console::paths::BASE;
use crate::console::pending::{PendingImport, PendingState};
use crate::console::visit::Visit;
use crate::console::waiting;
use crate::records::{Kind, Table};
use crate::transfer::{FileReport, RowOutcome, RowsReport, ShownRow, TakenIn};

/// So many pairs of rows that are one record are shown.
const REPETITIONS: usize = 5;

/// What the script asks for when the page of a preview is left.
pub(super) const LEAVE: &str = "leave";

/// How far it is.
pub(super) fn running(
    key: &str,
    import: &PendingImport,
    stage: &PendingState,
    now: Duration,
    visit: &Visit,
) -> Markup {
    let what = if stage.asked.apply {
        visit.say("Salvando…", "Storing…")
    } else {
        visit.say("Lendo o arquivo…", "Reading the file…")
    };
    html! {
        (waiting::draw_in_place(what, import.heard().as_ref(), now, visit))
        noscript { meta http-equiv="refresh" content="1"; }
        @if !stage.asked.apply {
            form data-leave method="post" action=(at(key)) hidden {
                (csrf_field(visit))
                input type="hidden" name="do" value=(LEAVE);
            }
        }
    }
}

/// What a whole export comes to.
pub(super) fn whole(key: &str, taken: &TakenIn, stage: &PendingState, visit: &Visit) -> Markup {
    html! {
        @if stage.is_stored() {
            div.done role="status" data-done { p { (visit.say("Tudo foi importado.", "Everything was imported.")) } }
        }
        section.panel {
            ul.plain { @for (name, number) in taken.records.iter().filter(|(_, number)| *number > 0) {
                @if let Some(table) = named(name) { li { (counted(*number, table, visit.lang)) } }
            } }
            p { (visit.say("Arquivos de documentos: ", "Files of documents: ")) (count(taken.documents, visit.lang)) }
            @if !stage.is_stored() {
                form method="post" action=(at(key)) {
                    (csrf_field(visit))
                    div.choices { button.main type="submit" name="do" value="apply" { (visit.say("Importar tudo", "Import everything")) } }
                }
            }
        }
    }
}

/// What rows come to, with what can be chosen.
pub(super) fn of_rows(
    key: &str,
    report: &RowsReport,
    import: &PendingImport,
    stage: &PendingState,
    choices: Option<&Choices>,
    visit: &Visit,
) -> Markup {
    let refused: u64 = report.files.iter().map(|file| file.refused).sum();
    let in_trash: u64 = report.files.iter().map(|file| file.in_trash).sum();
    html! {
        @if stage.is_stored() { (stored(report, visit)) }
        @if refused > 0 && import.refused().is_some() {
            // Nobody has done anything wrong before the first choice.
            div class=(if stage.is_untouched() { "panel" } else { "alert" }) {
                p { (refused_text(refused, report, stage, visit)) }
                p { a href={ (at(key)) "/refused" } download { (visit.say("Baixar as linhas recusadas", "Download the refused rows")) } }
            }
        }
        (repeated(report, visit))
        @if in_trash > 0 {
            div.alert.alike {
                p {
                    (visit.say("Linhas de registros que estão na lixeira: ", "Rows of records in the trash: "))
                    (count(in_trash, visit.lang)) ". "
                    (visit.say(
                        "Elas não são salvas. Restaure os registros, ou esvazie a lixeira para que sejam criados de novo, e importe o arquivo outra vez.",
                        "They are not stored. Restore the records, or empty the trash so that they are created again, and import the file once more.",
                    ))
                }
                p { a href={ (BASE) "/trash" } { (visit.say("Abrir a lixeira", "Open the trash")) } }
            }
        }
        @if stage.is_stored() { (names_added(report, visit)) } @else { (options(key, stage, choices, visit)) }
        @if !report.passed_over.is_empty() {
            section.panel {
                h2 { (visit.say("Não importado", "Not imported")) }
                ul.plain { @for sheet in &report.passed_over { li {
                    @if !sheet.sheet.is_empty() { "[" (sheet.sheet) "] " } (sheet.why)
                } } }
            }
        }
        @for file in &report.files { (of_file(key, file, stage.is_stored(), visit)) }
    }
}

/// That it was stored, and where the records are.
fn stored(report: &RowsReport, visit: &Visit) -> Markup {
    html! {
        div.done role="status" data-done {
            p {
                (visit.say("A importação foi salva.", "The import was stored."))
                @if report.backup { " " (visit.say("Um backup foi feito em seguida.", "A backup was made afterwards.")) }
                @for file in report.files.iter().filter(|file| file.created + file.matched + file.updated > 0) {
                    @if let Some(table) = named(&file.resource) {
                        " " a href=(list_of(table)) { (visit.say("Ver", "See")) " " (counted(file.created + file.matched + file.updated, table, visit.lang)) } "."
                    }
                }
            }
            @if let Some(id) = report.import {
                p { (visit.say("Ela se desfaz como um todo em ", "It is taken back as a whole in ")) a href={ (BASE) "/imports" } { (visit.say("Importações", "Imports")) } ", " (visit.say("número ", "number ")) (id) "." }
            }
        }
    }
}

/// The list in which records of a table stand.
fn list_of(table: &Table) -> String {
    let folder = if matches!(table.kind, Kind::List(_)) { "/lists/" } else { "/" };
    [BASE, folder, table.path].concat()
}

/// How many rows are refused, and what can be done.
fn refused_text(refused: u64, report: &RowsReport, stage: &PendingState, visit: &Visit) -> Markup {
    let incomplete: u64 = report.files.iter().map(|file| file.incomplete).sum();
    html! {
        strong { (count(refused, visit.lang)) " " (if refused == 1 { visit.say("linha não será importada.", "row will not be imported.") } else { visit.say("linhas não serão importadas.", "rows will not be imported.") }) } " "
        @if stage.is_stored() {
            (visit.say("Baixe-as com o motivo de cada uma, corrija e importe esse arquivo.", "Download them with why, correct them and import that file."))
        } @else if incomplete == refused {
            (visit.say("Escolha abaixo o que falta na planilha.", "Choose below what the spreadsheet lacks."))
        } @else if !stage.asked.notes {
            (visit.say("Marque “Importar assim mesmo”, ou baixe-as com o motivo de cada uma e corrija.", "Tick “Import all the same”, or download them with why and correct them."))
        } @else {
            (visit.say("O motivo está em cada linha; baixe-as e corrija.", "Each row says why; download them and correct them."))
        }
    }
}

/// Rows of the file that are one record.
fn repeated(report: &RowsReport, visit: &Visit) -> Markup {
    let all: u64 = report.files.iter().map(|file| file.repeated).sum();
    let pairs = report.files.iter().flat_map(|file| &file.repetitions).take(REPETITIONS);
    html! {
        @if all > 0 {
            div.alert.alike {
                p { (visit.say("Linhas que são o mesmo registro que outra linha do arquivo: ", "Rows that are the same record as another row of the file: ")) (count(all, visit.lang)) "." }
                ul { @for (line, first) in pairs { li { (visit.say("linha ", "line ")) (line) " = " (visit.say("linha ", "line ")) (first) } } }
            }
        }
    }
}

/// Names that are in no list, and those that were added.
fn names_added(report: &RowsReport, visit: &Visit) -> Markup {
    html! {
        @if !report.made.is_empty() {
            section.panel {
                h2 { (visit.say("Novos nas listas", "New in the lists")) }
                ul.plain { @for (list, name) in &report.made { li { (name) " " span.quiet { "(" (many(list, visit.lang)) ")" } } } }
            }
        }
        @if !report.unknown.is_empty() {
            section.panel {
                h2 { (visit.say("Não estão nas listas", "Not in the lists")) }
                ul.plain { @for (list, name, cells) in &report.unknown {
                    li { (name) " " span.quiet { "(" (many(list, visit.lang)) ", " (count(*cells, visit.lang)) ")" } }
                } }
            }
        }
    }
}

/// What becomes of the rows of a file, all or of one sort.
fn of_file(key: &str, file: &FileReport, is_stored: bool, visit: &Visit) -> Markup {
    let wanted = RowOutcome::ALL.into_iter().find(|outcome| outcome.as_str() == visit.asked("show"));
    let shown = file.rows.iter().filter(|row| wanted.is_none_or(|wanted| wanted == row.outcome));
    let shown = shown.collect::<Vec<_>>();
    let total: u64 = RowOutcome::ALL
        .into_iter()
        .filter(|one| wanted.is_none_or(|wanted| wanted == *one))
        .map(|one| file.count(one))
        .sum();
    html! {
        section {
            h2 {
                (many(&file.resource, visit.lang)) @if !file.sheet.is_empty() { " [" (file.sheet) "]" }
            }
            nav.months aria-label=(visit.say("Linhas", "Rows")) {
                a href=(at(key)) aria-current=[wanted.is_none().then_some("true")] { (visit.say("Todas", "All")) }
                @for outcome in RowOutcome::ALL {
                    a href={ (at(key)) "?show=" (outcome.as_str()) } aria-current=[(wanted == Some(outcome)).then_some("true")] {
                        (word(outcome, visit)) " (" (count(file.count(outcome), visit.lang)) ")"
                    }
                }
            }
            @if shown.is_empty() { p.empty { (visit.say("Nenhuma linha.", "No rows.")) } }
            @else {
                table.list {
                    thead { tr {
                        th.number scope="col" { (visit.say("Linha", "Line")) } th scope="col" { (visit.say("Resultado", "Outcome")) }
                        th scope="col" { (visit.say("Conteúdo", "Content")) } th scope="col" { (visit.say("Motivo", "Reason")) }
                    } }
                    tbody { @for row in &shown { tr {
                        td.number { (count(row.line, visit.lang)) } td { (word(row.outcome, visit)) }
                        td { (content(row, file, is_stored)) }
                        td { @if row.outcome == RowOutcome::Refused && row.why.is_empty() { (visit.say("falta um valor para todas as linhas", "a value for all rows is missing")) } @else { (row.why) } }
                    } } }
                }
                @if total > shown.len() as u64 { p.quiet { (visit.say("Mostradas as primeiras de cada tipo; ao todo: ", "The first of each sort are shown; in all: ")) (count(total, visit.lang)) } }
            }
        }
    }
}

fn word(outcome: RowOutcome, visit: &Visit) -> &'static str {
    match outcome {
        RowOutcome::Created => visit.say("nova", "created"),
        RowOutcome::Matched => visit.say("já existe", "matched"),
        RowOutcome::Updated => visit.say("alterada", "updated"),
        RowOutcome::InTrash => visit.say("na lixeira", "in the trash"),
        RowOutcome::Refused => visit.say("recusada", "refused"),
    }
}

/// The first cells of a row, which lead to its record once that is stored.
fn content(row: &ShownRow, file: &FileReport, is_stored: bool) -> Markup {
    let table = named(&file.resource).filter(|table| is_stored && pages_of(table.kind).is_some());
    match table.zip(row.id) {
        Some((table, id)) => html! { a href={ (BASE) "/" (table.path) "/" (id) } { (row.text) } },
        None => html! { (row.text) },
    }
}

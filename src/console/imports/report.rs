//! Renders the progress and the result of an import.

use super::choose::options;
use super::customers::ImportChoices;
use super::import_jobs::at;
use super::report_lines::{self, many, named};
use crate::console::imports::import_jobs::{PendingImport, PendingState};
use crate::console::layout::job_page;
use crate::console::prelude::*;
use crate::domain::Choice;
use crate::transfer::{FileReport, ImportedExport, RowOutcome, RowsReport, ShownRow};

/// Value of `do` that the script sends when the page of a preview is closed.
pub(super) const LEAVE: &str = "leave";

pub(super) fn running(key: &str, import: &PendingImport, stage: &PendingState, visit: &Visit) -> Markup {
    let what = if stage.request.apply {
        visit.pick("Salvando…", "Storing…")
    } else {
        visit.pick("Lendo o arquivo…", "Reading the file…")
    };
    html! {
        (job_page::render(what, import.progress().as_ref(), true, visit))
        noscript { meta http-equiv="refresh" content="1"; }
        @if !stage.request.apply {
            form data-leave method="post" action=(at(key)) hidden {
                (csrf_field(visit))
                input type="hidden" name="do" value=(LEAVE);
            }
        }
    }
}

/// Renders the result of importing a whole export.
pub(super) fn whole(key: &str, taken: &ImportedExport, stage: &PendingState, visit: &Visit) -> Markup {
    html! {
        @if stage.is_stored() {
            div.done role="status" data-done { p { (visit.pick("Tudo foi importado.", "Everything was imported.")) } }
        }
        section.panel {
            ul.plain { @for (name, number) in taken.records.iter().filter(|(_, number)| *number > 0) {
                @if let Some(table) = named(name) { li { (counted(*number, table, visit.lang)) } }
            } }
            p { (visit.pick("Arquivos de documentos: ", "Files of documents: ")) (count(taken.documents, visit.lang)) }
            @if !stage.is_stored() {
                form method="post" action=(at(key)) {
                    (csrf_field(visit))
                    div.choices { button.main type="submit" name="do" value="apply" { (visit.pick("Importar tudo", "Import everything")) } }
                }
            }
        }
    }
}

/// Renders the result of importing rows, with the options.
pub(super) fn of_rows(
    key: &str,
    report: &RowsReport,
    import: &PendingImport,
    stage: &PendingState,
    choices: Option<&ImportChoices>,
    visit: &Visit,
) -> Markup {
    let refused: u64 = report.files.iter().map(|file| file.refused).sum();
    let is_stored = stage.is_stored();
    let lang = visit.lang;
    html! {
        @if is_stored { (stored(report, visit)) }
        @if refused > 0 && import.refused().is_some() {
            // Before the first choice, refused rows are not the visitor's mistake, so they are no alert.
            div class=(if stage.is_untouched() { "panel" } else { "alert" }) {
                p { (refused_text(refused, report, stage, visit)) }
                p { a href={ (at(key)) "/refused" } download { (visit.pick("Baixar as linhas recusadas", "Download the refused rows")) } }
            }
        }
        @for part in report.parts(lang) { (report_lines::part("panel", &part, visit)) }
        @for file in &report.files {
            @let [_, repeated, in_trash, ..] = file.parts(lang);
            (report_lines::part("alert alike", &repeated, visit))
            (report_lines::part("alert alike", &in_trash, visit))
            @if !in_trash.is_empty() { p { a href={ (BASE) "/trash" } { (visit.pick("Abrir a lixeira", "Open the trash")) } } }
        }
        @if is_stored { @for part in report.names(lang) { (report_lines::part("panel", &part, visit)) } }
        @else { (options(key, stage, choices, visit)) }
        @for file in &report.files {
            @let [noted, ..] = file.parts(lang);
            (report_lines::folded(&noted, visit))
            (of_file(key, file, is_stored, visit))
        }
    }
}

/// Renders the confirmation with links to the records.
fn stored(report: &RowsReport, visit: &Visit) -> Markup {
    html! {
        div.done role="status" data-done {
            p {
                (visit.pick("A importação foi salva.", "The import was stored."))
                @if report.backup { " " (visit.pick("Um backup foi feito em seguida.", "A backup was made afterwards.")) }
                @for (table, records) in records_by_table(report) {
                    " " a href=(list_of(table)) { (visit.pick("Ver", "See")) " " (counted(records, table, visit.lang)) } "."
                }
            }
            @if let Some(id) = report.import {
                p { (visit.pick("Para desfazer tudo: ", "To undo everything: ")) a href={ (BASE) "/imports" } { (visit.pick("Importações", "Imports")) } ", " (numbered(&id.to_string(), visit.lang)) "." }
            }
        }
    }
}

/// Returns the number of records of each table that the rows have become, over all sheets.
fn records_by_table(report: &RowsReport) -> Vec<(&'static Table, u64)> {
    let mut all: Vec<(&'static Table, u64)> = Vec::new();
    for file in &report.files {
        let records = file.created + file.matched + file.updated;
        match (named(&file.resource), all.iter_mut().find(|(table, _)| table.name == file.resource)) {
            (_, Some((_, sum))) => *sum += records,
            (Some(table), None) if records > 0 => all.push((table, records)),
            _ => {}
        }
    }
    all
}

/// Returns the address of the list that contains the records of a table.
fn list_of(table: &Table) -> String {
    let folder = if matches!(table.kind, Kind::List(_)) { "/lists/" } else { "/" };
    [BASE, folder, table.path].concat()
}

/// Renders the number of refused rows and the suggested action.
fn refused_text(refused: u64, report: &RowsReport, stage: &PendingState, visit: &Visit) -> Markup {
    let incomplete: u64 = report.files.iter().map(|file| file.incomplete).sum();
    html! {
        strong { (count(refused, visit.lang)) " " (refused_count(refused, stage.is_stored(), visit)) } " "
        @if stage.is_stored() {
            (visit.pick("Baixe-as com o motivo de cada uma, corrija e importe esse arquivo.", "Download them with the reasons, correct them and import that file."))
        } @else if incomplete == refused {
            (visit.pick("Escolha abaixo o que falta na planilha.", "Choose the missing values below."))
        } @else if !stage.request.notes {
            (visit.pick("Marque “Importar assim mesmo”, ou baixe-as com o motivo de cada uma e corrija.", "Tick “Import anyway”, or download them with the reasons and correct them."))
        } @else {
            (visit.pick("O motivo está em cada linha; baixe-as e corrija.", "Each row shows the reason. Download them and correct them."))
        }
    }
}

fn refused_count(refused: u64, is_stored: bool, visit: &Visit) -> &'static str {
    match (is_stored, refused) {
        (false, 1) => visit.pick("linha não será importada.", "row will not be imported."),
        (false, _) => visit.pick("linhas não serão importadas.", "rows will not be imported."),
        (true, 1) => visit.pick("linha não foi importada.", "row was not imported."),
        (true, _) => visit.pick("linhas não foram importadas.", "rows were not imported."),
    }
}

/// Renders the outcomes of a file's rows: all, or only one kind of outcome.
fn of_file(key: &str, file: &FileReport, is_stored: bool, visit: &Visit) -> Markup {
    let wanted = RowOutcome::named(visit.parameter("show"));
    let shown = file.rows.iter().filter(|row| wanted.is_none_or(|wanted| wanted == row.outcome));
    let shown = shown.collect::<Vec<_>>();
    let total: u64 = match wanted {
        Some(wanted) => file.count(wanted),
        None => RowOutcome::CHOICES.iter().map(|(_, outcome, _)| file.count(*outcome)).sum(),
    };
    html! {
        section {
            h2 {
                (many(&file.resource, visit.lang)) @if !file.sheet.is_empty() { " [" (file.sheet) "]" }
            }
            nav.months aria-label=(visit.pick("Linhas", "Rows")) {
                a href=(at(key)) aria-current=[wanted.is_none().then_some("true")] { (visit.pick("Todas", "All")) }
                @for (word, outcome, (pt, en)) in RowOutcome::CHOICES {
                    a href={ (at(key)) "?show=" (word) } aria-current=[(wanted == Some(*outcome)).then_some("true")] {
                        (visit.pick(pt, en)) " (" (count(file.count(*outcome), visit.lang)) ")"
                    }
                }
            }
            @if shown.is_empty() { p.empty { (visit.pick("Nenhuma linha.", "No rows.")) } }
            @else {
                table.list {
                    thead { tr {
                        th.number scope="col" { (visit.pick("Linha", "Line")) } th scope="col" { (visit.pick("Resultado", "Outcome")) }
                        th scope="col" { (visit.pick("Conteúdo", "Content")) } th scope="col" { (visit.pick("Motivo", "Reason")) }
                    } }
                    tbody { @for row in &shown { tr {
                        td.number { (count(row.line, visit.lang)) } td { (label(row.outcome, visit)) }
                        td { (content(row, file, is_stored)) }
                        td { @if row.outcome == RowOutcome::Refused && row.why.is_empty() { (visit.pick("falta um valor para todas as linhas", "a value for all rows is missing")) } @else { (row.why) } }
                    } } }
                }
                @if total > shown.len() as u64 { p.quiet { (visit.pick("Mostradas as primeiras de cada tipo; ao todo: ", "Only the first of each kind are shown. Total: ")) (count(total, visit.lang)) } }
            }
        }
    }
}

fn label(outcome: RowOutcome, visit: &Visit) -> &'static str {
    let own = RowOutcome::CHOICES.iter().find(|(_, own, _)| *own == outcome);
    own.map_or("", |(_, _, (pt, en))| visit.pick(pt, en))
}

/// Renders the first cells of a row. They link to its record after the import is stored.
fn content(row: &ShownRow, file: &FileReport, is_stored: bool) -> Markup {
    let table = named(&file.resource).filter(|table| is_stored && pages_of(table.kind).is_some());
    match table.zip(row.id) {
        Some((table, id)) => html! { a href={ (BASE) "/" (table.path) "/" (id) } { (row.text) } },
        None => html! { (row.text) },
    }
}

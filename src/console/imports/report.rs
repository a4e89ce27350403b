//! A file on its way in as its page shows it: how far it is, what its rows come to, and what can be chosen.

use std::time::Duration;

use maud::{Markup, html};

use crate::api::rows::{self, RowHandlers};
use crate::console::choices::Choices;
use crate::console::numbers::{count, counted};
use crate::console::page::csrf_field;
use crate::console::paths::BASE;
use crate::console::pending::{PendingImport, PendingState};
use crate::console::typing::{options as options_of, typing};
use crate::console::visit::Visit;
use crate::console::waiting;
use crate::console::words::title;
use crate::domain::{Bilingual, Lang};
use crate::records::{Field, Kind, Source, Table, Type};
use crate::store::whole::tables;
use crate::transfer::{FileReport, MemberDefault, RowOutcome, RowsReport, TakenIn};

/// What is done with records that are there: what forms call it, and what people read.
const EXISTING: [(&str, Bilingual); 3] = [
    ("", ("ficam como estão", "stay as they are")),
    ("fill", ("recebem o que falta", "get what is missing")),
    ("update", ("recebem o que a planilha diz", "get what the spreadsheet says")),
];

/// The address of its page.
pub(super) fn at(key: &str) -> String {
    format!("{BASE}/imports/{key}")
}

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
        @if stage.is_stored() {
            div.done role="status" data-done {
                p {
                    (visit.say("A importação foi salva.", "The import was stored."))
                    @if let Some(id) = report.import { " " (visit.say("Ela se desfaz como um todo em ", "It is taken back as a whole in ")) a href={ (BASE) "/imports" } { (visit.say("Importações", "Imports")) } ", " (visit.say("número ", "number ")) (id) "." }
                }
            }
        }
        @if refused > 0 && import.refused().is_some() {
            div.alert {
                p { (count(refused, visit.lang)) " " (visit.say(
                    "linhas recusadas não são salvas. Baixe-as com o motivo de cada uma, corrija e importe esse arquivo.",
                    "refused rows are not stored. Download them with why, correct them and import that file.",
                )) }
                p { a href={ (at(key)) "/refused" } download { (visit.say("Baixar as linhas recusadas", "Download the refused rows")) } }
            }
        }
        @if in_trash > 0 {
            div.alert {
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
        @for file in &report.files { (of_file(key, file, visit)) }
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

/// How the rows are to be read, and the buttons.
pub(super) fn options(key: &str, stage: &PendingState, choices: Option<&Choices>, visit: &Visit) -> Markup {
    let (asked, lang) = (&stage.asked, visit.lang);
    let existing = match (asked.fill, asked.update) {
        (true, _) => "fill",
        (_, true) => "update",
        _ => "",
    };
    let can_be_stored = stage.outcome.as_ref().is_some_and(|outcome| outcome.is_ok());
    html! {
        form.panel method="post" action=(at(key)) {
            (csrf_field(visit))
            div.fields {
                div.field {
                    label for="f-resource" { (visit.say("As linhas são", "The rows are")) }
                    select #f-resource name="resource" {
                        option value="" { (visit.say("o que os cabeçalhos dizem", "what the headings say")) }
                        @for table in rows::all().map(RowHandlers::table) {
                            option value=(table.path) selected[asked.resource.as_deref() == Some(table.path)] { (title(table, lang)) }
                        }
                    }
                }
                div.field {
                    label for="f-existing" { (visit.say("Registros que já existem", "Records that are there already")) }
                    select #f-existing name="existing" {
                        @for (value, (pt, en)) in EXISTING { option value=(value) selected[existing == value] { (visit.say(pt, en)) } }
                    }
                }
                div.field {
                    label {
                        input type="checkbox" name="create-lists" value="yes" checked[asked.create_lists]; " "
                        (visit.say("Acrescentar às listas os nomes que faltam", "Add names that are missing to the lists"))
                    }
                }
            }
            @if let Some(report) = &stage.tried {
                (names_added(report, visit))
                @if let Some(choices) = choices { (for_all_rows(report, choices, visit)) }
                @for (number, file) in report.files.iter().enumerate() { (columns(number, file, visit)) }
            }
            div.choices {
                button type="submit" name="do" value="try" { (visit.say("Atualizar a prévia", "Update the preview")) }
                @if can_be_stored { button.main type="submit" name="do" value="apply" { (visit.say("Importar", "Import")) } }
            }
        }
    }
}

/// What the rows do not say, to be chosen for all of them.
fn for_all_rows(report: &RowsReport, choices: &Choices, visit: &Visit) -> Markup {
    let mut lacking: Vec<(&Field, &MemberDefault)> = Vec::new();
    for file in &report.files {
        let Some(table) = named(&file.resource) else { continue };
        for default in &file.defaults {
            let field = table.member(&default.member);
            let field = field.filter(|_| lacking.iter().all(|(_, own)| own.member != default.member));
            lacking.extend(field.map(|field| (field, default)));
        }
    }
    html! {
        @if !lacking.is_empty() {
            fieldset #for-all {
                legend { (visit.say("O que as linhas não dizem", "What the rows do not say")) }
                p.quiet { (visit.say(
                    "O que você escolher aqui vale onde a linha não diz nada. O que um registro já tem fica como está.",
                    "What you choose here is for rows that say nothing. What a record has already stays as it is.",
                )) }
                div.fields { @for (field, default) in lacking { (for_all(field, default, choices, visit)) } }
            }
        }
    }
}

fn for_all(field: &Field, default: &MemberDefault, choices: &Choices, visit: &Visit) -> Markup {
    let (id, value) = (format!("f-s-{}", field.member), default.value.as_deref().unwrap_or_default());
    let name = ["s-", field.member].concat();
    let options = match field.ty {
        Type::Links(Kind::List(list)) => Some(choices.entry_options(list, value, visit)),
        _ => options_of(field, value, choices, visit),
    };
    let is_missing = default.value.is_none() && default.rows > 0;
    let hint = typing(field.ty, visit).hint;
    html! {
        div.field {
            label for=(id) {
                (visit.lang.pick(field.label.0, field.label.1))
                @if field.required { span.required aria-hidden="true" { " *" } }
            }
            @if let Some(options) = options {
                select id=(id) name=(name) aria-invalid=[is_missing.then_some("true")] {
                    option value="" { (if field.required { visit.say("Escolha…", "Choose…") } else { "" }) }
                    (options)
                }
            } @else {
                input id=(id) type="text" name=(name) value=(value) placeholder=[hint] aria-invalid=[is_missing.then_some("true")];
            }
            @if is_missing {
                p.wrong {
                    (visit.say("Falta em todas as linhas: escolha um valor. Recusadas por isso: ", "Missing in all rows: choose a value. Refused for that: "))
                    (count(default.rows, visit.lang))
                }
            } @else if default.is_only {
                p.quiet { (visit.say("Já escolhido, por não haver outra opção.", "Chosen already, as there is no other.")) }
            }
        }
    }
}

/// The columns of a file, each with what it is: to be chosen otherwise.
fn columns(number: usize, file: &FileReport, visit: &Visit) -> Markup {
    let Some(table) = named(&file.resource) else { return html! {} };
    let known = file.columns.iter().map(|(heading, member)| (heading, member.as_str()));
    let all = known.chain(file.ignored.iter().map(|heading| (heading, "")));
    html! {
        details open[!file.ignored.is_empty()] {
            summary {
                (visit.say("Colunas", "Columns")) @if !file.sheet.is_empty() { " [" (file.sheet) "]" } ": " (title(table, visit.lang))
                @if !file.ignored.is_empty() { " · " (visit.say("ficam de fora: ", "left out: ")) (file.ignored.len()) }
            }
            div.fields { @for (column, (heading, member)) in all.enumerate() {
                @let name = format!("{number}-{column}");
                div.field {
                    label for={ "f-m-" (name) } { (heading) }
                    input type="hidden" name={ "h-" (name) } value=(heading);
                    input type="hidden" name={ "w-" (name) } value=(member);
                    select id={ "f-m-" (name) } name={ "m-" (name) } {
                        option value="" { (visit.say("fica de fora", "left out")) }
                        @if !member.is_empty() && table.member(member).is_none_or(|field| field.source == Source::Created) {
                            option value=(member) selected { (heading) }
                        }
                        @for field in table.writable().filter(|field| field.is_stored()) {
                            option value=(field.member) selected[field.member == member] { (visit.lang.pick(field.label.0, field.label.1)) }
                        }
                    }
                }
            } }
        }
    }
}

/// What becomes of the rows of a file, all or of one sort.
fn of_file(key: &str, file: &FileReport, visit: &Visit) -> Markup {
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
                        td { (row.text) }
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

fn named(name: &str) -> Option<&'static Table> {
    tables().find(|table| table.name == name)
}

fn many(name: &str, lang: Lang) -> String {
    named(name).map(|table| title(table, lang)).unwrap_or_default()
}

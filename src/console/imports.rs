//! The imports page: previews a file before it is stored, lists past imports, and undoes them.

mod choose;
mod columns;
mod customers;
pub(super) mod import_jobs;
pub(super) mod moving;
pub(super) mod pending_move;
mod report;
mod report_lines;

use std::path::Path;

use crate::console::layout::page::{FlashMessage, flash_message};
use crate::console::prelude::*;
use crate::console::requests::response::attachment;
use crate::domain::Choice;
use crate::http::{Body, FilePart};
use crate::store::imports::moves::{self, StoredMove};
use crate::store::imports::{self, StoredImport};
use crate::store::records::full_records::tables;
use crate::transfer::{DateOrder, Import, Imported, LetterEncoding, Spreadsheet, Undo, area_code};
use choose::options;
use customers::{ImportChoices, UNDECIDED};
use import_jobs::at;
use report::{LEAVE, of_rows, running, whole};

/// Past imports listed on the page.
const MAX_LISTED_IMPORTS: u32 = 100;

pub(super) async fn show(visit: &Visit) -> Result<Answer> {
    render(None, StatusCode::OK, visit).await
}

/// Accepts an uploaded file or a path on this machine, and starts the preview.
pub(super) async fn begin(visit: &Visit) -> Result<Answer> {
    let file = visit.file.lock().take();
    let name = visit.field("name").to_owned();
    let path = visit.field("path").trim().to_owned();
    let nothing = visit.pick("Escolha um arquivo.", "Choose a file.").to_owned();
    let kept = visit.run_blocking(move |console| {
        let imports = &console.imports;
        let now = console.now();
        match file.map(|file| file.into_content()) {
            Some(Ok(content)) => imports.upload(&name, content, now).map_err(Some),
            None if Path::new(&path).is_absolute() => imports.of_machine(Path::new(&path), now).map_err(Some),
            _ => Err(None),
        }
    });
    match kept.await? {
        Ok(key) => {
            if let Some(import) = visit.console.imports.find(&key, visit.now()) {
                import.begin(&visit.console.api, visit.caller.clone(), Import::default(), visit.lang);
            }
            Ok(redirect(&at(&key)))
        }
        Err(Some(cause)) => {
            tracing::warn!(id = visit.id, %cause, "the file to import could not be stored");
            Ok(error_pages::store_unavailable(visit))
        }
        Err(None) => render(Some(Err(nothing)), StatusCode::UNPROCESSABLE_ENTITY, visit).await,
    }
}

/// Runs the preview again with other options, stores the import, or ends the preview when its page is closed.
pub(super) async fn act(key: &str, visit: &Visit) -> Result<Answer> {
    let import = visit.console.imports.find(key, visit.now()).ok_or_else(Problem::no_route)?;
    if visit.field("do") == LEAVE {
        import.stop_preview();
        // The script would follow a redirect, and that request would count as the visitor's return.
        return Ok(Answer::empty(StatusCode::NO_CONTENT));
    }
    let before = import.stage().request;
    let mut map = before.map;
    for (name, member) in &visit.form {
        let Some(column) = name.strip_prefix("m-") else { continue };
        let [heading, was] = ["h-", "w-"].map(|name| visit.field(&[name, column].concat()));
        if member != was && !heading.is_empty() {
            map.retain(|(own, _)| own != heading);
            map.push((heading.to_owned(), member.clone()));
        }
    }
    let resource = Some(visit.field("resource").to_owned()).filter(|name| !name.is_empty());
    let of_sheets = visit.form.iter().filter_map(|(field, sheet)| {
        let chosen = visit.field(&["t-", field.strip_prefix("k-")?].concat());
        (chosen != UNDECIDED).then(|| (sheet.clone(), chosen.to_owned()))
    });
    let of_all = resource.iter().map(|name| (String::new(), name.clone()));
    let resources = of_all.chain(of_sheets).collect();
    // A default chosen for one kind of record may not be a field of another.
    let is_member = |member: &str| match &resource {
        Some(name) => {
            tables().find(|table| table.name == name).is_some_and(|table| table.member(member).is_some())
        }
        None => before.resources.iter().all(|(sheet, _)| !sheet.is_empty()),
    };
    let set = visit.form.iter().filter_map(|(name, value)| Some((name.strip_prefix("s-")?, value)));
    let set = set.filter(|(member, value)| is_member(member) && !value.trim().is_empty());
    let set: Vec<_> = set.map(|(member, value)| (member.to_owned(), value.clone())).collect();
    let asked_names = visit.form.iter().filter_map(|(field, name)| {
        let number = field.strip_prefix("n-")?;
        let other = visit.field(&["o-", number].concat()).trim();
        let meant = if other.is_empty() { visit.field(&["v-", number].concat()) } else { other };
        (meant != UNDECIDED).then(|| (name.clone(), meant.to_owned()))
    });
    let area = Some(visit.field("area-code").trim()).filter(|area| !area.is_empty());
    let creates_all = visit.field("create-customers") == "yes";
    let all = creates_all.then(|| (customers::ALL.to_owned(), customers::CREATE.to_owned()));
    let request = Import {
        names: asked_names.chain(all).collect(),
        notes: visit.field("notes") == "yes",
        // An area code that does not exist is refused with an error message.
        area_code: area.map(|area| area_code(area).unwrap_or_else(|| area.to_owned())),
        heading_line: visit.field("heading-line").trim().parse().ok().filter(|line| *line > 0),
        dates: DateOrder::named(visit.field("dates")),
        letters: LetterEncoding::named(visit.field("letters")),
        apply: visit.field("do") == "apply",
        update: visit.field("existing") == "update",
        fill: visit.field("existing") == "fill",
        create_lists: visit.field("create-lists") == "yes",
        map,
        set,
        resources,
        ..Import::default()
    };
    import.begin(&visit.console.api, visit.caller.clone(), request, visit.lang);
    Ok(redirect(&at(key)))
}

/// Renders the progress of an import, or its preview or result.
pub(super) async fn one(key: &str, visit: &Visit) -> Result<Answer> {
    let import = visit.console.imports.find(key, visit.now()).ok_or_else(Problem::no_route)?;
    let stage = import.stage();
    if !stage.is_running && stage.outcome.is_none() {
        import.begin(&visit.console.api, visit.caller.clone(), stage.request.clone(), visit.lang);
    }
    let heading = visit.pick("Importar", "Import");
    // Options are shown only until the import is stored.
    let choices = if stage.outcome.is_none() || stage.is_stored() {
        None
    } else {
        ImportChoices::read(&stage, visit).await.ok()
    };
    let choices = choices.as_ref();
    let body = match &stage.outcome {
        None => running(key, &import, &stage, visit),
        Some(outcome) => match &**outcome {
            Err(why) => html! {
                div.alert role="alert" {
                    p { strong { (visit.pick("Nada foi importado.", "Nothing was imported.")) } }
                    @for line in why.lines() { p { (first_upper(line)) } }
                }
                (options(key, &stage, choices, visit))
            },
            Ok(Imported::Whole(taken)) => whole(key, taken, &stage, visit),
            Ok(Imported::Rows(report)) => of_rows(key, report, &import, &stage, choices, visit),
        },
    };
    let main = html! {
        header.title { h1 { (heading) ": " (import.name) } }
        (body)
        p { a href={ (BASE) "/imports" } { (visit.pick("Todas as importações", "All imports")) } }
    };
    Ok(page(visit, NavItem::Imports, heading, &main))
}

/// Sends the refused rows as a file for correction.
pub(super) async fn refused(key: &str, visit: &Visit) -> Result<Answer> {
    let path = visit.console.imports.find(key, visit.now()).and_then(|import| import.refused());
    let form = path
        .as_deref()
        .and_then(Path::extension)
        .and_then(|ending| Spreadsheet::of_ending(&ending.to_string_lossy()));
    let form = form.unwrap_or(Spreadsheet::Csv);
    let opened = visit.run_blocking(move |_| FilePart::whole(std::fs::File::open(path?).ok()?).ok());
    let file = opened.await?.ok_or_else(Problem::no_route)?;
    let name = visit.pick("recusados", "refused");
    let ending = form.ending();
    Ok(attachment(Body::File(file), form.media_type(), Some(&format!("{name}.{ending}"))))
}

pub(super) async fn undo(visit: &Visit) -> Result<Answer> {
    let id = visit.field("import").parse().unwrap_or_default();
    let lang = visit.lang;
    let caller = visit.caller.clone();
    let done = visit.run_blocking(move |console| Undo { id, lang }.run(&console.api, caller));
    let (message, status) = match done.await? {
        Ok(undone) => {
            let counts = undone.message(visit.lang);
            let text = match visit.lang {
                Lang::Pt => format!("A importação {id} foi desfeita. {counts}"),
                Lang::En => format!("Import {id} was undone. {counts}"),
            };
            (Ok(text), StatusCode::OK)
        }
        Err(error) => {
            tracing::warn!(id = visit.id, cause = error.detail(), "import undo failed");
            (Err(first_upper(&error.message(visit.lang))), StatusCode::CONFLICT)
        }
    };
    render(Some(message), status, visit).await
}

async fn render(message: FlashMessage, status: StatusCode, visit: &Visit) -> Result<Answer> {
    let read = |db: Db<'_>| Ok((imports::newest(db, MAX_LISTED_IMPORTS)?, moves::current(db)?));
    let (all, begun) = visit.read(read).await?;
    let heading = visit.pick("Importações", "Imports");
    let waiting = visit.console.imports.waiting(visit.now());
    let main = html! {
        (flash_message(&message))
        header.title { h1 { (heading) } }
        section.panel {
            h2 { (visit.pick("Trazer uma planilha", "Import a spreadsheet")) }
            p.quiet { (visit.pick(
                "CSV, XLSX, XLS ou ODS, com uma linha de cabeçalhos, contatos em vCard, ou JSON Lines. Nada é salvo antes de você ver o que mudaria.",
                "CSV, XLSX, XLS or ODS with a header row, contacts as vCard, or JSON Lines. You see what would change before anything is saved.",
            )) }
            form method="post" action={ (BASE) "/imports" } enctype="multipart/form-data" {
                (csrf_field(visit))
                div.field {
                    label for="f-file" { (visit.pick("Arquivo deste computador", "File on this computer")) }
                    input #f-file type="file" name="file" accept=".csv,.txt,.tsv,.xlsx,.xls,.ods,.html,.htm,.vcf,.jsonl,.ndjson" required;
                }
                div.choices { button.main type="submit" { (visit.pick("Ver a prévia", "Preview")) } }
            }
            details {
                summary { (visit.pick("Uma exportação inteira do Pleito", "A full Pleito export")) }
                p.quiet { (visit.pick(
                    "Só entra onde ainda não há nenhum registro, e não se desfaz depois.",
                    "This is possible only while there are no records, and cannot be undone.",
                )) }
                form method="post" action={ (BASE) "/imports" } {
                    (csrf_field(visit))
                    div.field {
                        label for="f-path" { (visit.pick("Pasta da exportação nesta máquina", "Folder of the export on this machine")) }
                        input #f-path type="text" name="path" required;
                    }
                    div.choices { button type="submit" { (visit.pick("Verificar a exportação", "Check the export")) } }
                }
            }
        }
        section.panel {
            h2 { (moving::heading(visit)) }
            p.quiet { (visit.pick(
                "Traz tudo da nuvem, ou de outro Pleito pela rede, com os mesmos ids, datas e documentos.",
                "Copies everything from the cloud, or from another Pleito over the network, with the same ids, times and documents.",
            )) }
            p {
                a.button href=(moving::at()) {
                    @if begun.is_some() { (visit.pick("Ver a mudança", "See the move")) } @else { (visit.pick("Começar a mudança", "Begin the move")) }
                } " "
                (moved(begun.as_ref(), visit.app().is_moving(), visit))
            }
        }
        @if !waiting.is_empty() {
            h2 { (visit.pick("Prévias que ainda não foram importadas", "Previews that were not imported yet")) }
            ul.entries { @for (name, key, age) in &waiting { li {
                @let visited = visit.app().now().saturating_sub_unsigned(age.as_secs());
                a href=(at(key)) { (name) } " " span.quiet { (visit.pick("vista em ", "viewed on ")) (moment(visited, visit.zone(), visit.lang)) }
            } } }
        }
        @if !all.is_empty() {
            h2 { (visit.pick("O que já foi importado", "Earlier imports")) }
            ul.entries { @for import in &all { li { (past(import, visit)) } } }
        }
    };
    Ok(Answer { status, ..page(visit, NavItem::Imports, heading, &main) })
}

/// Renders the state of the move from another server.
fn moved(begun: Option<&StoredMove>, is_moving: bool, visit: &Visit) -> Markup {
    let finished = begun.and_then(|begun| begun.finished_at);
    html! {
        @if is_moving { span.stage.due { (visit.pick("em andamento", "in progress")) } }
        @else if let Some(at) = finished { span.quiet { (visit.pick("acabou em ", "ended on ")) (moment(at, visit.zone(), visit.lang)) } }
        @else if begun.is_some() { span.stage.late { (visit.pick("não acabou", "has not ended")) } }
    }
}

/// Renders a stored import with the undo button.
fn past(import: &StoredImport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    html! {
        form.backup method="post" action={ (BASE) "/imports/undo" } {
            (csrf_field(visit))
            input type="hidden" name="import" value=(import.id);
            div {
                strong { (import.id) ". " (import.files.join(", ")) } br;
                span.quiet {
                    (moment(import.at, visit.zone(), lang)) " · "
                    (visit.pick("novos: ", "created: ")) (count(import.created, lang)) " · "
                    (visit.pick("alterados: ", "updated: ")) (count(import.updated, lang))
                    @if let Some(at) = import.undone_at { " · " (visit.pick("desfeita em ", "undone on ")) (moment(at, visit.zone(), lang)) }
                    @else if import.is_whole { " · " (visit.pick("exportação inteira", "full export")) }
                }
            }
            @if import.undone_at.is_none() && !import.is_whole {
                details.step {
                    summary aria-label=(format!("{}: {}", visit.pick("Desfazer", "Undo"), import.id)) { (visit.pick("Desfazer", "Undo")) }
                    p { (visit.pick(
                        "O que esta importação criou vai para a lixeira, e o que ela alterou volta a ser o que era. Só é possível enquanto ninguém tiver alterado esses registros depois.",
                        "The records that this import created are moved to the trash, and the ones that it changed get their old values back. This is possible until these records are changed.",
                    )) }
                    button.danger type="submit" { (visit.pick("Desfazer esta importação", "Undo this import")) }
                }
            }
        }
    }
}

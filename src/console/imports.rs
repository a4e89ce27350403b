//! Imports: what was imported and can be taken back, and a file on its way in, shown before it is stored.

mod address;
mod choose;
mod report;

use std::path::Path;
use std::sync::Arc;

use http::{StatusCode, header};
use maud::{Markup, html};

use super::choices::Choices;
use super::enter;
use super::moving;
use super::numbers::{count, moment};
use super::page::{Place, ToldAbove, csrf_field, page, redirect, told_above, value};
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use super::words::first_upper;
use crate::domain::Lang;
use crate::http::{Answer, Body, FilePart};
use crate::store::Db;
use crate::store::imports::{self, StoredImport};
use crate::store::moves::{self, StoredMove};
use crate::store::whole::tables;
use crate::transfer::{Import, Imported, Spreadsheet, Undo, Undone, area_code};
use address::at;
use choose::{UNDECIDED, options};
use report::{LEAVE, of_rows, running, whole};

/// How many imports the page lists.
const LISTED: u32 = 100;

pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    draw(console, None, StatusCode::OK, visit).await
}

/// Takes a file in, or one of this machine, and tries it.
pub(super) async fn begin(console: &Arc<Console>, visit: &Visit) -> Answer {
    let (file, name) = (visit.file.lock().take(), visit.field("name").to_owned());
    let path = visit.field("path").trim().to_owned();
    let nothing = visit.say("Escolha um arquivo.", "Choose a file.").to_owned();
    let kept = console.apart(move |console| {
        let (imports, now) = (&console.imports, console.now());
        Some(match file.map(|file| file.into_content()) {
            Some(Ok(content)) => imports.upload(&name, content, now).map_err(Some),
            None if Path::new(&path).is_absolute() => imports.of_machine(Path::new(&path), now).map_err(Some),
            _ => Err(None),
        })
    });
    match kept.await {
        Some(Ok(key)) => {
            if let Some(import) = console.imports.find(&key, console.now()) {
                import.begin(&console.api, Import::default(), visit.lang);
            }
            redirect(&at(&key))
        }
        Some(Err(Some(cause))) => {
            tracing::warn!(id = visit.id, %cause, "a file to import was not kept");
            enter::unreadable(visit)
        }
        _ => draw(console, Some(Err(nothing)), StatusCode::UNPROCESSABLE_ENTITY, visit).await,
    }
}

/// Tries it again in another way, stores it, or ends the preview of a page that is left.
pub(super) async fn act(console: &Arc<Console>, key: &str, visit: &Visit) -> Answer {
    let Some(import) = console.imports.find(key, console.now()) else { return enter::not_found(visit) };
    if visit.field("do") == LEAVE {
        import.leave();
        // A redirect would be followed, and be taken for somebody who comes back.
        return Answer::empty(StatusCode::NO_CONTENT);
    }
    let before = import.stage().asked;
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
    // What was chosen for rows of one kind may be no member of another.
    let is_member = |member: &str| match &resource {
        Some(path) => {
            tables().find(|table| table.path == path).is_some_and(|table| table.member(member).is_some())
        }
        None => before.resource.is_none(),
    };
    let set = visit.form.iter().filter_map(|(name, value)| Some((name.strip_prefix("s-")?, value)));
    let set = set.filter(|(member, value)| is_member(member) && !value.trim().is_empty());
    let set: Vec<_> = set.map(|(member, value)| (member.to_owned(), value.clone())).collect();
    let asked_names = visit.form.iter().filter_map(|(field, name)| {
        let meant = visit.field(&["v-", field.strip_prefix("n-")?].concat());
        (meant != UNDECIDED).then(|| (name.clone(), meant.to_owned()))
    });
    let area = Some(visit.field("area-code").trim()).filter(|area| !area.is_empty());
    let asked = Import {
        names: asked_names.collect(),
        notes: visit.field("notes") == "yes",
        // One that does not exist is refused with a sentence.
        area_code: area.map(|area| area_code(area).unwrap_or_else(|| area.to_owned())),
        heading_line: visit.field("heading-line").trim().parse().ok().filter(|line| *line > 0),
        apply: visit.field("do") == "apply",
        update: visit.field("existing") == "update",
        fill: visit.field("existing") == "fill",
        create_lists: visit.field("create-lists") == "yes",
        map,
        set,
        resource,
        ..Import::default()
    };
    import.begin(&console.api, asked, visit.lang);
    redirect(&at(key))
}

/// A file on its way in: how far it is, or what it comes to.
pub(super) async fn one(console: &Arc<Console>, key: &str, visit: &Visit) -> Answer {
    let Some(import) = console.imports.find(key, console.now()) else { return enter::not_found(visit) };
    let stage = import.stage();
    if !stage.is_running && stage.outcome.is_none() {
        import.begin(&console.api, stage.asked.clone(), visit.lang);
    }
    let heading = visit.say("Importar", "Import");
    // Only what is not stored yet can be chosen otherwise.
    let choices =
        if stage.outcome.is_none() || stage.is_stored() { None } else { Choices::read(console).await };
    let choices = choices.as_ref();
    let body = match &stage.outcome {
        None => running(key, &import, &stage, console.now(), visit),
        Some(outcome) => match &**outcome {
            Err(why) => html! {
                div.alert role="alert" {
                    p { strong { (visit.say("Nada foi importado.", "Nothing was imported.")) } }
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
        p { a href={ (BASE) "/imports" } { (visit.say("Todas as importações", "All imports")) } }
    };
    page(visit, Place::Imports, heading, &main)
}

/// The rows that were refused, as a file to be corrected.
pub(super) async fn refused(console: &Arc<Console>, key: &str, visit: &Visit) -> Answer {
    let path = console.imports.find(key, console.now()).and_then(|import| import.refused());
    let form = path
        .as_deref()
        .and_then(Path::extension)
        .and_then(|ending| Spreadsheet::of_ending(&ending.to_string_lossy()));
    let form = form.unwrap_or(Spreadsheet::Csv);
    let opened = console.apart(move |_| FilePart::whole(std::fs::File::open(path?).ok()?).ok());
    let Some(file) = opened.await else { return enter::not_found(visit) };
    let (name, ending) = (visit.say("recusados", "refused"), form.ending());
    Answer { body: Body::File(file), ..Answer::empty(StatusCode::OK) }
        .with(header::CONTENT_TYPE, value(form.media_type()))
        .with(header::CONTENT_DISPOSITION, value(&format!("attachment; filename=\"{name}.{ending}\"")))
}

/// Takes an import back.
pub(super) async fn undo(console: &Arc<Console>, visit: &Visit) -> Answer {
    let (id, portuguese) = (visit.field("import").parse().unwrap_or_default(), visit.lang == Lang::Pt);
    let done = console.apart(move |console| Some(Undo { id, portuguese }.run(&console.api)));
    let (told, status) = match done.await {
        Some(Ok(Undone { deleted, changed, deactivated })) => {
            let text = match visit.lang {
                Lang::Pt => format!(
                    "A importação {id} foi desfeita. Para a lixeira: {deleted}; como eram antes: {changed}; desativados em listas: {deactivated}."
                ),
                Lang::En => format!(
                    "Import {id} was taken back. Into the trash: {deleted}; as they were before: {changed}; deactivated in lists: {deactivated}."
                ),
            };
            (Ok(text), StatusCode::OK)
        }
        Some(Err(error)) => {
            tracing::warn!(id = visit.id, cause = error.detail(), "an import was not taken back");
            (Err(first_upper(&error.say(visit.lang))), StatusCode::CONFLICT)
        }
        None => return enter::unreadable(visit),
    };
    draw(console, Some(told), status, visit).await
}

async fn draw(console: &Arc<Console>, told: ToldAbove, status: StatusCode, visit: &Visit) -> Answer {
    let read = |db: Db<'_>| Ok((imports::newest(db, LISTED)?, moves::current(db)?));
    let (all, begun) = match console.api.read_inside(&visit.id, read).await {
        Ok(all) => all,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let heading = visit.say("Importações", "Imports");
    let waiting = console.imports.waiting(console.now());
    let main = html! {
        (told_above(&told))
        header.title { h1 { (heading) } }
        section.panel {
            h2 { (visit.say("Trazer uma planilha", "Bring a spreadsheet in")) }
            p.quiet { (visit.say(
                "CSV, XLSX, XLS ou ODS, com uma linha de cabeçalhos, ou JSON Lines. Nada é salvo antes de você ver o que mudaria.",
                "CSV, XLSX, XLS or ODS, with a line of headings, or JSON Lines. Nothing is stored before you have seen what would change.",
            )) }
            form method="post" action={ (BASE) "/imports" } enctype="multipart/form-data" {
                (csrf_field(visit))
                div.field {
                    label for="f-file" { (visit.say("Arquivo deste computador", "File of this computer")) }
                    input #f-file type="file" name="file" accept=".csv,.txt,.tsv,.xlsx,.xls,.ods,.jsonl,.ndjson" required;
                }
                div.choices { button.main type="submit" { (visit.say("Ver a prévia", "Preview")) } }
            }
            details {
                summary { (visit.say("Uma exportação inteira do Pleito", "A whole export of Pleito's")) }
                p.quiet { (visit.say(
                    "Só entra onde ainda não há nenhum registro, e não se desfaz depois.",
                    "It goes only where there is no record yet, and is not taken back afterwards.",
                )) }
                form method="post" action={ (BASE) "/imports" } {
                    (csrf_field(visit))
                    div.field {
                        label for="f-path" { (visit.say("Pasta da exportação nesta máquina", "Folder of the export on this machine")) }
                        input #f-path type="text" name="path" required;
                    }
                    div.choices { button type="submit" { (visit.say("Verificar a exportação", "Check the export")) } }
                }
            }
        }
        section.panel {
            h2 { (moving::heading(visit)) }
            p.quiet { (visit.say(
                "Traz tudo da nuvem, ou de outro Pleito pela rede, com os mesmos ids, datas e documentos.",
                "Brings everything of the cloud, or of another Pleito over the network, with the same ids, moments and documents.",
            )) }
            p {
                a.button href=(moving::at()) {
                    @if begun.is_some() { (visit.say("Ver a mudança", "See the move")) } @else { (visit.say("Começar a mudança", "Begin the move")) }
                } " "
                (moved(begun.as_ref(), console.api.app().is_moving(), visit))
            }
        }
        @if !waiting.is_empty() {
            h2 { (visit.say("Prévias que ainda não foram importadas", "Previews that were not imported yet")) }
            ul.entries { @for (key, name) in &waiting { li { a href=(at(key)) { (name) } } } }
        }
        @if !all.is_empty() {
            h2 { (visit.say("O que já foi importado", "What was imported")) }
            ul.entries { @for import in &all { li { (past(import, visit)) } } }
        }
    };
    Answer { status, ..page(visit, Place::Imports, heading, &main) }
}

/// How the move from another server stands.
fn moved(begun: Option<&StoredMove>, is_moving: bool, visit: &Visit) -> Markup {
    let finished = begun.and_then(|begun| begun.finished_at);
    html! {
        @if is_moving { span.stage.due { (visit.say("em andamento", "under way")) } }
        @else if let Some(at) = finished { span.quiet { (visit.say("acabou em ", "ended on ")) (moment(at, &visit.zone, visit.lang)) } }
        @else if begun.is_some() { span.stage.late { (visit.say("não acabou", "has not ended")) } }
    }
}

/// An import that was stored, with the button that takes it back.
fn past(import: &StoredImport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    html! {
        form.backup method="post" action={ (BASE) "/imports/undo" } {
            (csrf_field(visit))
            input type="hidden" name="import" value=(import.id);
            div {
                strong { (import.id) ". " (import.files.join(", ")) } br;
                span.quiet {
                    (moment(import.at, &visit.zone, lang)) " · "
                    (visit.say("novos: ", "created: ")) (count(import.created, lang)) " · "
                    (visit.say("alterados: ", "updated: ")) (count(import.updated, lang))
                    @if let Some(at) = import.undone_at { " · " (visit.say("desfeita em ", "taken back on ")) (moment(at, &visit.zone, lang)) }
                    @else if import.is_whole { " · " (visit.say("exportação inteira", "a whole export")) }
                }
            }
            @if import.undone_at.is_none() && !import.is_whole {
                details.step {
                    summary aria-label=(format!("{}: {}", visit.say("Desfazer", "Take back"), import.id)) { (visit.say("Desfazer", "Take back")) }
                    p { (visit.say(
                        "O que esta importação criou vai para a lixeira, e o que ela alterou volta a ser o que era. Só é possível enquanto ninguém tiver alterado esses registros depois.",
                        "What this import made goes into the trash, and what it changed is as it was before. It is possible as long as nobody has changed these records since.",
                    )) }
                    button.danger type="submit" { (visit.say("Desfazer esta importação", "Take this import back")) }
                }
            }
        }
    }
}

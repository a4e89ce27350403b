//! The move from another server: what there is to bring, counted first; how far it is; and what came of it.

mod shown;

use std::sync::Arc;

use http::{StatusCode, header};
use maud::{Markup, html};

use super::enter::{self, SECRET};
use super::page::{Place, csrf_field, page, redirect, value};
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use super::waiting;
use super::words::first_upper;
use super::wrong::Wrong;
use crate::config::settings::Compatibility;
use crate::domain::Lang;
use crate::http::{Answer, Body, Problem};
use crate::outgoing::is_certificate;
use crate::store::whole::is_empty;
use crate::transfer::{Move, MoveCount, MoveError, MoveReport, Moved, SourceToken, TransferError};

/// The field that is ticked to answer programs as the source does.
const COMPATIBILITY: &str = "compatibility";

/// What the store says of it.
struct Seen {
    begun: Option<MoveReport>,
    /// Whether the office has no records yet.
    is_empty: bool,
}

/// The address of the page.
pub(super) fn at() -> String {
    format!("{BASE}/imports/move")
}

pub(super) fn heading(visit: &Visit) -> &'static str {
    visit.say("Trazer do sistema na nuvem", "Move from the cloud")
}

/// The page: how far it is where it is under way, else what comes next.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let moving = &console.moving;
    let Some(heard) = moving.task.under_way().await else {
        return draw(console, &Wrong::new(), StatusCode::OK, visit).await;
    };
    let is_count = moving.is_counted(console.now());
    let what = match (moving.task.is_stopped(), is_count) {
        (true, _) => visit.say("Parando…", "Stopping…"),
        (_, true) => visit.say("Contando o que há lá…", "Counting what is there…"),
        (_, false) => visit.say("Mudando…", "Moving…"),
    };
    let main = html! {
        header.title { h1 { (heading(visit)) } }
        (waiting::draw_in_place(what, heard.as_ref(), console.now(), visit))
        @if !moving.task.is_stopped() {
            form method="post" action=(at()) {
                (csrf_field(visit))
                @if !is_count {
                    p.lead { (visit.say(
                        "Esta página pode ser fechada: a mudança continua no servidor, e o escritório já pode trabalhar. Se você a parar, o que veio fica, e depois ela continua de onde parou.",
                        "This page may be closed: the move goes on in the server, and the office can work already. If you stop it, what has come stays, and later it goes on from there.",
                    )) }
                }
                button type="submit" name="do" value="stop" { (visit.say("Parar", "Stop")) }
            }
        }
    };
    page(visit, Place::Imports, heading(visit), &main)
}

/// Counts, moves, goes on, stops.
pub(super) async fn act(console: &Arc<Console>, visit: &Visit) -> Answer {
    let (moving, deed) = (&console.moving, visit.field("do"));
    match deed {
        "stop" => moving.task.stop(),
        "forget" => moving.forget(),
        // There is one at a time, and the page says so.
        _ if moving.task.is_running() || console.api.app().is_moving() => {}
        "move" => {
            let Some(counted) = moving.take_counted(console.now()) else {
                let why = visit.say(
                    "O token já foi esquecido: digite-o outra vez.",
                    "The token was forgotten meanwhile: type it again.",
                );
                let wrong = Wrong::from([(SECRET.to_owned(), vec![why.to_owned()])]);
                return draw(console, &wrong, StatusCode::UNPROCESSABLE_ENTITY, visit).await;
            };
            let compatibility = compatibility(console, visit);
            moving.begin(&console.api, Move { dry_run: false, compatibility, ..counted }, &visit.id);
        }
        "count" | "go-on" => {
            let seen = match read(console, visit).await {
                Ok(seen) => seen,
                Err(problem) => return enter::failed(visit, &problem),
            };
            // Somebody else may have begun, or added a record, since the page was drawn: then the page says so first.
            let is_new = seen.begun.is_none();
            if (deed == "count") == is_new && (seen.is_empty || !is_new) {
                match asked(console, seen.begun.as_ref(), visit) {
                    Ok(asked) => moving.begin(&console.api, asked, &visit.id),
                    Err(wrong) => {
                        return draw(console, &wrong, StatusCode::UNPROCESSABLE_ENTITY, visit).await;
                    }
                }
            }
        }
        _ => return enter::not_found(visit),
    }
    redirect(&at())
}

/// What is asked for: of a new one it is counted first, and one that was begun goes on.
fn asked(console: &Console, begun: Option<&MoveReport>, visit: &Visit) -> Result<Move, Wrong> {
    let mut wrong = Wrong::new();
    let mut refuse = |name: &str, why: String| _ = wrong.insert(name.to_owned(), vec![why]);
    let source = match begun {
        Some(begun) => begun.source.clone(),
        None => Move::base(visit.field("source")).unwrap_or_else(|error| {
            refuse("source", error.say(visit.lang));
            String::new()
        }),
    };
    let token = SourceToken::new(visit.field(SECRET));
    if token.is_empty() {
        refuse(
            SECRET,
            visit
                .say("Falta o token do outro servidor.", "The token of the other server is missing.")
                .to_owned(),
        );
    }
    let typed = visit.field("authority").trim();
    if !typed.is_empty() && !is_certificate(typed) {
        let error = MoveError::NotCertificate(visit.say("Isto", "This").to_owned());
        refuse("authority", error.say(visit.lang));
    }
    let authority = Some(typed.to_owned()).filter(|typed| !typed.is_empty());
    let again = begun.is_some_and(|begun| begun.finished_at.is_some());
    let portuguese = visit.lang == Lang::Pt;
    let (dry_run, insecure, compatibility) = (begun.is_none(), false, compatibility(console, visit));
    let asked = Move { source, token, authority, dry_run, again, compatibility, insecure, portuguese };
    if wrong.is_empty() { Ok(asked) } else { Err(wrong) }
}

/// What `api.compatibility` becomes: what the source suggests if that is ticked, else what it is.
fn compatibility(console: &Console, visit: &Visit) -> Option<Compatibility> {
    match visit.field(COMPATIBILITY).is_empty() {
        true => Some(console.api.app().settings().api.compatibility),
        false => None,
    }
}

/// Offers to answer programs as the source does.
fn tick(visit: &Visit) -> Markup {
    html! {
        div.field.wide {
            label {
                input type="checkbox" name=(COMPATIBILITY) value="1" checked;
                " " (visit.say("Responder aos programas como a nuvem", "Answer programs as the cloud does"))
            }
            p.quiet.hint { "api.compatibility = \"live\": " (Move::why_live(visit.lang)) }
        }
    }
}

/// The whole report, as a file.
pub(super) async fn report(console: &Arc<Console>, visit: &Visit) -> Answer {
    let report = match read(console, visit).await {
        Ok(Seen { begun: Some(report), .. }) => report,
        Ok(_) => return enter::not_found(visit),
        Err(problem) => return enter::failed(visit, &problem),
    };
    let name = visit.say("mudanca", "move");
    Answer { body: Body::Whole(report.text(visit.lang).into()), ..Answer::empty(StatusCode::OK) }
        .with(header::CONTENT_TYPE, value("text/plain; charset=utf-8"))
        .with(header::CONTENT_DISPOSITION, value(&format!("attachment; filename=\"{name}.txt\"")))
}

async fn read(console: &Arc<Console>, visit: &Visit) -> Result<Seen, Problem> {
    let problem = |error| match error {
        TransferError::Store(cause) => Problem::from(cause),
        other => Problem::internal(other.detail()),
    };
    let lang = visit.lang;
    let read = console.api.list_inside(&visit.id, move |_, db| {
        db.snapshot(|db| {
            let begun = MoveReport::of_store(db, lang).map_err(problem)?;
            Ok(Seen { begun, is_empty: is_empty(db)? })
        })
    });
    read.await
}

async fn draw(console: &Arc<Console>, wrong: &Wrong, status: StatusCode, visit: &Visit) -> Answer {
    let (lang, heading) = (visit.lang, heading(visit));
    let app = console.api.app();
    if app.is_moving() {
        let (what, heard) = (first_upper(&MoveError::UnderWay.say(lang)), app.heard_of_move());
        let main = html! {
            header.title { h1 { (heading) } }
            (waiting::draw_in_place(&what, heard.as_ref(), console.now(), visit))
        };
        return page(visit, Place::Imports, heading, &main);
    }
    let Seen { begun, is_empty } = match read(console, visit).await {
        Ok(seen) => seen,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let standing = begun.as_ref().map(|begun| (begun.begun_at, begun.finished_at));
    let is_waiting = console.moving.is_counted(console.now());
    let ended = console.moving.task.outcome().filter(|ended| ended.standing == standing);
    let result = ended.as_ref().map(|ended| &*ended.result);
    let why = result.and_then(|result| result.as_ref().err()).filter(|error| match error {
        // The page itself says these.
        TransferError::Move(MoveError::Stopped) => false,
        TransferError::Move(MoveError::Taken) => is_empty,
        _ => true,
    });
    let counted = match result {
        Some(Ok(Moved::Counted(count))) if is_waiting => Some(count),
        _ => None,
    };
    let main = html! {
        @if let Some(why) = why.filter(|_| wrong.is_empty()) {
            div.alert role="alert" { p { (first_upper(&why.say(lang))) } }
        }
        header.title { h1 { (heading) } }
        @match (&begun, counted) {
            (Some(begun), _) => {
                (shown::begun(begun, visit))
                (form(console, Some(begun), wrong, visit))
            }
            (None, _) if !is_empty => { div.alert { p { (first_upper(&MoveError::Taken.say(lang))) } } }
            (None, Some(count)) => (shown::count_of(count, &begin(count, visit), visit)),
            (None, None) => {
                p.lead { (visit.say(
                    "Traz tudo de outro servidor com a mesma API, a nuvem ou outro Pleito, com os mesmos ids, datas e documentos. Primeiro só se conta o que há lá; nada é salvo.",
                    "Brings everything of another server with the same API, the cloud or another Pleito, with the same ids, moments and documents. First it is only counted what is there; nothing is stored.",
                )) }
                (form(console, None, wrong, visit))
            }
        }
        p { a href={ (BASE) "/imports" } { (visit.say("Todas as importações", "All imports")) } }
    };
    Answer { status, ..page(visit, Place::Imports, heading, &main) }
}

/// The button that begins.
fn begin(counted: &MoveCount, visit: &Visit) -> Markup {
    html! {
        form method="post" action=(at()) {
            (csrf_field(visit))
            @if counted.compatibility == Compatibility::Live { (tick(visit)) }
            div.choices {
                button.main type="submit" name="do" value="move" { (visit.say("Mudar agora", "Move now")) }
                button type="submit" name="do" value="forget" { (visit.say("Cancelar", "Cancel")) }
            }
        }
    }
}

/// Asks for what is needed to count, or to go on.
fn form(console: &Console, begun: Option<&MoveReport>, wrong: &Wrong, visit: &Visit) -> Markup {
    let is_finished = begun.is_some_and(|begun| begun.finished_at.is_some());
    let (deed, label) = match begun {
        None => ("count", visit.say("Contar o que há lá", "Count what is there")),
        Some(_) if is_finished => ("go-on", visit.say("Trazer o que há de novo", "Bring what is new")),
        Some(_) => ("go-on", visit.say("Continuar de onde parou", "Go on from where it stopped")),
    };
    let is_sent = !visit.form.is_empty();
    let (source, authority) = match is_sent {
        true => (visit.field("source").to_owned(), visit.field("authority").trim().to_owned()),
        false => console.moving.told(),
    };
    // Whatever else was pasted there stands on no page again.
    let authority = Some(authority).filter(|pasted| is_certificate(pasted)).unwrap_or_default();
    html! {
        form.panel.narrow method="post" action=(at()) autocomplete="off" novalidate {
            (csrf_field(visit))
            @if is_finished {
                h2 { (visit.say("Trazer o que há de novo", "Bring what is new")) }
                p.quiet { (visit.say(
                    "O que já está aqui fica como o escritório deixou.",
                    "What is here already stays as the office has it.",
                )) }
            }
            div.fields {
                @if begun.is_none() {
                    div.field.wide {
                        label for="f-source" { (visit.say("Endereço do outro servidor", "Address of the other server")) }
                        input #f-source type="text" inputmode="url" name="source" value=(source)
                            placeholder=(visit.say("https://nuvem.exemplo.com.br/api/v1", "https://cloud.example.com/api/v1"))
                            spellcheck="false" aria-required="true" autofocus[wrong.is_empty()]
                            aria-invalid=[invalid("source", wrong)] aria-describedby=[described("source", wrong)];
                        (reasons("source", wrong))
                    }
                }
                div.field.wide {
                    label for="f-secret" { (visit.say("Token de lá", "Its token")) }
                    input #f-secret type="password" name=(SECRET) autocomplete="off" spellcheck="false" aria-required="true"
                        aria-invalid=[invalid(SECRET, wrong)] aria-describedby=(described(SECRET, wrong).unwrap_or_else(|| "h-secret".to_owned()));
                    (reasons(SECRET, wrong))
                    p.quiet.hint #h-secret { (visit.say(
                        "Na nuvem, está na página de integrações; em outro Pleito, na página API. Fica só na memória, até a mudança acabar.",
                        "In the cloud it is on the page for integrations; in another Pleito on the page API of the console. It is in memory only, until the move ends.",
                    )) }
                }
            }
            details open[wrong.contains_key("authority")] {
                summary { (visit.say("O outro servidor é um Pleito da rede, por HTTPS", "The other server is a Pleito of the network, by HTTPS")) }
                div.field {
                    label for="f-authority" { (visit.say("Certificado da autoridade de lá", "Certificate of its authority")) }
                    textarea #f-authority name="authority" rows="5" spellcheck="false" placeholder="-----BEGIN CERTIFICATE-----"
                        aria-invalid=[invalid("authority", wrong)] aria-describedby=(described("authority", wrong).unwrap_or_else(|| "h-authority".to_owned())) { "\n" (authority) }
                    (reasons("authority", wrong))
                    p.quiet.hint #h-authority { (visit.say(
                        "Cole o conteúdo do arquivo ca.pem da pasta de dados de lá, que também está em /ca.pem daquele endereço, depois de conferir a impressão digital no console de lá.",
                        "Paste the content of the file ca.pem of its data folder, which is also at /ca.pem of its address, once you have compared its fingerprint with what its console shows.",
                    )) }
                }
            }
            @if begun.is_some() && !is_finished { (tick(visit)) }
            div.choices { button.main type="submit" name="do" value=(deed) { (label) } }
        }
    }
}

fn invalid(name: &str, wrong: &Wrong) -> Option<&'static str> {
    wrong.contains_key(name).then_some("true")
}

fn described(name: &str, wrong: &Wrong) -> Option<String> {
    wrong.contains_key(name).then(|| format!("e-{name}"))
}

fn reasons(name: &str, wrong: &Wrong) -> Markup {
    html! {
        @if let Some(reasons) = wrong.get(name) { p.wrong id={ "e-" (name) } role="alert" { (reasons.join("; ")) } }
    }
}

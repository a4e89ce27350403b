//! The page that moves data from another server: counts first, then shows progress and the report.

mod render;

use crate::config::settings::Compatibility;
use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons};
use crate::console::layout::job_page;
use crate::console::prelude::*;
use crate::console::requests::form_resubmission::SECRET;
use crate::console::requests::response::attachment;
use crate::outgoing::is_certificate;
use crate::store::records::full_records::is_empty;
use crate::transfer::{Move, MoveCount, MoveError, MoveReport, Moved, SourceToken, TransferError};

/// Form field of the check box that makes the API answer as the source does.
const COMPATIBILITY: &str = "compatibility";

struct MoveView {
    begun: Option<MoveReport>,
    /// `true` if the office has no records yet.
    is_empty: bool,
}

pub(in crate::console) fn at() -> String {
    format!("{BASE}/imports/move")
}

pub(in crate::console) fn heading(visit: &Visit) -> &'static str {
    visit.pick("Trazer do sistema na nuvem", "Move from the cloud")
}

/// Renders the progress of a running move, or the next step.
pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let moving = &visit.console.moving;
    let Some(progress) = moving.job.under_way().await else {
        return render(&FieldErrors::new(), StatusCode::OK, visit).await;
    };
    let is_count = moving.is_counted(visit.now());
    let what = match (moving.job.is_stopped(), is_count) {
        (true, _) => visit.pick("Parando…", "Stopping…"),
        (_, true) => visit.pick("Contando o que há lá…", "Counting the records…"),
        (_, false) => visit.pick("Mudando…", "Moving…"),
    };
    let main = html! {
        header.title { h1 { (heading(visit)) } }
        (job_page::render(what, progress.as_ref(), true, visit))
        @if !moving.job.is_stopped() {
            form method="post" action=(at()) {
                (csrf_field(visit))
                @if !is_count {
                    p.lead { (visit.pick(
                        "Esta página pode ser fechada: a mudança continua no servidor, e o escritório já pode trabalhar. Se você a parar, o que veio fica, e depois ela continua de onde parou.",
                        "You can close this page: the move continues in the server, and the office can already work. If you stop it, the copied records are kept, and you can continue later.",
                    )) }
                }
                button type="submit" name="do" value="stop" { (visit.pick("Parar", "Stop")) }
            }
        }
    };
    Ok(page(visit, NavItem::Imports, heading(visit), &main))
}

/// Counts, starts, resumes, stops or cancels a move.
pub(in crate::console) async fn act(visit: &Visit) -> Result<Answer> {
    let moving = &visit.console.moving;
    let action = visit.field("do");
    match action {
        "stop" => moving.job.stop(),
        "forget" => moving.forget(),
        // Only one move runs at a time; the page shows it.
        _ if moving.job.is_running() || visit.app().is_moving() => {}
        "move" => {
            let Some(counted) = moving.take_counted(visit.now()) else {
                let why = visit.pick(
                    "O token já foi esquecido: digite-o outra vez.",
                    "The token is no longer in memory. Enter it again.",
                );
                let wrong = FieldErrors::from([(SECRET.to_owned(), vec![why.to_owned()])]);
                return render(&wrong, StatusCode::UNPROCESSABLE_ENTITY, visit).await;
            };
            let compatibility = compatibility(visit);
            moving.begin(
                &visit.console.api,
                visit.caller.clone(),
                Move { dry_run: false, compatibility, ..counted },
                &visit.id,
            );
        }
        "count" | "go-on" => {
            let seen = read(visit).await?;
            // Another person may have started a move or added a record since the page was rendered. Then the
            // page shows that first.
            let is_new = seen.begun.is_none();
            if (action == "count") == is_new && (seen.is_empty || !is_new) {
                match requested_move(seen.begun.as_ref(), visit) {
                    Ok(requested) => {
                        moving.begin(&visit.console.api, visit.caller.clone(), requested, &visit.id)
                    }
                    Err(wrong) => {
                        return render(&wrong, StatusCode::UNPROCESSABLE_ENTITY, visit).await;
                    }
                }
            }
        }
        _ => return Err(Problem::no_route()),
    }
    Ok(redirect(&at()))
}

/// Reads the form. A new move is counted first (a dry run), and an interrupted one goes on.
fn requested_move(begun: Option<&MoveReport>, visit: &Visit) -> Result<Move, FieldErrors> {
    let mut wrong = FieldErrors::new();
    let mut refuse = |name: &str, why: String| _ = wrong.insert(name.to_owned(), vec![why]);
    let source = match begun {
        Some(begun) => begun.source.clone(),
        None => Move::base(visit.field("source")).unwrap_or_else(|error| {
            refuse("source", error.message(visit.lang));
            String::new()
        }),
    };
    let token = SourceToken::new(visit.field(SECRET));
    if token.is_empty() {
        refuse(
            SECRET,
            visit
                .pick("Falta o token do outro servidor.", "The token of the other server is missing.")
                .to_owned(),
        );
    }
    let typed = visit.field("authority").trim();
    if !typed.is_empty() && !is_certificate(typed) {
        let error = MoveError::NotCertificate(visit.pick("Isto", "This").to_owned());
        refuse("authority", error.message(visit.lang));
    }
    let authority = Some(typed.to_owned()).filter(|typed| !typed.is_empty());
    let again = begun.is_some_and(|begun| begun.finished_at.is_some());
    let lang = visit.lang;
    let dry_run = begun.is_none();
    let insecure = false;
    let compatibility = compatibility(visit);
    let requested = Move { source, token, authority, dry_run, again, compatibility, insecure, lang };
    if wrong.is_empty() { Ok(requested) } else { Err(wrong) }
}

/// Returns the setting for `api.compatibility`: `None` keeps the source's suggestion, if the box is ticked;
/// otherwise the current setting stays.
fn compatibility(visit: &Visit) -> Option<Compatibility> {
    match visit.field(COMPATIBILITY).is_empty() {
        true => Some(visit.app().settings().api.compatibility),
        false => None,
    }
}

/// Renders the check box that makes the API answer as the source does.
fn tick(visit: &Visit) -> Markup {
    html! {
        div.field.wide {
            label {
                input type="checkbox" name=(COMPATIBILITY) value="1" checked;
                " " (visit.pick("Responder aos programas como a nuvem", "Answer programs as the cloud does"))
            }
            p.quiet.hint { "api.compatibility = \"live\": " (Move::why_live(visit.lang)) }
        }
    }
}

/// Sends the whole report as a text file.
pub(in crate::console) async fn report(visit: &Visit) -> Result<Answer> {
    let report = read(visit).await?.begun.ok_or_else(Problem::no_route)?;
    let name = visit.pick("mudanca.txt", "move.txt");
    Ok(attachment(report.text(visit.lang).into(), "text/plain; charset=utf-8", Some(name)))
}

async fn read(visit: &Visit) -> Result<MoveView> {
    let problem = |error| match error {
        TransferError::Store(cause) => Problem::from(cause),
        other => Problem::internal(other.detail()),
    };
    let lang = visit.lang;
    let read = visit.list(move |_, db| {
        db.snapshot(|db| {
            let begun = MoveReport::of_store(db, lang).map_err(problem)?;
            Ok(MoveView { begun, is_empty: is_empty(db)? })
        })
    });
    read.await
}

async fn render(wrong: &FieldErrors, status: StatusCode, visit: &Visit) -> Result<Answer> {
    let lang = visit.lang;
    let heading = heading(visit);
    let app = visit.app();
    if app.is_moving() {
        let what = first_upper(&MoveError::UnderWay.message(lang));
        let progress = app.move_progress();
        let main = html! {
            header.title { h1 { (heading) } }
            (job_page::render(&what, progress.as_ref(), true, visit))
        };
        return Ok(page(visit, NavItem::Imports, heading, &main));
    }
    let MoveView { begun, is_empty } = read(visit).await?;
    let standing = begun.as_ref().map(|begun| (begun.begun_at, begun.finished_at));
    let is_waiting = visit.console.moving.is_counted(visit.now());
    let ended = visit.console.moving.job.outcome().filter(|ended| ended.standing == standing);
    let result = ended.as_ref().map(|ended| &*ended.result);
    let why = result.and_then(|result| result.as_ref().err()).filter(|error| match error {
        // The page itself shows these errors.
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
            div.alert role="alert" { p { (first_upper(&why.message(lang))) } }
        }
        header.title { h1 { (heading) } }
        @match (&begun, counted) {
            (Some(begun), _) => {
                (render::begun(begun, visit))
                (form(Some(begun), wrong, visit))
            }
            (None, _) if !is_empty => { p.lead { (visit.pick(
                "A mudança traz os registros com os números que eles têm lá, por isso só entra em um escritório ainda vazio, e este já tem registros. Para trazer clientes e processos para cá, exporte-os de lá como planilha e importe-a.",
                "A move copies the records with their numbers, so the office must be empty, and this one has records. To copy customers and lawsuits, export them there as a spreadsheet and import it here.",
            )) } }
            (None, Some(count)) => (render::count_of(count, &begin(count, visit), visit)),
            (None, None) => {
                p.lead { (visit.pick(
                    "Traz tudo de outro servidor com a mesma API, a nuvem ou outro Pleito, com os mesmos ids, datas e documentos. Primeiro só se conta o que há lá; nada é salvo.",
                    "Copies everything from another server with the same API, the cloud or another Pleito, with the same ids, times and documents. First, Pleito only counts the records there and stores nothing.",
                )) }
                (form(None, wrong, visit))
            }
        }
        p { a href={ (BASE) "/imports" } { (visit.pick("Todas as importações", "All imports")) } }
    };
    Ok(Answer { status, ..page(visit, NavItem::Imports, heading, &main) })
}

/// Renders the button that starts the counted move.
fn begin(counted: &MoveCount, visit: &Visit) -> Markup {
    html! {
        form method="post" action=(at()) {
            (csrf_field(visit))
            @if counted.compatibility == Compatibility::Live { (tick(visit)) }
            div.choices {
                button.main type="submit" name="do" value="move" { (visit.pick("Mudar agora", "Move now")) }
                button type="submit" name="do" value="forget" { (visit.pick("Cancelar", "Cancel")) }
            }
        }
    }
}

/// Renders the form for counting, or for resuming a move.
fn form(begun: Option<&MoveReport>, wrong: &FieldErrors, visit: &Visit) -> Markup {
    let is_finished = begun.is_some_and(|begun| begun.finished_at.is_some());
    let (action, label) = match begun {
        None => ("count", visit.pick("Contar o que há lá", "Count the records")),
        Some(_) if is_finished => ("go-on", visit.pick("Trazer o que há de novo", "Copy new records")),
        Some(_) => ("go-on", visit.pick("Continuar de onde parou", "Continue where it stopped")),
    };
    let is_sent = !visit.form.is_empty();
    let (source, authority) = match is_sent {
        true => (visit.field("source").to_owned(), visit.field("authority").trim().to_owned()),
        false => visit.console.moving.source_entered(),
    };
    // Other pasted text, which may be a secret, is not shown again.
    let authority = Some(authority).filter(|pasted| is_certificate(pasted)).unwrap_or_default();
    html! {
        form.panel.narrow method="post" action=(at()) autocomplete="off" novalidate {
            (csrf_field(visit))
            @if is_finished {
                h2 { (visit.pick("Trazer o que há de novo", "Copy new records")) }
                p.quiet { (visit.pick(
                    "O que já está aqui fica como o escritório deixou.",
                    "Records that are already here are not changed.",
                )) }
            }
            div.fields {
                @if begun.is_none() {
                    div.field.wide {
                        label for="f-source" { (visit.pick("Endereço do outro servidor", "Address of the other server")) }
                        input #f-source type="text" inputmode="url" name="source" value=(source)
                            placeholder=(visit.pick("https://nuvem.exemplo.com.br/api/v1", "https://cloud.example.com/api/v1"))
                            spellcheck="false" aria-required="true" data-focus[wrong.is_empty()]
                            aria-invalid=[invalid("source", wrong)] aria-describedby=[described("source", wrong)];
                        (reasons("source", wrong))
                    }
                }
                div.field.wide {
                    label for="f-secret" { (visit.pick("Token de lá", "Its token")) }
                    input #f-secret type="password" name=(SECRET) autocomplete="off" spellcheck="false" aria-required="true"
                        aria-invalid=[invalid(SECRET, wrong)] aria-describedby=(described(SECRET, wrong).unwrap_or_else(|| "h-secret".to_owned()));
                    (reasons(SECRET, wrong))
                    p.quiet.hint #h-secret { (visit.pick(
                        "Na nuvem, está na página de integrações; em outro Pleito, na página API. Fica só na memória, até a mudança acabar.",
                        "In the cloud it is on the page for integrations; in another Pleito on the page API of the console. It is in memory only, until the move ends.",
                    )) }
                }
            }
            details open[wrong.contains_key("authority")] {
                summary { (visit.pick("O outro servidor é um Pleito da rede, por HTTPS", "The other server is a Pleito on the network, over HTTPS")) }
                div.field {
                    label for="f-authority" { (visit.pick("Certificado da autoridade de lá", "Certificate of its authority")) }
                    textarea #f-authority name="authority" rows="5" spellcheck="false" placeholder="-----BEGIN CERTIFICATE-----"
                        aria-invalid=[invalid("authority", wrong)] aria-describedby=(described("authority", wrong).unwrap_or_else(|| "h-authority".to_owned())) { "\n" (authority) }
                    (reasons("authority", wrong))
                    p.quiet.hint #h-authority { (visit.pick(
                        "Cole o conteúdo do arquivo ca.pem da pasta de dados de lá, que também está em /ca.pem daquele endereço, depois de conferir a impressão digital no console de lá.",
                        "Paste the content of the file ca.pem of its data folder, which is also at /ca.pem of its address, once you have compared its fingerprint with what its console shows.",
                    )) }
                }
            }
            @if begun.is_some() && !is_finished { (tick(visit)) }
            div.choices { button.main type="submit" name="do" value=(action) { (label) } }
        }
    }
}

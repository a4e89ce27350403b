//! Webhooks: those that there are, and each with what it was told.

mod deliveries;
mod form;
mod resume;

use std::sync::Arc;

use http::{Method, StatusCode};
use maud::{Markup, html};

use super::enter;
use super::numbers::{count, moment};
use super::page::{Place, ToldAbove, copyable, csrf_field, page, redirect, told_above};
use super::paths::{BASE, webhook_page};
use super::sent::key_field;
use super::state::Console;
use super::visit::Visit;
use super::wrong::{Wrong, wrong};
use crate::api::webhooks::{self, Nothing, ReplayAsked, host, label, said, status_of};
use crate::domain::Invalid;
use crate::domain::id::Id;
use crate::http::input::{Edit, New, PathId, PathText, Perhaps};
use crate::http::{Answer, Call, Problem, Request, Write};
use crate::store::Db;
use crate::store::webhooks::{Attempt, Webhook, former_place};
use deliveries::DeliveriesShown;
pub(super) use resume::{resume, waiting};

/// The webhooks in a few lines.
pub(super) async fn listed(console: &Arc<Console>, visit: &Visit) -> Markup {
    let here = console.api.app().place().clone();
    let read = move |db: Db<'_>| Ok((webhooks::all(db)?, former_place(db, &here)?.is_some()));
    let Ok((all, are_waiting)) = console.api.read_inside(&visit.id, read).await else { return html! {} };
    html! {
        @if all.is_empty() {
            p.quiet { (visit.say(
                "Avisam programas do escritório, como o n8n, logo que algo muda.",
                "They tell programs of the office, such as n8n, as soon as something changes.",
            )) }
        } @else {
            ul.people { @for (webhook, failed) in &all {
                li {
                    a.name href=(webhook_page(webhook.id)) { (name(webhook)) }
                    (state(webhook, are_waiting, visit))
                    @if *failed > 0 { span.stage.late { (given_up(*failed, visit)) } }
                }
            } }
        }
        p { a.button href={ (BASE) "/webhooks/new" } { (visit.say("Novo webhook", "New webhook")) } }
    }
}

/// What it is called: what it is for, or where it goes.
fn name(webhook: &Webhook) -> String {
    webhook.settings.description.clone().unwrap_or_else(|| host(webhook))
}

fn given_up(failed: u64, visit: &Visit) -> String {
    let noun = match failed {
        1 => visit.say("mensagem não entregue", "message not delivered"),
        _ => visit.say("mensagens não entregues", "messages not delivered"),
    };
    format!("{} {noun}", count(failed, visit.lang))
}

/// Returns the state of a webhook in a word. `are_waiting` is `true` if webhooks wait because the data is a copy.
fn state(webhook: &Webhook, are_waiting: bool, visit: &Visit) -> Markup {
    let is_active = webhook.settings.is_active;
    html! {
        @match status_of(webhook) {
            "stopped" => span.stage.late { (visit.say("parado pelo destino (410)", "stopped by its receiver (410)")) },
            _ if !is_active => span.stage { (visit.say("desligado", "off")) },
            _ if are_waiting => span.stage.due { (visit.say("esperando", "waiting")) },
            "failing" => span.stage.due { (visit.say("falhando", "failing")) },
            _ => span.stage.over { (visit.say("em ordem", "all right")) },
        }
    }
}

/// The form for a new one.
pub(super) fn ask_new(visit: &Visit) -> Answer {
    draw_new(&Wrong::new(), StatusCode::OK, visit)
}

fn draw_new(wrong: &Wrong, status: StatusCode, visit: &Visit) -> Answer {
    let title = visit.say("Novo webhook", "New webhook");
    let main = html! {
        header.title { h1 { (title) } }
        form.record method="post" action={ (BASE) "/webhooks/new" } autocomplete="off" data-guard {
            (csrf_field(visit))
            (key_field(visit))
            (form::fields(None, wrong, visit))
            div.actions {
                button.main type="submit" { (visit.say("Criar", "Create")) }
                a.button href={ (BASE) "/api" } { (visit.say("Cancelar", "Cancel")) }
            }
        }
    };
    Answer { status, ..page(visit, Place::Api, title, &main) }
}

/// Makes one, and shows its secret.
pub(super) async fn create(console: &Arc<Console>, visit: &Visit) -> Answer {
    let (body, wrong) = form::read(visit);
    let request = Request::internal(&visit.id, Method::POST, "/webhooks");
    let handler = move |call: &Call<'_>| {
        let made = webhooks::create(call, New { body, wrong })?;
        Ok(made.map(|made| (made.webhook_id, made.secret)))
    };
    match console.api.write_inside(request, handler).await {
        Ok((id, secret)) => {
            console.show_secret_once(id, secret);
            redirect(&webhook_page(id))
        }
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            draw_new(&self::wrong(problem.wrong(), visit), problem.status(), visit)
        }
        Err(problem) => enter::failed(visit, &problem),
    }
}

/// One of them, with its messages.
pub(super) async fn show(console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
    let told = match visit.asked("done") {
        "saved" => Some(visit.say("Salvo.", "Saved.").to_owned()),
        "retry" => {
            Some(visit.say("A mensagem será enviada de novo.", "The message will be sent again.").to_owned())
        }
        "dismiss" => Some(visit.say("A mensagem foi descartada.", "The message was dismissed.").to_owned()),
        "replay" => Some(format!(
            "{}: {}",
            visit.say("Mensagens a enviar de novo", "Messages to be sent again"),
            visit.asked("messages")
        )),
        _ => None,
    };
    draw(console, id, told.map(Ok), &Wrong::new(), StatusCode::OK, visit).await
}

/// What a button says.
pub(super) async fn act(console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
    let Some(id) = id.parse::<u64>().ok().and_then(Id::<Webhook>::new) else {
        return enter::not_found(visit);
    };
    let (path, here) = (format!("/webhooks/{id}"), webhook_page(id.get()));
    let message = || PathText::new(visit.field("message"));
    let nothing = || Perhaps { body: Nothing, wrong: Invalid::new() };
    let done = match visit.field("do") {
        "save" => {
            let (body, wrong) = form::read(visit);
            let write = move |call: &Call<'_>| {
                Ok(webhooks::change(call, PathId(id), Edit { body, wrong })?.map(|_| "saved".to_owned()))
            };
            write_inside(console, Method::PUT, path, visit, write).await
        }
        "secret" => {
            let write = move |call: &Call<'_>| {
                Ok(webhooks::renew(call, PathId(id), nothing())?.map(|made| made.secret))
            };
            match write_inside(console, Method::POST, path + "/secret", visit, write).await {
                Ok(secret) => {
                    console.show_secret_once(id.get(), secret);
                    return redirect(&here);
                }
                failed => failed,
            }
        }
        "test" => return test(console, id.get(), visit).await,
        "delete" => {
            let write = move |call: &Call<'_>| Ok(webhooks::delete(call, PathId(id))?.map(|_| String::new()));
            match write_inside(console, Method::DELETE, path, visit, write).await {
                Ok(_) => return redirect(&format!("{BASE}/api")),
                failed => failed,
            }
        }
        "retry" => {
            let (path, message) = (format!("{path}/deliveries/x/retry"), message());
            let write = move |call: &Call<'_>| {
                Ok(webhooks::retry(call, PathId(id), message, nothing())?.map(|_| "retry".to_owned()))
            };
            write_inside(console, Method::POST, path, visit, write).await
        }
        "dismiss" => {
            let (path, message) = (format!("{path}/deliveries/x/dismiss"), message());
            let write = move |call: &Call<'_>| {
                Ok(webhooks::dismiss(call, PathId(id), message, nothing())?.map(|_| "dismiss".to_owned()))
            };
            write_inside(console, Method::POST, path, visit, write).await
        }
        "replay" => {
            let Some((body, path)) = replayed(visit).map(|body| (body, path + "/replay")) else {
                return enter::not_found(visit);
            };
            let write = move |call: &Call<'_>| {
                let replay = webhooks::replay(call, PathId(id), New { body, wrong: Invalid::new() })?;
                Ok(replay.map(|replayed| format!("replay&messages={}", replayed.messages)))
            };
            write_inside(console, Method::POST, path, visit, write).await
        }
        _ => return enter::not_found(visit),
    };
    match done {
        Ok(done) => redirect(&format!("{here}?done={done}")),
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let wrong = wrong(problem.wrong(), visit);
            draw(console, &id.to_string(), None, &wrong, problem.status(), visit).await
        }
        Err(problem) => enter::failed(visit, &problem),
    }
}

/// What is to be sent again: the dead letters, or what was changed after a number.
fn replayed(visit: &Visit) -> Option<ReplayAsked> {
    match visit.field("failed") {
        "yes" => Some(ReplayAsked::after(0, true)),
        _ => visit.field("since").trim().parse().ok().map(|since| ReplayAsked::after(since, false)),
    }
}

async fn write_inside(
    console: &Arc<Console>,
    method: Method,
    path: String,
    visit: &Visit,
    handler: impl FnOnce(&Call<'_>) -> Result<Write<String>, Problem> + Send + 'static,
) -> Result<String, Problem> {
    console.api.write_inside(Request::internal(&visit.id, method, path), handler).await
}

/// Sends a test message, and shows what came back.
async fn test(console: &Arc<Console>, id: u32, visit: &Visit) -> Answer {
    let webhook = match console.api.read_inside(&visit.id, move |db| webhooks::present(db, id)).await {
        Ok(webhook) => webhook,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let tried = console.apart(move |console| webhooks::tried(console.api.app(), &webhook).ok()).await;
    let told = tried.map(|tried| {
        let text = outcome(&tried.attempt, visit);
        if tried.is_success() { Ok(text) } else { Err(text) }
    });
    draw(console, &id.to_string(), told, &Wrong::new(), StatusCode::OK, visit).await
}

/// What came of an attempt, in a sentence.
fn outcome(attempt: &Attempt, visit: &Visit) -> String {
    let how = attempt.status.map(|status| status.to_string()).or_else(|| attempt.failure.clone());
    let answer = attempt.answer.as_deref().map(|answer| format!(": {answer}")).unwrap_or_default();
    let ms = attempt.ms;
    format!(
        "{}: {} ({ms} ms){answer}",
        visit.say("Mensagem de teste", "Test message"),
        said(&how.unwrap_or_default(), visit.lang)
    )
}

async fn draw(
    console: &Arc<Console>,
    id: &str,
    told: ToldAbove,
    wrong: &Wrong,
    status: StatusCode,
    visit: &Visit,
) -> Answer {
    let Ok(id) = id.parse::<u32>() else { return enter::not_found(visit) };
    let asked = DeliveriesShown::of(visit);
    let here = console.api.app().place().clone();
    let read = console.api.read_inside(&visit.id, move |db| {
        let webhook = webhooks::present(db, id)?;
        Ok((webhook, former_place(db, &here)?.is_some(), asked.read(db, id)?))
    });
    let (webhook, are_waiting, found) = match read.await {
        Ok(read) => read,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let title = name(&webhook);
    let main = html! {
        (told_above(&told))
        header.title {
            h1 { (title) }
            (button("test", visit.say("Enviar um teste", "Send a test"), id, "main", visit))
        }
        @if let Some(secret) = console.fresh_secret(id) { (shown_once(&secret, visit)) }
        div.columns {
            section.panel { h2 { (visit.say("Como está", "How it stands")) } (standing(&webhook, are_waiting, visit)) }
            section.panel {
                h2 { (visit.say("O que fazer", "What to do")) }
                (secret_step(id, visit))
                (replay_step(&webhook, visit))
                (delete_step(id, visit))
            }
        }
        details.step open[!wrong.is_empty()] {
            summary { (visit.say("Mudar", "Change")) }
            form.record method="post" action=(webhook_page(id)) autocomplete="off" data-guard[!wrong.is_empty()] {
                (csrf_field(visit))
                (form::fields(Some(&webhook), wrong, visit))
                div.actions { button.main type="submit" name="do" value="save" { (visit.say("Salvar", "Save")) } }
            }
        }
        (deliveries::shown(&webhook, &asked, &found, visit))
        p { a href={ (BASE) "/api" } { (visit.say("Voltar à página da API", "Back to the page of the API")) } }
    };
    Answer { status, ..page(visit, Place::Api, &title, &main) }
}

/// A form of one button.
fn button(action: &str, label: &str, id: u32, class: &str, visit: &Visit) -> Markup {
    html! {
        form.tools method="post" action=(webhook_page(id)) {
            (csrf_field(visit))
            button class=(class) type="submit" name="do" value=(action) { (label) }
        }
    }
}

fn shown_once(secret: &str, visit: &Visit) -> Markup {
    html! {
        div.panel.once {
            p { strong { (visit.say("Copie agora: ele não será mostrado de novo.", "Copy it now: it will not be shown again.")) } " "
                (visit.say(
                    "Com este segredo o destino confere que as mensagens são deste servidor.",
                    "With this secret the receiver makes sure that messages are this server's.",
                )) }
            p.token { (copyable(visit, secret)) }
        }
    }
}

fn standing(webhook: &Webhook, are_waiting: bool, visit: &Visit) -> Markup {
    let types = webhook.settings.types.iter().map(|ty| label(ty, visit.lang)).collect::<Vec<_>>();
    let at = |seconds: i64| moment(seconds, &visit.zone, visit.lang);
    html! {
        dl.facts {
            dt { (visit.say("Estado", "State")) } dd { (state(webhook, are_waiting, visit)) }
            dt { (visit.say("Endereço", "Address")) } dd { (copyable(visit, &webhook.settings.url)) }
            dt { (visit.say("Avisa de", "Tells of")) } dd { (types.join(" · ")) }
            dt { (visit.say("Conteúdo", "Content")) }
            dd { @if webhook.settings.is_full { (visit.say("com o registro inteiro", "with the whole record")) }
                 @else { (visit.say("só o que mudou, sem dados pessoais", "only what changed, no personal data")) } }
            dt { (visit.say("Última entrega", "Last delivery")) }
            dd { @match webhook.last_success_at { Some(last) => (at(last)), None => (visit.say("nenhuma", "none")) } }
            @if let Some((last, how)) = &webhook.last_failure {
                dt { (visit.say("Última falha", "Last failure")) } dd { (at(*last)) ": " (said(how, visit.lang)) }
            }
            dt { (visit.say("Última mudança vista", "Last change looked at")) } dd { (webhook.cursor) }
        }
    }
}

fn secret_step(id: u32, visit: &Visit) -> Markup {
    let summary = visit.say("Gerar novo segredo", "Make a new secret");
    let about = visit.say(
        "O atual continua valendo por 24 horas, para trocar no destino com calma.",
        "The current one goes on for 24 hours, so that there is time to change it at the receiver.",
    );
    step(summary, about, &button("secret", visit.say("Gerar", "Make"), id, "main", visit))
}

/// What is told before it is done, folded.
fn step(summary: &str, about: &str, act: &Markup) -> Markup {
    html! { details.step { summary { (summary) } p { (about) } (act) } }
}

fn replay_step(webhook: &Webhook, visit: &Visit) -> Markup {
    let about = visit.say(
        "O destino reconhece o que já recebeu: cada mensagem vai com o mesmo número.",
        "The receiver can tell what it has had: each message goes under the same id.",
    );
    let act = html! {
        form method="post" action=(webhook_page(webhook.id)) {
            (csrf_field(visit))
            input type="hidden" name="do" value="replay";
            div.field {
                label for="since" { (visit.say("Tudo depois da mudança número", "Everything after change number")) }
                input type="text" inputmode="numeric" pattern="[0-9]+" id="since" name="since" value=(webhook.cursor.saturating_sub(100));
            }
            p.choices {
                button type="submit" { (visit.say("Enviar de novo", "Send again")) }
                button type="submit" name="failed" value="yes" formnovalidate { (visit.say("Só as não entregues", "Only what was not delivered")) }
            }
        }
    };
    step(visit.say("Enviar de novo", "Send again"), about, &act)
}

fn delete_step(id: u32, visit: &Visit) -> Markup {
    let about = visit.say(
        "Some com tudo o que ainda há para entregar, e não vai para a lixeira.",
        "It goes with all that is still to be delivered, and not into the trash.",
    );
    let act = button("delete", visit.say("Excluir de vez", "Delete for good"), id, "danger", visit);
    step(visit.say("Excluir", "Delete"), about, &act)
}

//! The webhook pages: the list, and each webhook with its messages.

mod deliveries;
mod form;
mod resume;

use crate::api::webhooks::{self, Nothing, ReplayBody, failure_text, host, label, status_of};
use crate::console::layout::field_errors::{FieldErrors, wrong};
use crate::console::layout::page::{FlashMessage, copyable, flash_message, key_field};
use crate::console::prelude::*;
use crate::console::requests::paths::webhook_page;
use crate::domain::Invalid;
use crate::domain::id::Id;
use crate::http::json::request_body::{Edit, New, OptionalBody};
use crate::http::{Call, PathText, Write};
use crate::store::webhooks::{Attempt, Webhook, former_place};
use deliveries::DeliveriesShown;
pub(in crate::console) use resume::{resume, waiting};

pub(in crate::console) async fn listed(visit: &Visit) -> Markup {
    let here = visit.app().data_folder_id().clone();
    let read = move |db: Db<'_>| Ok((webhooks::all(db)?, former_place(db, &here)?.is_some()));
    let Ok((all, are_waiting)) = visit.read(read).await else { return html! {} };
    html! {
        @if all.is_empty() {
            p.quiet { (visit.pick(
                "Avisam programas do escritório, como o n8n, logo que algo muda.",
                "They notify the office's programs, such as n8n, as soon as something changes.",
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
        p { a.button href={ (BASE) "/webhooks/new" } { (visit.pick("Novo webhook", "New webhook")) } }
    }
}

/// Returns the webhook's description, or its host.
fn name(webhook: &Webhook) -> String {
    webhook.settings.description.clone().unwrap_or_else(|| host(webhook))
}

fn given_up(failed: u64, visit: &Visit) -> String {
    let noun = match failed {
        1 => visit.pick("mensagem não entregue", "message not delivered"),
        _ => visit.pick("mensagens não entregues", "messages not delivered"),
    };
    format!("{} {noun}", count(failed, visit.lang))
}

/// Renders the state of a webhook. `are_waiting` is `true` if webhooks wait because the data is a copy.
fn state(webhook: &Webhook, are_waiting: bool, visit: &Visit) -> Markup {
    let is_active = webhook.settings.is_active;
    html! {
        @match status_of(webhook) {
            "stopped" => span.stage.late { (visit.pick("parado pelo destino (410)", "stopped by its receiver (410)")) },
            _ if !is_active => span.stage { (visit.pick("desligado", "off")) },
            _ if are_waiting => span.stage.due { (visit.pick("esperando", "waiting")) },
            "failing" => span.stage.due { (visit.pick("falhando", "failing")) },
            _ => span.stage.over { (visit.pick("em ordem", "working")) },
        }
    }
}

/// Renders the form for a new webhook.
pub(in crate::console) fn ask_new(visit: &Visit) -> Answer {
    render_new(&FieldErrors::new(), StatusCode::OK, visit)
}

fn render_new(wrong: &FieldErrors, status: StatusCode, visit: &Visit) -> Answer {
    let title = visit.pick("Novo webhook", "New webhook");
    let main = html! {
        header.title { h1 { (title) } }
        form.record method="post" action={ (BASE) "/webhooks/new" } autocomplete="off" data-guard {
            (csrf_field(visit))
            (key_field(visit))
            (form::fields(None, wrong, visit))
            div.actions {
                button.main type="submit" { (visit.pick("Criar", "Create")) }
                a.button href={ (BASE) "/api" } { (visit.pick("Cancelar", "Cancel")) }
            }
        }
    };
    Answer { status, ..page(visit, NavItem::Api, title, &main) }
}

/// Creates a webhook and shows its secret.
pub(in crate::console) async fn create(visit: &Visit) -> Result<Answer> {
    let (body, wrong) = form::read(visit);
    let handler = move |call: &Call<'_>| {
        let made = webhooks::create(call, New { body, wrong })?;
        Ok(made.map(|made| (made.webhook_id, made.secret)))
    };
    match visit.console.api.write_internally(&visit.id, &visit.caller, None, handler).await {
        Ok((id, secret)) => {
            visit.console.show_secret_once(id, secret);
            Ok(redirect(&webhook_page(id)))
        }
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            Ok(render_new(&self::wrong(problem.wrong(), visit), problem.status(), visit))
        }
        Err(problem) => Err(problem),
    }
}

pub(in crate::console) async fn show(id: &str, visit: &Visit) -> Result<Answer> {
    let message = match visit.parameter("done") {
        "saved" => Some(visit.pick("Salvo.", "Saved.").to_owned()),
        "retry" => {
            Some(visit.pick("A mensagem será enviada de novo.", "The message will be sent again.").to_owned())
        }
        "dismiss" => Some(visit.pick("A mensagem foi descartada.", "The message was dismissed.").to_owned()),
        "replay" => Some(format!(
            "{}: {}",
            visit.pick("Mensagens a enviar de novo", "Messages to be sent again"),
            visit.parameter("messages")
        )),
        _ => None,
    };
    let id = id.parse().map_err(|_| Problem::no_route())?;
    render(id, message.map(Ok), &FieldErrors::new(), StatusCode::OK, visit).await
}

/// A write whose result is the `done` of the page that follows, or a new secret.
type WebhookWrite = Box<dyn FnOnce(&Call<'_>) -> Result<Write<String>> + Send>;

/// Runs the action of a button.
pub(in crate::console) async fn act(id: &str, visit: &Visit) -> Result<Answer> {
    let id = id.parse::<u64>().ok().and_then(Id::<Webhook>::new).ok_or_else(Problem::no_route)?;
    let here = webhook_page(id.get());
    let message = PathText::new(visit.field("message"));
    let nothing = OptionalBody { body: Nothing {}, wrong: Invalid::new() };
    let action = visit.field("do");
    let write: WebhookWrite = match action {
        "save" => {
            let (body, wrong) = form::read(visit);
            Box::new(move |call| {
                Ok(webhooks::change(call, id, Edit { body, wrong })?.map(|_| "saved".to_owned()))
            })
        }
        "secret" => Box::new(move |call| Ok(webhooks::renew(call, id, nothing)?.map(|made| made.secret))),
        "test" => return test(id.get(), visit).await,
        "delete" => Box::new(move |call| Ok(webhooks::delete(call, id)?.map(|_| String::new()))),
        "retry" => {
            Box::new(move |call| Ok(webhooks::retry(call, id, message, nothing)?.map(|_| "retry".to_owned())))
        }
        "dismiss" => Box::new(move |call| {
            Ok(webhooks::dismiss(call, id, message, nothing)?.map(|_| "dismiss".to_owned()))
        }),
        "replay" => {
            let body = replayed(visit).ok_or_else(Problem::no_route)?;
            Box::new(move |call| {
                let replay = webhooks::replay(call, id, New { body, wrong: Invalid::new() })?;
                Ok(replay.map(|replayed| format!("replay&messages={}", replayed.messages)))
            })
        }
        _ => return Err(Problem::no_route()),
    };
    match visit.console.api.write_internally(&visit.id, &visit.caller, None, write).await {
        Ok(secret) if action == "secret" => {
            visit.console.show_secret_once(id.get(), secret);
            Ok(redirect(&here))
        }
        Ok(_) if action == "delete" => Ok(redirect(&format!("{BASE}/api"))),
        Ok(done) => Ok(redirect(&format!("{here}?done={done}"))),
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let wrong = wrong(problem.wrong(), visit);
            render(id.get(), None, &wrong, problem.status(), visit).await
        }
        Err(problem) => Err(problem),
    }
}

/// Returns the messages to send again: the failed ones, or the changes after a number.
fn replayed(visit: &Visit) -> Option<ReplayBody> {
    match visit.field("failed") {
        "yes" => Some(ReplayBody::after(0, true)),
        _ => visit.field("since").trim().parse().ok().map(|since| ReplayBody::after(since, false)),
    }
}

/// Sends a test message and shows the response.
async fn test(id: u32, visit: &Visit) -> Result<Answer> {
    let webhook = visit.read(move |db| webhooks::present(db, id)).await?;
    let tried = visit.run_blocking(move |console| webhooks::tried(console.api.app(), &webhook).ok()).await?;
    let message = tried.map(|tried| {
        let text = outcome(&tried.attempt, visit);
        if tried.is_success { Ok(text) } else { Err(text) }
    });
    render(id, message, &FieldErrors::new(), StatusCode::OK, visit).await
}

fn outcome(attempt: &Attempt, visit: &Visit) -> String {
    let answer = attempt.answer.as_deref().map(|answer| format!(": {answer}")).unwrap_or_default();
    let ms = attempt.ms;
    format!(
        "{}: {} ({ms} ms){answer}",
        visit.pick("Mensagem de teste", "Test message"),
        failure_text(&attempt.result(), visit.lang)
    )
}

async fn render(
    id: u32,
    message: FlashMessage,
    wrong: &FieldErrors,
    status: StatusCode,
    visit: &Visit,
) -> Result<Answer> {
    let deliveries_page = DeliveriesShown::of(visit);
    let here = visit.app().data_folder_id().clone();
    let read = visit.read(move |db| {
        let webhook = webhooks::present(db, id)?;
        Ok((webhook, former_place(db, &here)?.is_some(), deliveries_page.read(db, id)?))
    });
    let (webhook, are_waiting, found) = read.await?;
    let title = name(&webhook);
    let main = html! {
        (flash_message(&message))
        header.title {
            h1 { (title) }
            (button("test", visit.pick("Enviar um teste", "Send a test"), id, "main", visit))
        }
        @if let Some(secret) = visit.console.fresh_secret(id) { (shown_once(&secret, visit)) }
        div.columns {
            section.panel { h2 { (visit.pick("Como está", "Status")) } (standing(&webhook, are_waiting, visit)) }
            section.panel {
                h2 { (visit.pick("O que fazer", "What to do")) }
                (secret_step(id, visit))
                (replay_step(&webhook, visit))
                (delete_step(id, visit))
            }
        }
        details.step open[!wrong.is_empty()] {
            summary { (visit.pick("Mudar", "Change")) }
            form.record method="post" action=(webhook_page(id)) autocomplete="off" data-guard[!wrong.is_empty()] {
                (csrf_field(visit))
                (form::fields(Some(&webhook), wrong, visit))
                div.actions { button.main type="submit" name="do" value="save" { (visit.pick("Salvar", "Save")) } }
            }
        }
        (deliveries::shown(&webhook, &deliveries_page, &found, visit))
        p { a href={ (BASE) "/api" } { (visit.pick("Voltar à página da API", "Back to the API page")) } }
    };
    Ok(Answer { status, ..page(visit, NavItem::Api, &title, &main) })
}

/// Renders a form with a single button.
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
            p { strong { (visit.pick("Copie agora: ele não será mostrado de novo.", "Copy it now: it will not be shown again.")) } " "
                (visit.pick(
                    "Com este segredo o destino confere que as mensagens são deste servidor.",
                    "The receiver uses this secret to verify that messages come from this server.",
                )) }
            p.token { (copyable(visit, secret)) }
        }
    }
}

fn standing(webhook: &Webhook, are_waiting: bool, visit: &Visit) -> Markup {
    let types = webhook.settings.types.iter().map(|ty| label(ty, visit.lang)).collect::<Vec<_>>();
    let at = |seconds: i64| moment(seconds, visit.zone(), visit.lang);
    html! {
        dl.facts {
            dt { (visit.pick("Estado", "State")) } dd { (state(webhook, are_waiting, visit)) }
            dt { (visit.pick("Endereço", "Address")) } dd { (copyable(visit, &webhook.settings.url)) }
            dt { (visit.pick("Avisa de", "Events")) } dd { (types.join(" · ")) }
            dt { (visit.pick("Conteúdo", "Content")) }
            dd { @if webhook.settings.is_full { (visit.pick("com o registro inteiro", "with the whole record")) }
                 @else { (visit.pick("só o que mudou, sem dados pessoais", "only what changed, no personal data")) } }
            dt { (visit.pick("Última entrega", "Last delivery")) }
            dd { @match webhook.last_success_at { Some(last) => (at(last)), None => (visit.pick("nenhuma", "none")) } }
            @if let Some((last, how)) = &webhook.last_failure {
                dt { (visit.pick("Última falha", "Last failure")) } dd { (at(*last)) ": " (failure_text(how, visit.lang)) }
            }
            dt { (visit.pick("Última mudança vista", "Last change checked")) } dd { (webhook.cursor) }
        }
    }
}

fn secret_step(id: u32, visit: &Visit) -> Markup {
    let summary = visit.pick("Gerar novo segredo", "Generate a new secret");
    let about = visit.pick(
        "O atual continua valendo por 24 horas, para trocar no destino com calma.",
        "The current one stays valid for 24 hours, so that you can change it at the receiver.",
    );
    step(summary, about, &button("secret", visit.pick("Gerar", "Generate"), id, "main", visit))
}

/// Renders a collapsed section with an explanation and its action.
fn step(summary: &str, about: &str, act: &Markup) -> Markup {
    html! { details.step { summary { (summary) } p { (about) } (act) } }
}

fn replay_step(webhook: &Webhook, visit: &Visit) -> Markup {
    let about = visit.pick(
        "O destino reconhece o que já recebeu: cada mensagem vai com o mesmo número.",
        "The receiver can recognise repeated messages: each keeps its id.",
    );
    let act = html! {
        form method="post" action=(webhook_page(webhook.id)) {
            (csrf_field(visit))
            input type="hidden" name="do" value="replay";
            div.field {
                label for="since" { (visit.pick("Tudo depois da mudança número", "Everything after change number")) }
                input type="text" inputmode="numeric" pattern="[0-9]+" id="since" name="since" value=(webhook.cursor.saturating_sub(100));
            }
            p.choices {
                button type="submit" { (visit.pick("Enviar de novo", "Send again")) }
                button type="submit" name="failed" value="yes" formnovalidate { (visit.pick("Só as não entregues", "Only undelivered messages")) }
            }
        }
    };
    step(visit.pick("Enviar de novo", "Send again"), about, &act)
}

fn delete_step(id: u32, visit: &Visit) -> Markup {
    let about = visit.pick(
        "Some com tudo o que ainda há para entregar, e não vai para a lixeira.",
        "It is deleted with all pending messages, and not moved to the trash.",
    );
    let act = button("delete", visit.pick("Excluir de vez", "Delete for good"), id, "danger", visit);
    step(visit.pick("Excluir", "Delete"), about, &act)
}

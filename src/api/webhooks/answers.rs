//! Responses of the webhook routes (events 21.1).

use jiff::tz::TimeZone;

use crate::config::settings::Compatibility;
use crate::domain::{Lang, WebhookSecret};
use crate::http::json::answer_members::answer;
use crate::http::json::values::moment;
use crate::http::{Echo, Made, Versioned};
use crate::outgoing::OutgoingError;
use crate::store::webhooks::{Attempt, Delivery, DeliveryStatus, Webhook, WebhookSettings};

/// Returns the status of a webhook: `stopped`, `failing` or `ok`.
pub fn status_of(webhook: &Webhook) -> &'static str {
    match (webhook.is_gone, webhook.failing_since) {
        (true, _) => "stopped",
        (false, Some(_)) => "failing",
        (false, None) => "ok",
    }
}

answer! {
pub struct WebhookOut as "Webhook" = "Um webhook.", "A webhook.";

id: u32 [range(min = 1), example = 1] => "O id.", "The webhook's id.";
url: String [example = &"http://localhost:5678/webhook/pleito"] =>
    "Para onde vão as mensagens.",
    "The URL that receives the messages.";
description: Option<String> [example = &"n8n"] => "Para que serve.", "The purpose of the webhook.";
types: Vec<String> [example = ["lawsuit.stage_changed", "publication.created"]] =>
    "Os tipos de mensagem que ele quer; `*` para todos.",
    "The types of messages that the webhook receives. `*` stands for all.";
payload: &'static str [example = &"thin"] =>
    "O que as mensagens levam além da alteração: `thin`, nada do registro; `full`, o registro inteiro.",
    "The contents of messages in addition to the change: `thin` without the record, `full` with the whole record.";
active: bool [example = true] =>
    "Se mensagens são criadas e enviadas.",
    "True if messages are created and sent.";
status: &'static str [example = &"ok"] =>
    "`ok`; `failing` enquanto a última tentativa falhou; `stopped` se o destino respondeu 410.",
    "`ok`, `failing` if the last attempt failed, or `stopped` if the receiver responded with 410.";
cursor: u64 [example = 4715] =>
    "A última alteração já examinada para ele.",
    "The last change that was processed for the webhook.";
failed: u64 [example = 0] =>
    "De quantas mensagens se desistiu: as não entregues.",
    "Number of dead letters: messages that were given up.";
last_success_at: Option<String> [example = &"2026-11-21 10:30:01"] =>
    "Quando uma mensagem foi aceita pela última vez, no fuso do escritório.",
    "The last time at which a message was accepted, in the office's time zone.";
last_failure: Option<FailureOut> [example = None::<()>] =>
    "A última tentativa que falhou.",
    "The last attempt that failed.";
created_at: String [example = &"2026-11-21 10:00:00"] =>
    "Quando foi criado, no fuso do escritório.",
    "Time of creation, in the office's time zone.";
updated_at: String [example = &"2026-11-21 10:00:00"] =>
    "Data e hora da última alteração, no fuso do escritório.",
    "Time of the last change, in the office's time zone.";
}

answer! {
pub struct FailureOut as "WebhookFailure" = "Uma tentativa que falhou.", "An attempt that failed.";

at: String [example = &"2026-11-21 10:30:01"] =>
    "Quando, no fuso do escritório.",
    "Time of the attempt, in the office's time zone.";
reason: String [example = &"it answered 500"] => "O que houve, em palavras.", "The reason, in words.";
}

impl WebhookOut {
    pub(super) fn new(webhook: &Webhook, failed: u64, zone: &TimeZone) -> WebhookOut {
        let WebhookSettings { url, description, types, is_full, is_active } = webhook.settings.clone();
        let failure = webhook.last_failure.as_ref();
        WebhookOut {
            id: webhook.id,
            url,
            description,
            types,
            payload: if is_full { "full" } else { "thin" },
            active: is_active,
            status: status_of(webhook),
            cursor: webhook.cursor,
            failed,
            last_success_at: webhook.last_success_at.map(|at| moment(at, zone)),
            last_failure: failure
                .map(|(at, how)| FailureOut { at: moment(*at, zone), reason: failure_text(how, Lang::En) }),
            created_at: moment(webhook.created_at, zone),
            updated_at: moment(webhook.updated_at, zone),
        }
    }
}

/// Describes a stored failure: the status of the response, or the reason why there was no response.
pub fn failure_text(how: &str, lang: Lang) -> String {
    match how.parse::<u16>() {
        Ok(status) => [lang.pick("respondeu ", "it answered "), &status.to_string()].concat(),
        Err(_) => OutgoingError::read(how).message(lang),
    }
}

answer! {
pub struct WebhooksOut as "Webhooks" = "Todos os webhooks.", "All webhooks.";

data: Vec<WebhookOut> => "Os webhooks, por id.", "The webhooks, by id.";
#[serde(rename = "totalCount")]
total_count: usize [example = 1] => "Quantos são.", "The number of webhooks.";
query: Echo<'static> => "Os parâmetros da consulta, como chegaram.", "The query parameters as received.";
}

impl WebhooksOut {
    pub(super) fn new(data: Vec<WebhookOut>, query: Echo<'static>) -> WebhooksOut {
        WebhooksOut { total_count: data.len(), data, query }
    }
}

answer! {
pub struct WebhookMadeOut as "WebhookMade" =
    "Um webhook novo e o segredo com que as mensagens são assinadas.",
    "A new webhook and the secret that its messages are signed with.";

success: bool [example = true] => "Sempre true.", "Always true.";
pub webhook_id: u32 [range(min = 1), example = 1] => "O id.", "The webhook's id.";
pub secret: String [example = &"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkpU3OYQCkxc="] =>
    "O segredo com que as mensagens são assinadas, mostrado só desta vez.",
    "The secret that messages are signed with. Shown only this once.";
}

impl WebhookMadeOut {
    pub(super) fn new(id: u32, secret: &WebhookSecret) -> WebhookMadeOut {
        WebhookMadeOut { success: true, webhook_id: id, secret: secret.expose() }
    }
}

impl Versioned for WebhookMadeOut {}
impl Versioned for WebhookChangedOut {}
impl Versioned for SecretOut {}
impl Versioned for DeliveryChangedOut {}
impl Versioned for ReplayedOut {}

impl Made for WebhookMadeOut {
    fn number(&self) -> u32 {
        self.webhook_id
    }

    fn id(_: Compatibility) -> String {
        "/webhook_id".to_owned()
    }
}

answer! {
pub struct SecretOut as "WebhookSecret" =
    "O segredo com que as mensagens passam a ser assinadas.",
    "The secret that messages are signed with from now on.";

success: bool [example = true] => "Sempre true.", "Always true.";
webhook_id: u32 [range(min = 1), example = 1] => "O id do webhook.", "The webhook's id.";
pub secret: String [example = &"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkpU3OYQCkxc="] =>
    "O segredo com que as mensagens são assinadas, mostrado só desta vez.",
    "The secret that messages are signed with. Shown only this once.";
}

impl SecretOut {
    pub(super) fn new(id: u32, secret: &WebhookSecret) -> SecretOut {
        SecretOut { success: true, webhook_id: id, secret: secret.expose() }
    }
}

answer! {
pub struct WebhookChangedOut as "WebhookWritten" =
    "O id de um webhook gravado.",
    "The id of a written webhook.";

success: bool [example = true] => "Sempre true.", "Always true.";
webhook_id: u32 [range(min = 1), example = 1] => "O id.", "The webhook's id.";
}

impl WebhookChangedOut {
    pub(super) fn new(id: u32) -> WebhookChangedOut {
        WebhookChangedOut { success: true, webhook_id: id }
    }
}

answer! {
pub struct DeliveryChangedOut as "DeliveryWritten" =
    "A mensagem de que se tratou.",
    "The message that was retried or dismissed.";

success: bool [example = true] => "Sempre true.", "Always true.";
webhook_id: u32 [range(min = 1), example = 1] => "O id do webhook.", "The webhook's id.";
message: String [example = &"msg_4712_lawsuit_stage_changed"] =>
    "O `webhook-id` dela.",
    "The `webhook-id` of the message.";
}

impl DeliveryChangedOut {
    pub(super) fn new(id: u32, message: String) -> DeliveryChangedOut {
        DeliveryChangedOut { success: true, webhook_id: id, message }
    }
}

answer! {
pub struct ReplayedOut as "Replayed" = "Quanto será enviado de novo.", "The messages that are sent again.";

success: bool [example = true] => "Sempre true.", "Always true.";
pub messages: usize [example = 37] => "Quantas mensagens.", "The number of messages.";
next: u64 [example = 4715] => "O `since` com que continuar.", "The `since` of the next request.";
more: bool [example = false] =>
    "Se há mais para enviar de novo.",
    "True if there are more messages to send again.";
}

impl ReplayedOut {
    pub(super) fn new(messages: usize, next: u64, more: bool) -> ReplayedOut {
        ReplayedOut { success: true, messages, next, more }
    }
}

answer! {
pub struct AttemptOut as "Attempt" =
    "Uma tentativa de entregar uma mensagem.",
    "An attempt to deliver a message.";

at: String [example = &"2026-11-21 10:30:01"] =>
    "Quando, no fuso do escritório.",
    "Time of the attempt, in the office's time zone.";
status: Option<u16> [example = 200] =>
    "O status da resposta; null se não houve resposta.",
    "The status of the response. Null if there was no response.";
ms: u64 [example = 41] => "Quantos milissegundos levou.", "Duration in milliseconds.";
answer: Option<String> [example = &"ok"] =>
    "O começo da resposta, no máximo 200 caracteres; se não houve, ou se foi um redirecionamento, o motivo, em palavras.",
    "The beginning of the response, at most 200 characters. If there was none, or a redirect, the reason in words.";
}

impl AttemptOut {
    pub(super) fn new(attempt: &Attempt, zone: &TimeZone) -> AttemptOut {
        let why = attempt.failure.as_deref().map(|failure| failure_text(failure, Lang::En));
        AttemptOut {
            at: moment(attempt.at, zone),
            status: attempt.status,
            ms: attempt.ms,
            answer: why.or_else(|| attempt.answer.clone()),
        }
    }
}

answer! {
pub struct DeliveryOut as "Delivery" = "Uma mensagem a um webhook.", "A message to a webhook.";

message: String [example = &"msg_4712_lawsuit_stage_changed"] =>
    "O `webhook-id`, o mesmo em todas as tentativas.",
    "The `webhook-id`, the same for every attempt.";
r#type: String [example = &"lawsuit.stage_changed"] => "O tipo da mensagem.", "The type of the message.";
seq: u64 [example = 4712] =>
    "O número da alteração de que ela fala.",
    "The number of the change that the message is about.";
status: &'static str [example = &"delivered"] =>
    "`waiting` (espera a próxima tentativa), `delivered` (entregue) ou `failed` (desistiu-se: não entregue).",
    "`waiting` for the next attempt, `delivered`, or `failed` (a dead letter that was given up).";
attempts: Vec<AttemptOut> =>
    "As últimas tentativas, a mais antiga primeiro.",
    "The last attempts, oldest first.";
next_attempt_at: Option<String> [example = None::<()>] =>
    "Quando será a próxima tentativa, no fuso do escritório; null se não haverá.",
    "Time of the next attempt, in the office's time zone. Null if no attempt is planned.";
}

impl DeliveryOut {
    pub(super) fn new(one: &Delivery, webhook: &Webhook, now: i64, zone: &TimeZone) -> DeliveryOut {
        let waits = webhook.settings.is_active && one.status == DeliveryStatus::Waiting;
        DeliveryOut {
            message: one.event.message(),
            r#type: one.event.ty.clone(),
            seq: one.event.seq,
            status: one.status.as_str(),
            attempts: one.attempts.iter().map(|attempt| AttemptOut::new(attempt, zone)).collect(),
            next_attempt_at: waits.then(|| moment(one.due.div_euclid(1000).max(now), zone)),
        }
    }
}

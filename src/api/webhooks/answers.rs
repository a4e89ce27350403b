//! What answers say of webhooks: events 21.1.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::config::settings::Compatibility;
use crate::domain::{Lang, WebhookSecret};
use crate::http::wire::moment;
use crate::http::{Echo, Made, Versioned};
use crate::outgoing::OutgoingError;
use crate::store::webhooks::{Attempt, Delivery, DeliveryStatus, Webhook, WebhookSettings};

/// How a webhook stands.
pub fn status_of(webhook: &Webhook) -> &'static str {
    match (webhook.is_stopped, webhook.failing_since) {
        (true, _) => "stopped",
        (false, Some(_)) => "failing",
        (false, None) => "ok",
    }
}

/// A webhook.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Um webhook."), rename = "Webhook")]
pub struct WebhookOut {
    /// Its id.
    #[schemars(extend("x-pt" = "O id."), range(min = 1), example = 1)]
    id: u32,
    /// Where its messages go.
    #[schemars(extend("x-pt" = "Para onde vão as mensagens."))]
    #[schemars(example = &"http://localhost:5678/webhook/pleito")]
    url: String,
    /// What it is for.
    #[schemars(extend("x-pt" = "Para que serve."), example = &"n8n")]
    description: Option<String>,
    /// The types of messages that it wants; `*` for all.
    #[schemars(extend("x-pt" = "Os tipos de mensagem que ele quer; `*` para todos."))]
    #[schemars(example = ["lawsuit.stage_changed", "publication.created"])]
    types: Vec<String>,
    /// What messages have besides the change: `thin` nothing of the record, `full` all of it.
    #[schemars(extend("x-pt" = "O que as mensagens levam além da alteração: `thin`, nada do registro; `full`, o registro \
                                inteiro."))]
    #[schemars(example = &"thin")]
    payload: &'static str,
    /// Whether messages are made and sent.
    #[schemars(extend("x-pt" = "Se mensagens são criadas e enviadas."), example = true)]
    active: bool,
    /// `ok`; `failing` while the last attempt failed; `stopped` where its receiver answered 410.
    #[schemars(extend("x-pt" = "`ok`; `failing` enquanto a última tentativa falhou; `stopped` se o destino respondeu 410."))]
    #[schemars(example = &"ok")]
    status: &'static str,
    /// The last change that was looked at for it.
    #[schemars(extend("x-pt" = "A última alteração já examinada para ele."), example = 4715)]
    cursor: u64,
    /// How many messages were given up: its dead letters.
    #[schemars(extend("x-pt" = "De quantas mensagens se desistiu: as não entregues."), example = 0)]
    failed: u64,
    /// When a message was last taken, in the office's time zone.
    #[schemars(extend("x-pt" = "Quando uma mensagem foi aceita pela última vez, no fuso do escritório."))]
    #[schemars(example = &"2026-11-21 10:30:01")]
    last_success_at: Option<String>,
    /// The last attempt that failed.
    #[schemars(extend("x-pt" = "A última tentativa que falhou."), example = None::<()>)]
    last_failure: Option<FailureOut>,
    /// When it was made, in the office's time zone.
    #[schemars(extend("x-pt" = "Quando foi criado, no fuso do escritório."), example = &"2026-11-21 10:00:00")]
    created_at: String,
    /// When it was last changed, in the office's time zone.
    #[schemars(extend("x-pt" = "Data e hora da última alteração, no fuso do escritório."))]
    #[schemars(example = &"2026-11-21 10:00:00")]
    updated_at: String,
}

/// An attempt that failed.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Uma tentativa que falhou."), rename = "WebhookFailure")]
pub struct FailureOut {
    /// When, in the office's time zone.
    #[schemars(extend("x-pt" = "Quando, no fuso do escritório."), example = &"2026-11-21 10:30:01")]
    at: String,
    /// How, in words.
    #[schemars(extend("x-pt" = "O que houve, em palavras."), example = &"it answered 500")]
    reason: String,
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
                .map(|(at, how)| FailureOut { at: moment(*at, zone), reason: said(how, Lang::En) }),
            created_at: moment(webhook.created_at, zone),
            updated_at: moment(webhook.updated_at, zone),
        }
    }
}

/// What is kept of a failure, in words: the status that was answered, or why nothing was.
pub fn said(how: &str, lang: Lang) -> String {
    match how.parse::<u16>() {
        Ok(status) => [lang.pick("respondeu ", "it answered "), &status.to_string()].concat(),
        Err(_) => OutgoingError::read(how).say(lang),
    }
}

/// All webhooks.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Todos os webhooks."), rename = "Webhooks")]
pub struct WebhooksOut {
    /// The webhooks, by their ids.
    #[schemars(extend("x-pt" = "Os webhooks, por id."))]
    data: Vec<WebhookOut>,
    /// How many they are.
    #[serde(rename = "totalCount")]
    #[schemars(extend("x-pt" = "Quantos são."), example = 1)]
    total_count: usize,
    /// The query parameters as received.
    #[schemars(extend("x-pt" = "Os parâmetros da consulta, como chegaram."))]
    query: Echo<'static>,
}

impl WebhooksOut {
    pub(super) fn new(data: Vec<WebhookOut>, query: Echo<'static>) -> WebhooksOut {
        WebhooksOut { total_count: data.len(), data, query }
    }
}

/// A new webhook, and what its messages are signed with.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Um webhook novo e o segredo com que as mensagens são assinadas."))]
#[schemars(rename = "WebhookMade")]
pub struct WebhookMadeOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// Its id.
    #[schemars(extend("x-pt" = "O id."), range(min = 1), example = 1)]
    pub webhook_id: u32,
    /// What its messages are signed with, shown this once.
    #[schemars(extend("x-pt" = "O segredo com que as mensagens são assinadas, mostrado só desta vez."))]
    #[schemars(example = &"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkpU3OYQCkxc=")]
    pub secret: String,
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

    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<WebhookMadeOut>()
    }

    fn id(_: Compatibility) -> String {
        "/webhook_id".to_owned()
    }
}

/// What messages are signed with from now on.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O segredo com que as mensagens passam a ser assinadas."))]
#[schemars(rename = "WebhookSecret")]
pub struct SecretOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// The id of the webhook.
    #[schemars(extend("x-pt" = "O id do webhook."), range(min = 1), example = 1)]
    webhook_id: u32,
    /// What its messages are signed with, shown this once.
    #[schemars(extend("x-pt" = "O segredo com que as mensagens são assinadas, mostrado só desta vez."))]
    #[schemars(example = &"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkpU3OYQCkxc=")]
    pub secret: String,
}

impl SecretOut {
    pub(super) fn new(id: u32, secret: &WebhookSecret) -> SecretOut {
        SecretOut { success: true, webhook_id: id, secret: secret.expose() }
    }
}

/// The id of a webhook that was written.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um webhook gravado."), rename = "WebhookWritten")]
pub struct WebhookChangedOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// Its id.
    #[schemars(extend("x-pt" = "O id."), range(min = 1), example = 1)]
    webhook_id: u32,
}

impl WebhookChangedOut {
    pub(super) fn new(id: u32) -> WebhookChangedOut {
        WebhookChangedOut { success: true, webhook_id: id }
    }
}

/// The message that was dealt with.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "A mensagem de que se tratou."), rename = "DeliveryWritten")]
pub struct DeliveryChangedOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// The id of the webhook.
    #[schemars(extend("x-pt" = "O id do webhook."), range(min = 1), example = 1)]
    webhook_id: u32,
    /// Its `webhook-id`.
    #[schemars(extend("x-pt" = "O `webhook-id` dela."), example = &"msg_4712_lawsuit_stage_changed")]
    message: String,
}

impl DeliveryChangedOut {
    pub(super) fn new(id: u32, message: String) -> DeliveryChangedOut {
        DeliveryChangedOut { success: true, webhook_id: id, message }
    }
}

/// How much is sent again.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Quanto será enviado de novo."), rename = "Replayed")]
pub struct ReplayedOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// How many messages.
    #[schemars(extend("x-pt" = "Quantas mensagens."), example = 37)]
    pub messages: usize,
    /// The `since` with which to go on.
    #[schemars(extend("x-pt" = "O `since` com que continuar."), example = 4715)]
    next: u64,
    /// Whether there is more to be sent again.
    #[schemars(extend("x-pt" = "Se há mais para enviar de novo."), example = false)]
    more: bool,
}

impl ReplayedOut {
    pub(super) fn new(messages: usize, next: u64, more: bool) -> ReplayedOut {
        ReplayedOut { success: true, messages, next, more }
    }
}

/// An attempt to deliver a message.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Uma tentativa de entregar uma mensagem."), rename = "Attempt")]
pub struct AttemptOut {
    /// When, in the office's time zone.
    #[schemars(extend("x-pt" = "Quando, no fuso do escritório."), example = &"2026-11-21 10:30:01")]
    at: String,
    /// What was answered; null where nothing was.
    #[schemars(extend("x-pt" = "O status da resposta; null se não houve resposta."), example = 200)]
    status: Option<u16>,
    /// How many milliseconds it took.
    #[schemars(extend("x-pt" = "Quantos milissegundos levou."), example = 41)]
    ms: u64,
    /// How the answer begins, 200 characters at the most; where there was none, why, in words.
    #[schemars(extend("x-pt" = "O começo da resposta, no máximo 200 caracteres; se não houve, o motivo, em palavras."))]
    #[schemars(example = &"ok")]
    answer: Option<String>,
}

impl AttemptOut {
    pub(super) fn new(attempt: &Attempt, zone: &TimeZone) -> AttemptOut {
        let why = attempt.failure.as_deref().map(|failure| said(failure, Lang::En));
        AttemptOut {
            at: moment(attempt.at, zone),
            status: attempt.status,
            ms: attempt.ms,
            answer: why.or_else(|| attempt.answer.clone()),
        }
    }
}

/// A message to a webhook.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Uma mensagem a um webhook."), rename = "Delivery")]
pub struct DeliveryOut {
    /// Its `webhook-id`, the same for every attempt.
    #[schemars(extend("x-pt" = "O `webhook-id`, o mesmo em todas as tentativas."))]
    #[schemars(example = &"msg_4712_lawsuit_stage_changed")]
    message: String,
    /// Its type.
    #[schemars(extend("x-pt" = "O tipo da mensagem."), example = &"lawsuit.stage_changed")]
    r#type: String,
    /// The number of the change that it tells of.
    #[schemars(extend("x-pt" = "O número da alteração de que ela fala."), example = 4712)]
    seq: u64,
    /// `waiting` for the next attempt, `delivered`, or `failed`: given up, a dead letter.
    #[schemars(extend("x-pt" = "`waiting` (espera a próxima tentativa), `delivered` (entregue) ou `failed` (desistiu-se: \
                                não entregue)."))]
    #[schemars(example = &"delivered")]
    status: &'static str,
    /// The last attempts, the oldest first.
    #[schemars(extend("x-pt" = "As últimas tentativas, a mais antiga primeiro."))]
    attempts: Vec<AttemptOut>,
    /// When the next attempt is due, in the office's time zone; null where there is none.
    #[schemars(extend("x-pt" = "Quando será a próxima tentativa, no fuso do escritório; null se não haverá."))]
    #[schemars(example = None::<()>)]
    next_attempt_at: Option<String>,
}

impl DeliveryOut {
    pub(super) fn new(one: &Delivery, webhook: &Webhook, zone: &TimeZone) -> DeliveryOut {
        let waits = webhook.settings.is_active && one.status == DeliveryStatus::Waiting;
        DeliveryOut {
            message: one.event.message(),
            r#type: one.event.ty.clone(),
            seq: one.event.seq,
            status: one.status.as_str(),
            attempts: one.attempts.iter().map(|attempt| AttemptOut::new(attempt, zone)).collect(),
            next_attempt_at: waits.then(|| moment(one.due.div_euclid(1000), zone)),
        }
    }
}

//! Parameters and bodies of the routes for a webhook's messages (events 21.1).

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::draft::{WORDS, number_in, types_in};
use crate::domain::{Bilingual, Invalid, Reason, Whole};
use crate::http::PathWord;
use crate::http::json::body_members::body;
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::request_body::{Member, flag_in};
use crate::http::json::values::{FromText, MAX_JSON_INTEGER};
use crate::http::openapi::describe::{Parameter, parameters};
use crate::store::webhooks::DeliveryStatus;

body! {
/// A body without members.
#[derive(Debug)]
pub struct Nothing = "Nothing", "Nada precisa ser informado.", "A body without members.";
}

body! {
/// The body of POST /webhooks/{id}/replay.
#[derive(Debug)]
pub struct ReplayBody = "Replay", "O que deve ser enviado de novo.", "The messages to send again.";

since: u64 = Required unless "failed_only" "since"
    by number_in, { "type": "integer", "minimum": 0, "maximum": MAX_JSON_INTEGER } =>
    "A alteração depois da qual se começa. Dispensável com `failed_only`.",
    "The change after which the replay starts. Not needed with `failed_only`.",
    0;
until: u64 = Optional "until" by number_in, { "type": ["integer", "null"], "minimum": 0, "maximum": MAX_JSON_INTEGER } =>
    "A última alteração; se nada é informado, a mais nova.",
    "The last change. Default: the newest.",
    null;
types: Vec<String> = Optional "types"
    by types_in, { "type": ["array", "null"], "items": { "enum": *WORDS }, "minItems": 1 } =>
    "De que tipos; se nada é informado, os do webhook.",
    "The types of messages. Default: those of the webhook.",
    ["publication.created"];
failed_only: bool = Optional "failed_only" by flag_in, { "type": ["boolean", "null"] } =>
    "Só aquilo de que se desistiu. Se nada é informado, false.",
    "Only dead letters. Default: false.",
    false;
}

impl ReplayBody {
    /// Asks for all changes after `since`, or only for their dead letters.
    pub fn after(since: u64, failed_only: bool) -> ReplayBody {
        let since = Member::Set(since);
        let failed_only = Member::Set(failed_only);
        ReplayBody { since, until: Member::Absent, types: Member::Absent, failed_only }
    }

    /// Returns the change after which the replay begins.
    pub(super) fn begin(&self) -> u64 {
        self.since.get().copied().unwrap_or_default()
    }

    /// Returns `true` if messages of this type are requested. If no types are given, `others` decides.
    pub(super) fn wants(&self, ty: &str, others: impl Fn(&str) -> bool) -> bool {
        self.types.get().map_or_else(|| others(ty), |types| types.iter().any(|own| own == "*" || own == ty))
    }

    /// Refuses an `until` before `since`.
    pub(super) fn check(&self, wrong: &mut Invalid) {
        if self.until.get().is_some_and(|until| *until < self.begin()) {
            wrong.add("until", Reason::OutOfRange { least: self.begin(), most: MAX_JSON_INTEGER });
        }
    }
}

/// A message of a webhook, by its `webhook-id`.
pub struct Message;

impl PathWord for Message {
    const NAME: &'static str = "message";
    const ABOUT: Bilingual = ("O `webhook-id` da mensagem.", "The `webhook-id` of the message.");
    const EXAMPLE: &'static str = "msg_4712_lawsuit_stage_changed";
}

/// The parameters of GET /webhooks/{id}/deliveries.
#[derive(Debug)]
pub struct DeliveriesParameters {
    pub(super) status: Option<DeliveryStatus>,
    pub(super) limit: u32,
    pub(super) offset: u64,
}

type Limit = Whole<1, 1000>;
type Offset = Whole<0, { u32::MAX }>;

impl Parameters for DeliveriesParameters {
    fn read(reader: &mut QueryReader<'_>) -> DeliveriesParameters {
        DeliveriesParameters {
            status: reader.parameter::<StatusWord>("status").map(|word| word.0),
            limit: reader.parameter::<Limit>("limit").map_or(50, Whole::get),
            offset: reader.parameter::<Offset>("offset").map_or(0, Whole::get).into(),
        }
    }

    fn parameters() -> Vec<Parameter> {
        parameters! {
            StatusWord: "status" ["failed"] =>
                "`waiting` (em espera), `delivered` (entregues) ou `failed`: as não entregues.",
                "`waiting`, `delivered`, or `failed` for dead letters.";
            Limit: "limit" [50] =>
                "Quantas mensagens a página tem, no máximo; se nada é informado, 50.",
                "Maximum number of messages in the page. Default: 50.";
            Offset: "offset" [0] =>
                "Quantas mensagens vêm antes da página.",
                "Number of messages before the page.";
        }
    }
}

static STATUSES: LazyLock<Vec<String>> =
    LazyLock::new(|| DeliveryStatus::ALL.map(|status| status.as_str().to_owned()).into());

struct StatusWord(DeliveryStatus);

impl FromText for StatusWord {
    fn from_text(text: &str) -> Result<StatusWord, Reason> {
        let found = DeliveryStatus::ALL.into_iter().find(|status| status.as_str() == text.trim());
        found.map(StatusWord).ok_or(Reason::NotAmong { words: STATUSES.as_slice() })
    }

    fn schema() -> Value {
        json!({ "type": "string", "enum": *STATUSES })
    }
}

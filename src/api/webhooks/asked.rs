//! What is asked of a webhook's messages: events 21.1.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::draft::{LARGEST, WORDS, described, flag_in, number_in, number_schema, types_in};
use crate::domain::{Bilingual, Reason, Whole};
use crate::http::describe::{MemberDescription, Need, Parameter, Sentence};
use crate::http::input::{BodyReader, Members, PathWord};
use crate::http::query::{Parameters, QueryReader};
use crate::http::wire::FromText;
use crate::store::webhooks::DeliveryStatus;

/// A body without a member.
#[derive(Debug)]
pub struct Nothing;

impl Members for Nothing {
    fn name() -> String {
        "Nothing".to_owned()
    }

    fn about() -> Sentence {
        ("Nada precisa ser informado.", "Nothing has to be said.").into()
    }

    fn read(_: &mut BodyReader<'_>) -> Nothing {
        Nothing
    }

    fn members() -> Vec<MemberDescription> {
        Vec::new()
    }
}

/// What is to be sent again.
#[derive(Debug)]
pub struct ReplayAsked {
    pub(super) since: u64,
    pub(super) until: Option<u64>,
    pub(super) types: Vec<String>,
    pub(super) failed_only: bool,
}

impl ReplayAsked {
    /// Of the changes after `since`; the dead letters alone.
    pub fn after(since: u64, failed_only: bool) -> ReplayAsked {
        ReplayAsked { since, until: None, types: Vec::new(), failed_only }
    }

    /// Whether messages of that type are asked for.
    pub(super) fn wants(&self, ty: &str) -> bool {
        self.types.is_empty() || self.types.iter().any(|own| own == "*" || own == ty)
    }
}

impl Members for ReplayAsked {
    fn name() -> String {
        "Replay".to_owned()
    }

    fn about() -> Sentence {
        ("O que deve ser enviado de novo.", "What is to be sent again.").into()
    }

    fn read(reader: &mut BodyReader<'_>) -> ReplayAsked {
        let failed_only =
            reader.read("failed_only", Need::Optional, flag_in).into_value().unwrap_or_default();
        let need = if failed_only { Need::Optional } else { Need::Required };
        let since = reader.read("since", need, number_in).into_value();
        let until = reader.read("until", Need::Optional, number_in).into_value();
        if let (Some(since), Some(until)) = (since, until)
            && until < since
        {
            reader.refuse("until", Reason::OutOfRange { least: since, most: LARGEST });
        }
        ReplayAsked {
            since: since.unwrap_or_default(),
            until,
            types: reader.read("types", Need::Optional, types_in).into_value().unwrap_or_default(),
            failed_only,
        }
    }

    fn members() -> Vec<MemberDescription> {
        vec![
            described(
                "since",
                Need::Required,
                json!({ "type": "integer", "minimum": 0, "maximum": LARGEST }),
                (
                    "A alteração depois da qual se começa. Dispensável com `failed_only`.",
                    "The change behind which it begins. Not needed with `failed_only`.",
                ),
                json!(0),
            ),
            described(
                "until",
                Need::Optional,
                number_schema(),
                (
                    "A última alteração; se nada é informado, a mais nova.",
                    "The last change; the newest unless given.",
                ),
                Value::Null,
            ),
            described(
                "types",
                Need::Optional,
                json!({ "type": ["array", "null"], "items": { "enum": *WORDS }, "minItems": 1 }),
                (
                    "De que tipos; se nada é informado, os do webhook.",
                    "Of which types; those of the webhook unless given.",
                ),
                json!(["publication.created"]),
            ),
            described(
                "failed_only",
                Need::Optional,
                json!({ "type": ["boolean", "null"] }),
                (
                    "Só aquilo de que se desistiu. Se nada é informado, false.",
                    "Only what was given up. False unless given.",
                ),
                json!(false),
            ),
        ]
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
pub struct DeliveriesAsked {
    pub(super) status: Option<DeliveryStatus>,
    pub(super) limit: u32,
    pub(super) offset: u64,
}

/// How many messages a page has at the most.
type Limit = Whole<1, 1000>;
/// How many may come before it.
type Offset = Whole<0, { u32::MAX }>;

impl Parameters for DeliveriesAsked {
    fn read(reader: &mut QueryReader<'_>) -> DeliveriesAsked {
        DeliveriesAsked {
            status: reader.parameter::<StatusWord>("status").map(|word| word.0),
            limit: reader.parameter::<Limit>("limit").map_or(50, Whole::get),
            offset: reader.parameter::<Offset>("offset").map_or(0, Whole::get).into(),
        }
    }

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::of::<StatusWord>(
                "status",
                (
                    "`waiting` (em espera), `delivered` (entregues) ou `failed`: as não entregues.",
                    "`waiting`, `delivered`, or `failed`: the dead letters.",
                ),
                "failed",
            ),
            Parameter::of::<Limit>(
                "limit",
                (
                    "Quantas mensagens a página tem, no máximo; se nada é informado, 50.",
                    "How many messages the page has at the most; 50 unless given.",
                ),
                50,
            ),
            Parameter::of::<Offset>(
                "offset",
                ("Quantas mensagens vêm antes da página.", "How many messages come before the page."),
                0,
            ),
        ]
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

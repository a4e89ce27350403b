//! What webhooks are on the wire: events 21.1.

use std::sync::LazyLock;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

use super::events::TYPES;
use crate::config::settings::Compatibility;
use crate::domain::{Invalid, Lang, Reason, Short, WebhookSecret, Whole, blank};
use crate::http::describe::{MemberDescription, Need, Parameter};
use crate::http::input::{BodyReader, Member, Members, PathWord};
use crate::http::query::{Parameters, QueryReader};
use crate::http::wire::{FromText, moment};
use crate::http::{Call, Echo, Made};
use crate::outgoing::OutgoingError;
use crate::records::{FieldType, Input};
use crate::store::webhooks::{Attempt, Delivery, DeliveryStatus, Webhook, WebhookSettings};
use crate::webhooks::WebhookTarget;

/// The largest number that every client can hold.
const LARGEST: u64 = (1 << 53) - 1;

/// What `types` may have: all of them, and the one that means all.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| [&["*".to_owned()][..], &TYPES].concat());

/// What messages have besides the change: nothing of the record, or all of it.
static PAYLOADS: LazyLock<Vec<String>> = LazyLock::new(|| ["thin", "full"].map(str::to_owned).into());

/// What a body says of a webhook.
#[derive(Clone, Debug)]
pub struct WebhookDraft {
    url: Member<(String, WebhookTarget)>,
    description: Member<Short>,
    types: Member<Vec<String>>,
    is_full: Member<bool>,
    is_active: Member<bool>,
    since: Option<u64>,
}

impl WebhookDraft {
    /// What a form says; what is wrong with it.
    pub fn typed(
        [url, description, types]: [&str; 3],
        is_full: bool,
        is_active: bool,
    ) -> (WebhookDraft, Invalid) {
        let mut wrong = Invalid::new();
        let url = match blank(url) {
            true => Err(Reason::Required),
            false => read_url(url.trim()),
        };
        let types = match blank(types) {
            true => Err(Reason::Required),
            false => read_types(types.split(',').map(str::trim)),
        };
        let description = match blank(description) {
            true => Ok(Member::Clear),
            false => Short::parse(description).map(Member::Set),
        };
        let draft = WebhookDraft {
            url: wrong.check("url", url).map_or(Member::Absent, Member::Set),
            description: wrong.check("description", description).unwrap_or(Member::Absent),
            types: wrong.check("types", types).map_or(Member::Absent, Member::Set),
            is_full: Member::Set(is_full),
            is_active: Member::Set(is_active),
            since: None,
        };
        (draft, wrong)
    }

    /// Where messages would go.
    pub(super) fn target(&self) -> Option<&WebhookTarget> {
        self.url.get().map(|(_, target)| target)
    }

    /// The change behind which it begins.
    pub(super) fn since(&self) -> Option<u64> {
        self.since
    }

    /// Whether it says that it is active.
    pub(super) fn activates(&self) -> bool {
        self.is_active == Member::Set(true)
    }

    /// The new webhook that it makes; none where something is wrong.
    pub(super) fn into_new(self) -> Option<WebhookSettings> {
        let nothing = WebhookSettings {
            url: String::new(),
            description: None,
            types: Vec::new(),
            is_full: false,
            is_active: true,
        };
        let made = self.over(&nothing);
        Some(made).filter(|made| !made.url.is_empty() && !made.types.is_empty())
    }

    /// The webhook that becomes of one that is there.
    pub(super) fn over(self, present: &WebhookSettings) -> WebhookSettings {
        fn of<T: Clone>(member: Member<T>, present: &T, emptied: T) -> T {
            match member {
                Member::Set(value) => value,
                Member::Clear => emptied,
                Member::Absent => present.clone(),
            }
        }
        let description = match self.description {
            Member::Set(text) => Some(text.as_str().to_owned()),
            Member::Clear => None,
            Member::Absent => present.description.clone(),
        };
        WebhookSettings {
            url: self.url.into_value().map_or_else(|| present.url.clone(), |(url, _)| url),
            description,
            types: self.types.into_value().unwrap_or_else(|| present.types.clone()),
            is_full: of(self.is_full, &present.is_full, false),
            is_active: of(self.is_active, &present.is_active, true),
        }
    }
}

fn read_url(text: &str) -> Result<(String, WebhookTarget), Reason> {
    WebhookTarget::parse(text).map(|target| (text.to_owned(), target))
}

/// Types, each once and in the order in which there are; where one means all, that one.
fn read_types<'t>(words: impl Iterator<Item = &'t str>) -> Result<Vec<String>, Reason> {
    let words: Vec<_> = words.collect();
    if words.is_empty() {
        return Err(Reason::NotTexts { least: 1, most: WORDS.len() });
    }
    if !words.iter().all(|word| WORDS.iter().any(|known| known == word)) {
        return Err(Reason::NotAmong { words: WORDS.as_slice() });
    }
    let named = WORDS.iter().filter(|known| words.contains(&known.as_str()));
    let mut types: Vec<_> = named.cloned().collect();
    if types.first().is_some_and(|first| first == "*") {
        types.truncate(1);
    }
    Ok(types)
}

fn types_in(value: &Value) -> Result<Vec<String>, Reason> {
    let not_texts = Reason::NotTexts { least: 1, most: WORDS.len() };
    match value {
        Value::Array(all) => {
            let words = all.iter().map(|one| one.as_str().map(str::trim).ok_or(not_texts));
            read_types(words.collect::<Result<Vec<_>, _>>()?.into_iter())
        }
        Value::String(text) => read_types(text.split(',').map(str::trim)),
        _ => Err(not_texts),
    }
}

fn text_in(value: &Value) -> Result<&str, Reason> {
    value.as_str().map(str::trim).ok_or(Reason::NotText)
}

fn flag_in(value: &Value) -> Result<bool, Reason> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::String(text) => <bool as FieldType>::read(&Input::Text(text)),
        _ => Err(Reason::NotBoolean),
    }
}

/// The number of a change.
fn number_in(value: &Value) -> Result<u64, Reason> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| *number <= LARGEST).ok_or(Reason::OutOfRange { least: 0, most: LARGEST })
}

fn described(
    name: &'static str,
    need: Need,
    mut schema: Value,
    about: &str,
    example: Value,
) -> MemberDescription {
    if let Value::Object(members) = &mut schema {
        members.insert("description".to_owned(), about.into());
        members.insert("examples".to_owned(), json!([example]));
    }
    MemberDescription { name, need, schema, example }
}

fn number_schema() -> Value {
    json!({ "type": ["integer", "null"], "minimum": 0, "maximum": LARGEST })
}

impl Members for WebhookDraft {
    fn name() -> String {
        "Webhook".to_owned()
    }

    fn about() -> String {
        "A program that is told of changes. The members that can be written.".to_owned()
    }

    fn read(reader: &mut BodyReader<'_>) -> WebhookDraft {
        WebhookDraft {
            url: reader.read("url", Need::Required, |value| read_url(text_in(value)?)),
            description: reader.read("description", Need::Optional, |value| Short::parse(text_in(value)?)),
            types: reader.read("types", Need::Required, types_in),
            is_full: reader.read("payload", Need::Optional, |value| match text_in(value)? {
                "thin" => Ok(false),
                "full" => Ok(true),
                _ => Err(Reason::NotAmong { words: PAYLOADS.as_slice() }),
            }),
            is_active: reader.read("active", Need::Optional, flag_in),
            since: reader.read("since", Need::Optional, number_in).into_value(),
        }
    }

    fn members() -> Vec<MemberDescription> {
        let text = |most: usize| json!({ "type": ["string", "null"], "maxLength": most });
        vec![
            described(
                "url",
                Need::Required,
                json!({ "type": "string", "format": "uri", "maxLength": 2000 }),
                "Where its messages go: `https://` anywhere, `http://` on this machine and in private networks. No user \
                 name, no link-local or multicast address, and not this server itself.",
                json!("http://localhost:5678/webhook/pleito"),
            ),
            described(
                "description",
                Need::Optional,
                text(200),
                "What it is for. 200 characters at most.",
                json!("n8n"),
            ),
            described(
                "types",
                Need::Required,
                json!({ "type": "array", "items": { "enum": *WORDS }, "minItems": 1 }),
                "The types of messages that it wants; `*` for all.",
                json!(["lawsuit.stage_changed", "publication.created"]),
            ),
            described(
                "payload",
                Need::Optional,
                json!({ "enum": ["thin", "full", null] }),
                "What messages have besides the change: `thin`, unless given, nothing of the record, so that no personal \
                 data goes anywhere; `full` the record as it is when the message is sent, null above 256 KiB.",
                json!("thin"),
            ),
            described(
                "since",
                Need::Optional,
                number_schema(),
                "The change behind which it begins, when it is made or becomes active; the newest unless given.",
                Value::Null,
            ),
            described(
                "active",
                Need::Optional,
                json!({ "type": ["boolean", "null"] }),
                "Whether messages are made and sent. True unless given.",
                json!(true),
            ),
        ]
    }
}

/// A body without a member.
#[derive(Debug)]
pub struct Nothing;

impl Members for Nothing {
    fn name() -> String {
        "Nothing".to_owned()
    }

    fn about() -> String {
        "Nothing has to be said.".to_owned()
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

    fn about() -> String {
        "What is to be sent again.".to_owned()
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
                "The change behind which it begins. Not needed with `failed_only`.",
                json!(0),
            ),
            described(
                "until",
                Need::Optional,
                number_schema(),
                "The last change; the newest unless given.",
                Value::Null,
            ),
            described(
                "types",
                Need::Optional,
                json!({ "type": ["array", "null"], "items": { "enum": *WORDS }, "minItems": 1 }),
                "Of which types; those of the webhook unless given.",
                json!(["publication.created"]),
            ),
            described(
                "failed_only",
                Need::Optional,
                json!({ "type": ["boolean", "null"] }),
                "Only what was given up. False unless given.",
                json!(false),
            ),
        ]
    }
}

/// A message of a webhook, by its `webhook-id`.
pub struct Message;

impl PathWord for Message {
    const NAME: &'static str = "message";
    const ABOUT: &'static str = "The `webhook-id` of the message.";
    const EXAMPLE: &'static str = "msg_4712_lawsuit_stage_changed";
}

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
#[schemars(rename = "Webhook")]
pub struct WebhookOut {
    /// Its id.
    #[schemars(range(min = 1), example = 1)]
    id: u32,
    /// Where its messages go.
    #[schemars(example = &"http://localhost:5678/webhook/pleito")]
    url: String,
    /// What it is for.
    #[schemars(example = &"n8n")]
    description: Option<String>,
    /// The types of messages that it wants; `*` for all.
    #[schemars(example = ["lawsuit.stage_changed", "publication.created"])]
    types: Vec<String>,
    /// What messages have besides the change: `thin` nothing of the record, `full` all of it.
    #[schemars(example = &"thin")]
    payload: &'static str,
    /// Whether messages are made and sent.
    #[schemars(example = true)]
    active: bool,
    /// `ok`; `failing` while the last attempt failed; `stopped` where its receiver answered 410.
    #[schemars(example = &"ok")]
    status: &'static str,
    /// The last change that was looked at for it.
    #[schemars(example = 4715)]
    cursor: u64,
    /// How many messages were given up: its dead letters.
    #[schemars(example = 0)]
    failed: u64,
    /// When a message was last taken, in the office's time zone.
    #[schemars(example = &"2026-11-21 10:30:01")]
    last_success_at: Option<String>,
    /// The last attempt that failed.
    #[schemars(example = None::<()>)]
    last_failure: Option<FailureOut>,
    /// When it was made, in the office's time zone.
    #[schemars(example = &"2026-11-21 10:00:00")]
    created_at: String,
    /// When it was last changed, in the office's time zone.
    #[schemars(example = &"2026-11-21 10:00:00")]
    updated_at: String,
}

/// An attempt that failed.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WebhookFailure")]
pub struct FailureOut {
    /// When, in the office's time zone.
    #[schemars(example = &"2026-11-21 10:30:01")]
    at: String,
    /// How, in words.
    #[schemars(example = &"it answered 500")]
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
#[schemars(rename = "Webhooks")]
pub struct WebhooksOut {
    /// The webhooks, by their ids.
    data: Vec<WebhookOut>,
    /// How many they are.
    #[serde(rename = "totalCount")]
    #[schemars(example = 1)]
    total_count: usize,
    /// The query parameters as received.
    query: Echo<'static>,
}

impl WebhooksOut {
    pub(super) fn new(data: Vec<WebhookOut>, query: Echo<'static>) -> WebhooksOut {
        WebhooksOut { total_count: data.len(), data, query }
    }
}

/// A new webhook, and what its messages are signed with.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WebhookMade")]
pub struct WebhookMadeOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// Its id.
    #[schemars(range(min = 1), example = 1)]
    pub webhook_id: u32,
    /// What its messages are signed with, shown this once.
    #[schemars(example = &"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkpU3OYQCkxc=")]
    pub secret: String,
}

impl WebhookMadeOut {
    pub(super) fn new(id: u32, secret: &WebhookSecret) -> WebhookMadeOut {
        WebhookMadeOut { success: true, webhook_id: id, secret: secret.expose() }
    }
}

impl Made for WebhookMadeOut {
    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<WebhookMadeOut>()
    }

    fn id(_: Compatibility) -> String {
        "/webhook_id".to_owned()
    }
}

/// What messages are signed with from now on.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WebhookSecret")]
pub struct SecretOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// The id of the webhook.
    #[schemars(range(min = 1), example = 1)]
    webhook_id: u32,
    /// What its messages are signed with, shown this once.
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
#[schemars(rename = "WebhookWritten")]
pub struct WebhookChangedOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// Its id.
    #[schemars(range(min = 1), example = 1)]
    webhook_id: u32,
}

impl WebhookChangedOut {
    pub(super) fn new(id: u32) -> WebhookChangedOut {
        WebhookChangedOut { success: true, webhook_id: id }
    }
}

/// The message that was dealt with.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DeliveryWritten")]
pub struct DeliveryChangedOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// The id of the webhook.
    #[schemars(range(min = 1), example = 1)]
    webhook_id: u32,
    /// Its `webhook-id`.
    #[schemars(example = &"msg_4712_lawsuit_stage_changed")]
    message: String,
}

impl DeliveryChangedOut {
    pub(super) fn new(id: u32, message: String) -> DeliveryChangedOut {
        DeliveryChangedOut { success: true, webhook_id: id, message }
    }
}

/// How much is sent again.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Replayed")]
pub struct ReplayedOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// How many messages.
    #[schemars(example = 37)]
    pub messages: usize,
    /// The `since` with which to go on.
    #[schemars(example = 4715)]
    next: u64,
    /// Whether there is more to be sent again.
    #[schemars(example = false)]
    more: bool,
}

impl ReplayedOut {
    pub(super) fn new(messages: usize, next: u64, more: bool) -> ReplayedOut {
        ReplayedOut { success: true, messages, next, more }
    }
}

/// An attempt to deliver a message.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Attempt")]
pub struct AttemptOut {
    /// When, in the office's time zone.
    #[schemars(example = &"2026-11-21 10:30:01")]
    at: String,
    /// What was answered; null where nothing was.
    #[schemars(example = 200)]
    status: Option<u16>,
    /// How many milliseconds it took.
    #[schemars(example = 41)]
    ms: u64,
    /// How the answer begins, 200 characters at the most; where there was none, why, in words.
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
#[schemars(rename = "Delivery")]
pub struct DeliveryOut {
    /// Its `webhook-id`, the same for every attempt.
    #[schemars(example = &"msg_4712_lawsuit_stage_changed")]
    message: String,
    /// Its type.
    #[schemars(example = &"lawsuit.stage_changed")]
    r#type: String,
    /// The number of the change that it tells of.
    #[schemars(example = 4712)]
    seq: u64,
    /// `waiting` for the next attempt, `delivered`, or `failed`: given up, a dead letter.
    #[schemars(example = &"delivered")]
    status: &'static str,
    /// The last attempts, the oldest first.
    attempts: Vec<AttemptOut>,
    /// When the next attempt is due, in the office's time zone; null where there is none.
    #[schemars(example = None::<()>)]
    next_attempt_at: Option<String>,
}

/// The messages of a webhook.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Deliveries")]
pub struct DeliveriesOut {
    /// The messages of the page, the newest change first.
    data: Vec<DeliveryOut>,
    /// How many messages the page has at the most.
    #[schemars(range(min = 1), example = 50)]
    limit: u32,
    /// How many messages come before the page.
    #[schemars(example = 0)]
    offset: u64,
    /// How many there are, whatever the page.
    #[serde(rename = "totalCount")]
    #[schemars(example = 1)]
    total_count: u64,
    /// The query parameters as received.
    query: Echo<'static>,
}

impl DeliveriesOut {
    pub(super) fn new(
        call: &Call<'_>,
        asked: &DeliveriesAsked,
        webhook: &Webhook,
        found: &[Delivery],
        total: u64,
    ) -> DeliveriesOut {
        let zone = call.app().zone();
        let waits = |one: &Delivery| webhook.settings.is_active && one.status == DeliveryStatus::Waiting;
        let data = found.iter().map(|one| DeliveryOut {
            message: one.event.message(),
            r#type: one.event.ty.clone(),
            seq: one.event.seq,
            status: one.status.as_str(),
            attempts: one.attempts.iter().map(|attempt| AttemptOut::new(attempt, zone)).collect(),
            next_attempt_at: waits(one).then(|| moment(one.due.div_euclid(1000), zone)),
        });
        DeliveriesOut {
            data: data.collect(),
            limit: asked.limit,
            offset: asked.offset,
            total_count: total,
            query: Echo::of(call),
        }
    }
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
                "`waiting`, `delivered`, or `failed`: the dead letters.",
                "failed",
            ),
            Parameter::of::<Limit>(
                "limit",
                "How many messages the page has at the most; 50 unless given.",
                50,
            ),
            Parameter::of::<Offset>("offset", "How many messages come before the page.", 0),
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

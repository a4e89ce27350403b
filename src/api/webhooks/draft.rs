//! The body that creates or changes a webhook (events 21.1).

use std::sync::LazyLock;

use serde_json::Value;

use super::events::TYPES;
use crate::domain::{Invalid, Reason, Short, blank};
use crate::http::json::body_members::body;
use crate::http::json::request_body::{Member, flag_in};
use crate::http::json::values::MAX_JSON_INTEGER;
use crate::http::openapi::schema::LINE;
use crate::store::webhooks::WebhookSettings;
use crate::webhooks::WebhookTarget;

/// The values of `types`: every message type, and `*` for all of them.
pub(super) static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| [&["*".to_owned()][..], &TYPES].concat());

/// The values of `payload`: messages without the record, or with it.
static PAYLOADS: LazyLock<Vec<String>> = LazyLock::new(|| ["thin", "full"].map(str::to_owned).into());

body! {
/// The members of a body or form.
#[derive(Clone, Debug)]
pub struct WebhookDraft = "Webhook",
    "Um programa que é avisado das alterações. Os campos que podem ser gravados.",
    "A program that receives changes. Contains only the members that can be written.";

url: (String, WebhookTarget) = Required "url"
    by url_in, { "type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2000 } =>
    "Para onde vão as mensagens: `https://` em qualquer lugar, `http://` neste computador e em redes privadas. Sem \
     nome de usuário, sem endereço link-local ou multicast, e não este próprio servidor.",
    "The URL that receives the messages: `https://` anywhere, `http://` on this machine and in private \
     networks. No user name, no link-local or multicast address, and not this server itself.",
    "http://localhost:5678/webhook/pleito";
description: Short = Optional "description"
    by short_in, { "type": ["string", "null"], "maxLength": 200, "pattern": LINE } =>
    "Para que serve. No máximo 200 caracteres.",
    "The purpose of the webhook. At most 200 characters.",
    "n8n";
types: Vec<String> = Required "types" by types_in, { "type": "array", "items": { "enum": *WORDS }, "minItems": 1 } =>
    "Os tipos de mensagem que ele quer; `*` para todos.",
    "The types of messages that the webhook receives. `*` stands for all.",
    ["lawsuit.stage_changed", "publication.created"];
is_full: bool = Optional "payload" by payload_in, { "enum": ["thin", "full", null] } =>
    "O que as mensagens levam além da alteração: `thin`, se nada é informado, não leva nada do registro, e assim \
     nenhum dado pessoal sai daqui; `full` leva o registro como está no momento do envio, null acima de 256 KiB.",
    "The contents of messages in addition to the change. `thin`, the default, has nothing of the record, so \
     that no personal data is sent. `full` has the record as it is when the message is sent, or null above 256 \
     KiB.",
    "thin";
since: u64 = Optional "since" by number_in, { "type": ["integer", "null"], "minimum": 0, "maximum": MAX_JSON_INTEGER } =>
    "A alteração depois da qual ele começa, ao ser criado ou ativado; se nada é informado, a mais nova.",
    "The change after which the webhook starts when it is created or activated. Default: the newest.",
    null;
is_active: bool = Optional "active" by flag_in, { "type": ["boolean", "null"] } =>
    "Se mensagens são criadas e enviadas. Se nada é informado, true.",
    "True if messages are created and sent. Default: true.",
    true;
}

impl WebhookDraft {
    /// Reads the fields of the console's form, and returns their problems.
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
            since: Member::Absent,
        };
        (draft, wrong)
    }

    pub(super) fn target(&self) -> Option<&WebhookTarget> {
        self.url.get().map(|(_, target)| target)
    }

    /// The change after which the feed of the webhook begins.
    pub(super) fn since(&self) -> Option<u64> {
        self.since.get().copied()
    }

    /// Returns `true` if the draft sets `active` to true.
    pub(super) fn activates(&self) -> bool {
        self.is_active == Member::Set(true)
    }

    /// Returns the settings of a new webhook, or `None` if the URL or the types are missing or invalid.
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

    /// Applies the draft to existing settings.
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

/// Parses types. Returns each once, in the order of [`WORDS`], or only `*` if it is among them.
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

pub(super) fn types_in(value: &Value) -> Result<Vec<String>, Reason> {
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

fn url_in(value: &Value) -> Result<(String, WebhookTarget), Reason> {
    read_url(text_in(value)?)
}

fn short_in(value: &Value) -> Result<Short, Reason> {
    Short::parse(text_in(value)?)
}

fn payload_in(value: &Value) -> Result<bool, Reason> {
    match text_in(value)? {
        "thin" => Ok(false),
        "full" => Ok(true),
        _ => Err(Reason::NotAmong { words: PAYLOADS.as_slice() }),
    }
}

/// Reads the number of a change.
pub(super) fn number_in(value: &Value) -> Result<u64, Reason> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number
        .filter(|number| *number <= MAX_JSON_INTEGER)
        .ok_or(Reason::OutOfRange { least: 0, most: MAX_JSON_INTEGER })
}

//! The messages to webhooks, as the description's `webhooks` (events 21.3).

use serde_json::{Map, Value, json};

use super::operation::reference;
use crate::domain::{Bilingual, Lang};
use crate::http::describe::MessageDescription;

/// Tag of the messages. Differs from the tag of the webhook routes, because generated clients have a file for
/// each tag and kind of operation.
const TAG: Bilingual = ("Mensagens", "Messages");

const ABOUT: Bilingual = (
    "O que este servidor envia a cada webhook, por tipo de mensagem.",
    "The messages that this server sends to webhooks, by type.",
);

/// Headers of every message, by their names in the description.
const HEADERS: [&str; 3] = ["WebhookId", "WebhookTimestamp", "WebhookSignature"];

/// Returns the requests that this server sends, by message type.
pub(super) fn webhooks(messages: Vec<MessageDescription>, lang: Lang) -> Map<String, Value> {
    messages
        .into_iter()
        .map(|message| (message.ty.clone(), json!({ "post": operation(message, lang) })))
        .collect()
}

pub(super) fn tag(lang: Lang) -> Value {
    json!({ "name": lang.pick(TAG.0, TAG.1), "description": ABOUT })
}

fn operation(message: MessageDescription, lang: Lang) -> Value {
    let MessageDescription { ty, about, data } = message;
    json!({
        "operationId": id(&ty),
        "summary": about,
        "tags": [lang.pick(TAG.0, TAG.1)],
        // The signature authenticates the sender.
        "security": [],
        "parameters": HEADERS.map(|name| reference("parameters", name)),
        "requestBody": { "required": true, "content": { "application/json": { "schema": {
            "type": "object",
            "required": ["type", "timestamp", "data"],
            "properties": {
                "type": {
                    "type": "string", "const": ty,
                    "description": ("O tipo da mensagem.", "The type of the message."),
                },
                "timestamp": {
                    "type": "string", "format": "date-time", "examples": ["2026-11-21T13:30:00Z"],
                    "description": ("Quando aconteceu, em UTC.", "The time of the event, in UTC."),
                },
                "data": data,
            },
        }}}},
        "responses": {
            "2XX": { "description": (
                "A mensagem foi recebida, em até 20 segundos; com outra resposta, ela é enviada de novo.",
                "The message was received, within 20 seconds. After any other response, it is sent again.",
            )},
            "410": { "description": ("O webhook para de enviar.", "The webhook stops sending.") },
        },
    })
}

/// Returns the operation id of a message type, such as `onCustomerCreated`.
fn id(ty: &str) -> String {
    let mut name = "on".to_owned();
    for word in ty.split(['.', '_']) {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        name.push_str(&first.to_uppercase());
        name.push_str(rest);
    }
    name
}

/// Returns the headers of every message (Standard Webhooks 1.0.0).
pub(super) fn parameters() -> Value {
    json!({
        "WebhookId": {
            "name": "webhook-id", "in": "header", "required": true,
            "description": (
                "O nome da alteração e do tipo: o mesmo em cada nova tentativa.",
                "The id of the message, made of the change and the type. It is the same for every attempt.",
            ),
            "schema": { "type": "string" }, "example": "msg_4712_lawsuit_stage_changed",
        },
        "WebhookTimestamp": {
            "name": "webhook-timestamp", "in": "header", "required": true,
            "description": (
                "Quando esta tentativa foi feita, em segundos desde 1970.",
                "The time of this attempt, in seconds since 1970.",
            ),
            "schema": { "type": "integer", "minimum": 0 }, "example": 1_795_267_800,
        },
        "WebhookSignature": {
            "name": "webhook-signature", "in": "header", "required": true,
            "description": (
                "`v1,` e o HMAC-SHA-256 de `id.timestamp.corpo` em base64; dois, com um espaço, enquanto o segredo anterior vale.",
                "`v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64. Two of them, separated by a \
                 space, while the previous secret is valid.",
            ),
            "schema": { "type": "string" }, "example": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        },
    })
}

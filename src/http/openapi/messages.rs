//! The messages to webhooks, as the description's `webhooks` (events 21.3).

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::operation::reference;
use crate::domain::{Bilingual, Lang};
use crate::http::openapi::describe::{MessageDescription, about};
use crate::http::openapi::schema::set;

/// Tag of the messages. Differs from the tag of the webhook routes, because generated clients have a file for
/// each tag and kind of operation.
const TAG: Bilingual = ("Mensagens", "Messages");

const ABOUT: Bilingual = (
    "O que este servidor envia a cada webhook, por tipo de mensagem.",
    "The messages that this server sends to webhooks, by type.",
);

/// Returns the requests that this server sends, by message type. Adds the schema of each type.
pub(super) fn webhooks(
    messages: Vec<MessageDescription>,
    generator: &mut SchemaGenerator,
    lang: Lang,
) -> Map<String, Value> {
    let described = |message: MessageDescription| {
        let name = name(&message.ty);
        let operation = operation(&message, &name, lang);
        generator.definitions_mut().insert(format!("{name}Message"), schema(&message));
        (message.ty, json!({ "post": operation }))
    };
    messages.into_iter().map(described).collect()
}

pub(super) fn tag(lang: Lang) -> Value {
    json!({ "name": lang.pick(TAG.0, TAG.1), "description": ABOUT })
}

fn schema(MessageDescription { ty, about, data }: &MessageDescription) -> Value {
    let [pt, en] = [Lang::Pt, Lang::En].map(|lang| about.pick(lang));
    let mut data = data.clone();
    if data.get("$ref").is_some() {
        set(&mut data, "description", json!(("O que aconteceu.", "The event.")));
    }
    json!({
        "type": "object",
        "description": about!("A mensagem: {pt}.", "The message: {en}."),
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
    })
}

fn operation(MessageDescription { about, .. }: &MessageDescription, name: &str, lang: Lang) -> Value {
    json!({
        "operationId": format!("on{name}"),
        "summary": about,
        "tags": [lang.pick(TAG.0, TAG.1)],
        // The signature authenticates the sender.
        "security": [],
        // A client sends no messages: generators make the types of messages only.
        "x-internal": true,
        "parameters": headers(),
        "requestBody": { "required": true, "content": { "application/json": {
            "schema": reference("schemas", &format!("{name}Message")),
        }}},
        "responses": {
            "2XX": { "description": (
                "A mensagem foi recebida, em até 20 segundos; com outra resposta, ela é enviada de novo.",
                "The message was received, within 20 seconds. After any other response, it is sent again.",
            )},
            "410": { "description": ("O webhook para de enviar.", "The webhook stops sending.") },
        },
    })
}

/// Returns the name of a message type, such as `CustomerCreated`.
fn name(ty: &str) -> String {
    let mut name = String::new();
    for word in ty.split(['.', '_']) {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        name.push_str(&first.to_uppercase());
        name.push_str(rest);
    }
    name
}

/// Returns the headers of every message (Standard Webhooks 1.0.0). Generated clients have no type for a header of a
/// message that is a reference.
fn headers() -> Value {
    json!([
        {
            "name": "webhook-id", "in": "header", "required": true,
            "description": (
                "O nome da alteração e do tipo: o mesmo em cada nova tentativa.",
                "The id of the message, made of the change and the type. It is the same for every attempt.",
            ),
            "schema": { "type": "string" }, "example": "msg_4712_lawsuit_stage_changed",
        },
        {
            "name": "webhook-timestamp", "in": "header", "required": true,
            "description": (
                "Quando esta tentativa foi feita, em segundos desde 1970.",
                "The time of this attempt, in seconds since 1970.",
            ),
            "schema": { "type": "integer", "minimum": 0 }, "example": 1_795_267_800,
        },
        {
            "name": "webhook-signature", "in": "header", "required": true,
            "description": (
                "`v1,` e o HMAC-SHA-256 de `id.timestamp.corpo` em base64; dois, com um espaço, enquanto o segredo anterior vale.",
                "`v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64. Two of them, separated by a \
                 space, while the previous secret is valid.",
            ),
            "schema": { "type": "string" }, "example": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        },
    ])
}

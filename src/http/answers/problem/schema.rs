//! The JSON Schema of problems, for the description.

use std::collections::BTreeMap;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::Problem;
use crate::domain::Reason;
use crate::domain::lang::Word;
use crate::http::json::answer_members::answer;
use crate::http::openapi::sentence::about;
use crate::records::{TABLES, Type};

answer! {
pub struct ProblemOut as "Problem" [transform = add_holders] = "O formato de todos os erros.",
    "The format of every error.";

error: String [example = &"name is required"] =>
    "O que deu errado, em uma frase.",
    "The error as a sentence.";
message: String [example = &"name is required"] =>
    "A mesma frase: há programas que leem um nome e há os que leem o outro.",
    "The same sentence as `error`, for clients that read this name.";
code: String [extend("enum" = Problem::codes()), example = &"invalid"] =>
    "O que deu errado, para programas: não muda.",
    "The stable code of the error, for programs.";
#[serde(skip_serializing_if = "BTreeMap::is_empty")]
errors: BTreeMap<String, Vec<String>> [example = json!({ "name": ["is required"] })] =>
    "Só no 422: para cada campo errado, o que seria certo. Vazio se o registro está em uso por outros que quem pede não vê.",
    "For each wrong field, what would be right. Only on 422. Empty if a record is in use by others that the caller may not \
     see.";
#[serde(skip_serializing_if = "BTreeMap::is_empty")]
reasons: BTreeMap<String, Vec<String>> [schema_with = "reasons", example = json!({ "name": ["required"] })] =>
    "Só no 422: para cada campo errado, os códigos das suas frases, que não mudam.",
    "For each wrong field, the codes of its sentences, which are stable. Only on 422.";
#[serde(skip_serializing_if = "Option::is_none")]
customer_id: Option<u32> [with = "u32", range(min = 1), example = 17] =>
    "Só no 422 `duplicate`: o cliente que já existe; e no 409 `merged-on`: o que foi unido depois.",
    "The customer that exists already, on 422 `duplicate`; the one that was merged on, on 409 `merged-on`.";
#[serde(skip_serializing_if = "Option::is_none")]
movement_id: Option<u32> [with = "u32", range(min = 1), example = 77] =>
    "Só no 422 `duplicate`: o andamento que já tem esse código de outro sistema.",
    "The movement that already has this id of another system. Only on 422 `duplicate`.";
#[serde(skip_serializing_if = "Option::is_none")]
publication_id: Option<u32> [with = "u32", range(min = 1), example = 12] =>
    "Só no 422 `duplicate`: a publicação que já tem esse código de outro sistema.",
    "The publication that already has this id of another system. Only on 422 `duplicate`.";
#[serde(skip_serializing_if = "Option::is_none")]
document_id: Option<u32> [with = "u32", range(min = 1), example = 8] =>
    "Só no 422 `duplicate`: o documento que já tem esse código de outro sistema.",
    "The document that already has this id of another system. Only on 422 `duplicate`.";
#[serde(skip_serializing_if = "Option::is_none")]
post_id: Option<u32> [with = "u32", range(min = 1), example = 9] =>
    "Só no 422 `duplicate`: a tarefa que já existe.",
    "The task that exists already. Only on 422 `duplicate`.";
#[serde(skip_serializing_if = "Option::is_none")]
transaction_id: Option<u32> [with = "u32", range(min = 1), example = 31] =>
    "Só no 422 `duplicate`: o lançamento que já tem esse código de outro sistema.",
    "The transaction that already has this id of another system. Only on 422 `duplicate`.";
#[serde(skip_serializing_if = "Option::is_none")]
candidates: Option<Vec<u32>> [schema_with = "candidates", example = json!([{ "customer_id": 17, "matched_by": "email" }])] =>
    "Só no 409 `ambiguous`: os registros que correspondem, cada um com o campo pelo qual foi encontrado.",
    "The records that match, each with the member by which it was found. Only on 409 `ambiguous`.";
#[serde(skip_serializing_if = "Option::is_none")]
deleted_at: Option<String> [with = "String", example = &"2026-11-21 11:02:10"] =>
    "Só no 404 e no 422 `duplicate`: quando o registro foi excluído.",
    "The time at which the record was deleted. Only on 404 and 422 `duplicate`.";
#[serde(skip_serializing_if = "Option::is_none")]
merged_into: Option<u32> [with = "u32", range(min = 1), example = 17] =>
    "Só no 404 e no 409 `merged-on`: o registro que tomou o lugar dele.",
    "The record that replaced this one in a merge. Only on 404 and 409 `merged-on`.";
#[serde(skip_serializing_if = "Option::is_none")]
user_id: Option<u32> [with = "u32", range(min = 1), example = 3] =>
    "Só no 409 `handed-on`: a pessoa cuja passagem se desfaz antes.",
    "The user whose hand-over is undone first. Only on 409 `handed-on`.";
}

/// Adds a member for the id of the existing record for every noun with external ids that has none above, before
/// `deleted_at`.
fn add_holders(schema: &mut Schema) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    let mut place = properties.keys().position(|name| name == "deleted_at").unwrap_or_default();
    for table in TABLES.iter().filter(|table| table.stored().any(|field| field.ty == Type::ExternalIds)) {
        let name = [table.singular(), "_id"].concat();
        if !properties.contains_key(&name) {
            let Word(pt, en) = table.noun;
            let about = about!(
                "Só no 422 `duplicate`: o registro ({pt}) que já tem esse código de outro sistema.",
                "The {en} that already has this id of another system. Only on 422 `duplicate`."
            );
            let id = json!({ "type": "integer", "minimum": 1, "description": about, "examples": [5] });
            properties.shift_insert(place, name, id);
            place += 1;
        }
    }
}

fn reasons(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object", "minProperties": 1,
        "additionalProperties": { "type": "array", "items": { "type": "string", "enum": Reason::codes() } },
    })
}

/// Each candidate has its id, under the name that the resource gives it.
fn candidates(_: &mut SchemaGenerator) -> Schema {
    let id = json!({
        "type": "integer", "minimum": 1, "description": ("O id.", "The record's id."), "examples": [17],
    });
    let ids = TABLES.iter().map(|table| ([table.singular(), "_id"].concat(), id.clone()));
    let by = json!({
        "type": "string", "examples": ["email"],
        "description": ("O campo pelo qual foi encontrado.", "The member by which it was found."),
    });
    let properties: serde_json::Map<_, _> = ids.chain([("matched_by".to_owned(), by)]).collect();
    json_schema!({
        "type": "array", "minItems": 2,
        "items": {
            "type": "object", "properties": properties, "required": ["matched_by"],
            "description": ("Um registro que corresponde.", "A record that matches."),
        },
    })
}

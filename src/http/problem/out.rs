//! The shape of problems, for the description.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;

use super::Problem;
use crate::domain::Reason;

/// The shape of every error.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O formato de todos os erros."), rename = "Problem")]
pub struct ProblemOut {
    /// What went wrong, as a sentence.
    #[schemars(extend("x-pt" = "O que deu errado, em uma frase."), example = &"name is required")]
    error: String,
    /// The same sentence: clients read one or the other.
    #[schemars(extend("x-pt" = "A mesma frase: há programas que leem um nome e há os que leem o outro."))]
    #[schemars(example = &"name is required")]
    message: String,
    /// What went wrong, for programs: stable.
    #[schemars(extend("x-pt" = "O que deu errado, para programas: não muda."))]
    #[schemars(extend("enum" = Problem::codes()), example = &"invalid")]
    code: String,
    /// On 422 only: for each wrong field what would be right.
    #[schemars(extend("x-pt" = "Só no 422: para cada campo errado, o que seria certo."))]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("minProperties" = 1), example = json!({ "name": ["is required"] }))]
    errors: BTreeMap<String, Vec<String>>,
    /// On 422 only: for each wrong field the codes of its sentences, which are stable.
    #[schemars(extend("x-pt" = "Só no 422: para cada campo errado, os códigos das suas frases, que não mudam."))]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "reasons", example = json!({ "name": ["required"] }))]
    reasons: BTreeMap<String, Vec<String>>,
    /// On 422 `duplicate` only: the customer that exists already.
    #[schemars(extend("x-pt" = "Só no 422 `duplicate`: o cliente que já existe."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 17)]
    customer_id: Option<u32>,
    /// On 422 `duplicate` only: the movement that has the name in another system already.
    #[schemars(extend("x-pt" = "Só no 422 `duplicate`: o andamento que já tem esse código de outro sistema."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 77)]
    movement_id: Option<u32>,
    /// On 422 `duplicate` only: the publication that has the name in another system already.
    #[schemars(extend("x-pt" = "Só no 422 `duplicate`: a publicação que já tem esse código de outro sistema."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 12)]
    publication_id: Option<u32>,
    /// On 422 `duplicate` only: the document that has the name in another system already.
    #[schemars(extend("x-pt" = "Só no 422 `duplicate`: o documento que já tem esse código de outro sistema."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 8)]
    document_id: Option<u32>,
    /// On 422 `duplicate` only: the task that exists already.
    #[schemars(extend("x-pt" = "Só no 422 `duplicate`: a tarefa que já existe."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 9)]
    post_id: Option<u32>,
    /// On 422 `duplicate` only: the transaction, likewise.
    #[schemars(extend("x-pt" = "Só no 422 `duplicate`: o lançamento que já tem esse código de outro sistema."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 31)]
    transaction_id: Option<u32>,
    /// On 404 and on 422 `duplicate` only: when the record was deleted.
    #[schemars(extend("x-pt" = "Só no 404 e no 422 `duplicate`: quando o registro foi excluído."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", example = &"2026-11-21 11:02:10")]
    deleted_at: Option<String>,
    /// On 404 only: the record that has taken its place.
    #[schemars(extend("x-pt" = "Só no 404: o registro que tomou o lugar dele."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1), example = 17)]
    merged_into: Option<u32>,
}

fn reasons(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object", "minProperties": 1,
        "additionalProperties": { "type": "array", "items": { "type": "string", "enum": Reason::CODES } },
    })
}

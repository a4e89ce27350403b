//! Labels of message types, and their schemas for the API description (events 21.2 and 21.3).

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::events::{FOUND, OPS, REPLACED, SETTINGS, SPECIAL, TYPES};
use crate::api::changes::resource_of;
use crate::api::console_pages::Pages;
use crate::api::routes::nouns::PAGES;
use crate::domain::lang::Word;
use crate::domain::{Bilingual, Lang};
use crate::http::json::values::MAX_JSON_INTEGER;
use crate::http::openapi::describe::{MessageDescription, Sentence, about};
use crate::http::openapi::schema::{self, set};
use crate::records::{List, TABLES};
use crate::store::journal::{CONFLICTS, Op, STORE};

/// Labels of the operations in message types.
const DONE: [(&str, Bilingual); 4] = [
    ("created", ("inclusão", "created")),
    ("updated", ("alteração", "changed")),
    ("deleted", ("exclusão", "deleted")),
    ("restored", ("restauração", "restored")),
];

/// Labels of the types that belong to no record.
const OTHERS: &[(&str, Bilingual)] = &[
    ("*", ("Tudo", "Everything")),
    ("settings.changed", ("Listas: alteração", "Lists: changed")),
    ("conflict.found", ("Conflito de interesses: novo", "Conflict of interest: found")),
    ("store.replaced", ("Dados: um backup voltou", "Data: a backup was restored")),
    ("webhook.test", ("Teste", "Test")),
];

/// Returns the label of a message type.
pub fn label(ty: &str, lang: Lang) -> String {
    let special = SPECIAL.iter().map(|special| (special.ty, special.label));
    if let Some((_, (pt, en))) = special.chain(OTHERS.iter().copied()).find(|(own, _)| *own == ty) {
        return lang.pick(pt, en).to_owned();
    }
    let (noun, op) = ty.split_once('.').unwrap_or((ty, ""));
    let table = TABLES.iter().find(|table| table.singular() == noun);
    let done = DONE.iter().find(|(word, _)| *word == op);
    match (table, done) {
        (Some(table), Some((_, (pt, en)))) => format!("{}: {}", table.many.title(lang), lang.pick(*pt, *en)),
        _ => ty.to_owned(),
    }
}

/// Returns every type of message, with the schema of its `data`.
pub fn messages(generator: &mut SchemaGenerator) -> Vec<MessageDescription> {
    let describe = |ty: &String| MessageDescription {
        ty: ty.clone(),
        about: Sentence::new(label(ty, Lang::Pt), label(ty, Lang::En)),
        data: data(ty, generator),
    };
    TYPES.iter().map(describe).collect()
}

fn data(ty: &str, generator: &mut SchemaGenerator) -> Value {
    let noun = ty.split('.').next().unwrap_or_default();
    match PAGES.iter().find(|pages| pages.table.singular() == noun) {
        Some(pages) => of_record(pages, generator),
        None if ty == SETTINGS => of_entry(),
        None if ty == FOUND => of_conflict(),
        None if ty == REPLACED => of_store(),
        None => of_test(),
    }
}

/// Adds the schema of `data` for a record type to the components, and returns a reference to it.
fn of_record(pages: &Pages, generator: &mut SchemaGenerator) -> Value {
    let table = pages.table;
    let name = [table.type_name, "Event"].concat();
    if !generator.definitions().contains_key(&name) {
        let Word(noun_pt, noun) = table.noun;
        let about = about!("O que se fez com um registro ({noun_pt}).", "A change of a {noun}.");
        let resource = json!({ "type": "string", "const": resource_of(table) });
        let record = json!({ "anyOf": [(pages.schema)(generator), { "type": "null" }] });
        let schema = event(about, resource, json!(OPS.map(Op::as_str)), schema::id(), record);
        generator.definitions_mut().insert(name.clone(), schema);
    }
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn of_entry() -> Value {
    let about =
        ("O que se fez com uma entrada das tabelas de apoio.", "A change of an entry of a reference list.");
    let resource = json!({ "type": "string", "enum": List::ALL.map(|list| resource_of(list.table())) });
    let ops = json!([Op::Created.as_str(), Op::Updated.as_str()]);
    event(about.into(), resource, ops, schema::id(), any_record())
}

fn any_record() -> Value {
    json!({ "type": ["object", "null"], "additionalProperties": true })
}

fn of_conflict() -> Value {
    let about = (
        "Um processo com um novo conflito de interesses: `GET /conflicts?lawsuit_id=…` diz qual.",
        "A lawsuit with a new conflict of interest. `GET /conflicts?lawsuit_id=…` returns it.",
    );
    let resource = json!({ "type": "string", "const": CONFLICTS });
    event(about.into(), resource, json!([Op::Created.as_str()]), schema::id(), any_record())
}

fn of_store() -> Value {
    let about = ("Que outros dados tomaram o lugar de tudo.", "A replacement of all data.");
    let resource = json!({ "type": "string", "const": STORE });
    let id = json!({ "type": "integer", "const": 0 });
    event(about.into(), resource, json!([Op::Replaced.as_str()]), id, any_record())
}

fn of_test() -> Value {
    let mut id = schema::id();
    set(&mut id, "description", json!(("O id do webhook.", "The id of the webhook.")));
    json!({
        "type": "object", "description": ("Nada além de para quem é.", "The webhook that the message is for."),
        "required": ["webhook_id"], "properties": { "webhook_id": id },
    })
}

/// Returns the schema of `data` for a change.
fn event(about: Sentence, mut resource: Value, ops: Value, mut id: Value, mut record: Value) -> Value {
    for (schema, about) in [
        (&mut resource, ("O recurso do registro.", "The record's resource.")),
        (&mut id, ("O id do registro; 0 para `store`.", "The record's id. 0 for `store`.")),
        (
            &mut record,
            (
                "Só com `payload` `full`: o registro como estava no momento do envio; null se não existe mais, e acima de \
                 256 KiB.",
                "The record as it was when the message was sent. Null if it no longer exists, and above 256 \
                 KiB. Only with `payload` set to `full`.",
            ),
        ),
    ] {
        set(schema, "description", json!(about));
    }
    json!({
        "type": "object",
        "description": about,
        "required": ["seq", "resource", "id", "op", "changed"],
        "properties": {
            "seq": {
                "type": "integer", "minimum": 1, "maximum": MAX_JSON_INTEGER, "examples": [4712],
                "description": ("O número da alteração em `GET /changes`.", "The number of the change in `GET /changes`."),
            },
            "resource": resource,
            "id": id,
            "op": { "type": "string", "enum": ops, "description": ("O que se fez.", "The kind of change.") },
            "changed": {
                "type": "array", "items": { "type": "string" },
                "description": (
                    "Os campos que mudaram, com os nomes que têm no registro; vazio se não foi uma alteração.",
                    "The names of the changed members, as in the record. Empty unless `op` is `updated`.",
                ),
            },
            "record": record,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_type_has_a_label_in_both_languages() {
        for ty in TYPES.iter() {
            let pt = label(ty, Lang::Pt);
            let en = label(ty, Lang::En);
            assert!(pt != en && pt != *ty && en != *ty, "{ty}: {pt}, {en}");
        }
    }
}

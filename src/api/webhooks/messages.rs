//! What messages are called, and what the description says of them (events 21.2 and 21.3).

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::draft::LARGEST;
use super::events::{OPS, REPLACED, SETTINGS, TYPES, singular};
use crate::api::changes::resource_of;
use crate::domain::id::Word;
use crate::domain::{Bilingual, Lang};
use crate::http::InAnswers;
use crate::http::describe::{MessageDescription, Sentence, about};
use crate::http::record::record_schema;
use crate::http::schema::{self, set};
use crate::records::{
    Customer, Document, Kind, Lawsuit, List, Movement, Publication, TABLES, Task, Transaction,
};
use crate::store::journal::{Op, STORE};

/// What was done to a record, as types call it.
const DONE: [(&str, Bilingual); 4] = [
    ("created", ("inclusão", "created")),
    ("updated", ("alteração", "changed")),
    ("deleted", ("exclusão", "deleted")),
    ("restored", ("restauração", "restored")),
];

/// The types beyond that.
const SPECIAL: [(&str, Bilingual); 12] = [
    ("*", ("Tudo", "Everything")),
    ("lawsuit.stage_changed", ("Processos: mudança de fase", "Lawsuits: another stage")),
    ("lawsuit.closed", ("Processos: encerramento", "Lawsuits: closed")),
    ("lawsuit.reopened", ("Processos: reabertura", "Lawsuits: reopened")),
    ("post.guest_completed", ("Tarefas: um responsável concluiu", "Tasks: somebody has done it")),
    ("post.completed", ("Tarefas: conclusão", "Tasks: done by all")),
    ("publication.treated", ("Publicações: tratamento", "Publications: dealt with")),
    ("transaction.paid", ("Lançamentos: pagamento", "Transactions: paid")),
    ("transaction.unpaid", ("Lançamentos: pagamento desfeito", "Transactions: not paid any more")),
    ("settings.changed", ("Listas: alteração", "Lists: changed")),
    ("store.replaced", ("Dados: um backup voltou", "Data: a backup was restored")),
    ("webhook.test", ("Teste", "Test")),
];

/// A type as people read it.
pub fn label(ty: &str, lang: Lang) -> String {
    let special = SPECIAL.iter().find(|(word, _)| *word == ty);
    if let Some((_, (pt, en))) = special {
        return lang.pick(*pt, *en).to_owned();
    }
    let (noun, op) = ty.split_once('.').unwrap_or((ty, ""));
    // What types call a record is what its page is called, but for one letter at the end.
    let table = TABLES.iter().find(|table| table.path.strip_suffix('s') == Some(noun));
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
    match TABLES.iter().map(|table| table.kind).find(|kind| singular(*kind) == noun) {
        Some(Kind::Customer) => of_record::<Customer>(generator),
        Some(Kind::Lawsuit) => of_record::<Lawsuit>(generator),
        Some(Kind::Task) => of_record::<Task>(generator),
        Some(Kind::Movement) => of_record::<Movement>(generator),
        Some(Kind::Publication) => of_record::<Publication>(generator),
        Some(Kind::Transaction) => of_record::<Transaction>(generator),
        Some(Kind::Document) => of_record::<Document>(generator),
        Some(Kind::List(_)) | None if ty == SETTINGS => of_entry(),
        Some(Kind::List(_)) | None if ty == REPLACED => of_store(),
        Some(Kind::List(_)) | None => of_test(),
    }
}

/// Adds the schema of what is told of a record of that noun, and refers to it.
fn of_record<R: InAnswers>(generator: &mut SchemaGenerator) -> Value {
    let name = [R::TABLE.type_name, "Event"].concat();
    if !generator.definitions().contains_key(&name) {
        let Word(noun_pt, noun) = R::TABLE.noun;
        let about = about!("O que se fez com um registro ({noun_pt}).", "What was done to a {noun}.");
        let resource = json!({ "type": "string", "const": resource_of(R::TABLE) });
        let record = json!({ "anyOf": [record_schema::<R>(generator), { "type": "null" }] });
        let schema = event(about, resource, json!(OPS.map(Op::as_str)), schema::id(), record);
        generator.definitions_mut().insert(name.clone(), schema);
    }
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn of_entry() -> Value {
    let about = (
        "O que se fez com uma entrada das tabelas de apoio.",
        "What was done to an entry of a reference list.",
    );
    let resource = json!({ "type": "string", "enum": List::ALL.map(|list| resource_of(list.table())) });
    let ops = json!([Op::Created.as_str(), Op::Updated.as_str()]);
    event(about.into(), resource, ops, schema::id(), any_record())
}

fn any_record() -> Value {
    json!({ "type": ["object", "null"], "additionalProperties": true })
}

fn of_store() -> Value {
    let about =
        ("Que outros dados tomaram o lugar de tudo.", "That other data took the place of everything.");
    let (resource, id) =
        (json!({ "type": "string", "const": STORE }), json!({ "type": "integer", "const": 0 }));
    event(about.into(), resource, json!([Op::Replaced.as_str()]), id, any_record())
}

fn of_test() -> Value {
    let mut id = schema::id();
    set(&mut id, "description", json!(("O id do webhook.", "The id of the webhook.")));
    json!({
        "type": "object", "description": ("Nada além de para quem é.", "Nothing but whom it is for."),
        "required": ["webhook_id"], "properties": { "webhook_id": id },
    })
}

/// What a message tells of a change.
fn event(about: Sentence, mut resource: Value, ops: Value, mut id: Value, mut record: Value) -> Value {
    for (schema, about) in [
        (&mut resource, ("O recurso do registro.", "The record's resource.")),
        (&mut id, ("O id do registro; 0 para `store`.", "The record's id; 0 for `store`.")),
        (
            &mut record,
            (
                "Só com `payload` `full`: o registro como estava no momento do envio; null se não existe mais, e acima de \
                 256 KiB.",
                "With `payload` `full` alone: the record as it was when the message was sent; null if it is gone, and \
                 above 256 KiB.",
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
                "type": "integer", "minimum": 1, "maximum": LARGEST, "examples": [4712],
                "description": ("O número da alteração em `GET /changes`.", "The number of the change in `GET /changes`."),
            },
            "resource": resource,
            "id": id,
            "op": { "type": "string", "enum": ops, "description": ("O que se fez.", "What was done.") },
            "changed": {
                "type": "array", "items": { "type": "string" },
                "description": (
                    "Os campos que mudaram, com os nomes que têm no registro; vazio se não foi uma alteração.",
                    "The members that differ, as the record has them; empty unless it was updated.",
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
    fn every_type_is_said_in_both_languages() {
        for ty in TYPES.iter() {
            let (pt, en) = (label(ty, Lang::Pt), label(ty, Lang::En));
            assert!(pt != en && pt != *ty && en != *ty, "{ty}: {pt}, {en}");
        }
    }
}

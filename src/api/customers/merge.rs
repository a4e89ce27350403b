//! Merges two customers that are the same person (resources 18).

use super::wire::ChangedOut;
use crate::api::record::present;
use crate::domain::{Bilingual, ExternalIds, Invalid, Notes, Reason};
use crate::http::body_members::body;
use crate::http::input::{New, ensure_valid};
use crate::http::{Call, Problem, Update};
use crate::records::{Customer, CustomerId, FieldType, Nouns, Record, Type, Value};
use crate::store::records::by_id;
use crate::store::{Tx, records, trash};

/// Explains POST /customers/{id}/merge in the API description.
pub const MERGING: Bilingual = (
    "Para dois cadastros que são a mesma pessoa: todo registro que aponta para `from` passa a apontar para este \
     cliente, o que aqui está vazio é preenchido de lá, as anotações de `from` vêm depois das daqui, e `from` vai para \
     a lixeira, onde responde 404 com `merged_into`. Trazê-lo de volta não desfaz o resto; \
     `POST /customers/{id}/merge/undo` desfaz tudo.",
    "Merges two customers that are the same person. Every record that refers to `from` refers to this customer \
     afterwards, empty members of this customer are filled from `from`, and the notes of `from` follow those here. \
     `from` moves to the trash, where it responds with 404 and `merged_into`. Restoring it does not undo the rest; \
     `POST /customers/{id}/merge/undo` undoes everything.",
);

body! {
/// The body of POST /customers/{id}/merge.
#[derive(Debug)]
pub struct Merging = "CustomerMerge", "O cliente que é a mesma pessoa.",
    "The other customer, who is the same person.";

from: CustomerId = Required "from" => "O id do cliente que deixa de existir.", "The id of the record that is merged into the other and moved to the trash.", 2;
}

/// Merges the customer `from` into this one. Fails with 404 if this one does not exist, and with 422 if `from`
/// does not exist or is this one, or if records that the caller may not see refer to it.
pub fn merge(
    call: &Call<'_>,
    into: CustomerId,
    New { body, wrong }: New<Merging>,
) -> Result<Update<ChangedOut>, Problem> {
    present(call.db(), into)?;
    ensure_valid(wrong)?;
    let from = body.from.into_value().ok_or_else(|| Problem::from(Invalid::one("from", Reason::Required)))?;
    let now = call.app().now();
    let nouns = call.viewer().nouns;
    Ok(Update::new(move |tx| merge_in(tx, from, into, nouns, now).map(|()| into.into())))
}

fn merge_in(tx: Tx<'_>, from: CustomerId, into: CustomerId, nouns: Nouns, now: i64) -> Result<(), Problem> {
    let own = present(*tx, into)?;
    if from == into {
        return Err(Invalid::one("from", Reason::SameRecord).into());
    }
    let Some(other) = by_id(*tx, from)? else {
        return Err(Invalid::one("from", trash::why_missing(*tx, Customer::TABLE, from.get())?).into());
    };
    // As for a deletion, nothing that the caller may not see is changed.
    let pointing = trash::pointing(*tx, Customer::TABLE, from.get())?;
    if pointing.iter().any(|(table, _)| !nouns.has(table.kind)) {
        return Err(Problem::in_use(Vec::new()));
    }
    let other: Customer = other;
    let (mut filled, mut left) = (own.values(), other.values());
    for ((field, own), other) in Customer::TABLE.stored().zip(&mut filled).zip(&mut left) {
        if field.ty == Type::ExternalIds {
            let both = [&own, &other].map(|ids| ExternalIds::from_value((**ids).clone()).unwrap_or_default());
            *own = ExternalIds::joined(&both).to_value().into_owned();
            *other = field.fallback();
        } else if *own == Value::Null {
            // Unique values move to the remaining customer; other values are copied.
            *own = if field.unique { std::mem::replace(other, Value::Null) } else { other.clone() };
        } else if let (Type::Text(_), Value::Text(notes), Value::Text(more)) = (field.ty, &*own, &*other) {
            *own = Value::Text(joined(notes, more).into());
        }
    }
    let whole = |values: Vec<Value<'_>>| {
        Customer::build(values).ok_or_else(|| Problem::internal("a customer lacks something after a merge"))
    };
    let (filled, left) = (whole(filled)?, whole(left)?);
    records::update(tx, from, &left, now)?;
    records::update(tx, into, &filled, now)?;
    Ok(trash::merge(tx, Customer::TABLE, from.get(), into.get(), now)?)
}

/// Joins the notes of two records. If they are too long together, the first ones are kept.
pub fn joined(notes: &str, more: &str) -> String {
    if notes.contains(more.trim()) {
        return notes.to_owned();
    }
    let both = [notes.trim_end(), more].join("\n\n");
    if Notes::parse(&both).is_ok() { both } else { notes.to_owned() }
}

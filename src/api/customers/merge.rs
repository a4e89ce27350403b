//! Merges two customers that are the same person (resources 18).

use super::wire::ChangedOut;
use crate::api::conflicts::decisions;
use crate::api::record::present;
use crate::domain::{Bilingual, ExternalIds, Invalid, Notes, Reason, Situation};
use crate::http::json::body_members::body;
use crate::http::json::request_body::{New, ensure_valid};
use crate::http::{Call, Problem, Update};
use crate::records::{Customer, CustomerId, Field, FieldType, Nouns, Record, Type, Value};
use crate::store::records::by_id;
use crate::store::records::merges;
use crate::store::{Tx, records, trash};

/// Explains POST /customers/{id}/merge in the API description.
pub const MERGING: Bilingual = (
    "Para dois cadastros que são a mesma pessoa: todo registro que aponta para `from` passa a apontar para este \
     cliente, o que aqui está vazio é preenchido de lá, as anotações de `from` vêm depois das daqui, quem lá faleceu fica \
     falecido aqui, e `from` vai para \
     a lixeira, onde responde 404 com `merged_into`. Trazê-lo de volta não desfaz o resto; \
     `POST /customers/{id}/merge/undo` desfaz tudo. Anotações ou `external_ids` que juntos passam do limite são recusados \
     com 422.",
    "Merges two customers that are the same person. Every record that refers to `from` refers to this customer \
     afterwards, empty members of this customer are filled from `from`, the notes of `from` follow those here, and a \
     customer who is deceased there is deceased here. Notes or external ids that are too many together are refused with 422. \
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
/// does not exist or is this one, if records that the caller may not see refer to it, or if the notes or external ids of
/// both are too many for one record.
pub fn merge(
    call: &Call<'_>,
    into: CustomerId,
    New { body, wrong }: New<Merging>,
) -> Result<Update<ChangedOut>, Problem> {
    present(call.db(), into)?;
    ensure_valid(wrong)?;
    let from = body.from.into_value().ok_or_else(|| Problem::from(Invalid::one("from", Reason::Required)))?;
    Ok(merge_keeping(call, into, from, Vec::new()))
}

/// Like [`merge`]. The members `kept` stay as they are in the record that stays, because a person chose so.
pub(super) fn merge_keeping(
    call: &Call<'_>,
    into: CustomerId,
    from: CustomerId,
    kept: Vec<&'static str>,
) -> Update<ChangedOut> {
    let now = call.app().now();
    let nouns = call.viewer().nouns;
    Update::new(move |tx| merge_in(tx, (from, into), &kept, nouns, now).map(|()| into.into()))
}

fn merge_in(
    tx: Tx<'_>,
    (from, into): (CustomerId, CustomerId),
    kept: &[&'static str],
    nouns: Nouns,
    now: i64,
) -> Result<(), Problem> {
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
    let mut stays = own.values();
    let mut left = other.values();
    for ((field, own), other) in Customer::TABLE.stored().zip(&mut stays).zip(&mut left) {
        if field.ty == Type::ExternalIds {
            let both = [&own, &other].map(|ids| ExternalIds::from_value((**ids).clone()).unwrap_or_default());
            let all = ExternalIds::of(ExternalIds::joined(&both).iter().cloned().collect());
            *own = all.map_err(|reason| Invalid::one(field.member, reason))?.to_value().into_owned();
            *other = field.fallback();
        } else if *own == Value::Null || !kept.contains(&field.member) {
            let is_moved = field.unique && *own == Value::Null;
            *own = filled(field, own, other).map_err(|reason| Invalid::one(field.member, reason))?;
            if is_moved {
                *other = Value::Null;
            }
        }
    }
    let whole = |values: Vec<Value<'_>>| {
        Customer::build(values).ok_or_else(|| Problem::internal("a customer lacks something after a merge"))
    };
    records::update(tx, from, &whole(left)?, now)?;
    records::update(tx, into, &whole(stays)?, now)?;
    merges::merge(tx, Customer::TABLE, from.get(), into.get(), now)?;
    Ok(decisions::set_basis_of_decisions(tx, into.get())?)
}

/// Returns the value that a member of the record that stays has with the one that goes. An empty one is filled in, notes follow,
/// and the deceased stay deceased. Fails if the notes are too long together.
pub(super) fn filled(field: &Field, own: &Value<'_>, other: &Value<'_>) -> Result<Value<'static>, Reason> {
    let deceased = Situation::Deceased.to_value();
    Ok(match (field.ty, own, other) {
        (_, Value::Null, other) => other.clone().into_owned(),
        (Type::Text(_), Value::Text(notes), Value::Text(more)) => Value::Text(joined(notes, more)?.into()),
        (Type::Situation, _, other) if *other == deceased => deceased.into_owned(),
        _ => own.clone().into_owned(),
    })
}

/// Joins the notes of two records. Fails if they are too long together.
pub fn joined(notes: &str, more: &str) -> Result<String, Reason> {
    if notes.contains(more.trim()) {
        return Ok(notes.to_owned());
    }
    let both = [notes.trim_end(), more].join("\n\n");
    Notes::parse(&both).map(|_| both)
}

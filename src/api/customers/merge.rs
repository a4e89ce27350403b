//! Two customers that are one person: everything of the one becomes the other's (resources 18).

use serde_json::json;

use super::wire::ChangedOut;
use crate::api::record::present;
use crate::domain::{Bilingual, Invalid, Reason};
use crate::http::describe::{MemberDescription, Need, Sentence};
use crate::http::input::{BodyReader, Members, New, PathId, ensure_valid};
use crate::http::record::described_as;
use crate::http::{Call, Problem, Update};
use crate::records::{Customer, CustomerId, Kind, Record, Type, Value};
use crate::store::records::by_id;
use crate::store::{Tx, records, trash};

/// What callers should know of POST /customers/{id}/merge.
pub const MERGING: Bilingual = (
    "Para dois cadastros que são a mesma pessoa: todo registro que aponta para `from` passa a apontar para este \
     cliente, o que aqui está vazio é preenchido de lá, e `from` vai para a lixeira, onde responde 404 com \
     `merged_into`. Trazê-lo de volta não desfaz o resto.",
    "For two customers that are the same person: every record that points to `from` then points to this one, what is \
     empty here is filled from there, and `from` goes into the trash, where it answers 404 with `merged_into`. \
     Bringing it back does not undo the rest.",
);

/// Which customer goes into the other.
#[derive(Debug)]
pub struct Merging {
    from: Option<CustomerId>,
}

impl Merging {
    /// Of that one into another.
    pub fn of(from: CustomerId) -> Merging {
        Merging { from: Some(from) }
    }
}

impl Members for Merging {
    fn name() -> String {
        "CustomerMerge".to_owned()
    }

    fn about() -> Sentence {
        ("O cliente que é a mesma pessoa.", "The customer that is the same person.").into()
    }

    fn read(reader: &mut BodyReader<'_>) -> Merging {
        Merging { from: reader.value(["from", ""], Need::Required).into_value() }
    }

    fn members() -> Vec<MemberDescription> {
        let ty = Type::Record(Kind::Customer);
        vec![described_as(
            "from",
            Need::Required,
            ty,
            ("O id do cliente que deixa de existir.", "The id of the one that goes."),
            json!(2),
        )]
    }
}

/// Merges another customer into this one.
///
/// # Errors
/// 404 where this one is not there, 422 where the other one is not, or is the same.
pub fn merge(
    call: &Call<'_>,
    PathId(into): PathId<Customer>,
    New { body, wrong }: New<Merging>,
) -> Result<Update<ChangedOut>, Problem> {
    present(call.db(), into)?;
    ensure_valid(wrong)?;
    let from = body.from.ok_or_else(|| Problem::from(Invalid::one("from", Reason::Required)))?;
    let now = call.app().now();
    Ok(Update::new(move |tx| merge_in(tx, from, into, now).map(|()| into.into())))
}

fn merge_in(tx: Tx<'_>, from: CustomerId, into: CustomerId, now: i64) -> Result<(), Problem> {
    let own = present(*tx, into)?;
    let Some(other) = by_id(*tx, from)?.filter(|_| from != into) else {
        return Err(Invalid::one("from", trash::why_missing(*tx, Customer::TABLE, from.get())?).into());
    };
    let other: Customer = other;
    let (mut filled, mut left) = (own.values(), other.values());
    for ((field, own), other) in Customer::TABLE.stored().zip(&mut filled).zip(&mut left) {
        if *own == Value::Null {
            // What no two customers share moves; of the rest both have it.
            *own = if field.unique { std::mem::replace(other, Value::Null) } else { other.clone() };
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

//! Opposing parties as a field value: an array of objects, or a text with one party per line (events 23.2).

use std::borrow::Cow;

use super::types::Type;
use super::value::{FieldType, Input, Value, read_id};
use crate::domain::parties::opposing_party::name;
use crate::domain::{OpposingParties, OpposingParty, Reason, TaxId};

/// Value of `by` for a party that an answer shows because of a customer's origin. Such a party belongs to
/// `customers` and is not stored as an opposing party.
const BY_ORIGIN: &str = "origin";

impl FieldType for OpposingParties {
    const TYPE: Type = Type::OpposingParties;

    fn read(input: &Input<'_>) -> Result<OpposingParties, Reason> {
        match input {
            Input::Text("[]") => Ok(OpposingParties::default()),
            Input::Text(text) => OpposingParties::parse(text),
            Input::List(all) => {
                let parties = all.iter().map(parties).collect::<Result<Vec<_>, _>>()?;
                OpposingParties::of(parties.concat())
            }
            _ => Err(Reason::NotOpposingParties),
        }
    }

    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Owned(self.to_json()))
    }

    fn from_value(value: Value<'_>) -> Option<OpposingParties> {
        if let Value::Text(json) = value { Some(OpposingParties::from_json(&json)) } else { None }
    }
}

/// Returns `true` if the opposing parties are the present ones, apart from what the server adds to these.
pub(super) fn are_contained(value: &Value<'_>, present: &Value<'_>) -> bool {
    let parties = |value: &Value<'_>| OpposingParties::from_value(value.clone()).unwrap_or_default();
    parties(value).is_contained_in(&parties(present))
}

/// Parses an element of an array: the parties of a text, or the party of an object. Returns nothing for a party that
/// follows from a customer's origin.
fn parties(input: &Input<'_>) -> Result<Vec<OpposingParty>, Reason> {
    if let Input::Text(text) = input {
        let parties = OpposingParties::parse(text)?;
        return if parties.is_empty() { Err(Reason::Blank) } else { Ok(parties.iter().cloned().collect()) };
    }
    let Input::Members(members) = input else { return Err(Reason::NotOpposingParties) };
    let is_blank = |value: &Input<'_>| matches!(value, Input::Text(text) if crate::domain::blank(text));
    let filled = |name: &str| {
        let own = members.iter().find(|(member, _)| *member == name).map(|(_, value)| value);
        own.filter(|value| !is_blank(value))
    };
    if matches!(filled("by"), Some(Input::Text(BY_ORIGIN))) {
        return Ok(Vec::new());
    }
    let line = |input: Option<&Input<'_>>| match input {
        Some(Input::Text(text)) => name(text).map(Some),
        Some(_) => Err(Reason::NotText),
        None => Ok(None),
    };
    let number = match filled("party_id") {
        Some(Input::Number(number)) => number.parse().unwrap_or(0),
        _ => 0,
    };
    let party = OpposingParty {
        number,
        customer: filled("customer_id").map(read_id::<()>).transpose()?.map(|id| id.get()),
        name: line(filled("name"))?,
        identification: filled("identification").map(TaxId::read).transpose()?,
        lawyer: line(filled("lawyer"))?,
    };
    if party.name.is_none() && party.customer.is_none() {
        return Err(Reason::NotOpposingParties);
    }
    Ok(vec![party])
}

//! Reduces a draft to what would change a record (events 22.2).

use super::Draft;
use crate::domain::{ExternalIds, Invalid, OpposingParties, Reason};
use crate::http::input::Member;
use crate::records::{FieldType, Record, Type, Value};

impl<R: Record> Draft<R> {
    /// Removes the members that the stored values `present` have already, and those that only a POST sets. With `fill`,
    /// also removes those that are not empty in `present`. External ids are added to the present ones. Fails if these are
    /// too many.
    pub fn reduce(&mut self, present: &[Value<'_>], fill: bool) -> Result<(), Invalid> {
        let mut wrong = Invalid::new();
        for (field, member) in self.members.iter_mut().filter(|(_, member)| *member != Member::Absent) {
            let own = R::TABLE.stored().zip(present).find(|(own, _)| own.column == field.column);
            let present = own.map_or(&Value::Null, |(_, value)| value);
            let reduced = match std::mem::replace(member, Member::Absent) {
                _ if own.is_none() || field.create_only => Member::Absent,
                Member::Set(value) if value == *present => Member::Absent,
                Member::Set(value) if field.ty == Type::ExternalIds => match added(&value, present) {
                    Ok(all) if all == *present => Member::Absent,
                    Ok(all) => Member::Set(all),
                    Err(reason) => {
                        wrong.add(field.member, reason);
                        Member::Absent
                    }
                },
                Member::Clear if fill || field.fallback() == *present => Member::Absent,
                Member::Set(_) if fill && !is_empty(present) => Member::Absent,
                Member::Set(value) if field.ty == Type::OpposingParties && is_contained(&value, present) => {
                    Member::Absent
                }
                member => member,
            };
            *member = reduced;
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Returns `true` if the draft sets or empties no member.
    pub fn is_empty(&self) -> bool {
        self.members.iter().all(|(_, member)| *member == Member::Absent)
    }
}

fn is_empty(value: &Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => *text == "[]",
        Value::Ids(ids) => ids.is_empty(),
        Value::Integer(_) => false,
    }
}

/// Returns the present external ids, followed by the new ones.
fn added(new: &Value<'_>, present: &Value<'_>) -> Result<Value<'static>, Reason> {
    let ids = |value: &Value<'_>| ExternalIds::from_value(value.clone()).unwrap_or_default();
    let all = ExternalIds::joined(&[ids(present), ids(new)]).to_value().into_owned();
    match all == *present {
        true => Ok(all),
        false => Ok(ExternalIds::of(ids(&all).iter().cloned().collect())?.to_value().into_owned()),
    }
}

/// Returns `true` if the opposing parties are the present ones, apart from what the server adds to these.
fn is_contained(value: &Value<'_>, present: &Value<'_>) -> bool {
    let parties = |value: &Value<'_>| OpposingParties::from_value(value.clone()).unwrap_or_default();
    parties(value).is_contained_in(&parties(present))
}

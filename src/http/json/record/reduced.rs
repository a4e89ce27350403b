//! Reduces a draft to what would change a record (events 22.2).

use serde_json::{Map, Value as Json};

use super::{Draft, read_value};
use crate::domain::{ExternalIds, Invalid, Reason};
use crate::http::answers::problem::Problem;
use crate::http::json::request_body::Member;
use crate::records::{Field, FieldType, Record, Type, Value};

impl<R: Record> Draft<R> {
    /// Removes the members that the stored values `present` have already, and those that only a POST sets. With `fill`,
    /// also removes those that are not empty in `present`. External ids are added to the present ones and never removed.
    /// Fails if these are too many.
    pub fn reduce(&mut self, present: &[Value<'_>], fill: bool) -> Result<(), Invalid> {
        let mut wrong = Invalid::new();
        for (field, member) in self.members.iter_mut().filter(|(_, member)| *member != Member::Absent) {
            let own = R::TABLE.stored().zip(present).find(|(own, _)| own.column == field.column);
            let present = own.map_or(&Value::Null, |(_, value)| value);
            let reduced = match std::mem::replace(member, Member::Absent) {
                _ if own.is_none() || field.create_only => Member::Absent,
                Member::Set(value) if field.is_unchanged_by(&value, present) => Member::Absent,
                Member::Set(value) if field.ty == Type::ExternalIds => match added(&value, present) {
                    Ok(all) if all == *present => Member::Absent,
                    Ok(all) => Member::Set(all),
                    Err(reason) => {
                        wrong.add(field.member, reason);
                        Member::Absent
                    }
                },
                Member::Clear if fill || field.ty == Type::ExternalIds || field.fallback() == *present => {
                    Member::Absent
                }
                Member::Set(_) if fill && !present.is_empty() => Member::Absent,
                member => member,
            };
            *member = reduced;
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Removes the members whose stored value in `present` is null and that responses show with the same value, taken from
    /// elsewhere. `shown` returns the record as responses show it.
    pub fn reduce_shown(
        &mut self,
        present: &[Value<'_>],
        shown: impl FnOnce() -> Result<Option<Map<String, Json>>, Problem>,
    ) -> Result<(), Problem> {
        let is_derived = |field: &&'static Field| {
            let stored = R::TABLE.stored().zip(present).find(|(own, _)| own.column == field.column);
            field.fallback_source.is_some() && stored.is_some_and(|(_, value)| *value == Value::Null)
        };
        if !self.named().any(|field| is_derived(&field)) {
            return Ok(());
        }
        let Some(shown) = shown()? else { return Ok(()) };
        for (field, member) in self.members.iter_mut().filter(|(field, _)| is_derived(field)) {
            let same = shown.get(field.shown).and_then(|value| read_value(field, value).ok());
            if member.get().is_some() && member.get() == same.as_ref() {
                *member = Member::Absent;
            }
        }
        Ok(())
    }

    /// Returns `true` if the draft sets or empties no member.
    pub fn is_empty(&self) -> bool {
        self.members.iter().all(|(_, member)| *member == Member::Absent)
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

//! What creating and changing have in common for all records: whether what they point to is there, and what the forms of
//! the console ask of a noun.

use serde::{Deserialize, Serialize};

use crate::domain::id::{Id, Noun};
use crate::domain::{Invalid, Reason};
use crate::http::input::{Edit, New, PathId, ensure_valid};
use crate::http::{Call, Draft, IfMatch, InAnswers, Problem, Write};
use crate::records::{Record, Type};
use crate::store::Db;
use crate::store::records::{self, missing};
use crate::store::settings::{self, List};

/// A record that people fill in as well, by the handlers of its routes.
pub trait InForms: InAnswers {
    /// A new one.
    ///
    /// # Errors
    /// Everything that is wrong.
    fn create(call: &Call<'_>, new: New<Draft<Self>>) -> Result<Write<NewRecord>, Problem>;

    /// A change of one.
    ///
    /// # Errors
    /// Everything that is wrong; 404 where there is no such record.
    fn change(
        call: &Call<'_>,
        id: PathId<Self::Kind>,
        body: Edit<Draft<Self>>,
        if_match: IfMatch,
    ) -> Result<Write<()>, Problem>;
}

/// What a page is told of a record that was made.
#[derive(Debug, Serialize, Deserialize)]
pub struct NewRecord {
    /// Its id.
    pub id: u32,
    /// The ids of others that may be the same.
    pub possible_duplicates: Vec<u32>,
}

/// The record that a POST makes, once nothing is wrong.
///
/// # Errors
/// Everything that is wrong.
pub(super) fn new_record<R: Record>(call: &Call<'_>, new: New<Draft<R>>) -> Result<R, Problem> {
    let New { body, mut wrong } = new;
    check(call, &body, None, &mut wrong)?;
    ensure_valid(wrong)?;
    body.build()
}

/// What a PUT changes, with the record as it is now; what is wrong so far is left to the caller to add to.
///
/// # Errors
/// 404 where there is no such record; why the store cannot be read.
pub(super) fn edit<R: Record>(
    call: &Call<'_>,
    id: Id<R::Kind>,
    edit: Edit<Draft<R>>,
) -> Result<(Draft<R>, R, Invalid), Problem> {
    let Edit { body, mut wrong } = edit;
    let present = present::<R>(call.db(), id)?;
    check(call, &body, Some(&present), &mut wrong)?;
    Ok((body, present, wrong))
}

/// The record with that id.
///
/// # Errors
/// 404 where there is none; why the store cannot be read.
pub(super) fn present<R: Record>(db: Db<'_>, id: Id<R::Kind>) -> Result<R, Problem> {
    records::by_id(db, id)?.ok_or_else(|| Problem::not_found(&R::Kind::WORD.title()))
}

/// Adds what is wrong with values that only the office's data and calendar can tell.
fn check<R: Record>(
    call: &Call<'_>,
    body: &Draft<R>,
    present: Option<&R>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    body.check(call.app().today(), wrong);
    let present = present.map(Record::values).unwrap_or_default();
    for (field, value) in body.values().filter(|(field, _)| field.is_stored()) {
        match (field.ty, value) {
            (Type::Reference(list), value) => {
                let kept = R::TABLE.stored().zip(&present).find(|(stored, _)| stored.column == field.column);
                let kept = kept.and_then(|(_, value)| value.id());
                check_reference(call.db(), wrong, field.member, list, value.id(), kept)?;
            }
            (Type::Links(to) | Type::Record(to), value) => {
                for id in missing(call.db(), to.table(), &value.ids())? {
                    wrong.add(field.member, Reason::UnknownRecord { noun: to.table().noun, id });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Adds what is wrong with an id that points to no entry which can be chosen. `kept` is the one that the record has
/// already: it may stay, also when it was deactivated since.
pub(super) fn check_reference(
    db: Db<'_>,
    wrong: &mut Invalid,
    field: &'static str,
    list: List,
    id: Option<u32>,
    kept: Option<u32>,
) -> Result<(), Problem> {
    if let Some(id) = id.filter(|id| Some(*id) != kept) {
        match settings::is_active(db, list, id)? {
            None => wrong.add(field, Reason::UnknownEntry { list: list.name(), id }),
            Some(false) => wrong.add(field, Reason::InactiveEntry { id }),
            Some(true) => {}
        }
    }
    Ok(())
}

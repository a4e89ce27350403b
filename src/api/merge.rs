//! Merging what an automation captured: as often as it sends the same, only what is new is made (resources 14.6).

use std::collections::HashSet;

use crate::domain::ExternalIds;
use crate::domain::id::Id;
use crate::http::Problem;
use crate::records::Record;
use crate::store::{self, Db, Tx, external_ids, records};

/// Records that are merged.
pub trait Mergeable: Record {
    /// The records that are equal to this one, as far as a merge is concerned, ascending.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn equal(&self, db: Db<'_>) -> Result<Vec<Id<Self>>, store::Error>;
}

/// What became of a record that was sent.
pub struct Merged<R> {
    /// Its id.
    pub id: Id<R>,
    /// The record, as it is now.
    pub record: R,
    /// Whether it was made.
    pub is_new: bool,
}

/// What is to be merged: the names that other systems have for it, and what it would be if it were new; none where nobody
/// could say to whom it belongs.
pub struct Sent<R> {
    /// The names.
    pub names: ExternalIds,
    /// The record.
    pub record: Option<R>,
}

/// Makes those that are not there yet. One with a name that is known is the record which has it; of the others, each is
/// another one of those that are equal to it, for as many as there are. Deleted ones are there too: what somebody took out does
/// not come back with the next capture.
///
/// # Errors
/// Why the store cannot be written.
pub fn merge<R: Mergeable>(
    tx: Tx<'_>,
    sent: Vec<Sent<R>>,
    now: i64,
) -> Result<Vec<Option<Merged<R>>>, Problem> {
    // Whatever has a name that is sent is that one, and no other's equal.
    let mut taken = HashSet::new();
    for one in &sent {
        taken.extend(named::<R>(*tx, &one.names)?.map(Id::get));
    }
    let mut merged = Vec::with_capacity(sent.len());
    for Sent { names, record } in sent {
        let known = match (named(*tx, &names)?, &record) {
            (None, Some(record)) if names.iter().next().is_none() => {
                record.equal(*tx)?.into_iter().find(|id| !taken.contains(&id.get()))
            }
            (named, _) => named,
        };
        merged.push(match (known, record) {
            (Some(id), _) => {
                let there = records::by_id_even_deleted(*tx, id)?;
                there.map(|record| Merged { id, record, is_new: false })
            }
            (None, Some(record)) => {
                let id = records::insert(tx, &record, now)?;
                Some(Merged { id, record, is_new: true })
            }
            (None, None) => None,
        });
        taken.extend(merged.last().and_then(|merged| Some(merged.as_ref()?.id.get())));
    }
    Ok(merged)
}

/// The record that has one of those names.
fn named<R: Record>(db: Db<'_>, names: &ExternalIds) -> Result<Option<Id<R>>, store::Error> {
    for name in names.iter() {
        if let Some(id) = external_ids::holder(db, R::TABLE, name)? {
            return Ok(Some(Id::from_stored(id)));
        }
    }
    Ok(None)
}

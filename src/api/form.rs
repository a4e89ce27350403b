//! What the resources share: whether an id points to something.

use crate::domain::{Invalid, Reason};
use crate::http::Problem;
use crate::store::Db;
use crate::store::settings::{self, List};

/// Adds what is wrong with an id that points to no entry which can be chosen. `kept` is the one that the record has
/// already: it may stay, also when it was deactivated since.
pub(super) fn refer(
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

/// Cannot be: that a required member is there was checked when the body was read.
pub(super) const UNREAD: &str = "a required member is missing after it was checked";

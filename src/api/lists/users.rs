//! What holds for the users of the office beyond other lists.

use crate::domain::{Invalid, Reason};
use crate::http::Problem;
use crate::records::{Access, List};
use crate::store::access::people;
use crate::store::{Db, lists};

/// Refuses to deactivate the last active user, without whom nothing new can have a responsible user.
pub(super) fn refuse_last(db: Db<'_>, id: u32) -> Result<(), Problem> {
    match lists::is_last_active(&lists::all(db, List::Users)?, id) {
        true => Err(Problem::from(Invalid::one("active", Reason::LastActive))),
        false => Ok(()),
    }
}

/// Fails with 403 if the user has access: only the owner ends or restores it (access 24).
pub(super) fn ensure_without_access(db: Db<'_>, id: u32) -> Result<(), Problem> {
    match people::find(db, id)? {
        Some(_) => Err(Problem::not_allowed(Access::Owner)),
        None => Ok(()),
    }
}

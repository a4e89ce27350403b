//! The person who asks about conflicts of interest, or lets one pass.

use crate::console::prelude::*;
use crate::console::sign_in::session::SignedIn;
use crate::store::settings;

/// The person who acts on a page.
pub(super) struct ActingPerson {
    /// `None` on the office machine.
    pub person: Option<SignedIn>,
    /// The user whom the owner has chosen as author there.
    author: Option<u32>,
}

impl ActingPerson {
    pub fn of(visit: &Visit) -> ActingPerson {
        ActingPerson { person: visit.person.clone(), author: visit.author.parse().ok() }
    }

    /// Returns the name of the person or the author. `None` for an owner without an author.
    pub fn name(&self, db: Db<'_>) -> StoreResult<Option<String>> {
        match (&self.person, self.author) {
            (Some(person), _) => Ok(Some(person.name.clone())),
            (None, Some(id)) => {
                let user = settings::by_id(db, List::Users, id)?;
                Ok(user.map(|user| user.name.as_str().to_owned()))
            }
            (None, None) => Ok(None),
        }
    }
}

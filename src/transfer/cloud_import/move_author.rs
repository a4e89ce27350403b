//! The person for whom a move writes (office 52).

use crate::auth::Caller;
use crate::store::imports::moves;
use crate::store::journal::{Actor, Who};
use crate::store::{Store, lists};
use crate::transfer::prelude::*;

/// Holds the name, because the lists of the source replace those of a new office, and with them the ids of people.
#[derive(Clone, Default)]
pub(super) struct MoveAuthor(Option<String>);

impl MoveAuthor {
    pub(super) fn of(caller: &Caller, store: &Store) -> StoreResult<MoveAuthor> {
        let Some(Who::Person(id)) = caller.who else { return Ok(MoveAuthor::default()) };
        let users = store.read(|db| lists::all(db, List::Users))?;
        let user = users.into_iter().find(|user| user.id == id);
        Ok(MoveAuthor(user.map(|user| user.name.as_str().to_owned())))
    }

    /// Makes the person of this name the author of the transaction, if there is one by now.
    pub(super) fn set(&self, tx: Tx<'_>, at: i64) -> StoreResult<()> {
        let ids = match &self.0 {
            Some(name) => moves::having(*tx, List::Users.table(), "name_key", &fold(name))?,
            None => Vec::new(),
        };
        tx.by(Actor::import(at).by(ids.first().copied().map(Who::Person)));
        Ok(())
    }
}

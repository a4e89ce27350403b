//! The person who signs a move (office 52).

use crate::auth::Caller;
use crate::store::imports::moves;
use crate::store::journal::{Actor, Who};
use crate::store::{Store, lists};
use crate::transfer::prelude::*;

/// Holds the name, because the lists of the source replace those of a new office, and with them the ids of people.
#[derive(Clone, Default)]
pub(super) struct Signer(Option<String>);

impl Signer {
    pub(super) fn of(caller: &Caller, store: &Store) -> StoreResult<Signer> {
        let Some(Who::Person(id)) = caller.who else { return Ok(Signer::default()) };
        let users = store.read(|db| lists::all(db, List::Users))?;
        let user = users.into_iter().find(|user| user.id == id);
        Ok(Signer(user.map(|user| user.name.as_str().to_owned())))
    }

    /// Signs the transaction for the person of this name, if there is one by now.
    pub(super) fn sign(&self, tx: Tx<'_>, at: i64) -> StoreResult<()> {
        let ids = match &self.0 {
            Some(name) => moves::having(*tx, List::Users.table(), "name_key", &fold(name))?,
            None => Vec::new(),
        };
        tx.by(Actor::import(at).by(ids.first().copied().map(Who::Person)));
        Ok(())
    }
}

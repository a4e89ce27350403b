//! The active people of the team, one of whom works in a browser.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::console::requests::sign_in::session::SignedIn;
use crate::http::Api;
use crate::records::List;
use crate::store::journal::affected_records::RowKind;
use crate::store::{Changes, lists};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::console) struct Colleague {
    pub id: u32,
    pub name: String,
}

/// The active people of the team, in the order of the list.
#[derive(Clone, Default)]
pub(in crate::console) struct Team(Arc<RwLock<Arc<[Colleague]>>>);

impl Team {
    /// Reads the team now and after each commit that changes it.
    pub fn follow(api: &Api) -> Team {
        let team = Team::default();
        let known = team.0.clone();
        let mut is_unknown = true;
        api.app().store().after_commit(Box::new(move |db, committed| {
            let is_changed = match committed.changes {
                Changes::These(changes) => changes.iter().any(|(kind, _)| *kind == RowKind::Settings),
                Changes::After(_) | Changes::Anything => true,
            };
            if is_changed || is_unknown {
                let users = lists::all(db, List::Users);
                is_unknown = users.is_err();
                let active = users.unwrap_or_default().into_iter().filter(|user| user.active);
                let colleagues =
                    active.map(|user| Colleague { id: user.id, name: user.name.as_str().to_owned() });
                *known.write() = colleagues.collect();
            }
        }));
        team
    }

    pub fn all(&self) -> Arc<[Colleague]> {
        self.0.read().clone()
    }

    /// Returns who works in a browser: the signed-in person, otherwise the only one or the one with the chosen id.
    pub fn acting(&self, signed_in: Option<&SignedIn>, chosen: Option<&str>) -> Option<Colleague> {
        if let Some(SignedIn { id, name, .. }) = signed_in {
            return Some(Colleague { id: *id, name: name.clone() });
        }
        let all = self.all();
        match &*all {
            [only] => Some(only.clone()),
            all => all.iter().find(|one| Some(one.id.to_string().as_str()) == chosen).cloned(),
        }
    }
}

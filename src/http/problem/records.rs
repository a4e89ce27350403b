//! What goes wrong with records that are not there any more, or that others need (resources 18).

use http::StatusCode;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::Problem;
use crate::domain::id::Noun as _;
use crate::domain::{Invalid, Lang, Reason};
use crate::http::sentence::Sentence;
use crate::http::wire::moment;
use crate::records::{AnyEntry, Table};
use crate::store::Db;
use crate::store::trash::{self, Deletion};

impl Problem {
    /// `If-Match` names another state than the present one.
    pub fn changed_meanwhile() -> Problem {
        let sentence = (
            "O registro foi alterado nesse meio-tempo; leia-o de novo.",
            "The record was changed meanwhile; read it again.",
        );
        Problem::new(StatusCode::PRECONDITION_FAILED, "changed-meanwhile", sentence)
    }

    /// A record like this one exists already: the one whose id `member` holds. `reason` is said as a whole sentence.
    pub fn duplicate(reason: Reason, member: &str, id: u32) -> Problem {
        let sentence = Sentence::new(reason.say(Lang::Pt), reason.say(Lang::En));
        let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "duplicate", sentence)
            .refusing(Invalid::one("duplicate", reason));
        problem.0.more.insert(member.to_owned(), json!(id));
        problem
    }

    /// A new record may be the same as these, and a page asks before it is stored. The API stores it, and names them.
    pub fn possible_duplicates(ids: &[u32]) -> Problem {
        let sentence = ("Talvez já haja um cadastro igual.", "There may be one already.");
        let mut problem = Problem::new(StatusCode::CONFLICT, "possible-duplicates", sentence);
        problem.0.more.insert("possible_duplicates".to_owned(), json!(ids));
        problem
    }

    /// The records that the refused one is, or may be, the same as.
    pub fn alike(&self) -> Vec<u32> {
        if !["duplicate", "possible-duplicates"].contains(&self.0.code) {
            return Vec::new();
        }
        let ids = self.0.more.values().flat_map(|ids| match ids {
            Value::Array(ids) => ids.iter().collect(),
            id => vec![id],
        });
        ids.filter_map(|id| id.as_u64()?.try_into().ok()).collect()
    }

    /// There is no record of that id, or none any more.
    pub fn no_record(db: Db<'_>, table: &Table, id: u32) -> Problem {
        // An entry is told apart from others by its path.
        let noun = if table.can_be_deleted() { table.noun } else { AnyEntry::WORD };
        let mut problem = Problem::not_found(noun);
        match trash::find(db, table, id) {
            Ok(deletion) => problem.0.deletion = deletion,
            Err(cause) => return Problem::from(cause),
        }
        problem
    }

    /// Says when the record was deleted, in the office's time zone.
    pub(in crate::http) fn in_zone(mut self, zone: &TimeZone) -> Problem {
        if let Some(Deletion { at, merged_into }) = self.0.deletion.take() {
            self.0.more.insert("deleted_at".to_owned(), json!(moment(at, zone)));
            if let Some(id) = merged_into {
                self.0.more.insert("merged_into".to_owned(), json!(id));
            }
        }
        self
    }

    /// Other records keep this one from being deleted: their ids by table.
    pub fn in_use(holding: Vec<(&'static Table, Vec<u32>)>) -> Problem {
        let sentence = ("O registro está em uso.", "The record is in use.");
        let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "in-use", sentence);
        let ids = |ids: Vec<u32>| ids.iter().map(u32::to_string).collect::<Vec<_>>();
        let errors: Map<String, Value> =
            holding.into_iter().map(|(table, own)| (table.path.to_owned(), json!(ids(own)))).collect();
        problem.0.more.insert("errors".to_owned(), Value::Object(errors));
        problem
    }

    /// The same problem with what is known of the deleted record that a new one is a duplicate of.
    pub fn of_deleted(mut self, deletion: Option<Deletion>) -> Problem {
        self.0.deletion = deletion;
        self
    }
}

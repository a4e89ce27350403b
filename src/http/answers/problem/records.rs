//! Problems with records that no longer exist, or that other records refer to (resources 18).

use http::StatusCode;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::Problem;
use crate::domain::id::Noun as _;
use crate::domain::{Invalid, Lang, Reason};
use crate::http::json::values::moment;
use crate::http::openapi::sentence::Sentence;
use crate::records::{AnyEntry, Table};
use crate::store::Db;
use crate::store::trash::{self, Deletion};

impl Problem {
    /// A record like this one exists: its id is in `member`, if the caller may see it. `reason` must be a complete sentence.
    pub fn duplicate(reason: Reason, member: &str, id: Option<u32>) -> Problem {
        let sentence = Sentence::new(reason.message(Lang::Pt), reason.message(Lang::En));
        let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "duplicate", sentence)
            .refusing(Invalid::one("duplicate", reason));
        problem.0.more.extend(id.map(|id| (member.to_owned(), json!(id))));
        problem
    }

    /// Several records fit what a request looks for. `candidates` has the id of each, which is called `member`, and the
    /// name of the member that it was found by.
    pub fn ambiguous(member: &str, candidates: &[(u32, &str)]) -> Problem {
        let mut problem = Problem::several_fit();
        let each = |(id, by): &(u32, &str)| json!({ member: id, "matched_by": by });
        problem.0.more.insert("candidates".to_owned(), candidates.iter().map(each).collect());
        problem
    }

    /// Similar records exist. A page asks before it stores the new record; the API stores it, and returns their ids.
    pub fn possible_duplicates(ids: &[u32]) -> Problem {
        let mut problem = Problem::may_be_there_already();
        problem.0.more.insert("possible_duplicates".to_owned(), json!(ids));
        problem
    }

    /// Joins what is wrong in two parts of one request. Another problem comes first.
    pub fn and(self, other: Problem) -> Problem {
        let wrong = match (self.wrong().is_empty(), other.wrong().is_empty()) {
            (true, _) => return self,
            (_, true) => return other,
            _ => [self.wrong(), other.wrong()].into_iter().cloned(),
        };
        let mut all = Invalid::new();
        wrong.for_each(|own| all.merge(own));
        self.refusing(all)
    }

    /// Returns the ids of the records that the refused one is, or may be, a duplicate of.
    pub fn duplicate_ids(&self) -> Vec<u32> {
        if !["duplicate", "possible-duplicates"].contains(&self.0.code) {
            return Vec::new();
        }
        let ids = self.0.more.values().flat_map(|ids| match ids {
            Value::Array(ids) => ids.iter().collect(),
            id => vec![id],
        });
        ids.filter_map(|id| id.as_u64()?.try_into().ok()).collect()
    }

    /// The record does not exist, or is deleted.
    pub fn no_record(db: Db<'_>, table: &Table, id: u32) -> Problem {
        // The path already names the list of an entry.
        let noun = if table.can_be_deleted() { table.noun } else { AnyEntry::WORD };
        let mut problem = Problem::not_found(noun);
        match trash::find(db, table, id) {
            Ok(deletion) => problem.0.deletion = deletion,
            Err(cause) => return Problem::from(cause),
        }
        problem
    }

    /// Adds the time of deletion, in the office's time zone, if the record is deleted.
    pub(in crate::http) fn in_zone(mut self, zone: &TimeZone) -> Problem {
        if let Some(Deletion { at, merged_into }) = self.0.deletion.take() {
            self.0.more.insert("deleted_at".to_owned(), json!(moment(at, zone)));
            if let Some(id) = merged_into {
                self.0.more.insert("merged_into".to_owned(), json!(id));
            }
        }
        self
    }

    /// Other records refer to this one, so it cannot be deleted. `holding` has the ids of those that the caller may see,
    /// by table.
    pub fn in_use(holding: Vec<(&'static Table, Vec<u32>)>) -> Problem {
        let mut problem = match holding.is_empty() {
            true => Problem::in_hidden_use(),
            false => Problem::record_in_use(),
        };
        let ids = |ids: Vec<u32>| ids.iter().map(u32::to_string).collect::<Vec<_>>();
        let errors: Map<String, Value> =
            holding.into_iter().map(|(table, own)| (table.path.to_owned(), json!(ids(own)))).collect();
        problem.0.more.insert("errors".to_owned(), Value::Object(errors));
        problem
    }

    /// A merge cannot be undone, because the customer that stayed was merged into another one.
    pub fn merged_on(stayed: u32, into: u32) -> Problem {
        let mut problem = Problem::merged_twice(stayed, into);
        problem.0.more.insert("customer_id".to_owned(), json!(stayed));
        problem.0.more.insert("merged_into".to_owned(), json!(into));
        problem
    }

    /// A hand-over cannot be undone, because user `to`, who got the work, handed it over later.
    pub fn handed_on(to: u32) -> Problem {
        let mut problem = Problem::handed_over_again(to);
        problem.0.more.insert("user_id".to_owned(), json!(to));
        problem
    }

    /// Returns the customer that was merged on, if that prevents the undo of a merge.
    pub fn merged_record(&self) -> Option<u32> {
        let stayed = self.0.more.get("customer_id").filter(|_| self.0.code == "merged-on");
        stayed?.as_u64()?.try_into().ok()
    }

    /// Sets the deletion of the record that a new one is a duplicate of.
    pub fn of_deleted(mut self, deletion: Option<Deletion>) -> Problem {
        self.0.deletion = deletion;
        self
    }
}

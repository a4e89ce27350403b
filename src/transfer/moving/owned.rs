//! The walk through what the other server lists of one record at a time, such as the movements of a lawsuit.

use serde_json::{Map, Value as Json};

use super::chunk::Chunk;
use super::error::MoveError;
use super::mover::Mover;
use super::plan::Owned;
use super::source::{OneAnswer, SourceAnswer};
use super::walk::listed;
use crate::records::{Document, Record as _, Table};
use crate::transfer::error::TransferError;

/// After so many records that have none of their own it is stored how far it is.
const FEW: u64 = 10;
/// How many records are looked up at once whose own are asked for.
const OWNERS: u32 = 100;

/// What is listed of one record.
enum Own {
    /// The records, and how many the server says that these are.
    Listed(Vec<Map<String, Json>>, u64),
    /// The server does not seem to have the route.
    NoRoute,
    /// It fails, or is refused, again and again: why.
    Failed(String),
}

impl Mover<'_> {
    /// Asks for what each record of the table `of` has, the newest first.
    pub(super) fn each(&mut self, owned: Owned<'_>, of: &'static Table) -> Result<(), TransferError> {
        let Owned { table, path, .. } = owned;
        if self.state.under_way().is_some_and(|step| step.came > 0) {
            self.source.routes.answer(&format!("{path}1"));
        }
        let mut denied = Vec::new();
        while !self.source.routes.is_missing(&format!("{path}1")) {
            let Some(below) = self.state.under_way().map(|step| step.at) else { break };
            let below = u32::try_from(below).unwrap_or(u32::MAX);
            let (owners, left) = self.owners(of, path, below, OWNERS)?;
            if let Some(step) = self.state.under_way() {
                step.requests = left;
            }
            if owners.is_empty() {
                break;
            }
            for owner in owners {
                let asked = format!("{path}{owner}");
                match self.own(&asked)? {
                    Own::Listed(records, total) => {
                        let rest = self.bring(owned, owner, records, total)?;
                        let Some(step) = self.state.went(owner) else { return Ok(()) };
                        // Most have none: how far it is, is stored now and then.
                        let is_due = left.saturating_sub(step.requests).is_multiple_of(FEW);
                        if is_due || !rest.is_empty() {
                            self.take_asked(table, rest, asked)?;
                        }
                    }
                    Own::Failed(why) => {
                        self.state.went(owner);
                        self.note_not_come(table, 0, asked, why)?;
                    }
                    Own::NoRoute => {
                        self.state.went(owner);
                        denied.push(asked);
                    }
                }
            }
        }
        let is_there = denied.iter().any(|asked| self.source.routes.is_there(asked));
        if !is_there && !denied.is_empty() && !owned.is_beside {
            return self.note_missing_route(table, path);
        }
        denied.truncate(if is_there { denied.len() } else { 0 });
        denied.into_iter().try_for_each(|asked| self.note_not_come(table, 0, asked, "401".to_owned()))
    }

    /// Asks once more for what one record has.
    pub(super) fn each_again(&mut self, owned: Owned<'_>, owner: u32) -> Result<(), TransferError> {
        let asked = format!("{}{owner}", owned.path);
        let Own::Listed(records, total) = self.own(&asked)? else { return Ok(()) };
        let rest = self.bring(owned, owner, records, total)?;
        self.take_asked(owned.table, rest, asked)
    }

    /// Counts what one record has, and brings the documents of it. Returns the other records, which are to be stored.
    fn bring(
        &mut self,
        owned: Owned<'_>,
        owner: u32,
        mut records: Vec<Map<String, Json>>,
        total: u64,
    ) -> Result<Vec<Map<String, Json>>, TransferError> {
        for record in &mut records {
            record.insert(owned.member.to_owned(), owner.into());
        }
        let came = records.len() as u64;
        if owned.table.kind == Document::KIND {
            for record in std::mem::take(&mut records) {
                self.document(record)?;
            }
        }
        if !owned.is_beside
            && let Some(step) = self.state.step_of(owned.path)
        {
            step.total += total;
            step.came += came;
        }
        Ok(records)
    }

    /// Stores what was listed at a path, which has not failed then.
    fn take_asked(
        &self,
        table: &'static Table,
        records: Vec<Map<String, Json>>,
        asked: String,
    ) -> Result<(), TransferError> {
        self.write(Chunk { records, asked: Some(asked), ..self.chunk(table)? }, None)
    }

    /// All that is listed of one record, and how many records the server says that these are.
    fn own(&mut self, path: &str) -> Result<Own, TransferError> {
        let mut all: Vec<Map<String, Json>> = Vec::new();
        let mut total = 0;
        loop {
            let mark = if path.contains('?') { '&' } else { '?' };
            let next = match all.len() {
                0 => path.to_owned(),
                got => format!("{path}{mark}offset={got}"),
            };
            let found = match self.ask_one(&next)? {
                OneAnswer::Found(SourceAnswer::Object(object)) => listed(object, path),
                OneAnswer::Found(SourceAnswer::Nothing) => Ok((Vec::new(), 0)),
                OneAnswer::Found(SourceAnswer::NoRoute) => return Ok(Own::NoRoute),
                OneAnswer::Found(SourceAnswer::Refused(status, said)) => {
                    Err(MoveError::Failed(path.to_owned(), status, said))
                }
                OneAnswer::Failed(error) => Err(error),
            };
            let (records, told) = match found {
                Ok(found) => found,
                Err(error) => return Ok(Own::Failed(error.reason(self.lang))),
            };
            total = total.max(told);
            // A server that knows no pages here gives the same again.
            let is_new = !records.is_empty() && records.first() != all.first();
            if is_new {
                all.extend(records);
            }
            if !is_new || all.len() as u64 >= total {
                let total = total.max(all.len() as u64);
                return Ok(Own::Listed(all, total));
            }
        }
    }
}

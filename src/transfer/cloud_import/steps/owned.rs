//! Walks through records that the source lists for one owner at a time, such as the movements of a lawsuit.

use super::walk::page_in;
use crate::store::imports::moves::MoveReason;
use crate::transfer::cloud_import::chunk::Chunk;
use crate::transfer::cloud_import::error::MoveError;
use crate::transfer::cloud_import::mover::Mover;
use crate::transfer::cloud_import::plan::Owned;
use crate::transfer::cloud_import::source::{OneAnswer, SourceAnswer};
use crate::transfer::prelude::*;

/// The position is stored after this many owners without records.
const EMPTY_OWNERS_PER_NOTE: u64 = 10;
const OWNERS: u32 = 100;

enum Own {
    /// The records, and the number that the server reports.
    Listed(Vec<JsonObject>, u64),
    NoRoute,
    /// The request was refused or failed repeatedly, for this reason.
    Failed(MoveReason),
}

impl Mover<'_> {
    /// Requests the records of each owner in the table `of`, the newest owner first.
    pub(in crate::transfer::cloud_import) fn each(
        &mut self,
        owned: Owned<'_>,
        of: &'static Table,
    ) -> Result<()> {
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
                let owner_path = format!("{path}{owner}");
                match self.own(&owner_path)? {
                    Own::Listed(records, total) => {
                        let rest = self.bring(owned, owner, records, total)?;
                        let Some(step) = self.state.went(owner) else { return Ok(()) };
                        // Most owners have no records, so the position is stored only now and then.
                        let is_due = left.saturating_sub(step.requests).is_multiple_of(EMPTY_OWNERS_PER_NOTE);
                        if is_due || !rest.is_empty() {
                            self.take_listed(table, rest, owner_path)?;
                        }
                    }
                    Own::Failed(why) => {
                        self.state.went(owner);
                        self.note_not_come(table, 0, &owner_path, why)?;
                    }
                    Own::NoRoute => {
                        self.state.went(owner);
                        denied.push(owner_path);
                    }
                }
            }
        }
        let is_there = denied.iter().any(|owner_path| self.source.routes.is_there(owner_path));
        if !is_there && !denied.is_empty() && !owned.is_beside {
            return self.note_missing_route(table, path);
        }
        denied.truncate(if is_there { denied.len() } else { 0 });
        denied
            .iter()
            .try_for_each(|owner_path| self.note_not_come(table, 0, owner_path, MoveReason::new(|_| "401")))
    }

    pub(in crate::transfer::cloud_import) fn each_again(
        &mut self,
        owned: Owned<'_>,
        owner: u32,
    ) -> Result<()> {
        let owner_path = format!("{}{owner}", owned.path);
        let Own::Listed(records, total) = self.own(&owner_path)? else { return Ok(()) };
        let rest = self.bring(owned, owner, records, total)?;
        self.take_listed(owned.table, rest, owner_path)
    }

    /// Counts the records of one owner and moves its documents. Returns the other records, which the caller stores.
    fn bring(
        &mut self,
        owned: Owned<'_>,
        owner: u32,
        mut records: Vec<JsonObject>,
        total: u64,
    ) -> Result<Vec<JsonObject>> {
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

    /// Stores the records listed at a path, and forgets an earlier failure of the path.
    fn take_listed(&self, table: &'static Table, records: Vec<JsonObject>, owner_path: String) -> Result<()> {
        self.write(Chunk { records, path: Some(owner_path), ..self.chunk(table)? }, None)
    }

    fn own(&mut self, path: &str) -> Result<Own> {
        let mut all: Vec<JsonObject> = Vec::new();
        let mut total = 0;
        loop {
            let mark = if path.contains('?') { '&' } else { '?' };
            let next = match all.len() {
                0 => path.to_owned(),
                got => format!("{path}{mark}offset={got}"),
            };
            let found = match self.ask_one(&next)? {
                OneAnswer::Found(SourceAnswer::Object(object)) => page_in(object, path),
                OneAnswer::Found(SourceAnswer::Nothing) => Ok((Vec::new(), 0)),
                OneAnswer::Found(SourceAnswer::NoRoute) => return Ok(Own::NoRoute),
                OneAnswer::Found(SourceAnswer::Refused(status, text)) => {
                    Err(MoveError::Failed(path.to_owned(), status, text))
                }
                OneAnswer::Failed(error) => Err(error),
            };
            let (records, reported) = match found {
                Ok(found) => found,
                Err(error) => return Ok(Own::Failed(error.reason())),
            };
            total = total.max(reported);
            // A server without pagination here returns the first page again.
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

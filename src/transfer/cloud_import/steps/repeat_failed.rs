//! Repeats the failed requests at the end of a move.

use crate::store::imports::moves::{self, MoveNote};
use crate::transfer::cloud_import::mover::Mover;
use crate::transfer::cloud_import::plan::table_named;
use crate::transfer::prelude::*;

const FAILURES_PER_READ: u32 = 100;

impl Mover<'_> {
    /// Repeats every failed request once. A request that fails again keeps its note.
    pub(in crate::transfer::cloud_import) fn repeat_failed(&mut self) -> Result<()> {
        loop {
            let Some(behind) = self.state.under_way().map(|step| step.at) else { return Ok(()) };
            let (failed, left) = self.store.read(move |db| moves::failed(db, behind, FAILURES_PER_READ))?;
            if let Some(step) = self.state.under_way() {
                step.requests = left;
            }
            if failed.is_empty() {
                return Ok(());
            }
            for (seq, note) in failed {
                self.repeat(&note)?;
                if let Some(step) = self.state.under_way() {
                    step.at = seq;
                    step.requests = step.requests.saturating_sub(1);
                }
                self.save()?;
            }
        }
    }

    fn repeat(&mut self, note: &MoveNote) -> Result<()> {
        let table = table_named(&note.resource);
        if table.kind == Document::KIND && note.id > 0 {
            return match serde_json::from_str(&note.said) {
                Ok(record) => self.document(record),
                Err(_) => Ok(()),
            };
        }
        if note.id > 0 {
            return self.by_id(table, note.id);
        }
        let walks: Vec<_> = self.state.steps.iter().map(|step| (step.table(), step.walk.clone())).collect();
        for (of_step, walk) in &walks {
            let Some(owned) = walk.owned(of_step) else { continue };
            let owner = note.member.strip_prefix(owned.path).and_then(|owner| owner.parse().ok());
            if let (true, Some(owner)) = (of_step.name == table.name, owner) {
                self.each_again(owned, owner)?;
            }
        }
        Ok(())
    }
}

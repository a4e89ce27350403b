//! What an assistant was shown of a customer or a case, on its page.

use crate::console::prelude::*;
use crate::store::access::assistant_reads::{self, AssistantRead};

/// The newest readings of a record.
pub(in crate::console) struct ReadingsBeside(Vec<AssistantRead>);

impl ReadingsBeside {
    const MAX_READINGS: u32 = 5;

    /// Reads the newest readings of a customer or a case. Returns `None` for records of other kinds, and if there are none.
    pub fn read(db: Db<'_>, table: &Table, id: u32) -> StoreResult<Option<ReadingsBeside>> {
        if ![Kind::Customer, Kind::Lawsuit].contains(&table.kind) {
            return Ok(None);
        }
        let reads = assistant_reads::of_record(db, table, id, ReadingsBeside::MAX_READINGS)?;
        Ok(Some(ReadingsBeside(reads)).filter(|beside| !beside.0.is_empty()))
    }

    /// Renders the readings for those who may see keys.
    pub fn render(&self, visit: &Visit) -> Markup {
        html! { @if visit.may(Access::Owner) {
            section.below {
                header {
                    h2 { (visit.pick("Mostrado a um assistente", "Shown to an assistant")) }
                    a.button href={ (BASE) "/assistants" } { (visit.pick("Assistentes", "Assistants")) }
                }
                ul.entries { @for read in &self.0 {
                    li { (moment(read.at, visit.zone(), visit.lang)) " · " (assistant_reads::author_name(read.who.as_ref(), visit.lang)) " · " code { (read.tool) } }
                } }
            }
        } }
    }
}

//! What an assistant was shown of a customer or a case, on its page.

use crate::console::prelude::*;
use crate::store::access::assistant_reads::{self, AssistantRead};

/// The newest reads of a record.
pub(in crate::console) struct AssistantReadsPanel(Vec<AssistantRead>);

impl AssistantReadsPanel {
    const MAX_READS: u32 = 5;

    /// Reads the newest reads of a customer or a case. Returns `None` for records of other kinds, and if there are none.
    pub fn read(db: Db<'_>, table: &Table, id: u32) -> StoreResult<Option<AssistantReadsPanel>> {
        if ![Kind::Customer, Kind::Lawsuit].contains(&table.kind) {
            return Ok(None);
        }
        let reads = assistant_reads::of_record(db, table, id, AssistantReadsPanel::MAX_READS)?;
        Ok(Some(AssistantReadsPanel(reads)).filter(|panel| !panel.0.is_empty()))
    }

    /// Renders the reads for those who may see keys.
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

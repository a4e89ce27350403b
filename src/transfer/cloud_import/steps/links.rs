//! Stores links between records that the source reports from one side only, or too late.

use crate::store::imports::moves;
use crate::store::records;
use crate::transfer::cloud_import::chunk::Chunk;
use crate::transfer::cloud_import::entries::Entries;
use crate::transfer::cloud_import::record::{Unreadable, read_links};
use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::prelude::*;

impl Chunk {
    /// Notes the links that a record reports from its side, because lawsuits of the live service may lack the
    /// ids of their customers. Adds a missing link to a record that is here already.
    pub(in crate::transfer::cloud_import) fn keep_links(
        &self,
        tx: Tx<'_>,
        id: u32,
        incoming: &JsonObject,
    ) -> StoreResult<()> {
        if !self.is_live {
            return Ok(());
        }
        for field in self.table.fields {
            let Source::LinkedBy(kind, column) = field.source else { continue };
            let Some(there) = kind.table().field(column) else { continue };
            let Source::Links(links, own, _) = there.source else { continue };
            for one in incoming.get(field.shown).and_then(Json::as_array).into_iter().flatten() {
                let Some(other) = one.get(own).and_then(number) else { continue };
                moves::link_came(tx, links, other, id, self.round)?;
                if moves::is_noted(*tx, kind.table(), other, there.shown)? {
                    records::add_links(tx, kind.table(), column, other, &[id])?;
                    moves::forget_noted(tx, kind.table(), other, there.shown, &format!("({id})"))?;
                }
            }
        }
        Ok(())
    }

    /// Adds only the missing links of a stored record, because the office may have changed the others.
    pub(in crate::transfer::cloud_import) fn link_again(
        &self,
        tx: Tx<'_>,
        id: u32,
        incoming: &JsonObject,
        entries: &mut Entries<'_>,
    ) -> StoreResult<()> {
        for field in self.table.stored() {
            if matches!(field.ty, Type::Links(Kind::List(_))) || !matches!(field.ty, Type::Links(_)) {
                continue;
            }
            if !moves::is_noted(*tx, self.table, id, field.shown)? {
                continue;
            }
            match read_links(*tx, self.table, incoming, id, field, entries, &self.context()) {
                Ok((ids, notes)) => {
                    records::add_links(tx, self.table, field.column, id, &ids)?;
                    moves::forget_noted(tx, self.table, id, field.shown, "")?;
                    notes.iter().try_for_each(|note| moves::note(tx, note))?;
                }
                Err(Unreadable::Stays(..)) => {}
                Err(Unreadable::Store(cause)) => return Err(cause),
            }
        }
        Ok(())
    }
}

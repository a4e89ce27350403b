//! Fetches by id the records that other records refer to but that no list contains. The live service omits
//! customers without an origin from its lists, and a record that moves across a page boundary meanwhile is on
//! neither page.

use crate::store::imports::moves;
use crate::transfer::cloud_import::mover::Mover;
use crate::transfer::cloud_import::source::{OneAnswer, SourceAnswer};
use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::prelude::*;

impl Mover<'_> {
    /// Fetches the records that `records` refer to and that have not been moved yet, so that they are stored first.
    pub(in crate::transfer::cloud_import) fn ask_for_named(
        &mut self,
        table: &'static Table,
        records: &[JsonObject],
    ) -> Result<()> {
        let mut named: Vec<(&'static Table, u32)> =
            records.iter().flat_map(|record| named_in(table, record)).collect();
        named.sort_unstable_by_key(|(to, id)| (to.name, *id));
        named.dedup_by_key(|(to, id)| (to.name, *id));
        let round = self.state.round;
        let (missing, known) = self.store.read(move |db| {
            let mut missing = Vec::new();
            let mut known = Vec::new();
            for (to, id) in named {
                match moves::last_seen(db, to, id)? {
                    Some(seen) if seen < round => known.push((to, id)),
                    Some(_) => {}
                    None if moves::exists(db, to, id)? => {}
                    None => missing.push((to, id)),
                }
            }
            Ok::<_, store::Error>((missing, known))
        })?;
        self.meet_again(known)?;
        for (to, id) in missing {
            if self.asked_by_id.insert((to.name, id)) {
                self.by_id(to, id)?;
            }
        }
        Ok(())
    }

    /// Marks records of an earlier round that others refer to as seen in this round, even if no list contains them.
    fn meet_again(&mut self, known: Vec<(&'static Table, u32)>) -> Result<()> {
        if known.is_empty() {
            return Ok(());
        }
        for (table, _) in &known {
            *self.state.by_id.entry(table.name.to_owned()).or_default() += 1;
        }
        let stored = self.stored_now()?;
        let round = self.state.round;
        let done: StoreResult<()> = self.store.write(move |tx| {
            for (table, id) in &known {
                moves::note_moved(tx, table, &id.to_string(), *id, round)?;
            }
            moves::store(tx, &stored)
        });
        Ok(done?)
    }

    /// Fetches one record by id and stores it if the source has it.
    pub(in crate::transfer::cloud_import) fn by_id(&mut self, table: &'static Table, id: u32) -> Result<()> {
        let path = format!("/{}/{id}", table.path);
        let mut record = match self.ask_one(&path)? {
            OneAnswer::Found(SourceAnswer::Object(record)) => record,
            // The record that refers to it gets a note about the missing link.
            OneAnswer::Found(_) => return Ok(()),
            OneAnswer::Failed(error) => {
                return self.note_not_come(table, id, &path, error.reason());
            }
        };
        if let Some(Json::Object(inner)) = record.remove("data") {
            record = inner;
        }
        if record.get("id").and_then(number) != Some(id) {
            return Ok(());
        }
        self.ask_for_named(table, std::slice::from_ref(&record))?;
        *self.state.by_id.entry(table.name.to_owned()).or_default() += 1;
        self.take(table, vec![record])
    }
}

/// Returns the records that a record refers to by id.
fn named_in(table: &Table, record: &JsonObject) -> Vec<(&'static Table, u32)> {
    let mut named = Vec::new();
    for field in table.stored() {
        let value =
            [field.shown, field.member, field.other_name].into_iter().find_map(|name| record.get(name));
        let Some(value) = value else { continue };
        match (field.ty, field.source) {
            (Type::Record(kind), _) => named.extend(number(value).map(|id| (kind.table(), id))),
            (Type::Links(kind), Source::Links(_, _, other)) if !matches!(kind, Kind::List(_)) => {
                let ids = value.as_array().into_iter().flatten();
                let ids = ids.filter_map(|one| number(one.get(other).unwrap_or(one)));
                named.extend(ids.map(|id| (kind.table(), id)));
            }
            _ => {}
        }
    }
    named
}

//! Builds a part from all rows of the store.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

use super::{Member, NounIndex};
use crate::domain::parties::similar_names::words::with_spellings;
use crate::index::field::{FieldIndex, IndexedField, held};
use crate::index::stop::Stop;
use crate::index::values::reference::Reference;
use crate::records::{Table, Type};
use crate::store::records::{Row, linked_names, search_all};
use crate::store::{self, Db, Store};

impl NounIndex {
    /// Reads all rows. Fails with `Closed` soon after `stop` is set. Stores the id of the record read last in
    /// `read`.
    ///
    /// Two threads read half of the fields each. They use connections of their own, so that no page cache
    /// stays full of rows that are not needed again. A concurrent write may be visible to only one of the
    /// threads, so the caller must then apply the journal from the number that it had before the call.
    pub(in crate::index) fn build(
        table: &'static Table,
        folder: &Path,
        zone: &TimeZone,
        stop: &Stop,
        read: &AtomicU32,
    ) -> Result<NounIndex, store::Error> {
        let member = |of: IndexedField| Some(Member { index: FieldIndex::of(of.field)?, of });
        let (of_names, mut members): (Vec<_>, Vec<_>) = IndexedField::all(table)
            .into_iter()
            .filter_map(member)
            .partition(|member| member.links().is_some());
        let parties = IndexedField::all(table).into_iter().find(|of| of.field.ty == Type::OpposingParties);
        members.extend(parties.map(|of| Member { of, index: FieldIndex::Parties(Box::default()) }));
        // Reading the names of other records takes about as long as reading the record's own fields.
        let beside = if of_names.is_empty() { members.split_off(half(&members)) } else { of_names };
        let read_beside = || {
            Store::read_once(folder, |db| {
                db.snapshot(|db| build_members(db, table, zone, stop, beside, |_, _| Ok(())))
            })
        };
        thread::scope(|scope| {
            let other = thread::Builder::new().name("pleito-index".to_owned());
            let other = other.spawn_scoped(scope, read_beside)?;
            let mut part = Store::read_once(folder, |db| {
                db.snapshot(|db| {
                    let reference = Reference::read(db)?;
                    let all = RoaringBitmap::new();
                    let deleted = RoaringBitmap::new();
                    let mut part = NounIndex { table, reference, all, deleted, members: Vec::new() };
                    part.members = build_members(db, table, zone, stop, members, |id, row| {
                        read.store(id, Ordering::Relaxed);
                        part.note(id, Some(row.deleted_at(table)?.is_some()));
                        Ok(())
                    })?;
                    Ok::<_, store::Error>(part)
                })
            })?;
            part.all.optimize();
            part.members.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic))?);
            Ok(part)
        })
    }
}

/// Returns the number of members whose indexes take about as long to fill as those of the others.
fn half(members: &[Member]) -> usize {
    let all: u32 = members.iter().map(|member| member.index.work()).sum();
    let mut before = 0;
    let first = members.iter().take_while(|member| {
        let middle = 2 * before + member.index.work();
        before += member.index.work();
        middle <= all
    });
    first.count()
}

/// Fills the indexes of these fields, and calls `see` with each row read for them.
fn build_members(
    db: Db<'_>,
    table: &Table,
    zone: &TimeZone,
    stop: &Stop,
    mut members: Vec<Member>,
    mut see: impl FnMut(u32, &Row<'_>) -> Result<(), store::Error>,
) -> Result<Vec<Member>, store::Error> {
    let mut linked = members.iter().filter_map(Member::links).collect::<Vec<_>>();
    linked.dedup();
    for links in linked {
        let mut of_links =
            members.iter_mut().filter(|member| member.links() == Some(links)).collect::<Vec<_>>();
        linked_names(db, table, links, None, |id, other, name| {
            for member in &mut of_links {
                match &mut member.index {
                    FieldIndex::Words(words) => words.add(id, &with_spellings(name)),
                    FieldIndex::Owners(owners) => owners.add(id, other),
                    _ => {}
                }
            }
            stop.check()
        })?;
    }
    let mut of_row = members.iter_mut().filter(|member| member.links().is_none()).collect::<Vec<_>>();
    if !of_row.is_empty() {
        let sources = of_row.iter().flat_map(|member| member.of.sources());
        let positions: BTreeSet<usize> = sources.map(|(at, _)| at).collect();
        search_all(db, table, &positions, |row| {
            let id = row.id()?;
            see(id, &row)?;
            for member in &mut of_row {
                member.index.set(id, &held(&member.of, &row, zone)?);
            }
            stop.check()
        })?;
    }
    for member in &mut members {
        stop.check()?;
        member.index.finish();
    }
    Ok(members)
}

//! Compares each record that a job has written with the notes about it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::OptionalExtension;
use rusqlite::types::ValueRef;

use super::Op;
use super::row_functions::{Before, Note, json, value};
use crate::records::Table;
use crate::store::journal::affected_records::{Change, RowKind};
use crate::store::records::sql::{self, PartSql, Sql};
use crate::store::{Db, Error, gone};

/// A record touched by a job.
pub(super) struct Written {
    pub(super) table: usize,
    pub(super) id: u32,
    /// The first change of its row; `None` if only rows of dependent tables changed.
    first: Option<FirstChange>,
    is_gone: bool,
    /// Previous values of its dependent rows, by part and key.
    parts: BTreeMap<(usize, i64), Option<i64>>,
}

enum FirstChange {
    Inserted,
    Updated(Before),
    Deleted,
}

impl Written {
    /// Groups the notes by record, in the order in which the records were first touched.
    pub(super) fn of(notes: Vec<Note>) -> Vec<Written> {
        let mut places: HashMap<(usize, u32), usize> = HashMap::new();
        let mut all: Vec<Written> = Vec::new();
        for note in notes {
            let (Note::Inserted { table, id }
            | Note::Updated { table, id, .. }
            | Note::Deleted { table, id }
            | Note::Part { table, id, .. }) = note;
            let place = *places.entry((table, id)).or_insert(all.len());
            if place == all.len() {
                let parts = BTreeMap::new();
                all.push(Written { table, id, first: None, is_gone: false, parts });
            }
            let Some(written) = all.get_mut(place) else { continue };
            let first = match note {
                Note::Inserted { .. } => FirstChange::Inserted,
                Note::Updated { before, .. } => FirstChange::Updated(before),
                Note::Deleted { .. } => FirstChange::Deleted,
                Note::Part { part, key, before, .. } => {
                    written.parts.entry((part, key)).or_insert(before);
                    continue;
                }
            };
            written.is_gone = matches!(first, FirstChange::Deleted);
            written.first.get_or_insert(first);
        }
        all
    }

    /// Returns `true` if the job created the record.
    pub(super) fn is_new(&self) -> bool {
        matches!(self.first, Some(FirstChange::Inserted))
    }

    /// Returns the combined operation of the job on this record, or `None` if the job both created and purged
    /// it. Adds to `changes` the records that this one no longer links to.
    pub(super) fn outcome(
        &self,
        db: Db<'_>,
        sql: &Sql,
        changes: &mut Vec<Change>,
    ) -> Result<Option<(Op, ChangedColumns)>, Error> {
        let mut difference = ChangedColumns::default();
        match (&self.first, self.is_gone) {
            (Some(FirstChange::Inserted), true) => return Ok(None),
            (Some(FirstChange::Inserted), false) => return Ok(Some((Op::Created, difference))),
            (_, true) => {
                changes.extend(self.parts.iter().filter_map(|((part, _), before)| {
                    let unlinked = RowKind::Unlinked(sql.journal.parts.get(*part)?.to?);
                    Some((unlinked, u32::try_from((*before)?).ok()?))
                }));
                return Ok(Some((Op::Purged, difference)));
            }
            _ => {}
        }
        let op = match &self.first {
            Some(FirstChange::Updated(before)) => {
                match (before.is_deleted, self.compare(db, sql, before, &mut difference, changes)?) {
                    (false, true) => Op::Deleted,
                    (true, false) => Op::Restored,
                    _ => Op::Updated,
                }
            }
            _ => Op::Updated,
        };
        if !self.parts.is_empty() {
            self.compare_parts(db, sql, &mut difference, changes)?;
        }
        Ok(Some((op, difference)))
    }

    /// Adds the columns whose values have changed. Returns `true` if the record is deleted now.
    fn compare(
        &self,
        db: Db<'_>,
        sql: &Sql,
        before: &Before,
        difference: &mut ChangedColumns,
        changes: &mut Vec<Change>,
    ) -> Result<bool, Error> {
        let mut statement = db.conn().prepare_cached(&sql.journal.now)?;
        let compared = statement.query_row([self.id], |row| {
            for (at, (column, before)) in sql.journal.columns.iter().zip(&before.values).enumerate() {
                if value(row.get_ref(at)?) != *before {
                    difference.add(column, json(before));
                    let points_to = sql.referring.iter().find(|own| own.column == *column);
                    let was = points_to.and_then(|own| own.to).zip(before.id());
                    changes.extend(was.map(|(kind, id)| (RowKind::Unlinked(kind), id)));
                }
            }
            Ok(row.get_ref(sql.journal.columns.len())? != ValueRef::Null)
        });
        compared.optional()?.ok_or_else(|| gone("a record"))
    }

    /// Adds the members stored in dependent tables whose rows have changed.
    fn compare_parts(
        &self,
        db: Db<'_>,
        sql: &Sql,
        difference: &mut ChangedColumns,
        changes: &mut Vec<Change>,
    ) -> Result<(), Error> {
        let parts = &sql.journal.parts;
        for (at, part) in parts.iter().enumerate() {
            let Some(kind) = part.to else { continue };
            let (before, now) = self.rows(db, at, part)?;
            let (known_before, known_now) = match known_of(parts, at) {
                Some(known) => {
                    let (before, now) = self.rows(db, at + 1, known)?;
                    (Some(before), Some(now))
                }
                None => (None, None),
            };
            let was = links_json(&before, known_before.as_ref());
            if was != links_json(&now, known_now.as_ref()) {
                difference.add(part.field.column, was);
            }
            let now: BTreeSet<_> = now.values().collect();
            let unlinked = before.values().filter(|other| !now.contains(other));
            let unlinked = unlinked.filter_map(|other| u32::try_from(*other).ok());
            changes.extend(unlinked.map(|other| (RowKind::Unlinked(kind), other)));
        }
        Ok(())
    }

    /// Returns the rows of one part by key: before the job, and now.
    fn rows(&self, db: Db<'_>, at: usize, part: &PartSql) -> Result<(PartRows, PartRows), Error> {
        let now = rows_now(db, part, self.id)?;
        let mut before = now.clone();
        for ((_, key), was) in self.parts.range((at, i64::MIN)..=(at, i64::MAX)) {
            match was {
                Some(value) => _ = before.insert(*key, *value),
                None => _ = before.remove(key),
            }
        }
        Ok((before, now))
    }
}

/// Returns the current columns of a record with their values as JSON, in the form that entries store old
/// values. Returns `None` if no such row exists. The caller opens a snapshot.
pub fn present_columns(
    db: Db<'_>,
    table: &Table,
    id: u32,
) -> Result<Option<Vec<(&'static str, String)>>, Error> {
    let known = sql::all().iter().find(|(known, _)| known.kind == table.kind);
    let (_, sql) = known.ok_or_else(|| gone("a table"))?;
    let mut statement = db.conn().prepare_cached(&sql.journal.now)?;
    let columns = statement.query_row([id], |row| {
        let columns = sql.journal.columns.iter().enumerate();
        columns.map(|(at, column)| Ok((*column, json(&value(row.get_ref(at)?))))).collect()
    });
    let Some(mut columns): Option<Vec<_>> = columns.optional()? else { return Ok(None) };
    let parts = &sql.journal.parts;
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.to.is_some()) {
        let known = known_of(parts, at).map(|known| rows_now(db, known, id)).transpose()?;
        columns.push((part.field.column, links_json(&rows_now(db, part, id)?, known.as_ref())));
    }
    Ok(Some(columns))
}

type PartRows = BTreeMap<i64, i64>;

/// Returns the part with the completion times of the guests in part `at`. It directly follows that part.
fn known_of(parts: &[PartSql], at: usize) -> Option<&PartSql> {
    parts.get(at + 1).filter(|known| known.to.is_none())
}

fn rows_now(db: Db<'_>, part: &PartSql, id: u32) -> Result<PartRows, Error> {
    let mut statement = db.conn().prepare_cached(&part.now)?;
    let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<PartRows, _>>()?)
}

/// Formats links as a JSON array of ids. If `known` is given, each element is a pair of id and completion time.
fn links_json(links: &PartRows, known: Option<&PartRows>) -> String {
    let each = links.values().map(|id| match known {
        None => id.to_string(),
        Some(known) => {
            let known = known.get(id).map_or("null".to_owned(), i64::to_string);
            format!("[{id},{known}]")
        }
    });
    ["[", &each.collect::<Vec<_>>().join(","), "]"].concat()
}

/// The changed columns and their previous values as JSON.
#[derive(Default)]
pub(super) struct ChangedColumns {
    pub(super) columns: Vec<&'static str>,
    pub(super) before: Vec<String>,
}

impl ChangedColumns {
    pub(super) fn add(&mut self, column: &'static str, before: String) {
        self.columns.push(column);
        self.before.push(before);
    }
    /// Returns the columns joined by commas, or `None` if there are none.
    pub(super) fn columns(&self) -> Option<String> {
        (!self.columns.is_empty()).then(|| self.columns.join(","))
    }

    /// Returns the previous values as a JSON array, or `None` if there are none.
    pub(super) fn values(&self) -> Option<String> {
        (!self.columns.is_empty()).then(|| ["[", &self.before.join(","), "]"].concat())
    }
}

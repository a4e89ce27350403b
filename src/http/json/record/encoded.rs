//! Records as JSON, written member by member.

use std::mem;

use bytes::Bytes;
use jiff::tz::TimeZone;
use schemars::{Schema, SchemaGenerator};
use serde::Serialize;

use crate::domain::Short;
use crate::http::json::values::{moment, write_value};
use crate::http::requests::viewer::Viewer;
use crate::records::{Field, FieldType, Record, Table, Type, Value};
use crate::store::records::{Row, show_deleted, show_each};
use crate::store::{self, Db};

/// A record that responses show. Most members follow from its table; the noun writes the others itself.
pub trait InAnswers: Record {
    /// Writes the members that are specific to the noun, in the order of its table.
    fn own(_: Db<'_>, _row: &Row<'_>, _members: &mut OwnMembers<'_>) -> Result<(), store::Error> {
        Ok(())
    }

    /// Returns the schema of such a member.
    fn own_schema(_member: &str, _: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// The parts of [`InAnswers`] that encoding needs, for code that is the same for all nouns.
#[derive(Clone, Copy)]
pub(in crate::http) struct Answers {
    pub table: &'static Table,
    own: fn(Db<'_>, &Row<'_>, &mut OwnMembers<'_>) -> Result<(), store::Error>,
}

impl Answers {
    pub fn of<R: InAnswers>() -> Answers {
        Answers { table: R::TABLE, own: R::own }
    }
}

/// The members of a record that its noun writes itself, as JSON.
pub struct OwnMembers<'z> {
    zone: &'z TimeZone,
    /// For each field of the table, `true` if the viewer sees it. Empty if the viewer sees all of them.
    seen: Vec<bool>,
    json: Vec<u8>,
    ends: Vec<usize>,
    failed: bool,
}

impl<'z> OwnMembers<'z> {
    fn new(viewer: &'z Viewer, table: &Table) -> OwnMembers<'z> {
        let seen = match viewer.sees_all() {
            true => Vec::new(),
            false => table.fields.iter().map(|field| viewer.sees(table, field)).collect(),
        };
        OwnMembers { zone: &viewer.zone, seen, json: Vec::new(), ends: Vec::new(), failed: false }
    }

    /// Formats a moment in seconds since 1970, as responses show it.
    pub fn moment(&self, seconds: i64) -> String {
        moment(seconds, self.zone)
    }

    pub fn add(&mut self, member: &impl Serialize) {
        self.failed |= serde_json::to_writer(&mut self.json, member).is_err();
        self.ends.push(self.json.len());
    }

    fn clear(&mut self) {
        self.json.clear();
        self.ends.clear();
    }

    fn get(&self, number: usize) -> Option<&[u8]> {
        let from = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.json.get(from..*self.ends.get(number)?)
    }
}

/// Encodes records as JSON with a reusable buffer.
#[derive(Default)]
pub(in crate::http) struct Encoded {
    /// Ids and JSON of the encoded records.
    records: Vec<(u32, Bytes)>,
    room: Vec<u8>,
}

impl Encoded {
    /// Returns an empty buffer for the next record.
    fn room(&mut self) -> Vec<u8> {
        self.room.clear();
        mem::take(&mut self.room)
    }

    /// Adds a record that was written into the buffer of [`Encoded::room`].
    fn add(&mut self, id: u32, json: Vec<u8>) {
        self.records.push((id, Bytes::copy_from_slice(&json)));
        self.room = json;
    }

    /// Reads the records with these ids, in that order. With `of_deleted` only deleted records are read,
    /// otherwise only the others.
    pub(in crate::http) fn read(
        db: Db<'_>,
        answers: Answers,
        ids: &[u32],
        of_deleted: bool,
        viewer: &Viewer,
    ) -> Result<Vec<(u32, Bytes)>, store::Error> {
        let mut encoded = Encoded::default();
        let mut own = OwnMembers::new(viewer, answers.table);
        let encode = |row: Row<'_>| encoded.encode(db, answers, &row, &mut own);
        if of_deleted {
            show_deleted(db, answers.table, ids, encode)
        } else {
            show_each(db, answers.table, ids, encode)
        }?;
        encoded.finish(&own)
    }

    /// Encodes a record. The caller must have opened a snapshot.
    fn encode(
        &mut self,
        db: Db<'_>,
        answers: Answers,
        row: &Row<'_>,
        own: &mut OwnMembers<'_>,
    ) -> Result<(), store::Error> {
        let id = row.id()?;
        own.clear();
        (answers.own)(db, row, own)?;
        let mut json = self.room();
        write(row, id, own, answers.table.fields, &mut json)?;
        if let Some(at) = row.deleted_at(answers.table)? {
            json.extend_from_slice(b",\"deleted_at\":");
            write_value(Type::Moment, &Value::Integer(at), own.zone, &mut json);
            let (reason, into) = row.why_deleted(answers.table)?;
            if let Some(reason) = reason {
                json.extend_from_slice(b",\"deleted_reason\":");
                write_value(Short::TYPE, &Value::Text(reason.into()), own.zone, &mut json);
            }
            if let Some(into) = into {
                json.extend_from_slice(b",\"merged_into\":");
                write_value(Type::Id, &Value::Integer(into.into()), own.zone, &mut json);
            }
        }
        json.push(b'}');
        self.add(id, json);
        Ok(())
    }

    fn finish(self, own: &OwnMembers<'_>) -> Result<Vec<(u32, Bytes)>, store::Error> {
        if own.failed {
            Err(store::Error::Defect("a record cannot be written as JSON".to_owned()))
        } else {
            Ok(self.records)
        }
    }
}

/// Writes a record as JSON without its closing brace. Each member goes from its column to the JSON without a copy.
fn write(
    row: &Row<'_>,
    id: u32,
    own: &OwnMembers<'_>,
    fields: &[Field],
    json: &mut Vec<u8>,
) -> Result<(), store::Error> {
    json.extend_from_slice(b"{\"id\":");
    json.extend_from_slice(id.to_string().as_bytes());
    let mut owned = 0;
    for (at, field) in fields.iter().enumerate().filter(|(_, field)| field.is_shown) {
        if own.seen.get(at) == Some(&false) {
            owned += usize::from(field.is_own());
            continue;
        }
        json.extend_from_slice(b",\"");
        json.extend_from_slice(field.shown.as_bytes());
        json.extend_from_slice(b"\":");
        match field.is_own() {
            true => {
                json.extend_from_slice(own.get(owned).unwrap_or(b"null"));
                owned += 1;
            }
            false => write_value(field.ty, &row.value(at)?, own.zone, json),
        }
    }
    Ok(())
}

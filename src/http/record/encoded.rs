//! Records as JSON, written member by member.

use std::mem;

use bytes::Bytes;
use jiff::tz::TimeZone;
use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Map;

use crate::domain::Short;
use crate::http::call::Call;
use crate::http::problem::Problem;
use crate::http::wire::{moment, write_value};
use crate::records::{Field, FieldType, Record, Type, Value};
use crate::store::records::{Row, show_deleted, show_each};
use crate::store::{self, Db};

/// A record as answers show it. What is in its table needs no more; what only its noun has, it says itself.
pub trait InAnswers: Record {
    /// Reads the members that only this noun has, in the order of its table.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn own(_: Db<'_>, _row: &Row<'_>, _members: &mut OwnMembers<'_>) -> Result<(), store::Error> {
        Ok(())
    }

    /// Describes one of them.
    fn own_schema(_member: &str, _: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// The members of a record that only its noun has, as JSON.
pub struct OwnMembers<'z> {
    zone: &'z TimeZone,
    json: Vec<u8>,
    ends: Vec<usize>,
    failed: bool,
}

impl<'z> OwnMembers<'z> {
    fn new(zone: &'z TimeZone) -> OwnMembers<'z> {
        OwnMembers { zone, json: Vec::new(), ends: Vec::new(), failed: false }
    }

    /// A moment, in seconds since 1970, as answers show it.
    pub fn moment(&self, seconds: i64) -> String {
        moment(seconds, self.zone)
    }

    /// The next one.
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

/// Records as JSON, each encoded where it is read.
#[derive(Default)]
pub(in crate::http) struct Encoded {
    /// Each with its id.
    records: Vec<(u32, Bytes)>,
    room: Vec<u8>,
}

impl Encoded {
    /// Where the next one is written.
    fn room(&mut self) -> Vec<u8> {
        self.room.clear();
        mem::take(&mut self.room)
    }

    /// One more, which was written into [`Encoded::room`].
    fn add(&mut self, id: u32, json: Vec<u8>) {
        self.records.push((id, Bytes::copy_from_slice(&json)));
        self.room = json;
    }

    /// The records with those ids, in that order; deleted ones alone, or the others.
    pub(in crate::http) fn read<R: InAnswers>(
        db: Db<'_>,
        ids: &[u32],
        of_deleted: bool,
        zone: &TimeZone,
    ) -> Result<Vec<(u32, Bytes)>, store::Error> {
        let mut encoded = Encoded::default();
        let mut own = OwnMembers::new(zone);
        let encode = |row: Row<'_>| encoded.encode::<R>(db, &row, &mut own);
        if of_deleted {
            show_deleted(db, R::TABLE, ids, encode)
        } else {
            show_each(db, R::TABLE, ids, encode)
        }?;
        encoded.finish(&own)
    }

    /// The record that the call's path names, as answers show it.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub(in crate::http) fn shown<R: InAnswers>(
        call: &Call<'_>,
    ) -> Result<Option<Map<String, serde_json::Value>>, Problem> {
        let Some(id) = call.segment().and_then(|segment| segment.parse().ok()) else { return Ok(None) };
        let json = Encoded::read::<R>(call.db(), &[id], false, call.app().zone())?.pop();
        Ok(json.and_then(|(_, json)| serde_json::from_slice(&json).ok()))
    }

    /// Encodes a record. The caller opens a snapshot.
    fn encode<R: InAnswers>(
        &mut self,
        db: Db<'_>,
        row: &Row<'_>,
        own: &mut OwnMembers<'_>,
    ) -> Result<(), store::Error> {
        let id = row.id()?;
        own.clear();
        R::own(db, row, own)?;
        let mut json = self.room();
        write(row, id, own, R::TABLE.fields, &mut json)?;
        if let Some(at) = row.deleted_at(R::TABLE)? {
            json.extend_from_slice(b",\"deleted_at\":");
            write_value(Type::Moment, &Value::Integer(at), own.zone, &mut json);
            let (reason, into) = row.why_deleted(R::TABLE)?;
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

/// Writes a record as JSON but for its closing brace, member by member as its columns come: nothing is copied before.
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

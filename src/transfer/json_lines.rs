//! The JSON Lines format of a whole export: writes and parses complete records by their tables.
//!
//! The first line holds the format version and the number of records of each table, which reveals a truncated
//! file. Every other line is one record. Its members have the names that API requests use. Moments are in UTC,
//! and empty members are omitted.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json, json};

use crate::domain::id::MAX_FOREIGN;
use crate::domain::{Amount, Reason};
use crate::http::json::record::read_value;
use crate::http::json::values::write_value;
use crate::records::{FieldType, Input, Seconds, Type, Value};
use crate::store::records::full_records::{FullRecord, FullTable};

/// Version of the format. Raised whenever existing lines change their meaning.
pub(super) const FORMAT: u64 = 1;
/// The member of the first line that holds [`FORMAT`].
pub(super) const MARK: &str = "pleito_export";
/// The member that holds the table name of a record.
pub(super) const RESOURCE: &str = "resource";
/// The member that holds the path of a document's content.
pub(super) const FILE: &str = "file";
/// The member that maps each guest who has completed a task to the moment of completion.
const COMPLETED: &str = "completed";

/// Returns the first line, without a line break.
pub(super) fn heading(counts: &[(&'static str, u64)]) -> String {
    let counts: Map<String, Json> =
        counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into())).collect();
    json!({ MARK: FORMAT, "records": counts }).to_string()
}

/// Appends a record and a line break to `json`. `file` is the path of the content, for documents.
pub(super) fn write(table: &FullTable, record: &FullRecord<'_>, file: Option<&str>, json: &mut Vec<u8>) {
    json.extend_from_slice(b"{\"resource\":\"");
    json.extend_from_slice(table.table().name.as_bytes());
    json.extend_from_slice(b"\",\"id\":");
    json.extend_from_slice(record.id.to_string().as_bytes());
    for (field, value) in table.table().stored().zip(&record.values) {
        write_member(field.member, field.ty, value, json);
    }
    for ((name, ty), value) in table.beside().iter().zip(&record.beside) {
        write_member(name, *ty, value, json);
    }
    if !record.completions.is_empty() {
        let done = record.completions.iter().map(|(user, at)| (user.to_string(), moment(*at).into()));
        let done = Json::Object(done.collect());
        json.extend_from_slice([",\"", COMPLETED, "\":", &done.to_string()].concat().as_bytes());
    }
    if let Some(file) = file {
        let file = Json::from(file).to_string();
        json.extend_from_slice([",\"", FILE, "\":", &file].concat().as_bytes());
    }
    json.extend_from_slice(b"}\n");
}

fn write_member(name: &str, ty: Type, value: &Value<'_>, json: &mut Vec<u8>) {
    if *value == Value::Null {
        return;
    }
    json.extend_from_slice([",\"", name, "\":"].concat().as_bytes());
    match (ty, value) {
        (_, Value::Ids(ids)) => json.extend_from_slice(Json::from(ids.as_slice()).to_string().as_bytes()),
        (Type::Moment, Value::Integer(seconds)) => {
            json.extend_from_slice(Json::from(moment(*seconds)).to_string().as_bytes());
        }
        _ => write_value(ty, value, &TimeZone::UTC, json),
    }
}

fn moment(seconds: i64) -> String {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
}

pub(super) struct ReadRecord {
    pub(super) record: FullRecord<'static>,
    pub(super) file: Option<String>,
}

/// The invalid members of a line, each with the reason.
pub(super) type WrongMembers = Vec<(String, Reason)>;

/// Parses a record of `table` from the members of its line.
///
/// # Errors
/// Returns every invalid member. Unknown members are errors too, so that no data is lost silently.
pub(super) fn read(table: &FullTable, mut line: Map<String, Json>) -> Result<ReadRecord, WrongMembers> {
    let mut wrong = WrongMembers::new();
    line.remove(RESOURCE);
    let id = line.remove("id").map_or(Err(Reason::NotId), |id| read_id(&id));
    let id = id.map_err(|reason| wrong.push(("id".to_owned(), reason))).ok();
    let mut values = Vec::new();
    for field in table.table().stored() {
        let value = match line.remove(field.member) {
            Some(Json::Array(none)) if none.is_empty() && field.is_reference() => Ok(Value::Ids(Vec::new())),
            Some(value) => read_value(field, &value),
            None if field.is_always_given() => Err(Reason::Required),
            None => Ok(field.fallback()),
        };
        values.push(value.unwrap_or_else(|reason| {
            wrong.push((field.member.to_owned(), reason));
            Value::Null
        }));
    }
    let mut beside = Vec::new();
    for (name, ty) in table.beside() {
        let value = line.remove(*name).map_or(Ok(Value::Null), |value| read_beside(*ty, &value));
        beside.push(value.unwrap_or_else(|reason| {
            wrong.push(((*name).to_owned(), reason));
            Value::Null
        }));
    }
    let mut completions = Vec::new();
    let done = line.remove(COMPLETED).map(|done| match done {
        Json::Object(done) => done,
        _ => {
            wrong.push((COMPLETED.to_owned(), Reason::NotObject));
            Map::new()
        }
    });
    for (user, at) in done.iter().flatten() {
        match (user.parse(), at.as_str().map(|at| Seconds::read(&Input::Text(at)))) {
            (Ok(user), Some(Ok(Seconds(at)))) => completions.push((user, at)),
            _ => wrong.push((COMPLETED.to_owned(), Reason::NotMoment)),
        }
    }
    let file = line.remove(FILE).and_then(|file| match file {
        Json::String(file) => Some(file),
        _ => {
            wrong.push((FILE.to_owned(), Reason::NotText));
            None
        }
    });
    wrong.extend(line.into_iter().map(|(name, _)| (name, Reason::UnknownMember)));
    match id {
        Some(id) if wrong.is_empty() => {
            Ok(ReadRecord { record: FullRecord { id, values, beside, completions }, file })
        }
        _ => Err(wrong),
    }
}

/// Parses an id from 1 to [`MAX_FOREIGN`].
fn read_id(value: &Json) -> Result<u32, Reason> {
    let id = value.as_u64().filter(|id| *id > 0).ok_or(Reason::NotId)?;
    let id = u32::try_from(id).ok().filter(|id| *id <= MAX_FOREIGN);
    id.ok_or(Reason::IdTooHigh { most: MAX_FOREIGN })
}

fn read_beside(ty: Type, value: &Json) -> Result<Value<'static>, Reason> {
    match (ty, value) {
        (Type::Moment, Json::String(text)) => {
            Seconds::read(&Input::Text(text)).map(|Seconds(at)| Value::Integer(at))
        }
        (Type::Text(_), Json::String(text)) => Ok(Value::Text(text.clone().into())),
        (Type::Money, Json::Number(number)) => {
            Amount::read(&Input::Number(number.to_string())).map(|amount| amount.to_value().into_owned())
        }
        (Type::Id, Json::Number(number)) if number.as_u64() == Some(0) => Ok(Value::Integer(0)),
        (Type::Id, id) => read_id(id).map(|id| Value::Integer(id.into())),
        (Type::Moment, _) => Err(Reason::NotMoment),
        _ => Err(Reason::NotText),
    }
}

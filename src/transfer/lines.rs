//! Whole records as lines of JSON, written and read back by the tables: the form in which an office moves as it is.
//!
//! The first line says what follows and how many records there are, so that a file that was cut off is known as one. Each
//! other line is a record: its members under the names that requests have for them, moments in UTC, what is empty left out.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json, json};

use crate::domain::Reason;
use crate::domain::id::HIGHEST_FOREIGN;
use crate::http::record::read_value;
use crate::http::wire::write_value;
use crate::records::{FieldType, Input, Seconds, Type, Value};
use crate::store::whole::{WholeRecord, WholeTable};

/// Raised when lines change their meaning.
pub(super) const FORMAT: u64 = 1;
/// The member of the first line that has the format's number.
pub(super) const MARK: &str = "pleito_export";
/// The member that says of which table a record is.
pub(super) const RESOURCE: &str = "resource";
/// The member that says where a document's content is.
pub(super) const FILE: &str = "file";
/// The member that says who of a task's guests has done it, and when.
const COMPLETED: &str = "completed";

/// The first line, without its end.
pub(super) fn heading(counts: &[(&'static str, u64)]) -> String {
    let counts: Map<String, Json> =
        counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into())).collect();
    json!({ MARK: FORMAT, "records": counts }).to_string()
}

/// Writes a record, its line's end included. `file` is where its content is.
pub(super) fn write(table: &WholeTable, record: &WholeRecord<'_>, file: Option<&str>, json: &mut Vec<u8>) {
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

/// A record that was read, and where its content is.
pub(super) struct ReadRecord {
    pub(super) record: WholeRecord<'static>,
    pub(super) file: Option<String>,
}

/// What is wrong with a line: the member, and why.
pub(super) type WrongMembers = Vec<(String, Reason)>;

/// Takes a record of that table back from the members of its line.
///
/// # Errors
/// Everything that is wrong with it, also members that nobody knows: nothing of an export is lost in silence.
pub(super) fn read(table: &WholeTable, mut line: Map<String, Json>) -> Result<ReadRecord, WrongMembers> {
    let mut wrong = WrongMembers::new();
    line.remove(RESOURCE);
    let id = line.remove("id").map_or(Err(Reason::NotId), |id| read_id(&id));
    let id = id.map_err(|reason| wrong.push(("id".to_owned(), reason))).ok();
    let mut values = Vec::new();
    for field in table.table().stored() {
        let value = match line.remove(field.member) {
            Some(Json::Array(none)) if none.is_empty() && field.is_reference() => Ok(Value::Ids(Vec::new())),
            Some(value) => read_value(field, &value),
            None if field.required || field.is_today() => Err(Reason::Required),
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
    for (user, at) in line.remove(COMPLETED).as_ref().and_then(Json::as_object).into_iter().flatten() {
        match (user.parse(), at.as_str().map(|at| Seconds::read(&Input::Text(at)))) {
            (Ok(user), Some(Ok(Seconds(at)))) => completions.push((user, at)),
            _ => wrong.push((COMPLETED.to_owned(), Reason::NotMoment)),
        }
    }
    let file = line.remove(FILE).and_then(|file| file.as_str().map(str::to_owned));
    wrong.extend(line.into_iter().map(|(name, _)| (name, Reason::UnknownMember)));
    match id {
        Some(id) if wrong.is_empty() => {
            Ok(ReadRecord { record: WholeRecord { id, values, beside, completions }, file })
        }
        _ => Err(wrong),
    }
}

/// Reads an id, from 1 to [`HIGHEST_FOREIGN`].
fn read_id(value: &Json) -> Result<u32, Reason> {
    let id = value.as_u64().filter(|id| *id > 0).ok_or(Reason::NotId)?;
    let id = u32::try_from(id).ok().filter(|id| *id <= HIGHEST_FOREIGN);
    id.ok_or(Reason::IdTooHigh { most: HIGHEST_FOREIGN })
}

fn read_beside(ty: Type, value: &Json) -> Result<Value<'static>, Reason> {
    match (ty, value) {
        (Type::Moment, Json::String(text)) => {
            Seconds::read(&Input::Text(text)).map(|Seconds(at)| Value::Integer(at))
        }
        (Type::Text(_), Json::String(text)) => Ok(Value::Text(text.clone().into())),
        (Type::Id, Json::Number(number)) if number.as_u64() == Some(0) => Ok(Value::Integer(0)),
        (Type::Id, id) => read_id(id).map(|id| Value::Integer(id.into())),
        (Type::Moment, _) => Err(Reason::NotMoment),
        _ => Err(Reason::NotText),
    }
}

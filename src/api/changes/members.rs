//! Maps the columns of journal entries to the members of the API, with their values.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde_json::Value as Json;

use crate::http::Problem;
use crate::http::json::values::{moment, write_value};
use crate::records::{Field, Kind, Source, Table, Type, Value};
use crate::store::journal::{self, JournalEntry};
use crate::store::{Db, lists};

/// A changed member of the API.
pub struct ChangedMember {
    pub name: &'static str,
    /// The changed columns that the member shows.
    pub columns: Vec<&'static Field>,
    /// The field that shows the columns, if they are not shown under their own names.
    by: Option<&'static Field>,
}

/// Returns the members that show these columns, each once.
pub fn members(table: &'static Table, columns: &[String]) -> Vec<ChangedMember> {
    let mut members: Vec<ChangedMember> = Vec::new();
    for field in columns.iter().filter_map(|column| field_of(table, column)) {
        let by = table.fields.iter().find(|other| other.is_shown && shows(other.source, field.column));
        let by = by.filter(|_| !field.is_shown);
        let own = if field.is_shown { field.shown } else { field.member };
        let name = by.map_or(own, |by| by.shown);
        match members.iter_mut().find(|member| member.name == name) {
            Some(member) => member.columns.push(field),
            None => members.push(ChangedMember { name, columns: vec![field], by }),
        }
    }
    members
}

/// Returns the field of a journal column.
fn field_of(table: &'static Table, column: &str) -> Option<&'static Field> {
    match column {
        "place" => table.fields.iter().find(|field| field.source == Source::Place),
        column => table.field(column),
    }
}

/// Returns `true` if a member with this source shows the column.
fn shows(source: Source, column: &str) -> bool {
    match source {
        Source::AliasOf(own) | Source::NameOf(own) => own == column,
        Source::MomentOf(day, time, _) => day == column || time == column,
        Source::Coalesce(sources) => sources.iter().any(|source| shows(*source, column)),
        _ => false,
    }
}

/// A changed member with its old and new value.
pub struct PastValue {
    pub field: &'static Field,
    pub before: Value<'static>,
    pub after: Value<'static>,
}

/// A record to which a member refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub id: u32,
    /// When this guest completed the task, in seconds since 1970.
    pub done_at: Option<i64>,
}

impl Link {
    /// Reads an id, or the pair of id and time of completion that the journal has for a guest.
    pub fn read(json: &Json) -> Option<Link> {
        let id = json.get(0).unwrap_or(json).as_u64()?;
        Some(Link { id: u32::try_from(id).ok()?, done_at: json.get(1).and_then(Json::as_i64) })
    }
}

/// The values of a record at one point of its history, by column.
pub type ColumnValues = BTreeMap<String, Json>;

/// Reconstructs a record before and after a journal entry, whoever may see it. Erased values are null.
pub fn around(db: Db<'_>, table: &Table, entry: &JournalEntry) -> Result<[ColumnValues; 2], Problem> {
    let after = values_after(db, table, entry.id, entry.seq)?;
    let mut values = after.clone();
    values.extend(before(entry));
    Ok([values, after])
}

/// Reconstructs a record as it was after the journal entry with this number.
fn values_after(db: Db<'_>, table: &Table, id: u32, seq: u64) -> Result<ColumnValues, Problem> {
    let mut values = current(db, table, id)?.unwrap_or_default();
    // Undoes the later entries, newest first: each one holds the values before it.
    for later in journal::changed_after(db, table.name, id, seq)?.iter().rev() {
        values.extend(before(later));
    }
    Ok(values)
}

/// Returns `true` for each side of a journal entry, before and after, on which the record was hidden from the caller.
pub fn hidden_around(db: Db<'_>, table: &Table, entry: &JournalEntry) -> Result<[bool; 2], Problem> {
    if !db.nouns().hide_records(table) {
        return Ok([false; 2]);
    }
    let [before, after] = around(db, table, entry)?;
    Ok([was_hidden(db, table, &before, entry.seq)?, was_hidden(db, table, &after, entry.seq)?])
}

/// Returns `true` if the caller may not see what a record was after the journal entry with this number, when it had these
/// values (office 55).
fn was_hidden(db: Db<'_>, table: &Table, values: &ColumnValues, seq: u64) -> Result<bool, Problem> {
    let mut is_owned = false;
    for field in table.owners() {
        let Some(id) = stored(field, values).id() else { continue };
        is_owned = true;
        if !db.nouns().reveal(table, field) {
            continue;
        }
        let owner = field.record().map(Kind::table).filter(|owner| db.nouns().hide_records(owner));
        let Some(owner) = owner else { return Ok(false) };
        if !was_hidden(db, owner, &values_after(db, owner, id, seq)?, seq)? {
            return Ok(false);
        }
    }
    Ok(is_owned)
}

/// Returns the current values of a record, deleted ones included.
pub fn current(db: Db<'_>, table: &Table, id: u32) -> Result<Option<ColumnValues>, Problem> {
    let now = journal::present_columns(db, table, id)?;
    let parsed = |(column, json): (&str, String)| (column.to_owned(), parsed(&json));
    Ok(now.map(|now| now.into_iter().map(parsed).collect()))
}

fn parsed(json: &str) -> Json {
    serde_json::from_str(json).unwrap_or_default()
}

/// Returns the values before an entry, by column.
pub fn before(entry: &JournalEntry) -> ColumnValues {
    let known = entry.before.as_deref().map(parsed);
    let known = known.as_ref().and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let all = entry.changed.iter().enumerate();
    all.map(|(at, column)| (column.clone(), known.get(at).cloned().unwrap_or_default())).collect()
}

/// Returns the stored value of a column.
pub fn stored(field: &Field, values: &ColumnValues) -> Value<'static> {
    let column = if field.source == Source::Place { "place" } else { field.column };
    values.get(column).map_or(Value::Null, value_of)
}

/// Returns the stored value that the journal has as JSON.
pub fn value_of(json: &Json) -> Value<'static> {
    match json {
        Json::Number(number) => number.as_i64().map_or(Value::Null, Value::Integer),
        Json::String(text) => Value::Text(text.clone().into()),
        Json::Array(all) => Value::Ids(all.iter().filter_map(Link::read).map(|link| link.id).collect()),
        _ => Value::Null,
    }
}

/// Returns the value of a member as JSON, in the form that API responses have.
pub fn shown(
    db: Db<'_>,
    member: &ChangedMember,
    values: &ColumnValues,
    table: &'static Table,
    zone: &TimeZone,
) -> Result<String, Problem> {
    let Some(field) = member.columns.first() else { return Ok("null".to_owned()) };
    let value = match member.by.map(|by| by.source) {
        Some(Source::MomentOf(day, time, or_day)) => at([day, time, or_day], table, values),
        Some(source) if names(source) => match (field.ty, stored(field, values).id()) {
            (Type::Reference(list), Some(id)) => {
                let name = lists::by_id(db, list, id)?.map(|entry| entry.name.as_str().to_owned());
                name.map_or(Value::Null, |name| Value::Text(name.into()))
            }
            _ => Value::Null,
        },
        _ => stored(field, values),
    };
    if let (Value::Ids(_), Some(links)) = (&value, values.get(field.column).and_then(Json::as_array)) {
        return Ok(linked(links, zone));
    }
    let mut json = Vec::new();
    write_value(if member.by.is_some() { Type::Own } else { field.ty }, &value, zone, &mut json);
    Ok(String::from_utf8_lossy(&json).into_owned())
}

/// Encodes links as API responses do: ids, or for guests objects with the time of completion.
fn linked(links: &[Json], zone: &TimeZone) -> String {
    let each = links.iter().map(|link| match (link.get(0), link.get(1)) {
        (Some(user), Some(done)) => {
            let done = done.as_i64().map_or("null".to_owned(), |at| format!("\"{}\"", moment(at, zone)));
            format!("{{\"user_id\":{user},\"completed\":{done}}}")
        }
        _ => link.to_string(),
    });
    ["[", &each.collect::<Vec<_>>().join(","), "]"].concat()
}

/// Returns `true` if a member with this source shows the name of a list entry.
fn names(source: Source) -> bool {
    match source {
        Source::NameOf(_) => true,
        Source::Coalesce(sources) => sources.iter().any(|source| names(*source)),
        _ => false,
    }
}

/// Joins the columns of a day and a time of day. Falls back to the third column's day if there is only a time.
fn at(columns: [&str; 3], table: &'static Table, values: &ColumnValues) -> Value<'static> {
    let text = |column: &str| {
        let value = table.field(column).map(|field| stored(field, values));
        value.and_then(|value| value.text().map(str::to_owned))
    };
    let [day, time, or_day] = columns.map(text);
    let day = day.or_else(|| or_day.filter(|_| time.is_some()));
    day.map_or(Value::Null, |day| {
        Value::Text([&day, " ", time.as_deref().unwrap_or("00:00:00")].concat().into())
    })
}

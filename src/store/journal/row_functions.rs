//! SQL functions that note changed rows; triggers on the writer's connection call them.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

use crate::domain::stored_json::quoted;
use crate::records::Value;
use crate::store::Error;

/// A change of one row. `table` is an index into `sql::all()`.
pub(super) enum Note {
    Inserted {
        table: usize,
        id: u32,
    },
    Updated {
        table: usize,
        id: u32,
        before: Before,
    },
    Deleted {
        table: usize,
        id: u32,
    },
    /// A row of a dependent table (`part`) with its key and previous value; `before` is `None` for a new row.
    Part {
        table: usize,
        id: u32,
        part: usize,
        key: i64,
        before: Option<i64>,
    },
}

pub(super) struct Before {
    pub(super) values: Vec<Value<'static>>,
    pub(super) is_deleted: bool,
}

/// Formats a value as JSON.
pub(super) fn json(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Ids(ids) => format!("{ids:?}"),
        Value::Text(text) => quoted(text),
    }
}

pub(super) fn value(value: ValueRef<'_>) -> Value<'static> {
    match value {
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned().into()),
        // The schema allows no other types in these columns.
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Value::Null,
    }
}

/// Registers the functions that the triggers call; they append to `notes`.
pub(super) fn add_functions(conn: &Connection, notes: &Arc<Mutex<Vec<Note>>>) -> Result<(), Error> {
    type Read = fn(&Context<'_>) -> rusqlite::Result<Note>;
    let functions: [(&str, i32, Read); 4] = [
        ("note_inserted", 2, |call| Ok(Note::Inserted { table: call.get(0)?, id: call.get(1)? })),
        ("note_deleted", 2, |call| Ok(Note::Deleted { table: call.get(0)?, id: call.get(1)? })),
        ("note_updated", -1, |call| {
            let is_deleted = call.get_raw(2) != ValueRef::Null;
            let values = (3..call.len()).map(|at| value(call.get_raw(at))).collect();
            let before = Before { values, is_deleted };
            Ok(Note::Updated { table: call.get(0)?, id: call.get(1)?, before })
        }),
        ("note_part", 5, |call| {
            let part = call.get(1)?;
            let key = call.get(3)?;
            let before = call.get(4)?;
            Ok(Note::Part { table: call.get(0)?, id: call.get(2)?, part, key, before })
        }),
    ];
    for (name, arguments, read) in functions {
        // A panic cannot leave the vector in an invalid state.
        let notes = AssertUnwindSafe(notes.clone());
        conn.create_scalar_function(name, arguments, FunctionFlags::SQLITE_UTF8, move |call| {
            let notes = &notes;
            notes.lock().push(read(call)?);
            Ok(false)
        })?;
    }
    Ok(())
}

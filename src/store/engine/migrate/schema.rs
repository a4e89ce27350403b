//! Compares the schema of a file with the one that the migrations create. Every copy is compared before it is
//! accepted or replaces the store, so a foreign trigger or a missing table is found before anything changes.

use std::collections::BTreeMap;
use std::fmt;

use rusqlite::Connection;

use crate::domain::Lang;
use crate::domain::text::sentences::sentences;
use crate::store::Error;
use crate::store::engine::external_writes::LITESTREAM;
use crate::store::engine::{connection, migrate};

/// Maximum length in characters of a name in a message.
const MAX_SHOWN_CHARACTERS: usize = 60;

sentences! {
lang -> String;

/// Kind of a schema object. Tables sort first: if one is missing, its indexes and triggers are missing too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectKind {
    Table => "a tabela", "the table";
    Index => "o índice", "the index";
    Trigger => "o gatilho (trigger)", "the trigger";
    View => "a visão (view)", "the view";
}
}

sentences! {
lang -> String;

/// A difference between a file's schema and the schema of its version, as a clause without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    NoVersion => "falta a versão do esquema (user_version)", "it has no schema version (user_version)";
    /// An object that the migrations create.
    Missing(kind: ObjectKind, name: String) with (shown = shown(name)) =>
        "falta {kind} {shown}",
        "{kind} {shown} is missing";
    /// An object that no migration creates.
    Foreign(kind: ObjectKind, name: String) with (shown = shown(name)) =>
        "{kind} {shown} não é do Pleito",
        "{kind} {shown} is not Pleito's";
    Altered(kind: ObjectKind, name: String) with (shown = shown(name)) =>
        "{kind} {shown} não está como o Pleito cria",
        "{kind} {shown} is not as Pleito makes it";
}
}

/// Shortens and escapes the name of an object, which may contain anything, even a line break.
fn shown(name: &str) -> String {
    name.chars().take(MAX_SHOWN_CHARACTERS).flat_map(char::escape_debug).collect()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Lang::En))
    }
}

/// Compares the schema of a store with the migrations up to its version. Returns `Schema` with the first
/// difference.
pub(in crate::store) fn compare(conn: &Connection) -> Result<(), Error> {
    let version = migrate::version(conn)?;
    if version == 0 {
        return Err(Error::Schema(Difference::NoVersion));
    }
    let mut found = objects(conn)?;
    let made = objects(&of_version(version)?)?;
    for ((kind, name), sql) in made {
        match found.remove(&(kind, name.clone())) {
            Some(same) if same == sql => {}
            Some(_) => return Err(Error::Schema(Difference::Altered(kind, name))),
            None => return Err(Error::Schema(Difference::Missing(kind, name))),
        }
    }
    found.retain(|(kind, name), _| *kind != ObjectKind::Table || !LITESTREAM.contains(&name.as_str()));
    match found.into_keys().next() {
        Some((kind, name)) => Err(Error::Schema(Difference::Foreign(kind, name))),
        None => Ok(()),
    }
}

/// Creates an empty in-memory store of this version.
fn of_version(version: u32) -> Result<Connection, Error> {
    let mut conn = connection::in_memory()?;
    migrate::make_version(&mut conn, version)?;
    Ok(conn)
}

/// Returns all schema objects with their SQL text. Leaves out the objects that SQLite creates itself, such as
/// the ANALYZE tables and the indexes behind UNIQUE.
fn objects(conn: &Connection) -> Result<BTreeMap<(ObjectKind, String), String>, Error> {
    let sql = "SELECT type, name, sql FROM sqlite_schema
        WHERE NOT (type IN ('table', 'index') AND name GLOB 'sqlite_*')";
    let mut statement = conn.prepare(sql)?;
    let rows = statement.query_map([], |row| {
        let kind = match row.get_ref(0)?.as_str()? {
            "table" => ObjectKind::Table,
            "index" => ObjectKind::Index,
            "trigger" => ObjectKind::Trigger,
            _ => ObjectKind::View,
        };
        let sql = row.get::<_, Option<String>>(2)?.unwrap_or_default();
        Ok(((kind, row.get(1)?), canonical(&sql)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Normalizes a statement: removes quotes, which SQLite may add when it renames a table, and collapses white
/// space, which tools that rewrite a database may change.
fn canonical(sql: &str) -> String {
    sql.replace('"', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(version: u32, sql: &str) -> Option<String> {
        let conn = of_version(version).unwrap();
        conn.execute_batch(sql).unwrap();
        match compare(&conn) {
            Ok(()) => None,
            Err(Error::Schema(difference)) => Some(difference.to_string()),
            Err(other) => panic!("{sql}: {other}"),
        }
    }

    #[test]
    fn every_version_matches_the_schema_of_its_migrations() {
        for version in 1..=migrate::newest() {
            assert_eq!(differs(version, "INSERT INTO users (name, name_key) VALUES ('Bia', 'bia')"), None);
        }
    }

    #[test]
    fn missing_foreign_and_altered_objects_are_named() {
        for (sql, expected) in [
            ("PRAGMA user_version = 0", "it has no schema version (user_version)"),
            ("PRAGMA user_version = -3", "it has no schema version (user_version)"),
            ("DROP TABLE counters", "the table counters is missing"),
            ("DROP TABLE lawsuit_customers; DROP TABLE customers", "the table customers is missing"),
            ("DROP TRIGGER tasks_renamed", "the trigger tasks_renamed is missing"),
            ("DROP INDEX customers_by_name", "the index customers_by_name is missing"),
            ("CREATE TABLE recipes (name TEXT)", "the table recipes is not Pleito's"),
            ("CREATE VIEW \"a\nb\" AS SELECT 1", "the view a\\nb is not Pleito's"),
            ("CREATE UNIQUE INDEX one ON customers (city)", "the index one is not Pleito's"),
            ("ALTER TABLE groups ADD COLUMN note TEXT", "the table groups is not as Pleito makes it"),
            ("ALTER TABLE groups DROP COLUMN active", "the table groups is not as Pleito makes it"),
            (
                "DROP TRIGGER tasks_named; CREATE TRIGGER tasks_named AFTER INSERT ON tasks BEGIN SELECT 1; END",
                "the trigger tasks_named is not as Pleito makes it",
            ),
            (
                "CREATE TRIGGER no_more BEFORE INSERT ON customers BEGIN SELECT RAISE(ABORT, 'no'); END",
                "the trigger no_more is not Pleito's",
            ),
        ] {
            assert_eq!(differs(migrate::newest(), sql).as_deref(), Some(expected), "{sql}");
        }
        let long = Difference::Foreign(ObjectKind::View, "x".repeat(10_000));
        assert!(long.message(Lang::Pt).len() < 100);
    }

    #[test]
    fn objects_added_by_sqlite_and_litestream_are_ignored() {
        for sql in [
            "ANALYZE",
            "VACUUM",
            "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE _litestream_lock (id INTEGER)",
            "ALTER TABLE counters RENAME TO old; ALTER TABLE old RENAME TO counters",
        ] {
            assert_eq!(differs(migrate::newest(), sql), None, "{sql}");
        }
    }
}

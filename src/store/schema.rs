//! Is the schema of a file the one that the steps make? Asked of every copy before it counts or takes the store's place: a
//! trigger of somebody else's, or a table that is missing, is noticed while nothing has changed yet.

use std::collections::BTreeMap;
use std::fmt;

use rusqlite::Connection;

use super::{Error, connection, migrate};
use crate::domain::Lang;

/// Tables that Litestream adds to a database that it replicates (litestream.io). They disturb nothing here.
const LITESTREAM: [&str; 2] = ["_litestream_lock", "_litestream_seq"];
/// So many characters of a name are said.
const SAID: usize = 60;

/// What a schema is made of. Tables come first: without one, what belongs to it is missing too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectKind {
    /// A table.
    Table,
    /// An index.
    Index,
    /// A trigger.
    Trigger,
    /// A view.
    View,
}

/// In what a file's schema differs from the one of its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It has no version (`user_version`).
    NoVersion,
    /// What the steps make is not there.
    Missing(ObjectKind, String),
    /// What is there is made by no step.
    Foreign(ObjectKind, String),
    /// What is there is not as the steps make it.
    Altered(ObjectKind, String),
}

impl Difference {
    /// What differs, as a clause without a full stop.
    pub fn say(&self, lang: Lang) -> String {
        let named = |kind: &ObjectKind, name: &str| {
            let kind = match kind {
                ObjectKind::Table => lang.pick("a tabela", "the table"),
                ObjectKind::Index => lang.pick("o índice", "the index"),
                ObjectKind::Trigger => lang.pick("o gatilho (trigger)", "the trigger"),
                ObjectKind::View => lang.pick("a visão (view)", "the view"),
            };
            // A name may be anything, a line break too.
            let name: String = name.chars().take(SAID).flat_map(char::escape_debug).collect();
            format!("{kind} {name}")
        };
        match (self, lang) {
            (Difference::NoVersion, Lang::Pt) => "falta a versão do esquema (user_version)".to_owned(),
            (Difference::NoVersion, Lang::En) => "it has no schema version (user_version)".to_owned(),
            (Difference::Missing(kind, name), Lang::Pt) => format!("falta {}", named(kind, name)),
            (Difference::Missing(kind, name), Lang::En) => format!("{} is missing", named(kind, name)),
            (Difference::Foreign(kind, name), Lang::Pt) => format!("{} não é do Pleito", named(kind, name)),
            (Difference::Foreign(kind, name), Lang::En) => format!("{} is not Pleito's", named(kind, name)),
            (Difference::Altered(kind, name), Lang::Pt) => {
                format!("{} não está como o Pleito cria", named(kind, name))
            }
            (Difference::Altered(kind, name), Lang::En) => {
                format!("{} is not as Pleito makes it", named(kind, name))
            }
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Lang::En))
    }
}

/// Compares the schema of a store with what the steps up to its version make.
///
/// # Errors
/// `Schema` with the first difference; or why the file cannot be read.
pub(super) fn compare(conn: &Connection) -> Result<(), Error> {
    let version = migrate::version(conn)?;
    if version == 0 {
        return Err(Error::Schema(Difference::NoVersion));
    }
    let (mut found, made) = (objects(conn)?, objects(&of_version(version)?)?);
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

/// A store of that version, in memory, as the steps make it.
fn of_version(version: u32) -> Result<Connection, Error> {
    let mut conn = connection::in_memory()?;
    migrate::make_version(&mut conn, version)?;
    Ok(conn)
}

/// Everything that a schema names, by kind and name, with its text. What SQLite makes by itself, such as the figures of
/// ANALYZE and the indexes behind UNIQUE, is left out.
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

/// The text of a statement without what SQLite itself may write otherwise when it renames a table: quotes around names.
/// Nor do tools that write a database anew always keep its line breaks.
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
    fn every_version_is_as_its_steps_make_it() {
        for version in 1..=migrate::newest() {
            assert_eq!(differs(version, "INSERT INTO users (name, name_key) VALUES ('Bia', 'bia')"), None);
        }
    }

    #[test]
    fn what_is_missing_foreign_or_altered_is_named() {
        for (sql, said) in [
            ("PRAGMA user_version = 0", "it has no schema version (user_version)"),
            ("PRAGMA user_version = -3", "it has no schema version (user_version)"),
            ("PRAGMA user_version = 1", "the table changes is not as Pleito makes it"),
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
            assert_eq!(differs(migrate::newest(), sql).as_deref(), Some(said), "{sql}");
        }
        let long = Difference::Foreign(ObjectKind::View, "x".repeat(10_000));
        assert!(long.say(Lang::Pt).len() < 100);
    }

    #[test]
    fn what_sqlite_and_litestream_add_is_no_difference() {
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

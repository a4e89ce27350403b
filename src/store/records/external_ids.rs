//! External ids: the ids of records in other systems. Each one belongs to a single record of its table (resources 10).
//!
//! A record stores its external ids in a column, as a JSON array. Triggers copy them to the table `external_ids`, which
//! is used for lookups and whose primary key makes them unique.

use rusqlite::Connection;

use crate::domain::ExternalId;
use crate::records::Table;
use crate::store::{Db, Error};

/// Returns the record of a table with this external id, even if it is deleted.
pub fn holder(db: Db<'_>, table: &Table, id: &ExternalId) -> Result<Option<u32>, Error> {
    db.first_value(
        "SELECT id FROM external_ids WHERE resource = ?1 AND external_id = ?2",
        [table.name, id.as_str()],
    )
}

/// Creates the triggers for every table that has a column `external_ids` and no triggers yet. A migration writes none:
/// this runs after it, in its transaction.
pub(in crate::store) fn add_triggers(conn: &Connection) -> Result<(), Error> {
    let tables = "SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND c.name = 'external_ids' ORDER BY t.name";
    let mut statement = conn.prepare(tables)?;
    let tables = statement.query_map([], |row| row.get::<_, String>(0))?;
    for table in tables.collect::<Result<Vec<_>, _>>()? {
        conn.execute_batch(&TRIGGERS.replace("{table}", &table))?;
    }
    Ok(())
}

const TRIGGERS: &str = "
    CREATE TRIGGER IF NOT EXISTS {table}_named AFTER INSERT ON {table} WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT '{table}', value, new.id FROM json_each(new.external_ids);
        END;
    CREATE TRIGGER IF NOT EXISTS {table}_renamed AFTER UPDATE ON {table} WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = '{table}' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT '{table}', value, new.id FROM json_each(new.external_ids);
        END;
    CREATE TRIGGER IF NOT EXISTS {table}_unnamed AFTER DELETE ON {table} WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = '{table}' AND id = old.id; END;
";

#[cfg(test)]
mod tests {
    use super::*;

    fn names(conn: &Connection, sql: &str) -> Vec<String> {
        let mut statement = conn.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn a_table_with_external_ids_gets_its_triggers_once() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(
            "CREATE TABLE external_ids (resource TEXT, external_id TEXT, id INTEGER, PRIMARY KEY (resource, external_id));
             CREATE TABLE notes (id INTEGER PRIMARY KEY, external_ids TEXT NOT NULL DEFAULT '[]');
             CREATE TABLE others (id INTEGER PRIMARY KEY)",
        )
        .unwrap();
        add_triggers(&conn).unwrap();
        add_triggers(&conn).unwrap();
        let triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name";
        assert_eq!(names(&conn, triggers), ["notes_named", "notes_renamed", "notes_unnamed"]);
        let known = || names(&conn, "SELECT resource || id || external_id FROM external_ids ORDER BY 1");
        conn.execute_batch("INSERT INTO notes (external_ids) VALUES ('[\"a:1\",\"a:2\"]'), ('[]')").unwrap();
        assert_eq!(known(), ["notes1a:1", "notes1a:2"]);
        assert!(conn.execute_batch("UPDATE notes SET external_ids = '[\"a:2\"]' WHERE id = 2").is_err());
        conn.execute_batch("UPDATE notes SET external_ids = '[\"a:3\"]' WHERE id = 1").unwrap();
        assert_eq!(known(), ["notes1a:3"]);
        conn.execute_batch("DELETE FROM notes").unwrap();
        assert!(known().is_empty());
    }
}

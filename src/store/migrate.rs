//! Schema migrations: opening a file brings it to the schema version of this program.
//!
//! A migration is never edited once it has shipped. `tests/golden/schema.sql` holds the resulting schema.

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::{Error, external_ids, journal};

/// `Plei` in ASCII: the SQLite application id of a store.
pub(super) const APPLICATION: i32 = 0x506c_6569;

/// All migrations in order. The version of a file is the number of migrations applied to it. The build script
/// lists the folder.
const STEPS: &[&str] = &include!(concat!(env!("OUT_DIR"), "/steps.rs"));

/// Initial data of a new store, applied after all migrations. It may change between versions; an existing store
/// keeps the lists of its office.
const NEW_STORE: &str = include_str!("migrations/new_store.sql");

/// Migrates the file to the current version.
///
/// Returns `Foreign`, `Newer` or `Damaged`, and leaves the file unchanged, if it is not a store that this
/// program can open.
pub(super) fn migrate(conn: &mut Connection) -> Result<(), Error> {
    take_up(conn, STEPS, NEW_STORE)?;
    let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    journal::fill::begin(&tx)?;
    Ok(tx.commit()?)
}

/// Returns the version of a store that needs migrating, or `None` if the file is current or not a store yet.
pub(super) fn is_behind(conn: &Connection) -> Result<Option<u32>, Error> {
    let (application, version) = marks(conn)?;
    let behind = application == APPLICATION && version > 0 && version < newest();
    Ok(behind.then_some(version))
}

/// Turns an empty database into a store of the given version, without the initial data.
pub(super) fn make_version(conn: &mut Connection, version: u32) -> Result<(), Error> {
    take_up(conn, STEPS.get(..version as usize).unwrap_or(STEPS), "")
}

/// Returns the schema version of this program.
pub(super) fn newest() -> u32 {
    u32::try_from(STEPS.len()).unwrap_or(u32::MAX)
}

/// Returns the schema version of a file, or 0 if it has none.
pub(super) fn version(conn: &Connection) -> Result<u32, Error> {
    Ok(marks(conn)?.1)
}

/// Checks that a file is a store of this version or an older one. Returns `Newer` or `Foreign` if not.
pub(super) fn is_ours(conn: &Connection) -> Result<(), Error> {
    let known = newest();
    match marks(conn)? {
        (APPLICATION, found) if found > known => Err(Error::Newer { found, known }),
        (APPLICATION, _) => Ok(()),
        _ => Err(Error::Foreign),
    }
}

/// Checks that a file is a store that this program can open, or empty and can become one. Only reads.
pub(super) fn is_for_us(conn: &Connection) -> Result<(), Error> {
    match is_ours(conn) {
        Err(Error::Foreign) if is_blank(conn)? => Ok(()),
        other => other,
    }
}

fn take_up(conn: &mut Connection, steps: &[&str], new_store: &str) -> Result<(), Error> {
    let (application, version) = marks(conn)?;
    let known = u32::try_from(steps.len()).map_err(|_| Error::Defect("too many migrations".to_owned()))?;
    match (application, version) {
        _ if is_blank(conn)? => {}
        (APPLICATION, found) if found > known => return Err(Error::Newer { found, known }),
        (APPLICATION, _) => {}
        _ => return Err(Error::Foreign),
    }
    // A migration may edit the text in `sqlite_schema`, which the defensive mode forbids.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    let taken = take(conn, known, steps, new_store);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    taken
}

fn take(conn: &mut Connection, known: u32, steps: &[&str], new_store: &str) -> Result<(), Error> {
    let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if is_blank(&tx)? {
        // All migrations run in one transaction, so that another process never opens a half-made store.
        steps.iter().chain([&new_store]).try_for_each(|sql| tx.execute_batch(sql))?;
        external_ids::add_triggers(&tx)?;
        mark(&tx, known)?;
        return Ok(tx.commit()?);
    }
    drop(tx);
    for (done, step) in (1u32..).zip(steps) {
        // Read the version again under the lock: another process may have applied the migration meanwhile.
        let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        if marks(&tx)?.1 < done {
            tx.execute_batch(step)?;
            external_ids::add_triggers(&tx)?;
            mark(&tx, done)?;
            tx.commit()?;
        }
    }
    Ok(())
}

/// Stores the application id and the version in the file.
fn mark(conn: &Connection, version: u32) -> Result<(), Error> {
    conn.pragma_update(None, "application_id", APPLICATION)?;
    Ok(conn.pragma_update(None, "user_version", version)?)
}

fn is_blank(conn: &Connection) -> Result<bool, Error> {
    let empty = conn.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(empty && marks(conn)? == (0, 0))
}

fn marks(conn: &Connection) -> Result<(i32, u32), Error> {
    let application =
        conn.query_row("SELECT application_id FROM pragma_application_id", [], |row| row.get(0))?;
    let version: i32 =
        conn.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
    // No migration sets a negative version.
    Ok((application, u32::try_from(version).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::connection::open_writer;
    use crate::store::{Store, keys, people};

    fn file() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let conn = open_writer(&folder.path().join("pleito.db")).unwrap();
        (folder, conn)
    }

    #[test]
    fn an_empty_file_is_migrated_once() {
        let (_folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        migrate(&mut conn).unwrap();
        assert_eq!(marks(&conn).unwrap(), (APPLICATION, newest()));
        assert_eq!(is_behind(&conn).unwrap(), None);
    }

    #[test]
    fn the_rewritten_checks_refuse_the_same_values_as_before() {
        let (_folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..4], "").unwrap();
        let beside = Connection::open(conn.path().unwrap()).unwrap();
        let genders =
            [("'M'", true), ("'F'", true), ("'O'", true), ("NULL", true), ("'X'", false), ("''", false)];
        let taken = |conn: &Connection| {
            genders.map(|(gender, _)| {
                let sql = "INSERT INTO customers (user_id, origin_id, name, name_key, gender, created_at, updated_at)";
                conn.execute(&format!("{sql} VALUES (1, 1, 'Ana', 'ana', {gender}, 0, 0)"), []).is_ok()
            })
        };
        let unknown =
            |conn: &Connection| conn.execute("INSERT INTO changes (kind, id) VALUES ('x', 1)", []).is_ok();
        for conn in [&conn, &beside] {
            assert_eq!((taken(conn), unknown(conn)), (genders.map(|(_, good)| good), false));
        }
        take_up(&mut conn, &STEPS[..6], "").unwrap();
        for conn in [&conn, &beside] {
            assert_eq!((taken(conn), unknown(conn)), (genders.map(|(_, good)| good), false));
            let schema: String =
                conn.query_row("SELECT group_concat(sql) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
            assert!(!schema.contains("'F', 'O')") && !schema.contains("kind IN"), "{schema}");
            let plan =
                "EXPLAIN INSERT INTO customers (user_id, origin_id, name, name_key, created_at, updated_at)
                VALUES (1, 1, 'a', 'a', 0, 0)";
            let mut plan = conn.prepare(plan).unwrap();
            let steps = plan.query_map([], |row| row.get::<_, String>(1)).unwrap().map(Result::unwrap);
            assert!(!steps.collect::<Vec<_>>().contains(&"OpenEphemeral".to_owned()));
        }
        let sound: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(sound, "ok");
        assert!(
            conn.execute("UPDATE sqlite_schema SET sql = ''", []).is_err(),
            "the schema's text is write-protected again"
        );
    }

    /// Old keys were split at invisible characters. Two entries whose new keys would be equal are both kept.
    #[test]
    fn keys_folded_by_earlier_versions_are_folded_again() {
        let (_folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..5], "").unwrap();
        for (name, key) in [("Ma\u{AD}ria", "ma ria"), ("João", "joao")] {
            let sql = "INSERT INTO customers (user_id, origin_id, name, name_key, created_at, updated_at)
                VALUES (1, 1, ?1, ?2, 0, 0)";
            conn.execute(sql, [name, key]).unwrap();
        }
        for (name, key) in [("Rá\u{200B}dio", "ra dio"), ("Si\u{AD}te", "si te")] {
            conn.execute("INSERT INTO origins (name, name_key) VALUES (?1, ?2)", [name, key]).unwrap();
        }
        let changes = |conn: &Connection| -> u32 {
            let sql = "SELECT count(*) FROM changes WHERE kind IN ('customer', 'customers')";
            conn.query_row(sql, [], |row| row.get(0)).unwrap()
        };
        let before = changes(&conn);
        take_up(&mut conn, &STEPS[..15], "").unwrap();
        let keys = |sql: &str| -> Vec<String> {
            let mut statement = conn.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        assert_eq!(keys("SELECT name_key FROM customers ORDER BY id"), ["maria", "joao"]);
        let origins = keys("SELECT name_key FROM origins WHERE id IN (2, 11, 12) ORDER BY id");
        assert_eq!(origins, ["site", "radio", "si te"]);
        assert_eq!(changes(&conn) - before, 1, "only the renamed customer is journaled");
    }

    /// A client that has not read the feed for a while gets the same changes after the migration.
    #[test]
    fn the_journal_keeps_its_changes_after_the_migration() {
        let (_folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..6], "").unwrap();
        let before: u64 = conn.query_row("SELECT max(seq) FROM changes", [], |row| row.get(0)).unwrap();
        conn.execute_batch(
            "INSERT INTO customers (user_id, origin_id, name, name_key, created_at, updated_at) VALUES (1, 1, 'Ana', 'ana', 0, 0);
             INSERT INTO lawsuits (user_id, type_id, stage_id, created_at, updated_at) VALUES (1, 1, 1, 0, 0);
             INSERT INTO lawsuit_customers VALUES (1, 0, 1);
             DELETE FROM lawsuit_customers;
             UPDATE users SET name = 'Bia'",
        )
        .unwrap();
        take_up(&mut conn, &STEPS[..7], "").unwrap();
        let journaled = || -> Vec<(String, u32)> {
            let mut journaled =
                conn.prepare("SELECT kind, id FROM changes WHERE seq > ?1 ORDER BY seq").unwrap();
            let journaled = journaled.query_map([before], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            journaled.map(Result::unwrap).collect()
        };
        let expected =
            ["customers", "lawsuits", "lawsuit_customers", "settings"].map(|kind| (kind.to_owned(), 1));
        assert_eq!(journaled(), expected);
        conn.execute_batch(
            "INSERT INTO lawsuit_customers VALUES (1, 0, 1);
             DELETE FROM lawsuit_customers;
             DELETE FROM lawsuits;
             UPDATE stages SET name = 'Outra' WHERE id = 1",
        )
        .unwrap();
        let stage = ("stages".to_owned(), 1);
        assert_eq!(journaled()[4..], [expected[2].clone(), expected[1].clone(), stage]);
    }

    #[test]
    fn new_stores_get_the_current_default_lists_and_existing_ones_keep_theirs() {
        let steps = |conn: &Connection| -> (u32, u32) {
            let sql = "SELECT (SELECT count(*) FROM steps), (SELECT count(*) FROM steps WHERE place = id)";
            conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
        };
        let (_folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        assert_eq!(steps(&conn), (9, 9));
        let (_folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..5], "").unwrap();
        migrate(&mut conn).unwrap();
        assert_eq!(steps(&conn), (7, 7));
    }

    #[test]
    fn stores_of_earlier_versions_have_no_keys_or_people_after_the_migration() {
        for version in 1..STEPS.len() {
            let (folder, mut conn) = file();
            take_up(&mut conn, &STEPS[..version], "").unwrap();
            drop(conn);
            let store = Store::open(folder.path()).unwrap();
            let all = store.read(|db| Ok::<_, Error>((keys::all(db)?.len(), people::all(db)?.len())));
            assert_eq!(all.unwrap(), (0, 0), "{version}");
        }
    }

    #[test]
    fn an_older_file_is_copied_before_it_is_migrated() {
        let (folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..1], "").unwrap();
        assert_eq!(is_behind(&conn).unwrap(), Some(1));
        drop(conn);
        drop(Store::open(folder.path()).unwrap());
        let copy = Connection::open(folder.path().join("pleito-before-schema.1")).unwrap();
        assert_eq!(marks(&copy).unwrap(), (APPLICATION, 1));
        let users: u32 = copy.query_row("SELECT count(*) FROM users", [], |row| row.get(0)).unwrap();
        assert_eq!(users, 0, "the copy is the unchanged file");
        assert!(!folder.path().join("pleito-upgrade.tmp").exists());
    }

    /// A journal that a killed trial left would be rolled back into the next copy.
    #[test]
    fn what_a_killed_trial_left_does_not_get_into_the_next_one() {
        let (folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..1], "").unwrap();
        drop(conn);
        let [journal, new] = ["pleito-upgrade.tmp-journal", "other.db"].map(|name| folder.path().join(name));
        let other = Connection::open(&new).unwrap();
        other.pragma_update(None, "cache_size", 1).unwrap();
        other.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(90000)); BEGIN; UPDATE t SET x = zeroblob(80000)").unwrap();
        std::fs::copy(folder.path().join("other.db-journal"), &journal).unwrap();
        drop(Store::open(folder.path()).unwrap());
        assert!(!journal.exists());
    }

    /// A migration that fails on the data of this store is detected on the copy.
    #[test]
    fn a_failing_migration_leaves_the_file_unchanged() {
        let (folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..1], "").unwrap();
        let clash = "INSERT INTO origins (name, name_key) VALUES ('Site', 'site')";
        conn.execute(clash, []).unwrap();
        conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        let before = std::fs::read(folder.path().join("pleito.db")).unwrap();
        drop(conn);
        for _ in 0..2 {
            let refused = Store::open(folder.path()).err();
            assert!(matches!(refused, Some(Error::NotUpgraded { found: 1, .. })), "{refused:?}");
            assert!(std::fs::read(folder.path().join("pleito.db")).unwrap() == before);
        }
    }

    #[test]
    fn newer_foreign_and_damaged_files_are_refused_unchanged() {
        let (folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        conn.pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(migrate(&mut conn), Err(Error::Newer { found: 99, .. })));

        let (_folder, mut conn) = file();
        conn.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
        assert!(matches!(migrate(&mut conn), Err(Error::Foreign)));

        let path = folder.path().join("damaged.db");
        std::fs::write(&path, [b'x'; 8192]).unwrap();
        assert!(matches!(open_writer(&path), Err(Error::Damaged(_))));
        assert_eq!(std::fs::read(&path).unwrap(), [b'x'; 8192]);
    }

    #[test]
    fn the_schema_equals_the_golden_file() {
        let (_folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        let mut statement = conn
            .prepare("SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name")
            .unwrap();
        let schema = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let schema = schema.map(|sql| sql.unwrap() + "\n").collect::<Vec<_>>().join("\n");
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/schema.sql");
        if std::env::var_os("PLEITO_WRITE_GOLDEN").is_some() {
            std::fs::write(golden, &schema).unwrap();
        }
        assert_eq!(schema, std::fs::read_to_string(golden).unwrap().replace("\r\n", "\n"));
    }
}

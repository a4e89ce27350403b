//! The schema, step by step: a file is brought up to this program's version when it is opened.
//!
//! A step that was shipped is never edited; `tests/golden/schema.sql` holds what all of them make together.

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::{Error, journal};

/// `Plei` in ASCII: tells a store from any other SQLite file.
pub(super) const APPLICATION: i32 = 0x506c_6569;

/// Every step, in order; the version of a file is how many of them it has seen. The build lists the folder.
const STEPS: &[&str] = &include!(concat!(env!("OUT_DIR"), "/steps.rs"));

/// What a new store has besides, once it has seen every step: the lists that it starts with may change, and those of a store
/// that exists are its office's own.
const NEW_STORE: &str = include_str!("migrations/new_store.sql");

/// Brings the file up to date.
///
/// # Errors
/// `Foreign`, `Newer` and `Damaged` say what the file is instead of a store; nothing was changed then.
pub(super) fn migrate(conn: &mut Connection) -> Result<(), Error> {
    take_up(conn, STEPS, NEW_STORE)?;
    let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    journal::fill::begin(&tx)?;
    Ok(tx.commit()?)
}

/// The version of a store that has steps ahead of it; none where the file is up to date, or no store yet.
pub(super) fn is_behind(conn: &Connection) -> Result<Option<u32>, Error> {
    let (application, version) = marks(conn)?;
    let behind = application == APPLICATION && version > 0 && version < newest();
    Ok(behind.then_some(version))
}

/// Makes an empty database a store of that version, without what a new one has besides.
///
/// # Errors
/// A defect: the steps can always be taken.
pub(super) fn make_version(conn: &mut Connection, version: u32) -> Result<(), Error> {
    take_up(conn, STEPS.get(..version as usize).unwrap_or(STEPS), "")
}

/// The version that this program makes.
pub(super) fn newest() -> u32 {
    u32::try_from(STEPS.len()).unwrap_or(u32::MAX)
}

/// The version of a file; 0 where it has none.
pub(super) fn version(conn: &Connection) -> Result<u32, Error> {
    Ok(marks(conn)?.1)
}

/// Whether a file is a store of this program's version.
pub(super) fn is_ours(conn: &Connection) -> Result<(), Error> {
    let known = newest();
    match marks(conn)? {
        (APPLICATION, found) if found > known => Err(Error::Newer { found, known }),
        (APPLICATION, _) => Ok(()),
        _ => Err(Error::Foreign),
    }
}

/// Whether a file is a store, or empty and may become one. Only reads.
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
    // A step may rewrite the schema's own text, which nothing else can.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    let taken = take(conn, known, steps, new_store);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    taken
}

fn take(conn: &mut Connection, known: u32, steps: &[&str], new_store: &str) -> Result<(), Error> {
    let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if is_blank(&tx)? {
        // All at once, so that none is half made when another process opens it.
        steps.iter().chain([&new_store]).try_for_each(|sql| tx.execute_batch(sql))?;
        mark(&tx, known)?;
        return Ok(tx.commit()?);
    }
    drop(tx);
    for (done, step) in (1u32..).zip(steps) {
        // The version is read again under the lock: another process may have taken the step meanwhile.
        let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        if marks(&tx)?.1 < done {
            tx.execute_batch(step)?;
            mark(&tx, done)?;
            tx.commit()?;
        }
    }
    Ok(())
}

/// Writes into a file that it is a store, and its version.
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
    // No step makes a negative one.
    Ok((application, u32::try_from(version).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use crate::store::connection::open_writer;

    fn file() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let conn = open_writer(&folder.path().join("pleito.db")).unwrap();
        (folder, conn)
    }

    #[test]
    fn an_empty_file_becomes_a_store_and_stays_one() {
        let (_folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        migrate(&mut conn).unwrap();
        assert_eq!(marks(&conn).unwrap(), (APPLICATION, newest()));
        assert_eq!(is_behind(&conn).unwrap(), None);
    }

    #[test]
    fn the_rewritten_checks_refuse_what_the_old_ones_refused() {
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
            "the schema's text is safe again"
        );
    }

    /// The keys of before parted words where nobody sees anything; two entries that are one by the new rule both stay.
    #[test]
    fn keys_that_were_folded_before_are_folded_anew() {
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
        assert_eq!(changes(&conn) - before, 1, "who follows the changes learns of it, and of no other");
    }

    /// Whoever is behind in following the changes learns the same of them as before.
    #[test]
    fn the_journal_says_the_same_in_other_words() {
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
        let told = || -> Vec<(String, u32)> {
            let mut told = conn.prepare("SELECT kind, id FROM changes WHERE seq > ?1 ORDER BY seq").unwrap();
            let told = told.query_map([before], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            told.map(Result::unwrap).collect()
        };
        let said =
            ["customers", "lawsuits", "lawsuit_customers", "settings"].map(|kind| (kind.to_owned(), 1));
        assert_eq!(told(), said);
        conn.execute_batch(
            "INSERT INTO lawsuit_customers VALUES (1, 0, 1);
             DELETE FROM lawsuit_customers;
             DELETE FROM lawsuits;
             UPDATE stages SET name = 'Outra' WHERE id = 1",
        )
        .unwrap();
        let stage = ("stages".to_owned(), 1);
        assert_eq!(told()[4..], [said[2].clone(), said[1].clone(), stage]);
    }

    #[test]
    fn a_new_store_begins_with_the_lists_of_today_and_one_that_exists_keeps_its_own() {
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
    fn an_older_file_is_copied_before_it_changes() {
        let (folder, mut conn) = file();
        take_up(&mut conn, &STEPS[..1], "").unwrap();
        assert_eq!(is_behind(&conn).unwrap(), Some(1));
        drop(conn);
        drop(Store::open(folder.path()).unwrap());
        let copy = Connection::open(folder.path().join("pleito-before-schema.1")).unwrap();
        assert_eq!(marks(&copy).unwrap(), (APPLICATION, 1));
        let users: u32 = copy.query_row("SELECT count(*) FROM users", [], |row| row.get(0)).unwrap();
        assert_eq!(users, 0, "the copy is the file as it was");
        assert!(!folder.path().join("pleito-upgrade.tmp").exists());
    }

    /// A step that cannot be taken over this very data is found out on the copy.
    #[test]
    fn a_step_that_fails_leaves_the_file_as_it_was() {
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
    fn a_newer_a_foreign_and_a_damaged_file_are_refused_untouched() {
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
    fn the_schema_is_the_golden_one() {
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

//! Schema migrations: opening a file brings it to the schema version of this program.
//!
//! A migration is never edited once it has shipped. `tests/golden/schema.sql` holds the resulting schema.

#[cfg(test)]
mod noun_tables;
pub(in crate::store) mod schema;

use rusqlite::{Connection, TransactionBehavior};

use crate::store::records::external_ids;
use crate::store::{Error, journal};

/// `Plei` in ASCII: the SQLite application id of a store.
pub(in crate::store) const APPLICATION: i32 = 0x506c_6569;

/// All migrations in order. The version of a file is the number of migrations applied to it. The build script
/// lists the folder.
const STEPS: &[&str] = &include!(concat!(env!("OUT_DIR"), "/steps.rs"));

/// Initial data of a new store, applied after all migrations. It may change between versions; an existing store
/// keeps the lists of its office.
const NEW_STORE: &str = include_str!("../migrations/new_store.sql");

/// Returns the migrations of this program. A test may add one, to have stores of an older version.
fn steps() -> Vec<&'static str> {
    let steps = STEPS.iter().copied();
    #[cfg(test)]
    let steps = steps.chain(tests::ADDED.get());
    steps.collect()
}

/// Migrates the file to the current version.
///
/// Returns `Foreign`, `Newer` or `Damaged`, and leaves the file unchanged, if it is not a store that this
/// program can open.
pub(in crate::store) fn migrate(conn: &mut Connection) -> Result<(), Error> {
    ensure_openable(conn)?;
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_blank(&tx)? {
        // Everything is one transaction, so that another process never opens a half-made store.
        make(&tx, &steps())?;
        tx.execute_batch(NEW_STORE)?;
        journal::fill::begin(&tx)?;
        return Ok(tx.commit()?);
    }
    drop(tx);
    for (number, step) in (1..).zip(steps()) {
        // Read the version again under the lock: another process may have applied the migration meanwhile.
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if version(&tx)? < number {
            apply(&tx, number, step)?;
            tx.commit()?;
        }
    }
    Ok(())
}

/// Turns an empty database into a store of the given version, without the initial data.
pub(in crate::store) fn make_version(conn: &mut Connection, version: u32) -> Result<(), Error> {
    let mut steps = steps();
    steps.truncate(version as usize);
    let tx = conn.transaction()?;
    make(&tx, &steps)?;
    Ok(tx.commit()?)
}

fn make(conn: &Connection, steps: &[&str]) -> Result<(), Error> {
    (1..).zip(steps).try_for_each(|(number, step)| apply(conn, number, step))
}

fn apply(conn: &Connection, number: u32, step: &str) -> Result<(), Error> {
    conn.execute_batch(step)?;
    external_ids::add_triggers(conn)?;
    conn.pragma_update(None, "application_id", APPLICATION)?;
    Ok(conn.pragma_update(None, "user_version", number)?)
}

/// Returns the version of a store that needs migrating, or `None` if the file is current or not a store yet.
pub(in crate::store) fn version_to_migrate(conn: &Connection) -> Result<Option<u32>, Error> {
    let (application, version) = marks(conn)?;
    let behind = application == APPLICATION && version > 0 && version < newest();
    Ok(behind.then_some(version))
}

/// Returns the schema version of this program.
pub(in crate::store) fn newest() -> u32 {
    u32::try_from(steps().len()).unwrap_or(u32::MAX)
}

/// Returns the schema version of a file, or 0 if it has none.
pub(in crate::store) fn version(conn: &Connection) -> Result<u32, Error> {
    Ok(marks(conn)?.1)
}

/// Fails with `Newer` or `Foreign` if a file is no store of this version or an older one.
pub(in crate::store) fn ensure_ours(conn: &Connection) -> Result<(), Error> {
    let known = newest();
    match marks(conn)? {
        (APPLICATION, found) if found > known => Err(Error::Newer { found, known }),
        (APPLICATION, _) => Ok(()),
        _ => Err(Error::Foreign),
    }
}

/// Fails if a file is neither a store that this program can open, nor empty and can become one. Only reads.
pub(in crate::store) fn ensure_openable(conn: &Connection) -> Result<(), Error> {
    match ensure_ours(conn) {
        Err(Error::Foreign) if is_blank(conn)? => Ok(()),
        other => other,
    }
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
pub(in crate::store) mod tests {
    use std::cell::Cell;
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use super::*;
    use crate::store::engine::connection::open_writer;
    use crate::store::engine::copy;
    use crate::store::{Db, FILE, Store, WAL_FILE};

    thread_local! {
        pub(super) static ADDED: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    /// Runs `work` as a program that has one more migration than this one. Holds for this thread only.
    pub(crate) fn with_step<T>(step: &'static str, work: impl FnOnce() -> T) -> T {
        ADDED.set(Some(step));
        let done = work();
        ADDED.set(None);
        done
    }

    /// A migration as one may be: it adds a column, fills it, and adds a table with external ids.
    const STEP: &str = "ALTER TABLE origins ADD COLUMN initial TEXT;
        UPDATE origins SET initial = substr(fold(name), 1, 1);
        CREATE TABLE visits (id INTEGER PRIMARY KEY, external_ids TEXT NOT NULL DEFAULT '[]') STRICT;";

    const TRIAL: &str = "pleito-upgrade.tmp";

    fn file() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let conn = open_writer(&folder.path().join(FILE)).unwrap();
        (folder, conn)
    }

    /// Creates a store of this program's version, which one with a further migration upgrades.
    fn older() -> tempfile::TempDir {
        let (folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        conn.close().unwrap();
        folder
    }

    fn bytes(folder: &Path) -> Vec<u8> {
        std::fs::read(folder.join(FILE)).unwrap()
    }

    fn initials(db: Db<'_>) -> Result<String, Error> {
        let sql = "SELECT group_concat(initial, '' ORDER BY id) FROM origins";
        Ok(db.conn().query_row(sql, [], |row| row.get(0))?)
    }

    /// Opens the store as a program with [`STEP`] and checks that nothing is missing.
    fn upgrade(folder: &Path) {
        with_step(STEP, || {
            assert_eq!(Store::open(folder).unwrap().read(initials).unwrap(), "isrgwtvcco");
            let conn = open_writer(&folder.join(FILE)).unwrap();
            assert_eq!(marks(&conn).unwrap(), (APPLICATION, newest()));
            schema::compare(&conn).unwrap();
        });
        assert!(!folder.join(TRIAL).exists());
    }

    #[test]
    fn an_empty_file_is_migrated_once() {
        let (_folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        migrate(&mut conn).unwrap();
        assert_eq!(marks(&conn).unwrap(), (APPLICATION, newest()));
        assert_eq!(version_to_migrate(&conn).unwrap(), None);
    }

    #[test]
    fn a_new_store_begins_with_the_default_lists_and_one_entry_for_each_in_the_journal() {
        let (_folder, mut conn) = file();
        migrate(&mut conn).unwrap();
        let count = |sql: &str| -> (u32, u32) {
            conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
        };
        assert_eq!(count("SELECT count(*), sum(place = id) FROM steps"), (9, 9));
        assert_eq!(count("SELECT count(*), count(DISTINCT kind || id) FROM changes"), (154, 154));
    }

    #[test]
    fn an_older_store_is_copied_and_upgraded() {
        let folder = older();
        let older = newest();
        let conn = open_writer(&folder.path().join(FILE)).unwrap();
        assert_eq!(with_step(STEP, || version_to_migrate(&conn).unwrap()), Some(older));
        conn.execute("INSERT INTO counters VALUES ('kept', 1, 1)", []).unwrap();
        conn.pragma_update(None, "secure_delete", false).unwrap();
        let erased = b"erased before the upgrade";
        conn.execute_batch("CREATE TABLE gone (text TEXT)").unwrap();
        for _ in 0..2_000 {
            conn.execute("INSERT INTO gone VALUES (CAST(?1 AS TEXT))", [&erased[..]]).unwrap();
        }
        conn.execute_batch("DROP TABLE gone").unwrap();
        conn.close().unwrap();
        let holds = |file: &str| {
            let file = std::fs::read(folder.path().join(file)).unwrap();
            file.windows(erased.len()).any(|bytes| bytes == erased)
        };
        assert!(holds(FILE), "the bytes are in the file");
        upgrade(folder.path());
        let copy = format!("pleito-before-schema.{older}");
        assert!(!holds(FILE) && !holds(&copy));
        let count = |file: &str| -> u32 {
            let conn = Connection::open(folder.path().join(file)).unwrap();
            assert_eq!(version(&conn).unwrap(), if file == copy { older } else { older + 1 });
            conn.query_row("SELECT count(*) FROM counters", [], |row| row.get(0)).unwrap()
        };
        assert_eq!((count(&copy), count(FILE)), (1, 1));
        let conn = Connection::open(folder.path().join(FILE)).unwrap();
        let sql = "SELECT group_concat(name, ' ' ORDER BY name) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'visits'";
        let triggers: String = conn.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(triggers, "visits_named visits_renamed visits_unnamed");
    }

    /// `pleito export` and `pleito backup` read an older store before the first start of a new program.
    #[test]
    fn an_older_store_can_be_read_checked_and_copied_and_stays_as_it_is() {
        let folder = older();
        let scratch = tempfile::tempdir().unwrap();
        let before = bytes(folder.path());
        let older = newest();
        let backup = scratch.path().join("backup.db");
        with_step(STEP, || {
            let read = Store::read_any(folder.path(), scratch.path(), initials).unwrap();
            assert_eq!(read.len(), 10);
            assert!(Store::check(folder.path()).unwrap().access.is_none());
            copy::copy(folder.path(), &backup, |_, _| Ok::<_, Error>(())).unwrap();
            assert_eq!(copy::verify_copy(&backup).unwrap().schema, older + 1, "a restore upgrades the copy");
        });
        assert!(bytes(folder.path()) == before);
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1, "the copy for reading is removed");
    }

    /// A journal that a killed trial left would be rolled back into the next copy.
    #[test]
    fn what_a_killed_trial_left_does_not_get_into_the_next_one() {
        let folder = older();
        let [journal, new] = [&*format!("{TRIAL}-journal"), "other.db"].map(|name| folder.path().join(name));
        let other = Connection::open(&new).unwrap();
        other.pragma_update(None, "cache_size", 1).unwrap();
        other.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(90000)); BEGIN; UPDATE t SET x = zeroblob(80000)").unwrap();
        std::fs::copy(folder.path().join("other.db-journal"), &journal).unwrap();
        upgrade(folder.path());
        assert!(!journal.exists());
    }

    /// A migration that fails on the data of this store is detected on the copy.
    #[test]
    fn a_failing_migration_leaves_the_file_unchanged() {
        let folder = older();
        let before = bytes(folder.path());
        let step = "CREATE TABLE visits (id INTEGER PRIMARY KEY); INSERT INTO origins (name, name_key) VALUES ('Site', 'site')";
        for _ in 0..2 {
            let refused = with_step(step, || Store::open(folder.path()).err());
            let Some(Error::NotUpgraded { found, .. }) = refused else { panic!("{refused:?}") };
            assert_eq!(found, newest());
            assert!(bytes(folder.path()) == before);
        }
        upgrade(folder.path());
    }

    /// The trial succeeds, and the store itself fails in the middle of the migration, as on a full disk.
    #[test]
    fn a_migration_that_fails_after_its_trial_is_rolled_back() {
        let folder = older();
        let step = "CREATE TABLE visits (is_trial INTEGER CHECK (is_trial));
            INSERT INTO visits SELECT file LIKE '%.tmp' FROM pragma_database_list";
        assert!(with_step(step, || Store::open(folder.path())).is_err());
        let conn = open_writer(&folder.path().join(FILE)).unwrap();
        assert_eq!(version(&conn).unwrap(), newest());
        schema::compare(&conn).unwrap();
        drop(conn);
        upgrade(folder.path());
    }

    /// Names the folder of the store for the process that is killed.
    const TO_UPGRADE: &str = "PLEITO_TEST_UPGRADE";

    /// A migration that fills the log and does not end, first in the trial and then in the store itself. This test runs
    /// itself in another process, which it kills.
    #[test]
    fn an_upgrade_that_is_killed_is_finished_by_the_next_start() {
        const IN_TRIAL: &str =
            "PRAGMA cache_size = 1; CREATE TABLE visits (x); INSERT INTO visits VALUES (zeroblob(1000000));
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;";
        const IN_STORE: &str = "PRAGMA cache_size = 1; CREATE TABLE visits (x); INSERT INTO visits VALUES (zeroblob(1000000));
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE (SELECT file NOT LIKE '%.tmp' FROM
            pragma_database_list)) SELECT count(*) FROM n;";
        if let Some(folder) = std::env::var_os(TO_UPGRADE) {
            let is_in_trial = Path::new(&folder).join("in-trial").exists();
            let _ =
                with_step(if is_in_trial { IN_TRIAL } else { IN_STORE }, || Store::open(Path::new(&folder)));
            return;
        }
        let test = concat!(module_path!(), "::an_upgrade_that_is_killed_is_finished_by_the_next_start");
        let test = test.split_once("::").unwrap().1;
        for grows in [TRIAL, WAL_FILE] {
            let folder = older();
            if grows == TRIAL {
                std::fs::write(folder.path().join("in-trial"), "").unwrap();
            }
            let size = u64::try_from(bytes(folder.path()).len()).unwrap();
            let mut upgrading = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", test])
                .env(TO_UPGRADE, folder.path())
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let growing = folder.path().join(grows);
            let is_inside = || std::fs::metadata(&growing).is_ok_and(|file| file.len() > size + 100_000);
            for _ in 0..600 {
                if is_inside() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            assert!(is_inside(), "{grows}");
            upgrading.kill().unwrap();
            upgrading.wait().unwrap();
            upgrade(folder.path());
        }
    }

    #[test]
    fn a_store_that_a_newer_program_upgraded_is_refused_unchanged() {
        let folder = older();
        upgrade(folder.path());
        let before = bytes(folder.path());
        let refused = Store::open(folder.path()).err();
        let Some(Error::Newer { found, known }) = refused else { panic!("{refused:?}") };
        assert_eq!((found, known), (newest() + 1, newest()));
        assert!(bytes(folder.path()) == before);
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

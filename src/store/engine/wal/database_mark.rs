//! Ties the write-ahead log to the database that it belongs to.
//!
//! SQLite replays a log into whatever database has the name of the store. If a crash leaves a log and a person then
//! copies another store to that name, the log would put rows of the old store into it. So each start writes a random
//! mark into the database itself, past the log, and notes it in a file. If a log is there at the next start, the
//! database must have the noted mark.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::files;
use crate::store::{Error, FILE, WAL_FILE};

/// The file with the mark. If it is missing, the owner of a log is unknown, and any database is accepted.
const NOTE: &str = "pleito.log-owner";
/// The mark in the database.
const READ_MARK: &str = "SELECT mark FROM log_owner";

/// Checks that the write-ahead log in `folder`, if it has any content, belongs to the store in this folder.
///
/// This process must not have the store open, because the check would release its locks on the file.
///
/// Returns `Damaged` if the log belongs to another file.
pub(in crate::store) fn check(folder: &Path) -> Result<(), Error> {
    if std::fs::metadata(folder.join(WAL_FILE)).map_or(0, |log| log.len()) == 0 {
        return Ok(());
    }
    if !folder.join(FILE).exists() {
        return Err(Error::Damaged(format!("{WAL_FILE} is there, but not {FILE}")));
    }
    let note = std::fs::read_to_string(folder.join(NOTE)).unwrap_or_default();
    let Ok(noted) = note.trim().parse::<i64>() else { return Ok(()) };
    match mark_without_log(&folder.join(FILE)) {
        Some(mark) if mark != Some(noted) => {
            Err(Error::Damaged(format!("{WAL_FILE} belongs to another file than {FILE}")))
        }
        _ => Ok(()),
    }
}

/// Returns the mark in a database without its log: `Some(None)` if it never had one, and `None` if that cannot be read.
fn mark_without_log(path: &Path) -> Option<Option<i64>> {
    let encoded = path.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let uri = match cfg!(windows) {
        true => ["file:///", &encoded.replace('\\', "/"), "?immutable=1"].concat(),
        false => ["file:", &encoded, "?immutable=1"].concat(),
    };
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(uri, flags).ok()?;
    let has_table =
        conn.query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'log_owner'", [], |row| {
            row.get::<_, bool>(0)
        });
    match has_table.ok()? {
        true => conn.query_row(READ_MARK, [], |row| row.get(0)).ok().map(Some),
        false => Some(None),
    }
}

/// Gives the store a new mark and notes it. `conn` is the writer's connection, outside of a transaction. If that fails, or
/// a reader prevents the checkpoint, nothing is noted.
pub(in crate::store) fn renew(conn: &Connection) {
    let folder = files::folder_of(Path::new(conn.path().unwrap_or_default()));
    let mark = rand::random::<i64>();
    let renewed = forget(folder).and_then(|()| {
        conn.execute("INSERT OR REPLACE INTO log_owner (one, mark) VALUES (1, ?1)", [mark])?;
        let is_busy = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0))?;
        let note = (!is_busy).then(|| files::replace(&folder.join(NOTE), mark.to_string().as_bytes()));
        Ok(note.transpose()?)
    });
    if let Err(cause) = renewed {
        tracing::warn!(%cause, "if the store is replaced by hand after a crash, its log will not be told apart");
    }
}

/// Forgets the owner of the log. Precedes whatever rewrites the whole database, because a crash may then leave a
/// database that can only be read together with its log.
pub(in crate::store) fn forget(folder: &Path) -> Result<(), Error> {
    Ok(files::remove_if_there(&folder.join(NOTE))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::access::tokens;
    use crate::store::{Store, try_write};
    use std::fs::{copy, remove_file};

    /// Returns the files of a store as a crash would leave them: with a log.
    fn crashed(folder: &Path) -> (Store, tempfile::TempDir) {
        let store = Store::open(folder).unwrap();
        store.write(try_write).unwrap();
        let left = tempfile::tempdir().unwrap();
        for name in [FILE, WAL_FILE, NOTE] {
            copy(folder.join(name), left.path().join(name)).unwrap();
        }
        assert!(std::fs::metadata(left.path().join(WAL_FILE)).unwrap().len() > 0);
        (store, left)
    }

    /// Every way to open the store refuses it.
    fn is_refused(folder: &Path) -> bool {
        let scratch = tempfile::tempdir().unwrap();
        let read =
            Store::read_any(folder, scratch.path(), |db| Ok::<_, Error>(tokens::current(db).map(|_| ())));
        let refusals = [
            Store::check_before_serving(folder).err(),
            Store::check(folder).err(),
            read.err(),
            Store::open(folder).err(),
        ];
        let damaged = refusals.iter().filter(|refusal| matches!(refusal, Some(Error::Damaged(_)))).count();
        assert!([0, refusals.len()].contains(&damaged), "{refusals:?}");
        damaged > 0
    }

    #[test]
    fn a_log_is_not_replayed_into_another_file() {
        let [one, another] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let (store, left) = crashed(one.path());
        let original = store.path().to_owned();
        drop(store);
        // The store after its stop, so with the mark of this start, and all of its rows.
        copy(&original, left.path().join(FILE)).unwrap();
        assert!(!is_refused(left.path()), "the same store");

        let (_other, left) = crashed(another.path());
        copy(&original, left.path().join(FILE)).unwrap();
        assert!(is_refused(left.path()), "another store");

        // A copy from before the last start.
        let earlier = std::fs::read(&original).unwrap();
        let (_store, left) = crashed(one.path());
        remove_file(left.path().join(FILE)).unwrap();
        assert!(is_refused(left.path()), "a log without its store");
        std::fs::write(left.path().join(FILE), earlier).unwrap();
        assert!(is_refused(left.path()), "an earlier copy of the store");
        remove_file(left.path().join(NOTE)).unwrap();
        assert!(!is_refused(left.path()), "without the note, nothing is known");
    }

    #[test]
    fn a_whole_folder_can_be_copied_after_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let (_store, left) = crashed(folder.path());
        assert!(!is_refused(left.path()));
    }

    #[test]
    fn the_copy_of_a_backup_beside_a_log_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (store, left) = crashed(folder.path());
        let backup = store.folder().join("backup.db");
        crate::store::engine::copy::copy(store.folder(), &backup, |_, _| Ok::<_, Error>(())).unwrap();
        Connection::open(&backup).unwrap().execute_batch("DROP TABLE log_owner").unwrap();
        std::fs::rename(&backup, left.path().join(FILE)).unwrap();
        assert!(is_refused(left.path()));
    }

    #[test]
    fn the_log_of_a_restored_or_rewritten_store_belongs_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (store, _left) = crashed(folder.path());
        let backup = store.folder().join("backup.db");
        crate::store::engine::copy::copy(store.folder(), &backup, |_, _| Ok::<_, Error>(())).unwrap();
        crate::store::engine::copy::verify_copy(&backup).unwrap();
        store.put_in_place(&backup, false).unwrap();
        store.write(try_write).unwrap();
        let left = tempfile::tempdir().unwrap();
        for name in [FILE, WAL_FILE, NOTE] {
            copy(store.folder().join(name), left.path().join(name)).unwrap();
        }
        assert!(!is_refused(left.path()));
    }
}

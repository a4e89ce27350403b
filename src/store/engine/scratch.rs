//! Runs work on a scratch copy of the store. The work sees one state of the store and can write freely; its
//! changes are discarded. The store itself is only read, so other writes continue meanwhile.

use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use super::connection::{WRITER_CACHE, open_alone};
use super::copy::copy_pages;
use crate::config::folders::SCRATCH;
use crate::files::{has_room, private_dir, private_temp_dir};
use crate::store::journal::change_log::ChangeLog;
use crate::store::{Error, FILE, Tx};

/// Runs `work` in a transaction on a private copy of the store in `folder`, and discards the copy. `on_progress`
/// receives the bytes copied and the total; an error that it returns cancels the copying.
///
/// On Unix the copy is unlinked before `work` begins, so nothing is left even if the process is killed. On
/// other systems an open file keeps its name until the end; `sweep` removes the copies of killed processes.
///
/// Returns `Full` if the disk has no room for a copy.
pub fn run<T, E: From<Error>>(
    folder: &Path,
    on_progress: impl Fn(u64, u64) -> Result<(), E>,
    work: impl FnOnce(Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    ensure_room(folder)?;
    let own = new_folder(folder).map_err(Error::from)?;
    let path = own.path().join(FILE);
    copy_pages(folder, &path, on_progress)?;
    let conn = open(&path)?;
    let log = ChangeLog::start(&conn)?;
    conn.execute_batch("BEGIN IMMEDIATE").map_err(Error::from)?;
    // Both files are open now, and SQLite opens no others.
    #[cfg(unix)]
    own.close().map_err(Error::from)?;
    work(Tx::new(&conn, &log))
}

/// Creates a folder for files that the next start removes if this process is killed. Dropping the result removes it.
pub fn new_folder(folder: &Path) -> std::io::Result<TempDir> {
    let all = folder.join(SCRATCH);
    private_dir(&all)?;
    private_temp_dir(&all, "")
}

/// Removes the copies that killed processes left behind. Runs while no other process has the store open.
pub(in crate::store) fn sweep(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder.join(SCRATCH));
}

fn ensure_room(folder: &Path) -> Result<(), Error> {
    let length = std::fs::metadata(folder.join(FILE))?.len();
    match has_room(folder, length)? {
        true => Ok(()),
        false => Err(Error::Full(format!("there is no room for a copy of {length} bytes"))),
    }
}

/// Opens a copy and its write-ahead log for this connection only. Pages that exceed the cache go to the log.
fn open(path: &Path) -> Result<Connection, Error> {
    let conn = open_alone(path, WRITER_CACHE)?;
    conn.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.pragma_update(None, "synchronous", "OFF")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    Ok(conn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Name, Notes};
    use crate::records::{Customer, OriginId, UserId};
    use crate::store::{Db, Store, records};

    fn add(tx: Tx<'_>, notes: usize) -> Result<(), Error> {
        let name = Name::parse("Ana Lima").unwrap();
        let mut customer = Customer::new(UserId::new(1).unwrap(), OriginId::new(1).unwrap(), name).unwrap();
        customer.notes = Some(Notes::parse(&"x".repeat(notes)).unwrap());
        records::insert(tx, &customer, 0).map(|_| ())
    }

    fn count(db: Db<'_>) -> Result<u64, Error> {
        Ok(db.conn().query_row("SELECT count(*) FROM customers", [], |row| row.get(0))?)
    }

    /// Counts the copies that still have a name.
    fn named(folder: &Path) -> usize {
        std::fs::read_dir(folder.join(SCRATCH)).map_or(0, Iterator::count)
    }

    #[test]
    fn writes_to_a_copy_stay_in_it_and_do_not_block_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let on_copy = |tx: Tx<'_>| {
            add(tx, 1)?;
            // Would block forever if the copy held a transaction on the store.
            store.write(|tx| add(tx, 1))?;
            assert_eq!(named(folder.path()), usize::from(!cfg!(unix)));
            let refused = tx.savepoint(|tx| {
                add(tx, 1)?;
                Err::<(), Error>(Error::Closed)
            });
            assert!(refused.is_err());
            // More than the connection's cache holds, so it spills to the log of the copy.
            (0..2_000).try_for_each(|_| add(tx, 15_000))?;
            count(*tx)
        };
        assert_eq!(run(folder.path(), |_, _| Ok(()), on_copy).unwrap(), 2_001);
        assert_eq!(store.read(count).unwrap(), 1);
        assert_eq!(named(folder.path()), 0);
    }

    #[test]
    fn copies_are_removed_after_failed_work_and_when_the_store_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let failed = run(folder.path(), |_, _| Ok(()), |_| Err::<(), _>(Error::Closed));
        assert!(matches!(failed, Err(Error::Closed)));
        assert_eq!(named(folder.path()), 0);
        let killed = folder.path().join(SCRATCH).join("killed");
        std::fs::create_dir_all(&killed).unwrap();
        std::fs::write(killed.join(FILE), "personal data").unwrap();
        drop(Store::open(folder.path()).unwrap());
        assert_eq!(named(folder.path()), 0);
    }
}

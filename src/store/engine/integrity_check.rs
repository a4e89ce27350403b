//! Integrity check of the store. A small store is checked before it is served. A large one is checked in the
//! background while it is being served; if damage is found, it is no longer served until a backup has been
//! restored. `copy::sound` asks SQLite.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use super::migrate::schema;
use super::{connection, copy, migrate, wal};
use crate::store::access::revocations::Revocations;
use crate::store::access::{keys, tokens};
use crate::store::{Db, Error, FILE, Lane, Store, WAL_FILE};

/// Files up to this size in bytes, about a hundred thousand records, are checked before they are served, in
/// about 250 ms. A larger file would make the office wait.
const MAX_BLOCKING_BYTES: u64 = 64 * 1024 * 1024;

impl Store {
    /// Returns `Damaged` if the write-ahead log in `folder` belongs to another file than the store. This process must not
    /// have the store open.
    pub fn check_wal_owner(folder: &Path) -> Result<(), Error> {
        wal::database_mark::check(folder)
    }

    /// Checks the structure and the schema of the store in `folder`. Only reads. This process must not have the store
    /// open.
    pub fn check(folder: &Path) -> Result<Checked, Error> {
        wal::database_mark::check(folder)?;
        let conn = connection::open_to_check(&folder.join(FILE))?;
        migrate::ensure_ours(&conn)?;
        sound_pages(&conn)?;
        schema::compare(&conn)?;
        let customers = copy::live(&conn, "customers")?;
        let lawsuits = copy::live(&conn, "lawsuits")?;
        if migrate::version_to_migrate(&conn)?.is_some() {
            return Ok(Checked { customers, lawsuits, access: None });
        }
        let revocations = Revocations::read(folder)?;
        let db = Db::new(&conn).with(&revocations);
        let access = Some((tokens::current(db)?, keys::all(db)?));
        Ok(Checked { customers, lawsuits, access })
    }

    /// Checks the store in `folder` before it is served. Returns `false` if it is too large to be checked in
    /// full now. Returns `true` without a check if there is no store or the file is of another kind, which
    /// [`Store::open`] reports. Only reads.
    ///
    /// Returns `Damaged` if the check finds damage.
    pub fn check_before_serving(folder: &Path) -> Result<bool, Error> {
        let path = folder.join(FILE);
        wal::database_mark::check(folder)?;
        let length = match std::fs::metadata(&path) {
            Ok(file) => file.len(),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(true),
            Err(cause) => return Err(cause.into()),
        };
        let conn = connection::open_to_check(&path)?;
        if migrate::ensure_ours(&conn).is_err() {
            return Ok(true);
        }
        whole_pages(folder, &conn)?;
        if length > MAX_BLOCKING_BYTES {
            return Ok(false);
        }
        sound_pages(&conn)?;
        Ok(true)
    }

    /// Checks the whole store in a background thread, at about 3 s per GiB, in which it takes a processor. Starts
    /// after the long reads that are already queued, so that the first lists are not delayed. The result is
    /// available from [`Store::trusted`].
    pub fn check_in_background(self: &Arc<Store>) {
        // A weak reference, so that the check does not keep the store open.
        let store = Arc::downgrade(self);
        let path = self.path.clone();
        let look = move || {
            let looked = connection::open_to_check(&path).and_then(|conn| sound_pages(&conn));
            match (looked, store.upgrade()) {
                (Err(Error::Damaged(cause)), Some(store)) => store.distrust(cause),
                (Err(cause), _) => not_looked_through(&cause),
                (Ok(()), _) => tracing::info!("the store passed the integrity check"),
            }
        };
        self.submit_read(Lane::Long, move |_| {
            let thread = std::thread::Builder::new().name("pleito-sound".to_owned());
            if let Err(cause) = thread.spawn(look) {
                not_looked_through(&cause);
            }
        });
    }

    fn distrust(&self, cause: String) {
        tracing::error!(
            cause,
            "the store is damaged and no longer served; restore a backup: pleito restore --latest"
        );
        *self.damage.write() = Some(cause);
    }

    /// Returns `Damaged` once damage has been found, until a backup has been restored.
    pub fn trusted(&self) -> Result<(), Error> {
        self.damage.read().clone().map_or(Ok(()), |cause| Err(Error::Damaged(cause)))
    }
}

/// Result of [`Store::check`].
pub struct Checked {
    pub customers: u64,
    pub lawsuits: u64,
    /// The API token in force and the keys. `None` if the store is of an older schema, which the next start upgrades.
    pub access: Option<(Option<tokens::StoredToken>, Vec<keys::StoredKey>)>,
}

fn not_looked_through(cause: &dyn std::fmt::Display) {
    tracing::warn!(%cause, "the integrity check of the store could not run");
}

/// Checks that the file ends with a complete page; SQLite itself accepts a partial one. If a write-ahead log
/// exists, a partial page is valid: it was being written when the power failed.
pub(in crate::store) fn whole_pages(folder: &Path, conn: &Connection) -> Result<(), Error> {
    let page: u64 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let has_log = std::fs::metadata(folder.join(WAL_FILE)).is_ok_and(|log| log.len() > 0);
    match has_log || std::fs::metadata(folder.join(FILE))?.len().is_multiple_of(page) {
        true => Ok(()),
        false => Err(Error::Damaged("the file ends within a page".to_owned())),
    }
}

/// Runs SQLite's `quick_check`: every page must be readable and in its place.
pub(in crate::store) fn sound_pages(conn: &Connection) -> Result<(), Error> {
    let structure: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if structure == "ok" { Ok(()) } else { Err(Error::Damaged(structure)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::engine::copy;

    #[test]
    fn a_damaged_store_is_not_trusted_until_a_backup_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(folder.path()).unwrap());
        let backup = folder.path().join("backup.db");
        copy::copy(folder.path(), &backup, |_, _| Ok::<_, Error>(())).unwrap();
        assert!(store.trusted().is_ok());
        store.distrust("page 7 is rubbish".to_owned());
        assert!(matches!(store.trusted(), Err(Error::Damaged(cause)) if cause.contains("page 7")));
        store.write(crate::store::try_write).unwrap();
        assert!(store.trusted().is_err(), "a write does not restore trust");
        copy::verify_copy(&backup).unwrap();
        store.put_in_place(&backup, false).unwrap();
        assert!(store.trusted().is_ok() && store.trusted().is_ok());
    }

    #[test]
    fn the_background_check_detects_damage() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let path = folder.path().join(FILE);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 4096;
        bytes[last..].fill(0x5a);
        std::fs::write(&path, &bytes).unwrap();
        let store = Arc::new(Store::open(folder.path()).unwrap());
        store.check_in_background();
        let began = std::time::Instant::now();
        while store.trusted().is_ok() {
            assert!(began.elapsed() < std::time::Duration::from_secs(60), "the damage is not detected");
            std::thread::yield_now();
        }
        assert!(matches!(Store::check_before_serving(folder.path()), Err(Error::Damaged(_))));
    }
}

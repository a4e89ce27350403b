//! Is the store as it was written? Looked at before it is served, all of it; that of a large office while it begins to
//! serve, and then it serves no longer once damage is found, until a backup is in its place.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use super::{Error, FILE, LOG, Lane, Store, connection, migrate};

/// A file of up to so many bytes, a hundred thousand records, is looked through before it is served: a quarter of a second.
/// A larger one would keep an office waiting.
const AT_ONCE: u64 = 64 * 1024 * 1024;

impl Store {
    /// Whether the store in `folder` may be served, and whether all of it was looked at. Well where there is no store yet,
    /// or one of another kind, of which [`Store::open`] says what it is. Changes nothing.
    ///
    /// # Errors
    /// `Damaged`; or why it cannot be read.
    pub fn look_through(folder: &Path) -> Result<bool, Error> {
        let path = folder.join(FILE);
        let length = match std::fs::metadata(&path) {
            Ok(file) => file.len(),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(true),
            Err(cause) => return Err(cause.into()),
        };
        let conn = connection::open_to_look(&path)?;
        if migrate::is_ours(&conn).is_err() {
            return Ok(true);
        }
        whole_pages(folder, &conn)?;
        if length > AT_ONCE {
            return Ok(false);
        }
        sound_pages(&conn)?;
        Ok(true)
    }

    /// Looks through all of it in a thread of its own, 3 s for a GiB, behind the long reads that are asked for already: the first
    /// lists are not kept waiting for it. From then on see [`Store::trusted`].
    pub fn look_through_meanwhile(self: &Arc<Store>) {
        // It keeps nobody from closing the store.
        let (store, path) = (Arc::downgrade(self), self.path.clone());
        let look = move || {
            let looked = connection::open_to_look(&path).and_then(|conn| sound_pages(&conn));
            match (looked, store.upgrade()) {
                (Err(Error::Damaged(cause)), Some(store)) => store.distrust(cause),
                (Err(cause), _) => not_looked_through(&cause),
                (Ok(()), _) => tracing::info!("the store was looked through and is sound"),
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
            "the store is damaged and is not served; go back to a backup: pleito restore --latest"
        );
        *self.damage.write() = Some(cause);
    }

    /// Whether it may go on being served.
    ///
    /// # Errors
    /// `Damaged` from the moment on in which damage was found, until a backup took its place.
    pub fn trusted(&self) -> Result<(), Error> {
        self.damage.read().clone().map_or(Ok(()), |cause| Err(Error::Damaged(cause)))
    }
}

fn not_looked_through(cause: &dyn std::fmt::Display) {
    tracing::warn!(%cause, "the store could not be looked through");
}

/// Whether the file ends with a page: SQLite takes half of one for one. With a log beside it, half a page is one that was
/// about to be written when the power went.
pub(super) fn whole_pages(folder: &Path, conn: &Connection) -> Result<(), Error> {
    let page: u64 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let has_log = std::fs::metadata(folder.join(LOG)).is_ok_and(|log| log.len() > 0);
    match has_log || std::fs::metadata(folder.join(FILE))?.len().is_multiple_of(page) {
        true => Ok(()),
        false => Err(Error::Damaged("the file ends within a page".to_owned())),
    }
}

/// Whether every page is where it has to be and can be read.
pub(super) fn sound_pages(conn: &Connection) -> Result<(), Error> {
    let structure: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if structure == "ok" { Ok(()) } else { Err(Error::Damaged(structure)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::copy;

    #[test]
    fn a_store_found_damaged_is_not_trusted_until_a_backup_is_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(folder.path()).unwrap());
        let backup = folder.path().join("backup.db");
        copy::copy(folder.path(), &backup, |_, _| Ok::<_, Error>(())).unwrap();
        assert!(store.trusted().is_ok());
        store.distrust("page 7 is rubbish".to_owned());
        assert!(matches!(store.trusted(), Err(Error::Damaged(cause)) if cause.contains("page 7")));
        store.write(super::super::try_write).unwrap();
        assert!(store.trusted().is_err(), "a write heals nothing");
        copy::try_out(&backup).unwrap();
        store.put_in_place(&backup, false).unwrap();
        assert!(store.trusted().is_ok() && store.trusted().is_ok());
    }

    #[test]
    fn damage_is_found_under_a_store_that_is_served() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let path = folder.path().join(FILE);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 4096;
        bytes[last..].fill(0x5a);
        std::fs::write(&path, &bytes).unwrap();
        let store = Arc::new(Store::open(folder.path()).unwrap());
        store.look_through_meanwhile();
        let began = std::time::Instant::now();
        while store.trusted().is_ok() {
            assert!(began.elapsed() < std::time::Duration::from_secs(60), "it is not found");
            std::thread::yield_now();
        }
        assert!(matches!(Store::look_through(folder.path()), Err(Error::Damaged(_))));
    }
}

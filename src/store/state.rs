//! Which state the store is in: what was read from it stays right for as long as nobody has written since.

use std::path::Path;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};

use super::Error;

/// A state of the store. Two that are equal are the same state; any commit, of whichever process, leads to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// A number of the open store's own: what another one has counted is not comparable.
    store: u64,
    commits: i64,
}

/// A connection that does nothing but notice commits.
pub(super) struct Watch {
    store: u64,
    conn: Mutex<Connection>,
}

impl Watch {
    pub(super) fn open(path: &Path) -> Result<Watch, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags)?;
        conn.busy_timeout(Duration::ZERO)?;
        Ok(Watch { store: rand::random(), conn: Mutex::new(conn) })
    }

    /// The state now: two locks and a look into shared memory, no page of the file. Waits for nobody.
    pub(super) fn now(&self) -> Result<State, Error> {
        let conn = self.conn.lock();
        // It moves with every commit of any other connection, and this one makes none.
        let mut statement = conn.prepare_cached("PRAGMA data_version")?;
        Ok(State { store: self.store, commits: statement.query_row([], |row| row.get(0))? })
    }
}

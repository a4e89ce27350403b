//! Which state the store is in, and what leads from one to another: what was read stays right until somebody touches it.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};

use super::changes::{self, Kind};
use super::{Db, Error};

/// A state of the store. Two that are equal are the same state; any commit, of whichever process, leads to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// A number of the open store's own: what another one has counted is not comparable.
    store: u64,
    commits: i64,
}

/// A state, and how it was reached.
#[derive(Debug)]
pub struct Turn {
    /// The state now.
    pub state: State,
    /// Its newest change.
    pub seq: u64,
    /// The records that may be shown otherwise than before; none where all may.
    pub touched: Option<BTreeSet<(Kind, u32)>>,
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
        conn.pragma_update(None, "cache_size", -256)?;
        Ok(Watch { store: rand::random(), conn: Mutex::new(conn) })
    }

    /// The state now: two locks and a look into shared memory, no page of the file. Waits for nobody.
    pub(super) fn now(&self) -> Result<State, Error> {
        self.state(Db::new(&self.conn.lock()))
    }

    /// The state now, and what was touched behind the change `seq`: some microseconds for each change, a few milliseconds
    /// at the most.
    pub(super) fn turn(&self, seq: u64) -> Result<Turn, Error> {
        let conn = self.conn.lock();
        Db::new(&conn).snapshot(|db| {
            let state = self.state(db)?;
            Ok(Turn { state, seq: changes::latest(db)?, touched: changes::touched(db, seq)? })
        })
    }

    /// It moves with every commit of any other connection, and this one makes none.
    fn state(&self, db: Db<'_>) -> Result<State, Error> {
        let mut statement = db.conn().prepare_cached("PRAGMA data_version")?;
        Ok(State { store: self.store, commits: statement.query_row([], |row| row.get(0))? })
    }
}

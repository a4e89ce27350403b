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

/// What a program that is not this one has committed is noticed after so long at the latest; what this one has, in whichever
/// process, at once.
const OFTEN: Duration = Duration::from_millis(20);

/// A connection that does nothing but notice commits.
pub(super) struct Watch {
    store: u64,
    looking: Mutex<Looking>,
}

struct Looking {
    conn: Connection,
    last: Option<Look>,
}

/// A look at the file, when it was, and the commit's number in `Generation` that was read before it.
struct Look {
    commit: u64,
    at: Duration,
    state: State,
}

impl Watch {
    pub(super) fn open(path: &Path) -> Result<Watch, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags)?;
        conn.busy_timeout(Duration::ZERO)?;
        conn.pragma_update(None, "cache_size", -256)?;
        Ok(Watch { store: rand::random(), looking: Mutex::new(Looking { conn, last: None }) })
    }

    /// The state now. `commit` is the last commit's number in `Generation`, read before: while it stays the same nothing is
    /// asked of SQLite, whose answer takes two locks of the file system. `time` is one that no clock change moves.
    pub(super) fn now(&self, commit: u64, time: Duration) -> Result<State, Error> {
        let mut looking = self.looking.lock();
        let recent = |look: &Look| time.saturating_sub(look.at) < OFTEN;
        let fresh = |look: &&Look| commit != 0 && look.commit == commit && recent(look);
        if let Some(look) = looking.last.as_ref().filter(fresh) {
            return Ok(look.state);
        }
        let state = self.look(Db::new(&looking.conn))?;
        looking.last = Some(Look { commit, at: time, state });
        Ok(state)
    }

    /// The state as SQLite has it at this moment: a commit can be read a little before its number tells of it.
    pub(super) fn exact(&self) -> Result<State, Error> {
        self.look(Db::new(&self.looking.lock().conn))
    }

    /// The state now, and what was touched behind the change `seq`: some microseconds for each change, a few milliseconds
    /// at the most.
    pub(super) fn turn(&self, seq: u64) -> Result<Turn, Error> {
        let mut looking = self.looking.lock();
        let turn = Db::new(&looking.conn).snapshot(|db| {
            let state = self.look(db)?;
            Ok::<_, Error>(Turn { state, seq: changes::latest(db)?, touched: changes::touched(db, seq)? })
        })?;
        if let Some(last) = &mut looking.last {
            last.state = turn.state;
        }
        Ok(turn)
    }

    /// It moves with every commit of any other connection, and this one makes none.
    fn look(&self, db: Db<'_>) -> Result<State, Error> {
        let mut statement = db.conn().prepare_cached("PRAGMA data_version")?;
        Ok(State { store: self.store, commits: statement.query_row([], |row| row.get(0))? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{self, Store};

    #[test]
    fn a_commit_is_noticed_at_once_and_that_of_another_program_soon() {
        let folder = tempfile::tempdir().unwrap();
        let stores = [0, 1].map(|_| Store::open(folder.path()).unwrap());
        let state = |time| stores[0].state(time).unwrap();
        for by in [0, 1, 1, 0] {
            let before = state(Duration::ZERO);
            assert_eq!(state(Duration::ZERO), before);
            stores[by].write(store::try_write).unwrap();
            assert_ne!(state(Duration::ZERO), before);
        }
        let before = state(Duration::ZERO);
        let other = Connection::open(stores[0].path()).unwrap();
        other.execute("INSERT INTO counters VALUES ('GET /', 0, 1)", []).unwrap();
        assert_eq!(state(Duration::ZERO), before);
        assert_ne!(stores[0].exact_state().unwrap(), before);
        assert_ne!(state(OFTEN), before);
    }
}

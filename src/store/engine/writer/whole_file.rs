//! Work on the whole file, between two commits.

use std::path::Path;

use super::{Others, Thread};
use crate::store::engine::epoch::Epoch;
use crate::store::engine::{copy, log_owner};
use crate::store::journal::Via;
use crate::store::{Db, Error};

impl Thread {
    pub(super) fn replace(&mut self, from: &Path, with_token: bool) -> Result<(), Error> {
        let folder = self.conn.path().and_then(|path| Path::new(path).parent()).unwrap_or(Path::new(""));
        self.log.under_way().is(Via::Restore.waiting_for());
        self.file.ensure_in_place()?;
        copy::put_in_place(folder, from, with_token)?;
        self.epoch = Epoch::settle(&self.conn)?;
        log_owner::renew(&self.conn);
        self.listeners.publish_all(Db::new(&self.conn).with(&self.endings));
        // `put_in_place` committed over its own connection: not a write by another program.
        self.others = Others::of(&self.conn)?;
        Ok(())
    }

    pub(super) fn rewrite(&mut self) -> Result<(), Error> {
        copy::rewrite(Path::new(self.conn.path().unwrap_or_default()))?;
        // `copy::rewrite` committed over its own connection. No record has changed, so nothing is published.
        self.others = Others::of(&self.conn)?;
        log_owner::renew(&self.conn);
        self.wal.empty(&self.conn);
        Ok(())
    }

    pub(super) fn maintain(&mut self) -> Result<(), Error> {
        self.check_external_writes()?;
        self.wal.look(&self.conn)?;
        self.note_given(false);
        Ok(())
    }

    /// Notes the numbers given out so far beside the store, unless its file is gone.
    pub(super) fn note_given(&mut self, has_stopped: bool) {
        if let Some(epoch) = self.epoch.as_mut().filter(|_| self.file.is_in_place()) {
            epoch.note(Db::new(&self.conn), has_stopped);
        }
    }
}

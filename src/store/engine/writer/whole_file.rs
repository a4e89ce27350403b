//! Work on the whole file, between two commits.

use std::path::{Path, PathBuf};

use super::{FileVersion, Thread, Writer};
use crate::store::engine::epoch::Epoch;
use crate::store::engine::{copy, wal};
use crate::store::journal::Via;
use crate::store::{Db, Error};

impl Writer {
    /// Looks for writes by other programs, and after the log and the note of the epoch.
    pub(in crate::store) fn maintain(&self) -> Result<(), Error> {
        self.between(Thread::maintain)
    }

    /// Replaces the content of the store with that of the file `from`, after `before`. Keeps the store's API token unless
    /// `with_token` is set; see [`copy::put_in_place`].
    pub(in crate::store) fn replace<T, E>(
        &self,
        from: PathBuf,
        with_token: bool,
        before: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.between(move |thread| {
            thread.log.current_work().set_reason(Via::Restore.waiting_for());
            thread.file.ensure_in_place()?;
            let done = before()?;
            // It may have taken long.
            thread.file.ensure_in_place()?;
            thread.replace(&from, with_token)?;
            Ok(done)
        })
    }

    /// Replaces the content of a standby's store with that of the file `from`, unchanged.
    pub(in crate::store) fn mirror(&self, from: PathBuf) -> Result<(), Error> {
        self.between(move |thread| thread.mirror(&from))
    }

    /// Rewrites the whole file, so that it contains no deleted data any more; see [`copy::rewrite`].
    pub(in crate::store) fn rewrite(&self) -> Result<(), Error> {
        self.between(Thread::rewrite)
    }
}

impl Thread {
    pub(super) fn replace(&mut self, from: &Path, with_token: bool) -> Result<(), Error> {
        copy::put_in_place(self.folder(), from, with_token)?;
        self.epoch = Epoch::settle(&self.conn)?;
        self.publish_content()
    }

    pub(super) fn mirror(&mut self, from: &Path) -> Result<(), Error> {
        self.file.ensure_in_place()?;
        copy::put_in_place_unchanged(self.folder(), from)?;
        self.publish_content()
    }

    fn folder(&self) -> &Path {
        self.conn.path().and_then(|path| Path::new(path).parent()).unwrap_or(Path::new(""))
    }

    /// Publishes the new content of the file. It was committed over another connection of this program: not a write by another
    /// program.
    fn publish_content(&mut self) -> Result<(), Error> {
        wal::database_mark::renew(&self.conn);
        self.listeners.publish_all(Db::new(&self.conn).with(&self.revocations));
        self.others = FileVersion::of(&self.conn)?;
        Ok(())
    }

    pub(super) fn rewrite(&mut self) -> Result<(), Error> {
        copy::rewrite(Path::new(self.conn.path().unwrap_or_default()))?;
        // `copy::rewrite` committed over its own connection. No record has changed, so nothing is published.
        self.others = FileVersion::of(&self.conn)?;
        wal::database_mark::renew(&self.conn);
        self.wal.empty(&self.conn);
        Ok(())
    }

    pub(super) fn maintain(&mut self) -> Result<(), Error> {
        self.check_external_writes()?;
        self.wal.maintain(&self.conn)?;
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

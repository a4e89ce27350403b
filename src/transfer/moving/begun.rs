//! The move that was begun here, as the store tells of it.

use super::plan::MoveState;
use super::report::MoveReport;
use crate::store::Db;
use crate::store::moves;
use crate::transfer::error::TransferError;

/// A move that was begun, whoever did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunMove {
    /// When it was begun, in seconds since 1970.
    pub begun_at: i64,
    /// When everything had come; none where it was interrupted, or is under way.
    pub finished_at: Option<i64>,
    /// What came, so far.
    pub report: MoveReport,
}

impl BegunMove {
    /// The move that was begun in this store, if there is one.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn read(db: Db<'_>) -> Result<Option<BegunMove>, TransferError> {
        let Some(stored) = moves::current(db)? else { return Ok(None) };
        let report = MoveReport::read(db, &stored, &MoveState::of(&stored)?)?;
        Ok(Some(BegunMove { begun_at: stored.begun_at, finished_at: stored.finished_at, report }))
    }
}

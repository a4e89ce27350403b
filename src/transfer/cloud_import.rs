//! Moves all data from another server of the contract, the live service or another Pleito (product 6). Ids and
//! moments stay the same, and the office can work meanwhile.
//!
//! **The order of work.** `mover` runs a move:
//!
//! 1. It asks the source for its lists and for the number of records. `source` is the client, with its waits and retries.
//! 2. `plan` lists the steps, and has the position of the move. A later round skips what cannot be new (`steps::later_rounds`).
//! 3. `steps::walk` reads a list of records page by page, `steps::owned` the records of one owner at a time.
//! 4. `record` converts each record, with the list entries that `entries` finds or makes, and `chunk` stores a page of them.
//! 5. `steps::repeat_failed` asks once more for what failed, `steps::sample` compares some records with the source, and
//!    `compatibility` sets the office to answer like it. `report` tells what was not moved.
//!
//! **What holds.** A page is stored in one transaction together with the position of the move. An interrupted move
//! therefore resumes at any point. Transactions are kept small, so that others can write in between.

mod chunk;
mod compatibility;
mod entries;
pub(super) mod error;
mod move_author;
mod mover;
mod plan;
mod record;
mod report;
mod source;
mod source_ids;
mod steps;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use compatibility::MovedCompatibility;
pub use error::MoveError;
pub use report::{MoveCount, MoveDetail, MoveReport, Moved, MovedResource};
pub use source::token::SourceToken;
pub use steps::sample::MoveSample;

use super::prelude::*;
use crate::auth::Caller;
use crate::clock::Clock;
use crate::config::settings::Compatibility;
use crate::http::Api;
use crate::progress::ProgressSink;
use crate::store::imports::moves;
use crate::store::records::full_records::is_empty;

use move_author::MoveAuthor;
use mover::Mover;
use source::SourceServer;

/// Time to wait for a move that was interrupted but has not stopped yet.
const STOPPING_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The base address of the source, the server to move from, with or without `/api/v1`.
    pub source: String,
    pub token: SourceToken,
    /// Certificate of an additional trusted authority, in PEM: that of another Pleito.
    pub authority: Option<String>,
    /// `true` to count the records only, without moving them.
    pub dry_run: bool,
    /// `true` to run a finished move again, for what is new on the source.
    pub again: bool,
    /// The value of `api.compatibility` to set at the end. By default the one detected on the source.
    pub compatibility: Option<Compatibility>,
    /// `true` to allow a source at a public address without encryption.
    pub insecure: bool,
    /// Of messages.
    pub lang: Lang,
}

impl Move {
    /// Parses a typed base address. Returns it with `/api/v1`.
    pub fn base(typed: &str) -> Result<String, MoveError> {
        source::address::base(typed)
    }

    /// Explains in a sentence why `api.compatibility` becomes `live`.
    pub fn why_live(lang: Lang) -> &'static str {
        compatibility::why(lang)
    }

    /// Runs the move for `caller`, or resumes an interrupted one. The rate limits of the source determine the duration.
    /// `on_progress` receives the progress, at least once a second during a wait, and stops the move by returning
    /// `false`.
    ///
    /// # Errors
    /// Returns the reason why the move stopped. The records moved so far stay.
    pub fn run(
        &self,
        api: &Arc<Api>,
        caller: &Caller,
        clock: &Clock,
        on_progress: &ProgressSink,
    ) -> Result<Moved> {
        let base = source::address::base(&self.source)?;
        let app = api.app();
        let store = api.app().store();
        let Some(_alone) = app.move_alone(STOPPING_TIMEOUT) else { return Err(MoveError::UnderWay.into()) };
        let lang = self.lang;
        let begun = store.read(moves::current)?;
        if let Some(begun) = &begun
            && !self.dry_run
        {
            if begun.source != base {
                return Err(MoveError::Elsewhere(begun.source.clone()).into());
            }
            if begun.finished_at.is_some() && !self.again {
                return Err(MoveError::Finished(base).into());
            }
        }
        if begun.is_none() && !self.dry_run && !store.read(is_empty)? {
            return Err(MoveError::Taken.into());
        }
        let source = SourceServer::new(base, &self.token, self.authority.as_deref(), self.insecure, clock);
        let noting = app.clone();
        let on_progress = on_progress.clone();
        let on_progress: ProgressSink = Arc::new(move |progress| {
            noting.set_move_progress(progress.clone());
            on_progress(progress)
        });
        let author = MoveAuthor::of(caller, store)?;
        let moved = Mover::new(app, lang, source, &on_progress, author, self.compatibility)
            .run(begun, self.dry_run)?;
        if !self.dry_run {
            app.note_import();
        }
        Ok(moved)
    }
}

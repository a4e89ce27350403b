//! The move from another server of the contract, the live service or another Pleito (product 6): everything that it has,
//! with the same ids and moments, while the office works.
//!
//! A page is asked for, read, and stored with how far the move is in one transaction, so that a move that was interrupted
//! at any point goes on where it was. No transaction has very many records: others write in between.

mod author;
mod begun;
mod chunk;
mod entries;
mod error;
mod mover;
mod pace;
mod plan;
mod record;
mod report;
mod source;
mod walk;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use begun::BegunMove;
pub use error::MoveError;
pub use report::{MoveDetail, MoveReport, MoveSample, MovedResource};
pub use source::SourceToken;

use super::error::TransferError;
use crate::clock::Clock;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::http::Api;
use crate::progress::{Hearing, time};
use crate::store::moves;
use crate::store::whole::is_empty;

use mover::Mover;
use source::SourceServer;

/// How long one waits for another that was interrupted: it stops as soon as it notices.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is to be moved, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The base address of the other server, with or without `/api/v1`.
    pub source: String,
    /// Its token.
    pub token: SourceToken,
    /// The certificate of an authority that is trusted beside those of the system, in PEM: that of another Pleito.
    #[serde(default)]
    pub authority: Option<String>,
    /// Whether it is only counted what there is.
    pub dry_run: bool,
    /// Whether what is new there is brought once everything has come.
    pub again: bool,
    /// Whether what is said of it is Portuguese.
    pub portuguese: bool,
}

/// What came of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moved {
    /// It was only counted.
    Counted(MoveCount),
    /// Everything has come.
    Whole(MoveReport),
}

/// What there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveCount {
    /// The base address of the other server.
    pub source: String,
    /// How many records the lists have: each by its name in paths.
    pub resources: Vec<(String, u64)>,
    /// What is listed of one record at a time, so that nobody knows how many there are before they are asked for.
    pub of_each: Vec<String>,
    /// How many requests it takes.
    pub requests: u64,
    /// How many seconds that takes.
    pub seconds: u64,
}

impl MoveCount {
    /// What nobody knows of those in `of_each`.
    pub fn unknown(lang: Lang) -> &'static str {
        lang.pick(
            "só se sabe quantos ao pedi-los, um registro por vez",
            "known only as they are asked for, one record at a time",
        )
    }

    /// What it takes, in a sentence; `number` writes a count.
    pub fn effort(&self, lang: Lang, number: impl Fn(u64) -> String) -> String {
        let (requests, left) = (number(self.requests), time(self.seconds, lang));
        say!(
            lang,
            "Nada foi salvo. Trazer tudo leva {requests} pedidos: {left}.",
            "Nothing was stored. To bring everything takes {requests} requests: {left}."
        )
    }
}

impl From<MoveError> for TransferError {
    fn from(error: MoveError) -> TransferError {
        TransferError::Move(error)
    }
}

impl Move {
    /// The base address of the other server, of what somebody typed.
    ///
    /// # Errors
    /// That it is none.
    pub fn base(typed: &str) -> Result<String, MoveError> {
        source::base(typed)
    }

    /// Does it, and goes on with one that was interrupted. It takes as long as the other server's limits want. `hears` hears how
    /// far it is, at least once a second while it waits; it stops where that is false.
    ///
    /// # Errors
    /// Why it stopped. What has come until then stays.
    pub fn run(&self, api: &Arc<Api>, clock: &Clock, hears: &Hearing) -> Result<Moved, TransferError> {
        let base = source::base(&self.source)?;
        let (app, store) = (api.app(), api.app().store());
        let Some(_alone) = app.move_alone(PATIENCE) else { return Err(MoveError::UnderWay.into()) };
        let lang = if self.portuguese { Lang::Pt } else { Lang::En };
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
        let source = SourceServer::new(base, &self.token, self.authority.as_deref(), clock);
        Mover::new(app, lang, source, hears).run(begun, self.dry_run)
    }
}

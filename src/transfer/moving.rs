//! The move from another server of the contract, the live service or another Pleito (product 6): everything that it has,
//! with the same ids and moments, while the office works.
//!
//! A page is asked for, read, and stored with how far the move is in one transaction, so that a move that was interrupted
//! at any point goes on where it was. No transaction has very many records: others write in between.

mod address;
mod author;
mod chunk;
mod compatibility;
mod documents;
mod entries;
pub(super) mod error;
mod ids;
mod links;
mod lists;
mod mover;
mod named;
mod news;
mod owned;
mod pace;
mod plan;
mod reach;
mod record;
mod report;
mod report_text;
mod retry;
mod routes;
mod sample;
mod source;
mod token;
mod walk;
mod wanted;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use compatibility::MovedCompatibility;
pub use error::MoveError;
pub use report::{MoveCount, MoveDetail, MoveReport, Moved, MovedResource};
pub use sample::MoveSample;
pub use token::SourceToken;

use super::error::TransferError;
use crate::clock::Clock;
use crate::config::settings::Compatibility;
use crate::domain::Lang;
use crate::http::Api;
use crate::progress::Hearing;
use crate::store::moves;
use crate::store::whole::is_empty;

use mover::Mover;
use source::SourceServer;

/// How long one waits for another that was interrupted: it stops as soon as it notices.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is to be moved, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// What `api.compatibility` becomes at the end; as the source has it if nobody says so.
    pub compatibility: Option<Compatibility>,
    /// `true` if the source may be at a public address without encryption.
    pub insecure: bool,
    /// Whether what is said of it is Portuguese.
    pub portuguese: bool,
}

impl Move {
    /// The base address of the other server, of what somebody typed.
    ///
    /// # Errors
    /// That it is none.
    pub fn base(typed: &str) -> Result<String, MoveError> {
        address::base(typed)
    }

    /// Why `api.compatibility` becomes `live`, in a sentence.
    pub fn why_live(lang: Lang) -> &'static str {
        compatibility::why(lang)
    }

    /// Does it, and goes on with one that was interrupted. It takes as long as the other server's limits want. `hears` hears how
    /// far it is, at least once a second while it waits; it stops where that is false.
    ///
    /// # Errors
    /// Why it stopped. What has come until then stays.
    pub fn run(&self, api: &Arc<Api>, clock: &Clock, hears: &Hearing) -> Result<Moved, TransferError> {
        let base = address::base(&self.source)?;
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
        let source = SourceServer::new(base, &self.token, self.authority.as_deref(), self.insecure, clock);
        let (noting, hears) = (app.clone(), hears.clone());
        let hears: Hearing = Arc::new(move |progress| {
            noting.hear_of_move(progress.clone());
            hears(progress)
        });
        Mover::new(app, lang, source, &hears, self.compatibility).run(begun, self.dry_run)
    }
}

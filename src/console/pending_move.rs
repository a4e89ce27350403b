//! The move from another server as the console has it done: what was counted and waits for a word, and what is under way. The
//! token is in memory only, until the move ends; where it was only counted, for an hour.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::waiting::Task;
use crate::app::App;
use crate::domain::Lang;
use crate::http::Api;
use crate::store::moves;
use crate::transfer::{Move, MoveError, Moved, TransferError};

/// How long what was counted waits.
const KEPT: Duration = Duration::from_secs(60 * 60);

/// The move of this run of the program.
#[derive(Default)]
pub(super) struct PendingMove {
    pub task: Arc<Task<EndedMove>>,
    kept: Mutex<Kept>,
}

/// What is known beyond what is under way.
#[derive(Default)]
struct Kept {
    /// What is counted, or was; and since when.
    counted: Option<(Move, Duration)>,
    /// Where from, and by which certificate, was told last.
    told: Option<(String, Option<String>)>,
}

/// What came of it.
#[derive(Clone)]
pub(super) struct EndedMove {
    pub result: Arc<Result<Moved, TransferError>>,
    /// When the move that was in the store then was begun, and when it was finished.
    pub standing: Option<(i64, Option<i64>)>,
}

impl PendingMove {
    /// Begins it as asked; nothing where one is under way.
    pub fn begin(self: &Arc<PendingMove>, api: &Arc<Api>, asked: Move, id: &str) {
        // Held, so that it does not end before it is known what was counted.
        let mut kept = self.kept.lock();
        let (own, api, id) = (self.clone(), api.clone(), id.to_owned());
        let (app, counted) = (api.app().clone(), asked.clone());
        let work = move |hears| {
            let result = asked.run(&api, api.app().clock(), &hears);
            if let Err(error) = &result {
                own.forget();
                if !matches!(error, TransferError::Move(MoveError::Stopped)) {
                    tracing::warn!(
                        id,
                        reason = error.say(Lang::En),
                        cause = error.detail(),
                        "a move of the console's"
                    );
                }
            }
            EndedMove { result: Arc::new(result), standing: standing(api.app()) }
        };
        let failed =
            |cause| EndedMove { result: Arc::new(Err(TransferError::Defect(cause))), standing: None };
        if self.task.begin(&app, work, failed) {
            tracing::info!(only_counted = counted.dry_run, "the console moves from another server");
            kept.told = Some((counted.source.clone(), counted.authority.clone()));
            kept.counted = counted.dry_run.then(|| (counted, app.monotonic()));
        }
    }

    /// What is under way only counts, or was counted.
    pub fn is_counted(&self, now: Duration) -> bool {
        let mut kept = self.kept.lock();
        kept.counted.take_if(|(_, at)| now.saturating_sub(*at) > KEPT);
        kept.counted.is_some()
    }

    /// What was counted; it does not wait any more then.
    pub fn take_counted(&self, now: Duration) -> Option<Move> {
        let (counted, at) = self.kept.lock().counted.take()?;
        (now.saturating_sub(at) <= KEPT).then_some(counted)
    }

    /// Forgets what was counted.
    pub fn forget(&self) {
        self.kept.lock().counted = None;
    }

    /// The address and the certificate that were told last in this run; empty where none was.
    pub fn told(&self) -> (String, String) {
        let (source, authority) = self.kept.lock().told.clone().unwrap_or_default();
        (source, authority.unwrap_or_default())
    }
}

/// The move in the store: what came of another one is old once it has changed.
fn standing(app: &App) -> Option<(i64, Option<i64>)> {
    let begun = app.store().read(moves::current).ok().flatten()?;
    Some((begun.begun_at, begun.finished_at))
}

//! State of the move from another server in the console: the counted move waiting for confirmation, and the
//! running one. The token is kept only in memory, until the move ends, or for an hour after counting.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::app::App;
use crate::auth::Caller;
use crate::console::layout::job::BackgroundJob;
use crate::domain::Lang;
use crate::http::Api;
use crate::store::imports::moves;
use crate::transfer::{Move, MoveError, Moved, TransferError};

/// Time that a counted move waits for confirmation.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

#[derive(Default)]
pub(in crate::console) struct PendingMove {
    pub job: Arc<BackgroundJob<EndedMove>>,
    kept: Mutex<PendingState>,
}

/// Data kept besides the running job.
#[derive(Default)]
struct PendingState {
    /// The move that was counted or is being counted, and since when.
    counted: Option<(Move, Duration)>,
    /// The source address and certificate entered last.
    entered: Option<(String, Option<String>)>,
}

#[derive(Clone)]
pub(in crate::console) struct EndedMove {
    pub result: Arc<Result<Moved, TransferError>>,
    /// Start and end of the stored move at that time, to recognize an outdated result.
    pub standing: Option<(i64, Option<i64>)>,
}

impl PendingMove {
    /// Starts a move for `caller`. Does nothing if one is running.
    pub fn begin(self: &Arc<PendingMove>, api: &Arc<Api>, caller: Caller, requested: Move, id: &str) {
        // Holds the lock, so that the move cannot end before `counted` is set.
        let mut kept = self.kept.lock();
        let own = self.clone();
        let api = api.clone();
        let id = id.to_owned();
        let app = api.app().clone();
        let counted = requested.clone();
        let work = move |on_progress| {
            let result = requested.run(&api, &caller, api.app().clock(), &on_progress);
            if let Err(error) = &result {
                own.forget();
                if !matches!(error, TransferError::Move(MoveError::Stopped)) {
                    tracing::warn!(
                        id,
                        reason = error.message(Lang::En),
                        cause = error.detail(),
                        "move from another server failed"
                    );
                }
            }
            EndedMove { result: Arc::new(result), standing: standing(api.app()) }
        };
        let failed =
            |cause| EndedMove { result: Arc::new(Err(TransferError::Defect(cause))), standing: None };
        if self.job.begin(&app, work, failed) {
            tracing::info!(only_counted = counted.dry_run, "the console started a move from another server");
            kept.entered = Some((counted.source.clone(), counted.authority.clone()));
            kept.counted = counted.dry_run.then(|| (counted, app.monotonic()));
        }
    }

    /// Returns `true` if a move is being counted or waits for confirmation.
    pub fn is_counted(&self, now: Duration) -> bool {
        let mut kept = self.kept.lock();
        kept.counted.take_if(|(_, at)| now.saturating_sub(*at) > LIFETIME);
        kept.counted.is_some()
    }

    /// Takes the counted move, unless it has expired.
    pub fn take_counted(&self, now: Duration) -> Option<Move> {
        let (counted, at) = self.kept.lock().counted.take()?;
        (now.saturating_sub(at) <= LIFETIME).then_some(counted)
    }

    /// Discards the counted move and its token.
    pub fn forget(&self) {
        self.kept.lock().counted = None;
    }

    /// Returns the source address and certificate entered last since the program started, or empty texts.
    pub fn source_entered(&self) -> (String, String) {
        let (source, authority) = self.kept.lock().entered.clone().unwrap_or_default();
        (source, authority.unwrap_or_default())
    }
}

/// Returns start and end of the stored move. A result belongs to it only if both are still equal.
fn standing(app: &App) -> Option<(i64, Option<i64>)> {
    let begun = app.store().read(moves::current).ok().flatten()?;
    Some((begun.begun_at, begun.finished_at))
}

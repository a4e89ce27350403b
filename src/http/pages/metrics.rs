//! `GET /metrics`, for a monitoring system on this machine (always 45.2).

use std::sync::Arc;

use http::StatusCode;
use http::header::{self, HeaderValue};
use tokio::sync::oneshot;

use crate::app::App;
use crate::http::answers::answer::Answer;
use crate::http::answers::problem::Problem;
use crate::http::requests::checks::host::is_this_machine;
use crate::http::requests::request::Request;
use crate::metrics::OfficeState;
use crate::store::nouns::documents;
use crate::store::{Db, Error, Lane};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers programs on this machine that use a loopback name and no proxy. For all others, and without the setting, there is
/// no such path.
pub(super) async fn answer(request: &Request, app: &Arc<App>) -> Result<Answer, Problem> {
    let is_here = request.is_from_here() && request.host().is_some_and(|host| is_this_machine(host, None));
    if !is_here || !app.settings().server.metrics {
        return Err(Problem::no_route());
    }
    let (reply, state) = oneshot::channel();
    let office = app.clone();
    app.store().submit_read(Lane::Long, move |db| {
        let _ = reply.send(db.and_then(|db| office_state(&office, db)));
    });
    let state = state.await.unwrap_or(Err(Error::Closed))?;
    let text = app.metrics().render(&state).map_err(|cause| Problem::internal(cause.to_string()))?;
    let answer = Answer { body: text.into(), ..Answer::empty(StatusCode::OK) };
    Ok(answer.with(header::CONTENT_TYPE, HeaderValue::from_static(OPEN_METRICS)))
}

fn office_state(app: &App, db: Db<'_>) -> Result<OfficeState, Error> {
    let store = app.store();
    let [store_size, log_size] = store.lengths();
    // Not the folder, which may hang.
    let last = app.backups().last();
    let newest = last.as_ref().and_then(|last| last.newest.as_ref());
    let age = newest.map(|newest| app.clock().now().duration_since(newest.made_at));
    Ok(OfficeState {
        queued_writes: store.queued_writes(),
        commits: store.version(),
        store_size,
        log_size,
        documents_size: documents::size_of_contents(db)?,
        backup_age: age.and_then(|age| age.as_secs().try_into().ok()),
        is_backup_failed: last.is_some_and(|last| last.problem.is_some()),
        is_write_failed: store.last_write().is_err(),
    })
}

//! `GET /health`, for monitoring systems and for `pleito check`.

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use tokio::sync::oneshot;

use crate::app::App;
use crate::http::answers::answer::Answer;
use crate::http::answers::problem::Problem;
use crate::http::json::values::moment;
use crate::http::requests::checks::standby_and_pause::ensure_served;
use crate::lan::LanState;
use crate::store::{self, Lane, journal};

/// The code of a log that another program holds up.
pub const LOG_HELD_UP: &str = "log-held-up";

/// Returns 200 if the store can be read, the last write succeeded and the API is not paused. A failed network
/// listener is reported but is not a failure, since this request has arrived. A failed backup, a clock with
/// which nothing is written, a log that another program holds up and a replica that does not follow are reported as
/// `degraded`, since reads still work.
pub(super) async fn answer(app: &Arc<App>) -> Result<Answer, Problem> {
    ensure_served(app)?;
    let (reply, answer) = oneshot::channel();
    let backups = app.backups().clone();
    app.store().submit_read(Lane::Point, move |db| {
        let failed = backups.trouble();
        let _ = reply.send(db.and_then(|db| journal::latest(db)).map(|_| failed));
    });
    let backup_trouble = answer.await.unwrap_or(Err(store::Error::Closed))?;
    app.store().ensure_in_place()?;
    recover(app).await?;
    if let Some(standby) = app.standby_state() {
        let code = Some(standby.code()).filter(|_| !standby.is_up_to_date());
        let as_of = standby.as_of().map(|as_of| moment(as_of.timestamp().as_second(), app.zone()));
        let body = json!({ "status": "standby", "code": code, "age": app.standby_age(), "as_of": as_of });
        return Ok(Answer::json(StatusCode::OK, body.to_string().into()));
    }
    let trouble = match app.ensure_clock() {
        Err(_) => Some("clock"),
        Ok(()) if app.store().wal_state().held_up().is_some() => Some(LOG_HELD_UP),
        Ok(()) => backup_trouble.or_else(|| app.replica_trouble().map(|state| state.code())),
    };
    let status = trouble.map_or_else(
        || r#""status":"ok""#.to_owned(),
        |code| format!(r#""status":"degraded","code":"{code}""#),
    );
    let body = match &app.lan().status().state {
        LanState::Failed(trouble) => format!(r#"{{{status},"lan":"{}"}}"#, trouble.code()),
        LanState::Off | LanState::Open(_) => format!("{{{status}}}"),
    };
    Ok(Answer::json(StatusCode::OK, body.into()))
}

/// Tries a write if the last one failed. The cause may be gone, but without another write the failure would persist.
async fn recover(app: &Arc<App>) -> Result<(), Problem> {
    if app.store().last_write().is_ok() {
        return Ok(());
    }
    let (reply, answer) = oneshot::channel();
    app.store().submit(store::try_write, move |tried: Result<(), store::Error>| {
        let _ = reply.send(tried);
    });
    Ok(answer.await.unwrap_or(Err(store::Error::Closed))?)
}

//! `GET /health`, for monitoring systems and for `pleito check`.

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use tokio::sync::oneshot;

use crate::app::App;
use crate::http::answers::answer::Answer;
use crate::http::answers::problem::Problem;
use crate::http::json::wire::moment;
use crate::http::requests::checks::standby_and_pause::ensure_served;
use crate::lan::LanState;
use crate::store::{self, Lane, journal};

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
    recover(app).await?;
    let trouble = match app.ensure_clock() {
        Err(_) => Some("clock"),
        Ok(()) if app.store().log_state().held_up().is_some() => Some("log-held-up"),
        Ok(()) => backup_trouble.or_else(|| app.replica_trouble().map(|state| state.code())),
    };
    if let Some(standby) = app.standby() {
        let followed = standby.followed();
        let now = app.clock().now();
        let is_behind = followed.as_ref().is_none_or(|followed| followed.is_behind(now));
        let code = is_behind.then_some("standby-behind");
        let age = followed.as_ref().map(|followed| followed.age(now));
        let as_of = followed.map(|followed| moment(followed.as_of.as_second(), app.zone()));
        let body = json!({ "status": "standby", "code": code, "age": age, "as_of": as_of });
        return Ok(Answer::json(StatusCode::OK, body.to_string().into()));
    }
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

//! Follows the replica of an office each minute (always 43).

use std::sync::Arc;

use tokio::sync::watch;

use super::every::{MINUTE, every};
use crate::app::App;
use crate::domain::Lang;

/// Brings the newest state of the replica at once and then every minute, until `stop` is set.
pub(in crate::supervisor) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    every(MINUTE, follow, app, stop).await;
}

/// Brings the newest state once. `has_failed` is `true` if the previous call failed, and is updated.
fn follow(has_failed: &mut bool, app: &App) {
    let Some(standby) = app.standby() else { return };
    let followed = standby.follow(app.store(), || app.clock().now());
    let failed_before = std::mem::replace(has_failed, followed.is_err());
    match followed {
        Ok(()) if failed_before => tracing::info!("the standby follows again"),
        Ok(()) => {}
        Err(cause) => {
            let reason = cause.message(Lang::En);
            tracing::warn!(code = cause.code(), reason, "the standby does not follow");
        }
    }
}

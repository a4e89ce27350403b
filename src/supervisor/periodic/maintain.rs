//! Maintains the store: its log, writes by other programs, and the note of its epoch (always 42).

use std::sync::Arc;

use tokio::sync::watch;

use super::every::{MINUTE, every};
use crate::app::App;
use crate::store;

/// Maintains the store at once and then every minute, until `stop` is set.
pub(in crate::supervisor) async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let look = |_: &mut (), app: &App| match app.store().maintain() {
        Ok(()) | Err(store::Error::Closed) => {}
        Err(cause) => tracing::warn!(%cause, "the store could not be looked after"),
    };
    every(MINUTE, look, app, stop).await;
}

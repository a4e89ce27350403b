//! A copy of the store sends no webhooks until a user confirms that the office works with the copy (events 21.4).

use crate::app::{App, WebhookHealth};
use crate::store;
use crate::store::webhooks::former_place;

/// Returns `true` if the active webhooks wait because they were last sent from another place, and publishes that.
pub(super) fn waits(app: &App) -> Result<bool, store::Error> {
    let here = app.data_folder_id().clone();
    let former = app.store().read(move |db| former_place(db, &here))?;
    let waits = former.is_some();
    if waits {
        app.set_webhook_health(WebhookHealth { former_place: former, ..WebhookHealth::default() });
    }
    Ok(waits)
}

//! A copy of the store sends no webhooks until a user confirms that the office works with the copy (events 21.4).

use crate::app::{App, WebhookHealth};
use crate::store;
use crate::store::webhooks::{send_from, sending_place};

/// Returns `true` if the active webhooks wait because they were last sent from another place, and publishes
/// that. If no place has sent any yet, registers this one.
pub(super) fn waits(app: &App) -> Result<bool, store::Error> {
    let here = app.place().clone();
    let former = app.store().read(sending_place)?;
    if former.as_ref() == Some(&here) {
        return Ok(false);
    }
    match former {
        None => app.store().write(move |tx| send_from(tx, &here).map(|_| false)),
        Some(_) => {
            app.set_webhook_health(WebhookHealth { former_place: former, ..WebhookHealth::default() });
            Ok(true)
        }
    }
}

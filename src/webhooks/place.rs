//! A copy of the store sends no webhooks until a person says that it is the one that does (events 21.4).

use crate::app::{App, WebhookHealth};
use crate::store;
use crate::store::webhooks::{send_from, sending_place};

/// Returns `true` if the active webhooks wait, since another place sends them, and publishes that. The first that are active at
/// all are sent from here.
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

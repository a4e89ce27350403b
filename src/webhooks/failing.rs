//! Webhooks whose receiver has failed for so long that users are told.

use super::target::WebhookTarget;
use crate::app::FailingWebhook;
use crate::store::webhooks::Webhook;

/// A webhook that fails for longer than this is reported to users, in seconds (events 21.4).
pub const FAILING_SECONDS: i64 = 24 * 60 * 60;

/// Returns the id and host of a webhook, for display.
pub fn failing_webhook(webhook: &Webhook) -> FailingWebhook {
    let target = WebhookTarget::parse(&webhook.settings.url);
    FailingWebhook { id: webhook.id, host: target.map(|target| target.host().to_owned()).unwrap_or_default() }
}

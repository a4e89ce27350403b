//! Webhooks: sends changes to the office's programs (events 21).
//!
//! Messages are created from the change feed after a cursor that each webhook has in the store, so a crash may
//! send a message twice but never loses one. One task looks for work. Each attempt runs on its own thread, and
//! a webhook has one attempt at a time, so a slow receiver delays no other one. The API defines the messages.
//!
//! `sender` looks for work and runs the attempts, `attempt` is one of them, `signature` signs its message, `schedule` says
//! when the next one is, `target` which addresses are allowed, `sending_place` from which data folder an office sends,
//! `failing` which receivers users are told of.

mod attempt;
mod failing;
mod schedule;
mod sender;
mod sending_place;
mod signature;
mod target;

pub use attempt::{AttemptOutcome, WebhookClient, WebhookMessage};
pub use failing::{FAILING_SECONDS, failing_webhook};
pub use sender::{FeedPiece, FindEvents, WebhookFeed, WebhookSender, WriteBody};
pub use target::{OwnAddresses, WebhookTarget};

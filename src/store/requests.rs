//! What is kept of requests: responses for replay, and counts.

pub mod counters;
pub mod idempotency;

//! The few paths beside the API: health, documentation, the page about trust, the manifest.

pub(super) mod docs;
pub(super) mod health;
mod manifest;
pub(super) mod metrics;
pub(super) mod public;
pub(super) mod trust;

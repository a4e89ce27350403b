//! The path of a console request: host, session and origin are checked, then `router` calls the page.

pub(super) mod acting;
pub(super) mod csrf;
mod file_forms;
pub(super) mod form_results;
pub(super) mod guarded;
pub(super) mod host;
pub(super) mod not_stored_reasons;
pub(super) mod paths;
pub(super) mod redirect;
pub(super) mod response;
pub(super) mod router;
pub(super) mod sign_in;
pub(super) mod state;
pub(super) mod visit;

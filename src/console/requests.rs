//! The path of a console request: `checks` takes it through all checks, `router` finds the page, which sees it as a `visit`,
//! and `response` has the head of what goes back.

pub(super) mod acting;
mod checks;
pub(super) mod csrf;
pub(super) mod error_pages;
mod file_forms;
pub(super) mod form_resubmission;
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

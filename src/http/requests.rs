//! The path of a request. `request` is a request from its socket; `checks` lets it in, `route::table` finds its route, `api`
//! runs the handler with a `call`, `response` has the head of what goes back. `idempotency`, `rate_limit` and `list_address`
//! are steps of it; `standby_and_pause` refuses what an office in such a state does not answer.
//!
//! Two side doors lead to the same handlers: `internal`, for pages and imports, and `other_protocols`, for assistants.

pub(super) mod api;
pub mod body;
pub(super) mod call;
pub(super) mod checks;
pub(super) mod forwarded;
pub(super) mod host;
pub(super) mod idempotency;
pub(super) mod internal;
pub(super) mod latest_requests;
pub(super) mod list_address;
pub(super) mod other_protocols;
pub(super) mod rate_limit;
pub(super) mod request;
pub(super) mod response;
pub mod route;
pub(crate) mod standby_and_pause;
pub(super) mod viewer;

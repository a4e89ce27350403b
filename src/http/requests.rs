//! The path of a request. `request` is a request from its socket; `checks` admits it, with `route::table`, which finds its route;
//! `handle_request` reads its body, `api` runs the handler with a `call`, `response` has the head of what goes back.
//! `idempotency` and `list_address` are steps of it.
//!
//! Two side doors lead to the same handlers: `internal`, for pages and imports, and `other_protocols`, for assistants.

pub(super) mod api;
pub mod body;
pub(super) mod call;
pub(crate) mod checks;
pub(super) mod forwarded;
mod handle_request;
pub(super) mod idempotency;
pub(super) mod internal;
pub(super) mod latest_requests;
pub(super) mod list_address;
pub(super) mod other_protocols;
pub(super) mod request;
pub(super) mod response;
pub mod route;
pub(super) mod viewer;

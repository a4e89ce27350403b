//! The path of a request, from its head to the handler: `checks` lets it in, `route::table` finds its route, `api` runs it.

pub(super) mod api;
pub(super) mod call;
pub(super) mod checks;
pub(super) mod forwarded;
pub(super) mod host;
pub(super) mod idempotency;
pub(super) mod internal;
pub(super) mod list_address;
pub(super) mod protocol;
pub(super) mod rate_limit;
pub(super) mod recent;
pub(super) mod request;
pub(super) mod response;
pub mod route;
pub(super) mod viewer;

//! The path of a request, from its head to the handler: `api` runs it, `route_table` finds its route.

pub(super) mod api;
pub(super) mod call;
pub(super) mod extract;
pub(super) mod forwarded;
pub(super) mod handler;
pub(super) mod header;
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
pub(super) mod route_table;
pub(super) mod viewer;

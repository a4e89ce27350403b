//! From sockets to the API and the console: accepts, bounds, hands over, and stops in time.
//!
//! There are two listeners: a plain one for this machine, and one with TLS for the network, which comes and goes as the
//! settings say. `warp::serve` is not used: it panics where it cannot bind, sets no time-outs and has no
//! deadline for its stop. Its filters, as a tower service, are.

mod accept;
mod activity;
mod connection_limit;
mod discovery;
mod local;
mod mount;
mod open_files;
mod sharing;
mod tls;
mod tracked;
mod verify;

pub use local::{Listener, Server};
pub use sharing::Sharing;
pub use verify::{Refusal, verify};

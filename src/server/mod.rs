//! From sockets to the API and the console: accepts and limits connections, passes requests on, and stops in time.
//!
//! There are two listeners: a plain one for this machine, and one with TLS for the network, which opens and
//! closes with the settings. `warp::serve` is not used, because it panics if it cannot bind, has no time-outs,
//! and has no deadline for its stop. Only warp's filters are used, as a tower service.

mod accept;
mod activity;
mod connection_limit;
mod discovery;
mod lan_listener;
mod local;
mod mount;
mod open_files;
mod tls;
mod tracked;
mod verify;

pub use lan_listener::LanListener;
pub use local::{Listener, Server, plain_on_network, reachable};
pub use verify::{Refusal, verify};

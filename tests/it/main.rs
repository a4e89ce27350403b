//! The real server, in this process, on a free port, over a temporary folder and with a clock that tests set.

mod commands;
mod demo;
mod described;
mod every_route;
mod first;
mod idempotency;
mod limits;
mod office;
mod openapi;
mod program;
mod regressions;
mod stop;
mod store;
mod tidy;
mod tokens;
mod transport;
mod versions;
mod wire;

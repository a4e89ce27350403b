//! The real server, in this process, on a free port, over a temporary folder and with a clock that tests set.

mod bad_input;
mod commands;
mod customers;
mod demo;
mod described;
mod every_route;
mod first;
mod forms;
mod idempotency;
mod lawsuits;
mod limits;
mod naive;
mod office;
mod openapi;
mod program;
mod regressions;
mod settings;
mod stop;
mod store;
mod tidy;
mod tokens;
mod transport;
mod versions;
mod wire;

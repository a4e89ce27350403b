//! The real server, in this process, on a free port, over a temporary folder and with a clock that tests set.

// clippy.toml exempts what stands in a test's own function; here everything is a test's.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod authority;
mod backups;
mod bad_input;
mod birthdays;
mod changes;
mod channel;
mod commands;
mod console;
mod customers;
mod demo;
mod described;
mod document_files;
mod documents;
mod erased;
mod every_route;
mod first;
mod forms;
mod fresh;
mod golden_session;
mod idempotency;
mod imports;
mod lawsuits;
mod limits;
mod movements;
mod moving;
mod naive;
mod network;
mod office;
mod openapi;
mod pages;
mod program;
mod publications;
mod regressions;
mod restores;
mod review;
mod scan;
mod search;
mod settings;
mod signs;
mod stop;
mod store;
mod strangers;
mod tasks;
mod tidy;
mod tokens;
mod transactions;
mod transfer;
mod transport;
mod trash;
mod unknown_parameters;
mod versions;
mod wait;
mod wire;

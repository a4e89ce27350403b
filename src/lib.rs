//! Pleito, a law office's own server for customers and lawsuits: the map of the modules.
//!
//! The modules form layers. A module imports lower layers only, and never another module of its layer; a test
//! enforces this.
//!
//! One process owns the store. If it is running, commands send it requests (`supervisor::Owner`); if not, the command
//! becomes the owner until it ends. All caches can therefore follow the commits by one event (`store::Committed`).
//!
//! ```text
//! 12  cli, main                 command line and exit code
//! 11  supervisor                the running program: single instance, start and stop order, tray and command requests
//! 10  server                    accept loops (plain and TLS), time-outs, mDNS, graceful stop; mounts API and console
//!  9  console                   web pages for people, built on the API's handlers
//!  8  mcp                       tools that assistants call, built on the routes of the API
//!     transfer                  import and export of files by the API's handlers; whole stores; moves from the cloud
//!  7  api                       routes, handlers, wire types
//!  6  http                      route table, request pipeline, inputs, responses, Problem; independent of resources
//!     webhooks                  delivery of events to the office's programs; the API defines their content
//!  5  app                       the state shared by all handlers: one struct in one Arc
//!  4  auth   limits             token, keys and signed URLs | rate limits
//!     lan    backup             names, addresses and certificates for the network | making and restoring backups
//!     password  replica         strength and hashes of people's passwords | Litestream beside the store
//!     metrics                   figures for a monitoring system
//!  3  index  demo               the in-memory index for lists: filters → bitmap → total and page | invented offices
//!     sheets                    records as rows of spreadsheets
//!  2  store                     SQLite: connections, writer and commit events, migrations, one file per resource
//!  1  records                   the resources, each described once by its members; no IO
//!     config clock  log         settings and folders | the time | the log, one line per event
//!     deadlines                 days and rules of the courts; no IO
//!     outgoing  progress        requests that the program itself sends | progress of long-running work
//!  0  domain                    types whose values are always valid; no IO, no serde, no SQL, no HTTP
//!     files     machine         private files and folders, written atomically | the identity of this machine
//!     tray   desktop            icon and menu | clipboard, notifications, autostart; beside layer 11, use domain only
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests measure real time"))]

pub mod api;
pub mod app;
pub mod auth;
pub mod backup;
pub mod cli;
pub mod clock;
pub mod config;
pub mod console;
pub mod deadlines;
pub mod demo;
pub mod desktop;
pub mod domain;
pub mod files;
pub mod http;
pub mod index;
pub mod lan;
pub mod limits;
pub mod log;
pub mod machine;
pub mod mcp;
pub mod metrics;
pub mod outgoing;
pub mod password;
pub mod progress;
pub mod records;
pub mod replica;
pub mod server;
pub mod sheets;
pub mod store;
pub mod supervisor;
pub mod transfer;
pub mod tray;
pub mod webhooks;

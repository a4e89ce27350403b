//! Pleito, the law office's own server for customers and lawsuits: the map.
//!
//! A module imports lower floors only; neighbours on a floor do not know each other. A test holds this.
//!
//! One process owns the store. A command that finds it running asks it (`supervisor::Owner`), and one that does not is the
//! owner itself meanwhile. So whatever is kept in memory learns of every commit by one event (`store::Committed`).
//!
//! ```text
//! 12  cli, main                 argv in, exit code out
//! 11  supervisor                the running program: one instance, start order, stop order, what tray and commands ask for
//! 10  server                    accept loops (plain and TLS), time-outs, mDNS, graceful stop; mounts API and console
//!  9  console                   the pages of the office machine: the API's handlers, filled in and shown by people
//!  8  transfer                  import and export: the API's handlers, for rows of files; whole stores; the move from the cloud
//!  7  api                       routes, handlers, wire types
//!  6  http                      route table, the straight line, inputs, answers, Problem       (knows no resource)
//!     webhooks                  what happened, sent to the office's programs; what there is to tell says the API
//!  5  app                       what every handler may use, one struct, one Arc
//!  4  auth   limits             the token | who may ask how often
//!     lan    backup             names, addresses and certificates for the network | copies: made, kept, put back
//!  3  index  demo               what lists are answered from: filters → bitmap → total and page | an invented office
//!     sheets                    records as rows of spreadsheets
//!  2  store                     SQLite: connections, the writer and what it tells of every commit, migrations, one file a noun
//!  1  records                   what the office keeps: each noun's members, described once; no IO
//!     config clock  log         where things are and how they are set | what time it is | one line an event
//!     outgoing  progress        the requests that the program makes itself | how far work is that takes long
//!  0  domain                    values that cannot be wrong; no IO, no serde, no SQL, no HTTP
//!     files     machine         files and folders for the user alone, put in place whole | what tells this machine from others
//!     tray   desktop            leaves beside floor 11 that know the domain only: icon and menu | clipboard, notifications, autostart
//! ```

#![forbid(unsafe_code)]

pub mod api;
pub mod app;
pub mod auth;
pub mod backup;
pub mod cli;
pub mod clock;
pub mod config;
pub mod console;
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
pub mod outgoing;
pub mod progress;
pub mod records;
pub mod server;
pub mod sheets;
pub mod store;
pub mod supervisor;
pub mod transfer;
pub mod tray;
pub mod webhooks;

//! The console: server-rendered pages for people at the office machine, who sign in by a link (product 4).
//!
//! A request must go from a loopback address to a loopback address, name this machine as its host, and carry
//! the cookie of an open session. A request that changes something must also come from a page of that session.
//! Forms for customers, lawsuits and lists go to the API's own handlers as typed (`http::form`), so there is
//! no second validation.

mod account;
mod acting;
mod acting_field;
mod agenda;
mod api_page;
mod api_token;
mod assets;
mod backups;
mod charts;
mod choices;
mod conflicts;
mod control;
mod csrf;
mod day_echo;
mod field_errors;
mod form_results;
mod given;
mod given_counts;
mod global_search;
mod guarded;
mod host;
mod imports;
mod keys;
mod last_changed;
mod leaving;
mod lists;
mod long_task;
mod money;
mod numbers;
mod overview;
mod page;
mod panel_page;
mod paths;
mod people;
mod plan;
mod prelude;
mod records;
mod redirect;
mod response;
mod rights;
mod router;
mod settings;
mod sign_in;
mod state;
mod task;
mod team;
mod trash;
mod view;
mod visit;
mod webhooks;
mod words;

pub use host::name;
pub use paths::BASE;
pub use redirect::RedirectFile;
pub use sign_in::links::LoginLinks;
pub use state::{Console, Site};

//! The console: server-rendered pages for people, at the office machine (signed in by a link) and in the network (with a
//! password of their own; product 4, access 26).
//!
//! **The way through.** `requests::checks` checks host, origin and session, finds the page and what it requires of its
//! callers. A page reads through `requests::visit` and renders with `layout`. A form goes to the API's own handlers as
//! typed (`http::json::form`), so there is no second validation; a refused one comes back with what was typed
//! (`requests::form_results`).
//!
//! **The rooms.** `records` are lists, pages and forms of every noun, derived from its table. `agenda`, `money`,
//! `conflicts` and `imports` are pages of their own. `office` is the overview and the search, `admin` what the
//! administrator needs. `requests` and `layout` are what all of them stand on.
//!
//! **What holds.** A local request goes from a loopback address to a loopback address, names this machine as its host and
//! carries the cookie of an open session. A request that changes something comes from a page of that session. Every page
//! can be read without a script, and nearly every one used.
//!
//! **Deliberately missing.** A framework in the browser, JSON between page and server, templates: pages are `maud`.

mod account;
mod acting_field;
mod admin;
mod agenda;
mod conflicts;
mod day_echo;
mod imports;
mod layout;
mod money;
mod office;
mod prelude;
mod records;
mod requests;

pub use requests::host::name;
pub use requests::paths::BASE;
pub use requests::redirect::RedirectFile;
pub use requests::sign_in::links::SignInLinks;
pub use requests::state::{Console, Site};

//! The console: the pages of the office machine, rendered here, for who came by a link (product 4).
//!
//! A request has to reach a loopback address from a loopback address, under a name of this machine, with the cookie of
//! an open session; one that changes something also has to come from a page of that session. What the pages change of
//! customers, lawsuits and lists goes to the API's own handlers, as it was typed (`http::typed`): no second validation.

mod actions;
mod agenda;
mod alike;
mod api_page;
mod assets;
mod backups;
mod birthdays;
mod calendar;
mod charts;
mod choices;
mod chosen;
mod control;
mod delete;
mod due;
mod duplicates;
mod enter;
mod everywhere;
mod export;
mod filters;
mod find;
mod form;
mod history;
mod hits;
mod host;
mod imports;
mod linked;
mod links;
mod lists;
mod meanwhile;
mod merge;
mod money_panel;
mod moving;
mod new_record;
mod numbers;
mod overview;
mod page;
mod pager;
mod paths;
mod pending;
mod pending_move;
mod plan;
mod records;
mod redirect;
mod related;
mod router;
mod rows;
mod search;
mod secret;
mod sent;
mod session;
mod settings;
mod sort;
mod state;
mod suggest;
mod summary;
mod sums;
mod tabs;
mod token;
mod trash;
mod typing;
mod view;
mod viewer;
mod visit;
mod waiting;
mod webhooks;
mod words;
mod wrong;

pub use host::name;
pub use links::LoginLinks;
pub use paths::{BASE, owns};
pub use redirect::RedirectFile;
pub use state::{Console, Site};

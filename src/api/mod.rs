//! The API: the route table (`routes`), its handlers and its wire types.
//!
//! Each resource has one file or folder. There is no SQL here, and HTTP statuses come from `http` only.

pub mod changes;
pub mod conflicts;
pub mod console_pages;
pub mod customers;
pub mod deadlines;
pub mod documents;
pub mod hand_over;
pub mod holidays;
pub mod lawsuits;
pub mod lists;
pub mod movements;
pub mod publications;
pub mod record;
mod routes;
pub mod tasks;
pub mod transactions;
pub mod webhooks;

pub use routes::nouns::{LISTS, PAGES, pages_of};
pub use routes::resources::RESOURCES;
pub use routes::routes;

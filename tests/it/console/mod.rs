//! The console: who comes in and how long, and what its pages do (product 4).

mod backups;
mod entry;
mod lists;
mod records;
pub mod visitor;

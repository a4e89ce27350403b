//! The console: sign-in, sessions and pages (product 4).

mod acting;
mod agenda;
mod appointments;
mod assistants;
mod back;
mod backups;
#[cfg(target_os = "linux")]
mod browser;
mod cases;
mod choosing;
mod chosen;
mod conflicts;
mod court_calendar;
mod deadlines;
mod deleting;
mod entry;
mod files;
mod filters;
mod imports;
mod installments;
mod lists;
pub mod money;
mod moving;
mod overview;
pub mod page;
mod printing;
mod records;
mod searching;
mod tasks;
pub mod visitor;

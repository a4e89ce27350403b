//! The console: who comes in and how long, and what its pages do (product 4).

mod agenda;
mod back;
mod backups;
#[cfg(target_os = "linux")]
mod browser;
mod cases;
mod choosing;
mod chosen;
mod deleting;
mod entry;
mod files;
mod filters;
mod imports;
mod instalments;
mod lists;
mod money;
mod moving;
mod overview;
mod records;
mod searching;
mod tasks;
pub mod visitor;

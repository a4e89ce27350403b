//! The console: who comes in and how long, and what its pages do (product 4).

mod backups;
#[cfg(target_os = "linux")]
mod browser;
mod cases;
mod choosing;
mod deleting;
mod entry;
mod files;
mod filters;
mod imports;
mod lists;
mod money;
mod moving;
mod overview;
mod records;
mod tasks;
pub mod visitor;

//! A list of records: filters, tabs, order, rows, sums, pages, bulk acts and export.

pub(in crate::console) mod actions;
pub(in crate::console) mod bulk_actions;
pub(in crate::console) mod export;
pub(in crate::console) mod filters;
pub(in crate::console) mod find;
pub(in crate::console) mod list_page;
pub(in crate::console) mod pager;
pub(in crate::console) mod rows;
pub(in crate::console) mod sort;
pub(in crate::console) mod sums;
pub(in crate::console) mod tabs;

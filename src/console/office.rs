//! The day at the office: the overview with its charts, what is new, and the search over everything.

pub(super) mod assigned;
pub(super) mod assigned_counts;
pub(super) mod backup_test;
pub(super) mod charts;
pub(super) mod global_search;
pub(super) mod last_changed;
pub(super) mod money_panel;
pub(super) mod overview;

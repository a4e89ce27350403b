//! The page of one record: what it holds, what belongs to it, its money, its history, its end.
//!
//! `summary` has its values, `related` the records that belong to it, without those that the visitor may not see.

pub(in crate::console) mod delete;
pub(in crate::console) mod document_viewer;
pub(in crate::console) mod history;
pub(in crate::console) mod quick_appointment;
pub(in crate::console) mod record_file;
pub(in crate::console) mod related;
pub(in crate::console) mod summary;

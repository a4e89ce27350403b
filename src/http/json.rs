//! Requests and records as values. `request_body` and `query_parameters` read the arguments of handlers; `record` and
//! `list_filter` do so for records and their lists, by the tables of fields, and `values` writes the members. `body_members` and
//! `answer_members` declare what is no record, `form` reads the forms of the console.

pub mod answer_members;
pub mod batch;
pub mod body_members;
pub(super) mod find_or_create;
pub mod form;
pub(super) mod ignored;
pub mod list_filter;
pub(super) mod object;
pub mod possible_conflicts;
pub mod query_parameters;
pub mod record;
pub mod request_body;
pub(super) mod unknown;
pub mod values;

//! Records as JSON: bodies, parameters and members are read, checked and written by the tables of fields.

pub mod answer_members;
pub mod batch;
pub mod body_members;
pub(super) mod find_or_create;
pub mod form;
pub(super) mod ignored;
pub mod input;
pub(super) mod object;
pub mod possible_conflicts;
pub mod query;
pub mod record;
pub mod search;
pub(super) mod unknown;
pub mod wire;

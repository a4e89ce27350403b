//! Members whose values the contract lists: words, and the scope of a day in the calendar of the courts.

pub(super) mod calendar_effect;
pub mod calendar_scope;
pub(super) mod choice;
pub(super) mod doubled_party;
pub mod gender;
pub mod movement_origin;
pub(super) mod situation;
pub mod state;
pub mod task_status;

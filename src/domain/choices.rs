//! Members whose values are a fixed list of the contract.

pub(super) mod calendar_effect;
pub(super) mod doubled_party;
pub mod gender;
pub mod movement_origin;
pub(super) mod situation;
pub mod state;
pub mod task_status;

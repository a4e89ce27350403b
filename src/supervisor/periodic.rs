//! Work that the program does by itself, each hour or each night.

pub(super) mod clock_pace;
pub(super) mod conflicts;
pub(super) mod hourly;
pub(super) mod purge;
pub(super) mod repeater;

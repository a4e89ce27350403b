//! Work that the program does by itself, each minute, hour or night.

pub(super) mod clock_pace;
pub(super) mod conflicts;
pub(super) mod hourly;
pub(super) mod minutely;
pub(super) mod purge;
pub(super) mod repeater;

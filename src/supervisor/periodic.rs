//! Work that the program does by itself, each minute, hour or night.

pub(super) mod clock_pace;
pub(super) mod every;
pub(super) mod maintain;
pub(super) mod monthly_transactions;
pub(super) mod nightly_check;
pub(super) mod purge;
pub(super) mod replica;
pub(super) mod standby;

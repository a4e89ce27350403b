//! Sets of ids: who has a value, in blocks, sorted, joined and counted.

pub(super) mod buckets;
pub(super) mod chunks;
pub(super) mod owners;
pub(super) mod sorted;
pub(super) mod union;

//! The steps of a move: each requests some of the source's records and stores them.

pub(super) mod author;
pub(super) mod documents;
pub(super) mod later_rounds;
pub(super) mod links;
pub(super) mod lists;
pub(super) mod owned;
pub(super) mod referenced_records;
pub(super) mod repeat_failed;
pub(super) mod sample;
pub(super) mod walk;

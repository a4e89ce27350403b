//! Who may come in: the token, keys, people with their sessions, and what ends a right at once.

pub mod assistant_reads;
pub mod keys;
pub mod people;
pub(super) mod revocations;
pub(super) mod rights;
pub mod tokens;

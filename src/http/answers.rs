//! Answers: status, headers and body, lists and streams, what is kept in memory, and every refusal.

pub(super) mod answer;
pub mod compression;
pub(super) mod conditional;
pub(super) mod etag;
pub(super) mod header;
pub(super) mod listed;
pub(super) mod negotiation;
pub(super) mod pieces;
pub(super) mod problem;
pub(super) mod record_cache;
pub(super) mod record_file;
pub(super) mod reply;
pub mod streams;

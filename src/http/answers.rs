//! Answers: status, headers and body, lists and streams, what is kept in memory, and every refusal.

pub(super) mod answer;
pub mod compression;
pub(super) mod conditional;
pub(super) mod etag;
pub(super) mod handler_reply;
pub(super) mod header;
pub(super) mod header_weight;
pub(super) mod list_stream;
pub(super) mod listed;
pub(super) mod negotiation;
pub(super) mod problem;
pub(super) mod record_cache;
pub(super) mod record_file;
pub mod streams;

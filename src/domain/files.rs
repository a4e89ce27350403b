//! Files of documents: names, refused programs, sizes, hashes, and what a browser may show.

pub(super) mod byte_size;
pub mod content_hash;
pub mod file_name;
mod programs;
pub(super) mod viewable;

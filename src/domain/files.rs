//! Files of documents: names, sizes, hashes, and what a browser may show.

pub(super) mod byte_size;
pub mod content_hash;
pub mod file_name;
pub(super) mod viewable;

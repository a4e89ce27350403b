//! Files: uploads, downloads, parts of them, and signed addresses.

pub(super) mod content;
pub(super) mod download;
pub(super) mod range;
pub(super) mod signature;
pub(super) mod upload;

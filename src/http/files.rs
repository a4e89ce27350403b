//! Files: uploads, downloads, parts of them, and signed addresses.

pub(super) mod content;
pub(super) mod download;
pub(super) mod range;
pub(super) mod signed_url;
pub(super) mod upload;

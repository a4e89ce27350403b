//! The file of an upload, on its way to its handler.

use crate::domain::Invalid;
use crate::store::NewContent;

/// The file of an upload. If it is dropped before it is kept, it goes.
pub(in crate::http) struct UploadedFile {
    /// Its content, on the disk whole; none where something is wrong with it.
    pub content: Option<NewContent>,
    /// What its sender says that it is.
    pub media_type: String,
    /// What is wrong with it.
    pub wrong: Invalid,
}

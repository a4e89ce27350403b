//! The file of an upload, until its handler takes it.

use crate::domain::Invalid;
use crate::store::NewContent;

/// The file of an upload. On drop, it is removed unless it was stored.
pub struct UploadedFile {
    /// The complete content on disk, or `None` if it was refused.
    pub(super) content: Option<NewContent>,
    /// The media type that the client declared.
    pub(super) media_type: String,
    /// Problems of the upload.
    pub(super) wrong: Invalid,
}

impl UploadedFile {
    /// Returns the content, or the problems if there are any.
    pub fn into_content(self) -> Result<NewContent, Invalid> {
        self.content.filter(|_| self.wrong.is_empty()).ok_or(self.wrong)
    }

    /// Returns the SHA-256 of the content in hexadecimal, or `None` if the content was refused.
    pub fn hash(&self) -> Option<&str> {
        self.content.as_ref().map(|content| content.hash().as_str())
    }
}

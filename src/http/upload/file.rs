//! The file of an upload, on its way to its handler.

use crate::domain::Invalid;
use crate::store::NewContent;

/// The file of an upload. If it is dropped before it is kept, it goes.
pub struct UploadedFile {
    /// Its content, on the disk whole; none where something is wrong with it.
    pub(super) content: Option<NewContent>,
    /// What its sender says that it is.
    pub(super) media_type: String,
    /// What is wrong with it.
    pub(super) wrong: Invalid,
}

impl UploadedFile {
    /// Its content.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn into_content(self) -> Result<NewContent, Invalid> {
        self.content.filter(|_| self.wrong.is_empty()).ok_or(self.wrong)
    }

    /// The SHA-256 of its content, in hexadecimal digits; none where something is wrong with it.
    pub fn hash(&self) -> Option<&str> {
        self.content.as_ref().map(|content| content.hash().as_str())
    }
}

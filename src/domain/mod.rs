//! Values that cannot be wrong: parsed once at the border, then valid for as long as they live.
//!
//! Nothing here knows of files, databases, JSON or HTTP, or asks what time it is.

use std::borrow::Cow;
use std::fmt;

/// Why a text is not the value it should be: a phrase that follows the field's name and says what would be right,
/// such as `must have 8 digits`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(Cow<'static, str>);

impl Reason {
    /// The reason as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Reason {
    fn from(text: &'static str) -> Reason {
        Reason(Cow::Borrowed(text))
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Reason {
        Reason(Cow::Owned(text))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

//! The token of the source.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The token of the source, which is never stored. The `Debug` output hides the text.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceToken(String);

impl SourceToken {
    /// Creates a token from a typed text, without surrounding white space.
    pub fn new(text: &str) -> SourceToken {
        SourceToken(text.trim().to_owned())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the secret text, for the `Authorization` header.
    pub(in crate::transfer::cloud_import) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SourceToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SourceToken(..)")
    }
}

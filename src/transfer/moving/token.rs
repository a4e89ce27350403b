//! The token of the other server.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The token of the other server. It is not written anywhere, and shows nothing of itself.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceToken(String);

impl SourceToken {
    /// The token as somebody typed it.
    pub fn new(text: &str) -> SourceToken {
        SourceToken(text.trim().to_owned())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The token itself, for the request that carries it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SourceToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SourceToken(..)")
    }
}

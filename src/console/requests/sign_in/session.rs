//! The session of a request: on the office machine, or of a signed-in person.

#[derive(Clone, Default)]
pub(in crate::console) struct CurrentSession {
    pub csrf_token: String,
    /// Number of other open sessions.
    pub others: usize,
}

/// A signed-in person.
#[derive(Clone, Debug)]
pub(in crate::console) struct SignedIn {
    pub id: u32,
    pub name: String,
    /// Id of the session.
    pub session: u32,
}

impl CurrentSession {
    /// Returns `true` if the form's token belongs to this session.
    pub fn has_csrf_token(&self, sent: &str) -> bool {
        subtle::ConstantTimeEq::ct_eq(self.csrf_token.as_bytes(), sent.as_bytes()).into()
    }
}

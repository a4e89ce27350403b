//! Authentication by the token of the account (contract 7) or a key (access 25), and signatures of URLs.

mod check_token_or_key;
mod key_draft;
mod make;
mod url_signatures;
mod valid_keys;

use crate::records::{Access, Kind, Level, Nouns, Rights};
use crate::store::journal::{JournalEntry, Who};
pub use check_token_or_key::Auth;
pub use key_draft::{KeyDraft, RESOURCE_NAMES};
pub use make::{make_key, make_token, random};

/// The caller of a handler or a page: the owner, the account's token, a key or a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// `None` for the owner.
    pub who: Option<Who>,
    pub rights: Rights,
}

impl Caller {
    /// The owner, and the program itself.
    pub const OWNER: Caller = Caller { who: None, rights: Rights::OWN };

    /// A caller without rights: a signed URL, whose handler checks the signature.
    pub const NOBODY: Caller =
        Caller { who: None, rights: Rights { level: Level::Read, nouns: Nouns::NONE } };

    /// Returns the id of the person who calls, in the list `users`.
    pub fn person(&self) -> Option<u32> {
        match self.who {
            Some(Who::Person(id)) => Some(id),
            _ => None,
        }
    }

    /// Returns `true` if the caller may restore a record with this entry of its deletion. Level `write` restores only
    /// what the caller deleted (access 24).
    pub fn may_restore(&self, kind: Kind, deletion: Option<&JournalEntry>) -> bool {
        let is_own = || deletion.is_some_and(|deletion| deletion.who == self.who);
        self.rights.allow(Access::Manage(kind)) || self.rights.allow(Access::Write(kind)) && is_own()
    }
}

/// The reason why a request is not authorized, which is logged but not returned to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthRefusal {
    /// The `Authorization` header is missing.
    NoToken,
    /// The header is not of the form `Bearer TOKEN` (RFC 6750, 2.1). Clients are told so, whatever the value.
    NotBearer,
    /// The text is not a valid token, for example because of a typing error.
    Malformed,
    /// The token is well-formed, but not in force: replaced, revoked, or from another store.
    NotInForce,
    /// The text begins like a key, but has a typing error.
    MalformedKey,
    /// The key is well-formed, but was ended, or is from another store.
    UnknownKey,
    /// The last day of the key is over.
    ExpiredKey,
    /// The secret of a list's address was sent in a header.
    AddressInHeader,
    /// The text is not the secret of a list's address.
    NoAddress,
}

impl AuthRefusal {
    /// Returns the reason for the log.
    pub fn as_str(self) -> &'static str {
        match self {
            AuthRefusal::NoToken => "no token",
            AuthRefusal::NotBearer => "not a Bearer token",
            AuthRefusal::Malformed => "mistyped token",
            AuthRefusal::NotInForce => "replaced, revoked or unknown token",
            AuthRefusal::MalformedKey => "mistyped key",
            AuthRefusal::UnknownKey => "ended or unknown key",
            AuthRefusal::ExpiredKey => "expired key",
            AuthRefusal::AddressInHeader => "the secret of an address in a header",
            AuthRefusal::NoAddress => "not the address of a list",
        }
    }
}

/// The reason for the log if a token or key ended during a request.
pub const ENDED: &str = "the token or key has ended";

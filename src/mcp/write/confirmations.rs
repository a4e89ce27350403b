//! Confirmations of calls that need two: the first one gets a token, and the second one shows it.

use std::collections::VecDeque;
use std::time::Duration;

use http::HeaderValue;
use parking_lot::Mutex;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::domain::Bilingual;
use crate::store::journal::Who;

/// Time for which a confirmation is valid.
pub const VALID: Duration = Duration::from_secs(120);

/// Maximum number of confirmations that are kept. The oldest go first.
const MAX_PENDING: usize = 1_000;

/// The calls that wait for their confirmation. A restart forgets them.
#[derive(Default)]
pub struct Confirmations(Mutex<VecDeque<Pending>>);

struct Pending {
    token: String,
    call: ConfirmedCall,
    shown: ShownDeletion,
    /// Time of the monotonic clock.
    given_at: Duration,
}

/// What the first call has shown.
#[derive(Clone, Debug, Default)]
pub struct ShownDeletion {
    /// The version of the record.
    pub version: Option<HeaderValue>,
    /// The numbers of records that go along with it, by the paths of their nouns.
    pub along: Vec<(&'static str, u64)>,
}

/// A call as the token is bound to it: its author and a hash of its arguments.
#[derive(PartialEq, Eq)]
pub struct ConfirmedCall {
    who: Option<Who>,
    arguments: [u8; 32],
}

impl ConfirmedCall {
    pub fn new(who: Option<Who>, arguments: &Map<String, Value>) -> ConfirmedCall {
        let mut sorted: Vec<_> = arguments.iter().map(|(name, value)| format!("{name:?}={value}")).collect();
        sorted.sort();
        ConfirmedCall { who, arguments: Sha256::digest(sorted.join("\n")).into() }
    }
}

/// Why a confirmation is not valid: the code and the sentence of the refusal.
#[derive(Debug, PartialEq, Eq)]
pub struct Unconfirmed(pub &'static str, pub Bilingual);

impl Unconfirmed {
    const UNKNOWN: Unconfirmed = Unconfirmed(
        "confirmation-unknown",
        (
            "Esta confirmação já foi usada ou nunca foi dada.",
            "This confirmation was used already, or never given.",
        ),
    );
    const OF_ANOTHER: Unconfirmed = Unconfirmed(
        "confirmation-of-another",
        (
            "Esta confirmação foi dada a outra chave ou para outros argumentos.",
            "This confirmation was given to another key, or for other arguments.",
        ),
    );
    const EXPIRED: Unconfirmed = Unconfirmed(
        "confirmation-expired",
        ("Esta confirmação tem mais de dois minutos.", "This confirmation is more than two minutes old."),
    );
    pub const CHANGED: Unconfirmed = Unconfirmed(
        "confirmation-outdated",
        (
            "O que iria junto para a lixeira mudou desde a primeira chamada.",
            "What would go to the trash along with it has changed since the first call.",
        ),
    );
}

impl Confirmations {
    /// Returns a new confirmation for a call.
    pub fn give(&self, call: ConfirmedCall, shown: ShownDeletion, now: Duration) -> String {
        let token = format!("{:032x}", rand::random::<u128>());
        let mut pending = self.0.lock();
        pending.truncate(MAX_PENDING - 1);
        pending.push_front(Pending { token: token.clone(), call, shown, given_at: now });
        token
    }

    /// Uses a confirmation up. Returns what the first call has shown.
    pub fn take(
        &self,
        token: &str,
        call: &ConfirmedCall,
        now: Duration,
    ) -> Result<ShownDeletion, Unconfirmed> {
        let mut pending = self.0.lock();
        let at = pending.iter().position(|one| one.token == token).ok_or(Unconfirmed::UNKNOWN)?;
        if pending.get(at).is_none_or(|one| one.call != *call) {
            return Err(Unconfirmed::OF_ANOTHER);
        }
        let one = pending.remove(at).ok_or(Unconfirmed::UNKNOWN)?;
        if now.saturating_sub(one.given_at) > VALID { Err(Unconfirmed::EXPIRED) } else { Ok(one.shown) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(who: &str, id: u32) -> ConfirmedCall {
        let arguments = json!({ "id": id, "reason": "duplicado" });
        ConfirmedCall::new(Some(Who::Key(who.to_owned())), arguments.as_object().unwrap())
    }

    fn taken(
        all: &Confirmations,
        token: &str,
        call: &ConfirmedCall,
        now: Duration,
    ) -> Result<(), Unconfirmed> {
        all.take(token, call, now).map(|_| ())
    }

    #[test]
    fn a_confirmation_is_for_one_call_and_one_time() {
        let all = Confirmations::default();
        let now = Duration::from_secs(1_000);
        let token = all.give(call("ana", 1), ShownDeletion::default(), now);
        for other in [call("bia", 1), call("ana", 2)] {
            assert_eq!(taken(&all, &token, &other, now), Err(Unconfirmed::OF_ANOTHER));
        }
        assert_eq!(taken(&all, &token, &call("ana", 1), now + VALID), Ok(()));
        assert_eq!(taken(&all, &token, &call("ana", 1), now), Err(Unconfirmed::UNKNOWN));
        let late = all.give(call("ana", 1), ShownDeletion::default(), now);
        let second = VALID + Duration::from_secs(1);
        assert_eq!(taken(&all, &late, &call("ana", 1), now + second), Err(Unconfirmed::EXPIRED));
    }

    #[test]
    fn the_oldest_confirmations_are_forgotten_first() {
        let all = Confirmations::default();
        let tokens: Vec<_> =
            (0..=MAX_PENDING).map(|_| all.give(call("ana", 1), ShownDeletion::default(), VALID)).collect();
        assert_eq!(taken(&all, &tokens[0], &call("ana", 1), VALID), Err(Unconfirmed::UNKNOWN));
        assert_eq!(taken(&all, &tokens[1], &call("ana", 1), VALID), Ok(()));
    }
}

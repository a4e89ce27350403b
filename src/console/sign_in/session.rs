//! Sessions, kept in memory. They end after 12 hours without a request, by signing out, or by a restart.

use std::time::Duration;

use parking_lot::Mutex;

use crate::console::sign_in::secret::{Hash, Secret};

/// Lifetime of a session without a request (product 4).
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);
/// Maximum number of sessions; a new one replaces the one unused for longest.
const MOST: usize = 32;

struct Session {
    hash: Hash,
    /// Token in the forms of the session's own pages, unknown to other sites.
    csrf_token: String,
    used: Duration,
}

#[derive(Default)]
pub(in crate::console) struct Sessions(Mutex<Vec<Session>>);

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

impl Sessions {
    /// Opens a session and returns the secret for its cookie. Returns `None` if the system has no randomness.
    pub fn open(&self, now: Duration) -> Option<Secret> {
        let (secret, csrf_token) = (Secret::new()?, Secret::new()?);
        let mut sessions = self.0.lock();
        end_idle(&mut sessions, now);
        if sessions.len() >= MOST {
            let oldest = sessions.iter().enumerate().min_by_key(|(_, session)| session.used);
            let at = oldest.map(|(at, _)| at).unwrap_or_default();
            sessions.swap_remove(at);
        }
        sessions.push(Session { hash: secret.hash(), csrf_token: csrf_token.expose().to_owned(), used: now });
        Some(secret)
    }

    /// Returns the session of the cookie and renews its lifetime.
    pub fn find(&self, cookie: &str, now: Duration) -> Option<CurrentSession> {
        let hash = Secret::sent(cookie)?.hash();
        let mut sessions = self.0.lock();
        end_idle(&mut sessions, now);
        let others = sessions.len().saturating_sub(1);
        let session = sessions.iter_mut().find(|session| session.hash == hash)?;
        session.used = now;
        Some(CurrentSession { csrf_token: session.csrf_token.clone(), others })
    }

    /// Returns `true` if the session of the cookie is open. Does not renew its lifetime.
    pub fn is_open(&self, cookie: &str, now: Duration) -> bool {
        let Some(secret) = Secret::sent(cookie) else { return false };
        let hash = secret.hash();
        let mut sessions = self.0.lock();
        end_idle(&mut sessions, now);
        sessions.iter().any(|session| session.hash == hash)
    }

    pub fn end(&self, cookie: &str) {
        if let Some(secret) = Secret::sent(cookie) {
            let hash = secret.hash();
            self.0.lock().retain(|session| session.hash != hash);
        }
    }

    pub fn end_all(&self) {
        self.0.lock().clear();
    }
}

impl CurrentSession {
    /// Returns `true` if the form's token belongs to this session.
    pub fn has_csrf_token(&self, sent: &str) -> bool {
        subtle::ConstantTimeEq::ct_eq(self.csrf_token.as_bytes(), sent.as_bytes()).into()
    }
}

fn end_idle(sessions: &mut Vec<Session>, now: Duration) {
    sessions.retain(|session| now.saturating_sub(session.used) < IDLE);
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn a_session_is_renewed_by_use() {
        let sessions = Sessions::default();
        let secret = sessions.open(Duration::ZERO).unwrap();
        assert!(sessions.find("", Duration::ZERO).is_none());
        assert!(sessions.find(&"0".repeat(64), Duration::ZERO).is_none());
        assert!(sessions.find(secret.expose(), HOUR * 11).is_some());
        let own = sessions.find(secret.expose(), HOUR * 22).unwrap();
        assert!(own.has_csrf_token(&own.csrf_token) && !own.has_csrf_token(&"0".repeat(64)));
        assert!(sessions.is_open(secret.expose(), HOUR * 33), "`is_open` does not renew the session");
        assert!(!sessions.is_open(secret.expose(), HOUR * 34));
        assert!(sessions.find(secret.expose(), HOUR * 34).is_none(), "twelve hours later");
    }

    #[test]
    fn sessions_are_limited_and_can_be_ended_one_by_one_or_all_together() {
        let sessions = Sessions::default();
        let all: Vec<_> = (0..40).map(|at| sessions.open(Duration::from_secs(at)).unwrap()).collect();
        let now = Duration::from_secs(40);
        let open = |secret: &Secret| sessions.find(secret.expose(), now).is_some();
        assert_eq!(all.iter().filter(|secret| open(secret)).count(), MOST);
        assert!(!open(&all[0]) && open(&all[39]));
        assert_eq!(sessions.find(all[39].expose(), now).unwrap().others, MOST - 1);
        sessions.end(all[39].expose());
        assert!(!open(&all[39]) && open(&all[38]));
        sessions.end_all();
        assert!(!all.iter().any(open));
    }
}

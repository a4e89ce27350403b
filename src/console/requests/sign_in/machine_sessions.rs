//! Sessions on the office machine. They end after 12 hours without a request or by signing out, and outlive a restart: a
//! file in the data folder has the hashes of their secrets.

use std::fs;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::console::requests::sign_in::secret::{Hash, Secret};
use crate::console::requests::sign_in::session::CurrentSession;
use crate::files;
use crate::store::access::people::sessions::IDLE_SECONDS;

/// Age of the file in seconds from which the use of a session is noted in it again.
const NOTED_INTERVAL_SECONDS: i64 = 60;
/// Maximum number of sessions; a new one replaces the one unused for longest.
const MAX_SESSIONS: usize = 32;
/// File in the data folder, with a line for each session: the time of its last request, and the hash of its secret.
const FILE: &str = "console.sessions";

struct Session {
    hash: Hash,
    /// Seconds since 1970.
    used: i64,
}

pub(in crate::console) struct MachineSessions {
    file: PathBuf,
    open: Mutex<OpenSessions>,
}

#[derive(Default)]
struct OpenSessions {
    all: Vec<Session>,
    /// Time at which the file was written, in seconds since 1970.
    written: i64,
}

impl MachineSessions {
    /// Takes up the sessions of the data folder.
    pub fn of(data: &Path) -> MachineSessions {
        let file = data.join(FILE);
        let read = |line: &str| {
            let (used, hash) = line.split_once(' ')?;
            Some(Session { used: used.parse().ok()?, hash: Hash::from_hex(hash)? })
        };
        let all = fs::read_to_string(&file).unwrap_or_default().lines().filter_map(read).collect();
        MachineSessions { file, open: Mutex::new(OpenSessions { all, written: 0 }) }
    }

    /// Opens a session and returns the secret for its cookie. Returns `None` if the system has no randomness.
    pub fn open(&self, now: i64) -> Option<Secret> {
        let secret = Secret::new()?;
        let mut open = self.open.lock();
        end_idle(&mut open.all, now);
        if open.all.len() >= MAX_SESSIONS {
            let oldest = open.all.iter().enumerate().min_by_key(|(_, session)| session.used);
            let at = oldest.map(|(at, _)| at).unwrap_or_default();
            open.all.swap_remove(at);
        }
        open.all.push(Session { hash: secret.hash(), used: now });
        self.write(&mut open, now);
        Some(secret)
    }

    /// Returns the session of the cookie and renews its lifetime.
    pub fn find(&self, cookie: &str, now: i64) -> Option<CurrentSession> {
        let secret = Secret::sent(cookie)?;
        let hash = secret.hash();
        let mut open = self.open.lock();
        end_idle(&mut open.all, now);
        let others = open.all.len().saturating_sub(1);
        open.all.iter_mut().find(|session| session.hash == hash)?.used = now;
        if (now - open.written).abs() >= NOTED_INTERVAL_SECONDS {
            self.write(&mut open, now);
        }
        Some(CurrentSession { csrf_token: secret.csrf_token(), others })
    }

    /// Returns `true` if the session of the cookie is open. Does not renew its lifetime.
    pub fn is_open(&self, cookie: &str, now: i64) -> bool {
        let Some(secret) = Secret::sent(cookie) else { return false };
        let hash = secret.hash();
        let mut open = self.open.lock();
        end_idle(&mut open.all, now);
        open.all.iter().any(|session| session.hash == hash)
    }

    pub fn end(&self, cookie: &str, now: i64) {
        if let Some(secret) = Secret::sent(cookie) {
            let hash = secret.hash();
            let mut open = self.open.lock();
            open.all.retain(|session| session.hash != hash);
            self.write(&mut open, now);
        }
    }

    pub fn end_all(&self, now: i64) {
        let mut open = self.open.lock();
        open.all.clear();
        self.write(&mut open, now);
    }

    fn write(&self, open: &mut OpenSessions, now: i64) {
        let line = |session: &Session| format!("{} {}\n", session.used, session.hash.hex());
        let lines = open.all.iter().map(line).collect::<String>();
        open.written = now;
        if let Err(cause) = files::replace(&self.file, lines.as_bytes()) {
            tracing::warn!(%cause, "the sessions of the console cannot be stored");
            // No session that has ended may come back.
            _ = fs::remove_file(&self.file);
        }
    }
}

fn end_idle(sessions: &mut Vec<Session>, now: i64) {
    for session in sessions.iter_mut() {
        // The clock was ahead when it was used.
        session.used = session.used.min(now);
    }
    sessions.retain(|session| now - session.used < IDLE_SECONDS);
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3600;

    #[test]
    fn a_session_is_renewed_by_use() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = MachineSessions::of(folder.path());
        let secret = sessions.open(0).unwrap();
        assert!(sessions.find("", 0).is_none());
        assert!(sessions.find(&"0".repeat(64), 0).is_none());
        assert!(sessions.find(secret.expose(), HOUR * 11).is_some());
        let own = sessions.find(secret.expose(), HOUR * 22).unwrap();
        assert!(own.has_csrf_token(&own.csrf_token) && !own.has_csrf_token(&"0".repeat(64)));
        assert!(sessions.is_open(secret.expose(), HOUR * 33), "`is_open` does not renew the session");
        assert!(!sessions.is_open(secret.expose(), HOUR * 34));
        assert!(sessions.find(secret.expose(), HOUR * 34).is_none(), "twelve hours later");
    }

    #[test]
    fn a_restart_ends_no_session_and_brings_none_back() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = MachineSessions::of(folder.path());
        let secret = sessions.open(0).unwrap();
        let ended = sessions.open(0).unwrap();
        let before = sessions.find(secret.expose(), HOUR).unwrap();
        sessions.end(ended.expose(), HOUR);
        let again = MachineSessions::of(folder.path());
        assert!(again.find(ended.expose(), HOUR).is_none());
        let found = again.find(secret.expose(), HOUR * 12).unwrap();
        assert!(found.has_csrf_token(&before.csrf_token), "forms of before are still valid");
        assert!(
            MachineSessions::of(folder.path()).find(secret.expose(), HOUR * 24).is_none(),
            "idle for twelve hours"
        );
        again.end_all(HOUR * 13);
        assert!(!MachineSessions::of(folder.path()).is_open(secret.expose(), HOUR * 13));
        fs::write(folder.path().join(FILE), "7\n\u{e9} x\n7 00\n").unwrap();
        assert!(
            MachineSessions::of(folder.path()).open.lock().all.is_empty(),
            "a damaged file opens nothing"
        );
    }

    #[test]
    fn a_session_ends_twelve_hours_after_the_clock_was_set_back() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = MachineSessions::of(folder.path());
        let year = 365 * 24 * HOUR;
        let secret = sessions.open(year).unwrap();
        assert!(sessions.is_open(secret.expose(), 0));
        assert!(sessions.is_open(secret.expose(), 12 * HOUR - 1));
        assert!(!sessions.is_open(secret.expose(), 12 * HOUR));
        assert!(!sessions.is_open(secret.expose(), year), "it has ended");
    }

    #[test]
    fn sessions_are_limited_and_can_be_ended_one_by_one_or_all_together() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = MachineSessions::of(folder.path());
        let all: Vec<_> = (0..40).map(|at| sessions.open(at).unwrap()).collect();
        let now = 40;
        let open = |secret: &Secret| sessions.find(secret.expose(), now).is_some();
        assert_eq!(all.iter().filter(|secret| open(secret)).count(), MAX_SESSIONS);
        assert!(!open(&all[0]) && open(&all[39]));
        assert_eq!(sessions.find(all[39].expose(), now).unwrap().others, MAX_SESSIONS - 1);
        sessions.end(all[39].expose(), now);
        assert!(!open(&all[39]) && open(&all[38]));
        sessions.end_all(now);
        assert!(!all.iter().any(open));
    }
}

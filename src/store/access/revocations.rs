//! Rights that end while the writer may be busy: in force at once in memory, kept over a crash by a small synced file,
//! and taken over into the store when the writer is free (access 24.1).

use std::io;
use std::path::{Path, PathBuf};

use parking_lot::{Mutex, RwLock};

use super::keys::StoredKey;
use super::people::{self, Person, sessions};
use super::tokens::{self, StoredToken};
use super::{keys, rights};
use crate::domain::text::hex::{from_hex, hex};
use crate::domain::token::{Token, TokenHash};
use crate::files;
use crate::records::Rights;
use crate::store::{Db, Error, Store, Tx};

/// File name of the revocations that the store has not taken over.
const FILE: &str = "pleito.ending";
/// First line of the file.
const FORMAT: &str = "pleito-ending 1";

/// The end of a right, or its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum Revocation {
    /// The token is replaced by this one, or revoked.
    Token(Option<StoredToken>),
    AllKeys,
    Key(TokenHash),
    /// A person loses access.
    Access(u32),
    Session {
        person: u32,
        id: u32,
    },
    /// The sessions of a person, except one.
    OtherSessions {
        person: u32,
        except: Option<u32>,
    },
    /// A person's rights become at most these.
    Rights {
        person: u32,
        most: Rights,
    },
    /// A person has a new password, this argon2id hash, and all sessions end.
    Password {
        person: u32,
        hash: String,
    },
    /// All sessions of a person end, and none begins until the store has taken this over.
    SignedOut(u32),
}

/// Called after a right has ended, with a connection that shows it ended.
pub type RevocationListener = Box<dyn Fn(Db<'_>) + Send + Sync>;

/// The revocations that the store has not taken over, oldest first.
pub(in crate::store) struct Revocations {
    path: PathBuf,
    pending: RwLock<Vec<Revocation>>,
    /// Held while the file is written.
    writing: Mutex<()>,
    listeners: RwLock<Vec<RevocationListener>>,
}

impl Revocations {
    /// Reads those that an earlier process has left in `folder`. Fails if it cannot read them: without them, a right that
    /// has ended would be in force again.
    pub(in crate::store) fn read(folder: &Path) -> Result<Revocations, Error> {
        let path = folder.join(FILE);
        let pending = match std::fs::read_to_string(&path) {
            Ok(text) => parse(&text).ok_or_else(|| Error::Unavailable(format!("{FILE} cannot be read")))?,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(cause) => return Err(cause.into()),
        };
        let pending = RwLock::new(pending);
        let listeners = RwLock::default();
        Ok(Revocations { path, pending, writing: Mutex::default(), listeners })
    }

    pub(in crate::store) fn pending(&self) -> Vec<Revocation> {
        self.pending.read().clone()
    }

    /// Adds revocations. They survive a crash and are in force once this returns.
    fn add(&self, new: Vec<Revocation>) -> Result<(), Error> {
        let _alone = self.writing.lock();
        let all = [self.pending(), new].concat();
        self.write(&all)?;
        *self.pending.write() = all;
        Ok(())
    }

    /// Removes the oldest ones, which the store has taken over.
    fn remove(&self, taken: usize) {
        let _alone = self.writing.lock();
        let rest = self.pending().split_off(taken);
        // If this fails, the next start takes them over again, which changes nothing.
        if let Err(cause) = self.write(&rest) {
            tracing::warn!(%cause, "{FILE} cannot be removed");
        }
        *self.pending.write() = rest;
    }

    /// Syncs file and folder. Without that, a loss of power could bring a removed file back, after a person was given
    /// access anew.
    fn write(&self, revocations: &[Revocation]) -> io::Result<()> {
        if revocations.is_empty() {
            files::remove_if_there(&self.path)?;
            return files::sync_folder(files::folder_of(&self.path));
        }
        let lines = revocations.iter().map(line);
        let text: String = [FORMAT.to_owned()].into_iter().chain(lines).map(|line| line + "\n").collect();
        files::replace(&self.path, text.as_bytes())
    }

    fn notify(&self, db: Db<'_>) {
        self.listeners.read().iter().for_each(|listener| listener(db));
    }

    /// Returns those that were pending when a read transaction began, `earlier`, and those that are pending now.
    pub(in crate::store) fn since(&self, earlier: &[Revocation]) -> EndedRights {
        EndedRights([earlier, &self.pending.read()].concat())
    }
}

/// Rights that have ended although the store may still have them, oldest first. Must be obtained before the rows that it
/// is applied to are read: a revocation that the store takes over in between would be missing in both.
#[derive(Default)]
pub(in crate::store) struct EndedRights(Vec<Revocation>);

impl EndedRights {
    /// Returns the token in force, given the one in the store.
    pub(in crate::store) fn token(&self, stored: Option<StoredToken>) -> Option<StoredToken> {
        let last = self.0.iter().rev().find_map(|revocation| match revocation {
            Revocation::Token(token) => Some(token.clone()),
            _ => None,
        });
        last.unwrap_or(stored)
    }

    pub(in crate::store) fn has_key(&self, key: &StoredKey) -> bool {
        self.0.iter().any(|revocation| match revocation {
            Revocation::AllKeys => true,
            Revocation::Key(hash) => *hash == key.hash,
            _ => false,
        })
    }

    /// Returns the person as of now, given the one in the store. `None` if the access has ended.
    pub(in crate::store) fn person(&self, stored: Person) -> Option<Person> {
        self.0.iter().try_fold(stored, |stored, revocation| match revocation {
            Revocation::Access(person) if *person == stored.id => None,
            Revocation::Rights { person, most } if *person == stored.id => {
                Some(Person { rights: stored.rights.at_most(*most), ..stored })
            }
            Revocation::Password { person, hash } if *person == stored.id => {
                Some(Person { password: Some(hash.clone()), invited_at: None, ..stored })
            }
            Revocation::SignedOut(person) if *person == stored.id => {
                Some(Person { is_active: false, ..stored })
            }
            _ => Some(stored),
        })
    }

    pub(in crate::store) fn has_session(&self, of: u32, session: u32) -> bool {
        self.0.iter().any(|revocation| match revocation {
            Revocation::Access(person)
            | Revocation::SignedOut(person)
            | Revocation::Password { person, .. } => *person == of,
            Revocation::Session { person, id } => *person == of && *id == session,
            Revocation::OtherSessions { person, except } => *person == of && *except != Some(session),
            _ => false,
        })
    }
}

impl Revocation {
    fn take_over(&self, tx: Tx<'_>) -> Result<(), Error> {
        match self {
            Revocation::Token(token) => tokens::put(tx, token.as_ref()),
            Revocation::AllKeys => keys::end_all(tx),
            Revocation::Key(hash) => keys::end(tx, hash),
            Revocation::Access(person) => people::take_away(tx, *person),
            Revocation::Session { person, id } => sessions::end(tx, *person, *id),
            Revocation::OtherSessions { person, except } => sessions::end_others(tx, *person, *except),
            Revocation::Rights { person, most } => people::narrow(tx, *person, *most),
            Revocation::Password { person, hash } => people::set_password(tx, *person, hash).map(drop),
            Revocation::SignedOut(person) => sessions::end_others(tx, *person, None),
        }
    }
}

impl Store {
    /// Registers a listener that runs after a right has ended beside the writer, before the caller is answered.
    pub fn after_revocation(&self, listener: RevocationListener) {
        self.revocations.listeners.write().push(listener);
    }

    /// Replaces the token. The old one is invalid once this returns, and stays valid if it fails. Keys stay valid
    /// too, unless `and_keys` is set. Returns the number of ended keys.
    pub fn replace_token(&self, token: &Token, and_keys: bool, now: i64) -> Result<u32, Error> {
        let hash = token.hash();
        let last_four = token.last_four().to_owned();
        let token = StoredToken { hash, last_four, created_at: now, last_used_at: None };
        let keys = if and_keys { count(&self.read(keys::all)?) } else { 0 };
        self.end([Some(Revocation::Token(Some(token))), and_keys.then_some(Revocation::AllKeys)])?;
        Ok(keys)
    }

    /// Revokes the token and ends all keys. Returns `true` if there was a token, and the number of keys. If it
    /// fails, all stay in force.
    pub fn revoke_token(&self) -> Result<(bool, u32), Error> {
        let (token, keys) = self.read(|db| Ok::<_, Error>((tokens::current(db)?, keys::all(db)?)))?;
        self.end([Some(Revocation::Token(None)), Some(Revocation::AllKeys)])?;
        Ok((token.is_some(), count(&keys)))
    }

    /// Ends a key. Returns its name, or `None` if there was none. The responses kept for its idempotency keys are
    /// dropped, so that a new key of the same name does not get them.
    pub fn end_key(&self, id: u32) -> Result<Option<String>, Error> {
        let Some(key) = self.read(keys::all)?.into_iter().find(|key| key.id == id) else { return Ok(None) };
        self.end([Some(Revocation::Key(key.hash))])?;
        Ok(Some(key.name))
    }

    /// Takes a person's access away and ends all sessions. Returns `true` if the person had access.
    pub fn end_access(&self, person: u32) -> Result<bool, Error> {
        let had_access = self.read(move |db| people::find(db, person))?.is_some();
        if had_access {
            self.end([Some(Revocation::Access(person))])?;
        }
        Ok(had_access)
    }

    /// Ends a session of a person.
    pub fn end_session(&self, person: u32, id: u32) -> Result<(), Error> {
        self.end([Some(Revocation::Session { person, id })])
    }

    /// Ends the sessions of a person, except `except`.
    pub fn end_other_sessions(&self, person: u32, except: Option<u32>) -> Result<(), Error> {
        self.end([Some(Revocation::OtherSessions { person, except })])
    }

    /// Takes from a person all rights that are not among `rights`.
    pub fn narrow_rights(&self, person: u32, rights: Rights) -> Result<(), Error> {
        match self.read(move |db| people::find(db, person))? {
            Some(present) if !rights.include(present.rights) => {
                self.end([Some(Revocation::Rights { person, most: rights })])
            }
            _ => Ok(()),
        }
    }

    /// Sets a new password, an argon2id hash, and ends the invitation and all sessions of a person.
    pub fn replace_password(&self, person: u32, hash: String) -> Result<(), Error> {
        self.end([Some(Revocation::Password { person, hash })])
    }

    /// Ends all sessions of a person who is about to be deactivated, and lets none begin until the writer is free for that.
    /// `db` is the connection of the reader thread that calls this.
    pub fn sign_out(&self, db: Db<'_>, person: u32) -> Result<(), Error> {
        self.revocations.add(vec![Revocation::SignedOut(person)])?;
        self.revocations.notify(db);
        self.take_over_soon();
        Ok(())
    }

    /// Puts revocations in force without waiting for the writer, which takes them over later. Must not be called on a
    /// thread of the store.
    fn end<const N: usize>(&self, new: [Option<Revocation>; N]) -> Result<(), Error> {
        self.revocations.add(new.into_iter().flatten().collect())?;
        let revocations = self.revocations.clone();
        self.read(move |db| {
            revocations.notify(db);
            Ok::<_, Error>(())
        })?;
        self.take_over_soon();
        Ok(())
    }

    fn take_over_soon(&self) {
        self.writer.wake();
        self.take_over_revocations();
    }

    /// Queues a job that takes all pending revocations over into the store. It has a transaction of its own, so that its
    /// listeners see no later write, such as new access of a person whose access has ended.
    pub(in crate::store) fn take_over_revocations(&self) {
        if self.revocations.pending.read().is_empty() {
            return;
        }
        let taking = self.revocations.clone();
        let taken = self.revocations.clone();
        self.submit_alone(
            move |tx| {
                let pending = taking.pending();
                pending.iter().try_for_each(|revocation| revocation.take_over(tx))?;
                Ok(pending.len())
            },
            move |done| match done {
                Ok(count) => taken.remove(count),
                // They stay in force. The next one, or the next start, tries again.
                Err::<_, Error>(cause) => {
                    tracing::warn!(%cause, "the store could not take over rights that have ended");
                }
            },
        );
    }
}

fn count(keys: &[StoredKey]) -> u32 {
    u32::try_from(keys.len()).unwrap_or(u32::MAX)
}

/// Formats a revocation as a line of the file.
fn line(revocation: &Revocation) -> String {
    let hex = |hash: &TokenHash| hex(hash.as_bytes());
    match revocation {
        Revocation::Token(Some(StoredToken { hash, last_four, created_at, .. })) => {
            format!("token {} {last_four} {created_at}", hex(hash))
        }
        Revocation::Token(None) => "token".to_owned(),
        Revocation::AllKeys => "keys".to_owned(),
        Revocation::Key(hash) => format!("key {}", hex(hash)),
        Revocation::Access(person) => format!("access {person}"),
        Revocation::Session { person, id } => format!("session {person} {id}"),
        Revocation::OtherSessions { person, except: Some(except) } => format!("sessions {person} {except}"),
        Revocation::OtherSessions { person, except: None } => format!("sessions {person}"),
        Revocation::Rights { person, most } => {
            let nouns = rights::nouns_to_stored(most.nouns).map(|nouns| [" ", &nouns].concat());
            format!("rights {person} {}{}", most.level.as_str(), nouns.unwrap_or_default())
        }
        Revocation::Password { person, hash } => format!("password {person} {hash}"),
        Revocation::SignedOut(person) => format!("out {person}"),
    }
}

/// Parses the file. Returns `None` if any line is unknown.
fn parse(text: &str) -> Option<Vec<Revocation>> {
    let lines = text.strip_prefix(FORMAT)?.strip_prefix('\n')?;
    lines.lines().map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<Revocation> {
    let hash = |hex: &str| Some(TokenHash::from_bytes(from_hex(hex)?.try_into().ok()?));
    let words = line.split(' ').collect::<Vec<_>>();
    Some(match words[..] {
        ["token", hex, last_four, created_at] => Revocation::Token(Some(StoredToken {
            hash: hash(hex)?,
            last_four: last_four.to_owned(),
            created_at: created_at.parse().ok()?,
            last_used_at: None,
        })),
        ["token"] => Revocation::Token(None),
        ["keys"] => Revocation::AllKeys,
        ["key", hex] => Revocation::Key(hash(hex)?),
        ["access", person] => Revocation::Access(person.parse().ok()?),
        ["session", person, id] => Revocation::Session { person: person.parse().ok()?, id: id.parse().ok()? },
        ["sessions", person, except] => {
            Revocation::OtherSessions { person: person.parse().ok()?, except: Some(except.parse().ok()?) }
        }
        ["sessions", person] => Revocation::OtherSessions { person: person.parse().ok()?, except: None },
        ["rights", person, level, ref nouns @ ..] => Revocation::Rights {
            person: person.parse().ok()?,
            most: rights::from_stored(level, nouns.first().copied()),
        },
        ["password", person, hash] => {
            Revocation::Password { person: person.parse().ok()?, hash: hash.to_owned() }
        }
        ["out", person] => Revocation::SignedOut(person.parse().ok()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;
    use crate::domain::Day;
    use crate::domain::text::KeyName;
    use crate::domain::token::TokenKind;
    use crate::records::{Kind, Level, Nouns};
    use crate::store::access::keys::NewKey;

    const RIGHTS: Rights = Rights { level: Level::Write, nouns: Nouns::ALL };

    fn token(kind: TokenKind, number: u8) -> Token {
        Token::from_random(kind, [number; 32])
    }

    /// Returns a store with a token, two keys, and a person with two sessions.
    fn office() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.replace_token(&token(TokenKind::Account, 1), false, 60).unwrap();
        for (number, name) in [(2, "um"), (3, "dois")] {
            let new = NewKey {
                name: KeyName::parse(name).unwrap(),
                rights: RIGHTS,
                until: None::<Day>,
                address: None,
            };
            store.add_key(new, &token(TokenKind::Key, number), 60).unwrap().unwrap();
        }
        store.write(|tx| people::grant(tx, 1, "ana", RIGHTS, 60)).unwrap();
        for number in [4, 5] {
            store.write(move |tx| sessions::open(tx, 1, [number; 32], "", 60)).unwrap();
        }
        (folder, store)
    }

    /// Holds the writer until the result is dropped.
    fn hold(store: &Store) -> Sender<()> {
        let (open, gate) = channel::<()>();
        store.submit_alone(move |_| Ok(_ = gate.recv()), |_: Result<(), Error>| {});
        open
    }

    /// What is in force of the person: the rights, the password, and whether the person can sign in.
    type OfPerson = (Rights, Option<String>, bool);

    /// The last four characters of the token, the names of the keys, the person, and the sessions.
    type InForce = (Option<String>, Vec<String>, Option<OfPerson>, Vec<u32>);

    fn in_force(store: &Store) -> InForce {
        store.read(all_in_force).unwrap()
    }

    fn all_in_force(db: Db<'_>) -> Result<InForce, Error> {
        let token = tokens::current(db)?.map(|token| token.last_four);
        let keys = keys::all(db)?.into_iter().map(|key| key.name).collect();
        let sessions = sessions::of(db, 1, 60)?.into_iter().map(|session| session.id).collect();
        let signs_in = people::signing_in(db, "ana")?.is_some();
        let person = people::find(db, 1)?.map(|person| (person.rights, person.password, signs_in));
        Ok((token, keys, person, sessions))
    }

    /// Copies what a crash would leave at this moment.
    fn crashed(folder: &Path) -> tempfile::TempDir {
        let copy = tempfile::tempdir().unwrap();
        for file in
            std::fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|file| file.path().is_file())
        {
            std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        copy
    }

    type End = fn(&Store);
    const ENDS: [End; 11] = [
        |store| _ = store.replace_token(&token(TokenKind::Account, 9), false, 70).unwrap(),
        |store| assert_eq!(store.replace_token(&token(TokenKind::Account, 8), true, 70).unwrap(), 2),
        |store| assert_eq!(store.revoke_token().unwrap(), (true, 2)),
        |store| assert_eq!(store.end_key(1).unwrap().as_deref(), Some("um")),
        |store| assert!(store.end_access(1).unwrap()),
        |store| store.end_session(1, 1).unwrap(),
        |store| store.end_other_sessions(1, Some(1)).unwrap(),
        |store| store.end_other_sessions(1, None).unwrap(),
        |store| {
            store.narrow_rights(1, Rights { level: Level::Read, nouns: Nouns::of(Kind::Customer) }).unwrap()
        },
        |store| store.narrow_rights(1, Rights { level: Level::Manage, nouns: Nouns::NONE }).unwrap(),
        |store| {
            store.replace_password(1, "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA".to_owned()).unwrap()
        },
    ];

    #[test]
    fn what_ends_beside_a_write_stays_ended_after_a_crash_at_any_moment() {
        for (number, end) in ENDS.into_iter().enumerate() {
            let (folder, store) = office();
            let before = in_force(&store);
            let gate = hold(&store);
            let noted = crashed(folder.path());
            end(&store);
            let after = in_force(&store);
            assert_ne!(before, after, "{number}");
            let crashed_copy = crashed(folder.path());
            // The store has taken it over, and the file is still there, as after a crash in between.
            let file = std::fs::read(folder.path().join(FILE)).unwrap();
            drop(gate);
            drop(store);
            assert!(!folder.path().join(FILE).exists(), "{number}");
            let taken = crashed(folder.path());
            std::fs::write(taken.path().join(FILE), file).unwrap();

            assert_eq!(in_force(&Store::open(noted.path()).unwrap()), before, "{number}");
            for copy in [&crashed_copy, &taken, &folder] {
                // Without a writer that has taken anything over yet, and with one.
                let checked = Store::check(copy.path()).unwrap();
                let (token, keys) = checked.access.unwrap();
                assert_eq!(token.map(|token| token.last_four), after.0, "{number}");
                assert_eq!(keys.len(), after.1.len(), "{number}");
                let store = Store::open(copy.path()).unwrap();
                assert_eq!(in_force(&store), after, "{number}");
                store.write(|_| Ok::<_, Error>(())).unwrap();
                assert_eq!(in_force(&store), after, "{number}");
                drop(store);
                assert!(!copy.path().join(FILE).exists(), "{number}");
            }
        }
    }

    #[test]
    fn several_ends_are_taken_over_in_their_order() {
        let (folder, store) = office();
        let gate = hold(&store);
        store.replace_token(&token(TokenKind::Account, 8), false, 70).unwrap();
        store.revoke_token().unwrap();
        store.replace_token(&token(TokenKind::Account, 9), false, 80).unwrap();
        assert!(store.end_access(1).unwrap() && !store.end_access(1).unwrap());
        // Waits for the writer and comes after the end.
        let (reply, answer) = channel();
        store.submit(|tx| people::grant(tx, 1, "ana", RIGHTS, 90), move |done| reply.send(done).unwrap());
        drop(gate);
        answer.recv().unwrap().unwrap();
        let last = token(TokenKind::Account, 9).last_four().to_owned();
        assert_eq!(in_force(&store), (Some(last), vec![], Some((RIGHTS, None, true)), vec![]));
        assert!(!folder.path().join(FILE).exists());
    }

    #[test]
    fn a_read_that_began_before_the_store_took_an_end_over_shows_it_ended() {
        for (number, end) in ENDS.into_iter().enumerate() {
            let (_folder, store) = office();
            let gate = hold(&store);
            end(&store);
            let after = in_force(&store);
            let store = std::sync::Arc::new(store);
            let writing = store.clone();
            let read = move |db: Db<'_>| {
                db.snapshot(|db| {
                    // The transaction begins with its first statement.
                    keys::all(db)?;
                    drop(gate);
                    writing.write(|_| Ok::<_, Error>(()))?;
                    all_in_force(db)
                })
            };
            assert_eq!(store.read(read).unwrap(), after, "{number}");
        }
    }

    #[test]
    fn an_ended_key_is_never_seen_again_while_the_store_takes_it_over() {
        let (_folder, store) = office();
        for number in 10..110 {
            let new = NewKey {
                name: KeyName::parse("novo").unwrap(),
                rights: RIGHTS,
                until: None::<Day>,
                address: None,
            };
            store.add_key(new, &token(TokenKind::Key, number), 60).unwrap().unwrap();
            let key = store.read(keys::all).unwrap().into_iter().find(|key| key.name == "novo").unwrap();
            assert_eq!(store.end_key(key.id).unwrap().as_deref(), Some("novo"));
            assert_eq!(store.end_key(key.id).unwrap(), None, "{number}");
        }
    }

    #[test]
    fn a_person_who_is_signed_out_comes_in_again_only_after_the_write_before() {
        let (folder, store) = office();
        let store = std::sync::Arc::new(store);
        let before = in_force(&store);
        let gate = hold(&store);
        let signed_out = store.clone();
        store.read(move |db| signed_out.sign_out(db, 1)).unwrap();
        assert_eq!(in_force(&store).2, Some((RIGHTS, None, false)));
        assert_eq!(in_force(&store).3, [0_u32; 0]);
        let crash = crashed(folder.path());
        assert_eq!(in_force(&Store::open(crash.path()).unwrap()).3, [0_u32; 0]);
        drop(gate);
        store.write(|_| Ok::<_, Error>(())).unwrap();
        assert_eq!(in_force(&store), (before.0, before.1, before.2, vec![]));
    }

    #[test]
    fn rights_that_are_not_narrowed_are_left_to_the_write_that_changes_them() {
        let (folder, store) = office();
        let gate = hold(&store);
        store.narrow_rights(1, Rights { level: Level::Manage, nouns: Nouns::ALL }).unwrap();
        store.narrow_rights(1, RIGHTS).unwrap();
        store.narrow_rights(2, Rights { level: Level::Read, nouns: Nouns::NONE }).unwrap();
        assert!(!folder.path().join(FILE).exists());
        drop(gate);
    }

    #[test]
    fn a_file_that_cannot_be_read_prevents_the_start() {
        let (folder, store) = office();
        drop(store);
        for text in ["", "pleito-ending 2\nkeys\n", "pleito-ending 1\nkey 00\n", "pleito-ending 1\nall\n"] {
            std::fs::write(folder.path().join(FILE), text).unwrap();
            assert!(matches!(Store::open(folder.path()), Err(Error::Unavailable(_))), "{text:?}");
        }
    }
}

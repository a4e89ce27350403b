//! Answers that are kept for as long as nobody writes: who asks for the same record again waits for no store thread.
//!
//! Nothing has to be told what became wrong. Everything here was read in one state of the store (or in a later one, which
//! then is the state that nobody asks for here), and goes as a whole once the store is in another, whoever wrote.

use std::collections::HashMap;
use std::mem;

use parking_lot::Mutex;

use super::answer::Answer;
use crate::store::State;

/// How many bytes of answers each of the two halves may hold: some thousands of records.
const HALF: usize = 4 * 1024 * 1024;
/// About what an entry takes beside its body: path, headers, and its place in the map.
const BESIDE: usize = 512;

#[derive(Default)]
pub(super) struct Kept(Mutex<Answers>);

#[derive(Default)]
struct Answers {
    state: Option<State>,
    /// Those that were asked for last.
    young: HashMap<String, Answer>,
    /// Those that were young when that half was full: what nobody asks for again goes with the next time.
    old: HashMap<String, Answer>,
    /// Of the young ones.
    bytes: usize,
}

impl Kept {
    /// The answer to that path in that state.
    pub(super) fn find(&self, state: State, path: &str) -> Option<Answer> {
        let mut answers = self.0.lock();
        answers.turn_to(state);
        if let Some(answer) = answers.young.get(path) {
            return Some(answer.clone());
        }
        let (path, answer) = answers.old.remove_entry(path)?;
        answers.add(path, answer.clone());
        Some(answer)
    }

    /// Keeps the answer to that path. `state` was asked for before the answer was read.
    pub(super) fn keep(&self, state: State, path: String, answer: &Answer) {
        let mut answers = self.0.lock();
        if answers.state == Some(state) && size(answer) <= HALF {
            answers.add(path, answer.clone());
        }
    }
}

impl Answers {
    fn turn_to(&mut self, state: State) {
        if self.state != Some(state) {
            *self = Answers { state: Some(state), ..Answers::default() };
        }
    }

    fn add(&mut self, path: String, answer: Answer) {
        if self.bytes + size(&answer) > HALF {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += size(&answer);
        self.young.insert(path, answer);
    }
}

fn size(answer: &Answer) -> usize {
    answer.body.len() + BESIDE
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::StatusCode;

    use super::*;
    use crate::store::{self, Store};

    fn answer(size: usize) -> Answer {
        Answer::json(StatusCode::OK, Bytes::from(vec![b' '; size]))
    }

    fn commit(store: &Store) {
        store.write::<_, store::Error>(|tx| store::counters::count(tx, "GET /a", 0)).unwrap();
    }

    #[test]
    fn an_answer_is_found_until_somebody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let (store, kept) = (Store::open(folder.path()).unwrap(), Kept::default());
        let first = store.state().unwrap();
        assert!(kept.find(first, "/a").is_none());
        kept.keep(first, "/a".to_owned(), &answer(1));
        assert_eq!(kept.find(store.state().unwrap(), "/a").unwrap().body.len(), 1);
        assert!(kept.find(first, "/b").is_none());

        let other = Store::open(folder.path()).unwrap();
        let mut before = first;
        for writer in [&store, &other] {
            commit(writer);
            let now = store.state().unwrap();
            assert_ne!(now, before);
            assert!(kept.find(now, "/a").is_none());
            // Read before the write, and late with it.
            kept.keep(before, "/a".to_owned(), &answer(2));
            assert!(kept.find(now, "/a").is_none());
            kept.keep(now, "/a".to_owned(), &answer(3));
            assert_eq!(kept.find(now, "/a").unwrap().body.len(), 3);
            before = now;
        }
        assert_ne!(other.state().unwrap(), store.state().unwrap(), "each counts for itself");
    }

    #[test]
    fn what_is_asked_for_stays_and_memory_has_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let (store, kept) = (Store::open(folder.path()).unwrap(), Kept::default());
        let state = store.state().unwrap();
        assert!(kept.find(state, "/hot").is_none());
        kept.keep(state, "/hot".to_owned(), &answer(1));
        for number in 0..100 {
            assert!(kept.find(state, &number.to_string()).is_none());
            kept.keep(state, number.to_string(), &answer(HALF / 10));
            assert!(kept.find(state, "/hot").is_some(), "{number}");
            let answers = kept.0.lock();
            let held = answers.young.values().chain(answers.old.values()).map(size).sum::<usize>();
            assert!(held <= 2 * HALF && answers.bytes <= HALF, "{held}");
        }
        kept.keep(state, "/huge".to_owned(), &answer(HALF + 1));
        assert!(kept.find(state, "/huge").is_none());
        assert!(kept.find(state, "99").is_some() && kept.find(state, "0").is_none());
    }
}

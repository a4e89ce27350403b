//! The last requests, for the console's overview: kept in memory, and nothing in them is anybody's.

use std::collections::VecDeque;
use std::time::Duration;

use http::{Method, StatusCode};
use parking_lot::Mutex;

/// How many are kept.
const KEPT: usize = 50;

/// A request that was answered.
#[derive(Clone, Debug)]
pub struct Answered {
    /// When, in seconds since 1970.
    pub at: i64,
    /// Its method.
    pub method: Method,
    /// The row of the route table, never the path as asked; none for who was not let in.
    pub route: Option<&'static str>,
    /// What it was answered with.
    pub status: StatusCode,
    /// How long that took.
    pub took: Duration,
}

/// The last requests.
#[derive(Default)]
pub struct Recent(Mutex<VecDeque<Answered>>);

impl Recent {
    pub(super) fn note(&self, answered: Answered) {
        let mut kept = self.0.lock();
        if kept.len() >= KEPT {
            kept.pop_back();
        }
        kept.push_front(answered);
    }

    /// The last `most`, the newest first.
    pub fn newest(&self, most: usize) -> Vec<Answered> {
        self.0.lock().iter().take(most).cloned().collect()
    }
}

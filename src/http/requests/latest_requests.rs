//! The latest requests, for the console's overview. They are in memory only, and contain no personal data.

use std::collections::VecDeque;
use std::time::Duration;

use http::{Method, StatusCode};
use parking_lot::Mutex;

const MAX_REQUESTS: usize = 50;

#[derive(Clone, Debug)]
pub struct RequestSummary {
    /// Time of the response, in seconds since 1970.
    pub at: i64,
    pub method: Method,
    /// The path in the route table, never the requested path. `None` if the request was not authorized.
    pub route: Option<&'static str>,
    pub status: StatusCode,
    pub took: Duration,
}

#[derive(Default)]
pub struct LatestRequests(Mutex<VecDeque<RequestSummary>>);

impl LatestRequests {
    pub(in crate::http) fn note(&self, answered: RequestSummary) {
        let mut requests = self.0.lock();
        if requests.len() >= MAX_REQUESTS {
            requests.pop_back();
        }
        requests.push_front(answered);
    }

    /// Returns the latest `most` requests, newest first.
    pub fn newest(&self, most: usize) -> Vec<RequestSummary> {
        self.0.lock().iter().take(most).cloned().collect()
    }
}

//! One request as a handler sees it.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};

use super::record_cache::RecordCache;
use super::route::Route;
use crate::app::App;
use crate::config::Settings;
use crate::domain::{Invalid, Page};
use crate::store::Db;

/// What came in, read whole and matched to its route.
pub(super) struct MatchedRequest {
    pub route: Arc<Route>,
    pub parameters: Vec<String>,
    pub query: Vec<(String, String)>,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub settings: Arc<Settings>,
}

/// A request on a store thread: what came in, and what its handler may use.
pub struct Call<'a> {
    app: &'a Arc<App>,
    cache: &'a RecordCache,
    db: Db<'a>,
    input: &'a MatchedRequest,
}

impl<'a> Call<'a> {
    pub(super) fn new(
        app: &'a Arc<App>,
        cache: &'a RecordCache,
        db: Db<'a>,
        input: &'a MatchedRequest,
    ) -> Call<'a> {
        Call { app, cache, db, input }
    }

    /// The running office.
    pub fn app(&self) -> &'a Arc<App> {
        self.app
    }

    /// The records that were read lately.
    pub(super) fn cache(&self) -> &'a RecordCache {
        self.cache
    }

    /// This thread's connection, which reads.
    pub fn db(&self) -> Db<'a> {
        self.db
    }

    /// The settings in force when the request came.
    pub fn settings(&self) -> &Settings {
        &self.input.settings
    }

    /// A header as text; `None` where it is absent or not ASCII.
    pub fn header(&self, name: HeaderName) -> Option<&str> {
        self.input.headers.get(name)?.to_str().ok()
    }

    /// A header as it came.
    pub(super) fn raw_header(&self, name: HeaderName) -> Option<&HeaderValue> {
        self.input.headers.get(name)
    }

    /// Its row in the table.
    pub(super) fn route(&self) -> &Arc<Route> {
        &self.input.route
    }

    /// The query parameters as received, in their order.
    pub fn query(&self) -> &[(String, String)] {
        &self.input.query
    }

    /// The page asked for, within the route's bounds.
    pub(super) fn page(&self) -> Result<Page, Invalid> {
        let largest = self.input.route.largest_page(self.settings().api.compatibility);
        let [limit, offset] = ["limit", "offset"].map(|name| parameter(self.query(), name));
        Page::parse(limit, offset, largest)
    }

    /// The segment of the path that stands for the route's parameter.
    pub(super) fn segment(&self) -> Option<&str> {
        self.input.parameters.first().map(String::as_str)
    }

    pub(super) fn body(&self) -> &Bytes {
        &self.input.body
    }

    pub(super) fn canonical(&self) -> Option<&'static str> {
        self.input.route.canonical
    }
}

/// The value of a query parameter; of one that came twice the last, and an empty one is absent (contract 3).
pub(super) fn parameter<'q>(query: &'q [(String, String)], name: &str) -> Option<&'q str> {
    let value = query.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    value.filter(|value| !value.trim().is_empty())
}

//! One request as a handler sees it, on a store thread.

use std::sync::Arc;

use super::record_cache::RecordCache;
use super::request::Request;
use super::route::Route;
use super::upload::file::UploadedFile;
use crate::app::App;
use crate::config::Settings;
use crate::store::Db;
use crate::store::journal::Via;

/// A request, and what its handler may use.
pub struct Call<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) settings: &'a Settings,
    pub(super) cache: &'a RecordCache,
    pub(super) db: Db<'a>,
    pub(super) request: &'a Request,
    pub(super) route: &'a Route,
}

impl<'a> Call<'a> {
    /// The running office.
    pub fn app(&self) -> &'a Arc<App> {
        self.app
    }

    /// This thread's connection, which reads.
    pub fn db(&self) -> Db<'a> {
        self.db
    }

    /// The settings in force when the request came.
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// The query parameters as received, in their order.
    pub fn query(&self) -> &'a [(String, String)] {
        &self.request.parameters
    }

    /// The way by which the request came.
    pub fn via(&self) -> Via {
        self.request.via
    }

    /// How many records a page of its route has at the most.
    pub(super) fn largest_page(&self) -> u32 {
        self.route.largest_page(self.settings.api.compatibility)
    }

    /// The file that came with it; once.
    pub(super) fn take_file(&self) -> Option<UploadedFile> {
        self.request.file.lock().take()
    }

    /// How its sender calls this server: the beginning of addresses that it can ask, such as `http://127.0.0.1:8743`.
    pub fn origin(&self) -> String {
        self.request.origin()
    }

    /// The segment of the path that stands for the last of the route's parameters.
    pub(super) fn last_segment(&self) -> Option<&'a str> {
        self.request.path_parameters.last().map(String::as_str)
    }

    /// The segment of the path that stands for the route's first parameter.
    pub(super) fn segment(&self) -> Option<&'a str> {
        self.request.path_parameters.first().map(String::as_str)
    }
}

/// The value of a query parameter; of one that came twice the last, and an empty one is absent (contract 3).
pub(super) fn parameter<'q>(query: &'q [(String, String)], name: &str) -> Option<&'q str> {
    let value = query.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    value.filter(|value| !value.trim().is_empty())
}

//! The office as a handler sees it, on a store thread.

use std::cell::OnceCell;
use std::sync::Arc;

use super::viewer::Viewer;
use crate::app::App;
use crate::auth::Caller;
use crate::config::Settings;
use crate::http::answers::record_cache::RecordCache;
use crate::http::json::possible_conflicts::SearchTime;
use crate::store::Db;
use crate::store::journal::Via;

/// The office, and the caller of a handler. Everything else is an argument of the handler.
pub struct Call<'a> {
    pub(in crate::http) app: &'a Arc<App>,
    pub(in crate::http) settings: &'a Arc<Settings>,
    pub(in crate::http) cache: &'a Arc<RecordCache>,
    pub(in crate::http) db: Db<'a>,
    pub(in crate::http) via: Via,
    pub(in crate::http) caller: &'a Caller,
    /// Made when it is needed: only writes of customers and lawsuits search.
    pub(in crate::http) search_time: OnceCell<Arc<SearchTime>>,
}

impl<'a> Call<'a> {
    pub fn app(&self) -> &'a Arc<App> {
        self.app
    }

    /// Returns the thread's read connection, as the caller sees it.
    pub fn db(&self) -> Db<'a> {
        self.db
    }

    /// Returns the settings that were in force when the call began.
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    pub fn caller(&self) -> &'a Caller {
        self.caller
    }

    /// Returns the caller as a viewer of records.
    pub fn viewer(&self) -> Viewer {
        Viewer { zone: self.app.zone().clone(), nouns: self.caller.rights.nouns }
    }

    pub fn via(&self) -> Via {
        self.via
    }

    /// Returns the time that searches for conflicts have taken in this request.
    pub fn search_time(&self) -> &Arc<SearchTime> {
        self.search_time.get_or_init(Arc::default)
    }

    /// Returns what a write needs to call handlers in its transaction.
    pub fn context(&self) -> HandlerContext {
        let app = self.app.clone();
        let settings = self.settings.clone();
        let cache = self.cache.clone();
        let caller = self.caller.clone();
        let search_time = self.search_time().clone();
        HandlerContext { app, settings, cache, via: self.via, caller, search_time }
    }
}

/// The office and the way by which handlers are called, kept for a transaction.
#[derive(Clone)]
pub struct HandlerContext {
    pub(in crate::http) app: Arc<App>,
    pub(in crate::http) settings: Arc<Settings>,
    pub(in crate::http) cache: Arc<RecordCache>,
    pub(in crate::http) via: Via,
    pub(in crate::http) caller: Caller,
    pub(in crate::http) search_time: Arc<SearchTime>,
}

impl HandlerContext {
    /// Returns a call on this connection, as the caller sees it.
    pub(in crate::http) fn call<'a>(&'a self, db: Db<'a>) -> Call<'a> {
        let HandlerContext { app, settings, cache, via, caller, search_time } = self;
        let db = db.seen_by(caller.rights.nouns);
        let search_time = OnceCell::from(search_time.clone());
        Call { app, settings, cache, db, via: *via, caller, search_time }
    }
}

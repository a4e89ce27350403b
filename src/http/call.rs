//! The office as a handler sees it, on a store thread.

use std::sync::Arc;

use super::record_cache::RecordCache;
use super::viewer::Viewer;
use crate::app::App;
use crate::auth::Caller;
use crate::config::Settings;
use crate::store::Db;
use crate::store::journal::Via;

/// The office, and the caller of a handler. Everything else is an argument of the handler.
pub struct Call<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) settings: &'a Arc<Settings>,
    pub(super) cache: &'a Arc<RecordCache>,
    pub(super) db: Db<'a>,
    pub(super) via: Via,
    pub(super) caller: &'a Caller,
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

    /// Returns what a write needs to call handlers in its transaction.
    pub fn context(&self) -> HandlerContext {
        let (app, settings, cache) = (self.app.clone(), self.settings.clone(), self.cache.clone());
        HandlerContext { app, settings, cache, via: self.via, caller: self.caller.clone() }
    }
}

/// The office and the way by which handlers are called, kept for a transaction.
#[derive(Clone)]
pub struct HandlerContext {
    pub(super) app: Arc<App>,
    pub(super) settings: Arc<Settings>,
    pub(super) cache: Arc<RecordCache>,
    pub(super) via: Via,
    pub(super) caller: Caller,
}

impl HandlerContext {
    /// Returns a call on this connection, as the caller sees it.
    pub(super) fn call<'a>(&'a self, db: Db<'a>) -> Call<'a> {
        let HandlerContext { app, settings, cache, via, caller } = self;
        Call { app, settings, cache, db: db.seen_by(caller.rights.nouns), via: *via, caller }
    }
}

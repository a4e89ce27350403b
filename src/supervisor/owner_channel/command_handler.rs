//! Executes the requests of commands in the process that owns the store.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio::runtime::Handle;

use super::owner_request::{KeyStatus, NewTokenMade, OwnerRequest, PastImport, TokenStatus};
use super::{trash_requests, tray_requests};
use crate::app::App;
use crate::auth::{self, AuthRefusal, Caller, KeyDraft};
use crate::backup::{BackupFile, BackupReason, Backups};
use crate::clock::Clock;
use crate::config::{Config, LiveSettings};
use crate::console::{Console, SignInLinks};
use crate::domain::text::fold;
use crate::domain::{Bilingual, Day, Lang};
use crate::http::Api;
use crate::mcp::Mcp;
use crate::progress::ProgressSink;
use crate::records::{Nouns, Rights};
use crate::replica::Standby;
use crate::store::access::keys::{self, StoredKey};
use crate::store::access::tokens;
use crate::store::imports::{self, StoredImport};
use crate::store::journal::Via;
use crate::store::{self, DataFolderId, Db, FILE, Store, webhooks};
use crate::supervisor::fatal::KeyErrors;
use crate::supervisor::promotion::{Promoted, promote};
use crate::supervisor::{Fatal, open_store};
use crate::transfer::{MoveReport, Undone};

/// Maximum number of imports that are listed.
const MAX_IMPORTS: u32 = 1000;

/// The office that the requests are about.
enum OfficeState {
    /// A server in this process serves it.
    Served(Served),
    /// No server is running; the command works on the folder itself.
    Folder(Box<Config>),
}

/// The parts of the server.
pub(in crate::supervisor) struct Served {
    pub api: Arc<Api>,
    pub mcp: Arc<Mcp>,
    pub console: Arc<Console>,
}

/// Executes requests on the store that this process owns.
pub struct CommandHandler {
    data: PathBuf,
    pub(in crate::supervisor) backups: Arc<Backups>,
    clock: Clock,
    /// `None` until it is needed, so that a damaged store does not prevent a restore.
    pub(in crate::supervisor) store: Option<Arc<Store>>,
    office: OfficeState,
}

impl CommandHandler {
    /// Creates the handler of a serving process.
    pub(in crate::supervisor) fn of_server(served: Served, clock: Clock) -> CommandHandler {
        let store = served.api.app().store().clone();
        let backups = served.api.app().backups().clone();
        let office = OfficeState::Served(served);
        CommandHandler { data: store.folder().to_owned(), backups, clock, store: Some(store), office }
    }

    /// Creates the handler of a command that runs without a server.
    pub(in crate::supervisor) fn of_command(config: &Config) -> CommandHandler {
        let clock = Clock::system();
        let backups = Arc::new(Backups::of(config, clock.clone()));
        let office = OfficeState::Folder(Box::new(config.clone()));
        CommandHandler { data: config.folders.data.clone(), backups, clock, store: None, office }
    }

    /// Returns the data folder.
    pub(in crate::supervisor) fn folder(&self) -> &Path {
        &self.data
    }

    /// See [`Store::waiting_for`].
    pub(in crate::supervisor) fn waiting_for(&self) -> Option<(u64, Bilingual)> {
        self.store.as_ref().and_then(|store| store.waiting_for())
    }

    /// Executes a request and reports its progress to `on_progress`. A standby executes few requests.
    pub(in crate::supervisor) fn run(
        &self,
        request: OwnerRequest,
        on_progress: &ProgressSink,
    ) -> Result<Value, Fatal> {
        if let OfficeState::Served(served) = &self.office
            && let Some(standby) = served.api.app().standby()
        {
            match request {
                OwnerRequest::Promote { yes } => {
                    return value(self.promote(served.api.app(), standby, yes)?);
                }
                OwnerRequest::TrayState { .. }
                | OwnerRequest::ConsoleLink
                | OwnerRequest::Share(_)
                | OwnerRequest::Pause(_) => {}
                _ => return Err(Fatal::Standby(self.data.clone())),
            }
        }
        self.execute(request, on_progress)
    }

    fn execute(&self, request: OwnerRequest, on_progress: &ProgressSink) -> Result<Value, Fatal> {
        match request {
            OwnerRequest::Promote { .. } => Err(Fatal::not_standby(&self.data)),
            OwnerRequest::NewToken { and_keys, shown_in_console } => {
                value(self.make_token(and_keys, shown_in_console)?)
            }
            OwnerRequest::TrayState { lang } => value(tray_requests::state(self.served()?.api.app(), lang)),
            OwnerRequest::ConsoleLink => {
                let links = SignInLinks::new(&self.data, self.clock.clone());
                value(tray_requests::console_link(self.served()?.api.app(), &links)?)
            }
            OwnerRequest::Share(on) => value(tray_requests::share(self.served()?.api.app(), on)?),
            OwnerRequest::Pause(on) => {
                self.served()?.api.app().pause(on);
                value(())
            }
            OwnerRequest::NewKey(draft) => value(self.make_key(draft)?),
            OwnerRequest::Keys => {
                let all = self.with(|store| self.keys(store))?;
                let today = self.today();
                value(all.iter().map(|key| key_status(key, today)).collect::<Vec<_>>())
            }
            OwnerRequest::EndKey(name) => value(self.end_key(name)?),
            OwnerRequest::UndoKey(undo) => {
                let undone = undo.run(&self.api()?, Via::Command, Caller::OWNER);
                value(undone.map_err(Fatal::transfer(&self.data))?)
            }
            OwnerRequest::TokenStatus => {
                let stored = self.with(|store| store.read(tokens::current))?;
                value(stored.map(|tokens::StoredToken { created_at, last_used_at, last_four, .. }| {
                    TokenStatus { created_at, last_used_at, last_four }
                }))
            }
            OwnerRequest::RevokeToken => value(self.with(|store| store.revoke_token())?),
            OwnerRequest::Backup => value(self.make_backup(on_progress)?),
            OwnerRequest::Trash { most, lang } => {
                value(self.with(|store| trash_requests::status(store, most, lang))?)
            }
            OwnerRequest::EmptyTrash { until } => {
                let emptied = self.with(|store| trash_requests::empty(store, until, self.clock.now()))?;
                tracing::info!(erased = ?emptied.erased, "the trash was emptied by a command");
                value(emptied)
            }
            OwnerRequest::Replace { from, with_token } => {
                let backups = self.backups.with_progress(on_progress.clone());
                let replaced = backups.replace(&from, with_token, self.store.as_deref());
                value(replaced.map_err(Fatal::Backup)?)
            }
            OwnerRequest::ResumeWebhooks => {
                let here = DataFolderId::of(&self.data);
                let waited = self.with(|store| store.write(move |tx| webhooks::send_from(tx, &here)))?;
                tracing::info!(waited, "a command resumed webhooks from this place");
                value(waited)
            }
            OwnerRequest::Import(import) => {
                let imported = import.run(&self.api()?, &Caller::OWNER, on_progress.clone());
                value(imported.map_err(Fatal::transfer(&self.data))?)
            }
            OwnerRequest::Imports => value(self.with(|store| store.read(past_imports))?),
            OwnerRequest::UndoImport(undo) => {
                let undone: Undone =
                    undo.run(&self.api()?, Caller::OWNER).map_err(Fatal::transfer(&self.data))?;
                value(undone)
            }
            OwnerRequest::Move(move_request) => {
                let moved = move_request.run(&self.api()?, &Caller::OWNER, &self.clock, on_progress);
                value(moved.map_err(Fatal::transfer(&self.data))?)
            }
            OwnerRequest::Assistant { message, key, lang } => value(self.assistant(message, key, lang)?),
            OwnerRequest::MoveReport { lang } => {
                let report = self.store()?.read(move |db| db.snapshot(|db| MoveReport::of_store(db, lang)));
                value(report.map_err(Fatal::transfer(&self.data))?)
            }
        }
    }

    fn make_backup(&self, on_progress: &ProgressSink) -> Result<BackupFile, Fatal> {
        if self.store.is_none() {
            let in_store = |cause| Fatal::Store(self.data.join(FILE), cause);
            Store::check_wal_owner(&self.data).map_err(in_store)?;
        }
        let made = self.backups.with_progress(on_progress.clone()).make(BackupReason::Requested);
        made.map_err(Fatal::Backup)
    }

    /// Promotes the standby that is served. The server ends, and its next start serves the office.
    fn promote(&self, app: &App, standby: &Standby, yes: bool) -> Result<Promoted, Fatal> {
        // The office could not start with settings that are refused.
        app.live_settings().written().map_err(Fatal::Settings)?;
        let promoted = promote(standby, app.store(), yes, &self.clock, app.zone())?;
        app.end();
        Ok(promoted)
    }

    fn make_token(&self, and_keys: bool, shown_in_console: bool) -> Result<NewTokenMade, Fatal> {
        let now = self.clock.now().as_second();
        let (token, keys_ended) = self.with(|store| auth::make_token(store, and_keys, now))?;
        tracing::info!(keys_ended, "a new token was made by a command");
        let made = NewTokenMade { token: token.expose().to_owned(), keys_ended };
        if shown_in_console {
            self.served()?.console.show_once(token);
        }
        Ok(made)
    }

    /// Ends the key of a name. Returns the name as it was given to the key.
    fn end_key(&self, name: String) -> Result<String, Fatal> {
        let ended = self.with(|store| {
            let all = store.read(keys::all)?;
            let key = all.iter().find(|key| fold(&key.name) == fold(&name));
            key.map_or(Ok(None), |key| store.end_key(key.id))
        })?;
        let ended = ended.ok_or(Fatal::NoKey(name))?;
        tracing::info!(name = ended, "a key was ended by a command");
        Ok(ended)
    }

    /// Makes a key. Returns it, or the addresses that it is part of.
    fn make_key(&self, draft: KeyDraft) -> Result<Vec<String>, Fatal> {
        let refused = |wrong| Fatal::KeyRefused(KeyErrors(wrong));
        let mut new = draft.check(self.today()).map_err(refused)?;
        let mut api = None;
        if new.address.is_some() {
            let checked = api.insert(self.api()?).check_list(new);
            new = checked.map_err(|problem| match problem.wrong().is_empty() {
                true => Fatal::System(io::Error::other(problem.cause().unwrap_or_default().to_owned())),
                false => refused(problem.wrong().clone()),
            })?;
        }
        let name = new.name.to_string();
        let now = self.clock.now().as_second();
        let key = self.with(|store| auth::make_key(store, new, now))?.map_err(refused)?;
        tracing::info!(name, "a key was made by a command");
        let addresses = api.map(|api| api.list_addresses(&key));
        Ok(addresses.unwrap_or_else(|| vec![key.expose().to_owned()]))
    }

    /// Answers a message of an assistant that acts for the owner, or with the key of that name.
    fn assistant(&self, message: Value, key: Option<String>, lang: Lang) -> Result<Option<Value>, Fatal> {
        let Served { api, mcp, .. } = self.served()?;
        let caller = match key {
            None => (Caller::OWNER, None),
            Some(name) => match self.with(|_| api.app().auth().check_name(&name))? {
                Ok((caller, hash)) => (caller, Some(hash)),
                Err(AuthRefusal::ExpiredKey) => return Err(Fatal::ExpiredKey(name)),
                Err(_) => return Err(Fatal::NoKey(name)),
            },
        };
        // Commands run on threads for blocking work.
        Ok(Handle::current().block_on(mcp.answer_local(message, caller, lang)))
    }

    fn served(&self) -> Result<&Served, Fatal> {
        match &self.office {
            OfficeState::Served(served) => Ok(served),
            OfficeState::Folder(_) => Err(not_running()),
        }
    }

    /// Returns the API of the running server, or builds one over the folder.
    fn api(&self) -> Result<Arc<Api>, Fatal> {
        match &self.office {
            OfficeState::Served(served) => Ok(served.api.clone()),
            OfficeState::Folder(config) => {
                let clock = self.clock.clone();
                let monotonic = self.clock.clone();
                let settings = LiveSettings::new((**config).clone(), move || monotonic.monotonic());
                let store = self.store()?;
                let in_store = |cause| Fatal::Store(store.path().to_owned(), cause);
                let app = App::new(store.clone(), clock, settings).map_err(in_store)?;
                Ok(Api::new(
                    Arc::new(app),
                    crate::api::routes(),
                    crate::api::RESOURCES,
                    crate::api::webhooks::messages,
                ))
            }
        }
    }

    fn today(&self) -> Day {
        match &self.office {
            OfficeState::Served(served) => served.api.app().today(),
            OfficeState::Folder(config) => self.clock.today(&config.settings.office.time_zone),
        }
    }

    /// Reads the keys. The running server also knows their latest requests.
    fn keys(&self, store: &Store) -> Result<Vec<StoredKey>, store::Error> {
        match &self.office {
            OfficeState::Served(served) => {
                let app = served.api.app().clone();
                store.read(move |db| app.auth().keys(db))
            }
            OfficeState::Folder(_) => store.read(keys::all),
        }
    }

    /// Returns the store, and opens it first if necessary.
    fn store(&self) -> Result<Arc<Store>, Fatal> {
        self.store.as_ref().map_or_else(|| open_store(&self.data), |store| Ok(store.clone()))
    }

    fn with<T>(&self, work: impl FnOnce(&Arc<Store>) -> Result<T, store::Error>) -> Result<T, Fatal> {
        let store = self.store()?;
        work(&store).map_err(|cause| Fatal::Store(store.path().to_owned(), cause))
    }
}

fn not_running() -> Fatal {
    Fatal::NotRunning("pleito serve".to_owned())
}

fn key_status(key: &StoredKey, today: Day) -> KeyStatus {
    let Rights { level, nouns } = key.rights;
    let names = || nouns.tables().map(|table| table.name.to_owned()).collect();
    KeyStatus {
        name: key.name.clone(),
        level: level.as_str().to_owned(),
        only: (nouns != Nouns::ALL).then(names),
        until: key.until.map(Day::iso),
        address: key.address.clone(),
        is_expired: key.is_expired(today),
        created_at: key.created_at,
        last_used_at: key.last_used_at,
        requests_today: key.requests.on(today.number()),
        last_four: key.last_four.clone(),
    }
}

fn past_imports(db: Db<'_>) -> Result<Vec<PastImport>, store::Error> {
    let all = imports::newest(db, MAX_IMPORTS)?.into_iter().map(|import| {
        let StoredImport { id, at, files, is_whole, created, updated, undone_at, .. } = import;
        PastImport { id, at, files, is_whole, created, updated, undone_at }
    });
    Ok(all.collect())
}

fn value(answer: impl Serialize) -> Result<Value, Fatal> {
    serde_json::to_value(answer).map_err(|cause| Fatal::System(cause.into()))
}

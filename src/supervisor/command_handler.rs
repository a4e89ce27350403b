//! What the owner of the store does for a command.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::owner_request::{
    EmptiedTrash, OwnerRequest, PastImport, ResourceCounts, TokenStatus, TrashRecord, TrashStatus,
};
use super::{Fatal, make_token, open_store};
use crate::api::PAGES;
use crate::api::pages::View;
use crate::app::App;
use crate::backup::{BackupReason, Backups};
use crate::clock::Clock;
use crate::config::{Config, Watch};
use crate::domain::Lang;
use crate::http::Api;
use crate::progress::Hearing;
use crate::store::imports::{self, StoredImport};
use crate::store::trash::{self, RecordCounts};
use crate::store::webhooks::{self, WebhookPlace};
use crate::store::{self, Db, Store, tokens};
use crate::transfer::{MoveReport, Undone};

/// How many imports are told at the most.
const IMPORTS: u32 = 1000;

/// The office whose store it is.
enum Office {
    /// Somebody serves it.
    Served(Arc<Api>),
    /// Nobody does, and it is this folder's.
    Folder(Box<Config>),
}

/// Who does it.
pub struct CommandHandler {
    data: PathBuf,
    pub(super) backups: Arc<Backups>,
    clock: Clock,
    /// None before it is needed: a damaged store can be neither opened nor be in the way of a restore.
    pub(super) store: Option<Arc<Store>>,
    office: Office,
}

impl CommandHandler {
    /// That of a process that serves.
    pub(super) fn of_server(api: &Arc<Api>, clock: Clock) -> CommandHandler {
        let (store, backups) = (api.app().store().clone(), api.app().backups().clone());
        let office = Office::Served(api.clone());
        CommandHandler { data: store.folder().to_owned(), backups, clock, store: Some(store), office }
    }

    /// That of a command, where nobody serves.
    pub(super) fn of_command(config: &Config) -> CommandHandler {
        let clock = Clock::system();
        let backups = Arc::new(Backups::of(config, clock.clone()));
        let office = Office::Folder(Box::new(config.clone()));
        CommandHandler { data: config.folders.data.clone(), backups, clock, store: None, office }
    }

    /// Does what is asked; `hears` hears how far it is.
    ///
    /// # Errors
    /// Why it was not done.
    pub(super) fn run(&self, request: OwnerRequest, hears: &Hearing) -> Result<Value, Fatal> {
        match request {
            OwnerRequest::NewToken => {
                let token = self.with(|store| make_token(store, &self.clock))?;
                tracing::info!("a new token was made by a command");
                value(token.expose())
            }
            OwnerRequest::TokenStatus => {
                let kept = self.with(|store| store.read(tokens::current))?;
                value(kept.map(|tokens::StoredToken { created_at, last_used_at, last_four, .. }| {
                    TokenStatus { created_at, last_used_at, last_four }
                }))
            }
            OwnerRequest::RevokeToken => value(self.with(|store| store.revoke_token())?),
            OwnerRequest::Backup => {
                let made = self.backups.heard_by(hears.clone()).make(BackupReason::Asked);
                value(made.map_err(Fatal::Backup)?)
            }
            OwnerRequest::Trash { most, portuguese } => {
                let lang = if portuguese { Lang::Pt } else { Lang::En };
                value(self.with(|store| trash_status(store, most, lang))?)
            }
            OwnerRequest::EmptyTrash { until } => {
                let emptied = self.with(|store| empty_trash(store, until))?;
                tracing::info!(erased = ?emptied.erased, "the trash was emptied by a command");
                value(emptied)
            }
            OwnerRequest::Replace { from, with_token } => {
                let backups = self.backups.heard_by(hears.clone());
                let replaced = backups.replace(&from, with_token, self.store.as_deref());
                value(replaced.map_err(Fatal::Backup)?)
            }
            OwnerRequest::ResumeWebhooks => {
                let here = WebhookPlace::of(&self.data);
                let waited = self.with(|store| store.write(move |tx| webhooks::send_from(tx, &here)))?;
                tracing::info!(waited, "webhooks are sent from here: a command said so");
                value(waited)
            }
            OwnerRequest::Import(import) => {
                let imported = import.run(&self.api()?, hears.clone());
                value(imported.map_err(Fatal::transfer(&self.data))?)
            }
            OwnerRequest::Imports => value(self.with(|store| store.read(past_imports))?),
            OwnerRequest::UndoImport(undo) => {
                let undone: Undone = undo.run(&self.api()?).map_err(Fatal::transfer(&self.data))?;
                value(undone)
            }
            OwnerRequest::Move(asked) => {
                let moved = asked.run(&self.api()?, &self.clock, hears);
                value(moved.map_err(Fatal::transfer(&self.data))?)
            }
            OwnerRequest::MoveReport { portuguese } => {
                let lang = if portuguese { Lang::Pt } else { Lang::En };
                let report = self.store()?.read(move |db| db.snapshot(|db| MoveReport::of_store(db, lang)));
                value(report.map_err(Fatal::transfer(&self.data))?)
            }
        }
    }

    /// The office, which is taken up where nobody serves it.
    fn api(&self) -> Result<Arc<Api>, Fatal> {
        match &self.office {
            Office::Served(api) => Ok(api.clone()),
            Office::Folder(config) => {
                let (clock, monotonic) = (self.clock.clone(), self.clock.clone());
                let settings = Watch::new((**config).clone(), move || monotonic.monotonic());
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

    /// The store, which is opened where it is not yet.
    fn store(&self) -> Result<Arc<Store>, Fatal> {
        self.store.as_ref().map_or_else(|| open_store(&self.data), |store| Ok(store.clone()))
    }

    fn with<T>(&self, work: impl FnOnce(&Arc<Store>) -> Result<T, store::Error>) -> Result<T, Fatal> {
        let store = self.store()?;
        work(&store).map_err(|cause| Fatal::Store(store.path().to_owned(), cause))
    }
}

fn trash_status(store: &Store, most: u32, lang: Lang) -> Result<TrashStatus, store::Error> {
    Store::look(store.folder(), |db| {
        let (counts, last) = trash::holdings(db, i64::MAX)?;
        let mut records = Vec::new();
        for pages in PAGES {
            let deleted = trash::newest(db, pages.table, most, 0)?;
            let ids = deleted.iter().map(|record| record.id).collect::<Vec<_>>();
            let views = View::read_deleted(db, pages.table, &ids)?;
            records.extend(deleted.into_iter().zip(views).map(|(record, view)| TrashRecord {
                resource: pages.table.path.to_owned(),
                id: record.id,
                name: pages.name(&view, lang),
                deleted_at: record.deletion.at,
                reason: record.reason,
            }));
        }
        records.sort_by_key(|record| std::cmp::Reverse(record.deleted_at));
        records.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        let unowned = store.contents().unowned(db)?;
        let bytes = unowned.iter().map(|(_, bytes)| bytes).sum();
        let unowned = (unowned.len() as u64, bytes);
        Ok(TrashStatus { counts: by_resource(counts), last, records, unowned })
    })
}

fn past_imports(db: Db<'_>) -> Result<Vec<PastImport>, store::Error> {
    let all = imports::newest(db, IMPORTS)?.into_iter().map(|import| {
        let StoredImport { id, at, files, is_whole, created, updated, undone_at, .. } = import;
        PastImport { id, at, files, is_whole, created, updated, undone_at }
    });
    Ok(all.collect())
}

fn empty_trash(store: &Store, until: i64) -> Result<EmptiedTrash, store::Error> {
    let erased = store.erase_deleted(until, None)?;
    let unowned = store.erase_unowned_contents()?;
    let (kept, _) = store.read(move |db| trash::holdings(db, until))?;
    Ok(EmptiedTrash { erased: by_resource(erased), kept: by_resource(kept), unowned })
}

fn by_resource(counts: RecordCounts) -> ResourceCounts {
    counts.into_iter().map(|(table, count)| (table.path.to_owned(), count)).collect()
}

fn value(answer: impl Serialize) -> Result<Value, Fatal> {
    serde_json::to_value(answer).map_err(|cause| Fatal::System(cause.into()))
}

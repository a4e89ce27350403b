//! The one process that owns the store, and what commands want of it: asked over the local channel where it runs; where
//! none does, the command itself is the owner for as long as it takes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::owner_request::{
    EmptiedTrash, OwnerRequest, PastImport, ResourceCounts, TokenStatus, TrashRecord, TrashStatus,
};
use super::{Fatal, Instance, channel, make_token, open_store};
use crate::api::PAGES;
use crate::api::pages::View;
use crate::app::App;
use crate::backup::{BackupReason, Backups, Failed, Restored};
use crate::clock::Clock;
use crate::config::{Config, Watch};
use crate::domain::Lang;
use crate::files::hand_over;
use crate::http::Api;
use crate::progress::{Hearing, unheard};
use crate::store::imports::{self, StoredImport};
use crate::store::trash::{self, RecordCounts};
use crate::store::{self, Db, Store, tokens};
use crate::transfer::Undone;

/// How long a command waits for an owner that is starting, or for another command.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(50);

/// How many imports are told at the most.
const IMPORTS: u32 = 1000;

/// Who owns the store of a data folder.
pub enum Owner {
    /// The process that runs over that folder.
    Running(PathBuf),
    /// This one, for as long as this lives.
    Own(Box<CommandHandler>, Instance),
}

impl Owner {
    /// Finds the owner, or becomes it. The folder has to be there.
    ///
    /// # Errors
    /// `Busy` where another process has the folder and answers nothing; why the folder cannot be used.
    pub fn find(config: &Config) -> Result<Owner, Fatal> {
        let folder = &config.folders.data;
        let clock = Clock::system();
        loop {
            if let Some(running) = Owner::running(folder) {
                return Ok(running);
            }
            match Instance::take(folder) {
                Ok(instance) => {
                    return Ok(Owner::Own(Box::new(CommandHandler::of_command(config)), instance));
                }
                Err(Fatal::Running(folder)) if clock.monotonic() > PATIENCE => {
                    return Err(Fatal::Busy(folder));
                }
                Err(Fatal::Running(_)) => std::thread::sleep(PAUSE),
                Err(fatal) => return Err(fatal),
            }
        }
    }

    /// The process that owns the store in `folder`, where one does and answers.
    pub fn running(folder: &Path) -> Option<Owner> {
        channel::is_answered(folder).then(|| Owner::Running(folder.to_owned()))
    }

    /// Has it do what is asked. `lang` is the language in which it says what went wrong.
    ///
    /// # Errors
    /// Why it was not done.
    pub fn ask<T: DeserializeOwned>(&self, request: OwnerRequest, lang: Lang) -> Result<T, Fatal> {
        self.ask_hearing(request, lang, &unheard())
    }

    /// The same of what takes long: `hears` hears how far it is. A move stops where that is false.
    ///
    /// # Errors
    /// Why it was not done.
    pub fn ask_hearing<T: DeserializeOwned>(
        &self,
        request: OwnerRequest,
        lang: Lang,
        hears: &Hearing,
    ) -> Result<T, Fatal> {
        let answer = match self {
            Owner::Running(folder) => channel::ask(folder, &request, lang, hears)?,
            Owner::Own(handler, _) => handler.run(request, hears)?,
        };
        serde_json::from_value(answer).map_err(|cause| Fatal::NoAnswer(cause.into()))
    }

    /// Puts a backup in place, the newest sound one where none is named. Whoever hears the backups hears of this one's doing
    /// as well.
    ///
    /// # Errors
    /// Why it is not in place; everything is as it was then.
    pub fn restore(
        &self,
        backups: &Backups,
        file: Option<&Path>,
        with_token: bool,
        lang: Lang,
    ) -> Result<Restored, Fatal> {
        // The owner may not be allowed to read where the file is, so it is unpacked here, into the data folder.
        let restored = backups.restore(file, |from| match self {
            Owner::Own(handler, _) => {
                let own = handler.backups.heard_by(backups.hearing());
                own.replace(from, with_token, handler.store.as_deref())
            }
            Owner::Running(_) => {
                let from = std::path::absolute(from)?;
                hand_over(&from);
                let asked = OwnerRequest::Replace { from, with_token };
                let replaced = self.ask_hearing(asked, lang, &backups.hearing());
                replaced.map_err(|fatal| Failed::Refused(fatal.say(lang)))
            }
        });
        restored.map_err(Fatal::Backup)
    }
}

/// The office whose store it is.
enum Office {
    /// Somebody serves it.
    Served(Arc<Api>),
    /// Nobody does, and it is this folder's.
    Folder(Box<Config>),
}

/// What the owner of a store does for a command.
pub struct CommandHandler {
    data: PathBuf,
    backups: Arc<Backups>,
    clock: Clock,
    /// None before it is needed: a damaged store can be neither opened nor be in the way of a restore.
    store: Option<Arc<Store>>,
    office: Office,
}

impl CommandHandler {
    /// That of a process that serves.
    pub(super) fn of_server(api: &Arc<Api>, clock: Clock) -> CommandHandler {
        let (store, backups) = (api.app().store().clone(), api.app().backups().clone());
        let office = Office::Served(api.clone());
        CommandHandler { data: store.folder().to_owned(), backups, clock, store: Some(store), office }
    }

    fn of_command(config: &Config) -> CommandHandler {
        let clock = Clock::system();
        let backups = Arc::new(Backups::of(config, clock.clone()));
        let office = Office::Folder(Box::new(config.clone()));
        CommandHandler { data: config.folders.data.clone(), backups, clock, store: None, office }
    }

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
                Ok(Api::new(Arc::new(app), crate::api::routes(), crate::api::RESOURCES))
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

//! Runs a move: begins or resumes it, walks through its steps, and stores its position.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::chunk::Chunk;
use super::compatibility::MovedCompatibility;
use super::error::MoveError;
use super::move_author::MoveAuthor;
use super::plan::{MoveState, Step, Walk, table_named};
use super::report::{MoveCount, MoveReport, Moved};
use super::source::{OneAnswer, PauseCallback, SourceAnswer, SourceServer};
use super::source_ids::number;
use super::steps::lists::SourceLists;
use super::steps::sample::{MoveSample, compare};
use crate::app::App;
use crate::config::settings::Compatibility;
use crate::progress::{Progress, ProgressSink};
use crate::store::Store;
use crate::store::imports::moves::{self, StoredMove};
use crate::store::records::full_records::is_empty;
use crate::transfer::prelude::*;

/// Number of ids kept free after the highest listed entry, for entries that records refer to but no list contains.
const FREE: u32 = 1000;

pub(super) struct Mover<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) store: Arc<Store>,
    pub(super) lang: Lang,
    pub(super) source: SourceServer<'a>,
    pub(super) on_progress: &'a ProgressSink,
    pub(super) state: MoveState,
    /// The records that this run has already requested by id.
    pub(super) asked_by_id: HashSet<(&'static str, u32)>,
    stored: StoredMove,
    author: MoveAuthor,
    compatibility: Option<Compatibility>,
}

impl<'a> Mover<'a> {
    /// Creates the state of a new move. [`Mover::run`] replaces it with that of an interrupted move.
    pub(super) fn new(
        app: &'a Arc<App>,
        lang: Lang,
        source: SourceServer<'a>,
        on_progress: &'a ProgressSink,
        author: MoveAuthor,
        compatibility: Option<Compatibility>,
    ) -> Mover<'a> {
        let stored = StoredMove {
            source: source.base().to_owned(),
            begun_at: app.now(),
            finished_at: None,
            state: String::new(),
        };
        let store = app.store().clone();
        let state = MoveState::plan(false, 1);
        let asked_by_id = HashSet::new();
        Mover { app, store, lang, source, on_progress, state, asked_by_id, stored, author, compatibility }
    }

    pub(super) fn run(&mut self, begun: Option<StoredMove>, dry_run: bool) -> Result<Moved> {
        let mut lists = self.lists()?;
        let is_live = self.is_live()?;
        if !is_live && !self.source.rate_limit.is_limited {
            self.source.rate_limit.lift();
        }
        match begun {
            Some(begun) if begun.finished_at.is_none() && !dry_run => {
                let requests = self.state.requests;
                self.state = MoveState::of(&begun)?;
                self.state.requests += requests;
                self.stored = begun;
            }
            begun => {
                let round = match &begun {
                    Some(begun) => 1 + MoveState::of(begun)?.round,
                    None => 1,
                };
                let requests = self.state.requests;
                self.state = MoveState { requests, ..MoveState::plan(is_live, round) };
                if let Some(before) = begun.as_ref().map(MoveState::of).transpose()? {
                    self.state.compatibility = before.compatibility;
                }
                let highest = self.count(dry_run, &mut lists)?;
                if dry_run {
                    let once = self.count_once()?;
                    return Ok(Moved::Counted(self.counted(&lists, &once)));
                }
                self.find_news()?;
                self.begin(lists, highest)?;
            }
        }
        while let Some(step) = self.state.steps.get(self.state.at).cloned() {
            match &step.walk {
                Walk::List(query) => self.list(step.table(), query)?,
                Walk::Each { of, .. } | Walk::Beside { of, .. } => {
                    if let Some(owned) = step.walk.owned(step.table()) {
                        self.each(owned, table_named(of))?;
                    }
                }
                Walk::Retry => self.repeat_failed()?,
            }
            self.state.at += 1;
            self.save()?;
        }
        self.state.sample = Some(self.sample()?);
        self.set_compatibility();
        self.stored.finished_at = Some(self.app.now());
        self.save()?;
        let stored = self.stored.clone();
        let state = self.state.clone();
        let lang = self.lang;
        Ok(Moved::Whole(self.store.read(move |db| MoveReport::read(db, &stored, &state, lang))?))
    }

    /// Sets `api.compatibility` so that this office responds like the source. Uses the user's choice. Without
    /// one, sets `live` after the first round if it fits the source; `document` is the default of a new office.
    fn set_compatibility(&mut self) {
        let by_itself = Some(self.state.compatibility()).filter(|value| *value == Compatibility::Live);
        let by_itself = by_itself.filter(|_| self.state.round == 1);
        if let Some(value) = self.compatibility.or(by_itself) {
            self.state.compatibility = MovedCompatibility::set(self.app, value, self.lang);
        }
    }

    /// Runs a request with the report of progress, and counts its attempts.
    fn asking<T>(&mut self, ask: impl FnOnce(&mut SourceServer<'a>, PauseCallback<'_>) -> T) -> T {
        let Mover { source, state, on_progress, .. } = self;
        let before = source.requests;
        let found = ask(source, &mut |source| on_progress(progress(state, source)));
        state.requests += source.requests - before;
        found
    }

    pub(super) fn ask(&mut self, path: &str) -> Result<SourceAnswer, MoveError> {
        self.asking(|source, go_on| source.ask(path, go_on))
    }

    pub(super) fn ask_one(&mut self, path: &str) -> Result<OneAnswer<SourceAnswer>, MoveError> {
        self.asking(|source, go_on| source.ask_one(path, go_on))
    }

    fn lists(&mut self) -> Result<SourceLists, MoveError> {
        self.asking(|source, go_on| Ok(SourceLists::read(&source.settings(go_on)?)))
    }

    /// Returns `true` if the source lists movements only for one lawsuit at a time, as the live service does.
    fn is_live(&mut self) -> Result<bool, MoveError> {
        let found = self.ask("/movements?limit=1")?;
        Ok(!matches!(found, SourceAnswer::Object(object) if object.get("data").is_some_and(Json::is_array)))
    }

    fn count(&mut self, dry_run: bool, lists: &mut SourceLists) -> Result<BTreeMap<&'static str, u32>> {
        let mut highest = BTreeMap::<&'static str, u32>::new();
        for at in 0..self.state.steps.len() {
            let Some(step) = self.state.steps.get(at).cloned() else { break };
            let Walk::List(query) = &step.walk else { continue };
            let table = step.table();
            let (records, total) = self.page(table, query, 0, None)?.unwrap_or_default();
            lists.learn_ids(table, &records);
            let mut ids: Vec<u32> =
                records.iter().filter_map(|record| record.get("id").and_then(number)).collect();
            if !dry_run && total > records.len() as u64 {
                let (last, _) = self.page(table, query, total - 1, Some(1))?.unwrap_or_default();
                ids.extend(last.iter().filter_map(|record| record.get("id").and_then(number)));
            }
            if let Some(step) = self.state.steps.get_mut(at) {
                step.total = total;
            }
            let own = highest.entry(table.name).or_default();
            *own = ids.into_iter().fold(*own, u32::max);
        }
        Ok(highest)
    }

    /// Counts the records of tables for which the live service has several, overlapping lists.
    fn count_once(&mut self) -> Result<BTreeMap<&'static str, u64>> {
        let mut ids = BTreeMap::<&'static str, BTreeSet<u32>>::new();
        let lists = |step: &Step| matches!(step.walk, Walk::List(_));
        for step in self.state.steps.clone().iter().filter(|step| lists(step)) {
            let of_table =
                self.state.steps.iter().filter(|other| lists(other) && other.resource == step.resource);
            let Walk::List(query) = &step.walk else { continue };
            if !self.state.is_live || of_table.count() < 2 {
                continue;
            }
            let mut read = 0;
            while read < step.total {
                let (records, _) = self.page(step.table(), query, read, None)?.unwrap_or_default();
                if records.is_empty() {
                    break;
                }
                read += records.len() as u64;
                let found = records.iter().filter_map(|record| record.get("id").and_then(number));
                ids.entry(step.table().path).or_default().extend(found);
            }
        }
        Ok(ids.into_iter().map(|(path, ids)| (path, ids.len() as u64)).collect())
    }

    fn counted(&self, lists: &SourceLists, once: &BTreeMap<&'static str, u64>) -> MoveCount {
        let mut resources = Vec::new();
        for list in List::ALL {
            resources.push((list.table().path.to_owned(), lists.entries(list).len() as u64));
        }
        let mut of_each = Vec::new();
        for step in &self.state.steps {
            let path = step.table().path.to_owned();
            match &step.walk {
                Walk::Each { .. } if !of_each.contains(&path) => of_each.push(path),
                Walk::Each { .. } | Walk::Beside { .. } | Walk::Retry => {}
                Walk::List(_) => match resources.iter_mut().find(|(name, _)| *name == path) {
                    Some((_, count)) => *count += step.total,
                    None => resources.push((path, step.total)),
                },
            }
        }
        for (path, count) in &mut resources {
            *count = once.get(path.as_str()).copied().unwrap_or(*count);
        }
        let (requests, seconds) = left(&self.state, &self.source);
        let source = self.stored.source.clone();
        let compatibility = self.state.compatibility();
        MoveCount { source, resources, of_each, requests, seconds, compatibility }
    }

    /// Begins a round. In the first round, replaces the lists of a new store with those of the source. Reserves
    /// the ids of the source.
    fn begin(&mut self, lists: SourceLists, highest: BTreeMap<&'static str, u32>) -> Result<()> {
        for list in List::ALL {
            let count = lists.entries(list).len() as u64;
            self.state.lists.insert(list.table().name.to_owned(), count);
        }
        let chunk = self.chunk(List::Users.table())?;
        let round = self.state.round;
        let wanted = self.state.wanted.is_some();
        let of_each = self.state.steps.iter().filter(|step| matches!(step.walk, Walk::Each { .. }));
        let of_each: Vec<String> = of_each.map(|step| step.resource.clone()).collect();
        let is_limited = move |table: &Table| wanted && of_each.iter().any(|name| name == table.name);
        let done: Result<()> = self.store.write(move |tx| {
            if round == 1 {
                // The office may have added records since the first check.
                if !is_empty(*tx)? {
                    return Err(MoveError::Taken.into());
                }
                moves::empty_lists(tx)?;
            }
            // Records that are listed for one owner at a time may not occur again in this round.
            for table in tables().filter(|table| !is_limited(table)) {
                moves::forget_stayed(tx, table, None)?;
            }
            for list in List::ALL {
                let ids = lists.entries(list).iter().filter_map(|entry| entry.get("id").and_then(number));
                moves::reserve(tx, list.table(), ids.max().unwrap_or_default().saturating_add(FREE))?;
            }
            for (name, id) in highest {
                moves::reserve(tx, table_named(name), id)?;
            }
            for list in List::ALL {
                let mut chunk = Chunk { table: list.table(), ..chunk.clone() };
                for (entry, place) in lists.entries(list).iter().zip(1_u32..) {
                    if lists.is_derived(list) && is_named(*tx, list, entry)? {
                        continue;
                    }
                    let mut entry = entry.clone();
                    entry.insert("place".to_owned(), place.into());
                    chunk.records.push(entry);
                }
                chunk.take(tx)?;
            }
            chunk.author.set(tx, chunk.now)?;
            Ok(moves::store(tx, &chunk.stored)?)
        });
        done
    }

    fn sample(&mut self) -> Result<MoveSample> {
        let mut sample = MoveSample::default();
        for (at, begin, count) in self.state.sampled() {
            let Some(step) = self.state.steps.get(at).cloned() else { continue };
            let Walk::List(query) = &step.walk else { continue };
            let (records, _) = self.page(step.table(), query, begin, Some(count))?.unwrap_or_default();
            let table = step.table();
            let chunk = self.chunk(step.table())?;
            let mut own = sample;
            sample = self.store.read(move |db| {
                db.snapshot(|db| compare(db, table, &records, &chunk.context(), &mut own))?;
                Ok::<_, store::Error>(own)
            })?;
        }
        Ok(sample)
    }

    pub(super) fn save(&mut self) -> Result<()> {
        let stored = self.stored_now()?;
        Ok(self.store.write(move |tx| moves::store(tx, &stored))?)
    }

    pub(super) fn stored_now(&self) -> Result<StoredMove> {
        let state = serde_json::to_string(&self.state);
        let state = state.map_err(|cause| TransferError::Defect(cause.to_string()))?;
        Ok(StoredMove { state, ..self.stored.clone() })
    }

    /// Creates a chunk without records. Records without a moment of creation get the moment when the move
    /// began, regardless of interruptions.
    pub(super) fn chunk(&self, table: &'static Table) -> Result<Chunk> {
        Ok(Chunk {
            table,
            records: Vec::new(),
            content: None,
            contents: self.store.contents().clone(),
            path: None,
            is_live: self.state.is_live,
            zone: self.app.zone().clone(),
            today: self.app.today(),
            now: self.app.now(),
            lang: self.lang,
            round: self.state.round,
            author: self.author.clone(),
            stored: self.stored_now()?,
        })
    }
}

/// Estimates the remaining requests and the seconds that they take.
fn left(state: &MoveState, source: &SourceServer<'_>) -> (u64, u64) {
    let left = state.left();
    (left, source.rate_limit.time_for(left, source.clock.monotonic()).as_secs())
}

/// Returns the progress: answered requests, the estimated total, and the kind of record requested.
pub(super) fn progress(state: &MoveState, source: &SourceServer<'_>) -> Progress {
    let (left, seconds) = left(state, source);
    let what = match state.steps.get(state.at).map(|step| step.table().many) {
        Some(many) => (format!("pedidos ({})", many.0).into(), format!("requests ({})", many.1).into()),
        None => ("pedidos".into(), "requests".into()),
    };
    Progress::named(what, state.requests, state.requests + left).with_seconds_left(seconds)
}

fn is_named(db: Db<'_>, list: List, entry: &JsonObject) -> StoreResult<bool> {
    let member = list.table().field("name").map_or("name", |field| field.shown);
    let Some(name) = entry.get(member).and_then(Json::as_str) else { return Ok(false) };
    Ok(!moves::having(db, list.table(), "name_key", &fold(name))?.is_empty())
}

//! The move from another server of the contract, the live service or another Pleito (product 6): everything that it has,
//! with the same ids and moments, while the office works.
//!
//! A page is asked for, read, and stored with how far the move is in one transaction, so that a move that was interrupted
//! at any point goes on where it was. No transaction has more than [`TOGETHER`] records: others write in between.

mod entries;
mod error;
mod pace;
mod plan;
mod record;
mod report;
mod source;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use http::{HeaderMap, header};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

pub use error::MoveError;
pub use report::{MoveDetail, MoveReport, MoveSample, MovedResource};
pub use source::SourceToken;

use super::error::TransferError;
use crate::app::App;
use crate::clock::Clock;
use crate::domain::{ContentHash, Day, Lang};
use crate::http::Api;
use crate::records::{Document, List, Record as _, Table, Type, Value};
use crate::store::journal::Actor;
use crate::store::moves::{self, MoveNote, MoveNoteKind, StoredMove};
use crate::store::whole::{WholeRecord, WholeTable, is_empty};
use crate::store::{self, ContentState, NewContent, Store, Tx};

use entries::Entries;
use plan::{State, Walk, table_named};
use record::{ContentFacts, Setting, Unreadable, content_key, number, read};
use report::{compare, sampled};
use source::{ContentFailed, Found, Source, TakeFailed};

/// How many records one transaction has at the most.
const TOGETHER: usize = 200;
/// So many ids of a list are left free behind the highest that is listed: entries that records name, and that are listed no
/// longer, have ids there too.
const FREE: u32 = 1000;
/// What is known of the type of a content whose type nobody tells.
const BYTES: &str = "application/octet-stream";
/// After so many records that have none of their own it is stored how far it is.
const FEW: u64 = 10;
/// How many records are looked up at once whose own are asked for.
const OWNERS: u32 = 100;

/// What is to be moved, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The base address of the other server, with or without `/api/v1`.
    pub source: String,
    /// Its token.
    pub token: SourceToken,
    /// Whether it is only counted what there is.
    pub dry_run: bool,
    /// Whether what is new there is brought once everything has come.
    pub again: bool,
    /// Whether what is said of it is Portuguese.
    pub portuguese: bool,
}

/// How far a move is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveProgress {
    /// What is asked for, by its name in the store; empty at the beginning and in the end.
    pub resource: String,
    /// How many requests were answered.
    pub done: u64,
    /// How many there will have been.
    pub all: u64,
    /// How many seconds are left.
    pub seconds_left: u64,
}

/// Hears how far a move is, at least once a second while it waits; it stops where this is false.
pub type MoveWatch = Arc<dyn Fn(&MoveProgress) -> bool + Send + Sync>;

/// What came of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moved {
    /// It was only counted.
    Counted(MoveCount),
    /// Everything has come.
    Whole(MoveReport),
}

/// What there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveCount {
    /// The base address of the other server.
    pub source: String,
    /// How many records the lists have: each by its name in paths.
    pub resources: Vec<(String, u64)>,
    /// What is listed of one record at a time, so that nobody knows how many there are before they are asked for.
    pub of_each: Vec<String>,
    /// How many requests it takes.
    pub requests: u64,
    /// How many seconds that takes.
    pub seconds: u64,
}

/// Why a move stopped, or the store.
impl From<MoveError> for TransferError {
    fn from(error: MoveError) -> TransferError {
        TransferError::Move(error)
    }
}

impl Move {
    /// Does it, and goes on with one that was interrupted. It takes as long as the other server's limits want.
    ///
    /// # Errors
    /// Why it stopped. What has come until then stays.
    pub fn run(&self, api: &Arc<Api>, clock: &Clock, watch: &MoveWatch) -> Result<Moved, TransferError> {
        let base = source::base(&self.source)?;
        let (app, store) = (api.app(), api.app().store().clone());
        let lang = if self.portuguese { Lang::Pt } else { Lang::En };
        let begun = store.read(moves::current)?;
        if let Some(begun) = &begun
            && !self.dry_run
        {
            if begun.source != base {
                return Err(MoveError::Elsewhere(begun.source.clone()).into());
            }
            if begun.finished_at.is_some() && !self.again {
                return Err(MoveError::Finished(base).into());
            }
        }
        if begun.is_none() && !self.dry_run && !store.read(is_empty)? {
            return Err(MoveError::Taken.into());
        }
        let source = Source::new(base.clone(), &self.token, clock);
        let state = State::plan(false, 1);
        let stored =
            StoredMove { source: base, begun_at: app.now(), finished_at: None, state: String::new() };
        let mut mover = Mover { app, store, lang, source, watch, state, stored };
        mover.run(begun, self.dry_run)
    }
}

/// What is known here of each list there: its answer to GET /settings.
type Settings = Map<String, Json>;

/// A move that is under way.
struct Mover<'a> {
    app: &'a Arc<App>,
    store: Arc<Store>,
    lang: Lang,
    source: Source<'a>,
    watch: &'a MoveWatch,
    state: State,
    stored: StoredMove,
}

impl Mover<'_> {
    fn run(&mut self, begun: Option<StoredMove>, dry_run: bool) -> Result<Moved, TransferError> {
        let settings = self.settings()?;
        let is_live = self.is_live()?;
        if !is_live && !self.source.pace.is_told {
            self.source.pace.lift();
        }
        match begun {
            Some(begun) if begun.finished_at.is_none() && !dry_run => {
                let asked = self.state.asked;
                self.state = serde_json::from_str(&begun.state)
                    .map_err(|cause| TransferError::Defect(format!("the move's state: {cause}")))?;
                self.state.asked += asked;
                self.stored = begun;
            }
            begun => {
                let round = match &begun {
                    Some(begun) => 1 + round_of(begun)?,
                    None => 1,
                };
                let asked = self.state.asked;
                self.state = State { asked, ..State::plan(is_live, round) };
                let highest = self.count(dry_run)?;
                if dry_run {
                    return Ok(Moved::Counted(self.counted(&settings)));
                }
                self.begin(settings, highest)?;
            }
        }
        while self.state.at < self.state.steps.len() {
            let step = self.state.under_way().clone();
            match &step.walk {
                Walk::List(query) => self.list(step.table(), query)?,
                Walk::Each { of, path, member } => self.each(step.table(), table_named(of), path, member)?,
            }
            self.state.at += 1;
            self.save()?;
        }
        let sample = self.sample()?;
        self.stored.finished_at = Some(self.app.now());
        self.save()?;
        let (stored, state) = (self.stored.clone(), self.state.clone());
        Ok(Moved::Whole(self.store.read(move |db| MoveReport::read(db, &stored, &state, sample))?))
    }

    /// Asks, and tells how far it is meanwhile.
    fn ask(&mut self, path: &str) -> Result<Found, MoveError> {
        let Mover { source, state, watch, .. } = self;
        let before = source.asked;
        let found = source.ask(path, &mut |source| watch(&progress(state, source)));
        state.asked += source.asked - before;
        found
    }

    fn settings(&mut self) -> Result<Settings, MoveError> {
        let path = "/settings";
        match self.ask(path)? {
            Found::Object(settings) => Ok(settings),
            Found::Nothing => Err(MoveError::Unknown(path.to_owned(), "404".to_owned())),
            Found::Refused(status, said) => Err(MoveError::Failed(path.to_owned(), status, said)),
        }
    }

    /// Whether it lists movements of one lawsuit at a time only, as the live service does.
    fn is_live(&mut self) -> Result<bool, MoveError> {
        let found = self.ask("/movements?limit=1")?;
        Ok(!matches!(found, Found::Object(object) if object.get("data").is_some_and(Json::is_array)))
    }

    /// Counts what the lists have, and finds the highest id of each.
    fn count(&mut self, dry_run: bool) -> Result<BTreeMap<&'static str, u32>, TransferError> {
        let mut highest = BTreeMap::<&'static str, u32>::new();
        for at in 0..self.state.steps.len() {
            let Some(step) = self.state.steps.get(at).cloned() else { break };
            let Walk::List(query) = &step.walk else { continue };
            let table = step.table();
            let (records, total) = self.page(table, query, 0, None)?;
            let mut ids: Vec<u32> =
                records.iter().filter_map(|record| record.get("id").and_then(number)).collect();
            if !dry_run && total > records.len() as u64 {
                let (last, _) = self.page(table, query, total - 1, Some(1))?;
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

    fn counted(&self, settings: &Settings) -> MoveCount {
        let mut resources = Vec::new();
        for list in List::ALL {
            resources.push((list.table().path.to_owned(), entries_of(settings, list.table()).len() as u64));
        }
        let mut of_each = Vec::new();
        for step in &self.state.steps {
            let path = step.table().path.to_owned();
            match &step.walk {
                Walk::Each { .. } if !of_each.contains(&path) => of_each.push(path),
                Walk::Each { .. } => {}
                Walk::List(_) => match resources.iter_mut().find(|(name, _)| *name == path) {
                    Some((_, count)) => *count += step.total,
                    None => resources.push((path, step.total)),
                },
            }
        }
        let MoveProgress { done, all, seconds_left, .. } = progress(&self.state, &self.source);
        let (requests, seconds) = (all - done, seconds_left);
        MoveCount { source: self.stored.source.clone(), resources, of_each, requests, seconds }
    }

    /// Begins: the lists of the other server take the place of those that a new store has, and its ids are its own.
    fn begin(
        &mut self,
        settings: Settings,
        highest: BTreeMap<&'static str, u32>,
    ) -> Result<(), TransferError> {
        for list in List::ALL {
            let count = entries_of(&settings, list.table()).len() as u64;
            self.state.lists.insert(list.table().name.to_owned(), count);
        }
        let chunk = self.chunk(List::Users.table())?;
        let round = self.state.round;
        let done: Result<(), TransferError> = self.store.write(move |tx| {
            let tx = tx.by(Actor::import(chunk.now));
            if round == 1 {
                // The office may have begun to work since it was looked at.
                if !is_empty(*tx)? {
                    return Err(MoveError::Taken.into());
                }
                moves::empty_lists(tx)?;
            }
            for list in List::ALL {
                moves::forget_stayed(tx, list.table())?;
                let ids = entries_of(&settings, list.table());
                let ids = ids.iter().filter_map(|entry| entry.get("id").and_then(number));
                moves::reserve(tx, list.table(), ids.max().unwrap_or_default().saturating_add(FREE))?;
            }
            for (name, id) in highest {
                moves::forget_stayed(tx, table_named(name))?;
                moves::reserve(tx, table_named(name), id)?;
            }
            for list in List::ALL {
                let mut chunk = Chunk { table: list.table(), ..chunk.clone() };
                for (entry, place) in entries_of(&settings, list.table()).into_iter().zip(1_u32..) {
                    let mut entry = entry.clone();
                    entry.insert("place".to_owned(), place.into());
                    chunk.records.push(entry);
                }
                chunk.take(tx)?;
            }
            Ok(moves::store(tx, &chunk.stored)?)
        });
        done
    }

    /// Walks through a list.
    fn list(&mut self, table: &'static Table, query: &str) -> Result<(), TransferError> {
        loop {
            let at = self.state.under_way().at;
            let (records, total) = self.page(table, query, at, None)?;
            let came = records.len() as u64;
            let step = self.state.under_way();
            step.shrank |= total < step.total;
            step.total = total;
            if table.kind == Document::KIND {
                for record in records {
                    self.state.under_way().go_on(1);
                    self.document(record)?;
                }
            } else {
                let mut records = records.into_iter().peekable();
                while records.peek().is_some() {
                    let some: Vec<_> = records.by_ref().take(TOGETHER).collect();
                    self.state.under_way().go_on(some.len() as u64);
                    self.take(table, some)?;
                }
            }
            let step = self.state.under_way();
            // An empty page ends it too: some servers count more than they give.
            if came > 0 && step.at < step.total {
                continue;
            }
            if !step.shrank || step.is_second {
                return Ok(());
            }
            (step.at, step.is_second) = (0, true);
            self.save()?;
        }
    }

    /// Asks for what is listed of one record at a time, the newest first.
    fn each(
        &mut self,
        table: &'static Table,
        of: &'static Table,
        path: &str,
        member: &str,
    ) -> Result<(), TransferError> {
        loop {
            let below = u32::try_from(self.state.under_way().at).unwrap_or(u32::MAX);
            let (owners, left) = self.store.read(move |db| {
                Ok::<_, store::Error>((
                    moves::below(db, of, below, OWNERS)?,
                    moves::count_below(db, of, below)?,
                ))
            })?;
            self.state.under_way().requests = left;
            if owners.is_empty() {
                return Ok(());
            }
            for owner in owners {
                let (mut records, total) = self.own(&format!("{path}{owner}"))?;
                for record in &mut records {
                    record.insert(member.to_owned(), owner.into());
                }
                let step = self.state.under_way();
                step.total += total;
                step.came += records.len() as u64;
                step.requests = step.requests.saturating_sub(1);
                if table.kind == Document::KIND {
                    for record in std::mem::take(&mut records) {
                        self.document(record)?;
                    }
                }
                self.state.under_way().at = owner.into();
                // Most have none: where it stands is stored now and then.
                if !records.is_empty() || left.saturating_sub(self.state.under_way().requests) % FEW == 0 {
                    self.take(table, records)?;
                }
            }
        }
    }

    /// All that is listed of one record, and how many records the server says that these are.
    fn own(&mut self, path: &str) -> Result<(Vec<Map<String, Json>>, u64), TransferError> {
        let mut all: Vec<Map<String, Json>> = Vec::new();
        let mut total = 0;
        loop {
            let mark = if path.contains('?') { '&' } else { '?' };
            let next = match all.len() {
                0 => path.to_owned(),
                got => format!("{path}{mark}offset={got}"),
            };
            let (records, told) = match self.ask(&next)? {
                Found::Object(object) => listed(object, path)?,
                Found::Nothing => (Vec::new(), 0),
                Found::Refused(status, said) => {
                    return Err(MoveError::Failed(path.to_owned(), status, said).into());
                }
            };
            total = total.max(told);
            // A server that knows no pages here gives the same again.
            let is_new = !records.is_empty() && records.first() != all.first();
            if is_new {
                all.extend(records);
            }
            if !is_new || all.len() as u64 >= total {
                let total = total.max(all.len() as u64);
                return Ok((all, total));
            }
        }
    }

    /// A page of a list, and how many records the list has.
    fn page(
        &mut self,
        table: &'static Table,
        query: &str,
        offset: u64,
        limit: Option<u64>,
    ) -> Result<(Vec<Map<String, Json>>, u64), TransferError> {
        let mark = if query.is_empty() { "" } else { "&" };
        loop {
            let limit = limit.unwrap_or_else(|| self.state.page(table));
            let path = format!("/{}?{query}{mark}limit={limit}&offset={offset}", table.path);
            match self.ask(&path)? {
                Found::Object(object) => {
                    let (records, total) = listed(object, &path)?;
                    let least = offset.saturating_add(records.len() as u64);
                    let total = if records.is_empty() { total } else { total.max(least) };
                    return Ok((records, total));
                }
                Found::Nothing => return Ok((Vec::new(), 0)),
                Found::Refused(422, _) if self.state.ask_for_less(table) => {}
                Found::Refused(status, said) => {
                    return Err(MoveError::Failed(format!("/{}", table.path), status, said).into());
                }
            }
        }
    }

    /// Brings a document with its content.
    fn document(&mut self, record: Map<String, Json>) -> Result<(), TransferError> {
        let table = Document::TABLE;
        let Some(id) = record.get("id").and_then(number) else { return self.take(table, vec![record]) };
        let is_known = move |db: store::Db<'_>| {
            Ok::<_, store::Error>(
                moves::here(db, table, &id.to_string())?.is_some() || moves::exists(db, table, id)?,
            )
        };
        if self.store.read(is_known)? {
            return self.take(table, vec![record]);
        }
        let content = self.content(id, &record)?;
        let mut chunk = self.chunk(table)?;
        chunk.records.push(record);
        self.write(chunk, Some(content))
    }

    /// The content of a document.
    fn content(&mut self, id: u32, record: &Map<String, Json>) -> Result<Content, TransferError> {
        let told = |name: &str| record.get(name).and_then(Json::as_str).map(str::to_owned);
        let announced = record.get("size").and_then(Json::as_u64).unwrap_or_default();
        let told_type = told("media_type");
        if let Some(hash) = told("sha256").and_then(|hash| ContentHash::parse(&hash).ok())
            && self
                .store
                .contents()
                .state(&hash, announced, false)
                .is_ok_and(|state| state == ContentState::Sound)
        {
            let media_type = told_type.unwrap_or_else(|| BYTES.to_owned());
            return Ok(Content::Here(ContentFacts {
                sha256: hash.as_str().to_owned(),
                size: announced,
                media_type,
            }));
        }
        let link = match self.ask(&format!("/documents/{id}/download"))? {
            Found::Object(object) => object.get("data").and_then(Json::as_str).map(str::to_owned),
            Found::Nothing | Found::Refused(..) => None,
        };
        let Some(link) = link else { return Ok(Content::Missing) };
        let Mover { source, state, watch, store, .. } = self;
        let address = source.address_of(&link);
        let taken =
            source.content(&address, &mut |source| watch(&progress(state, source)), |headers, body| {
                let mut writer = store.contents().receive(announced).map_err(TakeFailed::Store)?;
                let mut piece = vec![0; 256 * 1024];
                loop {
                    match body.read(&mut piece).map_err(TakeFailed::Read)? {
                        0 => break,
                        read => {
                            writer.write(piece.get(..read).unwrap_or_default()).map_err(TakeFailed::Store)?
                        }
                    }
                }
                let media_type = told_type.clone().or_else(|| media_type(headers));
                let media_type = media_type.unwrap_or_else(|| BYTES.to_owned());
                Ok(Content::New(writer.finish().map_err(TakeFailed::Store)?, media_type))
            });
        taken.map(|taken| taken.unwrap_or(Content::Missing)).map_err(|failed| match failed {
            ContentFailed::Move(error) => error.into(),
            ContentFailed::Store(cause) => cause.into(),
        })
    }

    /// Reads some records again, and compares them with those here.
    fn sample(&mut self) -> Result<MoveSample, TransferError> {
        let mut sample = MoveSample::default();
        for (at, begin, count) in sampled(&self.state) {
            let Some(step) = self.state.steps.get(at).cloned() else { continue };
            let Walk::List(query) = &step.walk else { continue };
            let (records, _) = self.page(step.table(), query, begin, Some(count))?;
            let (table, chunk, mut own) = (step.table(), self.chunk(step.table())?, sample);
            sample = self.store.read(move |db| {
                db.snapshot(|db| compare(db, table, &records, &chunk.setting(), &mut own))?;
                Ok::<_, store::Error>(own)
            })?;
        }
        Ok(sample)
    }

    fn take(&self, table: &'static Table, records: Vec<Map<String, Json>>) -> Result<(), TransferError> {
        self.write(Chunk { records, ..self.chunk(table)? }, None)
    }

    /// Stores records, and how far the move is with them. `content` is that of the one document, where it is one.
    fn write(&self, chunk: Chunk, content: Option<Content>) -> Result<(), TransferError> {
        let contents = self.store.contents().clone();
        let done: Result<(), store::Error> = self.store.write(move |tx| {
            let tx = tx.by(Actor::import(chunk.now));
            match content {
                None => chunk.take(tx)?,
                Some(Content::Missing) => chunk.leave(tx)?,
                Some(Content::Here(facts)) => Chunk { content: Some(facts), ..chunk.clone() }.take(tx)?,
                Some(Content::New(content, media_type)) => {
                    let facts = ContentFacts {
                        sha256: content.hash().as_str().to_owned(),
                        size: content.size(),
                        media_type,
                    };
                    contents.keep(tx, content)?;
                    Chunk { content: Some(facts), ..chunk.clone() }.take(tx)?;
                }
            }
            moves::store(tx, &chunk.stored)
        });
        Ok(done?)
    }

    fn save(&mut self) -> Result<(), TransferError> {
        let stored = self.stored_now()?;
        Ok(self.store.write(move |tx| moves::store(tx, &stored))?)
    }

    fn stored_now(&self) -> Result<StoredMove, TransferError> {
        let state = serde_json::to_string(&self.state);
        let state = state.map_err(|cause| TransferError::Defect(cause.to_string()))?;
        Ok(StoredMove { state, ..self.stored.clone() })
    }

    /// No records yet, and what is needed to read them. What the server does not say when it was made is of the moment in
    /// which the move was begun, however often it was interrupted.
    fn chunk(&self, table: &'static Table) -> Result<Chunk, TransferError> {
        Ok(Chunk {
            table,
            records: Vec::new(),
            content: None,
            zone: self.app.zone().clone(),
            today: self.app.today(),
            now: self.app.now(),
            lang: self.lang,
            round: self.state.round,
            stored: self.stored_now()?,
        })
    }
}

fn round_of(begun: &StoredMove) -> Result<u32, TransferError> {
    let state: State = serde_json::from_str(&begun.state)
        .map_err(|cause| TransferError::Defect(format!("the move's state: {cause}")))?;
    Ok(state.round)
}

fn progress(state: &State, source: &Source<'_>) -> MoveProgress {
    let left = state.left();
    let resource = state.steps.get(state.at).map(|step| step.resource.clone()).unwrap_or_default();
    let seconds_left = source.pace.time_for(left, source.clock.monotonic()).as_secs();
    MoveProgress { resource, done: state.asked, all: state.asked + left, seconds_left }
}

/// The records of a list's answer, and how many it says that there are.
fn listed(mut answer: Map<String, Json>, path: &str) -> Result<(Vec<Map<String, Json>>, u64), MoveError> {
    let total = answer.get("totalCount").and_then(|total| match total {
        Json::String(text) => text.parse().ok(),
        number => number.as_u64(),
    });
    let path = || path.split('?').next().unwrap_or(path).to_owned();
    let Some(Json::Array(data)) = answer.remove("data") else {
        return Err(MoveError::Unknown(path(), "`data`".to_owned()));
    };
    let records = data.into_iter().map(|record| match record {
        Json::Object(record) => Ok(record),
        _ => Err(MoveError::Unknown(path(), "`data`".to_owned())),
    });
    let records: Vec<_> = records.collect::<Result<_, _>>()?;
    let total = total.unwrap_or(records.len() as u64);
    Ok((records, total))
}

/// The entries of a list in the answer to GET /settings.
fn entries_of<'s>(settings: &'s Settings, table: &Table) -> Vec<&'s Map<String, Json>> {
    let own = settings.get(table.path).or_else(|| settings.get("financial")?.get(table.path));
    own.and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_object).collect()
}

fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(text.split(';').next().unwrap_or(text).trim().to_owned())
        .filter(|text| !text.is_empty() && text.len() <= 200)
}

/// The content of a document.
enum Content {
    /// It came, with what is told of its type.
    New(NewContent, String),
    /// It is here already.
    Here(ContentFacts),
    /// There is none to be had: it is lost there, or its document was deleted.
    Missing,
}

/// Records of one table that are stored together.
#[derive(Clone)]
struct Chunk {
    table: &'static Table,
    records: Vec<Map<String, Json>>,
    content: Option<ContentFacts>,
    zone: TimeZone,
    today: Day,
    now: i64,
    lang: Lang,
    round: u32,
    /// How far the move is with them.
    stored: StoredMove,
}

impl Chunk {
    fn setting(&self) -> Setting<'_> {
        Setting { zone: &self.zone, today: self.today, begun: self.stored.begun_at, lang: self.lang }
    }

    fn take(&self, tx: Tx<'_>) -> Result<(), store::Error> {
        let whole = WholeTable::of(self.table);
        let mut entries = Entries::new(Some(tx), self.lang, self.round);
        let mut before = HashMap::new();
        for said in &self.records {
            self.take_one(tx, &whole, said, &mut entries, &mut before)?;
        }
        Ok(())
    }

    fn take_one(
        &self,
        tx: Tx<'_>,
        whole: &WholeTable,
        said: &Map<String, Json>,
        entries: &mut Entries<'_>,
        before: &mut HashMap<String, u32>,
    ) -> Result<(), store::Error> {
        let table = self.table;
        let own = said.get("id").and_then(number);
        if let Some(id) = own {
            if let Some(here) = moves::here(*tx, table, &id.to_string())? {
                self.attach(tx, here, said)?;
                return moves::came(tx, table, &id.to_string(), here, self.round);
            }
            if moves::exists(*tx, table, id)? {
                let why = self.lang.pick(
                    "o número já é de outro registro aqui; para trazê-lo, mude para uma pasta vazia",
                    "another record here has the id already; to bring it, move into an empty folder",
                );
                return self.stays(tx, id, said, "id", why);
            }
        }
        let id = match own {
            Some(id) => id,
            None => moves::next_id(*tx, table)?,
        };
        let read = match read(*tx, whole, said, id, self.content.as_ref(), entries, &self.setting()) {
            Ok(read) => read,
            Err(Unreadable::Stays(member, why)) => {
                return self.stays(tx, own.unwrap_or_default(), said, member, &why);
            }
            Err(Unreadable::Store(cause)) => return Err(cause),
        };
        let key = match own {
            Some(id) => id.to_string(),
            None => {
                let same = content_key(table, &read.record, 0);
                let number = before.entry(same).and_modify(|number| *number += 1).or_insert(1);
                content_key(table, &read.record, *number)
            }
        };
        if let (None, Some(here)) = (own, moves::here(*tx, table, &key)?) {
            return moves::came(tx, table, &key, here, self.round);
        }
        let mut notes = read.notes;
        let mut record = read.record;
        let mut stored = tx.savepoint(|tx| whole.insert(tx, &record));
        if let (Err(store::Error::Defect(_)), Some(note)) = (&stored, self.renamed(&mut record)) {
            notes.push(note);
            stored = tx.savepoint(|tx| whole.insert(tx, &record));
        }
        match stored {
            Ok(()) => {}
            Err(store::Error::Defect(cause)) => {
                return self.stays(tx, own.unwrap_or_default(), said, "id", &cause);
            }
            Err(cause) => return Err(cause),
        }
        moves::came(tx, table, &key, id, self.round)?;
        notes.iter().try_for_each(|note| moves::note(tx, note))
    }

    /// Gives an entry another name where two of its list have the same.
    fn renamed(&self, record: &mut WholeRecord<'static>) -> Option<MoveNote> {
        let at = self.table.stored().position(|field| field.ty == Type::Name)?;
        let field = self.table.stored().nth(at)?;
        self.table.parent().map(|_| ()).or(self.table.field("active").map(|_| ()))?;
        let value = record.values.get_mut(at)?;
        let said = value.text()?.to_owned();
        *value = Value::Text(format!("{said} ({})", record.id).into());
        let why =
            self.lang.pick("outro da lista tem o mesmo nome", "another one of the list has the same name");
        Some(MoveNote {
            kind: MoveNoteKind::Value,
            resource: self.table.name.to_owned(),
            id: record.id,
            member: field.shown.to_owned(),
            said,
            why: why.to_owned(),
        })
    }

    /// What it belongs to may be told in several lists, one each.
    fn attach(&self, tx: Tx<'_>, id: u32, said: &Map<String, Json>) -> Result<(), store::Error> {
        if self.table.kind != Document::KIND || said.contains_key("sha256") {
            return Ok(());
        }
        for field in self.table.stored().filter(|field| field.record().is_some()) {
            if let Some(other) = said.get(field.shown).and_then(number) {
                moves::fill(tx, self.table, field.column, id, other)?;
            }
        }
        Ok(())
    }

    /// The documents have no content there.
    fn leave(&self, tx: Tx<'_>) -> Result<(), store::Error> {
        self.records.iter().try_for_each(|said| {
            let why = match said.contains_key("deleted_at") {
                true => self.lang.pick(
                    "está na lixeira da origem, que não entrega o arquivo",
                    "it is in the source's trash, which does not hand out the file",
                ),
                false => self.lang.pick("a origem não tem o arquivo", "the source does not have the file"),
            };
            let id = said.get("id").and_then(number).unwrap_or_default();
            self.stays(tx, id, said, "links", why)
        })
    }

    fn stays(
        &self,
        tx: Tx<'_>,
        id: u32,
        said: &Map<String, Json>,
        member: &str,
        why: &str,
    ) -> Result<(), store::Error> {
        let said = serde_json::to_string(said).unwrap_or_default();
        let note = MoveNote {
            kind: MoveNoteKind::Record,
            resource: self.table.name.to_owned(),
            id,
            member: member.to_owned(),
            said,
            why: why.to_owned(),
        };
        moves::note(tx, &note)
    }
}

//! The walks through what the other server lists: page by page, or of one record at a time, with the contents of documents.

use http::{HeaderMap, header};
use serde_json::{Map, Value as Json};

use super::chunk::Chunk;
use super::error::MoveError;
use super::ids::number;
use super::mover::{Mover, progress};
use super::plan::Walk;
use super::record::ContentFacts;
use super::source::{ContentFailed, SourceAnswer, TakeFailed};
use crate::domain::ContentHash;
use crate::records::{Document, Record as _, Table};
use crate::store::journal::Actor;
use crate::store::moves::{self, MoveNote, MoveNoteKind};
use crate::store::{self, ContentState, NewContent};
use crate::transfer::error::TransferError;

/// How many records one transaction has at the most.
const TOGETHER: usize = 200;
/// What is known of the type of a content whose type nobody tells.
const BYTES: &str = "application/octet-stream";
/// After so many records that have none of their own it is stored how far it is.
const FEW: u64 = 10;
/// How many records are looked up at once whose own are asked for.
const OWNERS: u32 = 100;

impl Mover<'_> {
    /// Walks through a list.
    pub(super) fn list(&mut self, table: &'static Table, query: &str) -> Result<(), TransferError> {
        loop {
            let Some(at) = self.state.under_way().map(|step| step.at) else { return Ok(()) };
            let (records, total) = self.page(table, query, at, None)?;
            let came = records.len() as u64;
            let Some(step) = self.state.under_way() else { return Ok(()) };
            step.shrank |= total < step.total;
            step.total = total;
            if table.kind == Document::KIND {
                for record in records {
                    self.state.go_on(1);
                    self.document(record)?;
                }
            } else {
                let mut records = records.into_iter().peekable();
                while records.peek().is_some() {
                    let some: Vec<_> = records.by_ref().take(TOGETHER).collect();
                    self.state.go_on(some.len() as u64);
                    self.take(table, some)?;
                }
            }
            let Some(step) = self.state.under_way() else { return Ok(()) };
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
    pub(super) fn each(
        &mut self,
        table: &'static Table,
        of: &'static Table,
        path: &str,
        member: &str,
    ) -> Result<(), TransferError> {
        loop {
            let Some(below) = self.state.under_way().map(|step| step.at) else { return Ok(()) };
            let below = u32::try_from(below).unwrap_or(u32::MAX);
            let (owners, left) = self.store.read(move |db| {
                Ok::<_, store::Error>((
                    moves::below(db, of, below, OWNERS)?,
                    moves::count_below(db, of, below)?,
                ))
            })?;
            if let Some(step) = self.state.under_way() {
                step.requests = left;
            }
            if owners.is_empty() {
                return Ok(());
            }
            for owner in owners {
                let path = format!("{path}{owner}");
                let (mut records, total) = match self.own(&path)? {
                    Own::Listed(records, total) => (records, total),
                    Own::Failed(why) => {
                        self.pass_over(table, owner, &path, why)?;
                        continue;
                    }
                };
                for record in &mut records {
                    record.insert(member.to_owned(), owner.into());
                }
                let came = records.len() as u64;
                if table.kind == Document::KIND {
                    for record in std::mem::take(&mut records) {
                        self.document(record)?;
                    }
                }
                // With the last of them, so that one who is asked for again counts once.
                let Some(step) = self.state.under_way() else { return Ok(()) };
                if !matches!(step.walk, Walk::Beside { .. }) {
                    step.total += total;
                    step.came += came;
                }
                step.requests = step.requests.saturating_sub(1);
                step.at = owner.into();
                // Most have none: where it stands is stored now and then.
                let asked = left.saturating_sub(step.requests);
                if !records.is_empty() || asked.is_multiple_of(FEW) {
                    self.take(table, records)?;
                }
            }
        }
    }

    /// All that is listed of one record, and how many records the server says that these are.
    fn own(&mut self, path: &str) -> Result<Own, TransferError> {
        let mut all: Vec<Map<String, Json>> = Vec::new();
        let mut total = 0;
        loop {
            let mark = if path.contains('?') { '&' } else { '?' };
            let next = match all.len() {
                0 => path.to_owned(),
                got => format!("{path}{mark}offset={got}"),
            };
            let (records, told) = match self.ask(&next) {
                Ok(SourceAnswer::Object(object)) => listed(object, path)?,
                Ok(SourceAnswer::Nothing) => (Vec::new(), 0),
                Ok(SourceAnswer::Refused(status, said)) => {
                    return Ok(Own::Failed(format!("{status} {said}").trim().to_owned()));
                }
                // Where everything else is answered, one record shall not stop the rest.
                Err(MoveError::Failed(_, status, said)) => {
                    self.settings()?;
                    return Ok(Own::Failed(format!("{status} {said}").trim().to_owned()));
                }
                Err(error) => return Err(error.into()),
            };
            total = total.max(told);
            // A server that knows no pages here gives the same again.
            let is_new = !records.is_empty() && records.first() != all.first();
            if is_new {
                all.extend(records);
            }
            if !is_new || all.len() as u64 >= total {
                let total = total.max(all.len() as u64);
                return Ok(Own::Listed(all, total));
            }
        }
    }

    /// Notes that what one record has of its own cannot be asked for, and goes on.
    fn pass_over(
        &mut self,
        table: &'static Table,
        owner: u32,
        path: &str,
        why: String,
    ) -> Result<(), TransferError> {
        if let Some(step) = self.state.under_way() {
            step.requests = step.requests.saturating_sub(1);
            step.at = owner.into();
        }
        let note = MoveNote {
            kind: MoveNoteKind::Record,
            resource: table.name.to_owned(),
            id: 0,
            member: path.to_owned(),
            said: String::new(),
            why,
        };
        let stored = self.stored_now()?;
        let done: Result<(), store::Error> = self.store.write(move |tx| {
            moves::note(tx, &note)?;
            moves::store(tx, &stored)
        });
        Ok(done?)
    }

    /// A page of a list, and how many records the list has.
    pub(super) fn page(
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
                SourceAnswer::Object(object) => {
                    let (records, total) = listed(object, &path)?;
                    let least = offset.saturating_add(records.len() as u64);
                    let total = if records.is_empty() { total } else { total.max(least) };
                    return Ok((records, total));
                }
                SourceAnswer::Nothing => return Ok((Vec::new(), 0)),
                SourceAnswer::Refused(422, _) if self.state.ask_for_less(table) => {}
                SourceAnswer::Refused(status, said) => {
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
            SourceAnswer::Object(object) => object.get("data").and_then(Json::as_str).map(str::to_owned),
            SourceAnswer::Nothing | SourceAnswer::Refused(..) => None,
        };
        let Some(link) = link else { return Ok(Content::Missing) };
        let Mover { source, state, hears, store, .. } = self;
        let address = source.address_of(&link);
        let taken =
            source.content(&address, &mut |source| hears(progress(state, source)), |headers, body| {
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
}

/// What is listed of one record.
enum Own {
    /// The records, and how many the server says that these are.
    Listed(Vec<Map<String, Json>>, u64),
    /// It fails, or is refused, again and again: why.
    Failed(String),
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

fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(text.split(';').next().unwrap_or(text).trim().to_owned())
        .filter(|text| !text.is_empty() && text.len() <= 200)
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

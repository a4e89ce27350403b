//! Walks through a list of the source, page by page.

use super::documents::DocumentContent;
use crate::store::imports::moves::{self, MoveNote, MoveNoteKind, MoveReason};
use crate::transfer::cloud_import::chunk::Chunk;
use crate::transfer::cloud_import::error::MoveError;
use crate::transfer::cloud_import::mover::Mover;
use crate::transfer::cloud_import::record::ContentFacts;
use crate::transfer::cloud_import::source::SourceAnswer;
use crate::transfer::prelude::*;

/// Maximum number of records per transaction.
const RECORDS_PER_WRITE: usize = 200;

impl Mover<'_> {
    /// Moves the records of a list. Reads the list a second time if it became shorter meanwhile.
    pub(in crate::transfer::cloud_import) fn list(
        &mut self,
        table: &'static Table,
        query: &str,
    ) -> Result<()> {
        loop {
            let Some(at) = self.state.under_way().map(|step| step.at) else { return Ok(()) };
            let Some((records, total)) = self.page(table, query, at, None)? else {
                return self.note_missing_route(table, &format!("/{}", table.path));
            };
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
                    let some: Vec<_> = records.by_ref().take(RECORDS_PER_WRITE).collect();
                    self.ask_for_named(table, &some)?;
                    self.notice(table, &some)?;
                    self.state.go_on(some.len() as u64);
                    self.take(table, some)?;
                }
            }
            let Some(step) = self.state.under_way() else { return Ok(()) };
            // An empty page ends the list too, because some servers report more records than they return.
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

    /// Requests a page of a list. Returns `None` if the server lacks the route.
    pub(in crate::transfer::cloud_import) fn page(
        &mut self,
        table: &'static Table,
        query: &str,
        offset: u64,
        limit: Option<u64>,
    ) -> Result<Option<SourcePage>> {
        let mark = if query.is_empty() { "" } else { "&" };
        loop {
            let limit = limit.unwrap_or_else(|| self.state.page(table));
            let path = format!("/{}?{query}{mark}limit={limit}&offset={offset}", table.path);
            match self.ask(&path)? {
                SourceAnswer::Object(object) => {
                    let (records, total) = page_in(object, &path)?;
                    let least = offset.saturating_add(records.len() as u64);
                    let total = if records.is_empty() { total } else { total.max(least) };
                    return Ok(Some((records, total)));
                }
                SourceAnswer::Nothing => return Ok(Some((Vec::new(), 0))),
                SourceAnswer::NoRoute => return Ok(None),
                SourceAnswer::Refused(422, _) if self.state.ask_for_less(table) => {}
                SourceAnswer::Refused(status, text) => {
                    return Err(MoveError::Failed(format!("/{}", table.path), status, text).into());
                }
            }
        }
    }

    /// Notes that the server lacks a route, so that no records of the table are moved.
    pub(in crate::transfer::cloud_import) fn note_missing_route(
        &mut self,
        table: &'static Table,
        path: &str,
    ) -> Result<()> {
        let why = MoveReason::new(|lang| {
            lang.pick("a origem não tem esta rota", "the source does not have this route")
        });
        self.note_not_come(table, 0, &format!("GET {path}"), why)
    }

    /// Notes that the record with this id, or the records at `path`, could not be moved.
    pub(in crate::transfer::cloud_import) fn note_not_come(
        &mut self,
        table: &'static Table,
        id: u32,
        path: &str,
        why: MoveReason,
    ) -> Result<()> {
        let note = MoveNote::new(MoveNoteKind::Record, table, id, path, String::new(), why);
        let stored = self.stored_now()?;
        let done: StoreResult<()> = self.store.write(move |tx| {
            moves::note(tx, &note)?;
            moves::store(tx, &stored)
        });
        Ok(done?)
    }

    pub(in crate::transfer::cloud_import) fn take(
        &self,
        table: &'static Table,
        records: Vec<JsonObject>,
    ) -> Result<()> {
        self.write(Chunk { records, ..self.chunk(table)? }, None)
    }

    /// Stores records and the position of the move. `content` is given for a chunk with a single document.
    pub(in crate::transfer::cloud_import) fn write(
        &self,
        chunk: Chunk,
        content: Option<DocumentContent>,
    ) -> Result<()> {
        let contents = self.store.contents().clone();
        let done: StoreResult<()> = self.store.write(move |tx| {
            chunk.author.set(tx, chunk.now)?;
            match content {
                None => chunk.take(tx)?,
                Some(DocumentContent::Missing) => chunk.note_missing(tx)?,
                Some(DocumentContent::Failed(path, why)) => chunk.note_failed(tx, &path, &why)?,
                Some(DocumentContent::Here(facts)) => {
                    Chunk { content: Some(facts), ..chunk.clone() }.take(tx)?
                }
                Some(DocumentContent::New(content, media_type)) => {
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

/// The records of a page, and the number of records in the list.
pub(in crate::transfer::cloud_import) type SourcePage = (Vec<JsonObject>, u64);

/// Returns the records of an answer with a page of a list, and the number of all records.
pub(in crate::transfer::cloud_import) fn page_in(
    mut answer: JsonObject,
    path: &str,
) -> Result<SourcePage, MoveError> {
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

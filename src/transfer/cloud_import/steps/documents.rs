//! Moves documents and their contents.

use http::{HeaderMap, header};

use crate::domain::ContentHash;
use crate::store::imports::moves;
use crate::store::imports::moves::MoveReason;
use crate::store::{ContentState, NewContent};
use crate::transfer::cloud_import::chunk::Chunk;
use crate::transfer::cloud_import::mover::{Mover, progress};
use crate::transfer::cloud_import::record::ContentFacts;
use crate::transfer::cloud_import::source::{ContentFailed, OneAnswer, SourceAnswer, TakeFailed};
use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::prelude::*;

/// Media type of a content if the server does not send one.
const BYTES: &str = "application/octet-stream";

/// Result of fetching the content of a document.
pub(in crate::transfer::cloud_import) enum DocumentContent {
    /// Downloaded, with its media type.
    New(NewContent, String),
    /// Already in this store.
    Here(ContentFacts),
    /// Not available: lost on the source, or its document was deleted.
    Missing,
    /// The request failed: the path and the reason. The end of the move repeats failed requests.
    Failed(String, MoveReason),
}

impl Mover<'_> {
    pub(in crate::transfer::cloud_import) fn document(&mut self, record: JsonObject) -> Result<()> {
        let table = Document::TABLE;
        let Some(id) = record.get("id").and_then(number) else { return self.take(table, vec![record]) };
        let is_known = move |db: store::Db<'_>| {
            Ok::<_, store::Error>(moves::here(db, table, &id.to_string())?.is_some())
        };
        if self.store.read(is_known)? {
            return self.take(table, vec![record]);
        }
        let content = self.content(id, &record)?;
        let chunk = Chunk { records: vec![record], ..self.chunk(table)? };
        self.write(chunk, Some(content))
    }

    fn content(&mut self, id: u32, record: &JsonObject) -> Result<DocumentContent> {
        let text = |name: &str| record.get(name).and_then(Json::as_str).map(str::to_owned);
        let announced = record.get("size").and_then(Json::as_u64).unwrap_or_default();
        let declared = text("media_type");
        if let Some(hash) = text("sha256").and_then(|hash| ContentHash::parse(&hash).ok())
            && self
                .store
                .contents()
                .state(&hash, announced, false)
                .is_ok_and(|state| state == ContentState::Sound)
        {
            let media_type = declared.unwrap_or_else(|| BYTES.to_owned());
            return Ok(DocumentContent::Here(ContentFacts {
                sha256: hash.as_str().to_owned(),
                size: announced,
                media_type,
            }));
        }
        let path = format!("/documents/{id}/download");
        let link = match self.ask_one(&path)? {
            OneAnswer::Found(SourceAnswer::Object(object)) => {
                object.get("data").and_then(Json::as_str).map(str::to_owned)
            }
            OneAnswer::Found(_) => None,
            OneAnswer::Failed(error) => return Ok(DocumentContent::Failed(path, error.reason())),
        };
        let Some(link) = link else { return Ok(DocumentContent::Missing) };
        let Mover { source, state, on_progress, store, .. } = self;
        let address = source.address_of(&link);
        let taken =
            source.content(&address, &mut |source| on_progress(progress(state, source)), |headers, body| {
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
                let media_type = declared.clone().or_else(|| media_type(headers));
                let media_type = media_type.unwrap_or_else(|| BYTES.to_owned());
                Ok(DocumentContent::New(writer.finish().map_err(TakeFailed::Store)?, media_type))
            });
        match taken {
            Ok(OneAnswer::Found(taken)) => Ok(taken.unwrap_or(DocumentContent::Missing)),
            Ok(OneAnswer::Failed(error)) => Ok(DocumentContent::Failed(path, error.reason())),
            Err(ContentFailed::Move(error)) => Err(error.into()),
            Err(ContentFailed::Store(cause)) => Err(cause.into()),
        }
    }
}

fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(text.split(';').next().unwrap_or(text).trim().to_owned())
        .filter(|text| !text.is_empty() && text.len() <= 200)
}

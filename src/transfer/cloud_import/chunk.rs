//! Stores records in one transaction, together with the position of the move.

use std::collections::HashMap;

use jiff::tz::TimeZone;

use super::entries::{Entries, insert_named};
use super::move_author::MoveAuthor;
use super::record::{ContentFacts, LongText, ReadContext, Unreadable, content_key, read};
use super::source_ids::{number, too_high};
use super::steps::author::set_author;
use crate::domain::id::MAX_FOREIGN;
use crate::domain::{Day, Reason};
use crate::records::Task;
use crate::store::ContentStore;
use crate::store::imports::moves::{self, MoveNote, MoveNoteKind, MoveReason, StoredMove};
use crate::transfer::prelude::*;

/// Media type of a text that becomes a document.
const TEXT: &str = "text/plain";

#[derive(Clone)]
pub(super) struct Chunk {
    pub(super) table: &'static Table,
    pub(super) records: Vec<JsonObject>,
    pub(super) content: Option<ContentFacts>,
    pub(super) contents: ContentStore,
    /// The path that listed the records, if it lists them for one owner at a time.
    pub(super) path: Option<String>,
    pub(super) is_live: bool,
    pub(super) zone: TimeZone,
    pub(super) today: Day,
    pub(super) now: i64,
    pub(super) lang: Lang,
    pub(super) round: u32,
    pub(super) author: MoveAuthor,
    /// The position of the move after these records.
    pub(super) stored: StoredMove,
}

impl Chunk {
    pub(super) fn context(&self) -> ReadContext<'_> {
        ReadContext { zone: &self.zone, today: self.today, begun: self.stored.begun_at, lang: self.lang }
    }

    pub(super) fn take(&self, tx: Tx<'_>) -> StoreResult<()> {
        let whole = FullTable::of(self.table);
        let mut entries = Entries::new(Some(tx), self.lang, self.round);
        let mut before = HashMap::new();
        for incoming in &self.records {
            self.take_one(tx, &whole, incoming, &mut entries, &mut before)?;
        }
        match &self.path {
            Some(path) => moves::forget_failed(tx, self.table, path),
            None => Ok(()),
        }
    }

    fn take_one(
        &self,
        tx: Tx<'_>,
        whole: &FullTable,
        incoming: &JsonObject,
        entries: &mut Entries<'_>,
        before: &mut HashMap<String, u32>,
    ) -> StoreResult<()> {
        let table = self.table;
        if let Some(id) = incoming.get("id").and_then(too_high) {
            let why = MoveReason::new(|lang| Reason::IdTooHigh { most: MAX_FOREIGN }.message(lang));
            return self.stays(tx, id, incoming, "id", why);
        }
        let own = incoming.get("id").and_then(number);
        let mut renumbered = None;
        if own.is_none() && table.kind == Task::KIND {
            return set_author(tx, incoming, entries, before, &self.zone);
        }
        if let Some(id) = own {
            if let Some(here) = moves::here(*tx, table, &id.to_string())? {
                return self.take_again(tx, id, here, incoming, entries);
            }
            let is_taken = moves::exists(*tx, table, id)?;
            if is_taken && !is_pointed_to(table) {
                renumbered = Some(moves::next_id(*tx, table)?);
            } else if is_taken {
                let why = MoveReason::new(|lang| {
                    lang.pick(
                        "o número já é de outro registro aqui; para trazê-lo, mude para uma pasta vazia",
                        "another record here has the id already; to bring it, move into an empty folder",
                    )
                });
                return self.stays(tx, id, incoming, "id", why);
            }
        }
        let id = match renumbered.or(own) {
            Some(id) => id,
            None => moves::next_id(*tx, table)?,
        };
        let read = match read(*tx, whole, incoming, id, self.content.as_ref(), entries, &self.context()) {
            Ok(read) => read,
            Err(Unreadable::Stays(member, why)) => {
                return self.stays(tx, own.unwrap_or_default(), incoming, member, why);
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
            return moves::note_moved(tx, table, &key, here, self.round);
        }
        let mut notes = read.notes;
        if let (Some(id), Some(own)) = (renumbered, own) {
            notes.push(self.renumbered(id, own));
        }
        let mut record = read.record;
        let stored = match table.field("active") {
            Some(_) => insert_named(tx, whole, &mut record),
            None => tx.savepoint(|tx| whole.insert(tx, &record)).map(|()| None),
        };
        match stored {
            Ok(None) => {}
            Ok(Some(name)) => notes.push(self.renamed(id, incoming, &name)),
            Err(store::Error::Defect(cause)) => {
                return self.stays(tx, own.unwrap_or_default(), incoming, "id", MoveReason::new(|_| &*cause));
            }
            Err(cause) => return Err(cause),
        }
        moves::note_moved(tx, table, &key, id, self.round)?;
        if let Some(long) = read.long {
            self.keep_long(tx, &long, entries)?;
        }
        if let Some(id) = own {
            moves::forget_stayed(tx, table, Some(id))?;
        }
        notes.iter().try_for_each(|note| moves::note(tx, note))?;
        self.keep_links(tx, id, incoming)
    }

    /// Completes a record that an earlier round has brought as `here`.
    fn take_again(
        &self,
        tx: Tx<'_>,
        id: u32,
        here: u32,
        incoming: &JsonObject,
        entries: &mut Entries<'_>,
    ) -> StoreResult<()> {
        let table = self.table;
        moves::forget_stayed(tx, table, Some(id))?;
        self.attach(tx, here, incoming)?;
        if table.field("active").is_some() {
            moves::activate_if_noted(tx, table, here)?;
        }
        self.link_again(tx, here, incoming, entries)?;
        self.keep_links(tx, here, incoming)?;
        moves::note_moved(tx, table, &id.to_string(), here, self.round)
    }

    /// Stores a text that is too long for its record as a document.
    fn keep_long(&self, tx: Tx<'_>, long: &LongText, entries: &mut Entries<'_>) -> StoreResult<()> {
        let size = long.text.len() as u64;
        let mut content = self.contents.receive(size)?;
        content.write(long.text.as_bytes())?;
        let content = content.finish()?;
        let sha256 = content.hash().as_str().to_owned();
        let facts = ContentFacts { sha256, size, media_type: TEXT.to_owned() };
        self.contents.keep(tx, content)?;
        let mut incoming = Map::from_iter([("name".to_owned(), Json::from(long.name.as_str()))]);
        incoming.extend(long.attached.iter().map(|(member, id)| ((*member).to_owned(), Json::from(*id))));
        let table = Document::TABLE;
        let id = moves::next_id(*tx, Document::TABLE)?;
        let whole = FullTable::of(table);
        match read(*tx, &whole, &incoming, id, Some(&facts), entries, &self.context()) {
            Ok(read) => whole.insert(tx, &read.record),
            Err(Unreadable::Store(cause)) => Err(cause),
            Err(Unreadable::Stays(member, why)) => {
                Err(store::Error::Defect(format!("{member}: {}", why.text(self.lang))))
            }
        }
    }

    /// Creates a note that a record has another id here.
    fn renumbered(&self, id: u32, own: u32) -> MoveNote {
        let why = MoveReason::new(|lang| {
            lang.pick(
                "outro registro daqui tem o número; este recebeu um novo",
                "another record here has the id; this one got a new one",
            )
        });
        MoveNote::new(MoveNoteKind::Value, self.table, id, "id", own.to_string(), why)
    }

    /// Creates a note that an entry has another name here.
    fn renamed(&self, id: u32, incoming: &JsonObject, name: &str) -> MoveNote {
        let member = self.table.field("name").map_or("name", |field| field.shown);
        let there = incoming.get(member).and_then(Json::as_str).unwrap_or_default();
        let why = MoveReason::new(|lang| {
            localize!(
                lang,
                "outro da lista tem o mesmo nome; aqui é {name}",
                "another one of the list has the same name; here it is {name}"
            )
        });
        MoveNote::new(MoveNoteKind::Value, self.table, id, member, there.to_owned(), why)
    }

    /// Adds the owners of a stored document. The source may report each owner in a different list.
    fn attach(&self, tx: Tx<'_>, id: u32, incoming: &JsonObject) -> StoreResult<()> {
        if self.table.kind != Document::KIND || incoming.contains_key("sha256") {
            return Ok(());
        }
        for field in self.table.stored().filter(|field| field.record().is_some()) {
            if let Some(other) = incoming.get(field.shown).and_then(number) {
                moves::fill(tx, self.table, field.column, id, other)?;
            }
        }
        Ok(())
    }

    /// Notes that the contents of the documents could not be fetched this time.
    pub(super) fn note_failed(&self, tx: Tx<'_>, path: &str, why: &MoveReason) -> StoreResult<()> {
        self.records.iter().try_for_each(|incoming| {
            let id = incoming.get("id").and_then(number).unwrap_or_default();
            self.stays(tx, id, incoming, path, why.clone())
        })
    }

    /// Notes that the source does not have the contents of the documents.
    pub(super) fn note_missing(&self, tx: Tx<'_>) -> StoreResult<()> {
        self.records.iter().try_for_each(|incoming| {
            let why = MoveReason::new(|lang| match incoming.contains_key("deleted_at") {
                true => lang.pick(
                    "está na lixeira da origem, que não entrega o arquivo",
                    "it is in the source's trash, which does not hand out the file",
                ),
                false => lang.pick("a origem não tem o arquivo", "the source does not have the file"),
            });
            let id = incoming.get("id").and_then(number).unwrap_or_default();
            self.stays(tx, id, incoming, "links", why)
        })
    }

    fn stays(
        &self,
        tx: Tx<'_>,
        id: u32,
        incoming: &JsonObject,
        member: &str,
        why: MoveReason,
    ) -> StoreResult<()> {
        let incoming = serde_json::to_string(incoming).unwrap_or_default();
        moves::note(tx, &MoveNote::new(MoveNoteKind::Record, self.table, id, member, incoming, why))
    }
}

/// Returns `true` if other records refer to those of the table, so that their ids must not change.
fn is_pointed_to(table: &Table) -> bool {
    let to = |field: &Field| match field.ty {
        Type::Record(kind) | Type::Links(kind) => kind == table.kind,
        Type::Reference(list) => list.table().kind == table.kind,
        _ => false,
    };
    tables().any(|other| other.stored().any(to))
}

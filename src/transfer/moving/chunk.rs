//! Records that are stored together, with how far the move is.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json};

use super::author::set_author;
use super::entries::{Entries, insert_named};
use super::ids::{number, too_high};
use super::record::{ContentFacts, Setting, Unreadable, content_key, read};
use crate::domain::id::HIGHEST_FOREIGN;
use crate::domain::{Day, Lang, Reason};
use crate::records::{Document, Record as _, Table, Task};
use crate::store::moves::{self, MoveNote, MoveNoteKind, StoredMove};
use crate::store::whole::WholeTable;
use crate::store::{self, Tx};

/// Records of one table that are stored together.
#[derive(Clone)]
pub(super) struct Chunk {
    pub(super) table: &'static Table,
    pub(super) records: Vec<Map<String, Json>>,
    pub(super) content: Option<ContentFacts>,
    /// The path that listed them, if that is asked for one record at a time.
    pub(super) asked: Option<String>,
    /// Whether they are of the live service.
    pub(super) is_live: bool,
    pub(super) zone: TimeZone,
    pub(super) today: Day,
    pub(super) now: i64,
    pub(super) lang: Lang,
    pub(super) round: u32,
    /// How far the move is with them.
    pub(super) stored: StoredMove,
}

impl Chunk {
    /// What its values are read by.
    pub(super) fn setting(&self) -> Setting<'_> {
        Setting { zone: &self.zone, today: self.today, begun: self.stored.begun_at, lang: self.lang }
    }

    /// Stores them.
    pub(super) fn take(&self, tx: Tx<'_>) -> Result<(), store::Error> {
        let whole = WholeTable::of(self.table);
        let mut entries = Entries::new(Some(tx), self.lang, self.round);
        let mut before = HashMap::new();
        for said in &self.records {
            self.take_one(tx, &whole, said, &mut entries, &mut before)?;
        }
        match &self.asked {
            Some(path) => moves::forget_failed(tx, self.table, path),
            None => Ok(()),
        }
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
        if let Some(id) = said.get("id").and_then(too_high) {
            let why = Reason::IdTooHigh { most: HIGHEST_FOREIGN }.say(self.lang);
            return self.stays(tx, id, said, "id", &why);
        }
        let own = said.get("id").and_then(number);
        if own.is_none() && table.kind == Task::KIND {
            return set_author(tx, said, entries, before, &self.zone);
        }
        if let Some(id) = own {
            if let Some(here) = moves::here(*tx, table, &id.to_string())? {
                moves::forget_stayed(tx, table, Some(id))?;
                self.attach(tx, here, said)?;
                if table.field("active").is_some() {
                    moves::is_listed_now(tx, table, here)?;
                }
                self.link_again(tx, here, said, entries)?;
                self.keep_links(tx, here, said)?;
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
        let stored = match table.field("active") {
            Some(_) => insert_named(tx, whole, &mut record),
            None => tx.savepoint(|tx| whole.insert(tx, &record)).map(|()| None),
        };
        match stored {
            Ok(None) => {}
            Ok(Some(name)) => notes.push(self.renamed(id, said, &name)),
            Err(store::Error::Defect(cause)) => {
                return self.stays(tx, own.unwrap_or_default(), said, "id", &cause);
            }
            Err(cause) => return Err(cause),
        }
        moves::came(tx, table, &key, id, self.round)?;
        if let Some(id) = own {
            moves::forget_stayed(tx, table, Some(id))?;
        }
        notes.iter().try_for_each(|note| moves::note(tx, note))?;
        self.keep_links(tx, id, said)
    }

    /// The note that an entry has another name here.
    fn renamed(&self, id: u32, said: &Map<String, Json>, name: &str) -> MoveNote {
        let member = self.table.field("name").map_or("name", |field| field.shown);
        let there = said.get(member).and_then(Json::as_str).unwrap_or_default();
        let why = self.lang.pick(
            format!("outro da lista tem o mesmo nome; aqui é {name}"),
            format!("another one of the list has the same name; here it is {name}"),
        );
        MoveNote {
            kind: MoveNoteKind::Value,
            resource: self.table.name.to_owned(),
            id,
            member: member.to_owned(),
            said: there.to_owned(),
            why,
        }
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

    /// The contents of the documents could not be had this time.
    pub(super) fn leave_for_now(&self, tx: Tx<'_>, path: &str, why: &str) -> Result<(), store::Error> {
        self.records.iter().try_for_each(|said| {
            let id = said.get("id").and_then(number).unwrap_or_default();
            self.stays(tx, id, said, path, why)
        })
    }

    /// The documents have no content there.
    pub(super) fn leave(&self, tx: Tx<'_>) -> Result<(), store::Error> {
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

//! Finds the list entries that records refer to, and creates inactive ones if the source no longer lists them.

use std::collections::HashMap;

use super::source_ids::number;
use crate::domain::Flow;
use crate::records::FieldType;
use crate::store::imports::moves::{self, MoveNote, MoveNoteKind, MoveReason};
use crate::store::records::full_records::FullRecord;
use crate::transfer::prelude::*;

/// A record's reference to an entry.
pub(super) struct EntryName<'r> {
    pub(super) id: Option<u32>,
    pub(super) name: Option<String>,
    pub(super) incoming: &'r JsonObject,
    pub(super) field: &'static Field,
    pub(super) table: &'static Table,
}

pub(super) struct Entries<'a> {
    /// The transaction for creating entries, or `None` if records are only compared.
    tx: Option<Tx<'a>>,
    lang: Lang,
    round: u32,
    known: HashMap<(List, Option<u32>, String), u32>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(tx: Option<Tx<'a>>, lang: Lang, round: u32) -> Entries<'a> {
        Entries { tx, lang, round, known: HashMap::new() }
    }

    pub(super) fn find(&self, db: Db<'_>, list: List, wanted: &EntryName<'_>) -> StoreResult<Option<u32>> {
        if let Some(id) = wanted.id
            && moves::exists(db, list.table(), id)?
        {
            return Ok(Some(id));
        }
        let Some(name) = &wanted.name else { return Ok(None) };
        let flow = flow_of(list, wanted);
        let parent = parent_name(wanted);
        // An entry whose name was taken has its parent's name added to its own.
        let longer = parent.map(|parent| with_parent(name, parent));
        for name in [Some(name), longer.as_ref()].into_iter().flatten() {
            for id in moves::having(db, list.table(), "name_key", &fold(name))? {
                if has_flow(db, list, id, flow)? && has_parent_named(db, list, id, parent)? {
                    return Ok(Some(id));
                }
            }
        }
        Ok(None)
    }

    /// Finds an entry or creates an inactive one. Returns 0 for a missing entry if records are only compared.
    pub(super) fn find_or_make(
        &mut self,
        db: Db<'_>,
        list: List,
        wanted: &EntryName<'_>,
    ) -> StoreResult<u32> {
        let named = [wanted.name.as_deref(), parent_name(wanted)].map(Option::unwrap_or_default);
        let key = (list, wanted.id, named.join("\u{1f}"));
        let is_by_name = flow_of(list, wanted).is_none();
        if let (true, Some(id)) = (is_by_name, self.known.get(&key)) {
            return Ok(*id);
        }
        let id = match self.find(db, list, wanted)? {
            Some(id) => id,
            None => self.make(db, list, wanted)?,
        };
        if is_by_name && self.known.len() < 10_000 {
            self.known.insert(key, id);
        }
        Ok(id)
    }

    /// Returns the entry that stands for a missing value.
    pub(super) fn unknown(&mut self, db: Db<'_>, list: List, wanted: &EntryName<'_>) -> StoreResult<u32> {
        let name = Some(self.lang.pick("Não informado", "Not told").to_owned());
        self.find_or_make(db, list, &EntryName { id: None, name, ..*wanted })
    }

    fn make(&mut self, db: Db<'_>, list: List, wanted: &EntryName<'_>) -> StoreResult<u32> {
        let Some(tx) = self.tx else { return Ok(0) };
        let table = list.table();
        let id = match wanted.id {
            Some(id) => id,
            None => moves::next_id(db, table)?,
        };
        let lang = self.lang;
        let numbered = || lang.pick(format!("Número {id}"), format!("Number {id}"));
        let mut values = Vec::new();
        let mut shown = String::new();
        for field in table.stored() {
            values.push(match (field.column, field.ty) {
                ("active", _) => Value::Integer(0),
                (_, Type::Name) => {
                    let given = wanted.name.as_deref().map(|name| field.read(&Input::Text(name)));
                    let name = given.and_then(Result::ok);
                    let name = name.unwrap_or_else(|| Value::Text(numbered().into()));
                    shown = name.text().unwrap_or_default().to_owned();
                    name
                }
                (_, Type::Flow) => flow_of(list, wanted)
                    .map_or_else(|| field.fallback(), |flow| flow.to_value().into_owned()),
                (_, Type::Reference(parent)) => {
                    let parent_of = self.parent(db, parent, wanted)?;
                    Value::Integer(parent_of.into())
                }
                _ => field.fallback(),
            });
        }
        let whole = FullTable::of(table);
        let beside = whole.beside().iter().map(|(name, _)| match *name {
            "place" => Value::Integer(id.into()),
            _ => Value::Null,
        });
        let mut record = FullRecord { id, values, beside: beside.collect(), completions: Vec::new() };
        if let Some(name) = insert_named(tx, &whole, &mut record)? {
            shown = name;
        }
        moves::note_moved(tx, table, &id.to_string(), id, self.round)?;
        let why =
            MoveReason::new(|lang| lang.pick("a origem já não o lista", "the source lists it no longer"));
        moves::note(tx, &MoveNote::new(MoveNoteKind::Entry, table, id, "name", shown, why))?;
        Ok(id)
    }

    /// Returns the parent of a new entry, as given by the record.
    fn parent(&mut self, db: Db<'_>, list: List, wanted: &EntryName<'_>) -> StoreResult<u32> {
        let of = |source| {
            let shown = wanted.table.fields.iter().find(|field| field.source == source);
            shown.and_then(|shown| wanted.incoming.get(shown.shown))
        };
        let column = wanted.field.column;
        let id = of(Source::ParentOf(column)).and_then(number);
        let name = of(Source::ParentNameOf(column)).and_then(Json::as_str).map(str::to_owned);
        if id.is_none() && name.is_none() {
            return self.unknown(db, list, wanted);
        }
        let table = list.table();
        let Some(field) = table.fields.first() else { return Ok(0) };
        self.find_or_make(db, list, &EntryName { id, name, incoming: wanted.incoming, field, table })
    }
}

/// Stores an entry. If its name is taken, adds the parent's name or else the id to the name. Returns the new
/// name, or `None` if the name did not change.
pub(super) fn insert_named(
    tx: Tx<'_>,
    whole: &FullTable,
    record: &mut FullRecord<'static>,
) -> StoreResult<Option<String>> {
    let taken = match tx.savepoint(|tx| whole.insert(tx, record)) {
        Err(store::Error::Defect(cause)) => cause,
        done => return done.map(|()| None),
    };
    let table = whole.table();
    let Some(at) = table.stored().position(|field| field.ty == Type::Name) else {
        return Err(store::Error::Defect(taken));
    };
    let text = record.values.get(at).and_then(Value::text).unwrap_or_default().to_owned();
    let parent = table.parent().and_then(|(list, field)| {
        let mut values = table.stored().zip(&record.values);
        let (_, value) = values.find(|(other, _)| other.column == field.column)?;
        Some((list, value.id()?))
    });
    let parent = match parent {
        Some((list, id)) => moves::value_of(*tx, list.table(), "name", id)?.text().map(str::to_owned),
        None => None,
    };
    for part in parent.into_iter().chain([record.id.to_string()]) {
        let name = with_parent(&text, &part);
        if let Some(value) = record.values.get_mut(at) {
            *value = Value::Text(name.clone().into());
        }
        match tx.savepoint(|tx| whole.insert(tx, record)) {
            Err(store::Error::Defect(_)) => {}
            done => return done.map(|()| Some(name)),
        }
    }
    Err(store::Error::Defect(taken))
}

fn with_parent(name: &str, parent: &str) -> String {
    format!("{name} ({parent})")
}

/// Returns the name of the entry's group or step, if the record contains it.
fn parent_name<'r>(wanted: &EntryName<'r>) -> Option<&'r str> {
    let shown = Source::ParentNameOf(wanted.field.column);
    let shown = wanted.table.fields.iter().find(|field| field.source == shown)?;
    wanted.incoming.get(shown.shown)?.as_str().map(str::trim).filter(|name| !name.is_empty())
}

/// Returns `true` if the parent of an entry has the name `parent`, or if there is nothing to compare.
fn has_parent_named(db: Db<'_>, list: List, id: u32, parent: Option<&str>) -> StoreResult<bool> {
    let (Some((of, field)), Some(parent)) = (list.table().parent(), parent) else { return Ok(true) };
    let own = moves::value_of(db, list.table(), field.column, id)?.id().unwrap_or_default();
    let name = moves::value_of(db, of.table(), "name", own)?;
    Ok(name.text().is_some_and(|name| fold(name) == fold(parent)))
}

fn has_flow(db: Db<'_>, list: List, id: u32, flow: Option<Flow>) -> StoreResult<bool> {
    let field = list.table().fields.iter().find(|field| field.ty == Type::Flow);
    let (Some(flow), Some(field)) = (flow, field) else { return Ok(true) };
    Ok(moves::value_of(db, list.table(), field.column, id)? == flow.to_value())
}

/// Returns the flow of money of an entry, if its list has one and the record contains it.
fn flow_of(list: List, wanted: &EntryName<'_>) -> Option<Flow> {
    list.table().fields.iter().find(|field| field.ty == Type::Flow)?;
    let entry_type = wanted.table.fields.iter().find(|field| field.ty == Type::EntryType)?;
    let text = wanted.incoming.get(entry_type.shown)?.as_str()?;
    Flow::parse(text).ok()
}

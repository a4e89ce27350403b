//! Reads the references of a record to list entries and to other records.

use super::characters::shown_text;
use super::{ReadContext, Reading, Unreadable};
use crate::store::imports::moves::{self, MoveNote, MoveReason};
use crate::transfer::cloud_import::entries::{Entries, EntryName};
use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::prelude::*;

/// Reads the links of a record again. Returns the ids, and notes on linked records that are not here.
pub(in crate::transfer::cloud_import) fn read_links(
    db: Db<'_>,
    table: &'static Table,
    incoming: &JsonObject,
    id: u32,
    field: &'static Field,
    entries: &mut Entries<'_>,
    context: &ReadContext<'_>,
) -> Result<(Vec<u32>, Vec<MoveNote>), Unreadable> {
    let values = Vec::new();
    let notes = Vec::new();
    let lines = Vec::new();
    let mut reading =
        Reading { db, table, incoming, id, content: None, entries, context, values, notes, lines };
    let value = reading.value(field, None)?;
    Ok((value.ids().to_vec(), reading.notes))
}

/// Returns the reason that a record, of which `text` is shown, is not here.
fn did_not_come(text: &str) -> MoveReason {
    MoveReason::new(|lang| {
        let why = lang.pick("não veio da origem", "did not come from the source");
        format!("{text} {why}").trim_start().to_owned()
    })
}

impl Reading<'_, '_> {
    pub(super) fn entry(&mut self, field: &'static Field) -> Result<Value<'static>, Unreadable> {
        let Type::Reference(list) = field.ty else { return Ok(Value::Null) };
        let shows_name = |other: &&Field| other.source.alternatives().contains(&Source::NameOf(field.column));
        let shown = self.table.fields.iter().find(shows_name);
        let name = shown.and_then(|shown| self.text(shown.shown)).map(str::to_owned);
        let given = self.member(field).or_else(|| {
            let own = Source::AliasOf(field.column);
            let of_several =
                self.table.fields.iter().find(|other| other.source.alternatives().contains(&own))?;
            self.raw(of_several.shown)
        });
        let id = given.and_then(number);
        // The name may belong to another column, which another member of the response reveals.
        let elsewhere = shown.and_then(|shown| {
            shown.source.alternatives().iter().find_map(|source| match source {
                Source::AliasOf(column) if *column != field.column => self.table.field(column),
                _ => None,
            })
        });
        let elsewhere = elsewhere.filter(|other| !matches!(other.ty, Type::Reference(_)));
        let is_else = elsewhere.and_then(|other| self.text(other.shown)) == name.as_deref();
        if elsewhere.is_some() && id.is_none() && is_else {
            return Ok(Value::Null);
        }
        let must_be_there = elsewhere.is_some_and(|other| self.raw(other.shown).is_none());
        let wanted = EntryName { id, name: name.clone(), incoming: self.incoming, field, table: self.table };
        let found = match (id.is_some() || name.is_some(), must_be_there) {
            (true, false) => Some(self.entries.find_or_make(self.db, list, &wanted)?),
            (true, true) => self.entries.find(self.db, list, &wanted)?,
            (false, _) if field.required => {
                self.missing(field);
                Some(self.entries.unknown(self.db, list, &wanted)?)
            }
            (false, _) => None,
        };
        let value = found.map_or(Value::Null, |id| Value::Integer(id.into()));
        let inherited = !field.required && value != Value::Null && self.is_inherited(field, &value)?;
        Ok(if inherited { Value::Null } else { value })
    }

    pub(super) fn record(&mut self, field: &'static Field, kind: Kind) -> Result<Value<'static>, Unreadable> {
        let to = kind.table();
        let given = self.member(field).cloned();
        if let Some(id) = given.as_ref().and_then(number)
            && moves::exists(self.db, to, id)?
        {
            return Ok(Value::Integer(id.into()));
        }
        // Some responses contain the name of the record but not its id.
        let shown = self.table.fields.iter().filter_map(|other| match other.source {
            Source::MemberOf(column, of) if column == field.column => Some((other, to.field(of)?)),
            _ => None,
        });
        let mut value = given;
        for (other, of) in shown {
            let Some(text) = self.text(other.shown) else { continue };
            value.get_or_insert_with(|| text.into());
            let found = match (of.unique, of.key) {
                (true, _) => match of.read(&Input::Text(text)) {
                    Ok(Value::Text(text)) => moves::having(self.db, to, of.column, &text)?,
                    _ => Vec::new(),
                },
                (_, Some(key)) if field.record() == Some(Kind::Customer) => {
                    moves::having(self.db, to, key, &fold(text))?
                }
                _ => Vec::new(),
            };
            if let [one] = found[..] {
                return Ok(Value::Integer(one.into()));
            }
        }
        // A task whose lawsuit did not come is not one without a lawsuit.
        let is_needed = field.required || (self.table.kind, kind) == (Kind::Task, Kind::Lawsuit);
        match value {
            Some(value) if !is_needed => {
                self.refused(field.shown, &value, did_not_come(""));
                Ok(Value::Null)
            }
            None if !field.required => Ok(Value::Null),
            value => {
                let text = value.map_or_else(String::new, |value| shown_text(&value));
                Err(Unreadable::Stays(field.shown, did_not_come(&text)))
            }
        }
    }

    pub(super) fn links(
        &mut self,
        field: &'static Field,
        kind: Kind,
        links: &str,
        other: &'static str,
    ) -> Result<Value<'static>, Unreadable> {
        let incoming = self.incoming;
        let all = [field.shown, field.member].into_iter().find_map(|name| incoming.get(name)?.as_array());
        let mut ids: Vec<u32> = Vec::new();
        let mut unknown: Vec<&Json> = Vec::new();
        for one in all.into_iter().flatten() {
            let id = one.get(other).or(Some(one)).and_then(number);
            let name = one.get("name").and_then(Json::as_str);
            let found = match kind {
                Kind::List(list) => {
                    let name = name.map(str::to_owned);
                    let wanted = EntryName { id, name, incoming: self.incoming, field, table: self.table };
                    Some(self.entries.find_or_make(self.db, list, &wanted)?)
                }
                kind => match id {
                    Some(id) => moves::exists(self.db, kind.table(), id)?.then_some(id),
                    None => self.by_unique(kind, one)?,
                },
            };
            match found {
                Some(id) if !ids.contains(&id) => ids.push(id),
                Some(_) => {}
                None => unknown.push(one),
            }
        }
        // If ids are missing, adds the records that report a link to this record themselves.
        let id_of = |one: &Json| one.get(other).or(Some(one)).and_then(number);
        let mut without_id = 0;
        if all.is_none_or(|all| all.iter().any(|one| id_of(one).is_none()) || all.is_empty()) {
            for other in moves::links_that_came(self.db, links, self.id)? {
                if !ids.contains(&other) && moves::exists(self.db, kind.table(), other)? {
                    ids.push(other);
                    without_id += 1;
                }
            }
        }
        for one in unknown {
            let id = id_of(one);
            if id.is_none() && without_id > 0 {
                without_id -= 1;
                continue;
            }
            let name = one.get("name").and_then(Json::as_str);
            let value = match (name, id) {
                (Some(name), Some(id)) => format!("{name} ({id})").into(),
                (Some(name), None) => name.into(),
                _ => one.clone(),
            };
            self.refused(field.shown, &value, did_not_come(""));
        }
        if ids.is_empty() && all.is_none_or(Vec::is_empty) {
            self.missing_always(field);
        }
        Ok(Value::Ids(ids))
    }

    /// Finds a record by a unique value, such as a tax id.
    fn by_unique(&self, kind: Kind, value: &Json) -> Result<Option<u32>, Unreadable> {
        for field in kind.table().stored().filter(|field| field.unique) {
            let Some(text) = value.get(field.shown).and_then(Json::as_str) else { continue };
            if let Ok(Value::Text(text)) = field.read(&Input::Text(text))
                && let [one] = moves::having(self.db, kind.table(), field.column, &text)?[..]
            {
                return Ok(Some(one));
            }
        }
        Ok(None)
    }
}

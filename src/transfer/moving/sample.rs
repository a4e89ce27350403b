//! A sample of what has come, read again and compared with what is here.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::entries::Entries;
use super::ids::number;
use super::record::{ContentFacts, Setting, Unreadable, is_told, read};
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::records::{Field, Find, Source, Table, Type, Value};
use crate::store::whole::WholeTable;
use crate::store::{self, Db, moves};

/// How many records are read again, and in how many requests.
pub(super) const SAMPLE: u64 = 200;
pub(super) const AT_ONCE: u64 = 10;
pub(super) const SAMPLE_REQUESTS: u64 = SAMPLE / AT_ONCE;

/// Records that were read again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveSample {
    /// How many were compared, member by member.
    pub compared: u64,
    /// How many of them somebody has changed since, here or there.
    pub changed_since: u64,
    /// Where they differ: resource, id and member.
    pub different: Vec<(String, u32, String)>,
}

impl MoveSample {
    /// What it came to, in a sentence.
    pub fn say(&self, lang: Lang) -> String {
        let (compared, different, since) = (self.compared, self.different.len(), self.changed_since);
        say!(
            lang,
            "Conferidos campo a campo: {compared}; diferentes: {different}; mudados depois: {since}.",
            "Compared field by field: {compared}; different: {different}; changed since: {since}."
        )
    }
}

/// Compares records with what is here.
pub(super) fn compare(
    db: Db<'_>,
    table: &'static Table,
    records: &[Map<String, Json>],
    setting: &Setting<'_>,
    sample: &mut MoveSample,
) -> Result<(), store::Error> {
    let whole = WholeTable::of(table);
    for said in records {
        let Some(id) = said.get("id").and_then(number) else { continue };
        let Some(id) = moves::here(db, table, &id.to_string())? else { continue };
        sample.compared += 1;
        match compared(db, &whole, said, id, setting)? {
            None | Some(Compared { is_touched: true, .. }) => sample.changed_since += 1,
            Some(Compared { members, .. }) => {
                let different =
                    members.into_iter().map(|member| (table.path.to_owned(), id, member.to_owned()));
                sample.different.extend(different);
            }
        }
    }
    Ok(())
}

/// How a record there and here compare.
pub(super) struct Compared {
    /// `true` if one of them was changed since, as far as the server tells moments.
    pub(super) is_touched: bool,
    /// The members that differ, of those of which the server tells.
    pub(super) members: Vec<&'static str>,
}

/// Compares a record with the one of that id here. `None` if that is erased.
pub(super) fn compared(
    db: Db<'_>,
    whole: &WholeTable,
    said: &Map<String, Json>,
    id: u32,
    setting: &Setting<'_>,
) -> Result<Option<Compared>, store::Error> {
    let table = whole.table();
    let Some(here) = whole.by_id(db, id)? else { return Ok(None) };
    let of = |column: &str| {
        let mut stored = table.stored().zip(&here.values);
        stored.find(|(field, _)| field.column == column).map(|(_, value)| value)
    };
    let content = of("sha256").and_then(Value::text).map(|sha256| ContentFacts {
        sha256: sha256.to_owned(),
        size: of("size").and_then(Value::id).unwrap_or_default().into(),
        media_type: of("media_type").and_then(Value::text).unwrap_or_default().to_owned(),
    });
    let mut entries = Entries::new(None, setting.lang, 0);
    let there = match read(db, whole, said, id, content.as_ref(), &mut entries, setting) {
        Ok(read) => read.record,
        Err(Unreadable::Store(cause)) => return Err(cause),
        Err(Unreadable::Stays(member, _)) => {
            return Ok(Some(Compared { is_touched: false, members: vec![member] }));
        }
    };
    let updated = whole.beside().iter().position(|(name, _)| *name == "updated_at");
    let updated = updated.map(|at| (here.beside.get(at), there.beside.get(at)));
    let is_touched = said.contains_key("updated_at") && updated.is_some_and(|(here, there)| here != there);
    let mut members = Vec::new();
    for (field, (here, there)) in table.stored().zip(here.values.iter().zip(&there.values)) {
        if !is_same(here, there) && tells_of(table, field, said) {
            members.push(field.shown);
        }
    }
    if here.completions != there.completions {
        members.push("completed");
    }
    Ok(Some(Compared { is_touched, members }))
}

/// Returns `true` if the server tells of a member at all: under its own name, or in a member that shows it.
fn tells_of(table: &Table, field: &Field, said: &Map<String, Json>) -> bool {
    let shows = |other: &&Field| {
        other.source.alternatives().iter().any(|source| match *source {
            Source::At(day, time, _) => day == field.column || time == field.column,
            Source::Same(column) | Source::Of(column, _) => column == field.column,
            _ => false,
        })
    };
    // What the store keeps of the record and answers show of each guest.
    let is_of_guests =
        |other: &&Field| other.find == Some(Find::Guests) && field.ty == Type::Flag && !field.is_shown;
    let mut others = table.fields.iter().filter(|other| shows(other) || is_of_guests(other));
    is_told(table, field, said) || others.any(|other| said.contains_key(other.shown))
}

/// Whether two values are the same. Links may be in another order: those that were missing were made behind the others.
fn is_same(here: &Value<'_>, there: &Value<'_>) -> bool {
    match (here, there) {
        (Value::Ids(here), Value::Ids(there)) => {
            here.len() == there.len() && here.iter().all(|id| there.contains(id))
        }
        _ => here == there,
    }
}

//! Fetches a sample of the moved records again and compares it with those here.

use serde::{Deserialize, Serialize};

use crate::records::Find;
use crate::store::imports::moves;
use crate::transfer::cloud_import::entries::Entries;
use crate::transfer::cloud_import::record::{ContentFacts, ReadContext, Unreadable, is_given, read};
use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::prelude::*;

/// Number of records in the sample, fetched in [`SAMPLE_REQUESTS`] requests of [`RECORDS_PER_REQUEST`] records.
pub(in crate::transfer::cloud_import) const SAMPLE: u64 = 200;
pub(in crate::transfer::cloud_import) const RECORDS_PER_REQUEST: u64 = 10;
pub(in crate::transfer::cloud_import) const SAMPLE_REQUESTS: u64 = SAMPLE / RECORDS_PER_REQUEST;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveSample {
    pub compared: u64,
    /// Number of these records that have been changed since, here or on the source.
    pub changed_since: u64,
    /// The differences: resource, id and member.
    pub different: Vec<(String, u32, String)>,
}

impl MoveSample {
    pub fn message(&self, lang: Lang) -> String {
        let compared = self.compared;
        let different = self.different.len();
        let since = self.changed_since;
        localize!(
            lang,
            "Conferidos campo a campo: {compared}; diferentes: {different}; mudados depois: {since}.",
            "Compared field by field: {compared}; different: {different}; changed since: {since}."
        )
    }
}

pub(in crate::transfer::cloud_import) fn compare(
    db: Db<'_>,
    table: &'static Table,
    records: &[JsonObject],
    context: &ReadContext<'_>,
    sample: &mut MoveSample,
) -> StoreResult<()> {
    let whole = FullTable::of(table);
    for incoming in records {
        let Some(id) = incoming.get("id").and_then(number) else { continue };
        let Some(id) = moves::here(db, table, &id.to_string())? else { continue };
        sample.compared += 1;
        match compared(db, &whole, incoming, id, context)? {
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

pub(in crate::transfer::cloud_import) struct Compared {
    /// `true` if either record was changed since. Always `false` if the source sends no moment of change.
    pub(in crate::transfer::cloud_import) is_touched: bool,
    /// The members that differ, among those that the source sends.
    pub(in crate::transfer::cloud_import) members: Vec<&'static str>,
}

/// Compares a record of the source with record `id` here. Returns `None` if the latter was purged.
pub(in crate::transfer::cloud_import) fn compared(
    db: Db<'_>,
    whole: &FullTable,
    incoming: &JsonObject,
    id: u32,
    context: &ReadContext<'_>,
) -> StoreResult<Option<Compared>> {
    let table = whole.table();
    let Some(here) = whole.by_id(db, id)? else { return Ok(None) };
    let of = |column: &str| whole.value(&here, column);
    let content = of("sha256").and_then(Value::text).map(|sha256| ContentFacts {
        sha256: sha256.to_owned(),
        size: of("size").and_then(Value::id).unwrap_or_default().into(),
        media_type: of("media_type").and_then(Value::text).unwrap_or_default().to_owned(),
    });
    let mut entries = Entries::new(None, context.lang, 0);
    let there = match read(db, whole, incoming, id, content.as_ref(), &mut entries, context) {
        Ok(read) => read.record,
        Err(Unreadable::Store(cause)) => return Err(cause),
        Err(Unreadable::Stays(member, _)) => {
            return Ok(Some(Compared { is_touched: false, members: vec![member] }));
        }
    };
    let updated = whole.beside().iter().position(|(name, _)| *name == "updated_at");
    let updated = updated.map(|at| (here.beside.get(at), there.beside.get(at)));
    let is_touched =
        incoming.contains_key("updated_at") && updated.is_some_and(|(here, there)| here != there);
    let mut members = Vec::new();
    for (field, (here, there)) in table.stored().zip(here.values.iter().zip(&there.values)) {
        if !is_same(here, there) && is_sent(table, field, incoming) {
            members.push(field.shown);
        }
    }
    if here.completions != there.completions {
        members.push("completed");
    }
    Ok(Some(Compared { is_touched, members }))
}

/// Returns `true` if the source sends a member, under its own name or within another member.
fn is_sent(table: &Table, field: &Field, incoming: &JsonObject) -> bool {
    let shows = |other: &&Field| {
        other.source.alternatives().iter().any(|source| match *source {
            Source::MomentOf(day, time, _) => day == field.column || time == field.column,
            Source::AliasOf(column) | Source::MemberOf(column, _) => column == field.column,
            _ => false,
        })
    };
    // Flags that the store has for the whole record and responses have for each guest.
    let is_of_guests =
        |other: &&Field| other.find == Some(Find::Guests) && field.ty == Type::Flag && !field.is_shown;
    let mut others = table.fields.iter().filter(|other| shows(other) || is_of_guests(other));
    is_given(table, field, incoming) || others.any(|other| incoming.contains_key(other.shown))
}

/// Returns `true` if two values are equal. Ignores the order of links, because missing ones are added at the end.
fn is_same(here: &Value<'_>, there: &Value<'_>) -> bool {
    match (here, there) {
        (Value::Ids(here), Value::Ids(there)) => {
            here.len() == there.len() && here.iter().all(|id| there.contains(id))
        }
        _ => here == there,
    }
}

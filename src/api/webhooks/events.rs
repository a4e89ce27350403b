//! Which messages a change is worth, and what they say (events 21.2 and 21.3).

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::api::changes::members::{ColumnValues, around, members};
use crate::api::changes::{record, resource_of, table_of};
use crate::http::Problem;
use crate::records::{Kind, TABLES, Table};
use crate::store::journal::{self, JournalEntry, JournalFilter, Op, STORE, Via};
use crate::store::webhooks::{Event, Webhook};
use crate::store::{self, Db};
use crate::webhooks::FeedPiece;

/// The type of a message that only tries out whether its receiver is there.
pub const TEST: &str = "webhook.test";

pub(super) const SETTINGS: &str = "settings.changed";
pub(super) const REPLACED: &str = "store.replaced";

/// The largest message with a record, in bytes (events 21.3).
const LARGEST: usize = 256 * 1024;

/// What people ask for beyond what was done to a record: of which table, and the columns that tell.
const SPECIAL: [(Kind, &str, Tells); 8] = [
    (Kind::Lawsuit, "lawsuit.stage_changed", Tells::Changed("stage_id")),
    (Kind::Lawsuit, "lawsuit.closed", Tells::Filled("status_closure")),
    (Kind::Lawsuit, "lawsuit.reopened", Tells::Emptied("status_closure")),
    (Kind::Task, "post.guest_completed", Tells::OneGuestDone),
    (Kind::Task, "post.completed", Tells::AllGuestsDone),
    (Kind::Publication, "publication.treated", Tells::Filled("treated_at")),
    (Kind::Transaction, "transaction.paid", Tells::Filled("date_payment")),
    (Kind::Transaction, "transaction.unpaid", Tells::Emptied("date_payment")),
];

/// The column of the people who do a task.
const GUESTS: &str = "guests";

/// What has to have become of a record.
#[derive(Clone, Copy)]
enum Tells {
    /// The column is another one.
    Changed(&'static str),
    /// It was empty and is not.
    Filled(&'static str),
    /// It is empty and was not.
    Emptied(&'static str),
    /// Somebody who had not done the task has.
    OneGuestDone,
    /// The last of them has.
    AllGuestsDone,
}

/// All types, in the order in which people read of them.
pub static TYPES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of = |table: &Table| OPS.map(|op| [singular(table.kind), ".", op.as_str()].concat());
    let special = SPECIAL.iter().map(|(_, ty, _)| (*ty).to_owned());
    let rest = [SETTINGS, REPLACED, TEST].map(str::to_owned);
    TABLES.iter().flat_map(|table| of(table)).chain(special).chain(rest).collect()
});

/// What can be done to a record that is worth a message.
pub(super) const OPS: [Op; 4] = [Op::Created, Op::Updated, Op::Deleted, Op::Restored];

/// What types call a record.
pub(super) fn singular(kind: Kind) -> &'static str {
    match kind {
        Kind::Customer => "customer",
        Kind::Lawsuit => "lawsuit",
        Kind::Task => "post",
        Kind::Movement => "movement",
        Kind::Publication => "publication",
        Kind::Transaction => "transaction",
        Kind::Document => "document",
        Kind::List(_) => "settings",
    }
}

/// What a webhook wants of the changes after `since`, of `limit` of them at the most. The caller opens a snapshot.
///
/// # Errors
/// Why the store cannot be read.
pub fn wanted(db: Db<'_>, webhook: &Webhook, since: u64, limit: u32) -> Result<FeedPiece, store::Error> {
    let wants = |ty: &str| webhook.wants(ty);
    events(db, since, limit, &wants).map_err(|problem| defect(&problem))
}

/// The events of the changes after `since` that are wanted, of `limit` changes at the most.
///
/// # Errors
/// Why the store cannot be read.
pub fn events(
    db: Db<'_>,
    since: u64,
    limit: u32,
    wants: &dyn Fn(&str) -> bool,
) -> Result<FeedPiece, Problem> {
    let entries = journal::page(db, since, &JournalFilter::default(), limit)?;
    let more = entries.len() == limit as usize;
    let to = entries.last().map_or(since, |entry| entry.seq);
    let mut events = Vec::new();
    for entry in &entries {
        let types = types_of(db, entry, wants)?;
        events.extend(types.into_iter().map(|ty| Event { seq: entry.seq, ty }));
    }
    Ok(FeedPiece { events, to, more })
}

/// The wanted types that a change is of.
fn types_of(db: Db<'_>, entry: &JournalEntry, wants: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Problem> {
    if entry.kind == STORE {
        return Ok(Some(REPLACED.to_owned()).filter(|ty| wants(ty)).into_iter().collect());
    }
    // After a backup took the place of everything, the feed has each record once more. Nothing of that has just happened.
    let Some(table) = table_of(&entry.kind).filter(|_| entry.via != Via::Restore) else {
        return Ok(Vec::new());
    };
    if matches!(table.kind, Kind::List(_)) {
        return Ok(Some(SETTINGS.to_owned()).filter(|ty| wants(ty)).into_iter().collect());
    }
    let mut types = Vec::new();
    if OPS.contains(&entry.op) {
        types.push([singular(table.kind), ".", entry.op.as_str()].concat());
    }
    types.retain(|ty| wants(ty));
    if entry.op == Op::Updated {
        let mut values = None;
        for (_, ty, tells) in SPECIAL.iter().filter(|(kind, ty, _)| *kind == table.kind && wants(ty)) {
            if tells.is_told(db, table, entry, &mut values)? {
                types.push((*ty).to_owned());
            }
        }
    }
    Ok(types)
}

impl Tells {
    fn column(self) -> &'static str {
        match self {
            Tells::Changed(column) | Tells::Filled(column) | Tells::Emptied(column) => column,
            Tells::OneGuestDone | Tells::AllGuestsDone => GUESTS,
        }
    }

    /// Whether the entry tells it. What the record was is read once, where it is needed; what nobody knows any more is not
    /// told.
    fn is_told(
        self,
        db: Db<'_>,
        table: &Table,
        entry: &JournalEntry,
        values: &mut Option<[ColumnValues; 2]>,
    ) -> Result<bool, Problem> {
        if !entry.changed.iter().any(|changed| changed == self.column()) {
            return Ok(false);
        }
        if let Tells::Changed(_) = self {
            return Ok(true);
        }
        if entry.before.is_none() {
            return Ok(false);
        }
        if values.is_none() {
            *values = Some(around(db, table, entry)?);
        }
        let Some([before, after]) = values else { return Ok(false) };
        let of = |values: &ColumnValues| values.get(self.column()).cloned().unwrap_or_default();
        let (before, after) = (of(before), of(after));
        Ok(match self {
            Tells::Filled(_) => before.is_null() && !after.is_null(),
            Tells::Emptied(_) => !before.is_null() && after.is_null(),
            Tells::OneGuestDone => {
                let done = done(&before);
                self::done(&after).iter().any(|guest| !done.contains(guest))
            }
            Tells::AllGuestsDone => !are_done(&before) && are_done(&after),
            Tells::Changed(_) => true,
        })
    }
}

/// The guests of a task who have done it, as the journal has guests: an id, and since when.
fn done(guests: &Json) -> Vec<&Json> {
    let guests = guests.as_array().map(Vec::as_slice).unwrap_or_default();
    guests
        .iter()
        .filter(|guest| guest.get(1).is_some_and(|at| !at.is_null()))
        .filter_map(|guest| guest.get(0))
        .collect()
}

/// Whether all guests of a task have done it.
fn are_done(guests: &Json) -> bool {
    let all = guests.as_array().map_or(0, Vec::len);
    all > 0 && done(guests).len() == all
}

/// What a message of an event says; none where there is no such change. The caller opens a snapshot.
///
/// # Errors
/// Why the store cannot be read.
pub fn body(
    db: Db<'_>,
    event: &Event,
    is_full: bool,
    zone: &TimeZone,
) -> Result<Option<String>, store::Error> {
    let entries = journal::page(db, event.seq.saturating_sub(1), &JournalFilter::default(), 1)?;
    let Some(entry) = entries.into_iter().next().filter(|entry| entry.seq == event.seq) else {
        return Ok(None);
    };
    body_of(db, &entry, &event.ty, is_full, zone).map(Some).map_err(|problem| defect(&problem))
}

fn body_of(
    db: Db<'_>,
    entry: &JournalEntry,
    ty: &str,
    is_full: bool,
    zone: &TimeZone,
) -> Result<String, Problem> {
    let table = table_of(&entry.kind);
    let is_updated = entry.op == Op::Updated;
    let changed =
        table.filter(|_| is_updated).map(|table| members(table, &entry.changed)).unwrap_or_default();
    let record = match table.filter(|_| is_full) {
        Some(table) => Some(record(db, table.kind, entry.id, zone)?),
        None => is_full.then_some(None),
    };
    let mut data = MessageData {
        seq: entry.seq,
        resource: table.map_or_else(|| entry.kind.clone(), resource_of),
        id: entry.id,
        op: entry.op.as_str(),
        changed: changed.iter().map(|member| member.name).collect(),
        record,
    };
    let whole = message(ty, entry.at, &data)?;
    if whole.len() <= LARGEST || !is_full {
        return Ok(whole);
    }
    data.record = Some(None);
    message(ty, entry.at, &data)
}

/// A message that tries out whether its receiver is there.
///
/// # Errors
/// A defect.
pub fn test(webhook: u32, at: i64) -> Result<String, Problem> {
    #[derive(Serialize)]
    struct Test {
        webhook_id: u32,
    }
    message(TEST, at, &Test { webhook_id: webhook })
}

#[derive(Serialize)]
struct MessageData {
    seq: u64,
    resource: String,
    id: u32,
    op: &'static str,
    changed: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Option<Box<RawValue>>>,
}

fn message<T: Serialize>(ty: &str, at: i64, data: &T) -> Result<String, Problem> {
    #[derive(Serialize)]
    struct Message<'m, T> {
        #[serde(rename = "type")]
        ty: &'m str,
        timestamp: String,
        data: &'m T,
    }
    let timestamp = Timestamp::from_second(at).unwrap_or_default().to_string();
    let whole = Message { ty, timestamp, data };
    serde_json::to_string(&whole).map_err(|cause| Problem::internal(cause.to_string()))
}

/// A problem of the API's own as one of the store, from which it comes.
fn defect(problem: &Problem) -> store::Error {
    store::Error::Defect(problem.cause().unwrap_or(problem.code()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_those_of_the_contract() {
        let nouns = ["customer", "lawsuit", "post", "movement", "publication", "transaction", "document"];
        for noun in nouns {
            for op in ["created", "updated", "deleted", "restored"] {
                assert!(TYPES.contains(&format!("{noun}.{op}")), "{noun}.{op}");
            }
        }
        for ty in ["lawsuit.stage_changed", "post.completed", "settings.changed", "store.replaced", TEST] {
            assert!(TYPES.iter().any(|known| known == ty), "{ty}");
        }
        assert_eq!(TYPES.len(), nouns.len() * 4 + 8 + 3);
        for (kind, ty, tells) in SPECIAL {
            let table = TABLES.iter().find(|table| table.kind == kind).unwrap();
            assert!(table.field(tells.column()).is_some(), "{ty}: {}", tells.column());
        }
    }

    #[test]
    fn a_task_is_done_when_its_last_guest_is() {
        let guests = |json: &str| serde_json::from_str::<Json>(json).unwrap();
        for (json, is_done) in [
            ("[]", false),
            ("null", false),
            ("[[1,null]]", false),
            ("[[1,1700000000]]", true),
            ("[[1,1700000000],[2,null]]", false),
            ("[[1,1700000000],[2,1700000001]]", true),
        ] {
            assert_eq!(are_done(&guests(json)), is_done, "{json}");
        }
    }
}

//! Derives messages from changes: their types and bodies (events 21.2 and 21.3).

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::api::changes::members::{ColumnValues, around, members};
use crate::api::changes::{record, resource_of, table_of};
use crate::domain::Bilingual;
use crate::http::{Problem, Viewer};
use crate::records::{Kind, TABLES, Table};
use crate::store::journal::{self, CONFLICTS, JournalEntry, JournalFilter, Op, STORE, Via};
use crate::store::webhooks::{Event, Webhook};
use crate::store::{self, Db};
use crate::webhooks::FeedPiece;

/// The type of test messages.
pub const TEST: &str = "webhook.test";

pub(super) const SETTINGS: &str = "settings.changed";
/// A new conflict of interest. Its id is that of the lawsuit.
pub(super) const FOUND: &str = "conflict.found";
pub(super) const REPLACED: &str = "store.replaced";

/// Maximum size of a message with a record, in bytes (events 21.3).
const MAX_MESSAGE_BYTES: usize = 256 * 1024;

/// Types for specific events of a record.
pub(super) const SPECIAL: &[SpecialType] = &[
    special(
        Kind::Lawsuit,
        "lawsuit.stage_changed",
        ("Processos: mudança de fase", "Lawsuits: stage changed"),
        EventCondition::Changed("stage_id"),
    ),
    special(
        Kind::Lawsuit,
        "lawsuit.closed",
        ("Processos: encerramento", "Lawsuits: closed"),
        EventCondition::Filled("status_closure"),
    ),
    special(
        Kind::Lawsuit,
        "lawsuit.reopened",
        ("Processos: reabertura", "Lawsuits: reopened"),
        EventCondition::Emptied("status_closure"),
    ),
    special(
        Kind::Task,
        "post.guest_completed",
        ("Tarefas: um responsável concluiu", "Tasks: completed by one person"),
        EventCondition::OneGuestDone,
    ),
    special(
        Kind::Task,
        "post.completed",
        ("Tarefas: conclusão", "Tasks: completed by all"),
        EventCondition::AllGuestsDone,
    ),
    special(
        Kind::Publication,
        "publication.treated",
        ("Publicações: tratamento", "Publications: treated"),
        EventCondition::Filled("treated_at"),
    ),
    special(
        Kind::Transaction,
        "transaction.paid",
        ("Lançamentos: pagamento", "Transactions: paid"),
        EventCondition::Filled("date_payment"),
    ),
    special(
        Kind::Transaction,
        "transaction.unpaid",
        ("Lançamentos: pagamento desfeito", "Transactions: payment undone"),
        EventCondition::Emptied("date_payment"),
    ),
];

/// A message type for an update that meets a condition.
pub(super) struct SpecialType {
    kind: Kind,
    pub(super) ty: &'static str,
    pub(super) label: Bilingual,
    condition: EventCondition,
}

const fn special(kind: Kind, ty: &'static str, label: Bilingual, condition: EventCondition) -> SpecialType {
    SpecialType { kind, ty, label, condition }
}

/// The column of a task's guests.
const GUESTS: &str = "guests";

/// A condition on an update of a record.
#[derive(Clone, Copy)]
enum EventCondition {
    /// The column changed.
    Changed(&'static str),
    /// The column was empty and has a value now.
    Filled(&'static str),
    /// The column had a value and is empty now.
    Emptied(&'static str),
    /// A guest has completed the task.
    OneGuestDone,
    /// The last guest has completed the task.
    AllGuestsDone,
}

/// All message types, in the order in which they are listed for users.
pub static TYPES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of = |table: &Table| OPS.map(|op| [table.singular(), ".", op.as_str()].concat());
    let special = SPECIAL.iter().map(|special| special.ty.to_owned());
    let rest = [SETTINGS, FOUND, REPLACED, TEST].map(str::to_owned);
    TABLES.iter().flat_map(|table| of(table)).chain(special).chain(rest).collect()
});

/// The operations that have a message type for every table.
pub(super) const OPS: [Op; 4] = [Op::Created, Op::Updated, Op::Deleted, Op::Restored];

/// Returns the events that a webhook wants, from at most `limit` changes after `since`. The caller opens a snapshot.
pub fn wanted(db: Db<'_>, webhook: &Webhook, since: u64, limit: u32) -> Result<FeedPiece, store::Error> {
    let wants = |ty: &str| webhook.wants(ty);
    events(db, since, limit, &wants).map_err(|problem| defect(&problem))
}

/// Returns the events of the wanted types, from at most `limit` changes after `since`.
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

/// Returns the wanted message types of a change.
fn types_of(db: Db<'_>, entry: &JournalEntry, wants: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Problem> {
    if entry.kind == STORE {
        return Ok(Some(REPLACED.to_owned()).filter(|ty| wants(ty)).into_iter().collect());
    }
    if entry.kind == CONFLICTS {
        return Ok(Some(FOUND.to_owned()).filter(|ty| wants(ty)).into_iter().collect());
    }
    // After a backup has replaced everything, the feed lists each record once more. These entries are not new events.
    let Some(table) = table_of(&entry.kind).filter(|_| entry.via != Via::Restore) else {
        return Ok(Vec::new());
    };
    if matches!(table.kind, Kind::List(_)) {
        return Ok(Some(SETTINGS.to_owned()).filter(|ty| wants(ty)).into_iter().collect());
    }
    let mut types = Vec::new();
    if OPS.contains(&entry.op) {
        types.push([table.singular(), ".", entry.op.as_str()].concat());
    }
    types.retain(|ty| wants(ty));
    if entry.op == Op::Updated {
        let mut values = None;
        for special in SPECIAL.iter().filter(|special| special.kind == table.kind && wants(special.ty)) {
            if special.condition.applies(db, table, entry, &mut values)? {
                types.push(special.ty.to_owned());
            }
        }
    }
    Ok(types)
}

impl EventCondition {
    fn column(self) -> &'static str {
        match self {
            EventCondition::Changed(column)
            | EventCondition::Filled(column)
            | EventCondition::Emptied(column) => column,
            EventCondition::OneGuestDone | EventCondition::AllGuestsDone => GUESTS,
        }
    }

    /// Returns `true` if a journal entry meets the condition, and `false` if the old values that it needs were
    /// erased. Reads the values before and after the entry into `values` when they are first needed.
    fn applies(
        self,
        db: Db<'_>,
        table: &Table,
        entry: &JournalEntry,
        values: &mut Option<[ColumnValues; 2]>,
    ) -> Result<bool, Problem> {
        if !entry.changed.iter().any(|changed| changed == self.column()) {
            return Ok(false);
        }
        if let EventCondition::Changed(_) = self {
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
        let before = of(before);
        let after = of(after);
        Ok(match self {
            EventCondition::Filled(_) => before.is_null() && !after.is_null(),
            EventCondition::Emptied(_) => !before.is_null() && after.is_null(),
            EventCondition::OneGuestDone => {
                let done = guests_who_completed(&before);
                guests_who_completed(&after).iter().any(|guest| !done.contains(guest))
            }
            EventCondition::AllGuestsDone => !have_all_completed(&before) && have_all_completed(&after),
            EventCondition::Changed(_) => true,
        })
    }
}

/// Returns the ids of the guests who have completed a task. The journal stores guests as pairs of id and time
/// of completion.
fn guests_who_completed(guests: &Json) -> Vec<&Json> {
    let guests = guests.as_array().map(Vec::as_slice).unwrap_or_default();
    guests
        .iter()
        .filter(|guest| guest.get(1).is_some_and(|at| !at.is_null()))
        .filter_map(|guest| guest.get(0))
        .collect()
}

/// Returns `true` if a task has guests and all of them have completed it.
fn have_all_completed(guests: &Json) -> bool {
    let all = guests.as_array().map_or(0, Vec::len);
    all > 0 && guests_who_completed(guests).len() == all
}

/// Returns the body of an event's message, or `None` if the change does not exist. The caller opens a snapshot.
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
        Some(table) => Some(record(db, table.kind, entry.id, &Viewer::of_all(zone))?),
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
    if whole.len() <= MAX_MESSAGE_BYTES || !is_full {
        return Ok(whole);
    }
    data.record = Some(None);
    message(ty, entry.at, &data)
}

/// Returns the body of a test message.
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

/// Converts a problem of the API, which comes from the store here, to a store error.
fn defect(problem: &Problem) -> store::Error {
    store::Error::Defect(problem.cause().unwrap_or(problem.code()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_types_match_the_contract() {
        for noun in ["customer", "lawsuit", "post", "movement", "publication", "transaction", "document"] {
            for op in ["created", "updated", "deleted", "restored"] {
                assert!(TYPES.contains(&format!("{noun}.{op}")), "{noun}.{op}");
            }
        }
        for ty in
            ["lawsuit.stage_changed", "post.completed", "settings.changed", FOUND, "store.replaced", TEST]
        {
            assert!(TYPES.iter().any(|known| known == ty), "{ty}");
        }
        assert_eq!(TYPES.len(), TABLES.len() * OPS.len() + SPECIAL.len() + 4);
        for SpecialType { kind, ty, condition, .. } in SPECIAL {
            let table = kind.table();
            assert!(table.field(condition.column()).is_some(), "{ty}: {}", condition.column());
            let begins = [table.singular(), "."].concat();
            assert!(ty.starts_with(&begins), "{ty} is about {}: begin it with `{begins}`", table.many.1);
        }
    }

    #[test]
    fn a_task_is_done_when_all_its_guests_are_done() {
        let guests = |json: &str| serde_json::from_str::<Json>(json).unwrap();
        for (json, is_done) in [
            ("[]", false),
            ("null", false),
            ("[[1,null]]", false),
            ("[[1,1700000000]]", true),
            ("[[1,1700000000],[2,null]]", false),
            ("[[1,1700000000],[2,1700000001]]", true),
        ] {
            assert_eq!(have_all_completed(&guests(json)), is_done, "{json}");
        }
    }
}

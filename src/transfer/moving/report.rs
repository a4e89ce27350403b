//! What came of a move: the totals there and here, what is here otherwise, and a sample read again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::entries::Entries;
use super::plan::{MoveState, Walk};
use super::record::{ContentFacts, Setting, Unreadable, is_told, number, read};
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::records::{Table, Type, Value};
use crate::store::moves::{self, MoveNoteKind, StoredMove};
use crate::store::whole::{WholeTable, tables};
use crate::store::{self, Db};

/// How many records are read again, and in how many requests.
pub(super) const SAMPLE: u64 = 200;
const AT_ONCE: u64 = 10;
pub(super) const SAMPLE_REQUESTS: u64 = SAMPLE / AT_ONCE;
/// So many notes are told one by one; all of them are counted.
const TOLD: u32 = 1000;

/// What came of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveReport {
    /// The base address of the other server.
    pub source: String,
    /// Of each list and resource.
    pub resources: Vec<MovedResource>,
    /// How often a member of a resource could not be taken as it is, and why. It is in the records' notes.
    pub changed: Vec<(String, String, String, u64)>,
    /// The first of these and of what stayed, one by one.
    pub notes: Vec<MoveDetail>,
    /// The entries that only records name there: list and name. They were made and cannot be chosen.
    pub made: Vec<(String, String)>,
    /// Of the records that were read again.
    pub sample: MoveSample,
    /// How many requests were answered.
    pub requests: u64,
}

/// The totals of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedResource {
    /// Its name in paths.
    pub resource: String,
    /// How many records the other server says that it has, deleted ones included where it lists them.
    pub there: u64,
    /// How many of them are here.
    pub here: u64,
    /// How many stayed there.
    pub stayed: u64,
}

/// A value that is in the notes, or a record that stayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveDetail {
    /// The resource, by its name in paths.
    pub resource: String,
    /// The id there; 0 where it has none.
    pub id: u32,
    /// Whether the record stayed there.
    pub stayed: bool,
    /// The member.
    pub member: String,
    /// What the other server says; of a record that stayed all of it.
    pub said: String,
    /// Why it cannot be taken so.
    pub why: String,
}

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

impl MoveReport {
    /// Whether everything that is there is here.
    pub fn is_whole(&self) -> bool {
        let is_whole = |of: &MovedResource| of.stayed == 0 && of.here >= of.there;
        self.resources.iter().all(is_whole) && self.sample.different.is_empty()
    }

    /// Whether everything has come, in a sentence.
    pub fn verdict(&self, lang: Lang) -> &'static str {
        match self.is_whole() {
            true => lang.pick("Tudo veio.", "Everything has come."),
            false => lang.pick("Nem tudo veio.", "Not everything has come."),
        }
    }

    /// The report of what came so far.
    pub(super) fn read(
        db: Db<'_>,
        stored: &StoredMove,
        state: &MoveState,
    ) -> Result<MoveReport, store::Error> {
        let counts = moves::note_counts(db)?;
        let path = |name: &str| {
            tables().find(|table| table.name == name).map_or(name, |table| table.path).to_owned()
        };
        let mut resources = Vec::new();
        for table in tables() {
            let stayed =
                counts.iter().filter(|(kind, name, ..)| *kind == MoveNoteKind::Record && name == table.name);
            let stayed = stayed.map(|(.., count)| count).sum::<u64>();
            let (_, seen) = moves::count(db, table, state.round)?;
            let steps = || state.steps.iter().filter(|step| step.resource == table.name);
            let (total, came) =
                steps().fold((0, 0), |(total, came), step| (total + step.total, came + step.came));
            let listed = state.lists.get(table.name).copied().unwrap_or_default();
            // One that two lists have is one record.
            let twice = came.saturating_sub(seen + stayed);
            resources.push(MovedResource {
                resource: table.path.to_owned(),
                there: total.saturating_sub(twice) + listed,
                here: moves::count_here(db, table)?,
                stayed,
            });
        }
        let mut changed = Vec::new();
        for (kind, name, member, why, count) in counts {
            if kind == MoveNoteKind::Value {
                changed.push((path(&name), member, why, count));
            }
        }
        let all = moves::notes(db, TOLD)?;
        let (made, notes): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|note| note.kind == MoveNoteKind::Entry);
        Ok(MoveReport {
            source: stored.source.clone(),
            resources,
            changed,
            notes: notes
                .into_iter()
                .map(|note| MoveDetail {
                    resource: path(&note.resource),
                    id: note.id,
                    stayed: note.kind == MoveNoteKind::Record,
                    member: note.member,
                    said: note.said,
                    why: note.why,
                })
                .collect(),
            made: made.into_iter().map(|note| (path(&note.resource), note.said)).collect(),
            sample: state.sample.clone().unwrap_or_default(),
            requests: state.asked,
        })
    }
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

/// Which pages are read again: the step, where the page begins, and how many records it has.
pub(super) fn sampled(state: &MoveState) -> Vec<(usize, u64, u64)> {
    let mut lists: Vec<(usize, u64)> = Vec::new();
    for (at, step) in state.steps.iter().enumerate() {
        if matches!(step.walk, Walk::List(_)) && step.total > 0 {
            lists.push((at, step.total));
        }
    }
    // The shortest first: what they do not need is left to the others.
    lists.sort_by_key(|(_, total)| *total);
    let (mut left, mut pages) = (SAMPLE, Vec::new());
    let count = lists.len();
    for (number, (at, total)) in lists.into_iter().enumerate() {
        let own = left.div_ceil((count - number) as u64).min(total);
        left -= own;
        let several = own.div_ceil(AT_ONCE);
        for page in 0..several {
            let begin = page * total / several;
            pages.push((at, begin, AT_ONCE.min(own - page * AT_ONCE)));
        }
    }
    pages
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
        if moves::here(db, table, &id.to_string())?.is_none() {
            continue;
        }
        sample.compared += 1;
        let tell = |member: &str| (table.path.to_owned(), id, member.to_owned());
        let Some(here) = whole.by_id(db, id)? else {
            sample.changed_since += 1;
            continue;
        };
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
        let there = match read(db, &whole, said, id, content.as_ref(), &mut entries, setting) {
            Ok(read) => read.record,
            Err(Unreadable::Store(cause)) => return Err(cause),
            Err(Unreadable::Stays(member, _)) => {
                sample.different.push(tell(member));
                continue;
            }
        };
        let updated = whole.beside().iter().position(|(name, _)| *name == "updated_at");
        let updated = updated.map(|at| (here.beside.get(at), there.beside.get(at)));
        if said.contains_key("updated_at") && updated.is_some_and(|(here, there)| here != there) {
            sample.changed_since += 1;
            continue;
        }
        for (field, (here, there)) in table.stored().zip(here.values.iter().zip(&there.values)) {
            // Who wrote a task is told elsewhere.
            let is_elsewhere = matches!(field.ty, Type::Reference(_)) && !is_told(table, field, said);
            if here != there && !is_elsewhere {
                sample.different.push(tell(field.shown));
            }
        }
        if here.completions != there.completions {
            sample.different.push(tell("completed"));
        }
    }
    Ok(())
}

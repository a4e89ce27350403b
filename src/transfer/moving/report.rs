//! What came of a move: the totals there and here, and what is here otherwise.

use serde::{Deserialize, Serialize};

use super::plan::MoveState;
use super::sample::MoveSample;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::progress::time;
use crate::store::moves::{self, MoveNoteKind, StoredMove};
use crate::store::whole::tables;
use crate::store::{self, Db};

/// So many notes are told one by one; all of them are counted.
const TOLD: u32 = 1000;

/// What came of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moved {
    /// It was only counted.
    Counted(MoveCount),
    /// Everything has come.
    Whole(MoveReport),
}

/// What there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveCount {
    /// The base address of the other server.
    pub source: String,
    /// How many records the lists have: each by its name in paths.
    pub resources: Vec<(String, u64)>,
    /// What is listed of one record at a time, so that nobody knows how many there are before they are asked for.
    pub of_each: Vec<String>,
    /// How many requests it takes.
    pub requests: u64,
    /// How many seconds that takes.
    pub seconds: u64,
}

impl MoveCount {
    /// What nobody knows of those in `of_each`.
    pub fn unknown(lang: Lang) -> &'static str {
        lang.pick(
            "só se sabe quantos ao pedi-los, um registro por vez",
            "known only as they are asked for, one record at a time",
        )
    }

    /// What it takes, in a sentence; `number` writes a count.
    pub fn effort(&self, lang: Lang, number: impl Fn(u64) -> String) -> String {
        let (requests, left) = (number(self.requests), time(self.seconds, lang));
        say!(
            lang,
            "Nada foi salvo. Trazer tudo leva {requests} pedidos: {left}.",
            "Nothing was stored. To bring everything takes {requests} requests: {left}."
        )
    }
}

/// What came, and what not.
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
            let by_id = state.by_id.get(table.name).copied().unwrap_or_default();
            let twice = (came + by_id).saturating_sub(seen + stayed);
            resources.push(MovedResource {
                resource: table.path.to_owned(),
                // Those that came by their ids are in no list, or moved out of a page that was read meanwhile.
                there: total.max(came + by_id).saturating_sub(twice) + listed,
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

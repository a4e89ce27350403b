//! What came of a move: the records that stayed there, what is here otherwise, and the totals.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::compatibility::MovedCompatibility;
use super::plan::{MoveState, Walk};
use super::sample::MoveSample;
use crate::api::PAGES;
use crate::config::settings::Compatibility;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::progress::time;
use crate::store::moves::{self, MoveNote, MoveNoteKind, StoredMove};
use crate::store::records::View;
use crate::store::whole::tables;
use crate::store::{self, Db};
use crate::transfer::error::TransferError;

/// The members that say what a record is called, the likeliest first.
const NAMES: [&str; 7] =
    ["name", "title", "task", "description", "process_number", "protocol_number", "publication"];
/// The most characters of a name in the report.
const LONGEST_NAME: usize = 80;
/// How many names are read at once.
const AT_ONCE: usize = 500;

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
    /// What `api.compatibility` is going to be unless somebody says otherwise.
    pub compatibility: Compatibility,
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
    /// When the move was begun, in seconds since 1970.
    pub begun_at: i64,
    /// When everything had come. `None` if the move was interrupted or is under way.
    pub finished_at: Option<i64>,
    /// The records that stayed there, and then the values that are here otherwise, one by one.
    pub notes: Vec<MoveDetail>,
    /// How often a member of a resource could not be taken as it is, and why.
    pub changed: Vec<(String, String, String, u64)>,
    /// The entries that only records name there: list and name. They were made and cannot be chosen.
    pub made: Vec<(String, String)>,
    /// The totals of each list and resource.
    pub resources: Vec<MovedResource>,
    /// What differs by now, there and here, of the records that were asked for again: resource, id and member.
    pub differing: Vec<(String, u32, String)>,
    /// The records that were read again.
    pub sample: MoveSample,
    /// What became of `api.compatibility`.
    pub compatibility: Option<MovedCompatibility>,
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

/// A value that is here otherwise, or a record that stayed there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveDetail {
    /// The resource, by its name in paths.
    pub resource: String,
    /// The id there of a record that stayed, otherwise the id here; 0 if it has none.
    pub id: u32,
    /// What the record is called; empty if nothing says so.
    pub name: String,
    /// `true` if the record stayed there.
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
        self.finished_at.is_some() && self.resources.iter().all(is_whole) && self.sample.different.is_empty()
    }

    /// Whether everything has come, in a sentence.
    pub fn verdict(&self, lang: Lang) -> &'static str {
        match (self.finished_at, self.is_whole()) {
            (None, _) => lang.pick(
                "A mudança não acabou: isto é o que veio até agora.",
                "The move has not ended: this is what has come so far.",
            ),
            (Some(_), true) => lang.pick("Tudo veio.", "Everything has come."),
            (Some(_), false) => lang.pick("Nem tudo veio.", "Not everything has come."),
        }
    }

    /// Reads the report of the move that was begun in this store, interrupted or not. `None` if there is no move.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn of_store(db: Db<'_>, lang: Lang) -> Result<Option<MoveReport>, TransferError> {
        let Some(stored) = moves::current(db)? else { return Ok(None) };
        Ok(Some(MoveReport::read(db, &stored, &MoveState::of(&stored)?, lang)?))
    }

    /// Reads the report of what came so far.
    pub(super) fn read(
        db: Db<'_>,
        stored: &StoredMove,
        state: &MoveState,
        lang: Lang,
    ) -> Result<MoveReport, store::Error> {
        let counts = moves::note_counts(db)?;
        let mut resources = Vec::new();
        for table in tables() {
            let stayed =
                counts.iter().filter(|(kind, name, ..)| *kind == MoveNoteKind::Record && name == table.name);
            let stayed = stayed.map(|(.., count)| count).sum::<u64>();
            let (all, seen) = moves::count(db, table, state.round)?;
            let steps = || state.steps.iter().filter(|step| step.resource == table.name);
            let (total, came) =
                steps().fold((0, 0), |(total, came), step| (total + step.total, came + step.came));
            let listed = state.lists.get(table.name).copied().unwrap_or_default();
            // One that two lists have is one record.
            let by_id = state.by_id.get(table.name).copied().unwrap_or_default();
            let twice = (came + by_id).saturating_sub(seen + stayed);
            // Those that came by their ids are in no list, or moved out of a page that was read meanwhile.
            let mut there = total.max(came + by_id).saturating_sub(twice) + listed;
            if state.wanted.is_some() && steps().any(|step| matches!(step.walk, Walk::Each { .. })) {
                // Most were not asked for again.
                there = there.max(seen + stayed) + all.saturating_sub(seen);
            }
            let here = moves::count_here(db, table)?;
            resources.push(MovedResource { resource: table.path.to_owned(), there, here, stayed });
        }
        let mut changed = Vec::new();
        for (kind, name, member, why, count) in counts {
            if kind == MoveNoteKind::Value {
                changed.push((path_of(&name), member, why, count));
            }
        }
        let (made, notes): (Vec<_>, Vec<_>) =
            moves::notes(db)?.into_iter().partition(|note| note.kind == MoveNoteKind::Entry);
        let names = names_of(db, &notes, lang)?;
        let mut notes: Vec<MoveDetail> = notes.into_iter().map(|note| detail(note, &names)).collect();
        let place = |path: &str| tables().position(|table| table.path == path);
        notes.sort_by_cached_key(|note| (!note.stayed, place(&note.resource), note.id));
        Ok(MoveReport {
            source: stored.source.clone(),
            begun_at: stored.begun_at,
            finished_at: stored.finished_at,
            notes,
            changed,
            made: made.into_iter().map(|note| (path_of(&note.resource), note.said)).collect(),
            resources,
            differing: state.differing.clone(),
            sample: state.sample.clone().unwrap_or_default(),
            compatibility: state.compatibility.clone(),
            requests: state.asked,
        })
    }
}

fn path_of(name: &str) -> String {
    tables().find(|table| table.name == name).map_or(name, |table| table.path).to_owned()
}

/// What records that are here are called, by table and id.
type Names = HashMap<(String, u32), String>;

/// Reads what the records of the values that are here otherwise are called.
fn names_of(db: Db<'_>, notes: &[MoveNote], lang: Lang) -> Result<Names, store::Error> {
    let mut names = Names::new();
    for pages in PAGES {
        let own = |note: &&MoveNote| note.kind == MoveNoteKind::Value && note.resource == pages.table.name;
        let mut ids: Vec<u32> = notes.iter().filter(own).map(|note| note.id).collect();
        ids.sort_unstable();
        ids.dedup();
        for ids in ids.chunks(AT_ONCE) {
            let mut views = View::read(db, pages.table, ids)?;
            views.extend(View::read_deleted(db, pages.table, ids)?);
            let named = views.iter().map(|view| (view.id, cut(&pages.name(view, lang))));
            names.extend(named.map(|(id, name)| ((pages.table.name.to_owned(), id), name)));
        }
    }
    Ok(names)
}

fn detail(note: MoveNote, names: &Names) -> MoveDetail {
    let stayed = note.kind == MoveNoteKind::Record;
    let name = match stayed {
        true => name_said(&note.said),
        false => names.get(&(note.resource.clone(), note.id)).cloned().unwrap_or_default(),
    };
    MoveDetail {
        resource: path_of(&note.resource),
        id: note.id,
        name,
        stayed,
        member: note.member,
        said: note.said,
        why: note.why,
    }
}

/// What a record that stayed is called there.
fn name_said(said: &str) -> String {
    let said: Map<String, Json> = serde_json::from_str(said).unwrap_or_default();
    let mut names = NAMES.iter().filter_map(|name| said.get(*name)?.as_str());
    cut(names.find(|name| !name.trim().is_empty()).unwrap_or_default())
}

fn cut(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_NAME).collect()
}

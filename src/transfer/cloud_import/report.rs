//! The report of a move: records that were not moved, changed values, and the totals.

mod parts;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::compatibility::MovedCompatibility;
use super::plan::{MoveState, Walk};
use super::steps::sample::MoveSample;
use crate::api::PAGES;
use crate::config::settings::Compatibility;
use crate::store::imports::moves::{self, MoveNote, MoveNoteKind, StoredMove};
use crate::store::records::View;
use crate::transfer::prelude::*;

/// Members that can serve as the name of a record, the most likely first.
const NAMES: [&str; 7] =
    ["name", "title", "task", "description", "process_number", "protocol_number", "publication"];
const MAX_NAME_LENGTH: usize = 80;
const IDS_PER_QUERY: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moved {
    Counted(MoveCount),
    Whole(MoveReport),
}

/// Number of records on the source, and the effort of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveCount {
    pub source: String,
    /// Number of records per list, by its name in paths.
    pub resources: Vec<(String, u64)>,
    /// The resources that are listed for one owner at a time, whose number is unknown in advance.
    pub of_each: Vec<String>,
    pub requests: u64,
    /// Estimated duration in seconds.
    pub seconds: u64,
    /// The `api.compatibility` that the move will set unless the user chooses another one.
    pub compatibility: Compatibility,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveReport {
    pub source: String,
    pub begun_at: i64,
    /// When the move ended, in seconds since 1970. `None` if it was interrupted or is running.
    pub finished_at: Option<i64>,
    /// The records that were not moved, followed by the values that differ from the source.
    pub notes: Vec<MoveDetail>,
    /// Changed values: the resource, the member, the reason and the number of values.
    pub changed: Vec<(String, String, String, u64)>,
    /// Inactive entries that were created because records refer to them but no list contains them: list and name.
    pub made: Vec<(String, String)>,
    pub resources: Vec<MovedResource>,
    /// Differences from the source in records of earlier rounds: resource, id and member.
    pub differing: Vec<(String, u32, String)>,
    pub sample: MoveSample,
    pub compatibility: Option<MovedCompatibility>,
    pub requests: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedResource {
    pub resource: String,
    /// Number of records that the source reports, with deleted ones if the source lists them.
    pub there: u64,
    /// Number of moved records that are here.
    pub here: u64,
    /// Number of records that were not moved.
    pub stayed: u64,
}

/// A value that differs from the source, or a record that was not moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveDetail {
    pub resource: String,
    /// The id here, or the id on the source if the record was not moved. 0 if there is no id.
    pub id: u32,
    pub name: String,
    /// `true` if the record was not moved.
    pub stayed: bool,
    /// The affected member. For a request that failed, its path.
    pub member: String,
    /// The value on the source, or all data of a record that was not moved.
    pub said: String,
    pub why: String,
}

impl MoveReport {
    /// Returns `true` if the move has ended and nothing is missing or different.
    pub fn is_whole(&self) -> bool {
        let is_whole = |of: &MovedResource| of.stayed == 0 && of.here >= of.there;
        self.finished_at.is_some() && self.resources.iter().all(is_whole) && self.sample.different.is_empty()
    }

    /// Returns `true` if no record was left there and no value differs.
    fn is_same(&self) -> bool {
        self.notes.is_empty() && self.differing.is_empty() && self.sample.different.is_empty()
    }

    /// Reads the report of the move into this store, interrupted or not. Returns `None` if there is no move.
    pub fn of_store(db: Db<'_>, lang: Lang) -> Result<Option<MoveReport>> {
        let Some(stored) = moves::current(db)? else { return Ok(None) };
        Ok(Some(MoveReport::read(db, &stored, &MoveState::of(&stored)?, lang)?))
    }

    /// Reads the report of a move as far as it has come.
    pub(super) fn read(
        db: Db<'_>,
        stored: &StoredMove,
        state: &MoveState,
        lang: Lang,
    ) -> StoreResult<MoveReport> {
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
            // A record in two lists counts once.
            let by_id = state.by_id.get(table.name).copied().unwrap_or_default();
            let twice = (came + by_id).saturating_sub(seen + stayed);
            // Records fetched by id are in no list, or left a page while it was read.
            let mut there = total.max(came + by_id).saturating_sub(twice) + listed;
            if state.wanted.is_some() && steps().any(|step| matches!(step.walk, Walk::Each { .. })) {
                // Most records were not requested again in this round.
                there = there.max(seen + stayed) + all.saturating_sub(seen);
            }
            let here = moves::count_here(db, table)?;
            resources.push(MovedResource { resource: table.path.to_owned(), there, here, stayed });
        }
        let mut changed = Vec::new();
        for (kind, name, member, why, count) in counts {
            if kind == MoveNoteKind::Value {
                changed.push((path_of(&name), member, why.text(lang).to_owned(), count));
            }
        }
        let (made, notes): (Vec<_>, Vec<_>) =
            moves::notes(db)?.into_iter().partition(|note| note.kind == MoveNoteKind::Entry);
        let names = names_of(db, &notes, lang)?;
        let mut notes: Vec<MoveDetail> = notes.into_iter().map(|note| detail(note, &names, lang)).collect();
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
            requests: state.requests,
        })
    }
}

fn path_of(name: &str) -> String {
    tables().find(|table| table.name == name).map_or(name, |table| table.path).to_owned()
}

type Names = HashMap<(String, u32), String>;

fn names_of(db: Db<'_>, notes: &[MoveNote], lang: Lang) -> StoreResult<Names> {
    let mut names = Names::new();
    for pages in PAGES {
        let own = |note: &&MoveNote| note.kind == MoveNoteKind::Value && note.resource == pages.table.name;
        let mut ids: Vec<u32> = notes.iter().filter(own).map(|note| note.id).collect();
        ids.sort_unstable();
        ids.dedup();
        for ids in ids.chunks(IDS_PER_QUERY) {
            let mut views = View::read(db, pages.table, ids)?;
            views.extend(View::read_deleted(db, pages.table, ids)?);
            let named = views.iter().map(|view| (view.id, cut(&pages.name(view, lang))));
            names.extend(named.map(|(id, name)| ((pages.table.name.to_owned(), id), name)));
        }
    }
    Ok(names)
}

fn detail(note: MoveNote, names: &Names, lang: Lang) -> MoveDetail {
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
        why: note.why.text(lang).to_owned(),
    }
}

/// Returns the name of a record that was not moved, from its data.
fn name_said(data: &str) -> String {
    let data: JsonObject = serde_json::from_str(data).unwrap_or_default();
    let mut names = NAMES.iter().filter_map(|name| data.get(*name)?.as_str());
    cut(names.find(|name| !name.trim().is_empty()).unwrap_or_default())
}

fn cut(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_NAME_LENGTH).collect()
}

//! The steps of a move in order, and the position of the move, which is stored with every transaction.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::compatibility::MovedCompatibility;
use super::steps::sample::{MoveSample, RECORDS_PER_REQUEST, SAMPLE, SAMPLE_REQUESTS};
use crate::config::settings::Compatibility;
use crate::records::TABLES;
use crate::store::imports::moves::StoredMove;
use crate::transfer::prelude::*;

/// Largest page size of a list (contract 5.2). `SMALLER_PAGE_SIZE` is used if a server refuses it.
const PAGE_SIZE: u64 = 1000;
const SMALLER_PAGE_SIZE: u64 = 100;
/// Records with a text of this length or more are fetched in pages of `PAGE_SIZE_OF_LONG_TEXTS`.
const LONG_TEXT: usize = 50_000;
const PAGE_SIZE_OF_LONG_TEXTS: u64 = 100;

/// Records that the live service lists per owner: their kind, the owner's kind, the path, and the owner's member.
const OF_EACH: &[(Kind, Kind, &str, &str)] = &[
    (Kind::Movement, Kind::Lawsuit, "/movements/", "lawsuit_id"),
    (Kind::Publication, Kind::Lawsuit, "/publications/", "lawsuit_id"),
    (Kind::Document, Kind::Customer, "/documents?customer_id=", "customer_id"),
    (Kind::Document, Kind::Transaction, "/documents?transaction_id=", "transaction_id"),
    (Kind::Document, Kind::Task, "/documents?post_id=", "post_id"),
];

/// Records that the live service lists as a whole.
const WHOLE: [Kind; 4] = [Kind::Customer, Kind::Lawsuit, Kind::Task, Kind::Transaction];

/// The path with the authors of a lawsuit's tasks (resources 13). Requested last, because it is the least urgent.
pub(super) const HISTORY: &str = "/history/";

/// Queries for open and completed tasks of the live service (resources 12.2), which ignores ranges with one end.
const TASKS: [&str; 2] = ["", "completed_start=1900-01-01&completed_end=2199-12-31"];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MoveState {
    /// `true` if the source lists movements, publications and documents for one owner at a time, as the live
    /// service does. A Pleito lists all of them at once, deleted ones included.
    pub(super) is_live: bool,
    pub(super) round: u32,
    pub(super) steps: Vec<Step>,
    /// Index of the current step.
    pub(super) at: usize,
    /// Page size by table, if the server refused a larger one.
    pub(super) pages: BTreeMap<String, u64>,
    pub(super) requests: u64,
    /// Number of entries of each list on the source.
    pub(super) lists: BTreeMap<String, u64>,
    /// Number of records per table that were fetched by id, because others refer to them but no list contains them.
    pub(super) by_id: BTreeMap<String, u64>,
    pub(super) sample: Option<MoveSample>,
    /// Differences from the source in records of earlier rounds: resource, id and member.
    pub(super) differing: Vec<(String, u32, String)>,
    /// The owners whose records are requested. `None` for all owners.
    pub(super) wanted: Option<WantedOwners>,
    pub(super) compatibility: Option<MovedCompatibility>,
}

/// Ids of the owners whose records are requested in a later round, by the path that lists these records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WantedOwners(BTreeMap<String, BTreeSet<u32>>);

impl WantedOwners {
    pub(super) fn add(&mut self, path: &str, id: u32) {
        self.0.entry(path.to_owned()).or_default().insert(id);
    }

    /// Returns the ids less than `before`, the highest first.
    pub(super) fn below(&self, path: &str, before: u32) -> Vec<u32> {
        self.0.get(path).map(|ids| ids.range(..before).rev().copied().collect()).unwrap_or_default()
    }
}

/// A step of a move, usually one list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) resource: String,
    pub(super) walk: Walk,
    /// Number of records that the server reports.
    pub(super) total: u64,
    /// Number of records received.
    pub(super) came: u64,
    /// Position: the number of records read, or the id of the last owner, or the number of the last retried note.
    pub(super) at: u64,
    /// Number of remaining requests, if the step does not walk through a list.
    pub(super) requests: u64,
    /// `true` if the list became shorter meanwhile, so that records may have moved to pages that were already read.
    pub(super) shrank: bool,
    /// `true` if the list is read a second time because it became shorter.
    pub(super) is_second: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Walk {
    /// A list, page by page, with this query.
    List(String),
    /// The records of one owner at a time, with owners in the table `of`, the newest first.
    Each {
        of: String,
        path: String,
        member: String,
    },
    /// Like `Each`, for data about records that were moved already.
    Beside {
        of: String,
        path: String,
        member: String,
    },
    Retry,
}

/// Records that are listed for one owner at a time.
#[derive(Clone, Copy)]
pub(super) struct Owned<'w> {
    pub(super) table: &'static Table,
    /// The path, to which the owner's id is appended.
    pub(super) path: &'w str,
    /// The member that names the owner.
    pub(super) member: &'w str,
    /// `true` if the records only add data to records that were moved already.
    pub(super) is_beside: bool,
}

impl Walk {
    /// Returns the records listed for one owner at a time, or `None` for other steps.
    pub(super) fn owned(&self, table: &'static Table) -> Option<Owned<'_>> {
        match self {
            Walk::Each { path, member, .. } => Some(Owned { table, path, member, is_beside: false }),
            Walk::Beside { path, member, .. } => Some(Owned { table, path, member, is_beside: true }),
            Walk::List(_) | Walk::Retry => None,
        }
    }
}

impl Step {
    fn new(table: &Table, walk: Walk) -> Step {
        let resource = table.name.to_owned();
        Step { resource, walk, total: 0, came: 0, at: 0, requests: 0, shrank: false, is_second: false }
    }

    pub(super) fn table(&self) -> &'static Table {
        table_named(&self.resource)
    }
}

impl MoveState {
    /// Plans all steps. The targets of references come before the records that refer to them.
    pub(super) fn plan(is_live: bool, round: u32) -> MoveState {
        let mut steps = Vec::new();
        for table in tables_by_reference() {
            match (is_live, table.kind) {
                (false, _) if table.kind == Kind::Task => {
                    steps.push(Step::new(table, Walk::List("status=all&order=asc".to_owned())));
                }
                (false, _) => steps.push(Step::new(table, Walk::List(String::new()))),
                (true, Kind::Task) => {
                    steps.extend(TASKS.map(|query| Step::new(table, Walk::List(query.to_owned()))));
                }
                (true, kind) if !WHOLE.contains(&kind) => {}
                (true, _) => steps.push(Step::new(table, Walk::List(String::new()))),
            }
            if !is_live {
                // Deleted tasks are listed regardless of `status`. Paging needs a fixed order.
                steps.push(Step::new(table, Walk::List("deleted=true&order=asc".to_owned())));
            }
        }
        if is_live {
            steps.extend(OF_EACH.iter().map(|(kind, of, path, member)| {
                let of = of.table().name.to_owned();
                let walk = Walk::Each { of, path: (*path).to_owned(), member: (*member).to_owned() };
                Step { at: u64::from(u32::MAX), ..Step::new(kind.table(), walk) }
            }));
            let of = Kind::Lawsuit.table().name.to_owned();
            let walk = Walk::Beside { of, path: HISTORY.to_owned(), member: "lawsuits_id".to_owned() };
            steps.push(Step { at: u64::from(u32::MAX), ..Step::new(Kind::Task.table(), walk) });
        }
        steps.push(Step::new(Kind::Document.table(), Walk::Retry));
        let pages = BTreeMap::new();
        let lists = BTreeMap::new();
        let by_id = BTreeMap::new();
        MoveState {
            is_live,
            round,
            steps,
            at: 0,
            pages,
            requests: 0,
            lists,
            by_id,
            sample: None,
            differing: Vec::new(),
            wanted: None,
            compatibility: None,
        }
    }

    pub(super) fn of(stored: &StoredMove) -> Result<MoveState> {
        let read = serde_json::from_str(&stored.state);
        read.map_err(|cause| TransferError::Defect(format!("the move's state: {cause}")))
    }

    /// Returns the current step, or `None` after the last.
    pub(super) fn under_way(&mut self) -> Option<&mut Step> {
        self.steps.get_mut(self.at)
    }

    /// Advances the position in the current list by `records`.
    pub(super) fn go_on(&mut self, records: u64) {
        if let Some(step) = self.under_way() {
            step.at += records;
            step.came += if step.is_second { 0 } else { records };
        }
    }

    /// Notes that the records of an owner were requested. Returns the current step, if there is one.
    pub(super) fn went(&mut self, owner: u32) -> Option<&Step> {
        let step = self.under_way()?;
        step.requests = step.requests.saturating_sub(1);
        step.at = owner.into();
        Some(step)
    }

    pub(super) fn step_of(&mut self, requested: &str) -> Option<&mut Step> {
        let is_it = |step: &&mut Step| matches!(&step.walk, Walk::Each { path, .. } if path == requested);
        self.steps.iter_mut().find(is_it)
    }

    pub(super) fn page(&self, table: &Table) -> u64 {
        self.pages.get(table.name).copied().unwrap_or_else(|| largest_page(table))
    }

    /// Reduces the page size after a refusal. Returns `false` if the page size was already the smaller one.
    pub(super) fn ask_for_less(&mut self, table: &Table) -> bool {
        let refused = self.page(table);
        self.pages.insert(table.name.to_owned(), SMALLER_PAGE_SIZE.min(refused));
        refused > SMALLER_PAGE_SIZE
    }

    /// Returns the `api.compatibility` of the source. A Pleito with `document` is recognized because it refused
    /// a large page of lawsuits.
    pub(super) fn compatibility(&self) -> Compatibility {
        let pages = self.pages.get(Kind::Lawsuit.table().name);
        match pages.is_some() && !self.is_live {
            true => Compatibility::Document,
            false => Compatibility::Live,
        }
    }

    pub(super) fn left(&self) -> u64 {
        let steps = self.steps.iter().enumerate().skip(self.at);
        let steps = steps.map(|(at, step)| self.left_of(step, at == self.at)).sum::<u64>();
        steps + SAMPLE_REQUESTS
    }

    /// Returns the pages of the sample: the index of the step, the offset of the page, and the number of records.
    pub(super) fn sampled(&self) -> Vec<(usize, u64, u64)> {
        let mut lists: Vec<(usize, u64)> = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            if matches!(step.walk, Walk::List(_)) && step.total > 0 {
                lists.push((at, step.total));
            }
        }
        // The shortest lists first: the share that they do not need goes to the others.
        lists.sort_by_key(|(_, total)| *total);
        let mut left = SAMPLE;
        let mut pages = Vec::new();
        let count = lists.len();
        for (number, (at, total)) in lists.into_iter().enumerate() {
            let own = left.div_ceil((count - number) as u64).min(total);
            left -= own;
            let several = own.div_ceil(RECORDS_PER_REQUEST);
            for page in 0..several {
                let begin = page * total / several;
                pages.push((at, begin, RECORDS_PER_REQUEST.min(own - page * RECORDS_PER_REQUEST)));
            }
        }
        pages
    }

    fn left_of(&self, step: &Step, is_under_way: bool) -> u64 {
        let table = step.table();
        match &step.walk {
            Walk::List(_) => {
                let records = step.total.saturating_sub(step.at);
                let contents = if table.kind == Kind::Document { records } else { 0 };
                records.div_ceil(self.page(table)) + contents
            }
            // Before the step begins, estimates one request for each owner that the source reports.
            Walk::Each { of, path, .. } | Walk::Beside { of, path, .. } if !is_under_way => {
                if let Some(wanted) = &self.wanted {
                    return wanted.below(path, u32::MAX).len() as u64;
                }
                let of_steps = self.steps.iter().filter(|other| other.resource == *of);
                of_steps.map(|other| other.total).sum()
            }
            Walk::Each { .. } | Walk::Beside { .. } | Walk::Retry => step.requests,
        }
    }
}

fn largest_page(table: &Table) -> u64 {
    let is_long = |field: &Field| matches!(field.ty, Type::Text(LONG_TEXT..));
    if table.fields.iter().any(is_long) { PAGE_SIZE_OF_LONG_TEXTS } else { PAGE_SIZE }
}

/// Returns the table with this name, which comes from a stored state and is always valid.
pub(super) fn table_named(name: &str) -> &'static Table {
    tables().find(|table| table.name == name).unwrap_or(List::Users.table())
}

/// Returns the tables of records, each after the tables that it refers to.
fn tables_by_reference() -> Vec<&'static Table> {
    let mut ordered: Vec<&'static Table> = Vec::new();
    let points_to = |table: &'static Table| {
        table.stored().filter_map(|field| match field.ty {
            Type::Record(kind) => Some(kind),
            Type::Links(kind) if !matches!(kind, Kind::List(_)) => Some(kind),
            _ => None,
        })
    };
    while ordered.len() < TABLES.len() {
        let is_next = |table: &&&'static Table| {
            let is_ordered = |kind: Kind| ordered.iter().any(|other| other.kind == kind);
            !is_ordered(table.kind) && points_to(table).all(|kind| kind == table.kind || is_ordered(kind))
        };
        match TABLES.iter().find(is_next) {
            Some(table) => ordered.push(table),
            // Only a cycle of references leads here, and there is no such cycle.
            None => break,
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referenced_records_are_moved_first_and_every_table_is_moved() {
        let ordered = tables_by_reference();
        assert_eq!(ordered.len(), TABLES.len());
        let place = |kind: Kind| ordered.iter().position(|table| table.kind == kind).unwrap();
        for table in TABLES {
            for kind in table.stored().filter_map(Field::record) {
                let is_own = kind == table.kind;
                assert!(is_own || place(kind) < place(table.kind), "{kind:?} {:?}", table.kind);
            }
        }
        for is_live in [false, true] {
            let plan = MoveState::plan(is_live, 1);
            let is_ordered = |kind: &Kind| plan.steps.iter().any(|step| step.resource == kind.table().name);
            let of_live = || WHOLE.iter().chain(OF_EACH.iter().map(|(kind, ..)| kind));
            let mut kinds = TABLES.iter().map(|table| table.kind);
            assert!(if is_live { of_live().all(is_ordered) } else { kinds.all(|kind| is_ordered(&kind)) });
        }
    }

    #[test]
    fn remaining_work_is_counted_in_requests() {
        let mut plan = MoveState::plan(true, 1);
        for step in &mut plan.steps {
            step.total = match (&step.walk, step.resource.as_str()) {
                (Walk::List(_), "customers") => 2001,
                (Walk::List(_), "lawsuits") => 300,
                _ => 0,
            };
        }
        // Movements, publications and histories of lawsuits, documents of customers.
        let each = 3 * 300 + 2001;
        assert_eq!(plan.left(), 3 + 1 + each + SAMPLE_REQUESTS);
        assert!(plan.ask_for_less(Kind::Lawsuit.table()) && !plan.ask_for_less(Kind::Lawsuit.table()));
        assert_eq!(plan.left(), 3 + 3 + each + SAMPLE_REQUESTS);
        plan.steps[0].at = 2000;
        assert_eq!(plan.left(), 1 + 3 + each + SAMPLE_REQUESTS);
        plan.at = plan.steps.len() - 2;
        plan.steps[plan.at].requests = 7;
        assert_eq!(plan.left(), 7 + SAMPLE_REQUESTS);
    }
}

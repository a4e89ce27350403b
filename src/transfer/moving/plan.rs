//! What is asked of the other server, in which order, and how far that is. It is stored with every transaction.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::compatibility::MovedCompatibility;
use super::sample::{AT_ONCE, MoveSample, SAMPLE, SAMPLE_REQUESTS};
use super::wanted::WantedOwners;
use crate::config::settings::Compatibility;
use crate::records::{Field, Kind, List, TABLES, Table, Type};
use crate::store::moves::StoredMove;
use crate::store::whole::tables;
use crate::transfer::error::TransferError;

/// The largest page of a list, and what is asked where a server refuses that (contract 5.2).
const PAGE: u64 = 1000;
const SMALLER_PAGE: u64 = 100;
/// The same of records whose texts are very long.
const LONG_TEXT: usize = 50_000;
const PAGE_OF_LONG: u64 = 100;

/// What the live service lists of one record at a time: what it is, whose, where, and the member that says whose.
const OF_EACH: &[(Kind, Kind, &str, &str)] = &[
    (Kind::Movement, Kind::Lawsuit, "/movements/", "lawsuit_id"),
    (Kind::Publication, Kind::Lawsuit, "/publications/", "lawsuit_id"),
    (Kind::Document, Kind::Customer, "/documents?customer_id=", "customer_id"),
    (Kind::Document, Kind::Transaction, "/documents?transaction_id=", "transaction_id"),
    (Kind::Document, Kind::Task, "/documents?post_id=", "post_id"),
];

/// Where it tells who wrote the tasks of a lawsuit (resources 13). It comes last: the office does not wait for that.
pub(super) const HISTORY: &str = "/history/";

/// How the live service lists all tasks: those that wait, and those that somebody has completed (resources 12.2). It takes
/// no heed of a range with one end.
const TASKS: [&str; 2] = ["", "completed_start=1900-01-01&completed_end=2199-12-31"];

/// How far a move is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MoveState {
    /// Whether the server lists movements, publications and documents of one record at a time, as the live service does. A
    /// Pleito lists all of them, and what was deleted.
    pub(super) is_live: bool,
    /// How often everything was asked for.
    pub(super) round: u32,
    pub(super) steps: Vec<Step>,
    /// The step that is under way.
    pub(super) at: usize,
    /// The largest page of a list, where it was refused a larger one.
    pub(super) pages: BTreeMap<String, u64>,
    /// How many requests were answered.
    pub(super) asked: u64,
    /// How many entries each list has there.
    pub(super) lists: BTreeMap<String, u64>,
    /// How many records of each table came because others name them, and are in no list.
    #[serde(default)]
    pub(super) by_id: BTreeMap<String, u64>,
    /// The records that were read again, once everything had come.
    #[serde(default)]
    pub(super) sample: Option<MoveSample>,
    /// What differs there and here by now, of records that had come before: resource, id and member.
    #[serde(default)]
    pub(super) differing: Vec<(String, u32, String)>,
    /// The records whose own are asked for; without it, those of all that came.
    #[serde(default)]
    pub(super) wanted: Option<WantedOwners>,
    /// What became of `api.compatibility`.
    #[serde(default)]
    pub(super) compatibility: Option<MovedCompatibility>,
}

/// A list that is walked through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    /// The table of its records.
    pub(super) resource: String,
    pub(super) walk: Walk,
    /// How many records the server says there are.
    pub(super) total: u64,
    /// How many it gave.
    pub(super) came: u64,
    /// Where it goes on: how many records were read of a list, or the id of the record whose own were asked for last.
    pub(super) at: u64,
    /// How many requests there are, of what is asked for one record at a time.
    pub(super) requests: u64,
    /// Whether the list grew shorter meanwhile, so that some may have moved to where it was read already.
    pub(super) shrank: bool,
    /// Whether it is read a second time because of that.
    pub(super) is_second: bool,
}

/// How a list is walked through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Walk {
    /// Page by page, with these parameters.
    List(String),
    /// One record of that table at a time, the newest first.
    Each { of: String, path: String, member: String },
    /// Likewise, for what is told of records that came already.
    Beside { of: String, path: String, member: String },
    /// What failed before, once more.
    Retry,
}

/// What is listed of one record at a time.
#[derive(Clone, Copy)]
pub(super) struct Owned<'w> {
    pub(super) table: &'static Table,
    /// The path, without the owner's id at its end.
    pub(super) path: &'w str,
    /// The member that names the owner.
    pub(super) member: &'w str,
    /// Whether it only adds to records that have come already.
    pub(super) is_beside: bool,
}

impl Walk {
    /// What it lists of one record at a time, for records of that table.
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
    /// Everything that the server has, in an order in which what a record points to comes before it.
    pub(super) fn plan(is_live: bool, round: u32) -> MoveState {
        let mut steps = Vec::new();
        let has_own = |table: &Table| OF_EACH.iter().any(|(kind, ..)| *kind == table.kind);
        for table in in_order() {
            match (is_live, table.kind) {
                (false, _) if table.kind == Kind::Task => {
                    steps.push(Step::new(table, Walk::List("status=all&order=asc".to_owned())));
                }
                (false, _) => steps.push(Step::new(table, Walk::List(String::new()))),
                (true, Kind::Task) => {
                    steps.extend(TASKS.map(|query| Step::new(table, Walk::List(query.to_owned()))));
                }
                (true, _) if has_own(table) => {}
                (true, _) => steps.push(Step::new(table, Walk::List(String::new()))),
            }
            if !is_live {
                // `status` is all of them then; the order is asked for, as pages are.
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
        let (pages, lists, by_id) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        MoveState {
            is_live,
            round,
            steps,
            at: 0,
            pages,
            asked: 0,
            lists,
            by_id,
            sample: None,
            differing: Vec::new(),
            wanted: None,
            compatibility: None,
        }
    }

    /// How far that move is.
    ///
    /// # Errors
    /// A defect, where nothing of this program's is stored.
    pub(super) fn of(stored: &StoredMove) -> Result<MoveState, TransferError> {
        let read = serde_json::from_str(&stored.state);
        read.map_err(|cause| TransferError::Defect(format!("the move's state: {cause}")))
    }

    /// The step that is under way; none behind the last.
    pub(super) fn under_way(&mut self) -> Option<&mut Step> {
        self.steps.get_mut(self.at)
    }

    /// So many more records of the list that is under way were read.
    pub(super) fn go_on(&mut self, records: u64) {
        if let Some(step) = self.under_way() {
            step.at += records;
            step.came += if step.is_second { 0 } else { records };
        }
    }

    /// What that record has was asked for. Returns the step, if there is one.
    pub(super) fn went(&mut self, owner: u32) -> Option<&Step> {
        let step = self.under_way()?;
        step.requests = step.requests.saturating_sub(1);
        step.at = owner.into();
        Some(step)
    }

    /// The step that asks at this path, of one record at a time.
    pub(super) fn step_of(&mut self, asked: &str) -> Option<&mut Step> {
        let is_it = |step: &&mut Step| matches!(&step.walk, Walk::Each { path, .. } if path == asked);
        self.steps.iter_mut().find(is_it)
    }

    /// How many records a page of that list has at the most.
    pub(super) fn page(&self, table: &Table) -> u64 {
        self.pages.get(table.name).copied().unwrap_or_else(|| largest_page(table))
    }

    /// The server refuses pages that large; whether smaller ones are worth a try.
    pub(super) fn ask_for_less(&mut self, table: &Table) -> bool {
        let refused = self.page(table);
        self.pages.insert(table.name.to_owned(), SMALLER_PAGE.min(refused));
        refused > SMALLER_PAGE
    }

    /// What `api.compatibility` the programs of the source know: that of the live service, or the one that a Pleito showed when
    /// it was asked for a page of lawsuits.
    pub(super) fn compatibility(&self) -> Compatibility {
        let pages = self.pages.get(Kind::Lawsuit.table().name);
        match pages.is_some() && !self.is_live {
            true => Compatibility::Document,
            false => Compatibility::Live,
        }
    }

    /// How many requests are left.
    pub(super) fn left(&self) -> u64 {
        let steps = self.steps.iter().enumerate().skip(self.at);
        let steps = steps.map(|(at, step)| self.left_of(step, at == self.at)).sum::<u64>();
        steps + SAMPLE_REQUESTS
    }

    /// Which pages are read again: the step, where the page begins, and how many records it has.
    pub(super) fn sampled(&self) -> Vec<(usize, u64, u64)> {
        let mut lists: Vec<(usize, u64)> = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
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

    fn left_of(&self, step: &Step, is_under_way: bool) -> u64 {
        let table = step.table();
        match &step.walk {
            Walk::List(_) => {
                let records = step.total.saturating_sub(step.at);
                let contents = if table.kind == Kind::Document { records } else { 0 };
                records.div_ceil(self.page(table)) + contents
            }
            // Before it begins, as many as came of what they are asked for; that is not known before it came either.
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
    if table.fields.iter().any(is_long) { PAGE_OF_LONG } else { PAGE }
}

/// The table of that name; a name that is stored is one of a table.
pub(super) fn table_named(name: &str) -> &'static Table {
    tables().find(|table| table.name == name).unwrap_or(List::Users.table())
}

/// The nouns, each behind what it points to.
fn in_order() -> Vec<&'static Table> {
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
            let is_there = |kind: Kind| ordered.iter().any(|other| other.kind == kind);
            !is_there(table.kind) && points_to(table).all(|kind| kind == table.kind || is_there(kind))
        };
        match TABLES.iter().find(is_next) {
            Some(table) => ordered.push(table),
            // They point to each other; there are none such.
            None => break,
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_record_points_to_comes_before_it_and_all_of_it_comes() {
        let ordered = in_order();
        assert_eq!(ordered.len(), TABLES.len());
        let place = |kind: Kind| ordered.iter().position(|table| table.kind == kind).unwrap();
        for table in TABLES {
            for kind in table.stored().filter_map(Field::record) {
                assert!(place(kind) < place(table.kind), "{kind:?} {:?}", table.kind);
            }
        }
        for is_live in [false, true] {
            let plan = MoveState::plan(is_live, 1);
            for table in TABLES {
                assert!(
                    plan.steps.iter().any(|step| step.resource == table.name),
                    "{} {is_live}",
                    table.name
                );
            }
        }
    }

    #[test]
    fn what_is_left_is_counted_in_requests() {
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

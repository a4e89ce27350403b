//! A day of an assistant, in words: what it read, and what it wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::console::layout::days::written;
use crate::console::prelude::*;
use crate::records::{Customer, Lawsuit, TABLES};
use crate::store::access::assistant_reads;
use crate::store::journal::{self, Op, Who};
use crate::store::records::full_records::tables;

/// Names of customers in the words for a day, for each kind of record.
const NAMES: usize = 3;

/// Number of records of a kind up to which they are read for the names of their customers.
const MAX_NAMED_RECORDS: usize = 200;

pub(super) struct AssistantDay {
    day: Day,
    read: Vec<ReadRecords>,
    /// Records by operation and table.
    written: Vec<(Op, &'static Table, u64)>,
}

/// The records of a table that were read on a day.
struct ReadRecords {
    table: &'static Table,
    number: usize,
    /// The customers that the records are, or are about. Empty if there are too many records.
    customers: BTreeSet<String>,
}

impl AssistantDay {
    /// Reads the newest days, at most `most`, on which an assistant read or wrote.
    pub fn newest(db: Db<'_>, who: Option<&Who>, zone: &TimeZone, most: usize) -> Result<Vec<AssistantDay>> {
        let key = match who {
            Some(Who::Key(name)) => Some(name),
            _ => None,
        };
        let mut days = Vec::new();
        let mut before = i64::MAX;
        while days.len() < most {
            let read = assistant_reads::newest_before(db, who, before)?;
            let wrote = key.map(|name| journal::newest_of_key(db, name, before)).transpose()?.flatten();
            let Some(newest) = read.max(wrote) else { break };
            let moment = Timestamp::from_second(newest).unwrap_or_default();
            let day = Day::on_calendar(zone.to_datetime(moment).date());
            let period = day.begins(zone)..before.min(newest.saturating_add(1));
            days.push(AssistantDay {
                day,
                read: ReadRecords::within(db, who, &period)?,
                written: match key {
                    Some(name) => written_within(db, name, &period)?,
                    None => Vec::new(),
                },
            });
            before = period.start;
        }
        Ok(days)
    }

    /// Renders the day, with the undo of what the key wrote.
    pub fn render(&self, key: Option<&str>, visit: &Visit) -> Markup {
        let read =
            self.read.iter().map(|read| format!("{} {}", visit.pick("leu", "read"), read.words(visit)));
        let written = self.written.iter().filter_map(|(op, table, number)| {
            let counted = counted(*number, table, visit.lang);
            Some(format!("{} {counted}", done(*op, visit)?))
        });
        let mut acts = read.chain(written).collect::<Vec<_>>();
        if acts.is_empty() {
            let erased = visit
                .pick("leu registros que já foram excluídos de vez", "read records that were erased since");
            acts.push(erased.to_owned());
        }
        html! {
            strong { (written_day(self.day, visit)) }
            ul { @for act in &acts { li { (act) } } }
            @if let (Some(key), false) = (key, self.written.is_empty()) {
                @let label = visit.pick("Desfazer o que escreveu neste dia", "Undo what it wrote on this day");
                details.step {
                    summary aria-label={ (label) ": " (written_day(self.day, visit)) } { (label) }
                    p { (visit.pick(
                        "O que esta chave criou neste dia vai para a lixeira, e o que ela alterou ou excluiu volta a ser o que era. O que alguém alterou depois fica como está e é listado.",
                        "The records that this key created on this day are moved to the trash, and those that it changed or deleted are as they were before. Records that were changed since stay as they are, and are listed.",
                    )) }
                    form method="post" action={ (BASE) "/assistants" } {
                        (csrf_field(visit))
                        input type="hidden" name="key" value=(key);
                        input type="hidden" name="day" value=(self.day.iso());
                        button.danger type="submit" { (visit.pick("Desfazer este dia", "Undo this day")) }
                    }
                }
            }
        }
    }
}

fn written_day(day: Day, visit: &Visit) -> String {
    match day == visit.today {
        true => visit.pick("Hoje", "Today").to_owned(),
        false => written(day, visit.lang),
    }
}

/// Returns the verb for an operation, or `None` for one that no key has.
fn done(op: Op, visit: &Visit) -> Option<&'static str> {
    match op {
        Op::Created => Some(visit.pick("criou", "created")),
        Op::Updated => Some(visit.pick("alterou", "changed")),
        Op::Deleted => Some(visit.pick("moveu para a lixeira", "moved to the trash")),
        Op::Restored => Some(visit.pick("trouxe da lixeira", "restored from the trash")),
        Op::Purged | Op::Replaced => None,
    }
}

fn written_within(db: Db<'_>, key: &str, period: &Range<i64>) -> StoreResult<Vec<(Op, &'static Table, u64)>> {
    let counts = journal::counts_of_key(db, key, period)?.into_iter();
    let table = |kind: &str| tables().find(|table| table.name == kind);
    Ok(counts.filter_map(|(op, kind, number)| Some((op, table(&kind)?, number))).collect())
}

impl ReadRecords {
    fn within(db: Db<'_>, who: Option<&Who>, period: &Range<i64>) -> StoreResult<Vec<ReadRecords>> {
        let mut ids = BTreeMap::<String, Vec<u32>>::new();
        for (kind, id) in assistant_reads::shown_within(db, who, period)? {
            ids.entry(kind).or_default().push(id);
        }
        let read = TABLES.iter().filter_map(|table| Some((*table, ids.remove(table.name)?)));
        read.map(|(table, ids)| {
            let customers = customers_of(db, table, &ids)?;
            Ok(ReadRecords { table, number: ids.len(), customers })
        })
        .collect()
    }

    /// Returns the number of records with the names of their customers: `3 processos de Rosângela Lima`.
    fn words(&self, visit: &Visit) -> String {
        let counted = counted(self.number as u64, self.table, visit.lang);
        let mut names = self.customers.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
        if names.is_empty() {
            return counted;
        }
        if let more @ 1.. = self.customers.len().saturating_sub(NAMES) {
            names.push_str(&format!(" +{}", count(more as u64, visit.lang)));
        }
        match self.table.kind {
            Kind::Customer => format!("{counted} ({names})"),
            _ => format!("{counted} {} {names}", visit.pick("de", "of")),
        }
    }
}

/// Returns the names of the customers that customers or cases are about, deleted ones included.
fn customers_of(db: Db<'_>, table: &'static Table, ids: &[u32]) -> StoreResult<BTreeSet<String>> {
    if ids.len() > MAX_NAMED_RECORDS || ![Customer::KIND, Lawsuit::KIND].contains(&table.kind) {
        return Ok(BTreeSet::new());
    }
    let mut records = View::read(db, table, ids)?;
    records.extend(View::read_deleted(db, table, ids)?);
    let names = records.iter().map(|record| record.text("name").to_owned());
    Ok(names.filter(|name| !name.is_empty()).collect())
}

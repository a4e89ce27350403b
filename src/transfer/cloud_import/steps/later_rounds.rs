//! Later rounds of a move: requests only what can be new, and reports differences.
//!
//! Lists are read completely, because they take few requests. Records that are listed for one owner at a time
//! are requested only if the owner is new or has changed, or if `/last_movements` has a movement of a lawsuit
//! that is not here.

use jiff::tz::TimeZone;

use super::sample::{Compared, compared};
use super::walk::page_in;
use crate::http::json::record::read_value_in;
use crate::records::{Lawsuit, Movement, Task};
use crate::store::imports::moves;
use crate::transfer::cloud_import::mover::Mover;
use crate::transfer::cloud_import::plan::{HISTORY, MoveState, Walk, WantedOwners};
use crate::transfer::cloud_import::record::ReadContext;
use crate::transfer::cloud_import::source::SourceAnswer;
use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::prelude::*;

/// Page sizes for `/last_movements`: the first one, and the one to use if the server refuses it.
const PAGES: [usize; 2] = [1000, 100];

impl MoveState {
    /// Schedules all requests for the records of one owner.
    fn schedule_owner(&mut self, of: &Table, id: u32) {
        let paths = self.steps.iter().filter_map(|step| match &step.walk {
            Walk::Each { of: owner, path, .. } | Walk::Beside { of: owner, path, .. } if owner == of.name => {
                Some(path.clone())
            }
            _ => None,
        });
        let paths: Vec<String> = paths.collect();
        paths.iter().for_each(|path| self.schedule(path, id));
    }

    fn schedule(&mut self, path: &str, id: u32) {
        if let Some(wanted) = &mut self.wanted {
            wanted.add(path, id);
        }
    }
}

impl Mover<'_> {
    /// Finds the lawsuits with a movement that is not here. If the server cannot tell, the round requests everything.
    pub(in crate::transfer::cloud_import) fn find_news(&mut self) -> Result<()> {
        if !self.state.is_live || self.state.round == 1 {
            return Ok(());
        }
        let Some(newest) = self.last_movements()? else { return Ok(()) };
        let zone = self.app.zone().clone();
        let with_news = self.store.read(move |db| {
            let mut with_news = Vec::new();
            for movement in &newest {
                if let Some(lawsuit) = movement.get("lawsuit_id").and_then(number)
                    && !has_movement_here(db, lawsuit, movement, &zone)?
                {
                    with_news.push((lawsuit, customers_of(db, lawsuit)?));
                }
            }
            Ok::<_, store::Error>(with_news)
        })?;
        self.state.wanted = Some(WantedOwners::default());
        for (lawsuit, customers) in with_news {
            self.state.schedule_owner(Lawsuit::TABLE, lawsuit);
            customers.into_iter().for_each(|id| self.state.schedule_owner(Kind::Customer.table(), id));
        }
        Ok(())
    }

    /// Returns the newest movement of each lawsuit, or `None` if the server cannot list them.
    fn last_movements(&mut self) -> Result<Option<Vec<JsonObject>>> {
        let mut all = Vec::new();
        let mut sizes = PAGES.into_iter();
        let Some(mut size) = sizes.next() else { return Ok(None) };
        loop {
            let path = format!("/last_movements?limit={size}&offset={}", all.len());
            match self.ask(&path)? {
                SourceAnswer::Object(object) => {
                    let (records, total) = page_in(object, &path)?;
                    let is_last = records.is_empty();
                    all.extend(records);
                    if is_last || all.len() as u64 >= total {
                        return Ok(Some(all));
                    }
                }
                SourceAnswer::Refused(422, _) => match sizes.next() {
                    Some(smaller) => size = smaller,
                    None => return Ok(None),
                },
                SourceAnswer::Nothing if all.is_empty() => return Ok(Some(all)),
                _ => return Ok(None),
            }
        }
    }

    /// Finds the new and changed records of a page before the page is stored, and schedules further requests.
    pub(in crate::transfer::cloud_import) fn notice(
        &mut self,
        table: &'static Table,
        records: &[JsonObject],
    ) -> Result<()> {
        if self.state.round == 1 {
            return Ok(());
        }
        let chunk = self.chunk(table)?;
        let looked = records.to_vec();
        let found = self.store.read(move |db| {
            db.snapshot(|db| {
                looked.iter().map(|incoming| news_of(db, table, incoming, &chunk.context())).collect()
            })
        });
        let found: Vec<News> = found.map_err(|cause: store::Error| cause)?;
        for (incoming, news) in records.iter().zip(found) {
            let Some(id) = incoming.get("id").and_then(number) else { continue };
            let is_new = matches!(news, News::New);
            match news {
                News::Same => continue,
                News::New => {}
                News::Different(members) => {
                    for member in members {
                        let different = (table.path.to_owned(), id, member.to_owned());
                        if !self.state.differing.contains(&different) {
                            self.state.differing.push(different);
                        }
                    }
                }
            }
            self.state.schedule_owner(table, id);
            let lawsuit = incoming.get("lawsuits_id").and_then(number);
            if let Some(lawsuit) = lawsuit.filter(|_| is_new && table.kind == Task::KIND) {
                self.state.schedule(HISTORY, lawsuit);
            }
            if table.kind == Lawsuit::KIND {
                let customers = incoming.get("customers").and_then(Json::as_array).into_iter().flatten();
                let customers: Vec<u32> =
                    customers.filter_map(|customer| customer.get("customer_id").and_then(number)).collect();
                customers.into_iter().for_each(|id| self.state.schedule_owner(Kind::Customer.table(), id));
            }
        }
        Ok(())
    }

    /// Returns the next owners below the id `below`, the newest first, and the number of all remaining ones.
    pub(in crate::transfer::cloud_import) fn owners(
        &self,
        of: &'static Table,
        path: &str,
        below: u32,
        most: u32,
    ) -> Result<(Vec<u32>, u64)> {
        let Some(wanted) = &self.state.wanted else {
            return Ok(self.store.read(move |db| {
                let owners = moves::below(db, of, below, most)?;
                Ok::<_, store::Error>((owners, moves::count_below(db, of, below)?))
            })?);
        };
        let wanted = wanted.below(path, below);
        let mut owners = self.store.read(move |db| {
            let mut came = Vec::new();
            for id in wanted {
                if moves::here(db, of, &id.to_string())?.is_some() {
                    came.push(id);
                }
            }
            Ok::<_, store::Error>(came)
        })?;
        let count = owners.len() as u64;
        owners.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok((owners, count))
    }
}

enum News {
    Same,
    New,
    /// The members that differ. Empty if only the moment of change differs.
    Different(Vec<&'static str>),
}

fn news_of(
    db: Db<'_>,
    table: &'static Table,
    incoming: &JsonObject,
    context: &ReadContext<'_>,
) -> StoreResult<News> {
    let Some(id) = incoming.get("id").and_then(number) else { return Ok(News::Same) };
    let Some(here) = moves::here(db, table, &id.to_string())? else { return Ok(News::New) };
    Ok(match compared(db, &FullTable::of(table), incoming, here, context)? {
        None => News::Same,
        Some(Compared { is_touched: false, members }) if members.is_empty() => News::Same,
        Some(Compared { members, .. }) => News::Different(members),
    })
}

/// Returns `true` if the lawsuit has this movement here, by day and text.
fn has_movement_here(db: Db<'_>, lawsuit: u32, movement: &JsonObject, zone: &TimeZone) -> StoreResult<bool> {
    let read = |name: &str| {
        let field = Movement::TABLE.field(name)?;
        let value = read_value_in(field, movement.get(field.shown)?, zone).ok()?;
        value.text().map(str::to_owned)
    };
    match (read("date"), read("title")) {
        (Some(date), Some(title)) => moves::has_movement(db, lawsuit, &date, &title),
        _ => Ok(false),
    }
}

fn customers_of(db: Db<'_>, lawsuit: u32) -> StoreResult<Vec<u32>> {
    let whole = FullTable::of(Lawsuit::TABLE);
    let record = whole.by_id(db, lawsuit)?;
    Ok(record.and_then(|record| Some(whole.value(&record, "customers")?.ids())).unwrap_or_default())
}

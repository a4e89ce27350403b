//! A later round: only what can be new is asked for, and what differs by now is named.
//!
//! The lists are read as ever, as they are few requests. What is listed of one record at a time is asked for where a record is
//! new or has changed, or `/last_movements` has a movement of a lawsuit that is not here.

use serde_json::{Map, Value as Json};

use super::ids::number;
use super::mover::Mover;
use super::plan::{HISTORY, MoveState, Walk};
use super::record::Setting;
use super::sample::{Compared, compared};
use super::source::SourceAnswer;
use super::walk::listed;
use super::wanted::WantedOwners;
use crate::records::{Field, Kind, Lawsuit, Movement, Record as _, Table, Task, Type, Value};
use crate::store::whole::WholeTable;
use crate::store::{self, Db, moves};
use crate::transfer::error::TransferError;

/// How many lawsuits are asked for at once, and how many if that is refused.
const PAGES: [usize; 2] = [1000, 100];

impl MoveState {
    /// Has everything be asked for that is listed of one record.
    fn want(&mut self, of: &Table, id: u32) {
        let paths = self.steps.iter().filter_map(|step| match &step.walk {
            Walk::Each { of: owner, path, .. } | Walk::Beside { of: owner, path, .. } if owner == of.name => {
                Some(path.clone())
            }
            _ => None,
        });
        let paths: Vec<String> = paths.collect();
        paths.iter().for_each(|path| self.want_at(path, id));
    }

    fn want_at(&mut self, path: &str, id: u32) {
        if let Some(wanted) = &mut self.wanted {
            wanted.add(path, id);
        }
    }
}

impl Mover<'_> {
    /// Asks which lawsuits have a movement that is not here. A server that does not tell is asked for everything.
    pub(super) fn find_news(&mut self) -> Result<(), TransferError> {
        if !self.state.is_live || self.state.round == 1 {
            return Ok(());
        }
        let Some(newest) = self.last_movements()? else { return Ok(()) };
        let with_news = self.store.read(move |db| {
            let mut with_news = Vec::new();
            for movement in &newest {
                if let Some(lawsuit) = movement.get("lawsuit_id").and_then(number)
                    && !is_here(db, lawsuit, movement)?
                {
                    with_news.push((lawsuit, customers_of(db, lawsuit)?));
                }
            }
            Ok::<_, store::Error>(with_news)
        })?;
        self.state.wanted = Some(WantedOwners::default());
        for (lawsuit, customers) in with_news {
            self.state.want(Lawsuit::TABLE, lawsuit);
            customers.into_iter().for_each(|id| self.state.want(Kind::Customer.table(), id));
        }
        Ok(())
    }

    /// The newest movement of each lawsuit, or `None` if the server does not tell it.
    fn last_movements(&mut self) -> Result<Option<Vec<Map<String, Json>>>, TransferError> {
        let (mut all, mut sizes) = (Vec::new(), PAGES.into_iter());
        let Some(mut size) = sizes.next() else { return Ok(None) };
        loop {
            let path = format!("/last_movements?limit={size}&offset={}", all.len());
            match self.ask(&path)? {
                SourceAnswer::Object(object) => {
                    let (records, total) = listed(object, &path)?;
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

    /// Looks what is new or different of records that a list has, before they are stored.
    pub(super) fn notice(
        &mut self,
        table: &'static Table,
        records: &[Map<String, Json>],
    ) -> Result<(), TransferError> {
        if self.state.round == 1 {
            return Ok(());
        }
        let (chunk, looked) = (self.chunk(table)?, records.to_vec());
        let found = self.store.read(move |db| {
            db.snapshot(|db| looked.iter().map(|said| news_of(db, table, said, &chunk.setting())).collect())
        });
        let found: Vec<News> = found.map_err(|cause: store::Error| cause)?;
        for (said, news) in records.iter().zip(found) {
            let Some(id) = said.get("id").and_then(number) else { continue };
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
            self.state.want(table, id);
            let lawsuit = said.get("lawsuits_id").and_then(number);
            if let Some(lawsuit) = lawsuit.filter(|_| is_new && table.kind == Task::KIND) {
                self.state.want_at(HISTORY, lawsuit);
            }
            if table.kind == Lawsuit::KIND {
                let customers = said.get("customers").and_then(Json::as_array).into_iter().flatten();
                let customers: Vec<u32> =
                    customers.filter_map(|customer| customer.get("customer_id").and_then(number)).collect();
                customers.into_iter().for_each(|id| self.state.want(Kind::Customer.table(), id));
            }
        }
        Ok(())
    }

    /// The records of the table `of` whose own are asked for next, the newest first, and how many there are.
    pub(super) fn owners(
        &self,
        of: &'static Table,
        path: &str,
        below: u32,
        most: u32,
    ) -> Result<(Vec<u32>, u64), TransferError> {
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

/// What a record there is to this office.
enum News {
    Same,
    New,
    /// The members that differ; none if it was only touched.
    Different(Vec<&'static str>),
}

fn news_of(
    db: Db<'_>,
    table: &'static Table,
    said: &Map<String, Json>,
    setting: &Setting<'_>,
) -> Result<News, store::Error> {
    let Some(id) = said.get("id").and_then(number) else { return Ok(News::Same) };
    let Some(here) = moves::here(db, table, &id.to_string())? else { return Ok(News::New) };
    Ok(match compared(db, &WholeTable::of(table), said, here, setting)? {
        None => News::Same,
        Some(Compared { is_touched: false, members }) if members.is_empty() => News::Same,
        Some(Compared { members, .. }) => News::Different(members),
    })
}

/// Returns `true` if the movement, or a later one of its lawsuit, is here.
fn is_here(db: Db<'_>, lawsuit: u32, movement: &Map<String, Json>) -> Result<bool, store::Error> {
    let read = |name: &str| {
        let field = Movement::TABLE.field(name)?;
        let value = crate::http::record::read_value(field, movement.get(field.shown)?).ok()?;
        value.text().map(str::to_owned)
    };
    match (read("date"), read("title")) {
        (Some(date), Some(title)) => moves::has_movement(db, lawsuit, &date, &title),
        _ => Ok(false),
    }
}

fn customers_of(db: Db<'_>, lawsuit: u32) -> Result<Vec<u32>, store::Error> {
    let Some(record) = WholeTable::of(Lawsuit::TABLE).by_id(db, lawsuit)? else { return Ok(Vec::new()) };
    let is_customers = |field: &Field| field.ty == Type::Links(Kind::Customer);
    let stored = Lawsuit::TABLE.stored().zip(&record.values);
    Ok(stored.filter(|(field, _)| is_customers(field)).flat_map(|(_, value)| Value::ids(value)).collect())
}

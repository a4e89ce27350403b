//! Lawsuits and whom they are about: rows in, rows out.

mod record;

use std::ops::RangeInclusive;

use rusqlite::{OptionalExtension, Statement};

use super::columns::{Cells, bind};
use super::{Db, Error, Tx, gone};
use crate::domain::date::Day;
use crate::domain::id::{CustomerId, LawsuitId, StageId, TypeId, UserId};
use crate::domain::money::Money;
use crate::domain::process_number::ProcessNumber;
use crate::domain::text::{Folder, Notes, ProtocolNumber};

pub use record::{LinkedCustomer, Record, records};

/// What can be written of a lawsuit (contract 5.1).
#[derive(Clone, Debug)]
pub struct Fields {
    /// Who is responsible.
    pub user: UserId,
    /// What kind of lawsuit; its group follows.
    pub kind: TypeId,
    /// Where it stands; its step follows.
    pub stage: StageId,
    /// Whom it is about, in the order given, each once.
    pub customers: Vec<CustomerId>,
    /// Its number at the court.
    pub process_number: Option<ProcessNumber>,
    /// Its protocol number.
    pub protocol_number: Option<ProtocolNumber>,
    /// The name of its folder.
    pub folder: Option<Folder>,
    /// Its date.
    pub process_date: Option<Day>,
    /// Free text.
    pub notes: Option<Notes>,
    /// Fees expected.
    pub fees_expec: Option<Money>,
    /// Fees agreed on in money.
    pub fees_money: Option<Money>,
    /// What is at stake.
    pub contingency: Option<Money>,
    /// When it was closed.
    pub status_closure: Option<Day>,
    /// When it left production.
    pub exit_production: Option<Day>,
    /// When it left execution.
    pub exit_execution: Option<Day>,
}

impl Fields {
    /// What a lawsuit has at least.
    pub fn new(user: UserId, kind: TypeId, stage: StageId, customers: Vec<CustomerId>) -> Fields {
        Fields {
            user,
            kind,
            stage,
            customers,
            process_number: None,
            protocol_number: None,
            folder: None,
            process_date: None,
            notes: None,
            fees_expec: None,
            fees_money: None,
            contingency: None,
            status_closure: None,
            exit_production: None,
            exit_execution: None,
        }
    }
}

/// What lists look at, borrowed from a row.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the columns of the same names")]
pub struct Searchable<'r> {
    pub id: u32,
    pub user: u32,
    pub kind: u32,
    pub stage: u32,
    pub process_number: Option<&'r str>,
    pub protocol_number: Option<&'r str>,
    pub folder: Option<&'r str>,
    pub notes: Option<&'r str>,
    pub process_date: Option<&'r str>,
    pub status_closure: Option<&'r str>,
    pub created_at: i64,
}

const INSERT: &str = "
    INSERT INTO lawsuits (user_id, type_id, stage_id, process_number, protocol_number, folder, process_date, notes,
        fees_expec, fees_money, contingency, status_closure, exit_production, exit_execution, created_at, updated_at)
    VALUES (:user, :type, :stage, :process_number, :protocol_number, :folder, :process_date, :notes,
        :fees_expec, :fees_money, :contingency, :status_closure, :exit_production, :exit_execution, :now, :now)";

const UPDATE: &str = "
    UPDATE lawsuits SET user_id = :user, type_id = :type, stage_id = :stage, process_number = :process_number,
        protocol_number = :protocol_number, folder = :folder, process_date = :process_date, notes = :notes,
        fees_expec = :fees_expec, fees_money = :fees_money, contingency = :contingency,
        status_closure = :status_closure, exit_production = :exit_production, exit_execution = :exit_execution,
        updated_at = :now
    WHERE id = :id";

const SELECT_FIELDS: &str = "
    SELECT user_id, type_id, stage_id, process_number, protocol_number, folder, process_date, notes, fees_expec,
        fees_money, contingency, status_closure, exit_production, exit_execution
    FROM lawsuits WHERE id = ?1";

const SELECT_SEARCHABLE: &str = "
    SELECT id, user_id, type_id, stage_id, process_number, protocol_number, folder, notes, process_date, status_closure,
        created_at
    FROM lawsuits WHERE id BETWEEN ?1 AND ?2 ORDER BY id";

const SELECT_NAMES: &str = "
    SELECT l.lawsuit_id, c.name_key
    FROM lawsuit_customers l JOIN customers c ON c.id = l.customer_id
    WHERE l.lawsuit_id BETWEEN ?1 AND ?2 ORDER BY l.lawsuit_id, l.position";

/// Stores a new lawsuit. The caller has made sure that its references exist.
///
/// # Errors
/// Why the store cannot be written.
pub fn insert(tx: Tx<'_>, fields: &Fields, now: i64) -> Result<LawsuitId, Error> {
    write(&mut *tx.conn().prepare_cached(INSERT)?, fields, now)?;
    let id = u64::try_from(tx.conn().last_insert_rowid()).ok().and_then(LawsuitId::new);
    let id = id.ok_or_else(|| gone("a lawsuit"))?;
    link(tx, id, &fields.customers)?;
    Ok(id)
}

/// Stores a lawsuit anew, its links to customers included.
///
/// # Errors
/// Why the store cannot be written.
pub fn update(tx: Tx<'_>, id: LawsuitId, fields: &Fields, now: i64) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(UPDATE)?;
    bind(&mut statement, &[(":id", &id)])?;
    write(&mut statement, fields, now)?;
    tx.conn().prepare_cached("DELETE FROM lawsuit_customers WHERE lawsuit_id = ?1")?.execute([id])?;
    link(tx, id, &fields.customers)
}

fn write(statement: &mut Statement<'_>, fields: &Fields, now: i64) -> Result<(), Error> {
    bind(
        statement,
        &[
            (":user", &fields.user),
            (":type", &fields.kind),
            (":stage", &fields.stage),
            (":process_number", &fields.process_number),
            (":protocol_number", &fields.protocol_number),
            (":folder", &fields.folder),
            (":process_date", &fields.process_date),
            (":notes", &fields.notes),
            (":fees_expec", &fields.fees_expec),
            (":fees_money", &fields.fees_money),
            (":contingency", &fields.contingency),
            (":status_closure", &fields.status_closure),
            (":exit_production", &fields.exit_production),
            (":exit_execution", &fields.exit_execution),
            (":now", &now),
        ],
    )?;
    statement.raw_execute()?;
    Ok(())
}

fn link(tx: Tx<'_>, id: LawsuitId, customers: &[CustomerId]) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO lawsuit_customers (lawsuit_id, position, customer_id) VALUES (:lawsuit, :position, :customer)",
    )?;
    for (position, customer) in (0i64..).zip(customers) {
        statement.execute(
            rusqlite::named_params! { ":lawsuit": id, ":position": position, ":customer": customer },
        )?;
    }
    Ok(())
}

/// What is written of the lawsuit with that id, its customers included. The caller opens a snapshot, in which both are of
/// the same state.
///
/// # Errors
/// Why the store cannot be read.
pub fn fields(db: Db<'_>, id: LawsuitId) -> Result<Option<Fields>, Error> {
    let mut linked = db.conn().prepare_cached(
        "SELECT customer_id FROM lawsuit_customers WHERE lawsuit_id = ?1 ORDER BY position",
    )?;
    let customers = linked.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut statement = db.conn().prepare_cached(SELECT_FIELDS)?;
    let fields = statement.query_row([id], |row| {
        let mut cells = Cells::of(row);
        Ok(Fields {
            user: cells.next()?,
            kind: cells.next()?,
            stage: cells.next()?,
            customers,
            process_number: cells.next()?,
            protocol_number: cells.next()?,
            folder: cells.next()?,
            process_date: cells.next()?,
            notes: cells.next()?,
            fees_expec: cells.next()?,
            fees_money: cells.next()?,
            contingency: cells.next()?,
            status_closure: cells.next()?,
            exit_production: cells.next()?,
            exit_execution: cells.next()?,
        })
    });
    Ok(fields.optional()?)
}

/// The ids of a customer's lawsuits, ascending.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_customer(db: Db<'_>, customer: u32) -> Result<Vec<u32>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT lawsuit_id FROM lawsuit_customers WHERE customer_id = ?1 ORDER BY lawsuit_id",
    )?;
    let ids = statement.query_map([customer], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// The lawsuits of the customers whose ids are in the range, in no order; one of several customers comes several times.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_customers(db: Db<'_>, customers: RangeInclusive<u32>) -> Result<Vec<u32>, Error> {
    let mut statement = db
        .conn()
        .prepare_cached("SELECT lawsuit_id FROM lawsuit_customers WHERE customer_id BETWEEN ?1 AND ?2")?;
    let ids = statement.query_map([customers.start(), customers.end()], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Shows `see` what lists look at, of the lawsuits whose ids are in the range, by id.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
pub fn searchable(
    db: Db<'_>,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(Searchable<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(SELECT_SEARCHABLE)?;
    let mut rows = statement.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        let mut cells = Cells::of(row);
        see(Searchable {
            id: cells.next()?,
            user: cells.next()?,
            kind: cells.next()?,
            stage: cells.next()?,
            process_number: cells.next_text()?,
            protocol_number: cells.next_text()?,
            folder: cells.next_text()?,
            notes: cells.next_text()?,
            process_date: cells.next_text()?,
            status_closure: cells.next_text()?,
            created_at: cells.next()?,
        })?;
    }
    Ok(())
}

/// Shows `see` the folded names of the customers of the lawsuits whose ids are in the range, by lawsuit.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
pub fn names(
    db: Db<'_>,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(u32, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(SELECT_NAMES)?;
    let mut rows = statement.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        let mut cells = Cells::of(row);
        see(cells.next()?, cells.next_text()?.unwrap_or_default())?;
    }
    Ok(())
}

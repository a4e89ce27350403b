//! Lawsuits: what is asked of them alone.

use std::ops::RangeInclusive;

use super::columns::Cells;
use super::{Db, Error};
use crate::domain::id::CustomerId;

/// A customer of a lawsuit.
#[derive(Clone, Debug)]
pub struct LinkedCustomer {
    /// Its id.
    pub id: CustomerId,
    /// Full name.
    pub name: String,
    /// CPF or CNPJ.
    pub identification: Option<String>,
    /// The origin's name.
    pub origin: String,
}

/// Whom a lawsuit is about, in the order given.
///
/// # Errors
/// Why the store cannot be read.
pub fn customers(db: Db<'_>, lawsuit: u32) -> Result<Vec<LinkedCustomer>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT c.id, c.name, c.identification, o.name
         FROM lawsuit_customers l
             JOIN customers c ON c.id = l.customer_id
             JOIN origins o ON o.id = c.origin_id
         WHERE l.lawsuit_id = ?1 ORDER BY l.position",
    )?;
    let linked = statement.query_map([lawsuit], |row| {
        let mut cells = Cells::of(row);
        Ok(LinkedCustomer {
            id: cells.next()?,
            name: cells.next()?,
            identification: cells.next()?,
            origin: cells.next()?,
        })
    })?;
    Ok(linked.collect::<Result<_, _>>()?)
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

const SELECT_SEARCHABLE: &str = "
    SELECT id, user_id, type_id, stage_id, process_number, protocol_number, folder, notes, process_date, status_closure,
        created_at
    FROM lawsuits WHERE id BETWEEN ?1 AND ?2 ORDER BY id";

const SELECT_NAMES: &str = "
    SELECT l.lawsuit_id, c.name_key
    FROM lawsuit_customers l JOIN customers c ON c.id = l.customer_id
    WHERE l.lawsuit_id BETWEEN ?1 AND ?2 ORDER BY l.lawsuit_id, l.position";

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

//! Lawsuits: what is asked of them alone.

use super::columns::Cells;
use super::{Db, Error};
use crate::domain::ProcessNumber;
use crate::records::{CustomerId, LawsuitId};

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

/// The lawsuit of that process number, whatever its punctuation; of several the one with the lowest id.
///
/// # Errors
/// Why the store cannot be read.
pub fn numbered(db: Db<'_>, number: &ProcessNumber) -> Result<Option<LawsuitId>, Error> {
    // The expression is that of the index.
    let mut statement = db.conn().prepare_cached(
        "SELECT min(id) FROM lawsuits
         WHERE process_number IS NOT NULL AND deleted_at IS NULL
             AND upper(replace(replace(replace(replace(process_number, '.', ''), '-', ''), '/', ''), ' ', ''))
               = upper(replace(replace(replace(replace(?1, '.', ''), '-', ''), '/', ''), ' ', ''))",
    )?;
    Ok(statement.query_row([number.as_str()], |row| row.get(0))?)
}

/// The first lawsuits of that process number, `limit` at the most.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_number(db: Db<'_>, number: &ProcessNumber, limit: u32) -> Result<Vec<LawsuitId>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM lawsuits WHERE process_number = ?1 AND deleted_at IS NULL ORDER BY id LIMIT ?2",
    )?;
    let ids = statement.query_map((number.as_str(), limit), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

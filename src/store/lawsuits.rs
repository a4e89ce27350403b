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

//! Customers as lists look at them.

use std::ops::RangeInclusive;

use crate::store::columns::Cells;
use crate::store::{Db, Error};

/// What lists look at, borrowed from a row.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the columns of the same names")]
pub struct Searchable<'r> {
    pub id: u32,
    pub origin: u32,
    pub name_key: &'r str,
    pub identification: Option<&'r str>,
    pub phone: Option<&'r str>,
    pub cellphone: Option<&'r str>,
    pub email: Option<&'r str>,
    pub city: Option<&'r str>,
    pub state: Option<&'r str>,
    pub occupation: Option<&'r str>,
    pub document: Option<&'r str>,
    pub birthdate: Option<&'r str>,
    pub created_at: i64,
}

/// Of one customer, or of all of them by id.
const SELECT_SEARCHABLE: &str = "
    SELECT id, origin_id, name_key, identification, phone, cellphone, email, city, state, occupation, document, birthdate,
        created_at
    FROM customers WHERE id BETWEEN ?1 AND ?2 ORDER BY id";

/// Shows `see` what lists look at, of the customers whose ids are in the range, by id.
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
            origin: cells.next()?,
            name_key: cells.next_text()?.unwrap_or_default(),
            identification: cells.next_text()?,
            phone: cells.next_text()?,
            cellphone: cells.next_text()?,
            email: cells.next_text()?,
            city: cells.next_text()?,
            state: cells.next_text()?,
            occupation: cells.next_text()?,
            document: cells.next_text()?,
            birthdate: cells.next_text()?,
            created_at: cells.next()?,
        })?;
    }
    Ok(())
}

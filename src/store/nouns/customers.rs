//! Queries specific to customers.

pub mod possible_duplicates;

use rusqlite::named_params;

use crate::domain::Day;
use crate::domain::numbers::tax_id::TaxId;
use crate::domain::text::{Name, fold};
use crate::records::{CustomerId, LawsuitId};
use crate::store::records::columns::Cells;
use crate::store::{Db, Error};

/// A lawsuit that is linked to a customer.
#[derive(Clone, Debug)]
pub struct LinkedLawsuit {
    pub id: LawsuitId,
    /// Number of the lawsuit at the court.
    pub process_number: Option<String>,
    pub protocol_number: Option<String>,
}

/// Returns the lawsuits of a customer, ordered by id.
pub fn lawsuits(db: Db<'_>, customer: u32) -> Result<Vec<LinkedLawsuit>, Error> {
    let sql = "SELECT s.id, s.process_number, s.protocol_number
         FROM lawsuit_customers l JOIN lawsuits s ON s.id = l.lawsuit_id
         WHERE l.customer_id = ?1 AND s.deleted_at IS NULL ORDER BY l.lawsuit_id";
    db.all(sql, [customer], |row| {
        let mut cells = Cells::of(row);
        Ok(LinkedLawsuit { id: cells.next()?, process_number: cells.next()?, protocol_number: cells.next()? })
    })
}

/// Finds the customer with this tax id, deleted ones included.
pub fn holder_of(db: Db<'_>, tax_id: &TaxId) -> Result<Option<CustomerId>, Error> {
    db.first_value("SELECT id FROM customers WHERE identification = ?1", [tax_id.as_str()])
}

/// Returns the folded name and the tax id of a customer, or `None` if it does not exist or is deleted.
pub fn name_and_tax_id(db: Db<'_>, id: u32) -> Result<Option<(String, Option<TaxId>)>, Error> {
    let read = |row: &rusqlite::Row<'_>| {
        let tax_id: Option<String> = row.get(1)?;
        Ok((row.get(0)?, tax_id.map(TaxId::from_stored)))
    };
    db.first(
        "SELECT name_key, identification FROM customers WHERE id = ?1 AND deleted_at IS NULL",
        [id],
        read,
    )
}

/// Returns the first ten customers with this name. Names are compared folded (without case and accents).
pub fn namesakes(db: Db<'_>, name: &Name) -> Result<Vec<CustomerId>, Error> {
    db.column(
        "SELECT id FROM customers WHERE name_key = ?1 AND deleted_at IS NULL ORDER BY id LIMIT 10",
        [fold(name.as_str())],
    )
}

/// Returns the first customer with this name (compared folded) and without a tax id.
pub fn namesake_without_tax_id(db: Db<'_>, name: &Name) -> Result<Option<CustomerId>, Error> {
    db.first_value(
        "SELECT id FROM customers WHERE name_key = ?1 AND identification IS NULL AND deleted_at IS NULL
         ORDER BY id LIMIT 1",
        [fold(name.as_str())],
    )
}

/// Repeats the conditions of the index `customers_by_birthday`, so that SQLite reads no row of the table, even for the
/// skipped customers.
const BORN_ON: &str =
    "SELECT id FROM customers WHERE substr(birthdate, 6) = :day AND birthdate IS NOT NULL AND deleted_at IS NULL AND situation <> 'deceased'
     ORDER BY name_key, id LIMIT :limit OFFSET :skip";

/// Returns a page of the customers with a birthday on this day, ordered by name and id.
pub fn born_on(db: Db<'_>, month: u8, day: u8, skip: u64, limit: u64) -> Result<Vec<u32>, Error> {
    let day = format!("{month:02}-{day:02}");
    db.column(BORN_ON, named_params! { ":day": day, ":limit": limit, ":skip": skip })
}

/// Returns the first customers who celebrate their birthday on this day, ordered by name and id. Who was born on 29
/// February does so on the 28th in years without it.
pub fn celebrating(db: Db<'_>, day: Day, limit: u64) -> Result<Vec<u32>, Error> {
    let mut born = born_on(db, day.month(), day.day(), 0, limit)?;
    let leap_day = Day::from_ymd(day.year(), 2, 29);
    if (day.month(), day.day()) == (2, 28) && leap_day.is_none() {
        born.extend(born_on(db, 2, 29, 0, limit.saturating_sub(born.len() as u64))?);
    }
    Ok(born)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    /// Regression: with soft delete, the query read every row before the page (8 ms for offset 5,000 of a million).
    #[test]
    fn a_page_of_birthdays_skips_earlier_entries_without_reading_their_rows() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let steps = store.read(|db| {
            let mut statement = db.conn().prepare(&["EXPLAIN ", BORN_ON].concat())?;
            let page = named_params! { ":day": "03-14", ":limit": 50, ":skip": 5000 };
            let steps = statement.query_map(page, |row| row.get::<_, String>(1))?;
            Ok::<_, Error>(steps.collect::<Result<Vec<_>, _>>()?)
        });
        let steps = steps.unwrap();
        assert!(steps.iter().any(|step| step == "DeferredSeek"), "{steps:?}");
        assert!(!steps.iter().any(|step| step == "Column"), "{steps:?}");
    }
}

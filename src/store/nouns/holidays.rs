//! Queries specific to holidays.

use rusqlite::named_params;

use crate::deadlines::CalendarRow;
use crate::domain::{CalendarEffect, CalendarScope, Day};
use crate::store::records::columns::Cells;
use crate::store::{Db, Error};

/// Returns the first holidays of a year, by day.
pub fn of_year(db: Db<'_>, year: i16, limit: usize) -> Result<Vec<u32>, Error> {
    let sql = "SELECT id FROM holidays WHERE day BETWEEN :first AND :last AND deleted_at IS NULL ORDER BY day, id LIMIT :limit";
    let [first, last] = bounds(year, year);
    db.column(sql, named_params! { ":first": first, ":last": last, ":limit": limit })
}

/// Returns the first day of the first year and the last day of the last one.
fn bounds(first: i16, last: i16) -> [String; 2] {
    [format!("{first:04}-01-01"), format!("{last:04}-12-31")]
}

/// Returns the rows of the calendar from the first to the last year, by day.
pub fn calendar(db: Db<'_>, first: i16, last: i16) -> Result<Vec<CalendarRow>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT day, name, scope, effect, must_be_proven, proof, source, completes_year FROM holidays
         WHERE day BETWEEN :first AND :last AND deleted_at IS NULL ORDER BY day, id",
    )?;
    let [first, last] = bounds(first, last);
    let rows = statement.query_map(named_params! { ":first": first, ":last": last }, |row| {
        let mut cells = Cells::of(row);
        let Ok(day) = Day::parse(&cells.next::<String>()?) else { return Ok(None) };
        Ok(Some(CalendarRow {
            day,
            name: cells.next()?,
            scope: CalendarScope::from_stored(cells.next()?),
            effect: CalendarEffect::from_stored(cells.next()?),
            must_be_proven: cells.next()?,
            proof: cells.next()?,
            source: cells.next()?,
            completes_year: cells.next()?,
        }))
    })?;
    Ok(rows.filter_map(Result::transpose).collect::<Result<_, _>>()?)
}

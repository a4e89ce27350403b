//! Queries specific to movements.

use rusqlite::named_params;

use crate::records::{Movement, MovementId};
use crate::store::{Db, Error};

/// Returns the movements with the lawsuit, day, time, court and text of this one, ordered by id.
pub fn equal(db: Db<'_>, movement: &Movement) -> Result<Vec<MovementId>, Error> {
    let sql = "SELECT id FROM movements
         WHERE lawsuit_id = :lawsuit AND date = :date AND time IS :time AND header IS :header AND title = :title
         ORDER BY id";
    let time = movement.time.as_ref();
    let header = movement.header.as_ref();
    let given = named_params! {
        ":lawsuit": movement.lawsuit_id, ":date": movement.date.iso(), ":title": movement.title.as_str(),
        ":time": time.map(|time| time.as_str()), ":header": header.map(|header| header.as_str()),
    };
    db.column(sql, given)
}

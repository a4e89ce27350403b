//! What many records have beside their own rows, read by one statement that is prepared once for all of them.

use std::collections::HashMap;

use super::columns::Cells;
use super::{Db, Error};

/// Rows by the record that they belong to.
#[derive(Debug)]
pub struct OfEach<T>(HashMap<u32, Vec<T>>);

impl<T> OfEach<T> {
    /// Those of one record, in the order in which they were read; nothing where it has none.
    pub fn of(&self, id: u32) -> &[T] {
        self.0.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Reads those of the records with these ids: of each what `read` makes of the rows of `select`, whose parameter is the id.
    /// To ask for all of them at once would have SQLite put all their rows in order, which takes longer.
    pub(super) fn read(
        db: Db<'_>,
        select: &str,
        ids: &[u32],
        read: impl Fn(&mut Cells<'_>) -> rusqlite::Result<T>,
    ) -> Result<OfEach<T>, Error> {
        let mut statement = db.conn().prepare_cached(select)?;
        let mut each = HashMap::with_capacity(ids.len());
        for id in ids {
            let rows = statement.query_map([id], |row| read(&mut Cells::of(row)))?;
            each.insert(*id, rows.collect::<Result<_, _>>()?);
        }
        Ok(OfEach(each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn each_record_has_its_own_rows_in_the_order_that_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let rows = |order: &'static str| {
            let select = ["SELECT name FROM stages WHERE step_id = ?1 ORDER BY place ", order];
            let read = store.read(move |db| {
                OfEach::<String>::read(db, &select.concat(), &[2, 1, 9999], |cells| cells.next())
            });
            read.unwrap()
        };
        let (up, down) = (rows("ASC"), rows("DESC"));
        assert!(up.of(9999).is_empty() && up.of(3).is_empty(), "nobody asked for the third");
        for step in [1, 2] {
            let named = |name: &String| {
                let name = name.clone();
                let step_of = move |db: Db<'_>| {
                    let select = "SELECT step_id FROM stages WHERE name = ?1";
                    Ok::<u32, Error>(db.conn().query_row(select, [name], |row| row.get(0))?)
                };
                store.read(step_of).unwrap()
            };
            assert!(up.of(step).len() > 1 && up.of(step).iter().all(|name| named(name) == step), "{up:?}");
            assert!(up.of(step).iter().rev().eq(down.of(step)), "{down:?}");
        }
        let none = store.read(|db| OfEach::<u32>::read(db, "SELECT ?1", &[], |cells| cells.next()));
        assert!(none.unwrap().of(1).is_empty());
    }
}

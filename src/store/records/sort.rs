//! Sorts records by a member, as lists are sorted by their columns.
//!
//! For few records, their values are read and sorted in memory. For many, records are read in sorted order
//! until a page is full: through an index of their own table, or through an index of the table whose texts they
//! show and then along the references to it.

use rusqlite::OptionalExtension;

use crate::domain::Order;
use crate::records::{Field, Source, Table, Type};
use crate::store::{Db, Error, gone};

use super::sql::newest_day;

/// Sort key of a record. Texts are folded, so that accents and case do not affect the order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortKey {
    Integer(i64),
    Text(String),
}

/// SQL for sorting by a member.
struct SortSql {
    /// Expression of the key over the table `t`.
    key: String,
    /// Cheapest condition for an empty key.
    is_empty: String,
    /// If the key is a member of another table: the tables to read in order, joined to `t`, and the key there.
    walk: Option<(String, String)>,
}

/// Returns the SQL for sorting by a column. Returns `None` if the stored order is not one that people expect,
/// as for texts with accents.
fn by(table: &Table, column: &str) -> Option<SortSql> {
    let field = table.field(column)?;
    let is_empty = |key: &str| [key, " IS NULL"].concat();
    let own = |key: String| Some(SortSql { is_empty: is_empty(&key), key, walk: None });
    match field.source {
        Source::Column => own(["t.", comparable(field)?].concat()),
        // For many records, an index provides this order.
        Source::NewestDay(kind, column, day) => own(newest_day(kind, column, day)),
        Source::Created => own("t.created_at".to_owned()),
        Source::NameOf(of) => {
            let Type::Reference(list) = table.field(of)?.ty else { return None };
            own(["(SELECT name_key FROM ", list.table().name, " WHERE id = t.", of, ")"].concat())
        }
        Source::MemberOf(of, member) => {
            let there = table.field(of)?.record()?.table();
            let name = there.name;
            let member = there.field(member)?;
            let member = (member.source == Source::Column).then(|| comparable(member)).flatten()?;
            let key = ["(SELECT ", member, " FROM ", name, " WHERE id = t.", of, ")"].concat();
            let walk = [name, " r CROSS JOIN ", table.name, " t ON t.", of, " = r.id"].concat();
            Some(SortSql { is_empty: is_empty(&key), key, walk: Some((walk, ["r.", member].concat())) })
        }
        Source::NamesOf(links) => named_by(table, table.field(links)?, "id"),
        Source::NamesThrough(of, links) => {
            named_by(table, table.field(of)?.record()?.table().field(links)?, of)
        }
        _ => None,
    }
}

/// Returns the column of a member in a form whose stored order is right.
fn comparable(field: &Field) -> Option<&'static str> {
    let is_in_order = matches!(
        field.ty,
        Type::Day
            | Type::SlashedDay
            | Type::Money
            | Type::TaxId
            | Type::ProcessNumber
            | Type::EntryType
            | Type::Situation
            | Type::DoubledParty
            | Type::CalendarEffect
    );
    field.key.or(is_in_order.then_some(field.column))
}

/// Sorts by the first name that `links` links to the record in the column `of`.
fn named_by(table: &Table, links: &Field, of: &str) -> Option<SortSql> {
    let (Source::Links(link, own, other), Type::Links(kind)) = (links.source, links.ty) else { return None };
    let named = kind.table().name;
    let joined = [link, " l JOIN ", named, " n ON n.id = l.", other].concat();
    let key = ["(SELECT n.name_key FROM ", &joined, " WHERE l.", own, " = t.", of];
    let key = [&key.concat(), " ORDER BY l.position LIMIT 1)"].concat();
    let first = ["(SELECT min(position) FROM ", link, " WHERE ", own, " = l.", own, ")"].concat();
    let walk = [named, " n CROSS JOIN ", link, " l ON l.", other, " = n.id AND l.position = ", &first];
    let walk = [&walk.concat(), " CROSS JOIN ", table.name, " t ON t.", of, " = l.", own].concat();
    let is_empty = ["NOT EXISTS (SELECT 1 FROM ", link, " WHERE ", own, " = t.", of, ")"].concat();
    Some(SortSql { key, is_empty, walk: Some((walk, "n.name_key".to_owned())) })
}

/// Returns `true` if records can be sorted by this member.
pub fn can_be_sorted(table: &Table, column: &str) -> bool {
    by(table, column).is_some()
}

/// Returns the sort key of each record for a column, or `None` for an empty value.
pub fn sort_keys(
    db: Db<'_>,
    table: &Table,
    column: &str,
    ids: &[u32],
) -> Result<Vec<(Option<SortKey>, u32)>, Error> {
    let Some(SortSql { key, .. }) = by(table, column) else { return Err(gone("a column to sort by")) };
    let select = ["SELECT ", &key, " FROM ", table.name, " t WHERE t.id = ?1"].concat();
    let mut statement = db.conn().prepare_cached(&select)?;
    let held = |id: &u32| {
        let held = statement.query_row([id], |row| row.get(0)).optional()?;
        let key = match held {
            Some(rusqlite::types::Value::Integer(number)) => Some(SortKey::Integer(number)),
            Some(rusqlite::types::Value::Text(text)) => Some(SortKey::Text(text)),
            _ => None,
        };
        Ok((key, *id))
    };
    ids.iter().map(held).collect()
}

/// Returns two statements in sort order: records with a value, and records without one.
fn walks(table: &Table, SortSql { key, is_empty, walk }: &SortSql, direction: &str) -> [String; 2] {
    let own = [table.name, " t"].concat();
    let (from, by) = walk.as_ref().map_or((&own, key), |(from, by)| (from, by));
    let filled = ["SELECT t.id FROM ", from, " WHERE ", by, " IS NOT NULL ORDER BY ", by, direction];
    let empty = ["SELECT t.id FROM ", &own, " WHERE ", is_empty, " ORDER BY t.id", direction];
    [[&filled.concat(), ", t.id", direction].concat(), empty.concat()]
}

/// Calls `see` with the ids of all records sorted by a column and then by id, until it returns `false`. Records
/// without a value come last in either order. `backwards` reverses the whole sequence.
pub fn in_order(
    db: Db<'_>,
    table: &Table,
    column: &str,
    order: Order,
    backwards: bool,
    mut see: impl FnMut(u32) -> bool,
) -> Result<(), Error> {
    let Some(by) = by(table, column) else { return Err(gone("a column to sort by")) };
    let direction = if (order == Order::Descending) == backwards { "" } else { " DESC" };
    let mut both = walks(table, &by, direction);
    if backwards {
        both.reverse();
    }
    for select in both {
        let mut statement = db.conn().prepare_cached(&select)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if !see(row.get(0)?) {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::TABLES;
    use crate::store::Store;

    /// Sorting a million records takes a second; reading a page through an index takes a millisecond.
    #[test]
    fn values_of_linked_records_are_ordered_by_an_index_and_not_by_sorting() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let mut walked = 0;
        for table in TABLES.iter().copied() {
            for field in table.fields {
                let Some(by) = by(table, field.column).filter(|by| by.walk.is_some()) else { continue };
                let [filled, _] = walks(table, &by, " DESC");
                let plan = store.read(move |db| {
                    let mut statement = db.conn().prepare(&["EXPLAIN QUERY PLAN ", &filled].concat())?;
                    let steps = statement.query_map([], |row| row.get::<_, String>(3))?;
                    Ok::<_, Error>(steps.collect::<Result<Vec<_>, _>>()?)
                });
                let plan = plan.unwrap();
                let sorts =
                    |step: &String| step.contains("TEMP B-TREE FOR ORDER BY") || step.starts_with("SCAN t");
                assert!(!plan.iter().any(sorts), "{} by {}: {plan:?}", table.name, field.column);
                walked += 1;
            }
        }
        assert!(walked > 8, "{walked}");
    }
}

//! Records in the order of what a member holds, as lists are put in order by their columns.

use crate::domain::Order;
use crate::records::{Source, Table, Type};
use crate::store::{Db, Error, gone};

/// What records are put in order by, of the member of that column: an expression over the table as `t`. None where the order of
/// what is stored is not one that people would find right, such as that of texts with accents.
fn sort_key(table: &Table, column: &str) -> Option<String> {
    let field = table.field(column)?;
    let own = |column: &str| Some(["t.", column].concat());
    match (field.source, field.ty) {
        (Source::Column, _) if field.key.is_some() => own(field.key?),
        (
            Source::Column,
            Type::Day | Type::SlashedDay | Type::Money | Type::TaxId | Type::ProcessNumber | Type::EntryType,
        ) => own(field.column),
        (Source::Created, _) => own("created_at"),
        (Source::NameOf(of), _) => match table.field(of)?.ty {
            Type::Reference(list) => {
                Some(["(SELECT name_key FROM ", list.table().name, " WHERE id = t.", of, ")"].concat())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether [`in_order`] knows an order by that member.
pub fn can_be_sorted(table: &Table, column: &str) -> bool {
    sort_key(table, column).is_some()
}

/// Shows `see` the records by what the member of that column holds, then by id, until it answers false. Those where it holds
/// nothing come last, whatever the order.
///
/// # Errors
/// Why the store cannot be read.
pub fn in_order(
    db: Db<'_>,
    table: &Table,
    column: &str,
    order: Order,
    mut see: impl FnMut(u32) -> bool,
) -> Result<(), Error> {
    let Some(by) = sort_key(table, column) else { return Err(gone("a column to sort by")) };
    let direction = if order == Order::Descending { " DESC" } else { "" };
    let from = ["SELECT t.id FROM ", table.name, " t WHERE ", &by].concat();
    let filled = [&from, " IS NOT NULL ORDER BY ", &by, direction, ", t.id", direction].concat();
    let empty = [&from, " IS NULL ORDER BY t.id", direction].concat();
    for select in [filled, empty] {
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

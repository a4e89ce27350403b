//! Pages in an order that only the store knows.

use roaring::RoaringBitmap;

use crate::domain::Page;
use crate::index::page::page_by_keys;
use crate::records::Table;
use crate::store::{self, Db, records};

/// Up to this many records are sorted by keys read for each. With more, the store walks all its records in
/// that order.
const SORTED: u64 = if cfg!(test) { 16 } else { 10_000 };

/// Returns a page of these ids sorted by a column whose order only the store knows.
pub(in crate::index) fn sorted(
    db: Db<'_>,
    table: &'static Table,
    column: &str,
    all: &RoaringBitmap,
    page: Page,
) -> Result<Vec<u32>, store::Error> {
    let total = all.len();
    let limit = u64::from(page.limit());
    if total <= SORTED {
        let keyed = records::sort_keys(db, table, column, &all.iter().collect::<Vec<_>>())?;
        return Ok(page_by_keys(keyed, page));
    }
    // Walks from the nearer end.
    let from = page.offset().min(total);
    let to = page.offset().saturating_add(limit).min(total);
    let backwards = from > total - to;
    let mut before = if backwards { total - to } else { from };
    let mut ids = Vec::new();
    if from < to {
        records::in_order(db, table, column, page.order(), backwards, |id| {
            if all.contains(id) {
                match before {
                    0 => ids.push(id),
                    _ => before -= 1,
                }
            }
            (ids.len() as u64) < to - from
        })?;
    }
    if backwards {
        ids.reverse();
    }
    Ok(ids)
}

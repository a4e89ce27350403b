//! Lists sorted by a column, through each path: the index, sort keys of few records, and a walk of the store
//! from either end. Each must equal a naive sort.

use super::*;
use crate::demo::{Plan, fill};
use crate::domain::text::fold;
use crate::store::records::{SortKey, View, can_be_sorted};

/// Sorts all records by a column, naively.
fn naive(
    db: Db<'_>,
    table: &'static Table,
    column: &str,
    ids: &RoaringBitmap,
    order: Order,
) -> Result<Vec<u32>, store::Error> {
    let keyed = records::sort_keys(db, table, column, &ids.iter().collect::<Vec<_>>())?;
    let (mut filled, mut empty): (Vec<_>, Vec<_>) = keyed.into_iter().partition(|(key, _)| key.is_some());
    // The text that a row shows begins with its sort key.
    for view in View::read(db, table, &filled.iter().map(|(_, id)| *id).collect::<Vec<_>>())? {
        let key = filled.iter().find(|(_, id)| *id == view.id).and_then(|(key, _)| key.clone());
        if let Some(SortKey::Text(text)) = key.filter(|_| !view.text(column).is_empty()) {
            assert!(fold(view.text(column)).starts_with(&fold(&text)), "{text}: {}", view.text(column));
        }
    }
    filled.sort();
    empty.sort();
    if order == Order::Descending {
        filled.reverse();
        empty.reverse();
    }
    Ok(filled.into_iter().chain(empty).map(|(_, id)| id).collect())
}

#[test]
fn every_column_is_sorted_like_a_naive_sort() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path()).unwrap());
    let plan = Plan { tasks: 70, movements: 60, publications: 50, transactions: 80, ..Plan::of(60, 50) };
    fill(&store, plan, |_| {}).unwrap();
    let index = Arc::new(Index::start(&store, &TimeZone::UTC));
    let sorted_by = store.read(move |db| {
        let mut columns = 0;
        for table in TABLES.iter().copied() {
            let all = (1..=records::highest_id(db, table)?).collect::<RoaringBitmap>();
            for field in table.fields.iter().filter(|field| can_be_sorted(table, field.column)) {
                for order in [Order::Ascending, Order::Descending] {
                    let expected = naive(db, table, field.column, &all, order)?;
                    for (offset, limit) in
                        [(0, 7), (20, 9), (all.len().saturating_sub(5), 50), (0, 1000), (999, 5)]
                    {
                        let page =
                            Page::parse(None, Some(&offset.to_string()), limit).unwrap().in_order(order);
                        let by = (page, Some(field.column));
                        let (found, _) = index.find_and_sum(db, table, &Filter::default(), by, ("", &[]))?;
                        let cut = expected.iter().copied().skip(offset as usize).take(limit as usize);
                        let cut = cut.collect::<Vec<_>>();
                        assert_eq!(found.ids, cut, "{} by {}, {order:?}, {offset}", table.name, field.column);
                        assert_eq!(found.total, all.len());
                    }
                    let few = all.iter().step_by(9).take(10).collect::<RoaringBitmap>();
                    let page = Page::parse(None, Some("2"), 5).unwrap().in_order(order);
                    let expected = naive(db, table, field.column, &few, order)?;
                    let found = sorted(db, table, field.column, &few, page)?;
                    assert_eq!(found, expected.into_iter().skip(2).take(5).collect::<Vec<_>>());
                }
                columns += 1;
            }
        }
        Ok::<_, store::Error>(columns)
    });
    assert!(sorted_by.unwrap() > 25);
}

#[test]
fn progress_is_reported_until_the_index_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path()).unwrap());
    fill(&store, Plan::of(30, 0), |_| {}).unwrap();
    let (release, gate) = crossbeam_channel::bounded::<()>(0);
    // Occupies every thread that could build the index.
    for _ in 0..8 {
        let gate = gate.clone();
        store.submit_read(Lane::Long, move |_| _ = gate.recv());
    }
    let index = Arc::new(Index::start(&store, &TimeZone::UTC));
    let progress = index.progress().unwrap();
    assert_eq!(progress.done(), 0);
    let all = progress.all();
    drop(release);
    let began = std::time::Instant::now();
    while index.progress().is_some() {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "the index is never built");
        std::thread::yield_now();
    }
    let own = index.clone();
    let total = store.read(move |db| {
        let totals = crate::records::TABLES.iter().map(|table| own.total(db, table));
        totals.sum::<Result<u64, store::Error>>()
    });
    assert_eq!(all, total.unwrap());
    index.stop();
    assert_eq!(index.progress(), None);
}

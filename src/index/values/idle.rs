//! The newest day of the records that belong to each record (for example, of a lawsuit's movements), and the
//! records that have been idle.

use roaring::RoaringBitmap;

use crate::domain::Day;
use crate::index::field::FieldIndex;
use crate::index::filter::{Condition, Filter};
use crate::index::noun_index::NounIndex;
use crate::index::page::and_all;
use crate::records::{Kind, Source, Table};

/// Returns each owner with the newest day of the records in `part` whose `column` refers to the owner.
pub(in crate::index) fn newest_days(
    part: &NounIndex,
    column: &str,
    owners: &RoaringBitmap,
) -> Vec<(Option<i32>, u32)> {
    match part.index(column) {
        Some(FieldIndex::Newest(newest)) => newest.days_of(owners, part.all()),
        _ => Vec::new(),
    }
}

/// Returns the records that have been idle since that day, judged by the newest day of each. A record without
/// one is idle if it was created before that day.
pub(in crate::index) fn idle(part: &NounIndex, days: &[(Option<i32>, u32)], since: Day) -> RoaringBitmap {
    let before = Day::from_number(since.number() - 1);
    let made_before = Filter::default().with("created_at", Condition::Days(None, before));
    let made_before = and_all(part.find(&made_before));
    let is_idle = |(day, id): &&(Option<i32>, u32)| match day {
        Some(day) => *day < since.number(),
        None => made_before.contains(*id),
    };
    days.iter().filter(is_idle).map(|(_, id)| *id).collect()
}

/// Returns the kind of the records whose newest day a column shows, and the column by which those refer to
/// the owner.
pub(in crate::index) fn newest_day(table: &Table, column: &str) -> Option<(Kind, &'static str)> {
    match table.field(column)?.source {
        Source::NewestDay(kind, of, _) => Some((kind, of)),
        _ => None,
    }
}

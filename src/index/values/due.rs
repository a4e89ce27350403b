//! Open tasks by the day on which they are due (day 34).

use roaring::RoaringBitmap;

use super::days::{ByDay, Days, fill_within};
use crate::domain::{Day, Order, Page};
use crate::index::Index;
use crate::index::field::FieldIndex;
use crate::index::filter::{DayRange, Filter};
use crate::index::noun_index::NounIndex;
use crate::index::page::{Filling, Found};
use crate::records::{Record, Task};
use crate::store::nouns::tasks::lasting_until;
use crate::store::{self, Db};

/// The day on which each open task is due: the earlier of day and deadline that is not past. If the deadline or the day is
/// past, it is the deadline. A task without a deadline that is under way is due today.
struct DueDays<'p> {
    starts: &'p Days,
    deadlines: &'p Days,
    /// Tasks without a deadline that began before today and end today or later.
    under_way: RoaringBitmap,
    today: i32,
}

impl ByDay for DueDays<'_> {
    fn of(&self, id: u32) -> Option<i32> {
        if self.under_way.contains(id) {
            return Some(self.today);
        }
        let start = self.starts.of(id);
        let deadline = self.deadlines.of(id);
        let (Some(start), Some(deadline)) = (start, deadline) else { return start.or(deadline) };
        let is_past = start < self.today || deadline < self.today;
        Some(if is_past { deadline } else { start.min(deadline) })
    }

    fn between(&self, first: Option<i32>, last: Option<i32>) -> RoaringBitmap {
        let first = first.unwrap_or(i32::MIN);
        let last = last.unwrap_or(i32::MAX);
        let within = |days: &Days, first: i32, last: i32| match first <= last {
            true => days.between(Some(first), Some(last)),
            false => RoaringBitmap::new(),
        };
        let today = self.today;
        let yesterday = today.saturating_sub(1);
        let late_until = last.min(yesterday);
        let late_starts = within(self.starts, first, late_until) - self.deadlines.all() - &self.under_way;
        let late = within(self.deadlines, first, late_until) | late_starts;
        let either = |first, last| within(self.starts, first, last) | within(self.deadlines, first, last);
        let from = first.max(today);
        let before = either(today, from.saturating_sub(1)) | within(self.deadlines, i32::MIN, yesterday);
        let due = late | (either(from, last) - before);
        if (first..=last).contains(&today) { due | &self.under_way } else { due }
    }
}

impl Index {
    /// Returns a page of the tasks that match and are due on the days, and the number of the overdue ones among all of
    /// them. Overdue tasks come first, the latest first, then the others by day; on a day, the order is that of ids. The
    /// filter must be one of open tasks.
    pub fn find_due(
        &self,
        db: Db<'_>,
        filter: &Filter,
        days: DayRange,
        today: Day,
        page: Page,
    ) -> Result<(Found, u64), store::Error> {
        let lasting: RoaringBitmap = lasting_until(db, None, today)?.into_iter().collect();
        self.with_matching(db, Task::TABLE, filter, |part, all| {
            part.page_by_due_day(all, &lasting, days, today, page).unwrap_or_default()
        })
    }
}

impl NounIndex {
    /// Returns a page as [`Index::find_due`] does, or `None` for the part of another noun.
    fn page_by_due_day(
        &self,
        ids: &RoaringBitmap,
        lasting: &RoaringBitmap,
        (first, last): DayRange,
        today: Day,
        page: Page,
    ) -> Option<(Found, u64)> {
        let (FieldIndex::Days(starts), FieldIndex::Days(deadlines)) =
            (self.index("start_date")?, self.index("date_deadline")?)
        else {
            return None;
        };
        let today = today.number();
        let yesterday = today.saturating_sub(1);
        let due = DueDays { starts, deadlines, under_way: lasting - deadlines.all(), today };
        let all = ids & due.between(first.map(Day::number), last.map(Day::number));
        let late = &all & due.between(None, Some(yesterday));
        let number = late.len();
        let total = all.len();
        let others = all - &late;
        let mut filling = Filling::new(page.in_order(Order::Descending));
        fill_within(&due, late, (i32::MIN, yesterday), &mut filling);
        filling.turn(Order::Ascending);
        fill_within(&due, others, (today, i32::MAX), &mut filling);
        Some((Found { ids: filling.into_ids(), total, of_deleted: false }, number))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TODAY: i32 = 20_000;

    fn day() -> impl Strategy<Value = Option<i32>> {
        prop::option::of(TODAY - 6..TODAY + 6)
    }

    proptest! {
        #[test]
        fn the_days_of_a_range_are_those_of_a_scan(
            tasks in prop::collection::vec((day(), day(), 0..8), 0..60),
            ranges in prop::collection::vec((day(), day()), 1..12),
        ) {
            let mut starts = Days::default();
            let mut deadlines = Days::default();
            let mut under_way = RoaringBitmap::new();
            for (id, (start, deadline, length)) in (1..).zip(&tasks) {
                starts.set(id, *start);
                deadlines.set(id, *deadline);
                if deadline.is_none() && start.is_some_and(|start| start < TODAY && start + length >= TODAY) {
                    under_way.insert(id);
                }
            }
            let due = DueDays { starts: &starts, deadlines: &deadlines, under_way, today: TODAY };
            for (first, last) in ranges {
                let within = |day: i32| first.is_none_or(|first| first <= day) && last.is_none_or(|last| day <= last);
                let ids = (1..).zip(&tasks).map(|(id, _)| id);
                let expected = ids.filter(|id| due.of(*id).is_some_and(within)).collect::<RoaringBitmap>();
                prop_assert_eq!(due.between(first, last), expected, "{:?} {:?}", first, last);
            }
        }
    }
}

//! One optional day for each record, and the records within a range of days.

use std::borrow::Cow;
use std::collections::BTreeMap;

use roaring::{MultiOps, RoaringBitmap};

use crate::domain::Day;
use crate::index::page::Filling;
use crate::index::sets::chunks::{Bits, ChunkValues, Chunks, Many};

/// Up to this many records are sorted by a look-up of each one's day; larger sets are split by day first.
const SORTED: u64 = if cfg!(test) { 8 } else { 4096 };

/// The records by day, as bit slices: slice `n` holds the records whose day has bit `n` set. A range costs
/// one pass over each slice, regardless of the number of days and records in it. A record takes about two
/// bytes. Described in O'Neil and Quass, "Improved Query Performance with Variant Indexes" (1997).
#[derive(Default)]
pub struct Days(Chunks<u32, DayChunk>);

#[derive(Default)]
struct DayChunk {
    all: Bits,
    /// `None` if no record has had the bit set.
    slices: [Option<Bits>; 32],
}

impl Days {
    /// Replaces the record's day (in days since 1970-01-01). `None` removes it.
    pub fn set(&mut self, id: u32, day: Option<i32>) {
        self.0.set(id, day.map(ordered));
    }

    /// Returns the records that have a day.
    pub fn all(&self) -> RoaringBitmap {
        self.between(None, None)
    }

    /// Returns the records whose day is between the two, inclusive. An open end admits every day on its side.
    /// Records without a day never match.
    pub fn between(&self, first: Option<i32>, last: Option<i32>) -> RoaringBitmap {
        let first = first.map(ordered);
        let after = last.and_then(|last| last.checked_add(1)).map(ordered);
        let is_within = |day| first.is_none_or(|first| first <= day) && after.is_none_or(|after| day < after);
        let within = self.0.iter().map(|(lowest, chunk)| match chunk {
            ChunkValues::Few(few) => {
                let those = few.iter().filter(|(_, day)| is_within(*day));
                those.map(|(at, _)| lowest | u32::from(*at)).collect()
            }
            ChunkValues::Many(many) => many.between(first, after).to_bitmap(lowest),
        });
        within.union()
    }

    /// Like [`between`](Self::between), for calendar days. Returns `None` if both ends are open and nothing
    /// is filtered.
    pub fn within(&self, (first, last): (Option<Day>, Option<Day>)) -> Option<Cow<'_, RoaringBitmap>> {
        let open = first.is_none() && last.is_none();
        (!open).then(|| Cow::Owned(self.between(first.map(Day::number), last.map(Day::number))))
    }

    /// Fills a page with these records, by day, then by id. Records without a day come last.
    pub fn fill(&self, ids: &RoaringBitmap, page: &mut Filling) {
        let dated = ids & self.all();
        let others = ids - &dated;
        fill_within(self, dated, (i32::MIN, i32::MAX), page);
        page.take(&others);
    }
}

/// Records that are found by day, and days that are found by record.
pub(in crate::index) trait ByDay {
    /// Returns the record's day, if it has one.
    fn of(&self, id: u32) -> Option<i32>;

    /// Returns the records whose day is between the two, inclusive. An open end admits every day on its side.
    fn between(&self, first: Option<i32>, last: Option<i32>) -> RoaringBitmap;
}

impl ByDay for Days {
    fn of(&self, id: u32) -> Option<i32> {
        self.0.get(id).map(|day| (day ^ 1 << 31).cast_signed())
    }

    fn between(&self, first: Option<i32>, last: Option<i32>) -> RoaringBitmap {
        Days::between(self, first, last)
    }
}

/// Fills a page with records whose days are all between these two. Splits the range in halves until few records are
/// left.
pub(in crate::index) fn fill_within(
    by: &impl ByDay,
    ids: RoaringBitmap,
    (first, last): (i32, i32),
    page: &mut Filling,
) {
    if page.passes(&ids) {
        return;
    }
    if ids.len() <= SORTED || first == last {
        let mut by_day = BTreeMap::<Option<i32>, RoaringBitmap>::new();
        for id in ids {
            by_day.entry(by.of(id)).or_default().insert(id);
        }
        page.in_order(by_day.into_values().collect()).iter().for_each(|of_day| page.take(of_day));
        return;
    }
    let middle = (i64::from(first) + i64::from(last)).div_euclid(2);
    let middle = i32::try_from(middle).unwrap_or(first);
    let early = &ids & by.between(Some(first), Some(middle));
    let late = ids - &early;
    for (half, days) in
        page.in_order(vec![(early, (first, middle)), (late, (middle.saturating_add(1), last))])
    {
        fill_within(by, half, days, page);
    }
}

impl Many<u32> for DayChunk {
    fn set(&mut self, at: u16, day: Option<u32>) {
        for (bit, slice) in self.slices.iter_mut().enumerate() {
            match (slice, day.is_some_and(|day| has_bit(day, bit))) {
                (None, false) => {}
                (slice, set) => slice.get_or_insert_default().put(at, set),
            }
        }
        self.all.put(at, day.is_some());
    }

    fn get(&self, at: u16) -> Option<u32> {
        let bit = |(bit, slice): (usize, &Option<Bits>)| {
            u32::from(slice.as_ref().is_some_and(|slice| slice.has(at))) << bit
        };
        self.all.has(at).then(|| self.slices.iter().enumerate().map(bit).sum())
    }
}

impl DayChunk {
    fn between(&self, first: Option<u32>, after: Option<u32>) -> Bits {
        let mut within = first.map_or_else(|| self.all.clone(), |first| self.not_before(first));
        if let Some(after) = after {
            within.and_not(&self.not_before(after));
        }
        within
    }

    /// Returns the records whose day is not before the bound. Walks the bits from the lowest to the highest:
    /// if the bound has a one, the record needs it too; if the bound has a zero, a one makes the record
    /// larger, whatever its lower bits are.
    fn not_before(&self, first: u32) -> Bits {
        let mut found = self.all.clone();
        for (bit, slice) in self.slices.iter().enumerate() {
            match (slice, has_bit(first, bit)) {
                (Some(slice), true) => found.and(slice),
                (Some(slice), false) => found.or(slice),
                (None, true) => found = Bits::default(),
                (None, false) => {}
            }
        }
        found
    }
}

fn has_bit(number: u32, bit: usize) -> bool {
    number >> bit & 1 == 1
}

/// Maps the day to an unsigned number with the same order.
fn ordered(day: i32) -> u32 {
    day.cast_unsigned() ^ 1 << 31
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::{Order, Page};

    fn day() -> impl Strategy<Value = i32> {
        prop_oneof![-40i32..40, 19_000i32..21_000, Just(i32::MIN), Just(i32::MAX)]
    }

    /// Low ids, ids around 4,096, ids around a container's boundary, and the highest ids.
    fn id() -> impl Strategy<Value = u32> {
        prop_oneof![6 => 1u32..40, 2 => 4_090u32..4_100, 2 => 65_530u32..65_540, 1 => u32::MAX - 2..=u32::MAX]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]
        #[test]
        fn equals_a_scan(
            sets in prop::collection::vec((id(), prop::option::of(day())), 0..120),
            ranges in prop::collection::vec((prop::option::of(day()), prop::option::of(day())), 1..12),
        ) {
            let mut days = Days::default();
            let mut naive = BTreeMap::new();
            for (id, day) in sets {
                days.set(id, day);
                naive.insert(id, day);
            }
            for (first, last) in ranges {
                let within = |day: i32| first.is_none_or(|first| first <= day) && last.is_none_or(|last| day <= last);
                let expected: RoaringBitmap =
                    naive.iter().filter(|(_, day)| day.is_some_and(within)).map(|(id, _)| *id).collect();
                prop_assert_eq!(days.between(first, last), expected);
            }
            // Adds two ids that have no day.
            let ids: RoaringBitmap = naive.keys().copied().chain([77, 78]).collect();
            let mut sorted: Vec<(bool, i32, u32)> = ids.iter().map(|id| match naive.get(&id).copied().flatten() {
                Some(day) => (false, day, id),
                None => (true, 0, id),
            }).collect();
            sorted.sort();
            for (offset, limit) in [(0, 5), (3, 40), (60, 1000)] {
                let mut filling = Filling::new(Page::parse(None, Some(&offset.to_string()), limit).unwrap().in_order(Order::Ascending));
                days.fill(&ids, &mut filling);
                let expected: Vec<u32> = sorted.iter().skip(offset).take(limit as usize).map(|(.., id)| *id).collect();
                prop_assert_eq!(filling.into_ids(), expected);
            }
        }
    }
}

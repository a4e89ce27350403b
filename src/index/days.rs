//! One optional day for each record, and the records of a range of days.

use std::borrow::Cow;

use roaring::RoaringBitmap;

use crate::domain::Day;

const BITS: usize = 32;

/// The records by day, kept as bit slices: slice `n` holds the records whose day has bit `n` set. A range then costs one
/// pass over each slice, however many days and records lie in it, and a record about two bytes. O'Neil and Quass,
/// "Improved Query Performance with Variant Indexes" (1997), describe the method.
#[derive(Default)]
pub struct Days {
    slices: [RoaringBitmap; BITS],
    all: RoaringBitmap,
}

impl Days {
    /// No record has a day.
    pub fn new() -> Days {
        Days::default()
    }

    /// Gives the record a day (counted from 1970-01-01) in place of what it had; `None` takes it away.
    pub fn set(&mut self, id: u32, day: Option<i32>) {
        let known = if day.is_some() { !self.all.insert(id) } else { self.all.remove(id) };
        let day = day.map_or(0, ordered);
        for (bit, slice) in self.slices.iter_mut().enumerate() {
            if day >> bit & 1 == 1 {
                slice.insert(id);
            } else if known {
                slice.remove(id);
            }
        }
    }

    /// The records whose day lies between the two, both included; an open end admits every day on its side. A record
    /// without a day is never among them.
    pub fn between(&self, first: Option<i32>, last: Option<i32>) -> RoaringBitmap {
        let mut found = match first {
            Some(first) => self.not_before(first),
            None => self.all.clone(),
        };
        if let Some(after) = last.and_then(|last| last.checked_add(1)) {
            found -= self.not_before(after);
        }
        found
    }

    /// The same by days of the calendar; none where both ends are open, which filters nothing.
    pub fn within(&self, (first, last): (Option<Day>, Option<Day>)) -> Option<Cow<'_, RoaringBitmap>> {
        let open = first.is_none() && last.is_none();
        (!open).then(|| Cow::Owned(self.between(first.map(Day::number), last.map(Day::number))))
    }

    /// Keeps the memory of a bulk of `set` down; nothing else changes.
    pub fn optimize(&mut self) {
        for bitmap in self.slices.iter_mut().chain([&mut self.all]) {
            bitmap.optimize();
        }
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.slices.iter().chain([&self.all]).map(super::union::heap_bytes).sum()
    }

    /// From the lowest bit up: where the bound has a one, the record needs it too; where it has a zero, a one makes the
    /// record larger whatever the lower bits said.
    fn not_before(&self, first: i32) -> RoaringBitmap {
        let first = ordered(first);
        let mut found = self.all.clone();
        for (bit, slice) in self.slices.iter().enumerate() {
            if first >> bit & 1 == 1 {
                found &= slice;
            } else {
                found |= slice;
            }
        }
        found
    }
}

/// The day as an unsigned number of the same order.
fn ordered(day: i32) -> u32 {
    day.cast_unsigned() ^ 1 << 31
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn day() -> impl Strategy<Value = i32> {
        prop_oneof![-40i32..40, 19_000i32..21_000, Just(i32::MIN), Just(i32::MAX)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]
        #[test]
        fn equals_a_scan(
            sets in prop::collection::vec((1u32..60, prop::option::of(day())), 0..120),
            ranges in prop::collection::vec((prop::option::of(day()), prop::option::of(day())), 1..12),
            optimize: bool,
        ) {
            let mut days = Days::new();
            let mut naive = BTreeMap::new();
            for (n, (id, day)) in sets.into_iter().enumerate() {
                days.set(id, day);
                naive.insert(id, day);
                if optimize && n == 50 {
                    days.optimize();
                }
            }
            for (first, last) in ranges {
                let within = |day: i32| first.is_none_or(|first| first <= day) && last.is_none_or(|last| day <= last);
                let expected: RoaringBitmap =
                    naive.iter().filter(|(_, day)| day.is_some_and(within)).map(|(id, _)| *id).collect();
                prop_assert_eq!(days.between(first, last), expected);
            }
        }
    }
}

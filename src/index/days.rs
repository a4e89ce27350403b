//! One optional day for each record, and the records of a range of days.

use std::borrow::Cow;
use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::domain::Day;

/// A part holds so many neighbouring ids, in groups of 64.
const PART_BITS: u32 = 12;
const GROUPS: usize = 1 << (PART_BITS - 6);
type Bits = [u64; GROUPS];

/// The records by day, kept as bit slices: slice `n` tells which records' day has bit `n` set. A range then costs a pass
/// over each slice, however many days and records lie in it, and a record about two bytes; less where the day grows with
/// the id, as in `created_at`. O'Neil and Quass, "Improved Query Performance with Variant Indexes" (1997), describe it.
#[derive(Default)]
pub struct Days {
    /// By the upper bits of the id.
    parts: BTreeMap<u32, Box<Part>>,
}

struct Part {
    /// The records that have a day.
    all: Bits,
    slices: [Slice; 32],
}

/// One bit of the days of a part.
enum Slice {
    /// Nobody's day has it.
    None,
    /// Everybody's day has it.
    All,
    Some(Box<Bits>),
}

impl Days {
    /// Gives the record a day (counted from 1970-01-01) in place of what it had; `None` takes it away.
    pub fn set(&mut self, id: u32, day: Option<i32>) {
        let at = id & ((1 << PART_BITS) - 1);
        match day {
            Some(day) => self.parts.entry(id >> PART_BITS).or_default().insert(at, ordered(day)),
            None => {
                if let Some(part) = self.parts.get_mut(&(id >> PART_BITS)) {
                    part.remove(at);
                }
            }
        }
    }

    /// The records whose day lies between the two, both included; an open end admits every day on its side. A record
    /// without a day is never among them.
    pub fn between(&self, first: Option<i32>, last: Option<i32>) -> RoaringBitmap {
        let first = first.map(ordered);
        let after = last.and_then(|last| last.checked_add(1)).map(ordered);
        let mut found = RoaringBitmap::new();
        // Sixteen parts make one of roaring's containers, which is cheapest made at once.
        let mut container = [0; 8192];
        let mut parts = self.parts.iter().peekable();
        while let Some((number, part)) = parts.next() {
            let mut within = first.map_or(part.all, |first| part.not_before(first));
            if let Some(after) = after {
                let later = part.not_before(after);
                within.iter_mut().zip(later).for_each(|(within, later)| *within &= !later);
            }
            let place = (*number % 16) as usize * GROUPS;
            for (bytes, group) in container.chunks_exact_mut(8).skip(place).zip(within) {
                bytes.copy_from_slice(&group.to_le_bytes());
            }
            if parts.peek().is_none_or(|(next, _)| **next / 16 != number / 16) {
                found |= RoaringBitmap::from_lsb0_bytes((number / 16) << 16, &container);
                container.fill(0);
            }
        }
        found
    }

    /// The same by days of the calendar; none where both ends are open, which filters nothing.
    pub fn within(&self, (first, last): (Option<Day>, Option<Day>)) -> Option<Cow<'_, RoaringBitmap>> {
        let open = first.is_none() && last.is_none();
        (!open).then(|| Cow::Owned(self.between(first.map(Day::number), last.map(Day::number))))
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        let slices = self.parts.values().flat_map(|part| &part.slices);
        let held = slices.filter(|slice| matches!(slice, Slice::Some(_))).count();
        self.parts.len() * (size_of::<Part>() + 48) + held * (size_of::<Bits>() + 16)
    }
}

impl Part {
    fn insert(&mut self, at: u32, day: u32) {
        self.remove(at);
        let alone = self.all.iter().all(|group| *group == 0);
        for (bit, slice) in self.slices.iter_mut().enumerate() {
            let wanted = day >> bit & 1 == 1;
            match slice {
                Slice::None if wanted && alone => *slice = Slice::All,
                Slice::None if wanted => *slice = Slice::Some(Box::new([0; GROUPS])),
                Slice::All if !wanted && alone => *slice = Slice::None,
                Slice::All if !wanted => *slice = Slice::Some(Box::new(self.all)),
                _ => {}
            }
            if let Slice::Some(bits) = slice
                && wanted
            {
                put(bits, at, true);
            }
        }
        put(&mut self.all, at, true);
    }

    fn remove(&mut self, at: u32) {
        put(&mut self.all, at, false);
        for slice in &mut self.slices {
            if let Slice::Some(bits) = slice {
                put(bits, at, false);
            }
        }
    }

    /// From the lowest bit up: where the bound has a one, the record needs it too; where it has a zero, a one makes the
    /// record larger whatever the lower bits said.
    fn not_before(&self, first: u32) -> Bits {
        let mut found = self.all;
        for (bit, slice) in self.slices.iter().enumerate() {
            match (first >> bit & 1 == 1, slice) {
                (true, Slice::None) => found = [0; GROUPS],
                (true, Slice::Some(bits)) => {
                    found.iter_mut().zip(bits.iter()).for_each(|(found, bits)| *found &= bits)
                }
                (false, Slice::All) => found = self.all,
                (false, Slice::Some(bits)) => {
                    found.iter_mut().zip(bits.iter()).for_each(|(found, bits)| *found |= bits)
                }
                (true, Slice::All) | (false, Slice::None) => {}
            }
        }
        found
    }
}

impl Default for Part {
    fn default() -> Part {
        Part { all: [0; GROUPS], slices: [const { Slice::None }; 32] }
    }
}

fn put(bits: &mut Bits, at: u32, present: bool) {
    let place = 1 << (at % 64);
    if let Some(group) = bits.get_mut(at as usize / 64) {
        *group = if present { *group | place } else { *group & !place };
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

    /// On both sides of the border of a part and of a container, and the highest.
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
        }
    }
}

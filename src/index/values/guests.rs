//! The guests of each record's task, and the days on which they completed it.
//!
//! The guests of a record are stored by position: first, second and so on. A condition on one guest (user,
//! status, day) is evaluated for each position with a few bitmaps, and the results are united. Few records
//! have many guests.

use std::borrow::Cow;

use roaring::RoaringBitmap;

use super::days::Days;
use crate::domain::{Day, TaskStatus};
use crate::index::filter::Guest;
use crate::index::page::{and_all, put};
use crate::index::sets::buckets::Buckets;

#[derive(Default)]
pub struct Guests {
    places: Vec<GuestEntry>,
    all: RoaringBitmap,
    /// The records that at least one guest has not completed.
    pending: RoaringBitmap,
}

/// The guests at one position.
#[derive(Default)]
struct GuestEntry {
    users: Buckets,
    /// The day on which each guest completed the task, if any.
    days: Days,
}

/// A guest of a record: the user id, and the completion day as days since 1970.
pub type HeldGuest = (u32, Option<i32>);

impl Guests {
    pub fn set(&mut self, id: u32, guests: &[HeldGuest]) {
        if self.places.len() < guests.len() {
            self.places.resize_with(guests.len(), GuestEntry::default);
        }
        for (at, place) in self.places.iter_mut().enumerate() {
            let guest = guests.get(at);
            place.users.set(id, guest.map(|(user, _)| *user));
            place.days.set(id, guest.and_then(|(_, day)| *day));
        }
        put(&mut self.all, id, !guests.is_empty());
        put(&mut self.pending, id, guests.iter().any(|(_, day)| day.is_none()));
    }

    /// Returns the records with a guest that matches, and that is one of `users` if given. Returns `None` if
    /// nothing is filtered.
    pub fn find(&self, users: Option<&[u32]>, query: &Guest) -> Option<Cow<'_, RoaringBitmap>> {
        match users {
            Some(users) => {
                let found = self.places.iter().map(|place| place.of(users, query));
                Some(Cow::Owned(found.fold(RoaringBitmap::new(), |all, found| all | found)))
            }
            None => {
                let within = self.within(query.completed).map(Cow::Owned);
                let both: Vec<_> = self.with_status(query.status).into_iter().chain(within).collect();
                (!both.is_empty()).then(|| and_all(both))
            }
        }
    }

    /// Returns the users of each position with those of these records that they still have to do there. A user may come
    /// several times, each time with other records.
    pub fn each_pending<'g>(
        &'g self,
        ids: &'g RoaringBitmap,
    ) -> impl Iterator<Item = (u32, RoaringBitmap)> + 'g {
        self.places.iter().flat_map(move |place| {
            let done = place.days.all();
            place.users.each_of(ids).map(move |(user, own)| (user, own - &done))
        })
    }

    fn with_status(&self, status: TaskStatus) -> Option<Cow<'_, RoaringBitmap>> {
        match status {
            TaskStatus::Pending => Some(Cow::Borrowed(&self.pending)),
            TaskStatus::Completed => Some(Cow::Owned(&self.all - &self.pending)),
            TaskStatus::All => None,
        }
    }

    /// Returns the records that any guest completed between the two days.
    fn within(&self, days: (Option<Day>, Option<Day>)) -> Option<RoaringBitmap> {
        let found = self.places.iter().map(|place| place.days.within(days));
        let all = found.collect::<Option<Vec<_>>>().filter(|_| days != (None, None))?;
        Some(all.iter().fold(RoaringBitmap::new(), |all, found| all | &**found))
    }
}

impl GuestEntry {
    fn of(&self, users: &[u32], query: &Guest) -> RoaringBitmap {
        let all = self.users.any_of(users.iter().copied());
        let found = match query.status {
            TaskStatus::Pending => &*all - &self.days.all(),
            TaskStatus::Completed => &*all & &self.days.all(),
            TaskStatus::All => all.into_owned(),
        };
        match self.days.within(query.completed) {
            Some(days) => found & &*days,
            None => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn equals_a_scan(
            sets in prop::collection::vec(
                (1u32..30, prop::collection::btree_map(1u32..6, prop::option::of(19_000i32..19_010), 0..4)),
                0..60,
            ),
            query in prop::collection::vec(
                (
                    prop::option::of(prop::collection::vec(1u32..7, 0..3)),
                    0usize..3,
                    prop::option::of(18_999i32..19_011),
                    prop::option::of(18_999i32..19_011),
                ),
                1..12,
            ),
        ) {
            let mut guests = Guests::default();
            let mut naive = BTreeMap::new();
            for (id, held) in sets {
                guests.set(id, &held.iter().map(|(user, day)| (*user, *day)).collect::<Vec<_>>());
                naive.insert(id, held);
            }
            naive.retain(|_, held| !held.is_empty());
            for (users, status, first, last) in query {
                let status = [TaskStatus::Pending, TaskStatus::Completed, TaskStatus::All][status];
                let days = [first, last].map(|day| day.and_then(Day::from_number));
                let query = Guest { status, completed: (days[0], days[1]), ..Guest::of(status) };
                let within = |day: &Option<i32>| match day {
                    Some(day) => first.is_none_or(|first| first <= *day) && last.is_none_or(|last| *day <= last),
                    None => first.is_none() && last.is_none(),
                };
                let fits = |held: &BTreeMap<u32, Option<i32>>| match &users {
                    Some(users) => held.iter().any(|(user, day)| {
                        let is_meant = match status {
                            TaskStatus::Pending => day.is_none(),
                            TaskStatus::Completed => day.is_some(),
                            TaskStatus::All => true,
                        };
                        users.contains(user) && is_meant && within(day)
                    }),
                    None => {
                        let is_meant = match status {
                            TaskStatus::Pending => held.values().any(Option::is_none),
                            TaskStatus::Completed => held.values().all(Option::is_some),
                            TaskStatus::All => true,
                        };
                        is_meant && held.values().any(within)
                    }
                };
                let expected: RoaringBitmap =
                    naive.iter().filter(|(_, held)| fits(held)).map(|(id, _)| *id).collect();
                let found = guests.find(users.as_deref(), &query).map(Cow::into_owned);
                let all = || naive.keys().copied().collect();
                prop_assert_eq!(found.unwrap_or_else(all), expected);
            }
        }
    }
}

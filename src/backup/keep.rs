//! Which backups are kept: all of the newest day, then one a day, then one a month (product 2).

use std::collections::BTreeSet;

use crate::config::settings::Keep;
use crate::domain::Day;

/// The places of the backups that may go. `days` are the office's days on which they were made, oldest first; `newest`
/// is the place of the one that was made just now, which always stays: a clock that was set back must not cost it.
///
/// Days and months count only where there are backups, so that a long pause costs none.
pub(super) fn may_go(days: &[Day], newest: usize, keep: Keep) -> Vec<usize> {
    let mut stays = BTreeSet::from([newest]);
    let last_day = days.iter().max();
    let (mut of_days, mut of_months) = (BTreeSet::new(), BTreeSet::new());
    // From the newest to the oldest: the first of each day and of each month is the one that stays.
    let mut order: Vec<(usize, &Day)> = days.iter().enumerate().collect();
    order.sort_by_key(|(place, day)| std::cmp::Reverse((**day, *place)));
    for (place, day) in order {
        let month = (day.year(), day.month());
        let first_of_day = !of_days.contains(day) && of_days.len() < usize::from(keep.daily);
        let first_of_month = !of_months.contains(&month) && of_months.len() < usize::from(keep.monthly);
        if first_of_day {
            of_days.insert(*day);
        }
        if first_of_month {
            of_months.insert(month);
        }
        if first_of_day || first_of_month || Some(day) == last_day {
            stays.insert(place);
        }
    }
    (0..days.len()).filter(|place| !stays.contains(place)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    #[test]
    fn all_of_the_newest_day_then_one_a_day_then_one_a_month() {
        let days = [
            "2026-04-02",
            "2026-04-30",
            "2026-05-01",
            "2026-05-30",
            "2026-05-30",
            "2026-05-31",
            "2026-06-01",
            "2026-06-01",
        ];
        let days = days.map(day);
        let keep = Keep { daily: 3, monthly: 3 };
        assert_eq!(may_go(&days, 7, keep), [0, 2, 3]);
        assert_eq!(may_go(&days, 7, Keep { daily: 1, monthly: 0 }), [0, 1, 2, 3, 4, 5]);
        assert_eq!(
            may_go(&days, 0, Keep { daily: 1, monthly: 0 }),
            [1, 2, 3, 4, 5],
            "the newest by its making stays"
        );
        assert!(may_go(&[], 0, keep).is_empty());
    }

    proptest! {
        #[test]
        fn whatever_there_is(
            numbers in prop::collection::vec(20_000..20_800_i32, 1..60),
            newest in 0..60_usize,
            daily in 1..20_u16,
            monthly in 0..15_u16,
        ) {
            let mut days: Vec<Day> = numbers.iter().filter_map(|number| Day::from_number(*number)).collect();
            days.sort();
            let newest = newest % days.len();
            let gone = may_go(&days, newest, Keep { daily, monthly });
            prop_assert!(!gone.contains(&newest), "the one just made stays");
            let stays: Vec<usize> = (0..days.len()).filter(|place| !gone.contains(place)).collect();
            // The last of each of the newest days is there.
            let mut distinct = days.clone();
            distinct.dedup();
            for day in distinct.iter().rev().take(daily.into()) {
                let last = days.iter().rposition(|one| one == day).unwrap();
                prop_assert!(stays.contains(&last), "{day:?}");
            }
            // The last of each of the newest months is there.
            let month = |day: &Day| (day.year(), day.month());
            let mut months: Vec<_> = days.iter().map(month).collect();
            months.dedup();
            for one in months.iter().rev().take(monthly.into()) {
                let last = days.iter().rposition(|day| month(day) == *one).unwrap();
                prop_assert!(stays.contains(&last), "{one:?}");
            }
            // And no more than that, but for the newest day.
            let of_last_day = days.iter().filter(|day| Some(*day) == days.last()).count();
            prop_assert!(stays.len() <= of_last_day + usize::from(daily) + usize::from(monthly) + 1);
            // Doing it again takes nothing more.
            let left: Vec<Day> = stays.iter().map(|place| days[*place]).collect();
            let newest = stays.iter().position(|place| *place == newest).unwrap();
            let more = may_go(&left, newest, Keep { daily, monthly });
            prop_assert!(more.is_empty());
        }
    }
}

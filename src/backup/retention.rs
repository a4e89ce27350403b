//! The retention of backups: all of the newest day, then one a day, then one a month (product 2).

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::config::settings::Retention;
use crate::domain::Day;

/// Returns the indexes of the backups that may be removed. `days` are the office's days on which they were
/// made, by the clock of that time, in the order in which they were made. The last one was made just now, so
/// its day is today, and it stays.
///
/// Only days and months with backups count, so a long pause costs none. Backups dated after today are kept by
/// the same rule, but separately. If the clock was ahead when they were made, they do not displace the
/// others; if it is behind now, the others do not displace them. They are removed once later backups fill
/// every day and month.
pub(super) fn expired(days: &[Day], keep: Retention) -> Vec<usize> {
    let Some(today) = days.last() else { return Vec::new() };
    let mut up_to_today = Vec::new();
    let mut later = Vec::new();
    let mut since = RetentionSlots::new(keep);
    for (place, day) in days.iter().enumerate().rev() {
        if day <= today {
            since.take(*day);
            up_to_today.push((*day, place));
        } else if !since.are_full() {
            later.push((*day, place));
        }
    }
    let mut stays = BTreeSet::new();
    for mut apart in [up_to_today, later] {
        // From the newest day to the oldest, so that the last backup of each day and month stays.
        apart.sort_by_key(|one| Reverse(*one));
        let mut places = RetentionSlots::new(keep);
        let kept = apart.into_iter().filter(|(day, _)| places.take(*day) || day == today);
        stays.extend(kept.map(|(_, place)| place));
    }
    (0..days.len()).filter(|place| !stays.contains(place)).collect()
}

/// The days and months for which a backup is kept already.
struct RetentionSlots {
    keep: Retention,
    days: BTreeSet<Day>,
    months: BTreeSet<(i32, u8)>,
}

impl RetentionSlots {
    fn new(keep: Retention) -> RetentionSlots {
        RetentionSlots { keep, days: BTreeSet::new(), months: BTreeSet::new() }
    }

    /// Returns `true` if the backup is the first of its day or month, and one more day or month may be kept.
    fn take(&mut self, day: Day) -> bool {
        let for_day = self.days.len() < self.keep.daily.into() && self.days.insert(day);
        let month = (day.year().into(), day.month());
        let for_month = self.months.len() < self.keep.monthly.into() && self.months.insert(month);
        for_day || for_month
    }

    fn are_full(&self) -> bool {
        self.days.len() >= self.keep.daily.into() && self.months.len() >= self.keep.monthly.into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gone(days: &[&str], daily: u16, monthly: u16) -> Vec<usize> {
        let days: Vec<Day> = days.iter().map(|day| Day::parse(day).unwrap()).collect();
        expired(&days, Retention { daily, monthly })
    }

    #[test]
    fn all_backups_of_the_newest_day_are_kept_then_one_a_day_then_one_a_month() {
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
        assert_eq!(gone(&days, 3, 3), [0, 2, 3]);
        assert_eq!(gone(&days, 1, 0), [0, 1, 2, 3, 4, 5]);
        assert!(gone(&[], 3, 3).is_empty());
    }

    #[test]
    fn backups_dated_in_the_future_displace_no_others_and_are_removed_later() {
        let mut days =
            vec!["2026-05-30", "2026-05-31", "2026-06-01", "2031-01-01", "2031-01-02", "2031-01-02"];
        days.push("2026-06-01");
        assert_eq!(gone(&days, 2, 2), [0, 4], "the last backup of each day of 2031 is still kept");
        days.extend(["2026-06-02", "2026-06-03"]);
        assert_eq!(gone(&days, 2, 2), [0, 2, 4, 6], "two later days have backups, but not yet two months");
        days.push("2026-07-01");
        assert_eq!(gone(&days, 2, 2), [0, 1, 2, 3, 4, 5, 6, 7]);
        // If all of them are dated in the future, the rule applies as well.
        assert_eq!(gone(&["2031-01-01", "2031-01-02", "2031-01-03"], 2, 0), [0]);
    }

    #[test]
    fn backups_dated_in_the_past_displace_no_others() {
        let good = ["2026-05-30", "2026-05-31", "2026-06-01"];
        assert_eq!(gone(&[&good[..], &["2001-01-01"]].concat(), 3, 1), [] as [usize; 0]);
        assert_eq!(gone(&[&good[..], &["2001-01-01", "2001-01-01", "2001-01-02"]].concat(), 3, 1), [3]);
    }

    proptest! {
        #[test]
        fn the_retention_rule_holds_for_any_backups(
            numbers in prop::collection::vec(20_000..20_800_i32, 1..60),
            daily in 1..20_u16,
            monthly in 0..15_u16,
        ) {
            let days: Vec<Day> = numbers.iter().filter_map(|number| Day::from_number(*number)).collect();
            let keep = Retention { daily, monthly };
            let gone = expired(&days, keep);
            let today = *days.last().unwrap();
            let all = || days.iter().copied().enumerate();
            let stays: Vec<(usize, Day)> = all().filter(|(place, _)| !gone.contains(place)).collect();
            prop_assert!(all().all(|one| one.1 != today || stays.contains(&one)), "all backups of today are kept");
            // The last backup of each of the newest days and months is kept.
            let known: BTreeSet<(Day, usize)> =
                all().filter(|(_, day)| *day <= today).map(|(place, day)| (day, place)).collect();
            let month = |day: Day| (day.year(), day.month());
            let days_known: BTreeSet<Day> = known.iter().map(|(day, _)| *day).collect();
            for day in days_known.iter().rev().take(daily.into()) {
                let last = known.iter().rfind(|one| one.0 == *day).unwrap();
                prop_assert!(stays.contains(&(last.1, last.0)), "{day:?}");
            }
            let months: BTreeSet<_> = known.iter().map(|(day, _)| month(*day)).collect();
            for one in months.iter().rev().take(monthly.into()) {
                let last = known.iter().rfind(|(day, _)| month(*day) == *one).unwrap();
                prop_assert!(stays.contains(&(last.1, last.0)), "{one:?}");
            }
            // No others are kept, except those of today and as many again dated after today.
            let places = usize::from(daily) + usize::from(monthly);
            prop_assert!(stays.iter().filter(|(_, day)| *day < today).count() <= places);
            prop_assert!(stays.iter().filter(|(_, day)| *day > today).count() <= places);
            // A second run removes nothing more.
            let left: Vec<Day> = stays.iter().map(|(_, day)| *day).collect();
            prop_assert!(expired(&left, keep).is_empty());
        }
    }
}

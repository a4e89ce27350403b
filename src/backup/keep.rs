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

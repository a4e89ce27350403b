//! Appointments in the hours of a day. A class of the style sheet stands for each place, because pages have no styles of
//! their own.

use std::ops::Range;

use crate::console::agenda::due::Due;

/// Hours that are always shown.
const DEFAULT_HOURS: Range<u32> = 7..20;
/// Rows of an hour.
const ROWS: u32 = 4;
const MINUTES: u32 = 60 / ROWS;
/// Rows of an appointment without an end.
const OPEN_END: u32 = ROWS;
/// Least rows of an appointment, in which its text can be read.
const MIN_ROWS: u32 = 2;
/// Columns of a day, which overlapping appointments share.
const COLUMNS: usize = 12;

/// An appointment and its place. Rows count from midnight.
pub(super) struct Placed<'d> {
    pub due: &'d Due,
    rows: Range<u32>,
    /// Number of appointments side by side.
    beside: usize,
}

impl Placed<'_> {
    /// Returns the classes of the appointment in a grid whose first row is this hour.
    pub fn classes(&self, first_hour: u32) -> String {
        let part = |letter: char, rows: u32| match rows % ROWS {
            0 => String::new(),
            part => format!(" {letter}{part}"),
        };
        let Range { start, end } = self.rows;
        let hour = start / ROWS - first_hour;
        let end_hour = end / ROWS - first_hour;
        let width = (COLUMNS / self.beside).max(1);
        format!("h{hour}{} e{end_hour}{} w{width}", part('q', start), part('f', end))
    }
}

/// Returns the entries of one day that have a time, by their start.
pub(super) fn placed(entries: &[Due]) -> Vec<Placed<'_>> {
    let mut placed = entries
        .iter()
        .filter_map(|due| {
            let rows = rows(due.time(), due.end_time())?;
            Some(Placed { due, rows, beside: 1 })
        })
        .collect::<Vec<_>>();
    placed.sort_by_key(|one| (one.rows.start, std::cmp::Reverse(one.rows.end)));
    let all = placed.iter().map(|one| one.rows.clone()).collect::<Vec<_>>();
    for (one, beside) in placed.iter_mut().zip(beside(&all)) {
        one.beside = beside;
    }
    placed
}

/// Returns the hours to show: the usual ones, and more if something begins earlier or ends later.
pub(super) fn hours<'p>(placed: impl Iterator<Item = &'p Placed<'p>>) -> Range<u32> {
    placed.fold(DEFAULT_HOURS, |hours, one| {
        let Range { start, end } = one.rows;
        hours.start.min(start / ROWS)..hours.end.max(end.div_ceil(ROWS))
    })
}

/// Returns the rows from one time of day (`HH:MM`) to another.
fn rows(start: &str, end: Option<&str>) -> Option<Range<u32>> {
    let minutes = |time: &str| {
        let (hour, minute) = time.split_once(':')?;
        Some(hour.parse::<u32>().ok()? * 60 + minute.parse::<u32>().ok()?)
    };
    let last = 24 * ROWS;
    let start = (minutes(start)? / MINUTES).min(last - MIN_ROWS);
    let end = end.and_then(minutes).map_or(start + OPEN_END, |end| end.div_ceil(MINUTES));
    Some(start..end.clamp(start + MIN_ROWS, last))
}

/// Returns for each range, by start, how many stand side by side at most in its group of overlapping ones.
fn beside(ranges: &[Range<u32>]) -> Vec<usize> {
    let mut numbers = Vec::new();
    // The end of each column of the current group.
    let mut columns = Vec::<u32>::new();
    let mut group = 0;
    for range in ranges {
        if columns.iter().all(|end| *end <= range.start) {
            numbers.resize(numbers.len() + group, columns.len());
            columns.clear();
            group = 0;
        }
        group += 1;
        match columns.iter_mut().find(|end| **end <= range.start) {
            Some(end) => *end = range.end,
            None => columns.push(range.end),
        }
    }
    numbers.resize(numbers.len() + group, columns.len());
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_appointment_is_as_tall_as_it_lasts() {
        for (start, end, expected) in [
            ("09:00", Some("10:00"), 36..40),
            ("09:10", Some("09:50"), 36..40),
            ("14:30", Some("14:40"), 58..60),
            ("14:30", None, 58..62),
            ("23:50", None, 94..96),
            ("23:00", Some("24:00"), 92..96),
        ] {
            assert_eq!(rows(start, end), Some(expected), "{start}");
        }
        assert_eq!(rows("", None), None);
    }

    #[test]
    fn overlapping_appointments_stand_side_by_side() {
        assert_eq!(beside(&[]), Vec::<usize>::new());
        // The third begins when the first ends, and takes its column.
        assert_eq!(beside(&[0..4, 2..6, 4..8, 8..12]), [2, 2, 2, 1]);
        assert_eq!(beside(&[0..8, 0..4, 0..4, 4..8]), [3, 3, 3, 3]);
        assert_eq!(beside(&[0..4, 4..8]), [1, 1]);
    }
}

//! Counting with the office's calendar, and a query as a text.

use std::collections::BTreeMap;

use crate::deadlines::{CalendarRow, CourtNotice, Deadline, DeadlineQuery, NoticeKind, PartySource, count};
use crate::domain::Day;
use crate::store::nouns::holidays;
use crate::store::{self, Db};

/// The office's calendar, of which each year is read once, when a count touches it.
pub struct OfficeCalendar<R> {
    /// Reads the rows from a first to a last year.
    read: R,
    years: BTreeMap<i16, Vec<CalendarRow>>,
}

/// Returns the office's calendar of a snapshot of the store.
pub fn office_calendar(
    db: Db<'_>,
) -> OfficeCalendar<impl FnMut(i16, i16) -> Result<Vec<CalendarRow>, store::Error>> {
    OfficeCalendar { read: move |first, last| holidays::calendar(db, first, last), years: BTreeMap::new() }
}

impl<R, E> OfficeCalendar<R>
where
    R: FnMut(i16, i16) -> Result<Vec<CalendarRow>, E>,
{
    /// Counts a deadline with the rows of the years that it touches, and of the year after its last one, in which another reading
    /// of the law may end. If the years are too few, it is counted again with twice as many.
    pub fn count(&mut self, query: &DeadlineQuery) -> Result<Deadline, E> {
        let first = query.from.year();
        let mut years = 2;
        loop {
            let last = first + years - 1;
            self.read_years(first, last)?;
            let deadline = count(query, self.years.range(first..=last).flat_map(|(_, rows)| rows));
            let end = deadline.if_proven.map_or(deadline.day, |day| day.max(deadline.day));
            if end.year() < last {
                return Ok(deadline);
            }
            years *= 2;
        }
    }

    fn read_years(&mut self, first: i16, last: i16) -> Result<(), E> {
        let mut missing = (first..=last).filter(|year| !self.years.contains_key(year));
        let Some(first) = missing.next() else { return Ok(()) };
        let last = missing.next_back().unwrap_or(first);
        let rows = (self.read)(first, last)?;
        self.years.extend((first..=last).map(|year| (year, Vec::new())));
        for row in rows {
            self.years.entry(row.day.year()).or_default().push(row);
        }
        Ok(())
    }
}

/// Writes a query as a query string of `GET /deadlines`.
pub fn query_text(query: &DeadlineQuery) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(query_parameters(query)).finish()
}

/// Returns a query as the parameters of `GET /deadlines`, without those that are by default, but with the rule, whose default
/// depends on the court.
pub fn query_parameters(query: &DeadlineQuery) -> Vec<(String, String)> {
    let (kind, opened) = match query.notice {
        CourtNotice::Djen => (NoticeKind::Djen, None),
        CourtNotice::Published => (NoticeKind::Published, None),
        CourtNotice::Personal => (NoticeKind::Personal, None),
        CourtNotice::Portal(opened) => (NoticeKind::Portal, opened),
        CourtNotice::Domicilio(confirmed) => (NoticeKind::Domicilio, Some(confirmed)),
        CourtNotice::Day => (NoticeKind::Day, None),
    };
    // A mark that does not double is no parameter: without it, the same day is counted.
    let is_party_named = query.party_source == PartySource::Caller || query.is_doubled();
    let parameters = [
        ("from", Some(query.from.iso())),
        ("notice", (kind != NoticeKind::Djen).then(|| kind.as_str().to_owned())),
        ("opened", opened.map(Day::iso)),
        ("days", Some(query.days.get().to_string())),
        ("court", query.court.map(|court| court.as_str().to_owned())),
        ("city", query.city.as_ref().map(|city| city.text())),
        ("party", query.party.filter(|_| is_party_named).map(|party| party.as_str().to_owned())),
        ("rule", Some(query.rule.as_str().to_owned())),
        ("counting", query.counting.map(|counting| counting.as_str().to_owned())),
        ("custody", query.custody.then(|| true.to_string())),
    ];
    parameters.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlines::{DeadlineDays, Rule};
    use crate::domain::{CalendarEffect, CalendarScope, Court};

    fn query(from: Day) -> DeadlineQuery {
        DeadlineQuery {
            from,
            notice: CourtNotice::Djen,
            days: DeadlineDays::new(15).unwrap(),
            court: Some(Court::parse("TJSP").unwrap()),
            city: None,
            party: None,
            party_source: PartySource::Caller,
            rule: Rule::Cpc,
            counting: None,
            custody: false,
        }
    }

    /// Regression: a hundred years of closed days were read again for each of their years, and for each count of a review.
    #[test]
    fn every_row_is_read_once_in_a_few_reads() {
        let from = Day::from_ymd(2026, 3, 2).unwrap();
        let row = |number| CalendarRow {
            day: Day::from_number(number).unwrap(),
            name: None,
            scope: CalendarScope::parse("TJSP").unwrap(),
            effect: CalendarEffect::Closed,
            must_be_proven: false,
            proof: None,
            source: None,
            completes_year: false,
        };
        let rows = (from.number()..from.number() + 36_500).map(row).collect::<Vec<_>>();
        let mut reads = Vec::new();
        let read = |first, last| {
            let is_between = |row: &&CalendarRow| (first..=last).contains(&row.day.year());
            let found = rows.iter().filter(is_between).cloned().collect::<Vec<_>>();
            reads.push(found.len());
            Ok::<_, ()>(found)
        };
        let mut calendar = OfficeCalendar { read, years: BTreeMap::new() };
        for days_before in [0, 10, 400] {
            let from = Day::from_number(from.number() - days_before).unwrap();
            let deadline = calendar.count(&query(from)).unwrap();
            assert_eq!(deadline.day.year() > 2100, days_before < 400, "{}", deadline.day.iso());
        }
        assert_eq!(reads.iter().sum::<usize>(), rows.len());
        assert!(reads.len() <= 8, "{reads:?}");
    }
}

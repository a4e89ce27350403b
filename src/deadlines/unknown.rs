//! What a count does not know.

use std::collections::BTreeSet;

use super::calendar::{Calendar, CalendarRow, CourtRows};
use super::closed_by_law::{self, LegalDay};
use super::count::{DeadlineRun, Reading, days_from};
use super::memory::Unknown;
use super::rules::{Counting, Rule};
use super::{CourtNotice, DeadlineQuery, PartySource};
use crate::domain::{CalendarEffect, CalendarPlace, Day, Justice};

/// Lists what is not known about a run by a calendar. `later` are the runs in which what is not proven counts if it makes the deadline
/// later: all of it, rows alone, and acts of the court alone. One of them may hide what another one shows.
pub(super) fn unknown(
    query: &DeadlineQuery,
    calendar: &Calendar<'_>,
    run: &DeadlineRun<'_>,
    later: &[DeadlineRun<'_>],
) -> Vec<Unknown> {
    let rows = calendar.rows;
    let mut unknown = calendars(query, rows, run);
    unknown.extend(unproven(calendar, run, later));
    let span = days_from(query.from).take_while(|day| *day <= run.end);
    for day in span.filter(|day| decides(query, run, *day)) {
        let is_open = calendar.hours(day).are_full() && calendar.suspension(day).is_none();
        if !is_open || rows.on(day).next().is_some() || calendar.by_own_act(day).is_some() {
            continue;
        }
        unknown.extend(closed_by_law::often_closed(day).map(|name| Unknown::OftenClosed { day, name }));
    }
    let is_in_recess = |day: &Day| {
        let is_named = rows.on(*day).next().is_some() || calendar.by_own_act(*day).is_some();
        closed_by_law::federal_recess(*day) && !is_named
    };
    let bounds = [run.start, run.end].into_iter().filter(|day| calendar.suspension(*day).is_none());
    unknown.extend(bounds.filter(is_in_recess).min().map(|day| Unknown::OftenInRecess { day }));
    let is_vacation = |day: Day| matches!((day.month(), day.day()), (1, 21..) | (7, 2..));
    let is_at_tst = query.court.is_some_and(|court| court.as_str() == "TST");
    let mut vacation =
        days_from(query.from).take_while(|day| *day <= run.end).filter(|day| is_vacation(*day));
    unknown.extend(vacation.next().filter(|_| is_at_tst).map(|day| Unknown::VacationOfTst { day }));
    let since = query.rule.statute().since().filter(|since| query.from < *since);
    unknown.extend(since.map(|since| Unknown::EarlierLaw { since }));
    unknown.extend(readings(query, calendar, run));
    unknown
}

/// Lists the places whose calendar for a year that the deadline touches is not complete.
fn calendars(query: &DeadlineQuery, rows: &CourtRows<'_>, run: &DeadlineRun<'_>) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    for year in query.from.year()..=run.end.year() {
        let calendar = |place: String, rows: Vec<&CalendarRow>| match rows.len() {
            0 => Some(Unknown::NoCalendar { place, year }),
            _ if rows.iter().any(|row| row.completes_year) => None,
            count => Some(Unknown::OpenCalendar { place, year, count }),
        };
        unknown.extend(query.court.and_then(|court| {
            let rows = rows.of_year(year, |place| matches!(place, CalendarPlace::Court(_)));
            calendar(court.as_str().to_owned(), rows)
        }));
        unknown.extend(query.city.as_ref().and_then(|city| {
            let rows = rows.of_year(year, |place| matches!(place, CalendarPlace::City(_)));
            calendar(city.text(), rows)
        }));
    }
    let Some(court) = query.court else {
        unknown.push(match &query.city {
            Some(city) => Unknown::NoCourtOfCity { city: city.text() },
            None => Unknown::NoCourt,
        });
        return unknown;
    };
    let has_cities = !matches!(court.justice(), Justice::Superior | Justice::Supreme);
    if query.city.is_none() && has_cities {
        unknown.push(if rows.has_state() { Unknown::NoCity } else { Unknown::NoCityAndState });
    }
    unknown
}

/// Lists what is not proven of the days that are in the way of later runs only. In a run that ends on the same day, it changes nothing.
fn unproven(calendar: &Calendar<'_>, run: &DeadlineRun<'_>, later: &[DeadlineRun<'_>]) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    let later = later.iter().filter(|later| later.end != run.end);
    let closed = later.flat_map(DeadlineRun::closed_days).collect::<BTreeSet<_>>();
    for day in &closed - &run.closed_days() {
        unknown.extend(calendar.rows.on(day).filter(|row| !row.is_proven()).map(|row| {
            let is_open = row.effect == CalendarEffect::Open;
            let row = row.named();
            if is_open { Unknown::UnprovenOpen { day, row } } else { Unknown::Unproven { day, row } }
        }));
        let is_recess = |unknown: &Unknown| matches!(unknown, Unknown::OftenInRecess { .. });
        let own_act =
            calendar.by_own_act(day).map(|LegalDay { name, .. }| match closed_by_law::federal_recess(day) {
                true => Unknown::OftenInRecess { day },
                false => Unknown::OwnAct { day, name },
            });
        let is_named = own_act.as_ref().is_some_and(is_recess) && unknown.iter().any(is_recess);
        unknown.extend(own_act.filter(|_| !is_named));
    }
    unknown
}

/// Returns `true` if the hours of a day can move the deadline. Inside a count of calendar days they cannot.
fn decides(query: &DeadlineQuery, run: &DeadlineRun<'_>, day: Day) -> bool {
    day > query.from && (query.counting() == Counting::Working || day <= run.start || day == run.end)
}

/// Lists the other readings of an unclear law, each with the day to which it leads.
fn readings(query: &DeadlineQuery, calendar: &Calendar<'_>, run: &DeadlineRun<'_>) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    if query.notice == CourtNotice::Personal && query.rule != Rule::Clt {
        let day = query.from;
        let later = DeadlineRun::new(query, calendar, Reading::Later).end;
        unknown.extend((later != run.end).then_some(Unknown::NoticeOnClosedDay { later }));
        unknown.extend(calendar.by_own_act(day).map(|LegalDay { name, .. }| Unknown::OwnAct { day, name }));
    }
    if query.notice == CourtNotice::Published && !calendar.hours(query.from).are_open() {
        unknown.push(Unknown::PublishedOnClosedDay { day: query.from });
    }
    unknown.extend(of_party(query, calendar));
    unknown
}

/// Returns the other reading of a deadline that the law doubles for the party: single if it is doubled, and doubled if it is not.
fn of_party(query: &DeadlineQuery, calendar: &Calendar<'_>) -> Option<Unknown> {
    let party = query.party.filter(|party| query.rule.doubles(*party).0)?;
    let is_doubled = query.is_doubled();
    let other = DeadlineQuery {
        party: (!is_doubled).then_some(party),
        party_source: PartySource::Caller,
        ..query.clone()
    };
    let day = DeadlineRun::new(&other, calendar, Reading::Earlier).end;
    match (query.party_source, query.doubles_appeals_only()) {
        (PartySource::Caller, true) => Some(Unknown::OnlyAppeals { single: day }),
        (PartySource::Caller, false) => None,
        (PartySource::AllClients, true) => Some(Unknown::DoubledAppeal { doubled: day }),
        (PartySource::AllClients, false) => {
            Some(Unknown::OwnTerm { law: Rule::own_term_law(party), single: day })
        }
        (PartySource::SomeClients, _) => Some(Unknown::DoubledForSome { doubled: day }),
        (PartySource::DoubledInText, _) => Some(Unknown::DoubledByText { doubled: day }),
    }
}

//! The working days of a court: weekends, laws, and the rows of a calendar.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::DeadlineQuery;
use super::legal_days::{self, Suspension};
use super::memory::What;
use crate::domain::{CalendarEffect, CalendarPlace, CalendarScope, Court, Day, Justice, State};

/// A day of a calendar that an office entered (deadlines 31.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarRow {
    pub day: Day,
    pub scope: CalendarScope,
    pub effect: CalendarEffect,
    /// `true` if who invokes the day must prove it (CPC 1.003 §6).
    pub must_be_proven: bool,
    /// The act that proves the day.
    pub proof: Option<String>,
    /// The law, or where the office has the day from.
    pub source: Option<String>,
}

impl CalendarRow {
    /// Returns `true` if the day counts: it needs no proof, its act is named, or it only makes a deadline earlier.
    pub fn is_proven(&self) -> bool {
        !self.must_be_proven || self.proof.is_some() || self.effect == CalendarEffect::Open
    }

    fn law(&self) -> Option<Cow<'static, str>> {
        self.proof.clone().or(self.source.clone()).map(Cow::Owned)
    }
}

/// The reason why a day is no full working day.
pub(super) struct Cause {
    pub what: What,
    pub law: Option<Cow<'static, str>>,
}

/// The hours of a court on a day.
pub(super) enum Hours {
    Full,
    /// Fewer hours, or no electronic communication (CPC 224 §1).
    Partial(Cause),
    Weekend,
    Closed(Cause),
}

/// The days of one court.
pub(super) struct Calendar<'r> {
    query: &'r DeadlineQuery,
    /// The state of the city, or else of the court.
    state: Option<State>,
    /// The rows that hold at the court, wider ones first. Of the same place, a row that closes more comes later.
    rows: BTreeMap<Day, Vec<&'r CalendarRow>>,
}

impl<'r> Calendar<'r> {
    /// Selects the rows that hold at the court of the query.
    pub fn new(query: &'r DeadlineQuery, rows: impl Iterator<Item = &'r CalendarRow>) -> Calendar<'r> {
        let state = query.city.as_ref().map(|city| city.state().clone());
        let state = state.or_else(|| query.court?.state());
        let mut calendar = Calendar { query, state, rows: BTreeMap::new() };
        for row in rows {
            if row.scope.place().is_some_and(|place| calendar.holds(&place)) {
                calendar.rows.entry(row.day).or_default().push(row);
            }
        }
        for rows in calendar.rows.values_mut() {
            rows.sort_by_key(|row| (row.scope.place().map(|place| place.width()), row.effect));
        }
        calendar
    }

    fn holds(&self, place: &CalendarPlace) -> bool {
        match place {
            CalendarPlace::Country => true,
            CalendarPlace::State(state) => self.state.as_ref() == Some(state),
            CalendarPlace::City(city) => self.query.city.as_ref() == Some(city),
            CalendarPlace::Court(court) => Some(*court) == self.query.court,
        }
    }

    /// Returns the hours of the court on a day. A narrower row decides over a wider one and over the law, but no row
    /// opens a court on a weekend (CPC 216).
    pub fn hours(&self, day: Day) -> Hours {
        if matches!(day.weekday(), 0 | 6) {
            return Hours::Weekend;
        }
        let mut hours = self.legal_day(day).map_or(Hours::Full, Hours::Closed);
        for row in self.rows(day) {
            let scope = row.scope.clone();
            hours = match (row.effect, hours) {
                (CalendarEffect::Open, _) => Hours::Full,
                (CalendarEffect::Closed, _) => {
                    Hours::Closed(Cause { what: What::ClosedRow { scope }, law: row.law() })
                }
                (CalendarEffect::Partial, Hours::Full) => {
                    Hours::Partial(Cause { what: What::PartialRow { scope }, law: row.law() })
                }
                (CalendarEffect::Partial, hours) => hours,
            };
        }
        hours
    }

    /// Returns the rows of a day that hold at the court.
    pub fn rows(&self, day: Day) -> &[&'r CalendarRow] {
        self.rows.get(&day).map_or(&[], Vec::as_slice)
    }

    /// Returns `true` if the calendar has a row for a place in a year.
    pub fn has(&self, year: i16, is_place: impl Fn(&CalendarPlace) -> bool) -> bool {
        let rows = self.rows.values().flatten();
        rows.filter(|row| row.day.year() == year)
            .any(|row| row.scope.place().is_some_and(|place| is_place(&place)))
    }

    /// Returns `true` if the state whose holidays count is known.
    pub fn has_state(&self) -> bool {
        self.state.is_some()
    }

    fn legal_day(&self, day: Day) -> Option<Cause> {
        let national = legal_days::national(day);
        let justice = self.query.court.map_or(Justice::State, Court::justice);
        let is_federal = justice != Justice::State;
        let federal = legal_days::federal(day).filter(|_| is_federal);
        let legal = federal.or(national)?;
        let by_own_acts = federal.is_some() && matches!(justice, Justice::Labour | Justice::Supreme);
        let what = match by_own_acts {
            true => What::ClosedByOwnActs { name: legal.name },
            false => What::Closed { name: legal.name },
        };
        Some(Cause { what, law: Some(Cow::Borrowed(legal.law)) })
    }

    /// Returns the suspension in which the day is, with its law. Deadlines of prisoners are not suspended (CPP 798-A I).
    pub fn suspension(&self, day: Day) -> Option<(Suspension, Cow<'static, str>)> {
        if self.query.custody {
            return None;
        }
        const VACATION: &str = "LC 35/1979, art. 66, §1";
        let vacations = self.query.court.is_some_and(|court| matches!(court.as_str(), "STF" | "STJ"));
        let suspension = legal_days::suspension(day, vacations)?;
        let recess = self.query.rule.statute().recess_law;
        let law = match (suspension.is_vacation, day.month()) {
            (true, 7) => Cow::Borrowed(VACATION),
            (true, _) => Cow::Owned([recess, "; ", VACATION].concat()),
            (false, _) => Cow::Borrowed(recess),
        };
        Some((suspension, law))
    }
}

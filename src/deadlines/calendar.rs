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
    /// Returns `true` if the day needs no proof, or its act is named.
    pub fn is_proven(&self) -> bool {
        !self.must_be_proven || self.proof.is_some()
    }

    /// Returns `true` if the day counts: it is proven, or it only makes a deadline earlier.
    pub fn counts(&self) -> bool {
        self.is_proven() || self.effect == CalendarEffect::Open
    }

    /// Returns `true` if the day counts in the latest reading: it is proven, or it only makes a deadline later.
    pub fn counts_at_latest(&self) -> bool {
        self.is_proven() || self.effect != CalendarEffect::Open
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

/// The rows that hold at the court of a query.
pub(super) struct CourtRows<'r> {
    /// The state of the city, or else of the court.
    state: Option<State>,
    /// Wider rows first. Of the same place, a row that closes more comes later.
    by_day: BTreeMap<Day, Vec<(CalendarPlace, &'r CalendarRow)>>,
}

impl<'r> CourtRows<'r> {
    /// Selects the rows that hold at the court of the query.
    pub fn new(query: &DeadlineQuery, rows: impl Iterator<Item = &'r CalendarRow>) -> CourtRows<'r> {
        let state = query.city.as_ref().map(|city| city.state().clone());
        let state = state.or_else(|| query.court?.state());
        let holds = |place: &CalendarPlace| match place {
            CalendarPlace::Country => true,
            CalendarPlace::State(of) => state.as_ref() == Some(of),
            CalendarPlace::City(city) => query.city.as_ref() == Some(city),
            CalendarPlace::Court(court) => Some(*court) == query.court,
        };
        let mut by_day: BTreeMap<Day, Vec<_>> = BTreeMap::new();
        for row in rows {
            if let Some(place) = row.scope.place().filter(holds) {
                by_day.entry(row.day).or_default().push((place, row));
            }
        }
        for rows in by_day.values_mut() {
            rows.sort_by_key(|(place, row)| (place.width(), row.effect));
        }
        CourtRows { state, by_day }
    }

    /// Returns the rows of a day.
    pub fn on(&self, day: Day) -> impl Iterator<Item = &'r CalendarRow> {
        self.by_day.get(&day).into_iter().flatten().map(|(_, row)| *row)
    }

    /// Returns `true` if there is a row for a place in a year.
    pub fn has(&self, year: i16, is_place: impl Fn(&CalendarPlace) -> bool) -> bool {
        let [Some(first), Some(last)] =
            [(1, 1), (12, 31)].map(|(month, day)| Day::from_ymd(year, month, day))
        else {
            return false;
        };
        self.by_day.range(first..=last).flat_map(|(_, rows)| rows).any(|(place, _)| is_place(place))
    }

    /// Returns `true` if the state whose holidays count is known.
    pub fn has_state(&self) -> bool {
        self.state.is_some()
    }
}

/// The days of one court, by the rows that count.
pub(super) struct Calendar<'r> {
    pub query: &'r DeadlineQuery,
    pub rows: &'r CourtRows<'r>,
    pub counts: fn(&CalendarRow) -> bool,
}

impl Calendar<'_> {
    /// Returns the hours of the court on a day. A narrower row decides over a wider one and over the law, but no row
    /// opens a court on a weekend (CPC 216).
    pub fn hours(&self, day: Day) -> Hours {
        if matches!(day.weekday(), 0 | 6) {
            return Hours::Weekend;
        }
        let mut hours = self.legal_day(day).map_or(Hours::Full, Hours::Closed);
        for row in self.rows.on(day).filter(|row| (self.counts)(row)) {
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

//! The working days of a court: weekends, laws, and the rows of a calendar.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::DeadlineQuery;
use super::closed_by_law::{self, LegalDay, Suspension};
use super::count_steps::{CountStepKind, NamedScope};
use crate::domain::{CalendarEffect, CalendarPlace, CalendarScope, Court, Day, Justice, State};

/// A day of a calendar that an office entered (deadlines 31.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarRow {
    pub day: Day,
    pub name: Option<String>,
    pub scope: CalendarScope,
    pub effect: CalendarEffect,
    /// `true` if who invokes the day must prove it (CPC 1.003 §6).
    pub must_be_proven: bool,
    /// The act that proves the day.
    pub proof: Option<String>,
    /// The law, or where the office has the day from.
    pub source: Option<String>,
    /// `true` if with this day all days of its scope in its year are entered.
    pub completes_year: bool,
}

impl CalendarRow {
    /// Returns `true` if the day needs no proof, or its act is named.
    pub fn is_proven(&self) -> bool {
        !self.must_be_proven || self.proof.is_some()
    }

    /// Returns the place with the name of the day, as the steps show them.
    pub fn named(&self) -> NamedScope {
        NamedScope { scope: self.scope.clone(), name: self.name.clone() }
    }

    fn cause(&self, kind: impl FnOnce(NamedScope) -> CountStepKind) -> Cause {
        let law = self.proof.clone().or(self.source.clone()).map(Cow::Owned);
        Cause { kind: kind(self.named()), law }
    }

    /// Returns `true` if the row is one of the court itself.
    fn is_of_court(&self) -> bool {
        matches!(self.scope.place(), Some(CalendarPlace::Court(_)))
    }

    /// Returns `true` if the row lets a court work on a day that has these hours without it.
    pub(super) fn opens(&self, hours: &Hours) -> bool {
        match self.effect {
            CalendarEffect::Open => true,
            CalendarEffect::Partial => !hours.are_open(),
            CalendarEffect::Closed => false,
        }
    }
}

/// How days count that must be proven and are not: rows without their act, and days that a court closes only by acts of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unproven {
    /// As they make a deadline earlier: what closes a court does not count, and what opens it does.
    Earlier,
    /// As if all were proven.
    Proven,
    /// As they make a deadline later.
    Later,
    /// Rows as they make a deadline later. Acts of the court do not count.
    LaterRows,
    /// Acts of the court as if they were proven, and rows as they make a deadline earlier.
    LaterActs,
}

impl Unproven {
    /// Returns `true` if a row counts on a day that has these hours without it.
    fn counts(self, row: &CalendarRow, hours: &Hours) -> bool {
        let opens = row.opens(hours);
        row.is_proven()
            || match self {
                Unproven::Earlier | Unproven::LaterActs => opens,
                Unproven::Proven => true,
                Unproven::Later | Unproven::LaterRows => !opens,
            }
    }
}

/// The reason for the hours of a court on a day.
pub(super) struct Cause {
    pub kind: CountStepKind,
    pub law: Option<Cow<'static, str>>,
}

/// The hours of a court on a day.
pub(super) enum Hours {
    Full,
    /// Full hours, by a row that opens the court.
    Opened(Cause),
    /// Fewer hours, or no electronic communication (CPC 224 §1).
    Partial(Cause),
    Weekend,
    Closed(Cause),
}

impl Hours {
    /// Returns `true` if the court works all its hours.
    pub fn are_full(&self) -> bool {
        matches!(self, Hours::Full | Hours::Opened(_))
    }

    /// Returns `true` if the court works on the day, even if not all its hours.
    pub fn are_open(&self) -> bool {
        self.are_full() || matches!(self, Hours::Partial(_))
    }
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

    /// Returns the rows of a day that are those of the court itself.
    fn of_court(&self, day: Day) -> impl Iterator<Item = &'r CalendarRow> {
        let rows = self.by_day.get(&day).into_iter().flatten();
        rows.filter(|(place, _)| matches!(place, CalendarPlace::Court(_))).map(|(_, row)| *row)
    }

    /// Returns the rows of a place in a year.
    pub fn of_year(&self, year: i16, is_place: impl Fn(&CalendarPlace) -> bool) -> Vec<&'r CalendarRow> {
        let [Some(first), Some(last)] =
            [(1, 1), (12, 31)].map(|(month, day)| Day::from_ymd(year, month, day))
        else {
            return Vec::new();
        };
        let rows = self.by_day.range(first..=last).flat_map(|(_, rows)| rows);
        rows.filter(|(place, _)| is_place(place)).map(|(_, row)| *row).collect()
    }

    /// Returns `true` if the state whose holidays count is known.
    pub fn has_state(&self) -> bool {
        self.state.is_some()
    }
}

/// The days of one court.
pub(super) struct Calendar<'r> {
    pub query: &'r DeadlineQuery,
    pub rows: &'r CourtRows<'r>,
    pub unproven: Unproven,
}

impl Calendar<'_> {
    /// Returns the hours of the court on a day. A narrower row decides over a wider one and over the law, but no row
    /// opens a court on a weekend (CPC 216).
    pub fn hours(&self, day: Day) -> Hours {
        if matches!(day.weekday(), 0 | 6) {
            return Hours::Weekend;
        }
        let mut hours = self.legal_day(day).map_or(Hours::Full, |LegalDay { name, law }| {
            Hours::Closed(Cause { kind: CountStepKind::Closed { name }, law: Some(Cow::Borrowed(law)) })
        });
        let mut is_by_law = !hours.are_open();
        for row in self.rows.on(day) {
            // Fewer hours of others do not say that the court works on a day of the law.
            let says_nothing = row.effect == CalendarEffect::Partial && is_by_law && !row.is_of_court();
            if !says_nothing && self.unproven.counts(row, &hours) {
                is_by_law = false;
                hours = match row.effect {
                    CalendarEffect::Open => Hours::Opened(row.cause(|row| CountStepKind::OpenRow { row })),
                    CalendarEffect::Partial => {
                        Hours::Partial(row.cause(|row| CountStepKind::PartialRow { row }))
                    }
                    CalendarEffect::Closed => {
                        Hours::Closed(row.cause(|row| CountStepKind::ClosedRow { row }))
                    }
                };
            }
        }
        hours
    }

    /// Returns the day of a law on which the court is closed.
    fn legal_day(&self, day: Day) -> Option<LegalDay> {
        let is_federal = matches!(self.justice(), Justice::Federal | Justice::Superior);
        let federal = closed_by_law::federal(day).filter(|_| is_federal);
        let by_own_act = self
            .by_own_act(day)
            .filter(|_| !matches!(self.unproven, Unproven::Earlier | Unproven::LaterRows));
        federal.or(closed_by_law::national(day)).or(by_own_act)
    }

    /// Returns the day of federal justice on which the court is closed only if an act of its own says so: a TRT or the
    /// STF. `None` if a row of the court decides.
    pub fn by_own_act(&self, day: Day) -> Option<LegalDay> {
        let needs_act = matches!(self.justice(), Justice::Labour | Justice::Supreme);
        let is_decided = || self.rows.of_court(day).any(|row| self.unproven.counts(row, &Hours::Full));
        let of_federal_justice = closed_by_law::federal(day).filter(|_| needs_act && !is_decided());
        of_federal_justice.filter(|_| closed_by_law::national(day).is_none())
    }

    fn justice(&self) -> Justice {
        self.query.court.map_or(Justice::State, Court::justice)
    }

    /// Returns the suspension in which the day is, with its law. Deadlines of prisoners are not suspended (CPP 798-A I).
    pub fn suspension(&self, day: Day) -> Option<(Suspension, Cow<'static, str>)> {
        if self.query.custody {
            return None;
        }
        const VACATION: &str = "LC 35/1979, art. 66, §1";
        let vacations = self.query.court.is_some_and(|court| matches!(court.as_str(), "STF" | "STJ"));
        let suspension = closed_by_law::suspension(day, vacations)?;
        let recess = self.query.rule.statute().suspension_law;
        let law = match (suspension.is_vacation, day.month()) {
            (true, 7) => Cow::Borrowed(VACATION),
            (true, _) => Cow::Owned([recess, "; ", VACATION].concat()),
            (false, _) => Cow::Borrowed(recess),
        };
        Some((suspension, law))
    }
}

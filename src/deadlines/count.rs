//! The run of a deadline from its notice to its last day, with each step.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::calendar::{Calendar, Cause, Hours};
use super::count_steps::{CountStep, CountStepKind};
use super::rules::{Counting, Rule};
use super::{CourtNotice, DeadlineQuery, PartySource};
use crate::domain::Day;

/// An interpretation of the law where it is unclear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpretation {
    Earlier,
    Later,
}

/// The role of a day that the run looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DayRole {
    /// Publication or notice, which the recess and fewer hours do not move.
    Notice,
    /// The first or the last day.
    Bound,
    /// The days after the first one, on which fewer hours do not matter.
    Inside,
}

const PORTAL_DAYS: usize = 10;

/// Working days from the internal day of the office to the last day.
const INTERNAL_DAYS: usize = 2;

/// A counted deadline with the days that decided it.
pub(super) struct DeadlineRun<'c> {
    calendar: &'c Calendar<'c>,
    /// The day from which the first day follows: publication, notice or confirmation.
    pub notice: Day,
    pub start: Day,
    pub end: Day,
    pub steps: Vec<CountStep>,
    /// The end of the last suspension among the steps.
    suspended_until: Option<Day>,
}

/// Iterates over a day and all later ones, to the end of the year 9999.
pub(super) fn days_from(day: Day) -> impl Iterator<Item = Day> {
    (day.number()..).map_while(Day::from_number)
}

fn after(day: Day) -> Day {
    days_from(day).nth(1).unwrap_or(day)
}

impl<'c> DeadlineRun<'c> {
    pub fn new(query: &DeadlineQuery, calendar: &'c Calendar<'c>, law: Interpretation) -> DeadlineRun<'c> {
        let from = query.from;
        let steps = Vec::new();
        let mut run =
            DeadlineRun { calendar, notice: from, start: from, end: from, steps, suspended_until: None };
        run.notice = run.notice_day(query, law);
        run.start = run.first_day_for(after(run.notice), DayRole::Bound);
        run.explain(query);
        run.end = run.advance(query);
        run
    }

    pub fn internal(&self) -> Day {
        let days = (self.start.number()..self.end.number()).rev().filter_map(Day::from_number);
        let mut working = days
            .filter(|day| self.calendar.hours(*day).are_open() && self.calendar.suspension(*day).is_none());
        working.nth(INTERNAL_DAYS - 1).unwrap_or(self.start)
    }

    fn note(&mut self, day: Day, kind: CountStepKind, law: Option<&'static str>) {
        self.steps.push(CountStep { day, kind, law: law.map(Cow::Borrowed) });
    }

    /// Returns the day on which the notice counts as given.
    fn notice_day(&mut self, query: &DeadlineQuery, law: Interpretation) -> Day {
        let from = query.from;
        match query.notice {
            CourtNotice::Djen => {
                self.note(from, CountStepKind::Available, Some("Lei 11.419/2006, art. 4"));
                let publication = self.first_day_for(after(from), DayRole::Notice);
                self.note(
                    publication,
                    CountStepKind::Publication,
                    Some("Lei 11.419/2006, art. 4, §3; CPC, art. 224, §2"),
                );
                publication
            }
            CourtNotice::Published => {
                self.note(from, CountStepKind::Publication, None);
                from
            }
            CourtNotice::Day => {
                self.note(from, CountStepKind::From, None);
                from
            }
            CourtNotice::Personal => {
                self.note(from, CountStepKind::Personal, None);
                match (query.rule, law) {
                    (Rule::Clt, _) => self.postpone(from, "Súmula 262, I, do TST"),
                    (_, Interpretation::Later) => self.first_day_for(from, DayRole::Notice),
                    (_, Interpretation::Earlier) => from,
                }
            }
            CourtNotice::Portal(opened) => {
                self.note(from, CountStepKind::Sent, Some("Lei 11.419/2006, art. 5"));
                let due = days_from(from).nth(PORTAL_DAYS).unwrap_or(from);
                match opened.filter(|opened| *opened <= due) {
                    Some(opened) => {
                        self.note(opened, CountStepKind::Opened, Some("Lei 11.419/2006, art. 5, §1"));
                        self.postpone(opened, "Lei 11.419/2006, art. 5, §2")
                    }
                    None => {
                        self.note(due, CountStepKind::TenDays, Some("Lei 11.419/2006, art. 5, §3"));
                        self.postpone(due, "Lei 11.419/2006, art. 5, §§2 e 3")
                    }
                }
            }
            CourtNotice::Domicilio(confirmed) => {
                self.note(from, CountStepKind::Sent, None);
                self.note(confirmed, CountStepKind::Confirmed, None);
                let fifth = (0..5).fold(confirmed, |day, _| self.first_day_for(after(day), DayRole::Notice));
                self.note(fifth, CountStepKind::FifthDay, Some("CPC, art. 231, IX"));
                fifth
            }
        }
    }

    /// Returns the first working day from a day on, on which a notice counts as given.
    fn postpone(&mut self, day: Day, law: &'static str) -> Day {
        let given = self.first_day_for(day, DayRole::Notice);
        if given != day {
            self.note(given, CountStepKind::Given, Some(law));
        }
        given
    }

    /// Returns the first day from a day on that fits the role. Notes what is in the way of earlier ones.
    fn first_day_for(&mut self, from: Day, role: DayRole) -> Day {
        days_from(from).find(|day| !self.is_excluded(*day, role)).unwrap_or(from)
    }

    /// Returns `true` if a day does not fit the role. Notes the cause.
    fn is_excluded(&mut self, day: Day, role: DayRole) -> bool {
        if role != DayRole::Notice && self.is_suspended(day) {
            return true;
        }
        match self.calendar.hours(day) {
            Hours::Full => false,
            Hours::Partial(_) if role != DayRole::Bound => false,
            Hours::Weekend => true,
            Hours::Opened(cause) => {
                self.note_cause(day, cause);
                false
            }
            Hours::Partial(cause) | Hours::Closed(cause) => {
                self.note_cause(day, cause);
                true
            }
        }
    }

    /// Notes why the court has these hours, once for a day that two searches pass.
    fn note_cause(&mut self, day: Day, Cause { kind, law }: Cause) {
        let step = CountStep { day, kind, law };
        if !self.steps.contains(&step) {
            self.steps.push(step);
        }
    }

    /// Returns `true` if no deadline runs on the day. Notes a suspension once.
    fn is_suspended(&mut self, day: Day) -> bool {
        let Some((suspension, law)) = self.calendar.suspension(day) else { return false };
        let until = suspension.until;
        if self.suspended_until.replace(until) != Some(until) {
            let kind = CountStepKind::Suspended { until };
            self.steps.push(CountStep { day, kind, law: Some(law) });
        }
        true
    }

    /// Returns the days whose hours are in the way of the deadline.
    pub fn closed_days(&self) -> BTreeSet<Day> {
        let closed = self.steps.iter().filter(|step| step.kind.is_closed());
        closed.map(|step| step.day).collect()
    }

    /// Notes the first day, and which and how many days are counted.
    fn explain(&mut self, query: &DeadlineQuery) {
        let statute = query.rule.statute();
        let start_law = match query.notice {
            CourtNotice::Djen | CourtNotice::Published => "Lei 11.419/2006, art. 4, §4",
            _ => statute.start_law,
        };
        self.note(self.start, CountStepKind::Start, Some(start_law));
        let days = query.days.get();
        let total = query.total();
        if let Some(party) = query.party {
            let (is_by_law, law) = query.rule.doubles(party);
            let (kind, law) = match (is_by_law, query.is_doubled(), query.party_source) {
                (false, ..) => (CountStepKind::NotDoubled, law),
                (true, true, _) => (CountStepKind::Doubled { days, total }, law),
                (true, false, PartySource::SomeClients) => (CountStepKind::SomeDoubled, "CPC, art. 117"),
                (true, false, PartySource::DoubledInText) => (CountStepKind::TextDoubled, law),
                (true, false, _) => (CountStepKind::AppealsDoubled, law),
            };
            self.note(self.start, kind, Some(law));
        }
        let counting = query.counting();
        let kind = match counting {
            Counting::Working => CountStepKind::WorkingDays { days: total },
            Counting::Calendar => CountStepKind::CalendarDays { days: total },
        };
        // No law says it if the caller chose the kind of days.
        let law = (counting == statute.counting).then_some(statute.counting_law);
        self.note(self.start, kind, law);
    }

    /// Counts the days after the first one and returns the last day.
    fn advance(&mut self, query: &DeadlineQuery) -> Day {
        let counting = query.counting();
        let total = query.total();
        let mut last = self.start;
        let mut counted = 1;
        for day in days_from(after(self.start)) {
            if counted == total {
                break;
            }
            let is_skipped = match counting {
                Counting::Working => self.is_excluded(day, DayRole::Inside),
                Counting::Calendar => self.is_suspended(day),
            };
            if !is_skipped {
                counted += 1;
                last = day;
            }
        }
        if !self.calendar.hours(last).are_full() {
            self.note(last, CountStepKind::LastCounted { days: total }, None);
        }
        let end = self.first_day_for(last, DayRole::Bound);
        self.note(end, CountStepKind::End, Some(query.rule.statute().end_law));
        end
    }
}

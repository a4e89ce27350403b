//! The run of a deadline from its notice to its last day, with the memory of each step.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::calendar::{Calendar, Cause, Hours};
use super::count_steps::{MemoryLine, What};
use super::rules::{Counting, Rule};
use super::{CourtNotice, DeadlineQuery, PartySource};
use crate::domain::Day;

/// A reading of the law where it is unclear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Earlier,
    Later,
}

/// The part of a run that looks for a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
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
    pub given: Day,
    pub start: Day,
    pub end: Day,
    pub memory: Vec<MemoryLine>,
    /// The end of the last suspension in the memory.
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
    /// Counts the deadline.
    pub fn new(query: &DeadlineQuery, calendar: &'c Calendar<'c>, reading: Reading) -> DeadlineRun<'c> {
        let from = query.from;
        let memory = Vec::new();
        let mut run =
            DeadlineRun { calendar, given: from, start: from, end: from, memory, suspended_until: None };
        run.given = run.give(query, reading);
        run.start = run.first(after(run.given), Step::Bound);
        run.explain(query);
        run.end = run.advance(query);
        run
    }

    /// Returns the internal day of the office.
    pub fn internal(&self) -> Day {
        let days = (self.start.number()..self.end.number()).rev().filter_map(Day::from_number);
        let mut working = days
            .filter(|day| self.calendar.hours(*day).are_open() && self.calendar.suspension(*day).is_none());
        working.nth(INTERNAL_DAYS - 1).unwrap_or(self.start)
    }

    fn note(&mut self, day: Day, what: What, law: Option<&'static str>) {
        self.memory.push(MemoryLine { day, what, law: law.map(Cow::Borrowed) });
    }

    /// Returns the day on which the notice counts as given.
    fn give(&mut self, query: &DeadlineQuery, reading: Reading) -> Day {
        let from = query.from;
        match query.notice {
            CourtNotice::Djen => {
                self.note(from, What::Available, Some("Lei 11.419/2006, art. 4"));
                let publication = self.first(after(from), Step::Notice);
                self.note(
                    publication,
                    What::Publication,
                    Some("Lei 11.419/2006, art. 4, §3; CPC, art. 224, §2"),
                );
                publication
            }
            CourtNotice::Published => {
                self.note(from, What::Publication, None);
                from
            }
            CourtNotice::Day => {
                self.note(from, What::From, None);
                from
            }
            CourtNotice::Personal => {
                self.note(from, What::Personal, None);
                match (query.rule, reading) {
                    (Rule::Clt, _) => self.postpone(from, "Súmula 262, I, do TST"),
                    (_, Reading::Later) => self.first(from, Step::Notice),
                    (_, Reading::Earlier) => from,
                }
            }
            CourtNotice::Portal(opened) => {
                self.note(from, What::Sent, Some("Lei 11.419/2006, art. 5"));
                let due = days_from(from).nth(PORTAL_DAYS).unwrap_or(from);
                match opened.filter(|opened| *opened <= due) {
                    Some(opened) => {
                        self.note(opened, What::Opened, Some("Lei 11.419/2006, art. 5, §1"));
                        self.postpone(opened, "Lei 11.419/2006, art. 5, §2")
                    }
                    None => {
                        self.note(due, What::TenDays, Some("Lei 11.419/2006, art. 5, §3"));
                        self.postpone(due, "Lei 11.419/2006, art. 5, §§2 e 3")
                    }
                }
            }
            CourtNotice::Domicilio(confirmed) => {
                self.note(from, What::Sent, None);
                self.note(confirmed, What::Confirmed, None);
                let fifth = (0..5).fold(confirmed, |day, _| self.first(after(day), Step::Notice));
                self.note(fifth, What::FifthDay, Some("CPC, art. 231, IX"));
                fifth
            }
        }
    }

    /// Returns the first working day from a day on, on which a notice counts as given.
    fn postpone(&mut self, day: Day, law: &'static str) -> Day {
        let given = self.first(day, Step::Notice);
        if given != day {
            self.note(given, What::Given, Some(law));
        }
        given
    }

    /// Returns the first day from a day on that fits the step. Notes what is in the way of earlier ones.
    fn first(&mut self, from: Day, step: Step) -> Day {
        days_from(from).find(|day| !self.bars_and_notes(*day, step)).unwrap_or(from)
    }

    /// Returns `true` if a day does not fit the step, and notes the cause.
    fn bars_and_notes(&mut self, day: Day, step: Step) -> bool {
        if step != Step::Notice && self.is_suspended(day) {
            return true;
        }
        match self.calendar.hours(day) {
            Hours::Full => false,
            Hours::Partial(_) if step != Step::Bound => false,
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

    /// Notes why the court has these hours, once for a day on which two steps look.
    fn note_cause(&mut self, day: Day, Cause { what, law }: Cause) {
        let line = MemoryLine { day, what, law };
        if !self.memory.contains(&line) {
            self.memory.push(line);
        }
    }

    /// Returns `true` if no deadline runs on the day. Notes a suspension once.
    fn is_suspended(&mut self, day: Day) -> bool {
        let Some((suspension, law)) = self.calendar.suspension(day) else { return false };
        let until = suspension.until;
        if self.suspended_until.replace(until) != Some(until) {
            let what = What::Suspended { until };
            self.memory.push(MemoryLine { day, what, law: Some(law) });
        }
        true
    }

    /// Returns the days whose hours are in the way of the deadline.
    pub fn closed_days(&self) -> BTreeSet<Day> {
        let closed = self.memory.iter().filter(|line| line.what.is_closed());
        closed.map(|line| line.day).collect()
    }

    /// Notes the first day, and which and how many days are counted.
    fn explain(&mut self, query: &DeadlineQuery) {
        let statute = query.rule.statute();
        let start_law = match query.notice {
            CourtNotice::Djen | CourtNotice::Published => "Lei 11.419/2006, art. 4, §4",
            _ => statute.start_law,
        };
        self.note(self.start, What::Start, Some(start_law));
        let days = query.days.get();
        let total = query.total();
        if let Some(party) = query.party {
            let (is_by_law, law) = query.rule.doubles(party);
            let (what, law) = match (is_by_law, query.is_doubled(), query.party_source) {
                (false, ..) => (What::NotDoubled, law),
                (true, true, _) => (What::Doubled { days, total }, law),
                (true, false, PartySource::SomeClients) => (What::SomeDoubled, "CPC, art. 117"),
                (true, false, PartySource::DoubledInText) => (What::TextDoubled, law),
                (true, false, _) => (What::AppealsDoubled, law),
            };
            self.note(self.start, what, Some(law));
        }
        let counting = query.counting();
        let what = match counting {
            Counting::Working => What::WorkingDays { days: total },
            Counting::Calendar => What::CalendarDays { days: total },
        };
        // No law says it if the caller chose the kind of days.
        let law = (counting == statute.counting).then_some(statute.counting_law);
        self.note(self.start, what, law);
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
                Counting::Working => self.bars_and_notes(day, Step::Inside),
                Counting::Calendar => self.is_suspended(day),
            };
            if !is_skipped {
                counted += 1;
                last = day;
            }
        }
        if !self.calendar.hours(last).are_full() {
            self.note(last, What::LastCounted { days: total }, None);
        }
        let end = self.first(last, Step::Bound);
        self.note(end, What::End, Some(query.rule.statute().end_law));
        end
    }
}

//! Deadlines of the courts: counts days by a table of rules and answers the day, its steps and what it does not know
//! (deadlines 31).
//!
//! **The way through.** `count` goes from the notice to the last day, by the statute of `rules`, and notes each step
//! (`count_steps`) and what it cannot know (`count_warnings`). It asks `calendar` for each day, which knows the days of
//! `closed_by_law` and the office's rows. `typed` reads what a person types as a deadline, `in_publication` what a text
//! says.
//!
//! All functions are pure. The rows of calendars are an argument.

mod calendar;
mod closed_by_law;
mod count;
mod count_steps;
mod count_warnings;
mod in_publication;
mod numbers;
mod rules;
#[cfg(test)]
mod tests;
mod typed;

pub use calendar::CalendarRow;
pub use closed_by_law::{LegalDay, LegalSpan, legal_spans, often_closed};
pub use count_steps::{CountStep, CountStepKind, NamedScope};
pub use count_warnings::Unknown;
pub use in_publication::NamedDeadline;
pub use rules::{Counting, NoticeKind, Rule};
pub use typed::{TypedDeadline, is_hours};

use crate::domain::{Court, CourtCity, Day, DoubledParty, Whole};
use calendar::{Calendar, CourtRows, Unproven};
use count::{DeadlineRun, Interpretation};

/// The days of a deadline, 1 to 365.
pub type DeadlineDays = Whole<1, 365>;

/// The way in which a court gave notice, with the day on which the notice was opened or confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourtNotice {
    /// A notice that was published, if the day on which it was made available is unknown.
    Published,
    Djen,
    Personal,
    /// A notice in the court's portal, with the day on which it was opened.
    Portal(Option<Day>),
    /// A summons that was confirmed on this day.
    Domicilio(Day),
    /// No notice: the deadline follows a day, such as one that was agreed on.
    Day,
}

/// Who says that a party has double deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartySource {
    /// The caller, of this deadline.
    Caller,
    /// The mark of all clients of the case.
    AllClients,
    /// The mark of some clients of the case.
    SomeClients,
    /// Marks of clients, but the text of the notice speaks of a double deadline, and so may name one that is doubled already.
    DoubledInText,
}

/// A deadline that is to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadlineQuery {
    /// The day on which the notice was made available, published, given or sent.
    pub from: Day,
    pub notice: CourtNotice,
    pub days: DeadlineDays,
    /// `None` if it is unknown: then only days of the whole country count, and those of the city.
    pub court: Option<Court>,
    pub city: Option<CourtCity>,
    pub party: Option<DoubledParty>,
    pub party_source: PartySource,
    pub rule: Rule,
    /// The kind of days, if it is not that of the rule.
    pub counting: Option<Counting>,
    /// `true` for a person in custody, whose deadlines the recess does not stop (CPP 798-A I).
    pub custody: bool,
}

impl DeadlineQuery {
    /// Returns the kind of days that are counted.
    pub fn counting(&self) -> Counting {
        self.counting.unwrap_or(self.rule.statute().counting)
    }

    /// Returns the number of days that are counted, after doubling.
    pub fn total(&self) -> u32 {
        self.days.get() * if self.is_doubled() { 2 } else { 1 }
    }

    /// Returns `true` if the deadline is doubled. A mark does not double it if the law doubles it for some clients
    /// only, or appeals only, or if the notice may have doubled it.
    pub fn is_doubled(&self) -> bool {
        let is_for_all = match self.party_source {
            PartySource::Caller => true,
            PartySource::AllClients => !self.doubles_appeals_only(),
            PartySource::SomeClients | PartySource::DoubledInText => false,
        };
        is_for_all && self.party.is_some_and(|party| self.rule.doubles(party).0)
    }

    /// Returns `true` in labour justice for public bodies (DL 779/1969, art. 1, III).
    fn doubles_appeals_only(&self) -> bool {
        let is_labour = self.rule == Rule::Clt || self.court.is_some_and(Court::is_labour);
        is_labour && self.party == Some(DoubledParty::Fazenda)
    }
}

/// A counted deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The last day. If days must be proven, it is the day without them.
    pub day: Day,
    /// The day on which the notice counts as published or given.
    pub given: Day,
    /// The day on which the office is to have done it: two working days before the last one, and not before the first one.
    pub internal: Day,
    /// The steps of the count, in the order of their days.
    pub steps: Vec<CountStep>,
    pub unknown: Vec<Unknown>,
    /// The last day if all days that must be proven are, if it is another one.
    pub if_proven: Option<Day>,
}

impl Deadline {
    /// Returns `true` if nothing is unknown.
    pub fn is_certain(&self) -> bool {
        self.unknown.is_empty() && self.if_proven.is_none()
    }
}

/// Counts a deadline. Rows of other courts, states and cities have no effect.
pub fn count<'r>(query: &DeadlineQuery, rows: impl IntoIterator<Item = &'r CalendarRow>) -> Deadline {
    let rows = CourtRows::new(query, rows.into_iter());
    let calendar = |unproven| Calendar { query, rows: &rows, unproven };
    let [earlier, proven] = [Unproven::Earlier, Unproven::Proven].map(calendar);
    let later = [Unproven::Later, Unproven::LaterRows, Unproven::LaterActs].map(calendar);
    let run = DeadlineRun::new(query, &earlier, Interpretation::Earlier);
    let if_proven = DeadlineRun::new(query, &proven, Interpretation::Earlier).end;
    let later = later.each_ref().map(|calendar| DeadlineRun::new(query, calendar, Interpretation::Earlier));
    let unknown = count_warnings::unknown(query, &earlier, &run, &later);
    Deadline {
        day: run.end,
        given: run.notice,
        internal: run.internal(),
        steps: run.steps,
        unknown,
        if_proven: (if_proven != run.end).then_some(if_proven),
    }
}

//! A row of a record's table: everything that any floor must know of one of its members.

use super::value::{Input, Value};
use super::{Find, Kind, OnDelete, Source, Type};
use crate::domain::{Bilingual, Day, Reason};

/// A heading, and the fields of a record that stand under it in forms and on its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Where it stands among those of its record: the lowest first.
    pub place: u8,
    /// What people read.
    pub label: Bilingual,
}

/// A heading, and where it stands among those of its record: the lowest first.
pub const fn section(place: u8, pt: &'static str, en: &'static str) -> Section {
    Section { place, label: (pt, en) }
}

/// Which days a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayRule {
    /// From 1900 to 2199 (contract 1).
    OfRecord,
    /// From 1850 to today (contract 4.3).
    OfBirth,
    /// From 1900 to a year from today (resources 14.5).
    OfEvent,
    /// From 1900 to today.
    UntilToday,
}

/// The default of a day that is today where nobody says anything.
pub(super) const TODAY: &str = "today";

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its column, where it has one.
    pub column: &'static str,
    /// What requests call it.
    pub member: &'static str,
    /// What requests and filters may call it as well; empty where there is no other name.
    pub other_name: &'static str,
    /// What answers call it.
    pub shown: &'static str,
    /// What the description calls the parameter that finds records by it; empty if that is what answers call it.
    pub parameter: &'static str,
    /// What it is: one sentence.
    pub about: Bilingual,
    /// How it is to be written, beyond that; empty where there is nothing to say.
    pub rule: Bilingual,
    /// What people call it; empty where no page says it.
    pub label: Bilingual,
    /// A line of explanation below it in forms; empty if its label says enough.
    pub hint: Bilingual,
    /// Under which heading it stands.
    pub section: Section,
    /// Whether it takes more room than others, beyond those whose values are long by their type.
    pub wide: bool,
    /// What kind of values it has.
    pub ty: Type,
    /// Where its value comes from.
    pub source: Source,
    /// Whether there must be one.
    pub required: bool,
    /// Whether no two records share one.
    pub unique: bool,
    /// Whether names are unique among the records that share one only.
    pub unique_with_name: bool,
    /// What it is where nobody says anything, as somebody would write it; empty where that is nothing.
    pub default: &'static str,
    /// What answers and pages show if nothing is stored.
    pub stand_in: Option<Source>,
    /// Whether answers show it.
    pub is_shown: bool,
    /// Whether the noun's own file says what it is where nobody does.
    pub derived: bool,
    /// Whether it is stored, and no request may name it: the noun's own file says what it is.
    pub fixed: bool,
    /// Whether only a POST may name it.
    pub initial: bool,
    /// Whether a PUT may name it although it is not stored: the noun's own file says what that means.
    pub changeable: bool,
    /// An example, as somebody would write it.
    pub example: &'static str,
    /// What people may take for it, beside what other records have; none where nothing is offered.
    pub suggested: Option<&'static [&'static str]>,
    /// How lists find records by it.
    pub find: Option<Find>,
    /// Whether the console's search looks at its words although no list finds records by it.
    pub searched: bool,
    /// The column that holds its folded form.
    pub key: Option<&'static str>,
    /// Which days it takes.
    pub days: DayRule,
    /// The most records or entries that it links to, if there is a bound.
    pub most: Option<usize>,
    /// What becomes of the record when the one that it points to is deleted.
    pub on_delete: OnDelete,
    pub(super) read: fn(&Input<'_>) -> Result<Value<'static>, Reason>,
}

impl Field {
    /// Whether it is stored.
    pub const fn is_stored(&self) -> bool {
        matches!(self.source, Source::Column | Source::Links(..))
    }

    /// Whether the noun's own file writes it into answers.
    pub const fn is_own(&self) -> bool {
        matches!(self.source, Source::LinkedBy(..) | Source::Links(..) | Source::NamesOf(_) | Source::Own)
            || matches!(self.ty, Type::OpposingParties)
    }

    /// What requests may call it, empty names apart: their own name for it, another one, and the one that answers have.
    pub fn sent_names(&self) -> [&'static str; 3] {
        let is_same = !self.is_shown || [self.member, self.other_name].contains(&self.shown);
        [self.member, self.other_name, if is_same { "" } else { self.shown }]
    }

    /// Whether it takes more room than others.
    pub const fn is_wide(&self) -> bool {
        self.wide || self.ty.is_long()
    }

    /// The kind of the one record that it refers to, where it does.
    pub const fn record(&self) -> Option<Kind> {
        match (self.source, self.ty) {
            (Source::Column, Type::Record(kind)) => Some(kind),
            _ => None,
        }
    }

    /// Whether it points to other records or entries.
    pub const fn is_reference(&self) -> bool {
        matches!(self.ty, Type::Reference(_) | Type::Record(_) | Type::Links(_))
    }

    /// Whether it is the office's day where nobody says anything.
    pub fn is_today(&self) -> bool {
        self.default == TODAY
    }

    /// What it is where nobody says anything; nothing where that is the office's day, which only the caller knows.
    pub fn fallback(&self) -> Value<'static> {
        match self.default {
            "" | TODAY => Value::Null,
            default => self.read(&Input::Text(default)).unwrap_or(Value::Null),
        }
    }

    /// Reads a value of it.
    ///
    /// # Errors
    /// What would be right.
    pub fn read(&self, input: &Input<'_>) -> Result<Value<'static>, Reason> {
        (self.read)(input)
    }

    /// Whether the field takes that value on the day `today`, which no type can tell.
    ///
    /// # Errors
    /// What would be right.
    pub fn check(&self, value: &Value<'_>, today: Day) -> Result<(), Reason> {
        if let (Some(most), Value::Ids(ids)) = (self.most, value)
            && ids.len() > most
        {
            return Err(Reason::TooManyNamed { most });
        }
        let is_day = matches!(self.ty, Type::Day | Type::SlashedDay | Type::DayTime);
        let Some(day) = value.day().filter(|_| is_day) else { return Ok(()) };
        match self.days {
            DayRule::OfBirth => day.as_birthdate(today),
            DayRule::OfEvent => day.as_event(today),
            DayRule::UntilToday if day > today => Err(Reason::AfterToday),
            DayRule::UntilToday | DayRule::OfRecord => day.as_recorded(),
        }
        .map(|_| ())
    }
}

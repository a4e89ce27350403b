//! A row of a record's table: everything that other modules need to know about one member.

mod external_ids;
pub(super) mod find;
pub(super) mod masking;
mod opposing_parties;
pub(super) mod row;
pub(super) mod source;
pub(super) mod types;
pub(super) mod value;

use jiff::tz::TimeZone;

use super::{Find, Kind, Source, Type};
use crate::domain::{Bilingual, Day, DayOf, Reason, phone_key};
use opposing_parties::are_contained;
use value::{Input, Value};

/// A heading in forms and on record pages, with the fields below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Position among the sections of a record, in ascending order.
    pub place: u8,
    pub label: Bilingual,
}

/// Creates a section with its position and its heading.
pub const fn section(place: u8, pt: &'static str, en: &'static str) -> Section {
    Section { place, label: (pt, en) }
}

/// The days that a field accepts.
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
    /// From 1900 to 2199, mostly a day that was.
    OfPast,
}

impl DayRule {
    /// Returns what the days are of, which completes those without a year or a century.
    pub fn day_of(self) -> DayOf {
        match self {
            DayRule::OfRecord => DayOf::Plan,
            DayRule::OfEvent | DayRule::UntilToday | DayRule::OfPast => DayOf::Past,
            DayRule::OfBirth => DayOf::Birth,
        }
    }

    /// Returns `true` if a day of other programs' sheets is a slip, although [`Field::check`] accepts it: a day to come in a
    /// column of days that were (office 59).
    pub fn is_slip(self, day: Day, today: Day) -> bool {
        matches!(self, DayRule::UntilToday | DayRule::OfPast) && day > today
    }
}

/// The use of a field for finding the existing record of a request or of an imported row (events 22.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    Never,
    /// Used by imports, and by a PUT without `match`.
    Always,
    /// Used by a PUT whose `match` names the field.
    OnRequest,
}

/// Effect on a record when the record that one of its members refers to is deleted (resources 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDelete {
    /// The record stays as it is.
    NoAction,
    /// The referenced record cannot be deleted.
    Restrict,
    /// The referenced record can be deleted only if a person confirms that this record is deleted too. Both
    /// are restored together.
    Confirm,
    /// The record is deleted and restored together with the referenced record.
    Cascade,
}

/// The part in a record of the person whom a field names. Forms for new records propose this person (office 52).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonRole {
    /// Adds, writes or sends the record: proposed is who works in the browser.
    Author,
    /// Is to take care of it: proposed is who was responsible last.
    Responsible,
}

/// Default of a field whose default is the current day.
pub(super) const TODAY: &str = "today";

/// Default of a field whose value the noun's own file derives from other members. Without these, the file refuses the request.
pub(super) const DERIVED: &str = "derived";

/// A member of a record, described by a row of its table.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name of the struct field, and of the column if the member is stored.
    pub column: &'static str,
    /// Name in requests.
    pub member: &'static str,
    /// Another name in requests and filters, or empty.
    pub other_name: &'static str,
    /// Name in answers.
    pub shown: &'static str,
    /// Name of the filter parameter in the API description. Empty if it is the name in answers.
    pub parameter: &'static str,
    /// Description in one sentence.
    pub about: Bilingual,
    /// Rule about the form of the value, or empty.
    pub rule: Bilingual,
    /// Label on pages. Empty if no page shows the member.
    pub label: Bilingual,
    /// Explanation below the field in forms. Empty if the label is enough.
    pub hint: Bilingual,
    pub section: Section,
    /// `true` if the member needs more room than others in forms, although its type is not a long one.
    pub wide: bool,
    pub ty: Type,
    pub source: Source,
    /// `true` if the value is not optional and has no default.
    pub required: bool,
    /// `true` if no two records share a value.
    pub unique: bool,
    /// `true` if names are unique only among the records that share a value of this member.
    pub unique_with_name: bool,
    pub matching: Matching,
    /// The other member whose value records must share to be found by this one, such as the day of a holiday's scope.
    pub within: Option<&'static str>,
    /// Default value, written like user input, or empty.
    pub default: &'static str,
    /// Source for answers and pages if nothing is stored.
    pub fallback_source: Option<Source>,
    /// `true` if answers contain the member.
    pub is_shown: bool,
    /// `true` if many people have the same value, so that it does not tell who someone is.
    pub is_common: bool,
    /// `true` if the noun's own file computes the value when a request contains none.
    pub computed_if_absent: bool,
    /// The noun that a caller must see to see the member: a computed member shows its records, or a number names one.
    pub behind: Option<Kind>,
    /// `true` if the member names a record that this one belongs to: a caller who may see none of its owners does not see
    /// the record. The member is a stored column.
    pub owns: bool,
    /// `true` if the member is stored but requests cannot set it. The noun's own file sets it.
    pub read_only: bool,
    /// `true` if requests cannot set the member, but forms of the console can.
    pub set_by_forms: bool,
    /// `true` if only a POST can set the member.
    pub create_only: bool,
    /// `true` if a PUT can set the member although it is not stored. The noun's own file defines the effect.
    pub changeable: bool,
    /// Example, written like user input.
    pub example: &'static str,
    /// Values that forms suggest, in addition to the values of other records. `None` if forms suggest nothing.
    pub suggested: Option<&'static [&'static str]>,
    /// The filter of lists for this member.
    pub find: Option<Find>,
    /// `true` if the console's search includes the words of the member although lists do not filter by it.
    pub searched: bool,
    /// Column with the folded form.
    pub key: Option<&'static str>,
    pub days: DayRule,
    /// `true` if a record without the value says the contrary: without its day of payment, a transaction is unpaid. An
    /// import never leaves such a value to the notes.
    pub decisive: bool,
    pub role: Option<PersonRole>,
    /// Maximum number of linked records or entries.
    pub most: Option<usize>,
    /// Effect on this record when the referenced record is deleted.
    pub on_delete: OnDelete,
    pub(super) read: fn(&Input<'_>) -> Result<Value<'static>, Reason>,
}

impl Field {
    /// Returns `true` if no two records share a value, alone or with that of another member.
    pub const fn is_unique(&self) -> bool {
        self.unique || self.within.is_some()
    }

    pub const fn is_stored(&self) -> bool {
        matches!(self.source, Source::Column | Source::Links(..))
    }

    /// Returns `true` if the noun's own file writes the member into answers.
    pub const fn is_own(&self) -> bool {
        matches!(
            self.source,
            Source::LinkedBy(..) | Source::Links(..) | Source::NamesOf(_) | Source::Computed
        ) || matches!(self.ty, Type::OpposingParties)
    }

    /// Returns the names that requests may use: the name in requests, the other name, and the name in
    /// answers. Names that do not exist are empty.
    pub fn sent_names(&self) -> [&'static str; 3] {
        let is_same = !self.is_shown || [self.member, self.other_name].contains(&self.shown);
        [self.member, self.other_name, if is_same { "" } else { self.shown }]
    }

    /// Returns `true` if the member needs more room than others in forms.
    pub const fn is_wide(&self) -> bool {
        self.wide || self.ty.is_long()
    }

    /// Returns the kind of the single record that the member refers to.
    pub const fn record(&self) -> Option<Kind> {
        match (self.source, self.ty) {
            (Source::Column, Type::Record(kind)) => Some(kind),
            _ => None,
        }
    }

    pub const fn is_reference(&self) -> bool {
        matches!(self.ty, Type::Reference(_) | Type::Record(_) | Type::Links(_))
    }

    /// Returns `true` if the default is the current day of the office.
    pub fn is_today(&self) -> bool {
        self.default == TODAY
    }

    /// Returns `true` if every record has a value, and the table has none to fill in.
    pub fn is_always_given(&self) -> bool {
        self.required || [TODAY, DERIVED].contains(&self.default)
    }

    /// Returns the default value. Returns `Null` if only the caller knows it: the current day, or a derived value.
    pub fn fallback(&self) -> Value<'static> {
        match self.default {
            "" | TODAY | DERIVED => Value::Null,
            default => self.read(&Input::Text(default)).unwrap_or(Value::Null),
        }
    }

    /// Parses an input as a value of the member.
    pub fn read(&self, input: &Input<'_>) -> Result<Value<'static>, Reason> {
        (self.read)(input)
    }

    /// Returns `true` if a stored value needs no change to become this one: it is the same, or the same phone with its
    /// ninth digit, or the same opposing parties with what the server adds to them.
    pub fn is_unchanged_by(&self, value: &Value<'_>, present: &Value<'_>) -> bool {
        match self.ty {
            Type::OpposingParties => are_contained(value, present),
            Type::Phone => value == present || value.text().map(phone_key).as_deref() == present.text(),
            _ => value == present,
        }
    }

    /// Like [`Field::read`], with a day and time converted to the office's time zone, `zone` (contract 1).
    pub fn read_in(&self, input: &Input<'_>, zone: &TimeZone) -> Result<Value<'static>, Reason> {
        match input {
            Input::Text(text) => self.read(&Input::Text(&self.ty.local(text, zone))),
            _ => self.read(input),
        }
    }

    /// Checks a value against the rules that depend on the member or on the day `today` instead of the type:
    /// the maximum number of links and the range of days.
    pub fn check(&self, value: &Value<'_>, today: Day) -> Result<(), Reason> {
        if let (Some(most), Value::Ids(ids)) = (self.most, value)
            && ids.len() > most
        {
            return Err(Reason::TooManyNamed { most });
        }
        if !matches!(self.ty, Type::Day | Type::SlashedDay | Type::DayTime) {
            return Ok(());
        }
        let Some(day) = value.day() else { return Ok(()) };
        match self.days {
            DayRule::OfBirth => day.as_birthdate(today),
            DayRule::OfEvent => day.as_event(today),
            DayRule::UntilToday if day > today => Err(Reason::AfterToday),
            DayRule::UntilToday | DayRule::OfPast | DayRule::OfRecord => day.as_recorded(),
        }
        .map(|_| ())
    }
}

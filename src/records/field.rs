//! A row of a record's table: everything that any floor must know of one of its members.

use super::Kind;
use super::list::List;
use super::value::{FieldType, Input, Value};
use crate::domain::{Day, Reason};

/// What people call something, in Portuguese and in English.
pub type Label = (&'static str, &'static str);

/// A heading, and the fields of a record that stand under it in forms and on its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Where it stands among those of its record: the lowest first.
    pub place: u8,
    /// What people read.
    pub label: Label,
}

/// A heading, and where it stands among those of its record: the lowest first.
pub const fn section(place: u8, pt: &'static str, en: &'static str) -> Section {
    Section { place, label: (pt, en) }
}

/// What kind of values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// One line of at most so many characters.
    Line(usize),
    /// A name.
    Name,
    /// Free text of several lines.
    Notes,
    /// CPF or CNPJ.
    TaxId,
    /// The number of a lawsuit at the court.
    ProcessNumber,
    /// A telephone number.
    Phone,
    /// CEP.
    PostalCode,
    /// An e-mail address.
    Email,
    /// One of the 27 states.
    State,
    /// `M`, `F` or `O`.
    Gender,
    /// A day, shown as `YYYY-MM-DD`.
    Day,
    /// A day, shown as `DD/MM/YYYY`.
    SlashedDay,
    /// A moment.
    Moment,
    /// An amount in reais.
    Money,
    /// Yes or no.
    Flag,
    /// An entry of a reference list.
    Reference(List),
    /// Another record.
    Record(Kind),
    /// An id of something that the context says.
    Id,
    /// Records that this one is linked to, each once.
    Links(Kind),
    /// What only its noun can make: [`Source::Own`].
    Own,
}

impl Type {
    /// Whether values of it are long as a rule.
    const fn is_long(self) -> bool {
        matches!(self, Type::Name | Type::Notes | Type::Email | Type::ProcessNumber | Type::Links(_))
    }
}

/// Where a member's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The column of the member's name.
    Column,
    /// The rows of a table that links two kinds of records: the table, this one's column and the other one's.
    Links(&'static str, &'static str, &'static str),
    /// The name of the entry that the named column refers to.
    NameOf(&'static str),
    /// The entry to which the entry of the named column belongs.
    ParentOf(&'static str),
    /// The name of that.
    ParentNameOf(&'static str),
    /// When the record was made.
    Created,
    /// When it was last changed.
    Updated,
    /// The names of the records that the named member links to, joined.
    NamesOf(&'static str),
    /// Made by the noun's own file.
    Own,
}

/// How lists find records by a member. The query parameter is called as answers call the member, unless it is said here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// By words or parts of them, in any order.
    Words,
    /// Likewise, in it or in the named member.
    WordsOr(&'static str),
    /// Likewise, and by any of its letters and digits in a row, whatever stands between them.
    Code,
    /// By the whole of its letters and digits, or how they begin.
    Start,
    /// By how the number ends; looked for in every member that is found so.
    Ending,
    /// By the entry's name, a part of it, or its id.
    Entry(&'static str),
    /// Likewise; a name that is unknown is looked up among what the list's entries belong to, and the other way round.
    EntryOrParent(&'static str),
    /// By the id of a record that it is linked to, or by that record's value of the second name, whole.
    Linked(&'static str, &'static str),
    /// By the first and the last day, `…_start` and `…_end`.
    Days(&'static str),
    /// By month and day, whatever the year.
    Birthday,
}

/// Which days a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayRule {
    /// Every one that exists.
    Any,
    /// From 1850 to today (contract 4.3).
    OfBirth,
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its column, where it has one.
    pub column: &'static str,
    /// What requests call it.
    pub member: &'static str,
    /// What answers call it.
    pub shown: &'static str,
    /// What it is: one sentence.
    pub about: &'static str,
    /// How it is to be written, beyond that.
    pub rule: &'static str,
    /// What people call it; empty where no page says it.
    pub label: Label,
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
    /// Whether a PUT may name it although it is not stored: the noun's own file says what that means.
    pub changeable: bool,
    /// An example, as somebody would write it.
    pub example: &'static str,
    /// How lists find records by it.
    pub find: Option<Find>,
    /// The column that holds its folded form.
    pub key: Option<&'static str>,
    /// Which days it takes.
    pub days: DayRule,
    read: fn(&Input<'_>) -> Result<Value<'static>, Reason>,
}

const fn row(source: Source, label: Label, ty: Type) -> Field {
    Field {
        column: "",
        member: "",
        shown: "",
        about: "",
        rule: "",
        label,
        section: section(0, "Dados", "Details"),
        wide: false,
        ty,
        source,
        required: false,
        changeable: false,
        example: "",
        find: None,
        key: None,
        days: DayRule::Any,
        read: |_| Ok(Value::Null),
    }
}

/// A member that is stored, with what people call it.
pub const fn field(pt: &'static str, en: &'static str) -> Field {
    row(Source::Column, (pt, en), Type::Own)
}

/// The records that this one is linked to by the rows of `table`, in which `own` is its column and `other` theirs.
pub const fn links(
    pt: &'static str,
    en: &'static str,
    table: &'static str,
    own: &'static str,
    other: &'static str,
) -> Field {
    row(Source::Links(table, own, other), (pt, en), Type::Own)
}

/// The name of the entry that `column` refers to.
pub const fn name_of(column: &'static str) -> Field {
    row(Source::NameOf(column), ("", ""), Type::Name)
}

/// The entry to which that of `column` belongs.
pub const fn parent_of(column: &'static str, list: List) -> Field {
    row(Source::ParentOf(column), ("", ""), Type::Reference(list))
}

/// The name of that.
pub const fn parent_name_of(column: &'static str) -> Field {
    row(Source::ParentNameOf(column), ("", ""), Type::Name)
}

/// When the record was made.
pub const fn created() -> Field {
    row(Source::Created, ("Cadastrado", "Added"), Type::Moment).find(Find::Days("created"))
}

/// When it was last changed.
pub const fn updated() -> Field {
    row(Source::Updated, ("Alterado", "Changed"), Type::Moment)
}

/// The names of the records that `links` links to, joined.
pub const fn names_of(links: &'static str) -> Field {
    row(Source::NamesOf(links), ("", ""), Type::Own)
}

/// What the noun's own file makes.
pub const fn own() -> Field {
    row(Source::Own, ("", ""), Type::Own)
}

impl Field {
    /// The same under that name, with what it is. The macro's.
    pub const fn called(self, name: &'static str, about: &'static str) -> Field {
        let about = about.trim_ascii();
        let member = if self.member.is_empty() { name } else { self.member };
        let shown = if self.shown.is_empty() { name } else { self.shown };
        Field { column: name, member, shown, about, ..self }
    }

    /// The same with values of that type. The macro's.
    pub const fn of<T: FieldType>(self) -> Field {
        let ty = match self.ty {
            Type::SlashedDay => Type::SlashedDay,
            _ => T::TYPE,
        };
        let read: fn(&Input<'_>) -> Result<Value<'static>, Reason> =
            |input| T::read(input).map(|value| value.to_value().into_owned());
        Field { ty, required: !T::OPTIONAL, read, ..self }
    }

    /// What people call it.
    pub const fn labelled(self, pt: &'static str, en: &'static str) -> Field {
        Field { label: (pt, en), ..self }
    }

    /// The heading under which it stands.
    pub const fn under(self, section: Section) -> Field {
        Field { section, ..self }
    }

    /// It takes more room than others.
    pub const fn wide(self) -> Field {
        Field { wide: true, ..self }
    }

    /// How it is to be written, beyond what it is.
    pub const fn rule(self, rule: &'static str) -> Field {
        Field { rule, ..self }
    }

    /// An example, as somebody would write it.
    pub const fn example(self, example: &'static str) -> Field {
        Field { example, ..self }
    }

    /// What both requests and answers call it.
    pub const fn named(self, name: &'static str) -> Field {
        Field { member: name, shown: name, ..self }
    }

    /// What requests call it, where answers call it otherwise.
    pub const fn sent_as(self, member: &'static str) -> Field {
        Field { member, ..self }
    }

    /// What answers call it, where requests call it otherwise.
    pub const fn shown_as(self, shown: &'static str) -> Field {
        Field { shown, ..self }
    }

    /// How lists find records by it.
    pub const fn find(self, find: Find) -> Field {
        Field { find: Some(find), ..self }
    }

    /// Its folded form stands in a column of its own.
    pub const fn folded_in(self, key: &'static str) -> Field {
        Field { key: Some(key), ..self }
    }

    /// A day that answers show as `DD/MM/YYYY`, from 1850 to today.
    pub const fn of_birth(self) -> Field {
        Field { ty: Type::SlashedDay, days: DayRule::OfBirth, ..self }
    }

    /// A PUT may name it, although it is not stored.
    pub const fn changeable<T: FieldType>(self) -> Field {
        Field { changeable: true, required: false, ..self.of::<T>() }
    }

    /// Whether it is stored.
    pub const fn is_stored(&self) -> bool {
        matches!(self.source, Source::Column | Source::Links(..))
    }

    /// Whether the noun's own file writes it into answers.
    pub const fn is_own(&self) -> bool {
        matches!(self.source, Source::Own | Source::Links(..) | Source::NamesOf(_))
    }

    /// Whether it takes more room than others.
    pub const fn is_wide(&self) -> bool {
        self.wide || self.ty.is_long()
    }

    /// Whether it points to other records or entries.
    pub const fn is_reference(&self) -> bool {
        matches!(self.ty, Type::Reference(_) | Type::Record(_) | Type::Links(_))
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
        match (self.days, value.day()) {
            (DayRule::OfBirth, Some(day)) => day.as_birthdate(today).map(|_| ()),
            _ => Ok(()),
        }
    }
}

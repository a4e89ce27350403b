//! Constructors and modifiers for the rows of a table. The constructor of a row sets the source of its
//! values; modifiers set everything else.

mod derived;

use super::value::{FieldType, Input, Value};
use super::{DayRule, Field, Matching, PersonRole, Section, TODAY, section};
use crate::domain::{Bilingual, Reason, Whole};
use crate::records::{Find, Kind, List, OnDelete, Source, Type};

pub use derived::{coalesce, completions, generated, member_of, moment_of, names_through, repeats, sides};

const fn row(source: Source, label: Bilingual, ty: Type) -> Field {
    Field {
        column: "",
        member: "",
        other_name: "",
        shown: "",
        parameter: "",
        about: ("", ""),
        rule: ("", ""),
        label,
        hint: ("", ""),
        section: section(0, "Dados", "Details"),
        wide: false,
        ty,
        source,
        required: false,
        unique: false,
        unique_with_name: false,
        matching: Matching::Never,
        within: None,
        default: "",
        fallback_source: None,
        is_shown: true,
        is_common: false,
        computed_if_absent: false,
        behind: None,
        owns: false,
        read_only: false,
        set_by_forms: false,
        create_only: false,
        changeable: false,
        example: "",
        suggested: None,
        find: None,
        searched: false,
        key: None,
        days: DayRule::OfRecord,
        decisive: false,
        role: None,
        most: None,
        on_delete: OnDelete::NoAction,
        read: |_| Ok(Value::Null),
    }
}

/// A stored member, with its label.
pub const fn field(pt: &'static str, en: &'static str) -> Field {
    row(Source::Column, (pt, en), Type::Own)
}

/// Links to other records, in the rows of `table`. `own` is the column for this record, `other` the column
/// for the linked record.
pub const fn links(
    pt: &'static str,
    en: &'static str,
    table: &'static str,
    own: &'static str,
    other: &'static str,
) -> Field {
    row(Source::Links(table, own, other), (pt, en), Type::Own)
}

/// The value of the member `column`, under another name that some clients read.
pub const fn alias_of<T: FieldType>(column: &'static str) -> Field {
    Field { required: false, ..row(Source::AliasOf(column), ("", ""), Type::Own).typed::<T>() }
}

/// The records of this kind whose member `column` links to this record.
pub const fn linked_by(pt: &'static str, en: &'static str, kind: Kind, column: &'static str) -> Field {
    row(Source::LinkedBy(kind, column), (pt, en), Type::Links(kind))
}

/// The name of the entry in `column`.
pub const fn name_of(column: &'static str) -> Field {
    row(Source::NameOf(column), ("", ""), Type::Name)
}

/// The parent of the entry in `column`.
pub const fn parent_of(column: &'static str, list: List) -> Field {
    row(Source::ParentOf(column), ("", ""), Type::Reference(list))
}

/// The name of the parent of the entry in `column`.
pub const fn parent_name_of(column: &'static str) -> Field {
    row(Source::ParentNameOf(column), ("", ""), Type::Name)
}

pub const fn created() -> Field {
    row(Source::Created, ("Cadastrado", "Added"), Type::Moment).find(Find::Days("created"))
}

pub const fn updated() -> Field {
    row(Source::Updated, ("Alterado", "Changed"), Type::Moment).find(Find::Days("updated"))
}

/// The joined names of the records that the member `links` links to.
pub const fn names_of(links: &'static str) -> Field {
    row(Source::NamesOf(links), ("", ""), Type::Own)
}

pub const fn external_ids() -> Field {
    let ids = field("Códigos em outros sistemas", "Ids in other systems")
        .default("[]")
        .identifies()
        .find(Find::ExternalId);
    ids.rule(
        "No máximo 20 textos `sistema:código`, cada um de um só registro. O sistema tem de 1 a 32 caracteres \
         `a-z 0-9 - _`, o código de 1 a 200 caracteres sem os de controle.",
        "At most 20 texts of the form `system:id`. Each belongs to only one record. The system has 1 to 32 characters \
         `a-z 0-9 - _`, the id 1 to 200 characters, none of them control characters.",
    )
    .example("asaas:pay_81")
}

/// The newest `day` among the records of this kind that refer to this record by `column`. Only pages show it.
pub const fn newest_day(kind: Kind, column: &'static str, day: &'static str) -> Field {
    row(Source::NewestDay(kind, column, day), ("", ""), Type::Day).hidden()
}

/// A value that the noun's own file computes.
pub const fn computed() -> Field {
    row(Source::Computed, ("", ""), Type::Own)
}

/// A value that the noun's own file computes from records of another noun.
pub const fn computed_from(kind: Kind) -> Field {
    computed().behind(kind)
}

/// The position of an entry in its list. Only a PUT may set it.
pub const fn place() -> Field {
    row(Source::Place, ("", ""), Type::Own).hidden().changeable::<Whole<1, { u32::MAX }>>()
}

impl Field {
    /// Sets the name and the descriptions. Called by `record!`.
    pub const fn described(self, name: &'static str, pt: &'static str, en: &'static str) -> Field {
        let about = (pt, en.trim_ascii());
        let member = if self.member.is_empty() { name } else { self.member };
        let shown = if self.shown.is_empty() { name } else { self.shown };
        Field { column: name, member, shown, about, ..self }
    }

    /// Hides the member from callers who may not see this noun.
    pub const fn behind(self, kind: Kind) -> Field {
        Field { behind: Some(kind), ..self }
    }

    /// Makes the member an owner: callers who may see none of a record's owners do not see the record.
    pub const fn owns(self) -> Field {
        Field { owns: true, ..self }
    }

    /// Sets the type of the values. Called by `record!`.
    pub const fn typed<T: FieldType>(self) -> Field {
        let ty = if matches!(self.ty, Type::SlashedDay) { self.ty } else { T::TYPE };
        let read: fn(&Input<'_>) -> Result<Value<'static>, Reason> =
            |input| T::read(input).map(|value| value.to_value().into_owned());
        Field { ty, required: !T::OPTIONAL && self.default.is_empty(), read, ..self }
    }

    pub const fn labelled(self, pt: &'static str, en: &'static str) -> Field {
        Field { label: (pt, en), ..self }
    }

    pub const fn under(self, section: Section) -> Field {
        Field { section, ..self }
    }

    /// Gives the member more room than others in forms.
    pub const fn wide(self) -> Field {
        Field { wide: true, ..self }
    }

    /// Adds a rule about the form of the value.
    pub const fn rule(self, pt: &'static str, en: &'static str) -> Field {
        Field { rule: (pt, en), ..self }
    }

    /// Adds a line of explanation below the field in forms.
    pub const fn hint(self, pt: &'static str, en: &'static str) -> Field {
        Field { hint: (pt, en), ..self }
    }

    /// Sets the default value, written like user input.
    pub const fn default(self, default: &'static str) -> Field {
        Field { default, ..self }
    }

    /// Sets the source for answers and pages if nothing is stored.
    pub const fn fallback_source(self, fallback_source: Source) -> Field {
        Field { fallback_source: Some(fallback_source), ..self }
    }

    /// Makes the current day of the office the default.
    pub const fn default_today(self) -> Field {
        self.default(TODAY)
    }

    /// Declares that no two records share a value. The noun's own file enforces it.
    pub const fn unique(self) -> Field {
        Field { unique: true, ..self }
    }

    /// Makes PUT and imports find existing records by this member (events 22.2).
    pub const fn identifies(self) -> Field {
        Field { matching: Matching::Always, ..self }
    }

    /// Like `identifies`, together with the member `within`: no two records share the values of both. The noun's own file
    /// enforces it.
    pub const fn identifies_within(self, within: &'static str) -> Field {
        Field { within: Some(within), ..self.identifies() }
    }

    /// Lets `match` of a PUT name this member, so that existing records are found by it (events 22.2).
    pub const fn identifies_on_request(self) -> Field {
        Field { matching: Matching::OnRequest, ..self }
    }

    /// Makes names unique among the records that share a value of this member, instead of in the whole list.
    pub const fn unique_with_name(self) -> Field {
        Field { unique_with_name: true, ..self }
    }

    /// Hides the member from answers.
    pub const fn hidden(self) -> Field {
        Field { is_shown: false, ..self }
    }

    pub const fn example(self, example: &'static str) -> Field {
        Field { example, ..self }
    }

    /// Suggests these values in forms, in addition to the values of other records.
    pub const fn suggesting(self, values: &'static [&'static str]) -> Field {
        Field { suggested: Some(values), ..self }
    }

    /// Sets the name in requests and answers.
    pub const fn rename(self, name: &'static str) -> Field {
        Field { member: name, shown: name, ..self }
    }

    /// Adds another name for requests and filters: the singular or the plural (resources 10).
    pub const fn alias(self, other_name: &'static str) -> Field {
        Field { other_name, ..self }
    }

    /// Sets the name of the filter parameter, which requests accept as well.
    pub const fn filter_name(self, parameter: &'static str) -> Field {
        Field { other_name: parameter, parameter, ..self }
    }

    /// Prevents the deletion of the referenced record.
    pub const fn restricts(self) -> Field {
        Field { on_delete: OnDelete::Restrict, ..self }
    }

    /// Prevents the deletion of the referenced record, unless a person confirms that this record is deleted too.
    pub const fn cascades_if_confirmed(self) -> Field {
        Field { on_delete: OnDelete::Confirm, ..self }
    }

    /// Deletes this record together with the referenced record, and restores it with that record.
    pub const fn cascades(self) -> Field {
        Field { on_delete: OnDelete::Cascade, ..self }
    }

    /// Lets the noun's own file compute the value if a request contains none.
    pub const fn computed_if_absent(self) -> Field {
        Field { computed_if_absent: true, ..self }
    }

    /// Limits the number of linked records or entries.
    pub const fn at_most(self, most: usize) -> Field {
        Field { most: Some(most), ..self }
    }

    /// Makes a record without the value say the contrary.
    pub const fn decisive(self) -> Field {
        Field { decisive: true, ..self }
    }

    pub const fn until_today(self) -> Field {
        Field { days: DayRule::UntilToday, ..self }
    }

    /// Forbids requests to set the member.
    pub const fn read_only(self) -> Field {
        Field { read_only: true, ..self }
    }

    /// Like [`read_only`](Field::read_only), but forms of the console set the member.
    pub const fn set_by_forms(self) -> Field {
        Field { read_only: true, set_by_forms: true, ..self }
    }

    /// Names the person who adds, writes or sends the record.
    pub const fn author(self) -> Field {
        Field { role: Some(PersonRole::Author), ..self }
    }

    /// Names the person, or the people, who take care of the record.
    pub const fn responsible(self) -> Field {
        Field { role: Some(PersonRole::Responsible), ..self }
    }

    /// Allows only a POST to set the member.
    pub const fn create_only(self) -> Field {
        Field { create_only: true, ..self }
    }

    /// Sets the name in requests, if it differs from the one in answers.
    pub const fn request_name(self, member: &'static str) -> Field {
        Field { member, ..self }
    }

    /// Sets the name in answers, if it differs from the one in requests.
    pub const fn answer_name(self, shown: &'static str) -> Field {
        Field { shown, ..self }
    }

    /// Lets lists filter by the member.
    pub const fn find(self, find: Find) -> Field {
        Field { find: Some(find), ..self }
    }

    /// Says that many people have the same value. Masking leaves it (assistants 50).
    pub const fn common(self) -> Field {
        Field { is_common: true, ..self }
    }

    /// Includes the words of the member in the console's search, although lists do not filter by it.
    pub const fn searched(self) -> Field {
        Field { searched: true, ..self }
    }

    /// Sets the column with the folded form.
    pub const fn folded_in(self, key: &'static str) -> Field {
        Field { key: Some(key), ..self }
    }

    /// Makes the member a date of birth: from 1850 to today, shown as `DD/MM/YYYY`.
    pub const fn of_birth(self) -> Field {
        Field { ty: Type::SlashedDay, days: DayRule::OfBirth, ..self }
    }

    /// Makes the member the day of an event: from 1900 to a year from today.
    pub const fn of_event(self) -> Field {
        Field { days: DayRule::OfEvent, ..self }
    }

    /// Completes a typed day without its year as one that was.
    pub const fn of_past(self) -> Field {
        Field { days: DayRule::OfPast, ..self }
    }

    /// Allows a PUT to set the member, although it is not stored.
    pub const fn changeable<T: FieldType>(self) -> Field {
        Field { changeable: true, required: false, ..self.typed::<T>() }
    }
}

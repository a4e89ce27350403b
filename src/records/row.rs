//! How the rows of a table are written down: each begins with what its member is, and says what else there is to say of it.

use super::field::{DayRule, Field, Section, TODAY, section};
use super::list::List;
use super::value::{FieldType, Input, Value};
use super::{Find, Kind, OnDelete, Source, Type};
use crate::domain::{Bilingual, Reason, Whole};

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
        default: "",
        stand_in: None,
        is_shown: true,
        derived: false,
        fixed: false,
        initial: false,
        changeable: false,
        example: "",
        suggested: None,
        find: None,
        searched: false,
        key: None,
        days: DayRule::OfRecord,
        most: None,
        on_delete: OnDelete::NoAction,
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

/// What the member `column` has, under a name that other clients read.
pub const fn same_as<T: FieldType>(column: &'static str) -> Field {
    Field { required: false, ..row(Source::Same(column), ("", ""), Type::Own).of::<T>() }
}

/// The records of that kind whose member `column` links to this one.
pub const fn linked_by(pt: &'static str, en: &'static str, kind: Kind, column: &'static str) -> Field {
    row(Source::LinkedBy(kind, column), (pt, en), Type::Links(kind))
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
    row(Source::Updated, ("Alterado", "Changed"), Type::Moment).find(Find::Days("updated"))
}

/// The names of the records that `links` links to, joined.
pub const fn names_of(links: &'static str) -> Field {
    row(Source::NamesOf(links), ("", ""), Type::Own)
}

/// What other systems call the record.
pub const fn external_ids() -> Field {
    let ids = field("Códigos em outros sistemas", "Ids in other systems").or("[]").find(Find::ExternalId);
    ids.rule(
        "No máximo 20 textos `sistema:código`, cada um de um só registro.",
        "At most 20 texts `system:id`, each belonging to one record.",
    )
    .example("asaas:pay_81")
}

/// The day of the column `day` at the time of the column `time`; where there is only a time, of the day of `or_day`.
pub const fn at(day: &'static str, time: &'static str, or_day: &'static str) -> Field {
    row(Source::At(day, time, or_day), ("", ""), Type::Moment)
}

/// The member `of` of the record that `column` refers to.
pub const fn of<T: FieldType>(column: &'static str, of: &'static str) -> Field {
    Field { required: false, ..row(Source::Of(column, of), ("", ""), Type::Own).of::<T>() }
}

/// What the first of these sources has that has anything.
pub const fn first_of<T: FieldType>(sources: &'static [Source]) -> Field {
    Field { required: false, ..row(Source::FirstOf(sources), ("", ""), Type::Own).of::<T>() }
}

/// The names of the records that the member `links` of the record in `column` links to, joined.
pub const fn names_by(column: &'static str, links: &'static str) -> Field {
    row(Source::NamesBy(column, links), ("", ""), Type::Own)
}

/// What the store makes of the record's columns.
pub const fn generated<T: FieldType>(pt: &'static str, en: &'static str) -> Field {
    Field { required: false, ..row(Source::Generated, (pt, en), Type::Own).of::<T>() }
}

/// Of each guest when they have done it: pages alone show it.
pub const fn completions() -> Field {
    row(Source::Completions, ("", ""), Type::Own).unshown()
}

/// Who is on which side of the lawsuit in the named column: pages alone show it.
pub const fn sides(column: &'static str) -> Field {
    row(Source::Sides(column), ("", ""), Type::Own).unshown()
}

/// The last month of the repetition that a transaction belongs to, or `open`: pages alone show it.
pub const fn repeats() -> Field {
    row(Source::Repeats, ("Repete", "Repeats"), Type::Own).unshown()
}

/// The newest day in `day` of the records of that kind that refer to this one by `column`: pages alone show it.
pub const fn newest_day(kind: Kind, column: &'static str, day: &'static str) -> Field {
    row(Source::NewestDay(kind, column, day), ("", ""), Type::Day).unshown()
}

/// What the noun's own file makes.
pub const fn own() -> Field {
    row(Source::Own, ("", ""), Type::Own)
}

/// Its place in its list, which only a PUT may name.
pub const fn place() -> Field {
    row(Source::Place, ("", ""), Type::Own).unshown().changeable::<Whole<1, { u32::MAX }>>()
}

impl Field {
    /// The same under that name, with what it is. The macro's.
    pub const fn called(self, name: &'static str, pt: &'static str, en: &'static str) -> Field {
        let about = (pt, en.trim_ascii());
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
        Field { ty, required: !T::OPTIONAL && self.default.is_empty(), read, ..self }
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
    pub const fn rule(self, pt: &'static str, en: &'static str) -> Field {
        Field { rule: (pt, en), ..self }
    }

    /// A line of explanation below it in forms.
    pub const fn hint(self, pt: &'static str, en: &'static str) -> Field {
        Field { hint: (pt, en), ..self }
    }

    /// What it is where nobody says anything.
    pub const fn or(self, default: &'static str) -> Field {
        Field { default, ..self }
    }

    /// What answers and pages show if nothing is stored.
    pub const fn or_shown(self, stand_in: Source) -> Field {
        Field { stand_in: Some(stand_in), ..self }
    }

    /// It is the office's day where nobody says anything.
    pub const fn or_today(self) -> Field {
        self.or(TODAY)
    }

    /// No two records share one; the noun's own file sees to it.
    pub const fn unique(self) -> Field {
        Field { unique: true, ..self }
    }

    /// Names are unique among the records that share one, and not in the whole list.
    pub const fn unique_with_name(self) -> Field {
        Field { unique_with_name: true, ..self }
    }

    /// Answers do not show it.
    pub const fn unshown(self) -> Field {
        Field { is_shown: false, ..self }
    }

    /// An example, as somebody would write it.
    pub const fn example(self, example: &'static str) -> Field {
        Field { example, ..self }
    }

    /// What other records have is offered to who fills it in, and these.
    pub const fn suggesting(self, values: &'static [&'static str]) -> Field {
        Field { suggested: Some(values), ..self }
    }

    /// What both requests and answers call it.
    pub const fn named(self, name: &'static str) -> Field {
        Field { member: name, shown: name, ..self }
    }

    /// What requests and filters may call it as well: the singular or the plural (resources 10).
    pub const fn also(self, other_name: &'static str) -> Field {
        Field { other_name, ..self }
    }

    /// What filters call it, and requests may as well.
    pub const fn found_as(self, parameter: &'static str) -> Field {
        Field { other_name: parameter, parameter, ..self }
    }

    /// What it points to cannot be deleted.
    pub const fn restricts(self) -> Field {
        Field { on_delete: OnDelete::Restrict, ..self }
    }

    /// What it points to cannot be deleted unless a person confirms that the record goes too.
    pub const fn goes_if_confirmed(self) -> Field {
        Field { on_delete: OnDelete::Confirm, ..self }
    }

    /// The record goes with what it points to when that is deleted, and comes back with it.
    pub const fn cascades(self) -> Field {
        Field { on_delete: OnDelete::Cascade, ..self }
    }

    /// The noun's own file says what it is where nobody does.
    pub const fn derived(self) -> Field {
        Field { derived: true, ..self }
    }

    /// It links to so many records or entries at the most.
    pub const fn at_most(self, most: usize) -> Field {
        Field { most: Some(most), ..self }
    }

    /// A day up to today.
    pub const fn until_today(self) -> Field {
        Field { days: DayRule::UntilToday, ..self }
    }

    /// No request may name it.
    pub const fn fixed(self) -> Field {
        Field { fixed: true, ..self }
    }

    /// Only a POST may name it.
    pub const fn initial(self) -> Field {
        Field { initial: true, ..self }
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

    /// The console's search looks at its words, although no list finds records by it.
    pub const fn searched(self) -> Field {
        Field { searched: true, ..self }
    }

    /// Its folded form stands in a column of its own.
    pub const fn folded_in(self, key: &'static str) -> Field {
        Field { key: Some(key), ..self }
    }

    /// A day that answers show as `DD/MM/YYYY`, from 1850 to today.
    pub const fn of_birth(self) -> Field {
        Field { ty: Type::SlashedDay, days: DayRule::OfBirth, ..self }
    }

    /// The day of something that happened or is planned.
    pub const fn of_event(self) -> Field {
        Field { days: DayRule::OfEvent, ..self }
    }

    /// A PUT may name it, although it is not stored.
    pub const fn changeable<T: FieldType>(self) -> Field {
        Field { changeable: true, required: false, ..self.of::<T>() }
    }
}

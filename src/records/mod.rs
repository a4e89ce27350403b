//! The record types of the office. Each noun has a file that describes every member of its records once.
//!
//! The rows of a table are in the order in which answers show the members. Columns, request bodies, answers,
//! API descriptions, filters and forms are derived from the tables by ordinary code in other modules. This
//! module does no I/O.

mod customer;
mod document;
mod entries;
mod field;
mod holiday;
mod lawsuit;
mod list;
mod movement;
mod publication;
mod rights;
mod task;
mod transaction;

pub use customer::{Customer, CustomerId};
pub use document::{Document, DocumentId};
pub use entries::{
    AnyEntry, Bank, BankId, Category, CategoryId, CostCenter, CostCenterId, Department, DepartmentId, Group,
    GroupId, LawsuitType, ListEntry, Origin, OriginId, Stage, StageId, Step, StepId, TaskType, TaskTypeId,
    TypeId, User, UserId,
};
pub use field::find::Find;
pub use field::masking::Masking;
pub use field::source::Source;
pub use field::types::Type;
pub use field::value::{FieldType, Input, Seconds, Value};
pub use field::{DayRule, Field, Matching, OnDelete, PersonRole, Section};
pub use holiday::{Holiday, HolidayId};
pub use lawsuit::{Lawsuit, LawsuitId};
pub use list::List;
pub use movement::{Movement, MovementId};
pub use publication::{Publication, PublicationId};
pub use rights::{Access, Level, Nouns, Rights};
pub use task::{Task, TaskId};
pub use transaction::{Transaction, TransactionId};

use crate::domain::id::Noun;
use crate::domain::lang::Word;
use crate::domain::{Bilingual, Lang, Order};

/// Declares the nouns: their kinds and [`TABLES`], in the order of exports and API descriptions. A noun comes after
/// the nouns that it refers to.
macro_rules! nouns {
    ($($noun:ident),+ $(,)?) => {
        /// The kind of a record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($noun,)+
            /// An entry of a reference list.
            List(List),
        }

        impl Kind {
            pub const fn table(self) -> &'static Table {
                match self {
                    $(Kind::$noun => $noun::TABLE,)+
                    Kind::List(list) => list.table(),
                }
            }
        }

        /// The tables of all nouns except the reference lists.
        pub const TABLES: &[&Table] = &[$($noun::TABLE),+];
    };
}

nouns![Customer, Lawsuit, Movement, Publication, Document, Task, Transaction, Holiday];

/// A noun: its names, and the members of its records.
#[derive(Debug)]
pub struct Table {
    pub kind: Kind,
    /// Noun in the singular.
    pub noun: Word,
    /// Noun in the plural.
    pub many: Word,
    /// Name of the struct, and of the schema in the API description.
    pub type_name: &'static str,
    /// Name in the store and in the journal.
    pub name: &'static str,
    /// Name in URL paths.
    pub path: &'static str,
    /// Description of a record in one sentence.
    pub about: Bilingual,
    /// Explanation of a reference list for users; empty for other nouns.
    pub note: Bilingual,
    /// Default order of lists.
    pub order: Order,
    /// Members of a record, in the order in which answers show them after the id.
    pub fields: &'static [Field],
}

impl Table {
    /// Returns the table of a noun by its name, in the store or in URL paths.
    pub fn noun_named(name: &str) -> Option<&'static Table> {
        TABLES.iter().copied().find(|table| table.name == name || table.path == name)
    }

    /// Returns the title of the list. Transactions are listed under the purpose that users look for.
    pub fn title(&self, lang: Lang) -> String {
        match self.kind {
            Kind::Transaction => lang.pick("Financeiro", "Transactions").to_owned(),
            _ => self.many.title(lang),
        }
    }

    /// Returns the members that name the records to which a record belongs, if they matter for who may see it.
    pub fn owners(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|field| field.owns)
    }

    /// Returns the stored members, in the order of [`Record::values`].
    pub fn stored(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|field| field.is_stored())
    }

    /// Returns the members that a body may contain: references first, then all others.
    pub fn writable(&self) -> impl Iterator<Item = &'static Field> {
        let of = |references| {
            let writable =
                self.fields.iter().filter(|field| field.is_stored() && !field.read_only || field.changeable);
            writable.filter(move |field| field.is_reference() == references)
        };
        of(true).chain(of(false))
    }

    /// Returns the members that a form of the console may contain.
    pub fn in_forms(&self) -> impl Iterator<Item = &'static Field> {
        self.writable().chain(self.fields.iter().filter(|field| field.set_by_forms))
    }

    /// Returns the members by which existing records are found, external ids first (events 22.2).
    pub fn identifying_members(&self) -> impl Iterator<Item = &'static Field> {
        let of = |ids| self.stored().filter(move |field| (field.ty == Type::ExternalIds) == ids);
        of(true).chain(of(false)).filter(|field| field.matching != Matching::Never)
    }

    /// Returns the member with this column or struct field.
    pub fn field(&self, column: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.column == column)
    }

    /// Returns the fields of forms and pages, grouped by section. In each section, linked records come first,
    /// then other references, then other fields, and long texts last. External ids are left out, because only
    /// programs use them.
    pub fn sections(&self) -> Vec<(Section, Vec<&'static Field>)> {
        let is_filled_in = |field: &&'static Field| field.is_stored() && field.ty != Type::ExternalIds;
        let mut fields: Vec<_> = self.writable().filter(is_filled_in).collect();
        let is_linked = |field: &Field| match field.ty {
            Type::Links(kind) => !matches!(kind, Kind::List(_)),
            ty => ty == Type::OpposingParties,
        };
        fields
            .sort_by_key(|field| (field.section.place, !is_linked(field), matches!(field.ty, Type::Text(_))));
        let sections = fields.chunk_by(|one, next| one.section == next.section);
        sections.filter_map(|own| Some((own.first()?.section, own.to_vec()))).collect()
    }

    /// Returns `true` if the member may be `null` in answers.
    pub fn is_nullable(&self, field: &Field) -> bool {
        self.may_be_none(field, field.source)
    }

    /// Returns `true` if a value from this source may be `null`.
    fn may_be_none(&self, field: &Field, source: Source) -> bool {
        match source {
            Source::Column => !field.required && !field.computed_if_absent && field.default.is_empty(),
            Source::NameOf(column)
            | Source::ParentOf(column)
            | Source::ParentNameOf(column)
            | Source::AliasOf(column)
            | Source::MomentOf(column, ..) => self.field(column).is_some_and(|of| self.is_nullable(of)),
            Source::Coalesce(sources) => sources.iter().all(|source| self.may_be_none(field, *source)),
            Source::MemberOf(column, of) => self.field(column).is_some_and(|own| {
                let there = own.record().and_then(|kind| Some((kind.table(), kind.table().field(of)?)));
                self.is_nullable(own) || there.is_some_and(|(table, field)| table.is_nullable(field))
            }),
            _ => false,
        }
    }

    /// Returns the name of one record for programs, such as `post`: the path without its `s`. Ids in answers and
    /// types of webhooks begin with it.
    pub fn singular(&self) -> &'static str {
        self.path.strip_suffix('s').unwrap_or(self.path)
    }

    /// Returns `true` if records can be deleted. Entries of reference lists can only be deactivated.
    pub const fn can_be_deleted(&self) -> bool {
        !matches!(self.kind, Kind::List(_))
    }

    /// Returns the parent list of a reference list, and the member that refers to an entry of the parent.
    pub fn parent(&self) -> Option<(List, &'static Field)> {
        self.fields.iter().find_map(|field| match field.ty {
            Type::Reference(list) if field.is_stored() => Some((list, field)),
            _ => None,
        })
    }

    /// Returns the member with this name in requests.
    pub fn member(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.member == name)
    }
}

/// A kind of thing that ids identify and that fields can refer to.
pub trait Refers: Noun {
    /// The type of a field that refers to such a thing.
    const TYPE: Type;
}

impl<R: Record> Refers for R {
    const TYPE: Type = match R::KIND {
        Kind::List(list) => Type::Reference(list),
        kind => Type::Record(kind),
    };
}

/// A record: a struct with the stored members, and the table of all members.
pub trait Record: Noun + Clone + Send {
    const KIND: Kind;
    const TABLE: &'static Table;

    /// Returns the values in the order of [`Table::stored`].
    fn values(&self) -> Vec<Value<'_>>;

    /// Builds a record from values in the order of [`Table::stored`]. Returns `None` if a value is missing or
    /// has another type.
    fn build(values: Vec<Value<'_>>) -> Option<Self>;

    /// Builds a record from some values, each with the name of its column. All other members get their
    /// defaults. Returns `None` if a required member has no value.
    fn with(given: &[(&str, Value<'_>)]) -> Option<Self> {
        let values = Self::TABLE.stored().map(|field| {
            let given = given.iter().find(|(column, _)| *column == field.column);
            given.map_or_else(|| field.fallback(), |(_, value)| value.clone())
        });
        Self::build(values.collect())
    }
}

/// Declares a record: its struct and the rows of its table. A row with a type is stored and becomes a field
/// of the struct. The descriptions of a row are its doc comment in English and `pt` in Portuguese.
macro_rules! record {
    ($(#[doc = $about:literal])+ #[pt = $about_pt:literal] $name:ident, ids $ids:ident, kind $kind:expr, in $table:literal $(at $path:literal)?,
     one $pt:literal / $en:literal, many $many_pt:literal / $many_en:literal
     $(, note $note_pt:literal / $note_en:literal)?
     $(, order $order:ident)? {
        $(#[doc = $what:literal] #[pt = $what_pt:literal] $field:ident $(: $type:ty)? = $row:expr;)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $what] pub $field: $type,)?)+
        }

        #[doc = concat!("The id of a record of `", $table, "`.")]
        pub type $ids = $crate::domain::id::Id<$name>;

        impl $crate::domain::id::Noun for $name {
            const WORD: $crate::domain::lang::Word = $crate::domain::lang::Word($pt, $en);
        }

        impl $crate::records::Record for $name {
            const KIND: $crate::records::Kind = $kind;
            const TABLE: &'static $crate::records::Table = {
                // A constant alone would stand in the executable once for each part of the code that uses it.
                static TABLE: $crate::records::Table = $crate::records::Table {
                    kind: $kind,
                    noun: $crate::domain::lang::Word($pt, $en),
                    many: $crate::domain::lang::Word($many_pt, $many_en),
                    type_name: stringify!($name),
                    name: $table,
                    path: [$($path,)? $table][0],
                    about: ($about_pt, concat!($($about),+).trim_ascii()),
                    note: [$(($note_pt, $note_en),)? ("", "")][0],
                    order: [$($crate::domain::Order::$order,)? $crate::domain::Order::Ascending][0],
                    fields: &[$({
                        let row = $row;
                        $(let row = row.typed::<$type>();)?
                        row.described(stringify!($field), $what_pt, $what)
                    },)+],
                };
                &TABLE
            };

            fn values(&self) -> Vec<$crate::records::Value<'_>> {
                use $crate::records::FieldType as _;
                vec![$($(<$type>::to_value(&self.$field),)?)+]
            }

            fn build(values: Vec<$crate::records::Value<'_>>) -> Option<$name> {
                use $crate::records::FieldType as _;
                let mut values = values.into_iter();
                Some($name { $($($field: <$type>::from_value(values.next()?)?,)?)+ })
            }
        }
    };
}

use record;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::Day;

    /// Returns the value of a field's example.
    fn example(field: &Field) -> Value<'static> {
        let read = |input| field.read(&input).unwrap_or_else(|reason| panic!("{}: {reason:?}", field.column));
        match field.ty {
            Type::Links(_) => read(Input::List(vec![Input::Number(field.example.to_owned())])),
            _ => read(Input::Text(field.example)),
        }
    }

    #[test]
    fn every_path_ends_with_s() {
        for table in TABLES.iter().copied().chain(List::ALL.map(List::table)) {
            let path = table.path;
            let name = table.type_name;
            assert!(
                path.ends_with('s'),
                "ids in answers are named by `{path}` without an `s`: give {name} another `at`"
            );
        }
    }

    #[test]
    fn every_field_is_described_and_has_a_valid_example() {
        for table in TABLES.iter().copied().chain(List::ALL.map(List::table)) {
            let mut names = HashSet::new();
            let today = Day::from_ymd(2026, 11, 22).unwrap();
            for field in table.fields {
                assert!(names.insert(field.shown), "{} occurs twice in {}", field.shown, table.name);
                for about in [field.about.0, field.about.1] {
                    assert!(about.ends_with('.'), "{}: {about:?} is no sentence", field.column);
                }
                if field.is_stored() {
                    assert!(!field.label.0.is_empty() && !field.label.1.is_empty(), "{}", field.column);
                    assert_eq!(field.check(&example(field), today), Ok(()), "{}", field.column);
                }
                let default = field.fallback();
                assert_eq!(
                    default == Value::Null,
                    field.default.is_empty() || field.is_always_given(),
                    "{}",
                    field.column
                );
                let refers_to = |column: &str| table.field(column).is_some_and(Field::is_reference);
                match field.source {
                    Source::NameOf(column) | Source::ParentOf(column) | Source::ParentNameOf(column) => {
                        assert!(refers_to(column), "{}", field.column);
                    }
                    Source::MemberOf(column, of) => {
                        let there = table.field(column).and_then(Field::record).map(Kind::table);
                        assert!(there.is_some_and(|there| there.field(of).is_some()), "{}", field.column);
                    }
                    Source::NamesOf(column) | Source::NamesThrough(column, _) => {
                        assert!(refers_to(column), "{}", field.column)
                    }
                    _ => {}
                }
            }
            let writable: HashSet<_> = table.writable().map(|field| field.member).collect();
            assert_eq!(
                writable.len(),
                table.writable().count(),
                "two members of {} share a name",
                table.name
            );
        }
    }

    fn customer() -> impl Strategy<Value = Vec<Value<'static>>> {
        let fields: Vec<_> = Customer::TABLE.stored().collect();
        prop::collection::vec(any::<bool>(), fields.len()).prop_map(move |filled| {
            let values = fields.iter().zip(filled);
            values
                .map(|(field, fill)| if fill || field.required { example(field) } else { field.fallback() })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn a_record_has_the_values_it_was_built_from(values in customer()) {
            let built = Customer::build(values.clone()).unwrap();
            prop_assert_eq!(built.values(), values);
        }
    }

    #[test]
    fn a_record_is_built_only_if_all_required_values_are_given() {
        let values: Vec<_> = Lawsuit::TABLE.stored().map(example).collect();
        assert!(Lawsuit::build(values.clone()).is_some());
        for (at, field) in Lawsuit::TABLE.stored().enumerate() {
            let mut without = values.clone();
            without[at] = Value::Null;
            // Members with a default are never `Null`.
            let is_optional = !field.required && field.default.is_empty();
            assert_eq!(Lawsuit::build(without).is_some(), is_optional, "{}", field.column);
            assert!(Lawsuit::build(values[..at].to_vec()).is_none(), "cut off before {}", field.column);
        }
    }

    #[test]
    fn booleans_and_numbers_are_read_in_all_notations_of_the_contract() {
        let flag = |input: Input<'_>| bool::read(&input).ok();
        for (text, read) in [
            ("true", Some(true)),
            ("FALSE", Some(false)),
            (" 1 ", Some(true)),
            ("0", Some(false)),
            ("yes", None),
            ("2", None),
            ("", None),
        ] {
            assert_eq!(flag(Input::Text(text)), read, "{text}");
        }
        assert_eq!((flag(Input::Flag(true)), flag(Input::Flag(false))), (Some(true), Some(false)));
        for (number, read) in [
            ("1", Some(true)),
            ("0", Some(false)),
            ("1.0", Some(true)),
            ("2", None),
            ("-1", None),
            ("0.5", None),
        ] {
            assert_eq!(flag(Input::Number(number.to_owned())), read, "{number}");
        }
        let short = |number: &str| {
            crate::domain::Short::read(&Input::Number(number.to_owned())).ok().map(|text| text.to_string())
        };
        assert_eq!(short("48988880000"), Some("48988880000".to_owned()));
        assert_eq!(
            short("48988880000.0"),
            Some("48988880000".to_owned()),
            "some clients send every number with decimals"
        );
        for number in ["-1", "1.5", "1e30"] {
            assert_eq!(short(number), None, "{number}");
        }
    }

    #[test]
    fn form_sections_are_in_order_and_have_unique_headings() {
        let members = |table: &Table, at: usize| {
            let (_, fields) = table.sections().swap_remove(at);
            fields.iter().map(|field| field.column).collect::<Vec<_>>()
        };
        assert_eq!(
            members(Lawsuit::TABLE, 0),
            ["customers", "opposing_parties", "type_id", "stage_id", "user_id"]
        );
        assert_eq!(members(Customer::TABLE, 1), ["cellphone", "phone", "email"]);
        assert_eq!(
            members(Customer::TABLE, 4),
            ["user_id", "origin_id", "situation", "double_deadlines", "notes"]
        );
        for table in TABLES {
            let sections = table.sections();
            let mut places = sections.iter().map(|(section, _)| section.place).collect::<Vec<_>>();
            places.dedup();
            assert!(places.is_sorted() && places.len() == sections.len(), "{places:?}");
            let all = sections.iter().map(|(_, fields)| fields.len()).sum::<usize>();
            let free =
                table.stored().filter(|field| !field.read_only && field.ty != Type::ExternalIds).count();
            assert_eq!(all, free, "every writable member has an input in the form");
        }
    }
}

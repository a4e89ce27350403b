//! What the office keeps: each noun a file, in which every member of its records is described once.
//!
//! A record's table stands in the order in which answers show its members. What other floors do with a member (columns,
//! bodies, answers, descriptions, filters, forms) is ordinary code over the tables; nothing here reads or writes anything.

mod customer;
mod document;
mod entries;
mod external_ids;
mod field;
mod find;
mod lawsuit;
mod list;
mod movement;
mod on_delete;
mod opposing_parties;
mod publication;
mod row;
mod source;
mod task;
mod transaction;
mod types;
mod value;

pub use customer::{Customer, CustomerId};
pub use document::{Document, DocumentId};
pub use entries::{
    AnyEntry, Bank, BankId, Category, CategoryId, CostCenter, CostCenterId, Department, DepartmentId, Group,
    GroupId, LawsuitType, ListEntry, Origin, OriginId, Stage, StageId, Step, StepId, TaskType, TaskTypeId,
    TypeId, User, UserId,
};
pub use field::{DayRule, Field, Section};
pub use find::Find;
pub use lawsuit::{Lawsuit, LawsuitId};
pub use list::List;
pub use movement::{Movement, MovementId};
pub use on_delete::OnDelete;
pub use publication::{Publication, PublicationId};
pub use source::Source;
pub use task::{Task, TaskId};
pub use transaction::{Transaction, TransactionId};
pub use types::Type;
pub use value::{FieldType, Input, Seconds, Value};

use crate::domain::id::{Noun, Word};
use crate::domain::{Bilingual, Order};

/// What kind of record there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A customer.
    Customer,
    /// A lawsuit.
    Lawsuit,
    /// A movement of a lawsuit.
    Movement,
    /// A publication.
    Publication,
    /// A document.
    Document,
    /// A task.
    Task,
    /// A transaction.
    Transaction,
    /// An entry of a reference list.
    List(List),
}

impl Kind {
    /// What its records consist of.
    pub const fn table(self) -> &'static Table {
        match self {
            Kind::Customer => Customer::TABLE,
            Kind::Lawsuit => Lawsuit::TABLE,
            Kind::Movement => Movement::TABLE,
            Kind::Publication => Publication::TABLE,
            Kind::Document => Document::TABLE,
            Kind::Task => Task::TABLE,
            Kind::Transaction => Transaction::TABLE,
            Kind::List(list) => list.table(),
        }
    }
}

/// The tables of all nouns.
pub const TABLES: &[&Table] = &[
    Customer::TABLE,
    Lawsuit::TABLE,
    Movement::TABLE,
    Publication::TABLE,
    Document::TABLE,
    Task::TABLE,
    Transaction::TABLE,
];

/// A noun: what its records consist of.
#[derive(Debug)]
pub struct Table {
    /// What it is.
    pub kind: Kind,
    /// The words for one.
    pub noun: Word,
    /// The words for many.
    pub many: Word,
    /// What its struct is called, and so its schema.
    pub type_name: &'static str,
    /// Its name in the store and in the journal.
    pub name: &'static str,
    /// Its name in paths.
    pub path: &'static str,
    /// What a record is: one sentence.
    pub about: Bilingual,
    /// What people are told of a list.
    pub note: Bilingual,
    /// In which order a list comes by itself.
    pub order: Order,
    /// The members of a record, in the order in which answers show them behind its id.
    pub fields: &'static [Field],
}

impl Table {
    /// The members that are stored, in the order in which a record's values come.
    pub fn stored(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|field| field.is_stored())
    }

    /// The members that a body may have: what they point to first, then the others.
    pub fn writable(&self) -> impl Iterator<Item = &'static Field> {
        let of = |references| {
            let writable =
                self.fields.iter().filter(|field| field.is_stored() && !field.fixed || field.changeable);
            writable.filter(move |field| field.is_reference() == references)
        };
        of(true).chain(of(false))
    }

    /// The member of that column or name in its struct.
    pub fn field(&self, column: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.column == column)
    }

    /// What forms and pages have, under its headings: the records that it is linked to first, then the entries and
    /// records that it points to, then the others, long texts last. What other systems call a record is between programs.
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

    /// Whether a member may be nothing in answers.
    pub fn is_nullable(&self, field: &Field) -> bool {
        self.may_be_none(field, field.source)
    }

    /// Whether a member of that source may be nothing.
    fn may_be_none(&self, field: &Field, source: Source) -> bool {
        match source {
            Source::Column => !field.required && !field.derived && field.default.is_empty(),
            Source::NameOf(column)
            | Source::ParentOf(column)
            | Source::ParentNameOf(column)
            | Source::Same(column)
            | Source::At(column, ..) => self.field(column).is_some_and(|of| self.is_nullable(of)),
            Source::FirstOf(sources) => sources.iter().all(|source| self.may_be_none(field, *source)),
            Source::Of(column, of) => self.field(column).is_some_and(|own| {
                let there = own.record().and_then(|kind| Some((kind.table(), kind.table().field(of)?)));
                self.is_nullable(own) || there.is_some_and(|(table, field)| table.is_nullable(field))
            }),
            _ => false,
        }
    }

    /// Whether its records can be deleted. Entries of lists are deactivated.
    pub const fn can_be_deleted(&self) -> bool {
        !matches!(self.kind, Kind::List(_))
    }

    /// The list whose entries this list's belong to, and the member that says to which.
    pub fn parent(&self) -> Option<(List, &'static Field)> {
        self.fields.iter().find_map(|field| match field.ty {
            Type::Reference(list) if field.is_stored() => Some((list, field)),
            _ => None,
        })
    }

    /// The member that requests call so.
    pub fn member(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.member == name)
    }
}

/// What ids can be of, so that a field can point there.
pub trait Refers: Noun {
    /// What kind of values its ids are.
    const TYPE: Type;
}

impl<R: Record> Refers for R {
    const TYPE: Type = match R::KIND {
        Kind::List(list) => Type::Reference(list),
        kind => Type::Record(kind),
    };
}

/// A record: a struct of its stored members, and the table of all of them.
pub trait Record: Noun + Sized + Send {
    /// What it is.
    const KIND: Kind;
    /// Its members.
    const TABLE: &'static Table;

    /// Its values, in the order of [`Table::stored`].
    fn values(&self) -> Vec<Value<'_>>;

    /// The record of these values, in that order; none where one is missing or of another type.
    fn build<'v>(values: impl IntoIterator<Item = Value<'v>>) -> Option<Self>;

    /// The record that has these values, each with the name of its column, and nothing else; none where there has to be more.
    fn with(given: &[(&str, Value<'_>)]) -> Option<Self> {
        Self::build(Self::TABLE.stored().map(|field| {
            let given = given.iter().find(|(column, _)| *column == field.column);
            given.map_or_else(|| field.fallback(), |(_, value)| value.clone())
        }))
    }
}

/// Declares a record: its struct, and the rows of its table. A row with a type is stored and a field of the struct. What each is
/// stands above it in both languages: as its documentation, and as `pt`.
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
            const WORD: $crate::domain::id::Word = $crate::domain::id::Word($pt, $en);
        }

        impl $crate::records::Record for $name {
            const KIND: $crate::records::Kind = $kind;
            const TABLE: &'static $crate::records::Table = &$crate::records::Table {
                kind: $kind,
                noun: $crate::domain::id::Word($pt, $en),
                many: $crate::domain::id::Word($many_pt, $many_en),
                type_name: stringify!($name),
                name: $table,
                path: [$($path,)? $table][0],
                about: ($about_pt, concat!($($about),+).trim_ascii()),
                note: [$(($note_pt, $note_en),)? ("", "")][0],
                order: [$($crate::domain::Order::$order,)? $crate::domain::Order::Ascending][0],
                fields: &[$({
                    let row = $row;
                    $(let row = row.of::<$type>();)?
                    row.called(stringify!($field), $what_pt, $what)
                },)+],
            };

            fn values(&self) -> Vec<$crate::records::Value<'_>> {
                use $crate::records::FieldType as _;
                vec![$($(<$type>::to_value(&self.$field),)?)+]
            }

            fn build<'v>(values: impl IntoIterator<Item = $crate::records::Value<'v>>) -> Option<$name> {
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

    /// The value of a field's example.
    fn example(field: &Field) -> Value<'static> {
        let read = |input| field.read(&input).unwrap_or_else(|reason| panic!("{}: {reason:?}", field.column));
        match field.ty {
            Type::Links(_) => read(Input::List(vec![Input::Number(field.example.to_owned())])),
            _ => read(Input::Text(field.example)),
        }
    }

    #[test]
    fn every_row_says_what_it_is_and_its_example_is_right() {
        for table in TABLES.iter().copied().chain(List::ALL.map(List::table)) {
            let mut names = HashSet::new();
            let today = Day::from_ymd(2026, 11, 22).unwrap();
            for field in table.fields {
                assert!(names.insert(field.shown), "{} stands twice among {}", field.shown, table.name);
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
                    field.default.is_empty() || field.is_today(),
                    "{}",
                    field.column
                );
                let refers_to = |column: &str| table.field(column).is_some_and(Field::is_reference);
                match field.source {
                    Source::NameOf(column) | Source::ParentOf(column) | Source::ParentNameOf(column) => {
                        assert!(refers_to(column), "{}", field.column);
                    }
                    Source::Of(column, of) => {
                        let there = table.field(column).and_then(Field::record).map(Kind::table);
                        assert!(there.is_some_and(|there| there.field(of).is_some()), "{}", field.column);
                    }
                    Source::NamesOf(column) | Source::NamesBy(column, _) => {
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
                .map(|(field, fill)| if fill || field.required { example(field) } else { Value::Null })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn a_record_holds_the_values_that_it_was_built_of(values in customer()) {
            let built = Customer::build(values.clone()).unwrap();
            prop_assert_eq!(built.values(), values);
        }
    }

    #[test]
    fn a_record_is_built_of_all_that_is_required_and_of_nothing_else() {
        let values: Vec<_> = Lawsuit::TABLE.stored().map(example).collect();
        assert!(Lawsuit::build(values.clone()).is_some());
        for (at, field) in Lawsuit::TABLE.stored().enumerate() {
            let mut without = values.clone();
            without[at] = Value::Null;
            // What has a default is never nothing.
            let is_optional = !field.required && field.default.is_empty();
            assert_eq!(Lawsuit::build(without).is_some(), is_optional, "{}", field.column);
            assert!(Lawsuit::build(values[..at].to_vec()).is_none(), "cut off before {}", field.column);
        }
    }

    #[test]
    fn booleans_and_numbers_are_read_in_every_form_of_the_contract() {
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
            "every number is a fraction to some"
        );
        for number in ["-1", "1.5", "1e30"] {
            assert_eq!(short(number), None, "{number}");
        }
    }

    #[test]
    fn forms_begin_with_what_a_record_points_to_under_headings_that_come_once() {
        let members = |table: &Table, at: usize| {
            let (_, fields) = table.sections().swap_remove(at);
            fields.iter().map(|field| field.column).collect::<Vec<_>>()
        };
        assert_eq!(
            members(Lawsuit::TABLE, 0),
            ["customers", "opposing_parties", "type_id", "stage_id", "user_id"]
        );
        assert_eq!(members(Customer::TABLE, 1), ["cellphone", "phone", "email"]);
        assert_eq!(members(Customer::TABLE, 4), ["user_id", "origin_id", "notes"]);
        for table in TABLES {
            let sections = table.sections();
            let mut places = sections.iter().map(|(section, _)| section.place).collect::<Vec<_>>();
            places.dedup();
            assert!(places.is_sorted() && places.len() == sections.len(), "{places:?}");
            let all = sections.iter().map(|(_, fields)| fields.len()).sum::<usize>();
            let free = table.stored().filter(|field| !field.fixed && field.ty != Type::ExternalIds).count();
            assert_eq!(all, free, "every member that people may name can be filled in");
        }
    }
}

//! What the office keeps: each noun a file, in which every member of its records is described once.
//!
//! A record's table stands in the order in which answers show its members. What other floors do with a member (columns,
//! bodies, answers, descriptions, filters, forms) is ordinary code over the tables; nothing here reads or writes anything.

mod customer;
mod field;
mod lawsuit;
mod list;
mod value;

pub use customer::Customer;
pub use field::{DayRule, Field, Find, Label, Section, Source, Type};
pub use lawsuit::Lawsuit;
pub use list::{List, Refers};
pub use value::{FieldType, Input, Value};

use crate::domain::id::{Noun, Word};

/// What kind of record there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A customer.
    Customer,
    /// A lawsuit.
    Lawsuit,
}

impl Kind {
    /// What its records consist of.
    pub const fn table(self) -> &'static Table {
        match self {
            Kind::Customer => Customer::TABLE,
            Kind::Lawsuit => Lawsuit::TABLE,
        }
    }
}

/// What the ids of a noun's records are of.
pub trait Linked: Refers {
    /// The noun.
    const KIND: Kind;
}

/// The tables of all nouns.
pub const TABLES: &[&Table] = &[Customer::TABLE, Lawsuit::TABLE];

/// A noun: what its records consist of.
#[derive(Debug)]
pub struct Table {
    /// What it is.
    pub kind: Kind,
    /// The words for one.
    pub noun: Word,
    /// Its name in the store and in paths, such as `customers`.
    pub name: &'static str,
    /// What a record is: one sentence.
    pub about: &'static str,
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
            let writable = self.fields.iter().filter(|field| field.is_stored() || field.changeable);
            writable.filter(move |field| field.is_reference() == references)
        };
        of(true).chain(of(false))
    }

    /// The member of that column or name in its struct.
    pub fn field(&self, column: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.column == column)
    }

    /// What forms and pages have, under its headings: the records that it is linked to first, then the entries and
    /// records that it points to, then the others.
    pub fn sections(&self) -> Vec<(Section, Vec<&'static Field>)> {
        let mut fields: Vec<_> = self.writable().filter(|field| field.is_stored()).collect();
        fields.sort_by_key(|field| (field.section.place, !matches!(field.ty, Type::Links(_))));
        let sections = fields.chunk_by(|one, next| one.section == next.section);
        sections.filter_map(|own| Some((own.first()?.section, own.to_vec()))).collect()
    }

    /// The member that requests call so.
    pub fn member(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.member == name)
    }
}

/// A record: a struct of its stored members, and the table of all of them.
pub trait Record: Sized + Send + 'static {
    /// What its ids are of.
    type Kind: Noun;
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
            given.map_or(Value::Null, |(_, value)| value.clone())
        }))
    }
}

/// Declares a record: its struct, and the rows of its table. A row with a type is stored and a field of the struct.
macro_rules! record {
    ($(#[doc = $about:literal])+ $name:ident, ids of $kind:ident, in $table:literal {
        $(#[doc = $what:literal] $field:ident $(: $type:ty)? = $row:expr;)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $what] pub $field: $type,)?)+
        }

        impl $crate::records::Refers for $crate::domain::id::of::$kind {
            const TYPE: $crate::records::Type = $crate::records::Type::Record($crate::records::Kind::$name);
        }

        impl $crate::records::Linked for $crate::domain::id::of::$kind {
            const KIND: $crate::records::Kind = $crate::records::Kind::$name;
        }

        impl $crate::records::Record for $name {
            type Kind = $crate::domain::id::of::$kind;
            const TABLE: &'static $crate::records::Table = &$crate::records::Table {
                kind: $crate::records::Kind::$name,
                noun: <$crate::domain::id::of::$kind as $crate::domain::id::Noun>::WORD,
                name: $table,
                about: concat!($($about),+).trim_ascii(),
                fields: &[$({
                    let row = $row;
                    $(let row = row.of::<$type>();)?
                    row.called(stringify!($field), $what)
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
        for table in TABLES {
            let mut names = HashSet::new();
            let today = Day::from_ymd(2026, 11, 22).unwrap();
            for field in table.fields {
                assert!(names.insert(field.shown), "{} stands twice among {}", field.shown, table.name);
                assert!(field.about.ends_with('.'), "{}: {:?} is no sentence", field.column, field.about);
                if field.is_stored() {
                    assert!(!field.label.0.is_empty() && !field.label.1.is_empty(), "{}", field.column);
                    assert_eq!(field.check(&example(field), today), Ok(()), "{}", field.column);
                }
                let refers_to = |column: &str| table.field(column).is_some_and(Field::is_reference);
                match field.source {
                    Source::NameOf(column) | Source::ParentOf(column) | Source::ParentNameOf(column) => {
                        assert!(refers_to(column), "{}", field.column);
                    }
                    Source::NamesOf(column) => assert!(refers_to(column), "{}", field.column),
                    Source::Column | Source::Links(..) | Source::Created | Source::Updated | Source::Own => {}
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
            assert_eq!(Lawsuit::build(without).is_some(), !field.required, "{}", field.column);
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
        ] {
            assert_eq!(flag(Input::Text(text)), read, "{text}");
        }
        assert_eq!((flag(Input::Flag(true)), flag(Input::Number("2".to_owned()))), (Some(true), None));
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
        assert_eq!(members(Lawsuit::TABLE, 0), ["customers", "type_id", "stage_id", "user_id"]);
        assert_eq!(members(Customer::TABLE, 1), ["cellphone", "phone", "email"]);
        assert_eq!(members(Customer::TABLE, 4), ["user_id", "origin_id", "notes"]);
        for table in TABLES {
            let sections = table.sections();
            let mut places = sections.iter().map(|(section, _)| section.place).collect::<Vec<_>>();
            places.dedup();
            assert!(places.is_sorted() && places.len() == sections.len(), "{places:?}");
            let all = sections.iter().map(|(_, fields)| fields.len()).sum::<usize>();
            assert_eq!(all, table.stored().count(), "every member that is stored can be filled in");
        }
    }
}

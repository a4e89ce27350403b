//! The parameters of lists as they are described, by the tables of their nouns.

use serde_json::json;

use crate::domain::id::Id;
use crate::domain::{Day, ExternalId, Order, PaymentStatus, PhoneTerm, TaskStatus, YearMonth};
use crate::http::describe::Parameter;
use crate::http::schema::{self, set};
use crate::http::wire::{Compact, Digits, FromText, IdOrName, Words};
use crate::records::{Field, Find, Table, Type};

/// What lists call the parameter for a member: as answers do, or as requests do.
pub fn names(field: &Field) -> Vec<&'static str> {
    let mut names = vec![field.shown, field.member, field.other_name];
    names.retain(|name| !name.is_empty());
    names.dedup();
    names
}

/// What stands for no record where an id is asked for.
pub const NONE: &str = "none";

/// The name of a record in another system.
pub const EXTERNAL_ID: &str = "external_id";

/// Whether deleted records are meant: those alone.
pub const DELETED: &str = "deleted";

/// The parameter [`DELETED`].
pub fn deleted() -> Parameter {
    Parameter::of::<bool>(DELETED, "`true`: deleted ones alone, each with `deleted_at`.", true)
}

/// In which order the records come.
pub const ORDER: &str = "order";

/// The parameter [`ORDER`] of a list that comes in that order by itself.
pub fn order(by_itself: Order) -> Parameter {
    let about = "By id, `asc`: from the first record on, or `desc`: from the newest back.";
    let (own, other) = match by_itself {
        Order::Ascending => ("asc", "desc"),
        Order::Descending => ("desc", "asc"),
    };
    let mut parameter = Parameter::of::<Order>(ORDER, about, other);
    set(&mut parameter.schema, "default", own);
    parameter
}

/// Who was born in the current month.
pub const BIRTHDAYS: &str = "birthdays";

/// The parameters for the first and the last day.
pub fn days(name: &str) -> [String; 2] {
    ["_start", "_end"].map(|end| [name, end].concat())
}

/// The parameters that find records by this field.
pub fn describe(table: &'static Table, field: &Field) -> Vec<Parameter> {
    let what = field.about.trim_end_matches('.');
    match field.find {
        None => Vec::new(),
        Some(find @ (Find::Words | Find::WordsOr(_) | Find::Code)) => {
            let or = match find {
                Find::WordsOr(other) => format!(" Or the {other}."),
                _ => String::new(),
            };
            let about = format!(
                "{what}, or parts of it: every word has to be found in it, in any order; letter case, accents and \
                 punctuation do not matter.{or}"
            );
            let named = |name| Parameter::of::<Words>(name, about.as_str(), schema::finding(table, field));
            names(field).into_iter().map(named).collect()
        }
        Some(Find::Start) => {
            let about = format!("{what}, with or without punctuation: a whole one, or how it begins.");
            let named = |name| Parameter::of::<Compact>(name, about.as_str(), field.example);
            names(field).into_iter().map(named).collect()
        }
        Some(Find::Digits) if field.ty == Type::Phone => {
            let about = "Digits that stand together in any telephone number of the record, at least 4; punctuation, +55, a \
                         leading 0 and the area code do not matter.";
            vec![Parameter::of::<PhoneTerm>(field.shown, about, field.example)]
        }
        Some(Find::Digits) => {
            let about = format!(
                "{what}, with or without punctuation: a whole one, or at least 4 digits that stand together in it."
            );
            vec![Parameter::of::<Digits>(field.shown, about, field.example)]
        }
        Some(find @ (Find::Entry(name) | Find::EntryOrParent(name))) => {
            let or = match find {
                Find::EntryOrParent(_) => {
                    " What is unknown as a stage is looked up among the steps, and the other way round."
                }
                _ => "",
            };
            let about = format!("The {name}: its name, a part of it, or its id.{or}");
            vec![Parameter::of::<IdOrName>(name, about, schema::finding(table, field))]
        }
        Some(find @ (Find::Days(name) | Find::DaysOrNone(name, _))) => {
            let none = match find {
                Find::DaysOrNone(_, none) => {
                    let about = format!("`true`: without `{}`; `false`: with it.", field.shown);
                    Some(Parameter::of::<bool>(none, about, true))
                }
                _ => None,
            };
            none.into_iter().chain(describe_days(name, what)).collect()
        }
        Some(Find::Months(name)) => {
            let [first, last] = days(name);
            let from =
                format!("{what}: this month or a later one, MM/YYYY, YYYY-MM, or a day whose month counts.");
            let to = format!("{what}: this month or an earlier one.");
            vec![
                Parameter::of::<YearMonth>(first, from, "01/2026"),
                Parameter::of::<YearMonth>(last, to, "12/2026"),
            ]
        }
        Some(Find::Paid(name, _)) => {
            let about = "`paid`; `unpaid`; `overdue`: unpaid, and due before today; `open`: unpaid, and due today or later.";
            let status = Parameter::of::<PaymentStatus>("status", about, "unpaid");
            std::iter::once(status).chain(describe_days(name, what)).collect()
        }
        Some(Find::Sum(name)) => {
            let about = "`true`: also the sums of everything that matches, whatever the page.";
            vec![Parameter::of::<bool>(name, about, true)]
        }
        Some(Find::Birthday) => {
            let about = "`true`: birthday in the current month.";
            vec![Parameter::of::<bool>(BIRTHDAYS, about, true)]
        }
        Some(Find::Value) => {
            let (name, about) = (field.shown.to_owned(), field.about.to_owned());
            let (schema, example) = (schema::in_body(field.ty), schema::example_in(field));
            vec![Parameter { name, about, schema, example }]
        }
        Some(Find::Newest(_)) if !field.required => {
            let (name, about) =
                (field.shown.to_owned(), format!("{what}, by its id; `{NONE}`: those without one."));
            let schema = json!({ "anyOf": [Id::<()>::schema(), { "type": "string", "enum": [NONE] }] });
            vec![Parameter { name, about, schema, example: schema::example_in(field) }]
        }
        Some(Find::Record | Find::Newest(_)) => {
            let about = format!("{what}, by its id.");
            vec![Parameter::of::<Id<()>>(field.shown, about, number(schema::finding(table, field)))]
        }
        Some(Find::RecordOrLinked([name, _], member)) => {
            let linked = table_of(field).and_then(|table| table_of(table.field(member)?));
            let word = linked.map_or("record", |table| table.noun.1);
            let about = format!("{what}, by its id.");
            vec![
                Parameter::of::<Id<()>>(field.shown, about, number(schema::finding(table, field))),
                Parameter::of::<Id<()>>(name, format!("Of this {word}, by its id."), 17),
            ]
        }
        Some(Find::Guests) => {
            let [first, last] = days("completed");
            vec![
                Parameter::of::<Id<()>>(
                    "user_id",
                    "Somebody who is to do it, by the id. The status and the days are then theirs.",
                    2,
                ),
                Parameter::of::<IdOrName>(
                    "user_name",
                    "A part of the name of somebody who is to do it, likewise.",
                    "Ana",
                ),
                Parameter::of::<TaskStatus>(
                    "status",
                    "How far it is. Without it: what somebody still has to do; with `id` or `completed_*`: all.",
                    "all",
                ),
                Parameter::of::<Day>(
                    first,
                    "Done by anybody on this day or later, whoever else still has to.",
                    "2026-01-01",
                ),
                Parameter::of::<Day>(last, "Done by anybody on this day or earlier.", "2026-12-31"),
                Parameter::of::<Id<()>>("id", "That one.", 9),
            ]
        }
        Some(Find::ExternalId) => {
            let about = "The one that another system calls so: all of it.";
            vec![Parameter::of::<ExternalId>(EXTERNAL_ID, about, field.example)]
        }
        Some(Find::Linked(id, by)) => {
            let word = table_of(field).map_or("record", |table| table.noun.1);
            let other = table_of(field).and_then(|table| table.field(by));
            let about = format!(
                "Linked to the {word} with this {}, with or without punctuation.",
                other.map_or(by, |other| other.label.1)
            );
            vec![
                Parameter::of::<Id<()>>(id, format!("Linked to this {word}."), 1),
                Parameter::of::<Compact>(by, about, other.map_or("", |other| other.example)),
            ]
        }
    }
}

fn describe_days(name: &str, what: &str) -> [Parameter; 2] {
    let [first, last] = days(name);
    let from = format!("{what}: on this day or later, DD/MM/YYYY or YYYY-MM-DD.");
    let to = format!("{what}: on this day or earlier.");
    [Parameter::of::<Day>(first, from, "2026-01-01"), Parameter::of::<Day>(last, to, "2026-12-31")]
}

/// The example as a number where it is one.
fn number(example: &'static str) -> serde_json::Value {
    example.parse::<u32>().map_or_else(|_| example.into(), serde_json::Value::from)
}

/// What a field refers or links to.
pub fn table_of(field: &Field) -> Option<&'static Table> {
    match field.ty {
        Type::Links(kind) | Type::Record(kind) => Some(kind.table()),
        _ => None,
    }
}

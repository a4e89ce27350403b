//! The parameters of lists, by the tables of their nouns: read into a filter, and described.

use std::marker::PhantomData;

use super::answer::Listed;
use super::call::Call;
use super::input::{Parameters, Query, QueryReader};
use super::openapi::Operation;
use super::problem::Problem;
use super::record::InAnswers;
use super::schema;
use super::wire::{Compact, IdOrName, Words};
use crate::app::App;
use crate::domain::id::Id;
use crate::domain::{Day, Invalid, PhoneTerm};
use crate::index::{Condition, Filter, Named};
use crate::records::{Field, Find, Record, Source, Table};

/// What a list of records is asked for.
#[derive(Debug)]
pub struct Search<R> {
    /// The conditions.
    pub filter: Filter,
    of: PhantomData<fn() -> R>,
}

impl<R: Record> Parameters for Search<R> {
    fn read(reader: &mut QueryReader<'_>) -> Search<R> {
        Search { filter: read(R::TABLE, reader), of: PhantomData }
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        R::TABLE.fields.iter().for_each(|field| describe(R::TABLE, field, operation));
    }
}

impl<R: InAnswers> Query<Search<R>> {
    /// The page of the records that match.
    ///
    /// # Errors
    /// Everything that is wrong; why the store cannot be read.
    pub fn list(self, call: &Call<'_>) -> Result<Listed<R>, Problem> {
        let (search, page) = self.into_valid()?;
        let found = call.app().index().find(call.db(), R::TABLE, &search.filter, page)?;
        Listed::read(call, found, page)
    }
}

/// The filter that these parameters of a list of such records ask for.
///
/// # Errors
/// Everything that is wrong, by the names of the parameters.
pub fn read_filter(table: &'static Table, query: &[(String, String)], app: &App) -> Result<Filter, Invalid> {
    let mut reader = QueryReader::new(query, app);
    let filter = read(table, &mut reader);
    let wrong = reader.into_wrong();
    if wrong.is_empty() { Ok(filter) } else { Err(wrong) }
}

fn read(table: &'static Table, reader: &mut QueryReader<'_>) -> Filter {
    let mut filter = Filter::default();
    table.fields.iter().for_each(|field| read_field(field, reader, &mut filter));
    filter
}

fn read_field(field: &'static Field, reader: &mut QueryReader<'_>, filter: &mut Filter) {
    let name = field.shown;
    let condition = match field.find {
        None => None,
        Some(Find::Words | Find::WordsOr(_) | Find::Code) => {
            reader.parameter(name).map(|Words(words)| Condition::Words(words))
        }
        Some(Find::Start) => reader.parameter(name).map(|Compact(start)| Condition::Start(start)),
        Some(Find::Ending) => {
            reader.parameter(name).map(|term: PhoneTerm| Condition::Ending(term.as_str().to_owned()))
        }
        Some(Find::Entry(name) | Find::EntryOrParent(name)) => {
            reader.parameter(name).map(|IdOrName(entry)| Condition::Entry(Named::new(&entry)))
        }
        Some(Find::Days(name)) => {
            let [first, last] = days(name).map(|name| reader.parameter(&name));
            (first.is_some() || last.is_some()).then_some(Condition::Days(first, last))
        }
        Some(Find::Birthday) => {
            let wanted = reader.parameter(BIRTHDAYS).filter(|wanted| *wanted);
            wanted.map(|_| Condition::Month(reader.today().month()))
        }
        Some(Find::Linked(id, by)) => {
            let linked = reader.parameter(by).map(|Compact(key)| Condition::LinkedBy(by, key));
            if let Some(linked) = linked {
                filter.add(field.column, linked);
            }
            // Any of the typed ids has the same bounds.
            reader.parameter(id).map(|id: Id<crate::domain::id::of::Entry>| Condition::Linked(id.get()))
        }
    };
    if let Some(condition) = condition {
        filter.add(field.column, condition);
    }
}

/// Who was born in the current month.
pub const BIRTHDAYS: &str = "birthdays";

/// The parameters for the first and the last day.
pub fn days(name: &str) -> [String; 2] {
    ["_start", "_end"].map(|end| [name, end].concat())
}

fn describe(table: &'static Table, field: &Field, operation: &mut Operation<'_, '_>) {
    let what = field.about.trim_end_matches('.');
    match field.find {
        None => {}
        Some(Find::Words | Find::WordsOr(_) | Find::Code) => {
            let or = match field.find {
                Some(Find::WordsOr(other)) => format!(" Or the {other}."),
                _ => String::new(),
            };
            let about = format!(
                "{what}, or parts of it: every word has to be found in it, in any order; letter case, accents and \
                 punctuation do not matter.{or}"
            );
            operation.query::<Words>(field.shown, &about, example(table, field));
        }
        Some(Find::Start) => {
            let about = format!("{what}, with or without punctuation: a whole one, or how it begins.");
            operation.query::<Compact>(field.shown, &about, field.example);
        }
        Some(Find::Ending) => {
            let about = "How any telephone number of the record ends: at least 4 digits; punctuation, +55 and a leading 0 \
                         do not matter.";
            operation.query::<PhoneTerm>(field.shown, about, field.example);
        }
        Some(Find::Entry(name) | Find::EntryOrParent(name)) => {
            let or = match field.find {
                Some(Find::EntryOrParent(_)) => {
                    " What is unknown as a stage is looked up among the steps, and the other way round."
                }
                _ => "",
            };
            let about = format!("The {name}: its name, a part of it, or its id.{or}");
            operation.query::<IdOrName>(name, &about, example(table, field));
        }
        Some(Find::Days(name)) => {
            let [first, last] = days(name);
            let from = format!("{what}: on this day or later, DD/MM/YYYY or YYYY-MM-DD.");
            operation.query::<Day>(&first, &from, "2026-01-01");
            operation.query::<Day>(&last, &format!("{what}: on this day or earlier."), "2026-12-31");
        }
        Some(Find::Birthday) => {
            operation.query::<bool>(BIRTHDAYS, "`true`: birthday in the current month.", true);
        }
        Some(Find::Linked(id, by)) => {
            let word = table_of(field).map_or("record", |table| table.noun.1);
            operation.parameter(
                "query",
                id,
                &format!("Linked to this {word}."),
                schema::id_out(),
                Some(1.into()),
            );
            let other = table_of(field).and_then(|table| table.field(by));
            let about = format!(
                "Linked to the {word} with this {}, with or without punctuation.",
                other.map_or(by, |other| other.label.1)
            );
            operation.query::<Compact>(by, &about, other.map_or("", |other| other.example));
        }
    }
}

/// What a field links to.
fn table_of(field: &Field) -> Option<&'static Table> {
    match field.ty {
        crate::records::Type::Links(kind) => Some(kind.table()),
        _ => None,
    }
}

/// An example that finds something: of an entry its name.
fn example(table: &'static Table, field: &Field) -> &'static str {
    let named = table.fields.iter().find(|other| match (other.source, field.source) {
        (Source::NameOf(column), Source::Column) => column == field.column,
        (Source::ParentNameOf(column), Source::ParentOf(of)) => column == of,
        _ => false,
    });
    named.map_or(field.example, |named| named.example)
}

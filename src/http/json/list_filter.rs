//! The filter and the order of a list: read from its parameters by the table of its noun.

mod parameters;

use std::marker::PhantomData;

use super::query_parameters::{Parameters, Query, QueryReader};
use super::record::InAnswers;
use super::values::{Compact, IdOrName, Words};
use crate::app::App;
use crate::domain::id::Id;
use crate::domain::{Invalid, Order, PaymentStatus, PhoneTerm, ProcessNumberTerm, TaskStatus, YearMonth};
use crate::http::answers::listed::Listed;
use crate::http::answers::problem::Problem;
use crate::http::openapi::describe::Parameter;
use crate::http::requests::call::Call;
use crate::http::requests::viewer::Viewer;
use crate::index::{Condition, Filter, Guest, Named};
use crate::records::{AnyEntry, Field, Find, Kind, List, Record, Table, Type};
use crate::store::{self, Db, lists, records, trash};

pub use parameters::{BIRTHDAYS, DELETED, GUEST, ORDER, days, deleted, order};
use parameters::{EXTERNAL_ID, NONE, describe, names};

/// Reads a filter from the parameters of these columns only.
pub fn read_some(table: &'static Table, columns: &[&str], reader: &mut QueryReader<'_>) -> Filter {
    let mut filter = Filter::default();
    columns
        .iter()
        .filter_map(|column| table.field(column))
        .for_each(|field| read_field(field, reader, &mut filter));
    filter
}

/// Returns the descriptions of the parameters that [`read_some`] reads.
pub fn some_parameters(table: &'static Table, columns: &[&str]) -> Vec<Parameter> {
    let fields = columns.iter().filter_map(|column| table.field(column));
    fields.flat_map(|field| describe(table, field)).collect()
}

/// A search for the records of a list.
#[derive(Debug)]
pub struct Search<R> {
    pub filter: Filter,
    pub order: Order,
    /// `true` if the response includes the sums over all matches.
    pub sums: bool,
    of: PhantomData<fn() -> R>,
}

impl<R: Record> Parameters for Search<R> {
    const BY_ID: bool = true;

    fn read(reader: &mut QueryReader<'_>) -> Search<R> {
        let (filter, order) = read(R::TABLE, reader);
        let sums = R::TABLE.fields.iter().find_map(|field| match field.find {
            Some(Find::Sum(name)) => reader.parameter(name),
            _ => None,
        });
        Search { filter, order, sums: sums.unwrap_or_default(), of: PhantomData }
    }

    fn parameters() -> Vec<Parameter> {
        let of_fields = R::TABLE.fields.iter().flat_map(|field| describe(R::TABLE, field));
        let deleted = R::TABLE.can_be_deleted().then(deleted);
        of_fields.chain(deleted).chain([order(R::TABLE.order)]).collect()
    }
}

impl<R: InAnswers> Query<Search<R>> {
    /// Returns the requested page of the matching records. Fails with the problems of all parameters.
    pub fn list(self, call: &Call<'_>) -> Result<Listed<R>, Problem> {
        let (search, request) = self.into_valid()?;
        refuse_hidden(R::TABLE, &search.filter, &call.viewer())?;
        let page = request.page.in_order(search.order);
        let found = call.app().index().find(call.db(), R::TABLE, &search.filter, page)?;
        Listed::read(call, found, request)
    }
}

/// Fails with 403 if the filter has a condition on a member that is hidden from the viewer.
pub fn refuse_hidden(table: &Table, filter: &Filter, viewer: &Viewer) -> Result<(), Problem> {
    let mut fields = filter.columns().filter_map(|column| table.field(column));
    match fields.find(|field| !viewer.sees(table, field)) {
        None => Ok(()),
        Some(field) => Err(viewer.lacks(table.nouns_behind(field))),
    }
}

/// Returns the parameters that name a record by an id which no live record has. A list is empty then.
pub fn unknown_ids(
    db: Db<'_>,
    table: &'static Table,
    query: &[(String, String)],
) -> Result<Invalid, store::Error> {
    let mut unknown = Invalid::new();
    for (name, value) in query {
        let kind = table.fields.iter().find_map(|field| kind_named(field, name));
        let (Some(kind), Ok(id)) = (kind, value.trim().parse()) else { continue };
        let reason = match kind {
            Kind::List(list) => lists::is_active(db, list, id)?.is_none().then(|| list.unknown_entry(id)),
            kind if records::missing(db, kind.table(), &[id])?.is_empty() => None,
            kind => Some(trash::why_missing(db, kind.table(), id)?),
        };
        if let Some(reason) = reason {
            unknown.add(name.clone(), reason);
        }
    }
    Ok(unknown)
}

/// Returns the kind of the records that a parameter names by id, if it finds them by this field.
fn kind_named(field: &Field, parameter: &str) -> Option<Kind> {
    let is_named = |names: &[&str]| names.contains(&parameter);
    match (field.find?, field.ty) {
        (Find::Guests, _) => is_named(&GUEST).then_some(Kind::List(List::Users)),
        (
            Find::Record | Find::Newest(_) | Find::RecordOrThrough(..) | Find::Linked(..),
            Type::Record(kind) | Type::Links(kind),
        ) => is_named(&names(field)).then_some(kind),
        _ => None,
    }
}

/// Reads the filter and the order from the parameters of a list. Fails with all problems, by parameter.
pub fn read_search(
    table: &'static Table,
    query: &[(String, String)],
    app: &App,
) -> Result<(Filter, Order), Invalid> {
    let mut reader = QueryReader::new(query, app);
    let search = read(table, &mut reader);
    let wrong = reader.into_wrong();
    if wrong.is_empty() { Ok(search) } else { Err(wrong) }
}

fn read(table: &'static Table, reader: &mut QueryReader<'_>) -> (Filter, Order) {
    let of_deleted = table.can_be_deleted() && reader.parameter(DELETED).unwrap_or_default();
    let mut filter = Filter::default().of_deleted(of_deleted);
    table.fields.iter().for_each(|field| read_field(field, reader, &mut filter));
    (filter, reader.parameter(ORDER).unwrap_or(table.order))
}

fn read_field(field: &'static Field, reader: &mut QueryReader<'_>, filter: &mut Filter) {
    let name = field.shown;
    let condition = match field.find {
        None | Some(Find::Sum(_)) => None,
        Some(Find::Words | Find::WordsOr(_) | Find::Code) => {
            reader.either(names(field)).map(|Words(words)| Condition::Words(words))
        }
        Some(Find::Start) => reader.either(names(field)).map(|Compact(start)| Condition::Start(start)),
        Some(Find::Digits) if field.ty == Type::Phone => {
            reader.parameter(name).map(|term: PhoneTerm| Condition::Digits(term.as_str().to_owned()))
        }
        // No record has the id 0.
        Some(Find::Digits) if reader.finds_nothing::<ProcessNumberTerm>(name) => Some(Condition::Id(0)),
        Some(Find::Digits) => {
            reader.parameter(name).map(|ProcessNumberTerm(digits)| Condition::Digits(digits))
        }
        Some(Find::Entry(_) | Find::EntryOrParent(_)) => {
            let entry = reader.either(names(field));
            entry.map(|IdOrName(entry)| Condition::Entry(Named::new(&entry)))
        }
        Some(Find::Days(name) | Find::DaysOrNone(name, _)) => {
            if let Some(Find::DaysOrNone(_, none)) = field.find
                && let Some(absent) = reader.parameter(none)
            {
                filter.add(field.column, Condition::IsAbsent(absent));
            }
            days_between(reader, name)
        }
        Some(Find::Birthday) => {
            let wanted = reader.parameter(BIRTHDAYS).filter(|wanted| *wanted);
            wanted.map(|_| Condition::Month(reader.today().month()))
        }
        Some(Find::Newest(_)) if !field.required && reader.is(name, NONE) => Some(Condition::IsAbsent(true)),
        Some(Find::Months(name)) => {
            let [first, last] = days(name).map(|name| reader.parameter(&name));
            (first.is_some() || last.is_some())
                .then_some(Condition::Days(first.map(YearMonth::first_day), last.map(YearMonth::last_day)))
        }
        Some(Find::Paid(name, due)) => {
            if let Some(status) = reader.parameter::<PaymentStatus>("status") {
                filter.add(field.column, Condition::IsAbsent(status != PaymentStatus::Paid));
                let due_days = status.due(reader.today()).map(|(first, last)| Condition::Days(first, last));
                due_days.into_iter().for_each(|days| filter.add(due, days));
            }
            days_between(reader, name)
        }
        Some(Find::Value) => reader.value(name, field).map(Condition::Value),
        Some(Find::Record | Find::Newest(_)) => record(reader, names(field)).map(Condition::Linked),
        Some(Find::RecordOrThrough(through, member)) => {
            record(reader, names(field)).map(|id| Condition::LinkedOrThrough([through, member], id))
        }
        Some(Find::Guests) => {
            let id = reader.parameter::<Id<AnyEntry>>("id");
            if let Some(id) = id {
                filter.add(field.column, Condition::Id(id.get()));
            }
            Some(Condition::Guest(guest(reader, id.is_some() || filter.is_of_deleted())))
        }
        Some(Find::ExternalId) => reader.parameter(EXTERNAL_ID).map(Condition::ExternalId),
        Some(Find::Linked(_, by)) => {
            let linked = reader.parameter(by).map(|Compact(key)| Condition::LinkedBy(by, key));
            if let Some(linked) = linked {
                filter.add(field.column, linked);
            }
            record(reader, names(field)).map(Condition::Linked)
        }
    };
    if let Some(condition) = condition {
        filter.add(field.column, condition);
    }
}

/// Reads a first day, a last day, or both.
fn days_between(reader: &mut QueryReader<'_>, name: &str) -> Option<Condition> {
    let [first, last] = days(name).map(|name| reader.parameter(&name));
    (first.is_some() || last.is_some()).then_some(Condition::Days(first, last))
}

/// Reads a record's id under any of these names.
fn record(reader: &mut QueryReader<'_>, names: impl IntoIterator<Item = &'static str>) -> Option<u32> {
    reader.either::<Id<AnyEntry>>(names).map(Id::get)
}

/// Reads the conditions about a guest of a task (resources 12.2). Without `status`, only tasks that a guest
/// still has to do match. All match if the search names days of completion, or if `is_other` is set: for a
/// task by its id, or deleted ones.
fn guest(reader: &mut QueryReader<'_>, is_other: bool) -> Guest {
    let user = record(reader, GUEST);
    let name = reader.parameter("user_name").map(|IdOrName(name)| Named::new(&name));
    let [first, last] = days("completed").map(|name| reader.parameter(&name));
    let by_itself = match is_other || first.is_some() || last.is_some() {
        true => TaskStatus::All,
        false => TaskStatus::Pending,
    };
    let status = reader.parameter("status").unwrap_or(by_itself);
    Guest { user, name, status, completed: (first, last) }
}

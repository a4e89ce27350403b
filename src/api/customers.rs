//! Customers: contract 4.

mod wire;

use jiff::tz::TimeZone;

use super::form::{UNREAD, refer};
use crate::config::settings::Compatibility;
use crate::domain::{CustomerId, Invalid, Page, Reason};
use crate::http::input::{Edit, Id, New, Noun, Query, nothing};
use crate::http::route::Largest;
use crate::http::wire::Shown;
use crate::http::{Call, Change, Create, Encoded, IfMatch, Listed, Problem, Tagged};
use crate::index::{CustomerFilter, Found, Named};
use crate::store::customers::{self, Fields};
use crate::store::settings::List;
use crate::store::{self, Db, Tx};

use wire::{Birthdays, ChangedOut, Created, CreatedOut, CustomerIn, CustomerOut, Search};

/// The pages of customers.
pub const PAGE: Largest = Largest { document: 1000, live: 1000 };

/// What callers should know of GET /customers.
pub const SEARCHING: &str = "\
Without filters: all of them. Ask here whether a customer exists before creating one: by `identification` where you \
have it, which is exact.";

/// What callers should know of POST /customers.
pub const CREATING: &str = "\
A second customer with the same `identification` is refused as `duplicate`, with the `customer_id` of the first. \
People of the same name are different people: they are created, and `possible_duplicates` names the others.";

/// What callers should know of GET /customers/birthdays.
pub const BIRTHDAYS: &str = "\
In the current month of the office's time zone, or in another one, by day, then name. 29 February belongs to February.";

/// What callers should know of the PUTs of records.
pub const CHANGING: &str = "\
Only the members that are named change; `null` or `\"\"` empties an optional one. With `If-Match` nobody's change in \
between is overwritten.";

impl Noun for CustomerId {
    const NOUN: &'static str = "Customer";
}

/// Customers whose fields match: contract 4.2.
pub fn search(call: &Call<'_>, query: Query<Search>) -> Result<Listed<CustomerOut<'static>>, Problem> {
    let (ask, page) = query.right()?;
    let this_month = || call.app().today().month();
    let filter = CustomerFilter {
        name: ask.name.map(|words| words.0),
        phone: ask.phone.map(|term| term.as_str().to_owned()),
        cellphone: ask.cellphone.map(|term| term.as_str().to_owned()),
        identification: ask.identification.map(|tax_id| tax_id.0),
        email: ask.email.map(|words| words.0),
        city: ask.city.map(|words| words.0),
        state: ask.state.map(|words| words.0),
        occupation: ask.occupation.map(|words| words.0),
        document: ask.document.map(|words| words.0),
        origin: ask.origin.map(|origin| Named::new(&origin.0)),
        birth_month: ask.birthdays.filter(|wanted| *wanted).map(|_| this_month()),
        created: (ask.created_start, ask.created_end),
    };
    let found = call.app().index().customers(call.db(), &filter, page)?;
    listed(call, found, page)
}

/// Customers with a birthday in the month: contract 4.6.
pub fn birthdays(call: &Call<'_>, query: Query<Birthdays>) -> Result<Listed<CustomerOut<'static>>, Problem> {
    let (ask, page) = query.right()?;
    let month = ask.month.map_or_else(|| call.app().today().month(), |month| month.0);
    let found = call.app().index().birthdays(call.db(), month, page)?;
    listed(call, found, page)
}

fn listed(call: &Call<'_>, found: Found, page: Page) -> Result<Listed<CustomerOut<'static>>, Problem> {
    let zone = call.app().zone();
    Listed::read(call, found, page, |db, ids, into| encode(db, ids, zone, into))
}

/// One customer: contract 4.4.
pub fn read(call: &Call<'_>, Id(id): Id<CustomerId>) -> Result<Tagged<CustomerOut<'static>>, Problem> {
    let zone = call.app().zone();
    Tagged::read(call, id.get(), |db, ids, into| encode(db, ids, zone, into))?.ok_or_else(not_found)
}

fn encode(db: Db<'_>, ids: &[u32], zone: &TimeZone, into: &mut Encoded) -> Result<(), store::Error> {
    customers::records(db, ids, |customer| into.add(customer.id.get(), &CustomerOut::new(customer, zone)))
}

/// A new customer: contract 4.3.
pub fn create(call: &Call<'_>, new: New<CustomerIn>) -> Result<Create<CreatedOut>, Problem> {
    let New { mut body, mut wrong } = new;
    check(call, &body, None, &mut wrong)?;
    nothing(wrong)?;
    let required = (body.users_id.take(), body.customers_origins_id.take(), body.name.take());
    let (Some(user), Some(origin), Some(name)) = required else { return Err(Problem::internal(UNREAD)) };
    let mut fields = Fields::new(user, origin, name);
    overlay(body, &mut fields);
    let (now, compatibility) = (call.app().now(), call.settings().api.compatibility);
    Ok(Create::new(move |tx| {
        refuse_taken(tx, &fields, None)?;
        let possible_duplicates = customers::namesakes(*tx, &fields.name)?.into_iter().map(Shown).collect();
        let id = customers::insert(tx, &fields, now)?;
        let created =
            Created { success: true, customer_id: Shown(id), customers_id: Shown(id), possible_duplicates };
        Ok(match compatibility {
            Compatibility::Document => CreatedOut::Document([created]),
            Compatibility::Live => CreatedOut::Live(created),
        })
    }))
}

/// A change of some members of a customer: contract 4.5.
pub fn change(
    call: &Call<'_>,
    Id(id): Id<CustomerId>,
    edit: Edit<CustomerIn>,
    if_match: IfMatch,
) -> Result<Change<ChangedOut>, Problem> {
    let Edit { body, mut wrong } = edit;
    let present = customers::fields(call.db(), id)?.ok_or_else(not_found)?;
    check(call, &body, Some(&present), &mut wrong)?;
    nothing(wrong)?;
    let (now, zone) = (call.app().now(), call.app().zone().clone());
    Ok(Change::new(move |tx| {
        let mut fields = customers::fields(*tx, id)?.ok_or_else(not_found)?;
        if_match.check(tx, id.get(), |db, ids, into| encode(db, ids, &zone, into))?;
        overlay(body, &mut fields);
        refuse_taken(tx, &fields, Some(id))?;
        customers::update(tx, id, &fields, now)?;
        Ok(ChangedOut { success: true, customer_id: Shown(id), customers_id: Shown(id) })
    }))
}

fn not_found() -> Problem {
    Problem::not_found(CustomerId::NOUN)
}

/// Adds what is wrong with members that only the office's data and calendar can tell.
fn check(
    call: &Call<'_>,
    body: &CustomerIn,
    present: Option<&Fields>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    if let Some(day) = body.birthdate.get() {
        wrong.check("birthdate", day.as_birthdate(call.app().today()));
    }
    let db: Db<'_> = call.db();
    let user = body.users_id.get().map(|id| id.get());
    refer(db, wrong, "users_id", List::Users, user, present.map(|fields| fields.user.get()))?;
    let origin = body.customers_origins_id.get().map(|id| id.get());
    refer(db, wrong, "customers_origins_id", List::Origins, origin, present.map(|fields| fields.origin.get()))
}

fn refuse_taken(tx: Tx<'_>, fields: &Fields, own: Option<CustomerId>) -> Result<(), Problem> {
    let Some(tax_id) = &fields.identification else { return Ok(()) };
    match customers::holder_of(*tx, tax_id)? {
        Some(holder) if Some(holder) != own => {
            Err(Problem::duplicate(Reason::IdentificationTaken, "customer_id", holder.get()))
        }
        _ => Ok(()),
    }
}

fn overlay(body: CustomerIn, fields: &mut Fields) {
    body.users_id.replace(&mut fields.user);
    body.customers_origins_id.replace(&mut fields.origin);
    body.name.replace(&mut fields.name);
    body.identification.overlay(&mut fields.identification);
    body.document.overlay(&mut fields.document);
    body.gender.overlay(&mut fields.gender);
    body.civil_status.overlay(&mut fields.civil_status);
    body.occupation.overlay(&mut fields.occupation);
    body.street.overlay(&mut fields.street);
    body.region.overlay(&mut fields.region);
    body.city.overlay(&mut fields.city);
    body.state.overlay(&mut fields.state);
    body.country.overlay(&mut fields.country);
    body.nationality.overlay(&mut fields.nationality);
    body.postalcode.overlay(&mut fields.postalcode);
    body.cellphone.overlay(&mut fields.cellphone);
    body.phone.overlay(&mut fields.phone);
    body.email.overlay(&mut fields.email);
    body.birthdate.overlay(&mut fields.birthdate);
    body.number_ctps.overlay(&mut fields.number_ctps);
    body.number_pis.overlay(&mut fields.number_pis);
    body.number_cid.overlay(&mut fields.number_cid);
    body.notes.overlay(&mut fields.notes);
}

//! Customers: contract 4.

mod wire;

use schemars::{Schema, SchemaGenerator};

use super::form::{InForms, NewRecord, edit, new_record, present};
use crate::config::settings::Compatibility;
use crate::domain::id::of;
use crate::domain::{CustomerId, Reason};
use crate::http::input::{Edit, New, PathId, Query, ensure_valid};
use crate::http::route::Largest;
use crate::http::wire::Shown;
use crate::http::{
    Call, Create, Draft, IfMatch, InAnswers, Listed, OwnMembers, Problem, Search, Tagged, Update, Write,
};
use crate::records::Customer;
use crate::store::{self, Db, Tx, customers, records};

use wire::{Birthdays, ChangedOut, Created, CreatedOut, LawsuitOfCustomer};

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

/// Customers whose fields match: contract 4.2.
pub fn search(call: &Call<'_>, query: Query<Search<Customer>>) -> Result<Listed<Customer>, Problem> {
    query.list(call)
}

/// Customers with a birthday in the month: contract 4.6.
pub fn birthdays(call: &Call<'_>, query: Query<Birthdays>) -> Result<Listed<Customer>, Problem> {
    let (ask, page) = query.into_valid()?;
    let month = ask.month.map_or_else(|| call.app().today().month(), |month| month.0);
    let found = call.app().index().birthdays(call.db(), month, page)?;
    Listed::read(call, found, page)
}

/// One customer: contract 4.4.
pub fn read(call: &Call<'_>, PathId(id): PathId<of::Customer>) -> Result<Tagged<Customer>, Problem> {
    Tagged::read(call, id)
}

/// A new customer: contract 4.3.
pub fn create(call: &Call<'_>, new: New<Draft<Customer>>) -> Result<Create<CreatedOut>, Problem> {
    let customer = new_record(call, new)?;
    let (now, compatibility) = (call.app().now(), call.settings().api.compatibility);
    Ok(Create::new(move |tx| {
        refuse_taken(tx, &customer, None)?;
        let possible_duplicates = customers::namesakes(*tx, &customer.name)?.into_iter().map(Shown).collect();
        let id = records::insert(tx, &customer, now)?;
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
    PathId(id): PathId<of::Customer>,
    body: Edit<Draft<Customer>>,
    if_match: IfMatch,
) -> Result<Update<ChangedOut>, Problem> {
    let (draft, _, wrong) = edit(call, id, body)?;
    ensure_valid(wrong)?;
    let (now, zone) = (call.app().now(), call.app().zone().clone());
    Ok(Update::new(move |tx| {
        let present = present(*tx, id)?;
        if_match.check::<Customer>(tx, id, &zone)?;
        let customer = draft.change(&present)?;
        refuse_taken(tx, &customer, Some(id))?;
        records::update(tx, id, &customer, now)?;
        Ok(ChangedOut { success: true, customer_id: Shown(id), customers_id: Shown(id) })
    }))
}

fn refuse_taken(tx: Tx<'_>, customer: &Customer, own: Option<CustomerId>) -> Result<(), Problem> {
    let Some(tax_id) = &customer.identification else { return Ok(()) };
    match customers::holder_of(*tx, tax_id)? {
        Some(holder) if Some(holder) != own => {
            Err(Problem::duplicate(Reason::IdentificationTaken, "customer_id", holder.get()))
        }
        _ => Ok(()),
    }
}

impl InForms for Customer {
    fn create(call: &Call<'_>, new: New<Draft<Customer>>) -> Result<Write<NewRecord>, Problem> {
        Ok(create(call, new)?.map(|created| created.into_created().into()))
    }

    fn change(
        call: &Call<'_>,
        id: PathId<of::Customer>,
        body: Edit<Draft<Customer>>,
        if_match: IfMatch,
    ) -> Result<Write<()>, Problem> {
        Ok(change(call, id, body, if_match)?.map(|_| ()))
    }
}

impl InAnswers for Customer {
    fn own(db: Db<'_>, id: u32, members: &mut OwnMembers) -> Result<(), store::Error> {
        let lawsuits = customers::lawsuits(db, id)?;
        members.add(&lawsuits.iter().map(LawsuitOfCustomer::new).collect::<Vec<_>>());
        Ok(())
    }

    fn own_schema(_: &str, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Vec<LawsuitOfCustomer<'_>>>()
    }
}

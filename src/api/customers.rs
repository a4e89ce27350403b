//! Customers: contract 4.

use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use super::form::{IfMatch, UNREAD, moment, refer};
use crate::config::settings::Compatibility;
use crate::domain::{
    CustomerId, Day, Email, Gender, Invalid, Name, Notes, OriginId, Phone, PhoneTerm, PostalCode, Short,
    State, TaxId, UserId,
};
use crate::http::input::{Edit, Id, New, Noun, Query, body, nothing, query};
use crate::http::route::Largest;
use crate::http::wire::{Compact, IdOrName, Month, Words};
use crate::http::{Call, Change, Create, Listed, Problem, Tagged};
use crate::index::{CustomerFilter, Named};
use crate::store::customers::{self, Customer, Fields};
use crate::store::settings::List;
use crate::store::{Db, Tx};

/// The pages of customers.
pub const PAGE: Largest = Largest { document: 1000, live: 1000 };

query! {
    /// The parameters of GET /customers.
    pub struct Search {
        /// The name or parts of it: every word has to be found in it, in any order; letter case, accents and punctuation do not matter.
        name: Words = "silva",
        /// How either phone number ends: at least 4 digits; punctuation, +55 and a leading 0 do not matter.
        phone: PhoneTerm = "(48) 98888-0000",
        /// The same as `phone`.
        cellphone: PhoneTerm = "8888-0000",
        /// CPF or CNPJ, with or without punctuation: a whole one, or how it begins.
        identification: Compact = "529.982.247-25",
        /// Parts of the e-mail address.
        email: Words = "exemplo.com.br",
        /// Parts of the city's name.
        city: Words = "Criciuma",
        /// The state.
        state: Words = "SC",
        /// Parts of the occupation.
        occupation: Words = "professora",
        /// Parts of the document.
        document: Words = "1234567",
        /// The origin: its name, a part of it, or its id.
        origin: IdOrName = "Site",
        /// `true`: birthday in the current month.
        birthdays: bool = true,
        /// Created on this day or later: DD/MM/YYYY or YYYY-MM-DD.
        created_start: Day = "2026-01-01",
        /// Created on this day or earlier.
        created_end: Day = "2026-12-31",
    }
}

query! {
    /// The parameters of GET /customers/birthdays.
    pub struct Birthdays {
        /// Another month than the current one, 1 to 12.
        month: Month = 12,
    }
}

body! {
    /// The members of a customer that can be written.
    pub struct CustomerIn {
        /// The user who creates the customer: an id of `users` in GET /settings.
        Required users_id: UserId = 1,
        /// Where the customer came from: an id of `origins` in GET /settings.
        Required customers_origins_id: OriginId = 1,
        /// Full name, 1 to 200 characters, with at least one letter or digit.
        Required name: Name = "Maria da Conceição",
        /// CPF or CNPJ with right check digits, with or without punctuation. No two customers share one.
        Optional identification: TaxId = "529.982.247-25",
        /// Identity card (RG) or another document.
        Optional document: Short = "1.234.567 SSP/SC",
        /// `M`, `F` or `O`.
        Optional gender: Gender = "F",
        /// Civil status.
        Optional civil_status: Short = "Casada",
        /// What the customer works as.
        Optional occupation: Short = "Professora",
        /// Street, number and complement.
        Optional street: Short = "Rua das Flores, 100",
        /// District.
        Optional region: Short = "Centro",
        /// City.
        Optional city: Short = "Criciúma",
        /// One of the 27 states, two letters.
        Optional state: State = "SC",
        /// Country.
        Optional country: Short = "Brasil",
        /// Nationality.
        Optional nationality: Short = "Brasileira",
        /// CEP, 8 digits.
        Optional postalcode: PostalCode = "88800-000",
        /// Mobile phone: national with area code, or foreign in E.164.
        Optional cellphone: Phone = "(48) 98888-0000",
        /// Phone: national with area code, or foreign in E.164.
        Optional phone: Phone = "(48) 3333-0000",
        /// E-mail address.
        Optional email: Email = "maria@exemplo.com.br",
        /// Day of birth, from 1850 to today: DD/MM/YYYY or YYYY-MM-DD.
        Optional birthdate: Day = "29/02/1980",
        /// Number of the work card.
        Optional number_ctps: Short = "1234567",
        /// PIS number.
        Optional number_pis: Short = "120.12345.67-8",
        /// CID code.
        Optional number_cid: Short = "M54.5",
        /// Free text, at most 20,000 characters.
        Optional notes: Notes = "Prefere contato pela manhã.",
    }
}

/// A customer.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Customer")]
pub struct CustomerOut {
    id: u32,
    name: String,
    /// CPF or CNPJ, always punctuated.
    identification: Option<String>,
    document: Option<String>,
    /// `M`, `F` or `O`.
    gender: Option<&'static str>,
    civil_status: Option<String>,
    occupation: Option<String>,
    street: Option<String>,
    /// District.
    region: Option<String>,
    city: Option<String>,
    /// Two letters.
    state: Option<String>,
    country: Option<String>,
    nationality: Option<String>,
    /// `88800-000`.
    postalcode: Option<String>,
    cellphone: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    /// `DD/MM/YYYY`.
    birthdate: Option<String>,
    number_ctps: Option<String>,
    number_pis: Option<String>,
    number_cid: Option<String>,
    notes: Option<String>,
    /// The origin's name.
    origin: String,
    /// `YYYY-MM-DD HH:MM:SS` in the office's time zone.
    created_at: String,
    /// `YYYY-MM-DD HH:MM:SS` in the office's time zone.
    updated_at: String,
    /// By id.
    lawsuits: Vec<LawsuitOfCustomer>,
    /// Who created it.
    users_id: u32,
    customers_origins_id: u32,
}

/// A lawsuit of a customer.
#[derive(Serialize, JsonSchema)]
pub struct LawsuitOfCustomer {
    lawsuit_id: u32,
    process_number: Option<String>,
    protocol_number: Option<String>,
}

impl CustomerOut {
    fn new(customer: Customer, zone: &TimeZone) -> CustomerOut {
        let Customer { id, fields, origin, created_at, updated_at, lawsuits } = customer;
        let text = |value: Option<Short>| value.map(String::from);
        CustomerOut {
            id: id.get(),
            name: fields.name.into(),
            identification: fields.identification.map(String::from),
            document: text(fields.document),
            gender: fields.gender.map(Gender::as_str),
            civil_status: text(fields.civil_status),
            occupation: text(fields.occupation),
            street: text(fields.street),
            region: text(fields.region),
            city: text(fields.city),
            state: fields.state.map(String::from),
            country: text(fields.country),
            nationality: text(fields.nationality),
            postalcode: fields.postalcode.map(String::from),
            cellphone: fields.cellphone.map(String::from),
            phone: fields.phone.map(String::from),
            email: fields.email.map(String::from),
            birthdate: fields.birthdate.map(Day::br),
            number_ctps: text(fields.number_ctps),
            number_pis: text(fields.number_pis),
            number_cid: text(fields.number_cid),
            notes: fields.notes.map(String::from),
            origin,
            created_at: moment(created_at, zone),
            updated_at: moment(updated_at, zone),
            lawsuits: lawsuits
                .into_iter()
                .map(|lawsuit| LawsuitOfCustomer {
                    lawsuit_id: lawsuit.id.get(),
                    process_number: lawsuit.process_number.map(String::from),
                    protocol_number: lawsuit.protocol_number.map(String::from),
                })
                .collect(),
            users_id: fields.user.get(),
            customers_origins_id: fields.origin.get(),
        }
    }
}

/// The answer to a POST: in the user's document an array of one object, of the live service the object (contract 8).
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "CustomerCreated")]
pub enum CreatedOut {
    /// With `api.compatibility = "document"`.
    Document([Created; 1]),
    /// With `api.compatibility = "live"`.
    Live(Created),
}

/// The id of a new customer, under both of its names.
#[derive(Serialize, JsonSchema)]
pub struct Created {
    success: bool,
    customer_id: u32,
    customers_id: u32,
    /// Customers of the same name, ten at most; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    possible_duplicates: Vec<u32>,
}

/// The id of a changed customer, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CustomerChanged")]
pub struct ChangedOut {
    success: bool,
    customer_id: u32,
    customers_id: u32,
}

impl Noun for CustomerId {
    const NOUN: &'static str = "Customer";
}

/// Customers whose fields match: contract 4.2.
pub fn search(call: &Call<'_>, query: Query<Search>) -> Result<Listed<CustomerOut>, Problem> {
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
    Ok(Listed { data: by_ids(call, &found.ids)?, total: found.total, page })
}

/// Customers with a birthday in the month: contract 4.6.
pub fn birthdays(call: &Call<'_>, query: Query<Birthdays>) -> Result<Listed<CustomerOut>, Problem> {
    let (ask, page) = query.right()?;
    let month = ask.month.map_or_else(|| call.app().today().month(), |month| month.0);
    let found = call.app().index().birthdays(call.db(), month, page)?;
    Ok(Listed { data: by_ids(call, &found.ids)?, total: found.total, page })
}

fn by_ids(call: &Call<'_>, ids: &[u32]) -> Result<Vec<CustomerOut>, Problem> {
    let zone = call.app().zone();
    let customers = call.db().snapshot(|db| customers::by_ids(db, ids))?;
    Ok(customers.into_iter().map(|customer| CustomerOut::new(customer, zone)).collect())
}

/// One customer: contract 4.4.
pub fn read(call: &Call<'_>, Id(id): Id<CustomerId>) -> Result<Tagged<CustomerOut>, Problem> {
    let customer = call.db().snapshot(|db| customers::by_id(db, id))?.ok_or_else(not_found)?;
    Ok(Tagged(CustomerOut::new(customer, call.app().zone())))
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
        let possible_duplicates =
            customers::namesakes(*tx, &fields.name)?.into_iter().map(CustomerId::get).collect();
        let id = customers::insert(tx, &fields, now)?.get();
        let created = Created { success: true, customer_id: id, customers_id: id, possible_duplicates };
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
) -> Result<Change<ChangedOut>, Problem> {
    let Edit { body, mut wrong } = edit;
    let present = customers::by_id(call.db(), id)?.ok_or_else(not_found)?;
    check(call, &body, Some(&present.fields), &mut wrong)?;
    nothing(wrong)?;
    let (now, zone, if_match) = (call.app().now(), call.app().zone().clone(), IfMatch::of(call));
    Ok(Change::new(move |tx| {
        let present = customers::by_id(*tx, id)?.ok_or_else(not_found)?;
        let mut fields = present.fields.clone();
        if_match.check(&CustomerOut::new(present, &zone))?;
        overlay(body, &mut fields);
        refuse_taken(tx, &fields, Some(id))?;
        customers::update(tx, id, &fields, now)?;
        Ok(ChangedOut { success: true, customer_id: id.get(), customers_id: id.get() })
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
            let sentence = "A customer with this identification exists already.";
            Err(Problem::duplicate(sentence, "customer_id", holder.get()))
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

//! What customers are on the wire: contract 4.1 to 4.6.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::config::settings::Compatibility;
use crate::domain::{
    CustomerId, Day, Email, Gender, LawsuitId, Name, Notes, OriginId, Phone, PhoneTerm, PostalCode,
    ProcessNumber, ProtocolNumber, Short, State, TaxId, UserId,
};
use crate::http::Made;
use crate::http::input::{body, query};
use crate::http::wire::{Compact, IdOrName, Moment, Month, Shown, Slashed, Words};
use crate::store::customers::Customer;

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
        /// The user who creates the customer: an id of `users` in `GET /settings`.
        Required users_id: UserId = 1,
        /// Where the customer came from: an id of `origins` in `GET /settings`.
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
    /// Its id.
    #[schemars(example = 17)]
    id: Shown<CustomerId>,
    /// Full name, as typed.
    #[schemars(example = &"Maria da Conceição")]
    name: Shown<Name>,
    /// CPF or CNPJ, always punctuated.
    identification: Option<Shown<TaxId>>,
    /// Identity card (RG) or another document.
    #[schemars(example = &"1.234.567 SSP/SC")]
    document: Option<Shown<Short>>,
    /// `M`, `F` or `O`.
    gender: Option<Shown<Gender>>,
    /// Civil status.
    #[schemars(example = &"Casada")]
    civil_status: Option<Shown<Short>>,
    /// What the customer works as.
    #[schemars(example = &"Professora")]
    occupation: Option<Shown<Short>>,
    /// Street, number and complement.
    #[schemars(example = &"Rua das Flores, 100")]
    street: Option<Shown<Short>>,
    /// District.
    #[schemars(example = &"Centro")]
    region: Option<Shown<Short>>,
    /// City.
    #[schemars(example = &"Criciúma")]
    city: Option<Shown<Short>>,
    /// State, two letters.
    state: Option<Shown<State>>,
    /// Country.
    #[schemars(example = &"Brasil")]
    country: Option<Shown<Short>>,
    /// Nationality.
    #[schemars(example = &"Brasileira")]
    nationality: Option<Shown<Short>>,
    /// CEP.
    postalcode: Option<Shown<PostalCode>>,
    /// Mobile phone; a foreign one in E.164.
    cellphone: Option<Shown<Phone>>,
    /// Phone; a foreign one in E.164.
    #[schemars(example = &"(48) 3333-0000")]
    phone: Option<Shown<Phone>>,
    /// E-mail address.
    email: Option<Shown<Email>>,
    /// Day of birth, `DD/MM/YYYY`.
    birthdate: Option<Shown<Slashed>>,
    /// Number of the work card.
    #[schemars(example = &"1234567")]
    number_ctps: Option<Shown<Short>>,
    /// PIS number.
    #[schemars(example = &"120.12345.67-8")]
    number_pis: Option<Shown<Short>>,
    /// CID code.
    #[schemars(example = &"M54.5")]
    number_cid: Option<Shown<Short>>,
    /// Free text.
    #[schemars(example = &"Prefere contato pela manhã.")]
    notes: Option<Shown<Notes>>,
    /// Where the customer came from: the origin's name.
    #[schemars(example = &"Indicação")]
    origin: String,
    /// When it was created, in the office's time zone.
    created_at: Shown<Moment>,
    /// When it was last changed, in the office's time zone.
    updated_at: Shown<Moment>,
    /// The customer's lawsuits, by id.
    lawsuits: Vec<LawsuitOfCustomer>,
    /// Who created it: an id of `users` in `GET /settings`.
    #[schemars(example = 1)]
    users_id: Shown<UserId>,
    /// The origin: an id of `origins` in `GET /settings`.
    #[schemars(example = 1)]
    customers_origins_id: Shown<OriginId>,
}

/// A lawsuit of a customer.
#[derive(Serialize, JsonSchema)]
pub struct LawsuitOfCustomer {
    /// Its id.
    #[schemars(example = 5)]
    lawsuit_id: Shown<LawsuitId>,
    /// Its number at the court.
    process_number: Option<Shown<ProcessNumber>>,
    /// Its protocol number.
    #[schemars(example = &"2026/000123")]
    protocol_number: Option<Shown<ProtocolNumber>>,
}

impl CustomerOut {
    pub(super) fn new(customer: Customer, zone: &TimeZone) -> CustomerOut {
        let Customer { id, fields, origin, created_at, updated_at, lawsuits } = customer;
        CustomerOut {
            id: Shown(id),
            name: Shown(fields.name),
            identification: fields.identification.map(Shown),
            document: fields.document.map(Shown),
            gender: fields.gender.map(Shown),
            civil_status: fields.civil_status.map(Shown),
            occupation: fields.occupation.map(Shown),
            street: fields.street.map(Shown),
            region: fields.region.map(Shown),
            city: fields.city.map(Shown),
            state: fields.state.map(Shown),
            country: fields.country.map(Shown),
            nationality: fields.nationality.map(Shown),
            postalcode: fields.postalcode.map(Shown),
            cellphone: fields.cellphone.map(Shown),
            phone: fields.phone.map(Shown),
            email: fields.email.map(Shown),
            birthdate: fields.birthdate.map(|day| Shown(Slashed(day))),
            number_ctps: fields.number_ctps.map(Shown),
            number_pis: fields.number_pis.map(Shown),
            number_cid: fields.number_cid.map(Shown),
            notes: fields.notes.map(Shown),
            origin,
            created_at: Moment::new(created_at, zone),
            updated_at: Moment::new(updated_at, zone),
            lawsuits: lawsuits
                .into_iter()
                .map(|lawsuit| LawsuitOfCustomer {
                    lawsuit_id: Shown(lawsuit.id),
                    process_number: lawsuit.process_number.map(Shown),
                    protocol_number: lawsuit.protocol_number.map(Shown),
                })
                .collect(),
            users_id: Shown(fields.user),
            customers_origins_id: Shown(fields.origin),
        }
    }
}

/// The answer to a POST: in the user's document an array of one object, of the live service the object (contract 8).
#[derive(Serialize)]
#[serde(untagged)]
pub enum CreatedOut {
    /// With `api.compatibility = "document"`.
    Document([Created; 1]),
    /// With `api.compatibility = "live"`.
    Live(Created),
}

impl Made for CreatedOut {
    fn schema(generator: &mut SchemaGenerator, compatibility: Compatibility) -> Schema {
        match compatibility {
            Compatibility::Document => <[Created; 1]>::json_schema(generator),
            Compatibility::Live => generator.subschema_for::<Created>(),
        }
    }

    fn id(compatibility: Compatibility) -> &'static str {
        match compatibility {
            Compatibility::Document => "/0/customer_id",
            Compatibility::Live => "/customer_id",
        }
    }
}

/// The id of a new customer, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CustomerCreated")]
pub struct Created {
    /// Always true.
    #[schemars(example = true)]
    pub(super) success: bool,
    /// The new customer's id.
    #[schemars(example = 17)]
    pub(super) customer_id: Shown<CustomerId>,
    /// The same id again: clients read one or the other.
    #[schemars(example = 17)]
    pub(super) customers_id: Shown<CustomerId>,
    /// Other customers of the same name, ten at most; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1, max = 10), example = [4])]
    pub(super) possible_duplicates: Vec<Shown<CustomerId>>,
}

/// The id of a changed customer, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CustomerChanged")]
pub struct ChangedOut {
    /// Always true.
    #[schemars(example = true)]
    pub(super) success: bool,
    /// The customer's id.
    #[schemars(example = 17)]
    pub(super) customer_id: Shown<CustomerId>,
    /// The same id again: clients read one or the other.
    #[schemars(example = 17)]
    pub(super) customers_id: Shown<CustomerId>,
}

//! What customers are on the wire: contract 4.1 to 4.6.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::config::settings::Compatibility;
use crate::domain::{
    CustomerId, Day, Email, Gender, LawsuitId, Name, Notes, OriginId, Phone, PhoneTerm, PostalCode,
    ProcessNumber, ProtocolNumber, Short, State, TaxId, UserId,
};
use crate::http::input::{body, query};
use crate::http::wire::{Compact, IdOrName, Moment, Month, Shown, Slashed, Stored, Words};
use crate::http::{Made, Recorded};
use crate::store::changes::Kind;
use crate::store::customers::{LinkedLawsuit, Record};

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
pub struct CustomerOut<'r> {
    /// Its id.
    #[schemars(example = 17)]
    id: Shown<CustomerId>,
    /// Full name, as typed.
    #[schemars(example = &"Maria da Conceição")]
    name: Stored<'r, Name>,
    /// CPF or CNPJ, always punctuated.
    identification: Option<Stored<'r, TaxId>>,
    /// Identity card (RG) or another document.
    #[schemars(example = &"1.234.567 SSP/SC")]
    document: Option<Stored<'r, Short>>,
    /// `M`, `F` or `O`.
    gender: Option<Stored<'r, Gender>>,
    /// Civil status.
    #[schemars(example = &"Casada")]
    civil_status: Option<Stored<'r, Short>>,
    /// What the customer works as.
    #[schemars(example = &"Professora")]
    occupation: Option<Stored<'r, Short>>,
    /// Street, number and complement.
    #[schemars(example = &"Rua das Flores, 100")]
    street: Option<Stored<'r, Short>>,
    /// District.
    #[schemars(example = &"Centro")]
    region: Option<Stored<'r, Short>>,
    /// City.
    #[schemars(example = &"Criciúma")]
    city: Option<Stored<'r, Short>>,
    /// State, two letters.
    state: Option<Stored<'r, State>>,
    /// Country.
    #[schemars(example = &"Brasil")]
    country: Option<Stored<'r, Short>>,
    /// Nationality.
    #[schemars(example = &"Brasileira")]
    nationality: Option<Stored<'r, Short>>,
    /// CEP.
    postalcode: Option<Stored<'r, PostalCode>>,
    /// Mobile phone; a foreign one in E.164.
    cellphone: Option<Stored<'r, Phone>>,
    /// Phone; a foreign one in E.164.
    #[schemars(example = &"(48) 3333-0000")]
    phone: Option<Stored<'r, Phone>>,
    /// E-mail address.
    email: Option<Stored<'r, Email>>,
    /// Day of birth, `DD/MM/YYYY`.
    birthdate: Option<Shown<Slashed<'r>>>,
    /// Number of the work card.
    #[schemars(example = &"1234567")]
    number_ctps: Option<Stored<'r, Short>>,
    /// PIS number.
    #[schemars(example = &"120.12345.67-8")]
    number_pis: Option<Stored<'r, Short>>,
    /// CID code.
    #[schemars(example = &"M54.5")]
    number_cid: Option<Stored<'r, Short>>,
    /// Free text.
    #[schemars(example = &"Prefere contato pela manhã.")]
    notes: Option<Stored<'r, Notes>>,
    /// Where the customer came from: the origin's name.
    #[schemars(example = &"Indicação")]
    origin: &'r str,
    /// When it was created, in the office's time zone.
    created_at: Shown<Moment>,
    /// When it was last changed, in the office's time zone.
    updated_at: Shown<Moment>,
    /// The customer's lawsuits, by id.
    lawsuits: Vec<LawsuitOfCustomer<'r>>,
    /// Who created it: an id of `users` in `GET /settings`.
    #[schemars(example = 1)]
    users_id: Shown<UserId>,
    /// The origin: an id of `origins` in `GET /settings`.
    #[schemars(example = 1)]
    customers_origins_id: Shown<OriginId>,
}

/// A lawsuit of a customer.
#[derive(Serialize, JsonSchema)]
pub struct LawsuitOfCustomer<'r> {
    /// Its id.
    #[schemars(example = 5)]
    lawsuit_id: Shown<LawsuitId>,
    /// Its number at the court.
    process_number: Option<Stored<'r, ProcessNumber>>,
    /// Its protocol number.
    #[schemars(example = &"2026/000123")]
    protocol_number: Option<Stored<'r, ProtocolNumber>>,
}

impl Recorded for CustomerOut<'_> {
    const KIND: Kind = Kind::Customer;
}

impl<'r> CustomerOut<'r> {
    pub(super) fn new(customer: Record<'r>, zone: &TimeZone) -> CustomerOut<'r> {
        CustomerOut {
            id: Shown(customer.id),
            name: Stored::new(customer.name),
            identification: customer.identification.map(Stored::new),
            document: customer.document.map(Stored::new),
            gender: customer.gender.map(Stored::new),
            civil_status: customer.civil_status.map(Stored::new),
            occupation: customer.occupation.map(Stored::new),
            street: customer.street.map(Stored::new),
            region: customer.region.map(Stored::new),
            city: customer.city.map(Stored::new),
            state: customer.state.map(Stored::new),
            country: customer.country.map(Stored::new),
            nationality: customer.nationality.map(Stored::new),
            postalcode: customer.postalcode.map(Stored::new),
            cellphone: customer.cellphone.map(Stored::new),
            phone: customer.phone.map(Stored::new),
            email: customer.email.map(Stored::new),
            birthdate: customer.birthdate.map(|day| Shown(Slashed(day))),
            number_ctps: customer.number_ctps.map(Stored::new),
            number_pis: customer.number_pis.map(Stored::new),
            number_cid: customer.number_cid.map(Stored::new),
            notes: customer.notes.map(Stored::new),
            origin: customer.origin,
            created_at: Moment::new(customer.created_at, zone),
            updated_at: Moment::new(customer.updated_at, zone),
            lawsuits: customer.lawsuits.iter().map(LawsuitOfCustomer::new).collect(),
            users_id: Shown(customer.user),
            customers_origins_id: Shown(customer.origin_id),
        }
    }
}

impl<'r> LawsuitOfCustomer<'r> {
    fn new(lawsuit: &'r LinkedLawsuit) -> LawsuitOfCustomer<'r> {
        LawsuitOfCustomer {
            lawsuit_id: Shown(lawsuit.id),
            process_number: lawsuit.process_number.as_deref().map(Stored::new),
            protocol_number: lawsuit.protocol_number.as_deref().map(Stored::new),
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

//! What customers are on the wire: contract 4.1 to 4.6.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::api::NewRecord;
use crate::config::settings::Compatibility;
use crate::domain::{CustomerId, Day, LawsuitId, PhoneTerm, ProcessNumber, ProtocolNumber};
use crate::http::Made;
use crate::http::input::query;
use crate::http::wire::{Compact, IdOrName, Month, Shown, Stored, Words};
use crate::store::customers::LinkedLawsuit;

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

/// A lawsuit of a customer.
#[derive(Serialize, JsonSchema)]
pub struct LawsuitOfCustomer<'r> {
    /// Its id.
    #[schemars(example = 5)]
    lawsuit_id: Shown<LawsuitId>,
    /// Its number at the court.
    #[schemars(example = &"0000002-65.2005.4.05.8100")]
    process_number: Option<Stored<'r, ProcessNumber>>,
    /// Its protocol number.
    #[schemars(example = &"2026/000123")]
    protocol_number: Option<Stored<'r, ProtocolNumber>>,
}

impl<'r> LawsuitOfCustomer<'r> {
    pub(super) fn new(lawsuit: &'r LinkedLawsuit) -> LawsuitOfCustomer<'r> {
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

impl CreatedOut {
    /// The object, wherever it stands.
    pub(super) fn into_created(self) -> Created {
        match self {
            CreatedOut::Document([created]) | CreatedOut::Live(created) => created,
        }
    }
}

impl From<Created> for NewRecord {
    fn from(created: Created) -> NewRecord {
        let possible_duplicates = created.possible_duplicates.into_iter().map(|id| id.0.get()).collect();
        NewRecord { id: created.customer_id.0.get(), possible_duplicates }
    }
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

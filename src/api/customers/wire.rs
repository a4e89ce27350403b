//! What customers are on the wire: contract 4.1 to 4.6.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::api::pages::NewRecord;
use crate::config::settings::Compatibility;
use crate::domain::{ProcessNumber, ProtocolNumber};
use crate::http::describe::Parameter;
use crate::http::query::{Parameters, QueryReader};
use crate::http::version_of;
use crate::http::wire::{Month, Shown, Stored};
use crate::http::{Made, Versioned};
use crate::records::{CustomerId, LawsuitId};
use crate::store::customers::LinkedLawsuit;
use crate::store::{self, Db};

/// The parameters of GET /customers/birthdays.
#[derive(Debug)]
pub struct Birthdays {
    /// Another month than the current one, 1 to 12.
    pub(super) month: Option<Month>,
}

impl Parameters for Birthdays {
    fn read(reader: &mut QueryReader<'_>) -> Birthdays {
        Birthdays { month: reader.parameter("month") }
    }

    fn parameters() -> Vec<Parameter> {
        vec![Parameter::of::<Month>(
            "month",
            ("Um mês diferente do atual, de 1 a 12.", "Another month than the current one, 1 to 12."),
            12,
        )]
    }
}

/// A lawsuit of a customer.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Um processo de um cliente."))]
pub struct LawsuitOfCustomer<'r> {
    /// Its id.
    #[schemars(extend("x-pt" = "O id."), example = 5)]
    lawsuit_id: Shown<LawsuitId>,
    /// Its number at the court.
    #[schemars(extend("x-pt" = "O número do processo."), example = &"0000002-65.2005.4.05.8100")]
    process_number: Option<Stored<'r, ProcessNumber>>,
    /// Its protocol number.
    #[schemars(extend("x-pt" = "O número do protocolo."), example = &"2026/000123")]
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

impl From<CreatedOut> for NewRecord {
    fn from(made: CreatedOut) -> NewRecord {
        let (CreatedOut::Document([created]) | CreatedOut::Live(created)) = made;
        let possible_duplicates = created.possible_duplicates.into_iter().map(|id| id.0.get()).collect();
        NewRecord { id: created.customer_id.0.get(), possible_duplicates, existing: false }
    }
}

impl CreatedOut {
    fn id_of(&self) -> CustomerId {
        let (CreatedOut::Document([created]) | CreatedOut::Live(created)) = self;
        created.customer_id.0
    }
}

impl Versioned for CreatedOut {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        version_of(db, self.id_of(), zone)
    }
}

impl Versioned for ChangedOut {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        version_of(db, self.customer_id.0, zone)
    }
}

impl Made for CreatedOut {
    fn number(&self) -> u32 {
        self.id_of().get()
    }

    fn schema(generator: &mut SchemaGenerator, compatibility: Compatibility) -> Schema {
        match compatibility {
            Compatibility::Document => <[Created; 1]>::json_schema(generator),
            Compatibility::Live => generator.subschema_for::<Created>(),
        }
    }

    fn id(compatibility: Compatibility) -> String {
        let id = match compatibility {
            Compatibility::Document => "/0/customer_id",
            Compatibility::Live => "/customer_id",
        };
        id.to_owned()
    }
}

/// The id of a new customer, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um cliente novo, com seus dois nomes."), rename = "CustomerCreated")]
pub struct Created {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    pub(super) success: bool,
    /// The new customer's id.
    #[schemars(extend("x-pt" = "O id do novo cliente."), example = 17)]
    pub(super) customer_id: Shown<CustomerId>,
    /// The same id again: clients read one or the other.
    #[schemars(extend("x-pt" = "O mesmo id de novo: há programas que leem um nome e há os que leem o outro."))]
    #[schemars(example = 17)]
    pub(super) customers_id: Shown<CustomerId>,
    /// Other customers of the same name, ten at most; absent where there are none.
    #[schemars(extend("x-pt" = "Outros clientes com o mesmo nome, no máximo dez; ausente se não há."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1, max = 10), example = [4])]
    pub(super) possible_duplicates: Vec<Shown<CustomerId>>,
}

/// The id of a changed customer, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um cliente alterado, com seus dois nomes."), rename = "CustomerChanged")]
pub struct ChangedOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    pub(super) success: bool,
    /// The customer's id.
    #[schemars(extend("x-pt" = "O id do cliente."), example = 17)]
    pub(super) customer_id: Shown<CustomerId>,
    /// The same id again: clients read one or the other.
    #[schemars(extend("x-pt" = "O mesmo id de novo: há programas que leem um nome e há os que leem o outro."))]
    #[schemars(example = 17)]
    pub(super) customers_id: Shown<CustomerId>,
}

impl From<CustomerId> for ChangedOut {
    fn from(id: CustomerId) -> ChangedOut {
        ChangedOut { success: true, customer_id: Shown(id), customers_id: Shown(id) }
    }
}

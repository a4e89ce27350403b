//! Wire types of customers (contract 4.1 to 4.6).

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::api::conflicts::warn;
use crate::api::console_pages::NewRecord;
use crate::api::record::versioned;
use crate::config::settings::Compatibility;
use crate::domain::id::Id;
use crate::domain::{ProcessNumber, ProtocolNumber};
use crate::http::Made;
use crate::http::json::answer_members::answer;
use crate::http::json::possible_conflicts::{self, PossibleConflicts};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::values::{Month, Shown, Stored};
use crate::http::openapi::describe::{Parameter, parameters};
use crate::records::{CustomerId, LawsuitId};
use crate::store::nouns::customers::LinkedLawsuit;

/// The parameters of GET /customers/birthdays.
#[derive(Debug)]
pub struct Birthdays {
    /// Defaults to the current month.
    pub(super) month: Option<Month>,
}

impl Parameters for Birthdays {
    fn read(reader: &mut QueryReader<'_>) -> Birthdays {
        Birthdays { month: reader.parameter("month") }
    }

    fn parameters() -> Vec<Parameter> {
        parameters! {
            Month: "month" [12] =>
                "O mês, de 1 a 12; se nada é informado, o atual.",
                "The month, 1 to 12. Default: the current month.";
        }
    }
}

answer! {
pub struct LawsuitOfCustomer<'r> = "Um processo de um cliente.", "A lawsuit of a customer.";

lawsuit_id: Shown<LawsuitId> [example = 5] => "O id.", "The lawsuit's id.";
process_number: Option<Stored<'r, ProcessNumber>> [example = &"0000002-65.2005.4.05.8100"] =>
    "O número do processo.",
    "The lawsuit's process number at the court.";
protocol_number: Option<Stored<'r, ProtocolNumber>> [example = &"2026/000123"] =>
    "O número do protocolo.",
    "The lawsuit's protocol number.";
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

/// The response to POST /customers: an array of one object as in the user's document, or the object alone as in
/// the live service (contract 8).
#[derive(Serialize, JsonSchema)]
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
        let possible_conflicts = warning_in(&created.possible_conflicts, created.possible_conflicts_complete);
        NewRecord {
            id: created.customer_id.0.get(),
            possible_duplicates,
            possible_conflicts,
            ..NewRecord::default()
        }
    }
}

impl CreatedOut {
    fn id_of(&self) -> CustomerId {
        let (CreatedOut::Document([created]) | CreatedOut::Live(created)) = self;
        created.customer_id.0
    }
}

versioned!(CreatedOut: id_of());

versioned!(ChangedOut: customer_id.0);

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

answer! {
pub struct Created as "CustomerCreated" =
    "O id de um cliente novo, com seus dois nomes.",
    "The id of a new customer, under both of its names.";

pub(super) success: bool [example = true] => "Sempre true.", "Always true.";
pub(super) customer_id: Shown<CustomerId> [example = 17] => "O id do novo cliente.", "The new customer's id.";
pub(super) customers_id: Shown<CustomerId> [example = 17] =>
    "O mesmo id de novo: há programas que leem um nome e há os que leem o outro.",
    "Repeats `customer_id`, for clients that read this name.";
#[serde(skip_serializing_if = "Vec::is_empty")]
pub(super) possible_duplicates: Vec<Shown<CustomerId>> [length(min = 1, max = 10), example = [4]] =>
    "Outros clientes com o mesmo nome, no máximo dez; ausente se não há.",
    "Other customers with the same name, at most ten. Absent if there are none.";
#[serde(skip_serializing_if = "Vec::is_empty")]
pub(super) possible_conflicts: Vec<Shown<LawsuitId>> [schema_with = "warning"] =>
    "Processos em que o cliente pode estar do outro lado.",
    "Lawsuits in which the customer may be on the other side.";
#[serde(skip_serializing_if = "Option::is_none")]
pub(super) possible_conflicts_complete: Option<bool> [schema_with = "completeness"] =>
    "Só se o tempo para procurar conflitos acabou.", "Present if the time to search for conflicts was up.";
}

answer! {
pub struct ChangedOut as "CustomerChanged" =
    "O id de um cliente alterado, com seus dois nomes.",
    "The id of a changed customer, under both of its names.";

pub(super) success: bool [example = true] => "Sempre true.", "Always true.";
pub(super) customer_id: Shown<CustomerId> [example = 17] => "O id do cliente.", "The customer's id.";
pub(super) customers_id: Shown<CustomerId> [example = 17] =>
    "O mesmo id de novo: há programas que leem um nome e há os que leem o outro.",
    "Repeats `customer_id`, for clients that read this name.";
#[serde(skip_serializing_if = "Vec::is_empty")]
pub(super) possible_conflicts: Vec<Shown<LawsuitId>> [schema_with = "warning"] =>
    "Processos em que o cliente pode estar do outro lado.",
    "Lawsuits in which the customer may be on the other side.";
#[serde(skip_serializing_if = "Option::is_none")]
pub(super) possible_conflicts_complete: Option<bool> [schema_with = "completeness"] =>
    "Só se o tempo para procurar conflitos acabou.", "Present if the time to search for conflicts was up.";
}

/// Returns the members about conflicts.
pub(super) fn warning_out(conflicts: PossibleConflicts) -> (Vec<Shown<LawsuitId>>, Option<bool>) {
    let lawsuits = conflicts.lawsuits.into_iter().map(Id::from_stored).map(Shown).collect();
    (lawsuits, conflicts.is_cut.then_some(false))
}

/// Reads the members about conflicts.
pub(super) fn warning_in(lawsuits: &[Shown<LawsuitId>], is_complete: Option<bool>) -> PossibleConflicts {
    let lawsuits = lawsuits.iter().map(|lawsuit| lawsuit.0.get()).collect();
    PossibleConflicts { lawsuits, is_cut: is_complete == Some(false) }
}

/// Returns the schema of `possible_conflicts_complete`.
fn completeness(_: &mut SchemaGenerator) -> Schema {
    Schema::try_from(possible_conflicts::complete_schema()).unwrap_or_default()
}

/// Returns the schema of `possible_conflicts`.
fn warning(_: &mut SchemaGenerator) -> Schema {
    Schema::try_from(warn::schema()).unwrap_or_default()
}

impl From<CustomerId> for ChangedOut {
    fn from(id: CustomerId) -> ChangedOut {
        ChangedOut {
            success: true,
            customer_id: Shown(id),
            customers_id: Shown(id),
            possible_conflicts: Vec::new(),
            possible_conflicts_complete: None,
        }
    }
}

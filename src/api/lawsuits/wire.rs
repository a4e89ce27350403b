//! What lawsuits are on the wire: contract 5.1 to 5.5.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::config::settings::Compatibility;
use crate::domain::{CustomerId, Day, LawsuitId, Name, TaxId};
use crate::http::Made;
use crate::http::input::query;
use crate::http::wire::{Compact, IdOrName, Shown, Stored, Words};
use crate::store::lawsuits::LinkedCustomer;

query! {
    /// The parameters of GET /lawsuits.
    pub struct Search {
        /// Parts of the name, which is the customers' names, or of the folder.
        name: Words = "silva",
        /// The process number, with or without punctuation: a whole one, or how it begins.
        process_number: Compact = "0000002-65.2005.4.05.8100",
        /// Parts of the protocol number.
        protocol_number: Words = "2026",
        /// Parts of the folder's name.
        folder: Words = "A-12",
        /// Parts of the notes.
        notes: Words = "acordo",
        /// Linked to this customer.
        customer_id: CustomerId = 1,
        /// Linked to the customer with this CPF or CNPJ, with or without punctuation.
        identification: Compact = "529.982.247-25",
        /// The group: its name, a part of it, or its id.
        group: IdOrName = "Cível",
        /// The type: its name, a part of it, or its id.
        r#type: IdOrName = "cobrança",
        /// The responsible user: the name, a part of it, or the id.
        responsible: IdOrName = "1",
        /// The stage: its name, a part of it, or its id. What is unknown as a stage is looked up among the steps.
        stage: IdOrName = "Petição inicial",
        /// The step: its name, a part of it, or its id. What is unknown as a step is looked up among the stages.
        step: IdOrName = "Judicial",
        /// Dated this day or later: DD/MM/YYYY or YYYY-MM-DD.
        process_date_start: Day = "2026-01-01",
        /// Dated this day or earlier.
        process_date_end: Day = "2026-12-31",
        /// Created on this day or later.
        created_start: Day = "2026-01-01",
        /// Created on this day or earlier.
        created_end: Day = "2026-12-31",
        /// Closed on this day or later.
        status_closure_start: Day = "2026-01-01",
        /// Closed on this day or earlier.
        status_closure_end: Day = "2026-12-31",
    }
}

/// A customer of a lawsuit.
#[derive(Serialize, JsonSchema)]
pub struct CustomerOfLawsuit<'r> {
    /// Its id.
    #[schemars(example = 17)]
    customer_id: Shown<CustomerId>,
    /// Full name.
    #[schemars(example = &"Maria da Conceição")]
    name: Stored<'r, Name>,
    /// CPF or CNPJ, always punctuated.
    #[schemars(example = &"529.982.247-25")]
    identification: Option<Stored<'r, TaxId>>,
    /// Where the customer came from: the origin's name.
    #[schemars(example = &"Indicação")]
    origin: &'r str,
}

impl<'r> CustomerOfLawsuit<'r> {
    pub(super) fn new(customer: &'r LinkedCustomer) -> CustomerOfLawsuit<'r> {
        CustomerOfLawsuit {
            customer_id: Shown(customer.id),
            name: Stored::new(&customer.name),
            identification: customer.identification.as_deref().map(Stored::new),
            origin: &customer.origin,
        }
    }
}

/// The id of a written lawsuit, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LawsuitWritten")]
pub struct WrittenOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// The lawsuit's id.
    #[schemars(example = 5)]
    lawsuits_id: Shown<LawsuitId>,
    /// The same id again: clients read one or the other.
    #[schemars(example = 5)]
    lawsuit_id: Shown<LawsuitId>,
}

impl WrittenOut {
    pub(super) fn new(id: LawsuitId) -> WrittenOut {
        WrittenOut { success: true, lawsuits_id: Shown(id), lawsuit_id: Shown(id) }
    }

    pub(super) fn id(&self) -> LawsuitId {
        self.lawsuit_id.0
    }
}

impl Made for WrittenOut {
    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<WrittenOut>()
    }

    fn id(_: Compatibility) -> &'static str {
        "/lawsuits_id"
    }
}

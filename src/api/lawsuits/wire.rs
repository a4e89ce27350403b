//! What lawsuits are on the wire: contract 5.1 to 5.5.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::config::settings::Compatibility;
use crate::domain::{CustomerId, LawsuitId, Name, TaxId};
use crate::http::Made;
use crate::http::wire::{Shown, Stored};
use crate::store::lawsuits::LinkedCustomer;

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
pub struct LawsuitWrittenOut {
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

impl LawsuitWrittenOut {
    pub(super) fn new(id: LawsuitId) -> LawsuitWrittenOut {
        LawsuitWrittenOut { success: true, lawsuits_id: Shown(id), lawsuit_id: Shown(id) }
    }

    pub(super) fn id(&self) -> LawsuitId {
        self.lawsuit_id.0
    }
}

impl Made for LawsuitWrittenOut {
    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<LawsuitWrittenOut>()
    }

    fn id(_: Compatibility) -> &'static str {
        "/lawsuits_id"
    }
}

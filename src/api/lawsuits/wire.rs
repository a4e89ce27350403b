//! What lawsuits are on the wire: contract 5.1 to 5.5.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::{Name, TaxId};
use crate::http::wire::{Shown, Stored};
use crate::records::CustomerId;
use crate::store::lawsuits::LinkedCustomer;

/// A customer of a lawsuit.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Um cliente de um processo."))]
pub struct CustomerOfLawsuit<'r> {
    /// Its id.
    #[schemars(extend("x-pt" = "O id."), example = 17)]
    customer_id: Shown<CustomerId>,
    /// Full name.
    #[schemars(extend("x-pt" = "Nome completo."), example = &"Maria da Conceição")]
    name: Stored<'r, Name>,
    /// CPF or CNPJ, always punctuated.
    #[schemars(extend("x-pt" = "CPF ou CNPJ, sempre com pontuação."), example = &"529.982.247-25")]
    identification: Option<Stored<'r, TaxId>>,
    /// Where the customer came from: the origin's name.
    #[schemars(extend("x-pt" = "Como o cliente chegou: o nome da origem."), example = &"Indicação")]
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

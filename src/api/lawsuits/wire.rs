//! What lawsuits are on the wire: contract 5.1 to 5.5.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::{Name, OpposingParties, TaxId};
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

/// A party on the other side of a lawsuit.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Uma parte contrária de um processo."), rename = "OpposingParty")]
pub struct OpposingPartyOut<'r> {
    /// Its number among the parties of its lawsuit. Nothing if it is one of `customers`.
    #[schemars(extend("x-pt" = "O número da parte no processo. Vazio se ela é um dos `customers`."), example = 1)]
    party_id: Option<u32>,
    /// Its name.
    #[schemars(extend("x-pt" = "O nome."), example = &"Banco Exemplo S.A.")]
    name: &'r str,
    /// CPF or CNPJ, always punctuated.
    #[schemars(extend("x-pt" = "CPF ou CNPJ, sempre com pontuação."), example = &"11.222.333/0001-81")]
    identification: Option<&'r str>,
    /// The customer that it is.
    #[schemars(extend("x-pt" = "O cliente que ela é."), example = 18)]
    customer_id: Option<u32>,
    /// Its lawyer.
    #[schemars(extend("x-pt" = "O advogado."), example = &"Rui Prado")]
    lawyer: Option<&'r str>,
    /// `party` if it was given as one; `origin` if it is one of `customers`, of an origin that is on the other side.
    #[schemars(extend("x-pt" = "`party` se foi informada como parte; `origin` se é um dos `customers`, de uma origem de parte contrária."), example = &"party")]
    by: &'static str,
}

impl<'r> OpposingPartyOut<'r> {
    /// The parties that were given, then the customers whose origin says so, each once.
    pub(super) fn all(
        parties: &'r OpposingParties,
        customers: &'r [LinkedCustomer],
    ) -> Vec<OpposingPartyOut<'r>> {
        let given = parties.iter().map(|party| OpposingPartyOut {
            party_id: Some(party.number),
            name: party.name.as_ref().map_or("", Name::as_str),
            identification: party.identification.as_ref().map(TaxId::as_str),
            customer_id: party.customer,
            lawyer: party.lawyer.as_ref().map(Name::as_str),
            by: "party",
        });
        let is_given = |id: u32| parties.iter().any(|party| party.customer == Some(id));
        let opposing =
            customers.iter().filter(|customer| customer.is_opposing && !is_given(customer.id.get()));
        let by_origin = opposing.map(|customer| OpposingPartyOut {
            party_id: None,
            name: &customer.name,
            identification: customer.identification.as_deref(),
            customer_id: Some(customer.id.get()),
            lawyer: None,
            by: "origin",
        });
        given.chain(by_origin).collect()
    }
}

//! Wire types of lawsuits (contract 5.1 to 5.5).

use crate::domain::{Name, OpposingParties, TaxId};
use crate::http::json::answer_members::answer;
use crate::http::json::values::{Shown, Stored};
use crate::records::CustomerId;
use crate::store::nouns::lawsuits::LinkedCustomer;

answer! {
pub struct CustomerOfLawsuit<'r> = "Um cliente de um processo.", "A customer of a lawsuit.";

customer_id: Shown<CustomerId> [example = 17] => "O id.", "The customer's id.";
name: Stored<'r, Name> [example = &"Maria da Conceição"] => "Nome completo.", "Full name.";
identification: Option<Stored<'r, TaxId>> [example = &"529.982.247-25"] =>
    "CPF ou CNPJ, sempre com pontuação.",
    "CPF or CNPJ, always punctuated.";
origin: &'r str [example = &"Indicação"] =>
    "Como o cliente chegou: o nome da origem.",
    "The name of the customer's origin.";
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

answer! {
pub struct OpposingPartyOut<'r> as "OpposingParty" =
    "Uma parte contrária de um processo.",
    "A party on the other side of a lawsuit.";

party_id: Option<u32> [example = 1] =>
    "O número da parte no processo. Vazio se ela é um dos `customers`.",
    "The party's number within its lawsuit. Null if the party is one of `customers`.";
name: &'r str [example = &"Banco Exemplo S.A."] => "O nome.", "The party's name.";
identification: Option<&'r str> [example = &"11.222.333/0001-81"] =>
    "CPF ou CNPJ, sempre com pontuação.",
    "CPF or CNPJ, always punctuated.";
customer_id: Option<u32> [example = 18] => "O cliente que ela é.",
    "The id of the customer, if the party is a customer.";
lawyer: Option<&'r str> [example = &"Rui Prado"] => "O advogado.", "The party's lawyer.";
by: &'static str [example = &"party"] =>
    "`party` se foi informada como parte; `origin` se é um dos `customers`, de uma origem de parte \
     contrária.",
    "`party` if it was entered as an opposing party, `origin` if it is one of `customers` whose origin is on \
     the opposing side.";
}

impl<'r> OpposingPartyOut<'r> {
    /// Returns the given parties, then the customers whose origin is on the opposing side, without duplicates.
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

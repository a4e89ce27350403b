//! Compares a person or company with those on the other side of the office's cases (events 23.3).

use crate::domain::parties::similar_names::similarity::similarity;
use crate::domain::{MatchedBy, NameWords, OpposingParty, Score, Side, TaxId};
use crate::store::conflicts::{self, SideCustomer};
use crate::store::{self, Db};

/// A person or company to search for.
#[derive(Clone, Debug)]
pub struct PartyQuery {
    /// The side on which the person would be. The search covers the other side.
    pub side: Side,
    pub name: Option<String>,
    pub identification: Option<TaxId>,
    /// The customer's id, if the person is a customer.
    pub customer: Option<u32>,
    pub(super) words: Option<NameWords>,
}

impl PartyQuery {
    pub fn new(side: Side, name: Option<String>, identification: Option<TaxId>) -> PartyQuery {
        let words = name.as_deref().map(NameWords::parse);
        PartyQuery { side, name, identification, customer: None, words }
    }

    /// Searches for a customer, on `side` or else on the side of the customer's origin.
    pub fn customer(customer: SideCustomer, side: Option<Side>) -> PartyQuery {
        let id = customer.id.get();
        let side = side.unwrap_or(customer.side);
        PartyQuery {
            customer: Some(id),
            ..PartyQuery::new(side, Some(customer.name), customer.identification)
        }
    }

    /// Searches for the customer with this id, on the side of the customer's origin. Returns `None` if it is deleted.
    pub fn by_id(db: Db<'_>, customer: u32) -> Result<Option<PartyQuery>, store::Error> {
        let customer = conflicts::customer(db, customer)?;
        Ok(customer.map(|customer| PartyQuery::customer(customer, None)))
    }

    pub fn party(party: &OpposingParty) -> PartyQuery {
        let name = party.name.as_ref().map(|name| name.as_str().to_owned());
        PartyQuery {
            customer: party.customer,
            ..PartyQuery::new(Side::Opposing, name, party.identification.clone())
        }
    }

    /// Compares with a person on the other side. Returns `None` if they are not similar enough.
    pub(super) fn compare(
        &self,
        customer: Option<u32>,
        name: &str,
        identification: Option<&TaxId>,
        lowest: Score,
    ) -> Option<(MatchedBy, Score)> {
        if customer.is_some() && customer == self.customer {
            return Some((MatchedBy::Customer, Score::SAME));
        }
        let mut most = Score::SAME;
        if let (Some(own), Some(other)) = (&self.identification, identification) {
            if own == other {
                return Some((MatchedBy::Identification, Score::SAME));
            }
            if own.is_same_company(other) {
                return Some((MatchedBy::CnpjRoot, Score::SAME));
            }
            // A CPF and a CNPJ may belong to a person and a company named after the person, so they do not lower the
            // score.
            if matches!((own, other), (TaxId::Cpf(_), TaxId::Cpf(_)) | (TaxId::Cnpj(_), TaxId::Cnpj(_))) {
                most = Score::HALF;
            }
        }
        let words = self.words.as_ref().filter(|_| lowest <= most)?;
        let score = similarity(words, &NameWords::parse(name)).min(most);
        (score >= lowest).then_some((MatchedBy::Name, score))
    }
}

//! Finds the records that may name a person or company, for checks for conflicts of interest (events 23.3). The index
//! only proposes records: the caller compares names and numbers.

use parking_lot::MappedRwLockReadGuard;
use roaring::RoaringBitmap;

use super::known::KnownNames;
use crate::domain::{Side, TaxId};
use crate::index::Index;
use crate::index::field::FieldIndex;
use crate::index::noun_index::NounIndex;
use crate::index::person_query::{NameMatching, PersonQuery, SearchCost};
use crate::index::words::Match;
use crate::records::{Customer, Lawsuit, Record, Table};
use crate::store::{self, Db};

impl Index {
    /// Returns all names that the office knows, whoever asks.
    pub fn known_names(&self, db: Db<'_>) -> Result<KnownNames<'_>, store::Error> {
        let customers = self.part(Customer::TABLE)?.current(db)?;
        let lawsuits = self.part(Lawsuit::TABLE)?.current(db)?;
        KnownNames::new(customers, lawsuits, db)
    }

    /// Returns the customers on this side that may be this person.
    pub fn customers_like(
        &self,
        person: PersonQuery<'_>,
        side: Side,
        cost: SearchCost<'_>,
    ) -> Result<RoaringBitmap, store::Error> {
        let Some(part) = self.part_for(Customer::TABLE, cost)? else { return Ok(RoaringBitmap::new()) };
        let origins = part.opposing_origins();
        if side == Side::Opposing && origins.is_empty() {
            return Ok(RoaringBitmap::new());
        }
        let found = like(&part, person, cost);
        if found.is_empty() {
            return Ok(found);
        }
        let opposing = part.referring("origin_id", origins.iter().copied());
        Ok(match side {
            Side::Opposing => found & opposing,
            Side::Customer => found - opposing,
        })
    }

    /// Returns the side of customers of an origin.
    pub fn side_of(&self, origin: u32, cost: SearchCost<'_>) -> Result<Side, store::Error> {
        let part = self.part_for(Customer::TABLE, cost)?;
        Ok(Side::opposing_if(part.is_some_and(|part| part.opposing_origins().contains(&origin))))
    }

    /// Returns the lawsuits one of whose opposing parties may be this person. A party that is a customer is also
    /// found by the customer's current name and number.
    pub fn lawsuits_against(
        &self,
        person: PersonQuery<'_>,
        cost: SearchCost<'_>,
    ) -> Result<RoaringBitmap, store::Error> {
        // A write does not look through the names of all customers. The nightly check finds those who were renamed.
        let name = person.name.filter(|_| matches!(cost, SearchCost::Built(_)));
        let known = PersonQuery { name, ..person };
        let customers = self.part_for(Customer::TABLE, cost)?.map(|part| like(&part, known, cost));
        let mut customers = customers.unwrap_or_default();
        customers.extend(person.customer);
        let Some(part) = self.part_for(Lawsuit::TABLE, cost)? else { return Ok(RoaringBitmap::new()) };
        let mut found = part.parties().map(|parties| parties.against(&customers)).unwrap_or_default();
        if let (Some(name), Some(parties)) = (person.name, part.parties()) {
            found |= match (cost, person.matching) {
                (SearchCost::Built(_), NameMatching::Similar(threshold)) => parties.like(name, threshold),
                (SearchCost::Built(_), NameMatching::SameSound) => parties.with_sounds(name),
                (SearchCost::IfReady, _) => parties.with_words(name),
            };
        }
        if let Some(number) = person.identification {
            found |= part.matching_searched(&start(number).to_lowercase(), Match::Prefix).as_ref();
        }
        Ok(found & part.all())
    }

    fn part_for(
        &self,
        table: &Table,
        cost: SearchCost<'_>,
    ) -> Result<Option<MappedRwLockReadGuard<'_, NounIndex>>, store::Error> {
        let part = self.part(table)?;
        match cost {
            SearchCost::Built(db) => part.current(db).map(Some),
            SearchCost::IfReady => Ok(part.if_built()),
        }
    }
}

/// Returns the customers on either side who may be this person.
fn like(part: &NounIndex, person: PersonQuery<'_>, cost: SearchCost<'_>) -> RoaringBitmap {
    let mut found = RoaringBitmap::new();
    if let (Some(name), Some(FieldIndex::Names(names))) = (person.name, part.index("name")) {
        match (cost, person.matching) {
            (SearchCost::Built(_), NameMatching::Similar(threshold)) => {
                let like = names.candidates(name, threshold, part.all(), &RoaringBitmap::new());
                found.extend(like.ids());
            }
            (SearchCost::Built(_), NameMatching::SameSound) => found = names.with_sounds(name),
            (SearchCost::IfReady, _) => found = names.with_words(name),
        }
    }
    if let Some(number) = person.identification {
        found |= part.matching("identification", &start(number), Match::Prefix).as_ref();
    }
    found & part.all()
}

/// Returns a whole CPF, and of a CNPJ the root, which the branches of a company share.
fn start(number: &TaxId) -> String {
    number.root().unwrap_or_else(|| number.compact())
}

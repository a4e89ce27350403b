//! The opposing parties of a lawsuit: checks and defaults that need the store (events 23.2).

use std::sync::LazyLock;

use crate::api::record::check_records;
use crate::domain::{Invalid, OpposingParties};
use crate::http::{Draft, Problem};
use crate::records::{Customer, FieldType, Kind, Lawsuit, Record, Type};
use crate::store::Db;
use crate::store::records::stored;

const MEMBER: &str = "opposing_parties";

/// Returns the index of the field in the table of lawsuits.
pub(super) fn field_index() -> usize {
    static INDEX: LazyLock<usize> = LazyLock::new(|| {
        let fields = Lawsuit::TABLE.fields.iter();
        fields.take_while(|field| field.ty != Type::OpposingParties).count()
    });
    *INDEX
}

/// Checks the customers that parties refer to. Customers that the lawsuit refers to already may stay, even if
/// they are deleted.
pub(super) fn check(
    db: Db<'_>,
    draft: &Draft<Lawsuit>,
    present: Option<&Lawsuit>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    let Some(parties) = draft.get(MEMBER).cloned().and_then(OpposingParties::from_value) else {
        return Ok(());
    };
    let unchanged = present.map(|present| customers(&present.opposing_parties)).unwrap_or_default();
    let mut ids = customers(&parties);
    ids.retain(|id| !unchanged.contains(id));
    check_records(db, wrong, MEMBER, Kind::Customer, &ids)
}

fn customers(parties: &OpposingParties) -> Vec<u32> {
    parties.iter().filter_map(|party| party.customer).collect()
}

/// Fills in the names and tax ids of parties that are customers, and numbers the parties.
pub(super) fn settle(db: Db<'_>, lawsuit: &mut Lawsuit, present: Option<&Lawsuit>) -> Result<(), Problem> {
    for party in lawsuit.opposing_parties.iter_mut() {
        let Some(customer) = party.customer.filter(|_| party.name.is_none()) else { continue };
        let found = stored(db, Customer::TABLE, customer, ["name", "identification"])?;
        let [name, identification] = found.ok_or_else(Problem::changed_meanwhile)?;
        party.name = FieldType::from_value(name).ok_or_else(Problem::changed_meanwhile)?;
        if party.identification.is_none() {
            party.identification = FieldType::from_value(identification).unwrap_or_default();
        }
    }
    let none = OpposingParties::default();
    lawsuit.opposing_parties.number(present.map_or(&none, |present| &present.opposing_parties));
    Ok(())
}

//! Reads the people on both sides of cases, for checks for conflicts of interest (events 23.3).

pub mod conflict_checks;
pub mod conflict_findings;

use super::nouns::lawsuits::{is_opposing, opposing_names};
use super::records::columns::Cells;
use super::{Db, Error};
use crate::domain::{Name, OpposingParties, OpposingParty, Side, TaxId};
use crate::records::{CustomerId, LawsuitId};

/// A customer of the office, as a side of cases.
#[derive(Clone, Debug)]
pub struct SideCustomer {
    pub id: CustomerId,
    pub name: String,
    pub identification: Option<TaxId>,
    /// The side of customers of its origin.
    pub side: Side,
}

/// A lawsuit with its opposing parties, as a check shows it.
#[derive(Clone, Debug)]
pub struct SidedCase {
    pub id: LawsuitId,
    pub process_number: Option<String>,
    pub stage: String,
    pub responsible: String,
    /// The day on which it was closed, as it is stored.
    pub status_closure: Option<String>,
    /// In the form of [`current_parties`].
    pub parties: Vec<OpposingParty>,
}

/// Returns a customer, unless it is deleted.
pub fn customer(db: Db<'_>, id: u32) -> Result<Option<SideCustomer>, Error> {
    db.first(
        concat!(
            "SELECT c.id, c.name, c.identification, ",
            is_opposing!(),
            " FROM customers c JOIN origins o ON o.id = c.origin_id WHERE c.id = ?1 AND c.deleted_at IS NULL",
        ),
        [id],
        |row| {
            let mut cells = Cells::of(row);
            Ok(SideCustomer {
                id: cells.next()?,
                name: cells.next()?,
                identification: cells.next::<Option<String>>()?.map(TaxId::from_stored),
                side: Side::opposing_if(cells.next()?),
            })
        },
    )
}

/// Returns a lawsuit, unless it is deleted.
pub fn case(db: Db<'_>, id: u32) -> Result<Option<SidedCase>, Error> {
    let sql =
        "SELECT w.id, w.process_number, s.name, u.name, w.status_closure, w.opposing_parties FROM lawsuits w
         JOIN stages s ON s.id = w.stage_id JOIN users u ON u.id = w.user_id
         WHERE w.id = ?1 AND w.deleted_at IS NULL";
    let found = db.first(sql, [id], |row| {
        let mut cells = Cells::of(row);
        let case = SidedCase {
            id: cells.next()?,
            process_number: cells.next()?,
            stage: cells.next()?,
            responsible: cells.next()?,
            status_closure: cells.next()?,
            parties: Vec::new(),
        };
        Ok((case, OpposingParties::from_json(&cells.next::<String>()?)))
    })?;
    let Some((case, parties)) = found else { return Ok(None) };
    Ok(Some(SidedCase { parties: current_parties(db, &parties)?, ..case }))
}

/// Returns the parties of a lawsuit for a search. A party that is a customer has the customer's current name and
/// number. It is listed a second time if the lawsuit has another name or number, so that it is found by both.
pub fn current_parties(db: Db<'_>, parties: &OpposingParties) -> Result<Vec<OpposingParty>, Error> {
    let mut current = Vec::new();
    for party in parties.iter() {
        if let Some(customer) = party.customer.map(|id| customer(db, id)).transpose()?.flatten() {
            let name = Some(Name::from_stored(customer.name));
            let identification = customer.identification;
            let has_other = party.name.is_some() && party.name != name
                || party.identification.is_some() && party.identification != identification;
            current.push(OpposingParty { name, identification, ..party.clone() });
            if !has_other {
                continue;
            }
        }
        current.push(party.clone());
    }
    Ok(current)
}

/// Returns the ids of a customer's lawsuits that are not deleted, ascending.
pub fn cases_of(db: Db<'_>, customer: u32) -> Result<Vec<u32>, Error> {
    db.column(
        "SELECT l.lawsuit_id FROM lawsuit_customers l JOIN lawsuits w ON w.id = l.lawsuit_id
         WHERE l.customer_id = ?1 AND w.deleted_at IS NULL ORDER BY l.lawsuit_id",
        [customer],
    )
}

/// Returns `true` if a customer has a lawsuit that is not closed.
pub fn has_open_case(db: Db<'_>, customer: u32) -> Result<bool, Error> {
    db.has_row(
        "SELECT 1 FROM lawsuit_customers l JOIN lawsuits w ON w.id = l.lawsuit_id
         WHERE l.customer_id = ?1 AND w.deleted_at IS NULL AND w.status_closure IS NULL",
        [customer],
    )
}

/// Returns the origins whose customers are on the opposing side.
pub fn opposing_origins(db: Db<'_>) -> Result<Vec<u32>, Error> {
    let sql = concat!("SELECT o.id FROM origins o WHERE ", is_opposing!());
    db.column(sql, [])
}

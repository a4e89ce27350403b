//! Customers as answers show them: read in place, so that nothing is copied before it is written out.

use crate::domain::id::{CustomerId, LawsuitId, OriginId, UserId};
use crate::store::columns::Cells;
use crate::store::{Db, Error};

/// A customer as stored, borrowed from its row.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the columns of the same names")]
pub struct Record<'r> {
    pub id: CustomerId,
    pub user: UserId,
    pub origin_id: OriginId,
    pub name: &'r str,
    pub identification: Option<&'r str>,
    pub document: Option<&'r str>,
    pub gender: Option<&'r str>,
    pub civil_status: Option<&'r str>,
    pub occupation: Option<&'r str>,
    pub street: Option<&'r str>,
    pub region: Option<&'r str>,
    pub city: Option<&'r str>,
    pub state: Option<&'r str>,
    pub country: Option<&'r str>,
    pub nationality: Option<&'r str>,
    pub postalcode: Option<&'r str>,
    pub cellphone: Option<&'r str>,
    pub phone: Option<&'r str>,
    pub email: Option<&'r str>,
    pub birthdate: Option<&'r str>,
    pub number_ctps: Option<&'r str>,
    pub number_pis: Option<&'r str>,
    pub number_cid: Option<&'r str>,
    pub notes: Option<&'r str>,
    /// The origin's name.
    pub origin: &'r str,
    pub created_at: i64,
    pub updated_at: i64,
    /// The customer's lawsuits, by id.
    pub lawsuits: &'r [LinkedLawsuit],
}

/// A lawsuit of a customer.
#[derive(Clone, Debug)]
pub struct LinkedLawsuit {
    /// Its id.
    pub id: LawsuitId,
    /// Its number at the court.
    pub process_number: Option<String>,
    /// Its protocol number.
    pub protocol_number: Option<String>,
}

const SELECT: &str = "
    SELECT c.id, c.user_id, c.origin_id, c.name, c.identification, c.document, c.gender, c.civil_status, c.occupation,
        c.street, c.region, c.city, c.state, c.country, c.nationality, c.postalcode, c.cellphone, c.phone, c.email,
        c.birthdate, c.number_ctps, c.number_pis, c.number_cid, c.notes, o.name, c.created_at, c.updated_at
    FROM customers c JOIN origins o ON o.id = c.origin_id
    WHERE c.id = ?1";

const SELECT_LAWSUITS: &str = "
    SELECT s.id, s.process_number, s.protocol_number
    FROM lawsuit_customers l JOIN lawsuits s ON s.id = l.lawsuit_id
    WHERE l.customer_id = ?1 ORDER BY l.lawsuit_id";

/// Shows `see` the customers with those ids, in that order; an id that is not there is left out. The caller opens a
/// snapshot, in which all of them and their lawsuits are of the same state.
///
/// Two statements that are run again for each id: one that gets all ids at once has to sort them first and to find out
/// afterwards which row belongs where, which takes longer.
///
/// # Errors
/// Why the store cannot be read.
pub fn records(db: Db<'_>, ids: &[u32], mut see: impl FnMut(Record<'_>)) -> Result<(), Error> {
    let mut select = db.conn().prepare_cached(SELECT)?;
    let mut select_lawsuits = db.conn().prepare_cached(SELECT_LAWSUITS)?;
    let mut lawsuits = Vec::new();
    for id in ids {
        let mut rows = select.query([id])?;
        let Some(row) = rows.next()? else { continue };
        lawsuits.clear();
        let mut linked = select_lawsuits.query([id])?;
        while let Some(row) = linked.next()? {
            let mut cells = Cells::of(row);
            lawsuits.push(LinkedLawsuit {
                id: cells.next()?,
                process_number: cells.next()?,
                protocol_number: cells.next()?,
            });
        }
        let mut cells = Cells::of(row);
        see(Record {
            id: cells.next()?,
            user: cells.next()?,
            origin_id: cells.next()?,
            name: cells.next_text()?.unwrap_or_default(),
            identification: cells.next_text()?,
            document: cells.next_text()?,
            gender: cells.next_text()?,
            civil_status: cells.next_text()?,
            occupation: cells.next_text()?,
            street: cells.next_text()?,
            region: cells.next_text()?,
            city: cells.next_text()?,
            state: cells.next_text()?,
            country: cells.next_text()?,
            nationality: cells.next_text()?,
            postalcode: cells.next_text()?,
            cellphone: cells.next_text()?,
            phone: cells.next_text()?,
            email: cells.next_text()?,
            birthdate: cells.next_text()?,
            number_ctps: cells.next_text()?,
            number_pis: cells.next_text()?,
            number_cid: cells.next_text()?,
            notes: cells.next_text()?,
            origin: cells.next_text()?.unwrap_or_default(),
            created_at: cells.next()?,
            updated_at: cells.next()?,
            lawsuits: &lawsuits,
        });
    }
    Ok(())
}

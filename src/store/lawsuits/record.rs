//! Lawsuits as answers show them: read in place, so that nothing is copied before it is written out.

use crate::domain::id::{CustomerId, GroupId, LawsuitId, StageId, StepId, TypeId, UserId};
use crate::domain::money::Money;
use crate::store::columns::Cells;
use crate::store::{Db, Error};

/// A lawsuit as stored, borrowed from its row.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the columns of the same names")]
pub struct Record<'r> {
    pub id: LawsuitId,
    pub user: UserId,
    pub kind_id: TypeId,
    pub stage_id: StageId,
    pub process_number: Option<&'r str>,
    pub protocol_number: Option<&'r str>,
    pub folder: Option<&'r str>,
    pub process_date: Option<&'r str>,
    pub notes: Option<&'r str>,
    pub fees_expec: Option<Money>,
    pub fees_money: Option<Money>,
    pub contingency: Option<Money>,
    pub status_closure: Option<&'r str>,
    pub exit_production: Option<&'r str>,
    pub exit_execution: Option<&'r str>,
    /// The responsible user's name.
    pub responsible: &'r str,
    /// The type's name.
    pub kind: &'r str,
    pub group_id: GroupId,
    /// The group's name.
    pub group: &'r str,
    /// The stage's name.
    pub stage: &'r str,
    pub step_id: StepId,
    /// The step's name.
    pub step: &'r str,
    pub created_at: i64,
    pub updated_at: i64,
    /// Whom it is about, in the order given.
    pub customers: &'r [LinkedCustomer],
}

/// A customer of a lawsuit.
#[derive(Clone, Debug)]
pub struct LinkedCustomer {
    /// Its id.
    pub id: CustomerId,
    /// Full name.
    pub name: String,
    /// CPF or CNPJ.
    pub identification: Option<String>,
    /// The origin's name.
    pub origin: String,
}

const SELECT: &str = "
    SELECT l.id, l.user_id, l.type_id, l.stage_id, l.process_number, l.protocol_number, l.folder, l.process_date, l.notes,
        l.fees_expec, l.fees_money, l.contingency, l.status_closure, l.exit_production, l.exit_execution,
        u.name, t.name, g.id, g.name, s.name, p.id, p.name, l.created_at, l.updated_at
    FROM lawsuits l
        JOIN users u ON u.id = l.user_id
        JOIN types t ON t.id = l.type_id
        JOIN groups g ON g.id = t.group_id
        JOIN stages s ON s.id = l.stage_id
        JOIN steps p ON p.id = s.step_id
    WHERE l.id = ?1";

const SELECT_CUSTOMERS: &str = "
    SELECT c.id, c.name, c.identification, o.name
    FROM lawsuit_customers l
        JOIN customers c ON c.id = l.customer_id
        JOIN origins o ON o.id = c.origin_id
    WHERE l.lawsuit_id = ?1 ORDER BY l.position";

/// Shows `see` the lawsuits with those ids, in that order; an id that is not there is left out. The caller opens a
/// snapshot, in which all of them and their customers are of the same state.
///
/// # Errors
/// Why the store cannot be read.
pub fn records(db: Db<'_>, ids: &[u32], mut see: impl FnMut(Record<'_>)) -> Result<(), Error> {
    let mut select = db.conn().prepare_cached(SELECT)?;
    let mut select_customers = db.conn().prepare_cached(SELECT_CUSTOMERS)?;
    let mut customers = Vec::new();
    for id in ids {
        let mut rows = select.query([id])?;
        let Some(row) = rows.next()? else { continue };
        customers.clear();
        let mut linked = select_customers.query([id])?;
        while let Some(row) = linked.next()? {
            let mut cells = Cells::of(row);
            customers.push(LinkedCustomer {
                id: cells.next()?,
                name: cells.next()?,
                identification: cells.next()?,
                origin: cells.next()?,
            });
        }
        let mut cells = Cells::of(row);
        see(Record {
            id: cells.next()?,
            user: cells.next()?,
            kind_id: cells.next()?,
            stage_id: cells.next()?,
            process_number: cells.next_text()?,
            protocol_number: cells.next_text()?,
            folder: cells.next_text()?,
            process_date: cells.next_text()?,
            notes: cells.next_text()?,
            fees_expec: cells.next()?,
            fees_money: cells.next()?,
            contingency: cells.next()?,
            status_closure: cells.next_text()?,
            exit_production: cells.next_text()?,
            exit_execution: cells.next_text()?,
            responsible: cells.next_text()?.unwrap_or_default(),
            kind: cells.next_text()?.unwrap_or_default(),
            group_id: cells.next()?,
            group: cells.next_text()?.unwrap_or_default(),
            stage: cells.next_text()?.unwrap_or_default(),
            step_id: cells.next()?,
            step: cells.next_text()?.unwrap_or_default(),
            created_at: cells.next()?,
            updated_at: cells.next()?,
            customers: &customers,
        });
    }
    Ok(())
}

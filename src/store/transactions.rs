//! Transactions: what is asked of them alone.

use rusqlite::named_params;

use super::{Db, Error};
use crate::records::{CustomerId, LawsuitId, Transaction, TransactionId};

/// The first ten transactions of the same amount, due day, category, customer and account.
///
/// # Errors
/// Why the store cannot be read.
pub fn alike(db: Db<'_>, transaction: &Transaction) -> Result<Vec<TransactionId>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM transactions
         WHERE date_due = :due AND amount = :amount AND category_id = :category AND customer_id IS :customer
             AND debit_account = :account AND deleted_at IS NULL
         ORDER BY id LIMIT 10",
    )?;
    let ids = statement.query_map(
        named_params! {
            ":due": transaction.date_due.iso(), ":amount": transaction.amount.money().centavos(),
            ":category": transaction.category_id, ":customer": transaction.customer_id,
            ":account": transaction.debit_account,
        },
        |row| row.get(0),
    )?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// The customer of a lawsuit that has exactly one.
///
/// # Errors
/// Why the store cannot be read.
pub fn only_customer(db: Db<'_>, lawsuit: LawsuitId) -> Result<Option<CustomerId>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT min(customer_id) FROM lawsuit_customers WHERE lawsuit_id = ?1 HAVING count(*) = 1",
    )?;
    let mut rows = statement.query([lawsuit])?;
    Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
}

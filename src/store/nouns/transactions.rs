//! Queries specific to transactions.

pub mod cash;
pub mod series;

use rusqlite::named_params;

use crate::domain::Day;
use crate::records::{CustomerId, LawsuitId, Transaction, TransactionId};
use crate::store::journal::journal_act::JournalAct;
use crate::store::{Db, Error, Tx};

/// Returns the first ten transactions with the amount, due day, category, customer and account of this one.
pub fn equal(db: Db<'_>, transaction: &Transaction) -> Result<Vec<TransactionId>, Error> {
    let sql = "SELECT id FROM transactions
         WHERE date_due = :due AND amount = :amount AND category_id = :category AND customer_id IS :customer
             AND debit_account = :account AND deleted_at IS NULL
         ORDER BY id LIMIT 10";
    let given = named_params! {
        ":due": transaction.date_due.iso(), ":amount": transaction.amount.money().centavos(),
        ":category": transaction.category_id, ":customer": transaction.customer_id,
        ":account": transaction.debit_account,
    };
    db.column(sql, given)
}

/// Returns the customer of a lawsuit that has exactly one.
pub fn only_customer(db: Db<'_>, lawsuit: LawsuitId) -> Result<Option<CustomerId>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT min(customer_id) FROM lawsuit_customers WHERE lawsuit_id = ?1 HAVING count(*) = 1",
    )?;
    let mut rows = statement.query([lawsuit])?;
    Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
}

/// Returns the first rest of a payment, and what was agreed for all its rests in centavos, those of its rests included.
pub fn rests(db: Db<'_>, payment: u32) -> Result<Option<(u32, i64)>, Error> {
    db.first(
        "WITH RECURSIVE rests(id) AS
             (SELECT ?1 UNION SELECT t.id FROM transactions t JOIN rests ON t.rest_of = rests.id)
         SELECT min(id), sum(amount + discount - interest) FROM transactions
         WHERE id IN rests AND id <> ?1 AND deleted_at IS NULL HAVING count(*) > 0",
        [payment],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// Income of a customer or a lawsuit, in centavos.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owed {
    pub paid: i64,
    /// Due today or later.
    pub open: i64,
    /// Due before today and not paid.
    pub overdue: i64,
    /// Refunds of the customer or the lawsuit that are paid.
    pub returned: i64,
}

/// Sums the income and the refunds whose member `column` refers to the record `id`.
pub fn owed(db: Db<'_>, column: &'static str, id: u32, today: Day) -> Result<Owed, Error> {
    let sum = |which: &str| ["coalesce(sum(amount) FILTER (WHERE ", which, "), 0)"].concat();
    let sums = [
        sum("entry_type = 'income' AND date_payment IS NOT NULL"),
        sum("entry_type = 'income' AND date_payment IS NULL AND date_due >= ?2"),
        sum("entry_type = 'income' AND date_payment IS NULL AND date_due < ?2"),
        sum("refund_of IS NOT NULL AND date_payment IS NOT NULL"),
    ];
    let of = [" FROM transactions WHERE ", column, " = ?1 AND deleted_at IS NULL"].concat();
    let mut statement = db.conn().prepare_cached(&["SELECT ", &sums.join(", "), &of].concat())?;
    let owed = statement.query_row((id, today.iso()), |row| {
        Ok(Owed { paid: row.get(0)?, open: row.get(1)?, overdue: row.get(2)?, returned: row.get(3)? })
    })?;
    Ok(owed)
}

/// Sums the refunds of an income in centavos, paid or not, except the transaction `except`.
pub fn refunds(db: Db<'_>, income: TransactionId, except: Option<TransactionId>) -> Result<i64, Error> {
    db.value(
        "SELECT coalesce(sum(amount), 0) FROM transactions
         WHERE refund_of = ?1 AND id IS NOT ?2 AND deleted_at IS NULL",
        (income, except),
    )
}

/// Returns the transactions of a customer made since `at` (seconds since 1970) that belong to one of these transactions, as a
/// rest, a refund or in a series, or to one of these lawsuits.
pub fn made_since(
    db: Db<'_>,
    (transactions, lawsuits): (&[u32], &[u32]),
    customer: CustomerId,
    at: i64,
) -> Result<Vec<u32>, Error> {
    let [transactions, lawsuits] = [transactions, lawsuits].map(|ids| format!("{ids:?}"));
    db.column(
        "WITH RECURSIVE parts (id) AS (
             SELECT value FROM json_each(?1)
             UNION SELECT t.id FROM parts JOIN transactions t ON t.rest_of = parts.id
             UNION SELECT t.id FROM parts JOIN transactions t ON t.refund_of = parts.id
             UNION SELECT t.id FROM parts JOIN transactions p ON p.id = parts.id
                 JOIN transactions t ON t.series_id = p.series_id)
         SELECT id FROM transactions WHERE customer_id = ?3 AND created_at >= ?4
             AND (id IN parts OR lawsuit_id IN (SELECT value FROM json_each(?2))) ORDER BY id",
        (transactions, lawsuits, customer, at),
    )
}

/// Returns the first rest of a transaction that was paid in part, or of a deleted rest of it.
pub fn rest(db: Db<'_>, id: TransactionId) -> Result<Option<TransactionId>, Error> {
    let sql = "WITH RECURSIVE rests (id, is_live) AS (
             SELECT id, deleted_at IS NULL FROM transactions WHERE rest_of = ?1
             UNION SELECT t.id, t.deleted_at IS NULL FROM rests JOIN transactions t ON t.rest_of = rests.id)
         SELECT id FROM rests WHERE is_live ORDER BY id LIMIT 1";
    db.first_value(sql, [id])
}

/// Returns `true` if a payment of this transaction left a rest of at most `centavos`, deleted or not.
pub fn has_rest_within(db: Db<'_>, id: TransactionId, centavos: i64) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM transactions WHERE rest_of = ?1 AND amount + discount - interest <= ?2";
    db.has_row(sql, (id, centavos))
}

/// Returns the transaction whose payment left this rest, or a rest before it, and was undone since.
pub fn undone_payment(db: Db<'_>, rest: TransactionId) -> Result<Option<TransactionId>, Error> {
    let sql = "WITH RECURSIVE paid (id) AS (
             SELECT rest_of FROM transactions WHERE id = :rest
             UNION SELECT t.rest_of FROM paid JOIN transactions t ON t.id = paid.id)
         SELECT id FROM (SELECT c.id, c.reason, max(c.seq) FROM paid JOIN changes c ON c.id = paid.id
             WHERE c.kind = 'transactions' AND c.reason IN (:undone, :restored)
                 AND c.seq > (SELECT min(seq) FROM changes WHERE id = :rest AND kind = 'transactions')
             GROUP BY c.id)
         WHERE reason = :undone LIMIT 1";
    let [undone, restored] = [JournalAct::PaymentUndone, JournalAct::PaymentRestored].map(JournalAct::as_str);
    let parameters = named_params! { ":rest": rest, ":undone": undone, ":restored": restored };
    db.first_value(sql, parameters)
}

/// Moves the refunds of an income, deleted ones included, to the income's customer and lawsuit. `now` is in seconds since
/// 1970.
pub fn move_refunds(
    tx: Tx<'_>,
    income: TransactionId,
    (customer, lawsuit): (Option<CustomerId>, Option<LawsuitId>),
    now: i64,
) -> Result<(), Error> {
    let sql =
        "UPDATE transactions SET customer_id = ?2, lawsuit_id = ?3, updated_at = ?4 WHERE refund_of = ?1";
    tx.run(sql, (income, customer, lawsuit, now))
}

/// Returns the transactions whose member `column` refers to the record `id`: unpaid ones by due day, then paid
/// ones, newest first.
pub fn unpaid_first(db: Db<'_>, column: &'static str, id: u32) -> Result<Vec<u32>, Error> {
    let of = ["SELECT id FROM transactions WHERE ", column, " = ?1 AND deleted_at IS NULL"].concat();
    let order = " ORDER BY date_payment IS NOT NULL, iif(date_payment IS NULL, date_due, NULL), date_due DESC, id DESC";
    db.column(&[&of, order].concat(), [id])
}

/// Returns the newest income of a lawsuit, or the newest of all if the lawsuit has none.
pub fn newest_income(db: Db<'_>, lawsuit: Option<LawsuitId>) -> Result<Option<TransactionId>, Error> {
    let of_lawsuit =
        "SELECT id FROM transactions WHERE deleted_at IS NULL AND entry_type = 'income' AND lawsuit_id = ?1
         ORDER BY id DESC LIMIT 1";
    if let Some(id) = db.first_value(of_lawsuit, [lawsuit])? {
        return Ok(Some(id));
    }
    let sql = "SELECT id FROM transactions WHERE deleted_at IS NULL AND entry_type = 'income' ORDER BY id DESC LIMIT 1";
    db.first_value(sql, [])
}

/// SQL expression for the last month of the repetition of the transaction `t`, or `open` if it has no end. NULL
/// if no more transactions will be created.
pub(in crate::store) const REPEATS: &str =
    "iif(t.series_at IS NULL, NULL, (SELECT CASE WHEN n.series_until IS NULL THEN 'open'
    WHEN n.series_until > substr(n.series_at, 1, 7) THEN n.series_until END FROM transactions n
    WHERE n.series_id = t.series_id AND n.series_at IS NOT NULL ORDER BY n.series_at DESC LIMIT 1))";

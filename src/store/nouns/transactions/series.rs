//! Series of transactions: instalments, and monthly repetitions, which get a new transaction each month until
//! they end (day 38).
//!
//! The newest transaction of a repetition, even a deleted one, stores its state, so that backups and full
//! exports include it. A new transaction copies the newest one that is not deleted. If all are deleted, no new
//! ones are created.

use crate::domain::{Amount, Day, ExternalIds, Money, YearMonth};
use crate::records::{Transaction, TransactionId};
use crate::store::records::{by_id, insert};
use crate::store::{Db, Error, Tx};

/// State of a repetition.
struct Newest {
    id: TransactionId,
    month: YearMonth,
    /// Day of the month of the first transaction.
    day: u8,
    until: Option<YearMonth>,
}

impl Newest {
    /// Returns the last month to create, at most `through`.
    fn last(&self, through: YearMonth) -> YearMonth {
        self.until.map_or(through, |until| until.min(through))
    }
}

/// Formats the value of `series_at`; see the migration.
fn at(month: YearMonth, day: u8) -> String {
    format!("{}-{day:02}", month.iso())
}

fn newest(db: Db<'_>, series: u32) -> Result<Option<Newest>, Error> {
    let sql =
        "SELECT id, series_at, series_until FROM transactions WHERE series_id = ?1 AND series_at IS NOT NULL
         ORDER BY series_at DESC LIMIT 1";
    let row = db.first(sql, [series], |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let Some((id, at, until)) = row else { return Ok(None) };
    let (month, day) = at.rsplit_once('-').unwrap_or_default();
    let (Ok(month), Ok(day)) = (YearMonth::parse(month), day.parse()) else {
        return Err(Error::Defect("a repetition has no month".to_owned()));
    };
    let until = until.and_then(|until| YearMonth::parse(&until).ok());
    Ok(Some(Newest { id, month, day, until }))
}

/// Returns the series of a transaction, if it has one.
fn series_of(db: Db<'_>, id: TransactionId) -> Result<Option<u32>, Error> {
    Ok(db.first_value::<Option<u32>>("SELECT series_id FROM transactions WHERE id = ?1", [id])?.flatten())
}

/// Marks these transactions as instalments of one amount.
pub fn join(tx: Tx<'_>, ids: &[TransactionId]) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached("UPDATE transactions SET series_id = ?2 WHERE id = ?1")?;
    let Some(first) = ids.first() else { return Ok(()) };
    ids.iter().try_for_each(|id| statement.execute((id, first)).map(drop))?;
    Ok(())
}

/// Adds the rest of a transaction to its series, or begins a series with both.
pub fn join_rest(tx: Tx<'_>, id: TransactionId, rest: TransactionId) -> Result<(), Error> {
    let sql =
        "UPDATE transactions SET series_id = (SELECT coalesce(series_id, ?1) FROM transactions WHERE id = ?1)
         WHERE id IN (?1, ?2)";
    tx.run(sql, (id, rest))
}

/// Makes a transaction repeat every month until `until` (inclusive). `due` is its own due day.
pub fn begin(tx: Tx<'_>, id: TransactionId, due: Day, until: Option<YearMonth>) -> Result<(), Error> {
    note(tx, id, (id.get(), YearMonth::of(due), due.day()), until)
}

fn note(
    tx: Tx<'_>,
    id: TransactionId,
    (series, month, day): (u32, YearMonth, u8),
    until: Option<YearMonth>,
) -> Result<(), Error> {
    tx.run(
        "UPDATE transactions SET series_id = ?2, series_at = ?3, series_until = ?4 WHERE id = ?1",
        (id, series, at(month, day), until.map(YearMonth::iso)),
    )
}

/// Returns the repetitions that lack a month up to `through`.
pub fn behind(db: Db<'_>, through: YearMonth) -> Result<Vec<u32>, Error> {
    db.column(
        "SELECT series_id FROM transactions t WHERE series_at IS NOT NULL AND substr(series_at, 1, 7) < ?1
             AND (series_until IS NULL OR series_until > substr(series_at, 1, 7))
             AND NOT EXISTS
                 (SELECT 1 FROM transactions n WHERE n.series_id = t.series_id AND n.series_at > t.series_at)
         ORDER BY series_id",
        [through.iso()],
    )
}

/// Creates the missing transactions of a repetition up to `through`, one per month, and returns them. `now` is
/// in seconds since 1970.
///
/// Returns `Refused` if a referenced record was deleted.
pub fn go_on(tx: Tx<'_>, series: u32, through: YearMonth, now: i64) -> Result<Vec<TransactionId>, Error> {
    let Some(newest) = newest(*tx, series)? else { return Ok(Vec::new()) };
    let Some((model_id, model)) = newest_live(*tx, series)? else { return Ok(Vec::new()) };
    let moved = model.competence.map_or(0, |month| month.months_since(YearMonth::of(model.date_due)));
    let amount = agreed(*tx, model_id)?.unwrap_or(model.amount);
    let mut month = newest.month;
    let mut made = Vec::new();
    while month < newest.last(through) {
        month = month.next();
        let next = Transaction {
            date_due: month.day(newest.day),
            date_payment: None,
            competence: Some(month.later(moved)),
            amount,
            discount: Money::default(),
            interest: Money::default(),
            rest_of: None,
            refund_of: None,
            is_recurrent: true,
            external_ids: ExternalIds::default(),
            ..model.clone()
        };
        let id = insert(tx, &next, now)?;
        note(tx, id, (series, month, newest.day), newest.until)?;
        made.push(id);
    }
    Ok(made)
}

/// Returns the newest transaction of a repetition that is not deleted.
fn newest_live(db: Db<'_>, series: u32) -> Result<Option<(TransactionId, Transaction)>, Error> {
    let sql =
        "SELECT id FROM transactions WHERE series_id = ?1 AND series_at IS NOT NULL AND deleted_at IS NULL
         ORDER BY series_at DESC LIMIT 1";
    let Some(id) = db.first_value(sql, [series])? else { return Ok(None) };
    Ok(by_id(db, id)?.map(|transaction| (id, transaction)))
}

/// Returns what was agreed for a transaction: at least what it owed when it was paid in part.
fn agreed(db: Db<'_>, id: TransactionId) -> Result<Option<Amount>, Error> {
    let sql = "SELECT max(amount + discount - interest, coalesce(agreed, 0)) FROM transactions WHERE id = ?1";
    let centavos = db.value(sql, [id])?;
    Ok(Money::from_centavos(centavos).and_then(|money| Amount::new(money).ok()))
}

/// Notes what was agreed for a transaction that is paid in part and owes `owed` before that, so that later changes of the
/// payment and of its rest leave it.
pub fn note_agreed(tx: Tx<'_>, id: TransactionId, owed: Amount) -> Result<(), Error> {
    let sql = "UPDATE transactions SET agreed = max(coalesce(agreed, 0), ?2) WHERE id = ?1";
    tx.run(sql, (id, owed.money().centavos()))
}

/// Lowers what was agreed for an unpaid transaction that is about to owe `owed`, if it owes all of that and has no rest.
pub fn lower_agreed(tx: Tx<'_>, id: TransactionId, owed: Amount) -> Result<(), Error> {
    let sql = "UPDATE transactions SET agreed = min(agreed, ?2)
         WHERE id = ?1 AND date_payment IS NULL AND amount >= agreed
             AND NOT EXISTS (SELECT 1 FROM transactions r WHERE r.rest_of = ?1 AND r.deleted_at IS NULL)";
    tx.run(sql, (id, owed.money().centavos()))
}

/// Ends the repetition of a transaction, if it has one. Existing transactions stay. `now` is in seconds since
/// 1970.
pub fn end(tx: Tx<'_>, id: TransactionId, now: i64) -> Result<(), Error> {
    let Some(series) = series_of(*tx, id)? else { return Ok(()) };
    let Some(newest) = newest(*tx, series)? else { return Ok(()) };
    tx.run(
        "UPDATE transactions SET series_until = substr(series_at, 1, 7), is_recurrent = 0, updated_at = ?2
         WHERE id = ?1 AND (series_until IS NULL OR series_until > substr(series_at, 1, 7))",
        (newest.id, now),
    )
}

/// Returns all transactions of the series that this one belongs to, itself included, ordered by due day.
/// Returns an empty list if it belongs to no series.
pub fn members(db: Db<'_>, id: TransactionId) -> Result<Vec<u32>, Error> {
    let Some(series) = series_of(db, id)? else { return Ok(Vec::new()) };
    db.column(
        "SELECT id FROM transactions WHERE series_id = ?1 AND deleted_at IS NULL ORDER BY date_due, id",
        [series],
    )
}

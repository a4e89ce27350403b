//! Refunds: expenses that return an income to the customer (office 54).

use crate::api::pages::Beginning;
use crate::domain::{Day, EntryType, Flow, Invalid, Reason, fold};
use crate::http::{Draft, Problem};
use crate::records::{FieldType, List, Transaction, TransactionId, Value};
use crate::store::settings::{Entry, all};
use crate::store::{self, Db, records, transactions};

/// The category for refunds that ships.
const CATEGORY: &str = "Devolução a cliente";

/// Takes customer and lawsuit from the income that a draft refunds, if it names neither.
pub(super) fn fill_in(
    db: Db<'_>,
    draft: &mut Draft<Transaction>,
    standing: Option<&Transaction>,
) -> Result<(), Problem> {
    let has = |column| draft.value_over(standing, column) != Value::Null;
    let income = draft.get("refund_of").cloned().and_then(TransactionId::from_value);
    let Some(income) = income.filter(|_| !has("customer_id") && !has("lawsuit_id")) else { return Ok(()) };
    if let Some(income) = records::by_id::<Transaction>(db, income)? {
        draft.set("customer_id", income.customer_id.to_value().into_owned());
        draft.set("lawsuit_id", income.lawsuit_id.to_value().into_owned());
    }
    Ok(())
}

/// Refuses a refund of something else than an income, and refunds of more than was received. `own` is the id of an
/// existing transaction.
pub(super) fn check(
    db: Db<'_>,
    transaction: &Transaction,
    own: Option<TransactionId>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    if let Some(income) = transaction.refund_of {
        match records::by_id::<Transaction>(db, income)? {
            Some(refunded) if !is_income(transaction) && is_income(&refunded) => {
                let left = received(&refunded) - transactions::refunds(db, income, own)?;
                if transaction.amount.money().centavos() > left {
                    wrong.add("amount", more_than(left));
                }
            }
            // A deleted one is refused if the reference is new.
            None => {}
            Some(_) => wrong.add("refund_of", Reason::NotRefund),
        }
    }
    if let Some(own) = own {
        let left = received(transaction) - transactions::refunds(db, own, None)?;
        if left < 0 {
            let member = if transaction.date_payment.is_some() { "amount" } else { "date_payment" };
            wrong.add(member, more_than(left));
        }
    }
    Ok(())
}

/// Returns the initial values of a refund's form: what is left of the income, paid today, in the category that ships.
pub(super) fn begin(db: Db<'_>, income: TransactionId, today: Day) -> Result<Beginning, store::Error> {
    let Some(own) = records::by_id::<Transaction>(db, income)? else { return Ok(Vec::new()) };
    let left = received(&own) - transactions::refunds(db, income, None)?;
    let mut begun: Beginning = vec![
        ("entry_type", EntryType(Flow::Debit).to_value().into_owned()),
        ("date_due", today.to_value().into_owned()),
        ("date_payment", today.to_value().into_owned()),
        ("users_id", own.user_id.to_value().into_owned()),
        ("cost_centers_id", own.cost_center_id.to_value().into_owned()),
        ("debit_account", own.debit_account.to_value().into_owned()),
        ("customers_id", own.customer_id.to_value().into_owned()),
        ("lawsuits_id", own.lawsuit_id.to_value().into_owned()),
    ];
    begun.extend((left > 0).then_some(("amount", Value::Integer(left))));
    let named = |entry: &&Entry| {
        let is_debit = entry.values.iter().any(|value| value.text() == Some(Flow::Debit.as_str()));
        entry.active && is_debit && fold(entry.name.as_str()) == fold(CATEGORY)
    };
    let category = all(db, List::Categories)?.iter().find(named).map(|entry| entry.id);
    begun.extend(category.map(|id| ("categories_id", Value::Integer(id.into()))));
    Ok(begun)
}

fn is_income(transaction: &Transaction) -> bool {
    transaction.entry_type == EntryType(Flow::Credit)
}

/// Returns the centavos that came in by a transaction.
fn received(transaction: &Transaction) -> i64 {
    match is_income(transaction) && transaction.date_payment.is_some() {
        true => transaction.amount.money().centavos(),
        false => 0,
    }
}

fn more_than(left: i64) -> Reason {
    Reason::MoreThanReceived { centavos: left.try_into().unwrap_or_default() }
}

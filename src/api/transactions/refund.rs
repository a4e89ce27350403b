//! Refunds: expenses that return an income to the customer (office 54).

use crate::api::console_pages::InitialValues;
use crate::domain::text::fold;
use crate::domain::{Day, EntryType, Flow, Invalid, Reason};
use crate::http::json::request_body::ensure_valid;
use crate::http::{Draft, Problem};
use crate::records::{FieldType, List, Transaction, TransactionId, Value};
use crate::store::lists::{Entry, all};
use crate::store::nouns::transactions;
use crate::store::{Db, StoreResult, records};

/// The category for refunds that ships.
const CATEGORY: &str = "Devolução a cliente";

/// Gives the draft of a refund the customer and the lawsuit of its income, and refuses others.
pub(super) fn fill_in(
    db: Db<'_>,
    draft: &mut Draft<Transaction>,
    standing: Option<&Transaction>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    let income = TransactionId::from_value(draft.value_over(standing, "refund_of"));
    let Some(income) = of(db, income)? else { return Ok(()) };
    for (column, member, own) in [
        ("customer_id", "customers_id", income.customer_id.to_value().into_owned()),
        ("lawsuit_id", "lawsuits_id", income.lawsuit_id.to_value().into_owned()),
    ] {
        let value = draft.value_over(standing, column);
        if draft.names(column) && value != Value::Null && value != own {
            wrong.add(member, Reason::NotOfIncome);
        }
        draft.set(column, own);
    }
    Ok(())
}

/// Returns the income of a refund, whose customer and lawsuit are those of the refund.
pub(super) fn of(db: Db<'_>, income: Option<TransactionId>) -> Result<Option<Transaction>, Problem> {
    Ok(income.map(|income| records::by_id::<Transaction>(db, income)).transpose()?.flatten())
}

/// Like [`check`]. Fails with 422.
pub(super) fn ensure(db: Db<'_>, transaction: &Transaction, own: TransactionId) -> Result<(), Problem> {
    let mut wrong = Invalid::new();
    check(db, transaction, Some(own), &mut wrong)?;
    ensure_valid(wrong)
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
        let refunded = transactions::refunds(db, own, None)?;
        if received(transaction) < refunded {
            let member = if transaction.date_payment.is_some() { "amount" } else { "date_payment" };
            wrong.add(member, Reason::Refunded { centavos: refunded.try_into().unwrap_or_default() });
        }
    }
    Ok(())
}

/// Returns the initial values of a refund's form: what is left of the income, paid today, in the category that ships.
pub(super) fn initial_values(db: Db<'_>, income: TransactionId, today: Day) -> StoreResult<InitialValues> {
    let Some(own) = records::by_id::<Transaction>(db, income)? else { return Ok(Vec::new()) };
    let left = received(&own) - transactions::refunds(db, income, None)?;
    let mut values: InitialValues = vec![
        ("entry_type", EntryType(Flow::Debit).to_value().into_owned()),
        ("is_internal", false.to_value().into_owned()),
        ("date_due", today.to_value().into_owned()),
        ("date_payment", today.to_value().into_owned()),
        ("users_id", own.user_id.to_value().into_owned()),
        ("cost_centers_id", own.cost_center_id.to_value().into_owned()),
        ("debit_account", own.debit_account.to_value().into_owned()),
        ("customers_id", own.customer_id.to_value().into_owned()),
        ("lawsuits_id", own.lawsuit_id.to_value().into_owned()),
    ];
    values.extend((left > 0).then_some(("amount", Value::Integer(left))));
    let named = |entry: &&Entry| {
        let is_debit = entry.values.iter().any(|value| value.text() == Some(Flow::Debit.as_str()));
        entry.active && is_debit && fold(entry.name.as_str()) == fold(CATEGORY)
    };
    let category = all(db, List::Categories)?.iter().find(named).map(|entry| entry.id);
    values.extend(category.map(|id| ("categories_id", Value::Integer(id.into()))));
    Ok(values)
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

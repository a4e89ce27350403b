//! The initial values of a new transaction's form, taken from the newest income of the lawsuit, or else of any.

use crate::api::console_pages::{InitialValues, NamedRecords};
use crate::domain::{EntryType, Flow};
use crate::records::{FieldType, Lawsuit, LawsuitId, List, Transaction, Value};
use crate::store::lists::{Entry, all, is_active};
use crate::store::nouns::transactions::newest_income;
use crate::store::{Db, StoreResult, records};

/// Returns the initial values of a new income. Category, account and cost center come from the newest income if
/// they are still active, otherwise they are the first active ones that fit. The user is the lawsuit's
/// responsible user, if that user is active.
pub(super) fn initial_values(db: Db<'_>, named_record: NamedRecords<'_>) -> StoreResult<InitialValues> {
    let income = Flow::Credit;
    let mut values: InitialValues = vec![("entry_type", EntryType(income).to_value().into_owned())];
    if named_record("lawsuits_id").or_else(|| named_record("customers_id")).is_some() {
        // What concerns a client is not the office's own, which is the default of the API.
        values.push(("is_internal", Value::Integer(0)));
    }
    let lawsuit = named_record("lawsuits_id").map(LawsuitId::from_stored);
    let newest = newest_income(db, lawsuit)?;
    let newest: Option<Transaction> = newest.map_or(Ok(None), |id| records::by_id(db, id))?;
    let lists = [
        ("categories_id", List::Categories, newest.as_ref().map(|one| one.category_id.get())),
        ("debit_account", List::Banks, newest.as_ref().map(|one| one.debit_account.get())),
        ("cost_centers_id", List::CostCenters, newest.as_ref().map(|one| one.cost_center_id.get())),
    ];
    for (member, list, own) in lists {
        let is_income =
            |entry: &&Entry| entry.values.iter().all(|value| value.text() != Some(Flow::Debit.as_str()));
        let entries = all(db, list)?;
        let mut active = entries.iter().filter(|entry| entry.active).filter(is_income);
        let id = own.filter(|own| entries.iter().any(|entry| entry.active && entry.id == *own));
        let id = id.or_else(|| active.next().map(|entry| entry.id));
        values.extend(id.map(|id| (member, Value::Integer(id.into()))));
    }
    let lawsuit: Option<Lawsuit> = lawsuit.map_or(Ok(None), |id| records::by_id(db, id))?;
    if let Some(user) = lawsuit.map(|lawsuit| lawsuit.user_id)
        && is_active(db, List::Users, user.get())? == Some(true)
    {
        values.push(("users_id", user.to_value().into_owned()));
    }
    Ok(values)
}

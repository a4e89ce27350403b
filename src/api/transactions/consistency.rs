//! The members of a transaction that must be consistent with each other (resources 16.3).

use super::refund;
use crate::domain::{EntryType, Flow, Invalid, Reason, YearMonth};
use crate::http::json::request_body::ensure_valid;
use crate::http::{Draft, Problem};
use crate::records::{
    BankId, Category, CategoryId, CustomerId, FieldType, LawsuitId, Transaction, TransactionId,
};
use crate::store::nouns::transactions;
use crate::store::{Db, Tx, records};

/// Fills in the customer and the competence month, and for a refund what its income belongs to. Checks the members again,
/// because record, lawsuit and refunds may have changed since the first check. `own` is the id of an existing transaction.
pub(super) fn completed(
    tx: Tx<'_>,
    mut transaction: Transaction,
    own: Option<TransactionId>,
) -> Result<Transaction, Problem> {
    if let Some(income) = refund::of(*tx, transaction.refund_of)? {
        transaction.customer_id = income.customer_id;
        transaction.lawsuit_id = income.lawsuit_id;
    }
    let mut wrong = Invalid::new();
    DependentMembers {
        entry_type: Some(transaction.entry_type),
        category: Some(transaction.category_id),
        accounts: (Some(transaction.debit_account), transaction.credit_account),
        lawsuit: transaction.lawsuit_id,
        customer: transaction.customer_id,
    }
    .check(*tx, &mut wrong)?;
    refund::check(*tx, &transaction, own, &mut wrong)?;
    ensure_valid(wrong)?;
    if let (Some(lawsuit), None) = (transaction.lawsuit_id, transaction.customer_id) {
        transaction.customer_id = transactions::only_customer(*tx, lawsuit)?;
    }
    transaction.competence.get_or_insert(YearMonth::of(transaction.date_due));
    Ok(transaction)
}

/// The members that must be consistent with each other, if they are known.
pub(super) struct DependentMembers {
    entry_type: Option<EntryType>,
    category: Option<CategoryId>,
    accounts: (Option<BankId>, Option<BankId>),
    lawsuit: Option<LawsuitId>,
    customer: Option<CustomerId>,
}

impl DependentMembers {
    /// Takes the members from the draft, or else from the current record.
    pub(super) fn of(draft: &Draft<Transaction>, standing: Option<&Transaction>) -> DependentMembers {
        fn value<T: FieldType>(
            draft: &Draft<Transaction>,
            standing: Option<&Transaction>,
            column: &str,
        ) -> Option<T> {
            T::from_value(draft.value_over(standing, column))
        }
        DependentMembers {
            entry_type: value(draft, standing, "entry_type"),
            category: value(draft, standing, "category_id"),
            accounts: (value(draft, standing, "debit_account"), value(draft, standing, "credit_account")),
            lawsuit: value(draft, standing, "lawsuit_id"),
            customer: value(draft, standing, "customer_id"),
        }
    }

    /// Checks the members against each other. Each member alone was checked before.
    pub(super) fn check(&self, db: Db<'_>, wrong: &mut Invalid) -> Result<(), Problem> {
        if let (Some(EntryType(flow)), Some(category)) = (self.entry_type, self.category)
            && flow_of(db, category)?.is_some_and(|own| own != flow)
        {
            wrong.add("categories_id", Reason::OtherFlow);
        }
        if let (Some(debit), Some(credit)) = self.accounts
            && debit == credit
        {
            wrong.add("credit_account", Reason::SameAccount);
        }
        if let (Some(lawsuit), None) = (self.lawsuit, self.customer)
            && !wrong
                .iter()
                .any(|(member, _)| ["customers_id", "customer_id", "lawsuits_id"].contains(&member))
            && transactions::only_customer(db, lawsuit)?.is_none()
        {
            wrong.add("customers_id", Reason::NoOnlyCustomer);
        }
        Ok(())
    }
}

/// Returns the flow of a category, or `None` if it does not exist.
fn flow_of(db: Db<'_>, category: CategoryId) -> Result<Option<Flow>, Problem> {
    Ok(records::by_id::<Category>(db, category)?.map(|category| category.flow))
}

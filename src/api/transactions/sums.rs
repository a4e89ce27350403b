//! Sums of transactions: `sums` of GET /transactions (resources 16.2), and the groups of the console's list.

use crate::domain::{Day, EntryType, PaymentStatus, Sum};
use crate::http::json::answer_members::answer;
use crate::http::json::values::Shown;
use crate::index::{Condition, Filter};
use crate::records::Value;

answer! {
pub struct WithSums =
    "O que uma lista de lançamentos traz a mais.",
    "The additional member of a list of transactions.";

#[serde(skip_serializing_if = "Option::is_none")]
pub(super) sums: Option<SumsOut> =>
    "A soma de tudo o que foi encontrado; só aparece se `sums` a pede.",
    "The sums of all matching transactions. Only with `sums=true`.";
}

answer! {
pub struct SumsOut as "Sums" = "Somas exatas, em reais.", "Exact sums, in reais.";

income: PaidAndUnpaid => "O que entra.", "The sums of income.";
expense: PaidAndUnpaid => "O que sai.", "The sums of expenses.";
}

answer! {
pub struct PaidAndUnpaid = "O que foi pago e o que não foi.", "The sums of paid and unpaid transactions.";

paid: Shown<Sum> [example = 0.0] => "Dos que foram pagos.", "The sum of paid transactions.";
unpaid: Shown<Sum> [example = 1500.5] => "Dos que não foram.", "The sum of unpaid transactions.";
}

impl SumsOut {
    /// Returns the filters of the sums, in the order of the members.
    pub(super) fn groups() -> Vec<Filter> {
        let of = |word: &'static str| {
            [false, true].map(|unpaid| {
                let filter = Filter::default().with("entry_type", Condition::Value(Value::Text(word.into())));
                filter.with("date_payment", Condition::IsAbsent(unpaid))
            })
        };
        EntryType::WORDS.into_iter().flat_map(of).collect()
    }

    /// Builds the response from the sums of [`SumsOut::groups`]. Returns `None` if `sums` is empty.
    pub(super) fn of(sums: &[Sum]) -> Option<SumsOut> {
        let [paid_in, unpaid_in, paid_out, unpaid_out] = *sums else { return None };
        let pair = |paid, unpaid| PaidAndUnpaid { paid: Shown(paid), unpaid: Shown(unpaid) };
        Some(SumsOut { income: pair(paid_in, unpaid_in), expense: pair(paid_out, unpaid_out) })
    }
}

/// Returns the groups of the console's list: paid, open and overdue income, then expenses in that order.
pub(super) fn by_status(today: Day) -> Vec<Filter> {
    let of = |word: &'static str| {
        [PaymentStatus::Paid, PaymentStatus::Open, PaymentStatus::Overdue].map(|status| {
            let filter = Filter::default().with("entry_type", Condition::Value(Value::Text(word.into())));
            let filter = filter.with("date_payment", Condition::IsAbsent(status != PaymentStatus::Paid));
            match status.due(today) {
                Some((first, last)) => filter.with("date_due", Condition::Days(first, last)),
                None => filter,
            }
        })
    };
    EntryType::WORDS.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_in_the_order_of_their_groups() {
        let sums = [1, 2, 3, 4].map(Sum::from_centavos);
        assert_eq!(SumsOut::groups().len(), sums.len());
        let json = serde_json::to_string(&WithSums { sums: SumsOut::of(&sums) }).unwrap();
        let shown =
            r#"{"sums":{"income":{"paid":0.01,"unpaid":0.02},"expense":{"paid":0.03,"unpaid":0.04}}}"#;
        assert_eq!(json, shown);
        assert_eq!(serde_json::to_string(&WithSums { sums: SumsOut::of(&[]) }).unwrap(), "{}");
    }
}

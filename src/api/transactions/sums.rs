//! What transactions come to: the `sums` of GET /transactions (resources 16.2).

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::{Day, EntryType, PaymentStatus, Sum};
use crate::http::wire::Shown;
use crate::index::{Condition, Filter};
use crate::records::Value;

/// What a list of transactions has besides.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O que uma lista de lançamentos traz a mais."))]
pub struct WithSums {
    /// What everything that matches comes to; absent unless `sums` asks for it.
    #[schemars(extend("x-pt" = "A soma de tudo o que foi encontrado; só aparece se `sums` a pede."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sums: Option<SumsOut>,
}

/// Exact sums, in reais.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Somas exatas, em reais."), rename = "Sums")]
pub struct SumsOut {
    /// What comes in.
    #[schemars(extend("x-pt" = "O que entra."))]
    income: PaidAndUnpaid,
    /// What goes out.
    #[schemars(extend("x-pt" = "O que sai."))]
    expense: PaidAndUnpaid,
}

/// What was paid, and what was not.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O que foi pago e o que não foi."))]
pub struct PaidAndUnpaid {
    /// Of those that were paid.
    #[schemars(extend("x-pt" = "Dos que foram pagos."), example = 0.0)]
    paid: Shown<Sum>,
    /// Of those that were not.
    #[schemars(extend("x-pt" = "Dos que não foram."), example = 1500.5)]
    unpaid: Shown<Sum>,
}

impl SumsOut {
    /// The groups that are added up, in the order of the members.
    pub(super) fn groups() -> Vec<Filter> {
        let of = |word: &'static str| {
            [false, true].map(|unpaid| {
                let filter = Filter::default().with("entry_type", Condition::Value(Value::Text(word.into())));
                filter.with("date_payment", Condition::IsAbsent(unpaid))
            })
        };
        EntryType::WORDS.into_iter().flat_map(of).collect()
    }

    /// The sums of the groups; none where none were asked for.
    pub(super) fn of(sums: &[Sum]) -> Option<SumsOut> {
        let [paid_in, unpaid_in, paid_out, unpaid_out] = *sums else { return None };
        let pair = |paid, unpaid| PaidAndUnpaid { paid: Shown(paid), unpaid: Shown(unpaid) };
        Some(SumsOut { income: pair(paid_in, unpaid_in), expense: pair(paid_out, unpaid_out) })
    }
}

/// The groups of the console: of income and of expense what was paid, what is to be paid yet, and what is overdue.
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
    fn sums_stand_in_the_order_of_their_groups() {
        let sums = [1, 2, 3, 4].map(Sum::from_centavos);
        assert_eq!(SumsOut::groups().len(), sums.len());
        let json = serde_json::to_string(&WithSums { sums: SumsOut::of(&sums) }).unwrap();
        let shown =
            r#"{"sums":{"income":{"paid":0.01,"unpaid":0.02},"expense":{"paid":0.03,"unpaid":0.04}}}"#;
        assert_eq!(json, shown);
        assert_eq!(serde_json::to_string(&WithSums { sums: SumsOut::of(&[]) }).unwrap(), "{}");
    }
}

//! Payment status of transactions.

use crate::domain::text::fold;
use crate::domain::{Day, Reason};

/// The payment status of a transaction on a given day (resources 16.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentStatus {
    /// Paid.
    Paid,
    /// Not paid, whenever it is due.
    Unpaid,
    /// Not paid, and due before the given day.
    Overdue,
    /// Not paid, and due on the given day or later.
    Open,
}

impl PaymentStatus {
    /// The words of the API, in the order of the variants.
    pub const WORDS: [&str; 4] = ["paid", "unpaid", "overdue", "open"];

    /// Parses a word in any case.
    pub fn parse(text: &str) -> Result<PaymentStatus, Reason> {
        match fold(text).as_str() {
            "paid" => Ok(PaymentStatus::Paid),
            "unpaid" => Ok(PaymentStatus::Unpaid),
            "overdue" => Ok(PaymentStatus::Overdue),
            "open" => Ok(PaymentStatus::Open),
            _ => Err(Reason::NotPaymentStatus),
        }
    }

    /// Returns the first and the last due day with this status, if the given day is `today`. Returns `None`
    /// for a status that does not depend on the due day.
    pub fn due(self, today: Day) -> Option<(Option<Day>, Option<Day>)> {
        match self {
            PaymentStatus::Paid | PaymentStatus::Unpaid => None,
            PaymentStatus::Overdue => {
                Some((None, Some(Day::from_number(today.number() - 1).unwrap_or(today))))
            }
            PaymentStatus::Open => Some((Some(today), None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payments_due_yesterday_are_overdue_and_those_due_today_are_open() {
        let today = Day::from_ymd(2026, 3, 1).unwrap();
        let yesterday = Day::from_ymd(2026, 2, 28).unwrap();
        assert_eq!(PaymentStatus::Overdue.due(today), Some((None, Some(yesterday))));
        assert_eq!(PaymentStatus::Open.due(today), Some((Some(today), None)));
        for (word, due) in PaymentStatus::WORDS.into_iter().zip([false, false, true, true]) {
            assert_eq!(PaymentStatus::parse(&word.to_uppercase()).unwrap().due(today).is_some(), due);
        }
        assert_eq!(PaymentStatus::parse("pago"), Err(Reason::NotPaymentStatus));
    }
}

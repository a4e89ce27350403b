//! Whether a transaction is paid, and if not, whether it should be.

use super::{Day, Reason, fold};

/// What a transaction's payment is like on a day (resources 16.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentStatus {
    /// It was paid.
    Paid,
    /// It was not.
    Unpaid,
    /// It was not, and was due before the day.
    Overdue,
    /// It was not, and is due on the day or later.
    Open,
}

impl PaymentStatus {
    /// The words.
    pub const WORDS: [&str; 4] = ["paid", "unpaid", "overdue", "open"];

    /// Reads a word in any letter case.
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(text: &str) -> Result<PaymentStatus, Reason> {
        match fold(text).as_str() {
            "paid" => Ok(PaymentStatus::Paid),
            "unpaid" => Ok(PaymentStatus::Unpaid),
            "overdue" => Ok(PaymentStatus::Overdue),
            "open" => Ok(PaymentStatus::Open),
            _ => Err(Reason::NotPaymentStatus),
        }
    }

    /// The first and the last day on which it may be due, `today` being the day; none where that does not matter.
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
    fn yesterday_is_overdue_and_today_is_open() {
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

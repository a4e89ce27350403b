//! Instalments: an amount paid in monthly parts.

use crate::domain::lang::localize;
use crate::domain::{Amount, Day, Lang, Money, Reason, YearMonth};

/// One of several monthly payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Installment {
    /// Day on which the payment is due.
    pub due: Day,
    /// Amount of this payment.
    pub amount: Amount,
}

/// The instalment that gets the centavos left over from the division of an amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remainder {
    /// The first instalment gets them.
    #[default]
    First,
    /// The last instalment gets them.
    Last,
}

/// The payments that follow from a new transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentPlan {
    /// A single payment.
    Once,
    /// Instalments, of which the new transaction is the first.
    Installments(Vec<Installment>),
    /// One transaction each month.
    Monthly {
        /// The last month. With `None`, the repetition continues until it is stopped.
        until: Option<YearMonth>,
    },
}

/// Describes a monthly repetition by its last month, `YYYY-MM`, or `open` if it continues until it is stopped.
pub fn repetition(until: &str, lang: Lang) -> String {
    match YearMonth::parse(until).map(YearMonth::br) {
        Ok(month) => localize!(lang, "todo mês, até {month}", "every month, until {month}"),
        Err(_) => lang.pick("todo mês, até ser encerrado", "every month, until it is ended").to_owned(),
    }
}

impl Installment {
    /// Minimum number of instalments.
    pub const MIN: u32 = 2;
    /// Maximum number of instalments.
    pub const MAX: u32 = 120;

    /// Divides an amount into `count` monthly instalments, the first of which is due on `first`. The sum of
    /// the instalments is exact to the centavo. In a month that is too short, an instalment is due on the
    /// last day.
    ///
    /// Fails with `LessThanCentavo` if an instalment would be 0, and with `NotDayOfRecord` if the last one
    /// would be due after 2199.
    pub fn parts(
        whole: Amount,
        first: Day,
        count: u32,
        remainder: Remainder,
    ) -> Result<Vec<Installment>, Reason> {
        let centavos = whole.money().centavos();
        let parts = i64::from(count.max(1));
        let each = centavos / parts;
        let left = centavos % parts;
        let with_rest = match remainder {
            Remainder::First => 0,
            Remainder::Last => count.saturating_sub(1),
        };
        let part = |number: u32| {
            let centavos = if number == with_rest { each + left } else { each };
            let amount =
                Money::from_centavos(centavos).filter(|_| each > 0).ok_or(Reason::LessThanCentavo)?;
            Ok(Installment { due: due(first, number)?, amount: Amount::new(amount)? })
        };
        (0..count).map(part).collect()
    }

    /// Returns `count` monthly instalments of `each`, due on the days that [`Installment::parts`] uses. Fails
    /// with `NotDayOfRecord` if the last one would be due after 2199.
    pub fn equal(each: Amount, first: Day, count: u32) -> Result<Vec<Installment>, Reason> {
        (0..count).map(|number| Ok(Installment { due: due(first, number)?, amount: each })).collect()
    }
}

fn due(first: Day, number: u32) -> Result<Day, Reason> {
    first.months_later(number).ok_or(Reason::NotDayOfRecord)?.as_recorded()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn amount(centavos: i64) -> Amount {
        Amount::new(Money::from_centavos(centavos).unwrap()).unwrap()
    }

    fn day(iso: &str) -> Day {
        Day::parse(iso).unwrap()
    }

    #[test]
    fn installments_are_due_on_the_first_ones_day_or_the_last_day_of_the_month() {
        for (first, rest) in [
            ("2026-01-31", ["2026-02-28", "2026-03-31", "2026-04-30"]),
            ("2027-11-29", ["2027-12-29", "2028-01-29", "2028-02-29"]),
            ("2026-12-30", ["2027-01-30", "2027-02-28", "2027-03-30"]),
        ] {
            let parts = Installment::parts(amount(400), day(first), 4, Remainder::First).unwrap();
            let days = parts.iter().map(|part| part.due.iso()).collect::<Vec<_>>();
            assert_eq!(days, [&[first][..], &rest].concat());
        }
        let last = Installment::equal(amount(1), day("2199-12-31"), 1).unwrap();
        assert_eq!(last.len(), 1);
        assert_eq!(Installment::equal(amount(1), day("2199-12-31"), 2), Err(Reason::NotDayOfRecord));
    }

    #[test]
    fn the_remainder_is_added_to_the_first_or_the_last_installment() {
        let centavos = |remainder| {
            let parts = Installment::parts(amount(1000), day("2026-01-10"), 3, remainder).unwrap();
            parts.iter().map(|part| part.amount.money().centavos()).collect::<Vec<_>>()
        };
        assert_eq!(
            (centavos(Remainder::First), centavos(Remainder::Last)),
            (vec![334, 333, 333], vec![333, 333, 334])
        );
        let of = |centavos, count| {
            Installment::parts(amount(centavos), day("2026-01-10"), count, Remainder::First)
        };
        assert_eq!(of(119, 120), Err(Reason::LessThanCentavo));
        assert_eq!(of(120, 120).unwrap().len(), 120);
    }

    proptest! {
        #[test]
        fn installments_add_up_to_the_amount(centavos in 120..=99_999_999_999_999_i64, count in 2..=120_u32, last in any::<bool>()) {
            let remainder = if last { Remainder::Last } else { Remainder::First };
            let parts = Installment::parts(amount(centavos), day("2026-01-31"), count, remainder).unwrap();
            prop_assert_eq!(parts.iter().map(|part| part.amount.money().centavos()).sum::<i64>(), centavos);
            prop_assert!(parts.windows(2).all(|two| two[0].due < two[1].due));
        }
    }
}

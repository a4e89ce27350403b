//! Amounts of money.

pub mod flow;
pub(super) mod in_words;
pub(super) mod installment;
pub mod payment_status;

use std::fmt;

use super::Reason;
use super::numbers::punctuation::is_digits;

/// An amount in reais, stored as whole centavos: 0 to 99,999,999,999,999 (R$ 999,999,999,999.99). Every JSON
/// client reads such numbers exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Money(i64);

/// Number of digits of the largest amount in centavos.
const MAX_DIGITS: i64 = 14;
const MAX_CENTAVOS: i64 = 99_999_999_999_999;

impl Money {
    /// Parses text in either notation (contract 5.3): `1500`, `1500.5`, `1500.50`, `1500,50`, `1.500,50`,
    /// `1.500.000`, each also after `R$`. Refuses negative amounts, exponents, more than two decimals, and dots that do
    /// not group thousands. `1.500` is refused as ambiguous: it may mean 1.5 or 1,500.
    ///
    /// Four or more decimals are the fraction of a program. Their value counts, as in [`Money::from_json_number`].
    pub fn parse(text: &str) -> Result<Money, Reason> {
        let (is_negative, text) = unsigned(text);
        if is_negative && text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Reason::Negative);
        }
        let (whole, decimals) = match (text.split_once(','), text.split_once('.')) {
            (Some((whole, decimals)), _) => {
                (ungrouped(whole).ok_or_else(|| not_amount(text))?, Some(decimals))
            }
            (None, Some((_, rest))) if rest.contains('.') => {
                (ungrouped(text).ok_or_else(|| not_amount(text))?, None)
            }
            (None, Some((whole, decimals))) => (whole.to_owned(), Some(decimals)),
            (None, None) => (text.to_owned(), None),
        };
        if !is_digits(&whole) || !decimals.is_none_or(is_digits) {
            return Err(not_amount(text));
        }
        let decimals = decimals.unwrap_or_default();
        if decimals.len() == 3 {
            return Err(too_many_decimals(text));
        }
        nearest(&format!("{whole}{decimals}"), decimals.len() as i64)
    }

    /// Parses the literal text of a JSON number by its value: `1.5e3` is 1500, `1500.500` is 1500.50 and `-0`
    /// is 0. A value that misses whole centavos by less than a millionth of a real is rounded, because sums
    /// of binary fractions are that inexact (contract 1). Refuses negative values and any other value that is
    /// not whole centavos.
    pub fn from_json_number(text: &str) -> Result<Money, Reason> {
        let (negative, number) = text.strip_prefix('-').map_or((false, text), |number| (true, number));
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
        let (down, power) = match exponent.strip_prefix('-') {
            Some(power) => (true, power),
            None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
        };
        if ![whole, fraction, power].into_iter().all(is_digits) {
            return Err(Reason::NotAmount);
        }
        // Larger exponents give the same result, because no request has that many digits.
        let power = i64::from(power.parse().unwrap_or(u32::MAX));
        let scale = fraction.len() as i64 + if down { power } else { -power };
        let digits = format!("{whole}{fraction}");
        match nearest(&digits, scale) {
            Ok(Money(1..)) | Err(_) if negative => Err(Reason::Negative),
            amount => amount,
        }
    }

    /// Converts a number of centavos. Returns `None` unless it is from 0 to 99,999,999,999,999.
    pub fn from_centavos(centavos: i64) -> Option<Money> {
        (0..=MAX_CENTAVOS).contains(&centavos).then_some(Money(centavos))
    }

    /// Returns the amount in centavos, 0 to 99,999,999,999,999.
    pub fn centavos(self) -> i64 {
        self.0
    }
}

/// Formats reais with a dot and two decimals, as in `1500.50`. The text is also a valid JSON number.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// An amount greater than zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Amount(Money);

impl Amount {
    /// Wraps an amount. Fails with `NotPositive` if it is zero.
    pub fn new(money: Money) -> Result<Amount, Reason> {
        if money == Money(0) { Err(Reason::NotPositive) } else { Ok(Amount(money)) }
    }

    /// Returns the amount as [`Money`].
    pub fn money(self) -> Money {
        self.0
    }
}

/// The exact sum of any number of amounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(u128);

impl Sum {
    /// Wraps a number of centavos.
    pub fn from_centavos(centavos: u128) -> Sum {
        Sum(centavos)
    }

    /// Returns the sum in centavos.
    pub fn centavos(self) -> u128 {
        self.0
    }
}

/// Formats the sum as [`Money`] is formatted.
impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// Removes the sign of the currency and a minus, before or after it. Also returns `true` if there was a minus.
fn unsigned(text: &str) -> (bool, &str) {
    fn minus(text: &str) -> Option<&str> {
        text.strip_prefix('-').map(str::trim_start)
    }
    let text = text.trim();
    let rest = minus(text).unwrap_or(text);
    let amount = rest.strip_prefix("R$").or_else(|| rest.strip_prefix("r$")).map_or(rest, str::trim_start);
    match (minus(text), minus(amount)) {
        (None, Some(amount)) => (true, amount),
        (before, _) => (before.is_some(), amount),
    }
}

/// Removes the dots between groups of thousands. Returns `None` if the dots do not group thousands.
fn ungrouped(whole: &str) -> Option<String> {
    if let Some((first, rest)) = whole.split_once('.') {
        let grouped = (1..=3).contains(&first.len()) && !first.starts_with('0');
        if !grouped || !rest.split('.').all(|group| group.len() == 3) {
            return None;
        }
    }
    Some(whole.replace('.', ""))
}

/// Returns why a text is no amount, with the likely one if only its dots or commas are wrong: two digits behind the last of them
/// are cents, and three are a group of thousands.
fn not_amount(text: &str) -> Reason {
    let groups: Vec<&str> = text.split(['.', ',']).collect();
    let reais = match &groups[..] {
        [reais @ .., cents] if groups.len() > 2 && cents.len() == 2 => reais,
        [.., last] if groups.len() > 2 && last.len() == 3 => &groups[..],
        _ => return Reason::NotAmount,
    };
    let are_digits = groups.iter().skip(1).chain(groups.first().filter(|first| !first.is_empty()));
    let cents = groups.get(reais.len()).copied().unwrap_or("00");
    match [&reais.concat(), cents].concat().parse() {
        Ok(centavos @ 0..=MAX_CENTAVOS) if are_digits.copied().all(is_digits) => {
            Reason::MisplacedSeparators { centavos: centavos.unsigned_abs() }
        }
        _ => Reason::NotAmount,
    }
}

fn too_many_decimals(text: &str) -> Reason {
    let is_thousands = |(whole, group): &(&str, &str)| {
        (1..=3).contains(&whole.len()) && !whole.starts_with('0') && group.len() == 3
    };
    let thousands = text.split_once('.').filter(is_thousands);
    let reais = thousands.and_then(|(whole, group)| format!("{whole}{group}").parse().ok());
    reais.map_or(Reason::TooManyDecimals, |reais| Reason::AmbiguousAmount { reais })
}

/// Returns the amount with these decimal digits (any number of them), of which the last `scale` come after
/// the point. Rounds a value that misses whole centavos by less than a millionth of a real.
fn nearest(digits: &str, scale: i64) -> Result<Money, Reason> {
    let digits = digits.trim_start_matches('0');
    // Number of digits before the point in an amount of centavos. It is 0 or less for amounts below one centavo.
    let whole = digits.len() as i64 + 2 - scale;
    if digits.is_empty() || whole < -3 {
        return Ok(Money(0));
    }
    if whole > MAX_DIGITS {
        return Err(Reason::AmountTooLarge);
    }
    // Zeros on both sides ensure that there are digits before the point and at least four after it.
    let padded = format!("0000{digits}{:0<20}", "");
    let parts = padded.split_at_checked((whole + 4) as usize);
    let parts = parts.and_then(|(centavos, rest)| Some((centavos.parse().ok()?, rest.split_at_checked(4)?)));
    let (centavos, (near, further)): (i64, _) = parts.ok_or(Reason::NotAmount)?;
    // A millionth of a real is a ten-thousandth of a centavo.
    let centavos = match near {
        "0000" => centavos,
        "9999" if further.bytes().any(|digit| digit != b'0') => centavos + 1,
        _ => return Err(Reason::TooManyDecimals),
    };
    Money::from_centavos(centavos).ok_or(Reason::AmountTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_both_notations() {
        for (text, centavos) in [
            ("0", 0),
            ("0,00", 0),
            ("0.01", 1),
            ("0,1", 10),
            ("1500", 150_000),
            ("1500.5", 150_050),
            ("1500.50", 150_050),
            ("1500,50", 150_050),
            ("1.500,50", 150_050),
            ("1.500,5", 150_050),
            ("1.500.000", 150_000_000),
            ("1.500.000,00", 150_000_000),
            ("12.345.678,9", 1_234_567_890),
            ("007", 700),
            (" 1\n", 100),
            ("R$ 1.234,56", 123_456),
            ("R$1.234,56", 123_456),
            ("R$\u{A0}1.234,56", 123_456),
            ("r$ 1234.5", 123_450),
            ("999999999999.99", 99_999_999_999_999),
            ("999.999.999.999,99", 99_999_999_999_999),
            ("0.30000000000000004", 30),
            ("1500,4999999999", 150_050),
            ("1.500,50000000001", 150_050),
            ("1500.5000", 150_050),
        ] {
            assert_eq!(Money::parse(text), Ok(Money(centavos)), "{text}");
        }
    }

    #[test]
    fn gives_the_reason_for_refusing_an_amount() {
        for (text, reason) in [
            ("-1", Reason::Negative),
            ("-0,01", Reason::Negative),
            ("-R$ 1.234,56", Reason::Negative),
            ("R$ -1.234,56", Reason::Negative),
            ("- 1", Reason::Negative),
            ("R$ 1.500", Reason::AmbiguousAmount { reais: 1500 }),
            ("1500.505", Reason::TooManyDecimals),
            ("1500.500", Reason::TooManyDecimals),
            ("0.500", Reason::TooManyDecimals),
            ("1,500", Reason::TooManyDecimals),
            ("1.500,505", Reason::TooManyDecimals),
            ("1500.5050", Reason::TooManyDecimals),
            ("1500,500001", Reason::TooManyDecimals),
            ("1500,499999", Reason::TooManyDecimals),
            ("1.500", Reason::AmbiguousAmount { reais: 1500 }),
            ("150.123", Reason::AmbiguousAmount { reais: 150_123 }),
            ("1000000000000", Reason::AmountTooLarge),
            ("1.000.000.000.000,00", Reason::AmountTooLarge),
            ("99999999999999999999999999999999", Reason::AmountTooLarge),
        ] {
            assert_eq!(Money::parse(text), Err(reason), "{text}");
        }
        for (text, centavos) in [
            ("1.2345,00", 1_234_500),
            ("R$ 1.2345,00", 1_234_500),
            ("1,500.50", 150_050),
            ("15.00,50", 150_050),
            ("1500.000,00", 150_000_000),
            ("1.50.000", 15_000_000),
            ("0.500,00", 50_000),
            (".500,00", 50_000),
            ("1.500.00", 150_000),
        ] {
            assert_eq!(Money::parse(text), Err(Reason::MisplacedSeparators { centavos }), "{text}");
        }
        for text in [
            "",
            " ",
            "1 500",
            "R$",
            "R$R$ 1",
            "-R$ -1",
            "US$ 1",
            "+1",
            "-",
            "--1",
            ".",
            ",",
            ".5",
            ",5",
            "5.",
            "5,",
            "1e3",
            "1,5,0",
            "1..000",
            "1.500.",
            "1.2x5,00",
            "9.99999999999999,00",
            "NaN",
            "١",
            "1_000",
        ] {
            assert_eq!(Money::parse(text), Err(Reason::NotAmount), "{text:?}");
        }
    }

    #[test]
    fn reads_json_numbers_by_value() {
        for (text, centavos) in [
            ("0", 0),
            ("-0", 0),
            ("-0.00e5", 0),
            ("0e99999999999999999999", 0),
            ("1500", 150_000),
            ("1500.5", 150_050),
            ("1500.50", 150_050),
            ("1500.500", 150_050),
            ("1.5e3", 150_000),
            ("1E+3", 100_000),
            ("1e-2", 1),
            ("150050e-2", 150_050),
            ("100000e-5", 100),
            ("9.9999999999999e11", 99_999_999_999_999),
            ("999999999999.99", 99_999_999_999_999),
            ("0.30000000000000004", 30),
            ("0.29999999999999998", 30),
            ("1500.5000009999", 150_050),
            ("1500.4999990001", 150_050),
            ("0.0000009999", 0),
            ("0.0099990001", 1),
            ("-2.7755575615628914e-17", 0),
            ("1e-99999999999999999999", 0),
            ("999999999999.9899999999", 99_999_999_999_999),
        ] {
            assert_eq!(Money::from_json_number(text), Ok(Money(centavos)), "{text}");
        }
        for (text, reason) in [
            ("-1", Reason::Negative),
            ("-0.001", Reason::Negative),
            ("0.001", Reason::TooManyDecimals),
            ("1500.505", Reason::TooManyDecimals),
            ("1500.500001", Reason::TooManyDecimals),
            ("1500.499999", Reason::TooManyDecimals),
            ("0.000001", Reason::TooManyDecimals),
            ("-0.000001", Reason::Negative),
            ("0.009999", Reason::TooManyDecimals),
            ("1e-3", Reason::TooManyDecimals),
            ("999999999999.999999999", Reason::AmountTooLarge),
            ("1000000000000", Reason::AmountTooLarge),
            ("1e12", Reason::AmountTooLarge),
            ("1e99999999999999999999", Reason::AmountTooLarge),
            ("", Reason::NotAmount),
            ("+1", Reason::NotAmount),
            ("1,5", Reason::NotAmount),
            ("1.", Reason::NotAmount),
            ("1e", Reason::NotAmount),
            ("1e+-1", Reason::NotAmount),
            ("null", Reason::NotAmount),
        ] {
            assert_eq!(Money::from_json_number(text), Err(reason), "{text:?}");
        }
    }

    #[test]
    fn sums_may_exceed_the_largest_amount() {
        let most = Money(99_999_999_999_999);
        let sum = Sum::from_centavos(u128::from(u32::MAX) * most.0.unsigned_abs() as u128);
        assert_eq!(sum.to_string(), "4294967294999957050327.05");
        assert_eq!((Sum::default().to_string(), Sum(5).to_string()), ("0.00".to_owned(), "0.05".to_owned()));
        assert_eq!(Amount::new(Money(0)), Err(Reason::NotPositive));
        assert_eq!(Amount::new(Money(1)).map(Amount::money), Ok(Money(1)));
    }

    #[test]
    fn amounts_are_limited_to_their_range() {
        for (centavos, inside) in
            [(-1, false), (0, true), (99_999_999_999_999, true), (100_000_000_000_000, false)]
        {
            assert_eq!(Money::from_centavos(centavos).map(Money::centavos), inside.then_some(centavos));
        }
    }

    /// Formats the amount in Brazilian notation.
    fn brazilian(centavos: i64) -> String {
        let reais = (centavos / 100).to_string();
        let groups: Vec<_> =
            reais.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap()).collect();
        format!("{},{:02}", groups.join("."), centavos % 100)
    }

    proptest! {
        #[test]
        fn every_notation_is_read_back(centavos in prop_oneof![0..=99_999_999_999_999_i64, 0..=200_000_i64]) {
            let money = Money::from_centavos(centavos).unwrap();
            prop_assert_eq!(Money::parse(&money.to_string()), Ok(money));
            prop_assert_eq!(Money::parse(&brazilian(centavos)), Ok(money));
            prop_assert_eq!(Money::from_json_number(&money.to_string()), Ok(money));
            prop_assert_eq!(Money::from_json_number(&format!("{centavos}e-2")), Ok(money));
            prop_assert_eq!(Money::from_json_number(&format!("{centavos}0000e-6")), Ok(money));
        }

        #[test]
        fn only_valid_amounts_are_accepted(text in "[0-9.,eE+ é-]{0,20}") {
            for money in [Money::parse(&text), Money::from_json_number(&text)].into_iter().flatten() {
                prop_assert_eq!(Money::parse(&money.to_string()), Ok(money));
            }
        }
    }
}

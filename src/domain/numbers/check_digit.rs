//! The two check digits of CPF and CNPJ, both modulo 11.

/// Returns `true` if the last two characters are the check digits of the characters before them.
pub(in crate::domain) fn has_check_digits(characters: &[u8], heaviest: u32) -> bool {
    characters.split_last_chunk().is_some_and(|(body, found)| *found == check_digits(body, heaviest))
}

/// Computes the two check digits, in ASCII: the first over the body, the second over the body and the first
/// check digit. Characters are `[0-9A-Z]` and count as their ASCII code minus 48. Weights start with 2 at the
/// right and start over after `heaviest` (11 for a CPF, 9 for a CNPJ).
///
/// Source: Receita Federal, Instrução Normativa RFB 2.229/2024 for the CNPJ with letters. For digits alone,
/// it is the rule that CPF and CNPJ always had.
pub(in crate::domain) fn check_digits(body: &[u8], heaviest: u32) -> [u8; 2] {
    let first = modulo_11(body.iter(), heaviest);
    [first, modulo_11(body.iter().chain([&first]), heaviest)]
}

/// Appends the check digits to the body. Returns `None` if all characters would be equal.
pub(in crate::domain) fn completed(body: &str, heaviest: u32) -> Option<String> {
    let check = check_digits(body.as_bytes(), heaviest);
    let number: String = body.chars().chain(check.map(char::from)).collect();
    (!all_equal(number.as_bytes())).then_some(number)
}

/// Returns one check digit, in ASCII: 0 if the remainder is 0 or 1, otherwise 11 minus the remainder.
fn modulo_11<'a>(characters: impl DoubleEndedIterator<Item = &'a u8>, heaviest: u32) -> u8 {
    let weights = (2..=heaviest).cycle();
    let sum: u32 =
        characters.rev().zip(weights).map(|(c, weight)| u32::from(c.saturating_sub(b'0')) * weight).sum();
    match sum % 11 {
        0 | 1 => b'0',
        remainder => b'0' + (11 - remainder) as u8,
    }
}

/// Returns `true` if all characters are equal, as in 111.111.111-11. Such a number has valid check digits, but
/// is never issued.
pub(in crate::domain) fn all_equal(characters: &[u8]) -> bool {
    characters.windows(2).all(|pair| pair.first() == pair.last())
}

/// A second implementation of the rule, used by tests to make valid numbers.
#[cfg(test)]
pub(in crate::domain) mod right {
    /// Appends both check digits to the body.
    pub fn with_check_digits(body: &str, heaviest: usize) -> String {
        let mut number = body.to_owned();
        for _ in 0..2 {
            let characters: Vec<u8> = number.bytes().collect();
            let mut sum = 0;
            for (i, c) in characters.iter().enumerate() {
                let from_right = characters.len() - 1 - i;
                sum += usize::from(c - 48) * (2 + from_right % (heaviest - 1));
            }
            let rest = sum % 11;
            number.push_str(&(if rest < 2 { 0 } else { 11 - rest }).to_string());
        }
        number
    }

    /// Returns all texts that differ from `number` in exactly one digit.
    pub fn digit_errors(number: &str) -> Vec<String> {
        let mut digit_errors = Vec::new();
        for (i, c) in number.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            for other in ('0'..='9').filter(|other| *other != c) {
                let mut wrong = number.to_owned();
                wrong.replace_range(i..=i, &other.to_string());
                digit_errors.push(wrong);
            }
        }
        digit_errors
    }
}

//! The check digits that CPF and CNPJ share: two, each modulo 11.

/// Whether the last two characters are the check digits of those before them.
pub(super) fn has_check_digits(characters: &[u8], heaviest: u32) -> bool {
    characters.split_last_chunk().is_some_and(|(body, found)| *found == check_digits(body, heaviest))
}

/// The check digits, in ASCII: first one over the body, then one over the body and the first. Characters are `[0-9A-Z]`
/// and count as their ASCII code less 48; weights begin with 2 at the right and start again after `heaviest` (11 for a
/// CPF, 9 for a CNPJ).
///
/// Source: Receita Federal, Instrução Normativa RFB 2.229/2024 for the CNPJ with letters; with digits alone it is
/// the rule that CPF and CNPJ always had.
pub(super) fn check_digits(body: &[u8], heaviest: u32) -> [u8; 2] {
    let first = modulo_11(body.iter(), heaviest);
    [first, modulo_11(body.iter().chain([&first]), heaviest)]
}

/// The body with its check digits; nothing where they make all characters alike, which is nobody's number.
pub(super) fn completed(body: &str, heaviest: u32) -> Option<String> {
    let check = check_digits(body.as_bytes(), heaviest);
    let number: String = body.chars().chain(check.map(char::from)).collect();
    (!all_alike(number.as_bytes())).then_some(number)
}

/// The check digit, in ASCII: 0 where the remainder is 0 or 1, else 11 less the remainder.
fn modulo_11<'a>(characters: impl DoubleEndedIterator<Item = &'a u8>, heaviest: u32) -> u8 {
    let weights = (2..=heaviest).cycle();
    let sum: u32 =
        characters.rev().zip(weights).map(|(c, weight)| u32::from(c.saturating_sub(b'0')) * weight).sum();
    match sum % 11 {
        0 | 1 => b'0',
        remainder => b'0' + (11 - remainder) as u8,
    }
}

/// Whether all characters are the same one, such as 111.111.111-11: its check digits are right, but nobody has it.
pub(super) fn all_alike(characters: &[u8]) -> bool {
    characters.windows(2).all(|pair| pair.first() == pair.last())
}

/// The rule again, written another way, for the tests to make right numbers with.
#[cfg(test)]
pub(super) mod right {
    /// The body with both check digits appended.
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

    /// Every text that differs from this one in one character, which is another digit.
    pub fn slips(number: &str) -> Vec<String> {
        let mut slips = Vec::new();
        for (i, c) in number.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            for other in ('0'..='9').filter(|other| *other != c) {
                let mut slip = number.to_owned();
                slip.replace_range(i..=i, &other.to_string());
                slips.push(slip);
            }
        }
        slips
    }
}

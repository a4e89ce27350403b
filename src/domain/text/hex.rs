//! Bytes as text.

use std::fmt::Write as _;

/// Writes each byte as two hexadecimal digits in lower case.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Reads what [`hex`] writes. `None` if it has another form.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, []) = text.as_bytes().as_chunks() else { return None };
    pairs.iter().map(|[high, low]| Some(16 * digit(*high)? + digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_two_digits() {
        assert_eq!(hex(&[0, 10, 0xFF]), "000aff");
        assert_eq!(hex(&[]), "");
    }

    #[test]
    fn only_the_written_form_is_read() {
        assert_eq!(from_hex("000aff"), Some(vec![0, 10, 0xFF]));
        assert_eq!(from_hex(""), Some(vec![]));
        for other in ["0", "+a", "0A", "zz", "é"] {
            assert_eq!(from_hex(other), None, "{other}");
        }
    }
}

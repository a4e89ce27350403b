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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_two_digits() {
        assert_eq!(hex(&[0, 10, 0xFF]), "000aff");
        assert_eq!(hex(&[]), "");
    }
}

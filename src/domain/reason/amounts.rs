//! Amounts in the texts of reasons.

use crate::domain::lang::{Lang, count};

/// Formats centavos as in `1.505,00`.
pub(super) fn br(centavos: u64) -> String {
    format!("{},{:02}", count(centavos / 100, Lang::Pt), centavos % 100)
}

/// Formats centavos as in `1505.00`.
pub(super) fn plain(centavos: u64) -> String {
    format!("{}.{:02}", centavos / 100, centavos % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart_in_portuguese() {
        for (centavos, text) in [
            (5, "0,05"),
            (99_999, "999,99"),
            (150_500, "1.505,00"),
            (99_999_999_999_999, "999.999.999.999,99"),
        ] {
            assert_eq!(br(centavos), text);
        }
        assert_eq!(plain(150_500), "1505.00");
    }
}

//! Amounts in the texts of reasons.

/// Formats centavos as in `1.505,00`.
pub(super) fn br(centavos: u64) -> String {
    let reais = (centavos / 100).to_string();
    let first = match reais.len() % 3 {
        0 => 3,
        first => first,
    };
    let (mut text, mut rest) =
        reais.split_at_checked(first).map_or((reais.clone(), ""), |(first, rest)| (first.to_owned(), rest));
    while let Some((group, others)) = rest.split_at_checked(3) {
        text.extend([".", group]);
        rest = others;
    }
    format!("{text},{:02}", centavos % 100)
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

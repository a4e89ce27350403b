//! Amounts of money in words, as receipts have them.

use crate::domain::{Lang, Money};

const UNITS: [&str; 20] = [
    "zero",
    "um",
    "dois",
    "três",
    "quatro",
    "cinco",
    "seis",
    "sete",
    "oito",
    "nove",
    "dez",
    "onze",
    "doze",
    "treze",
    "quatorze",
    "quinze",
    "dezesseis",
    "dezessete",
    "dezoito",
    "dezenove",
];
const TENS: [&str; 10] =
    ["", "", "vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa"];
const HUNDREDS: [&str; 10] = [
    "",
    "cento",
    "duzentos",
    "trezentos",
    "quatrocentos",
    "quinhentos",
    "seiscentos",
    "setecentos",
    "oitocentos",
    "novecentos",
];
/// Names of the groups of three digits, the lowest first: one, and several.
const GROUPS: [[&str; 2]; 4] = [["", ""], ["mil", "mil"], ["milhão", "milhões"], ["bilhão", "bilhões"]];

const ENGLISH_UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ENGLISH_TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ENGLISH_GROUPS: [&str; 4] = ["", " thousand", " million", " billion"];

/// Returns an amount in words, such as `mil e quinhentos reais e cinquenta centavos`.
pub fn in_words(amount: Money, lang: Lang) -> String {
    let reais = amount.centavos() / 100;
    let centavos = amount.centavos() % 100;
    let number = lang.pick(number as fn(i64) -> String, english_number);
    // A whole million is "um milhão de reais".
    let of = if lang == Lang::Pt && reais >= 1_000_000 && reais % 1_000_000 == 0 { "de " } else { "" };
    let reais_in_words = format!("{} {of}{}", number(reais), if reais == 1 { "real" } else { "reais" });
    let centavos_in_words =
        format!("{} {}", number(centavos), if centavos == 1 { "centavo" } else { "centavos" });
    match (reais, centavos) {
        (_, 0) => reais_in_words,
        (0, _) => centavos_in_words,
        _ => format!("{reais_in_words} {} {centavos_in_words}", lang.pick("e", "and")),
    }
}

fn number(mut number: i64) -> String {
    if number == 0 {
        return "zero".to_owned();
    }
    let mut groups = Vec::new();
    for [one, several] in GROUPS {
        let group = number % 1000;
        number /= 1000;
        let name = if group == 1 { one } else { several };
        let words = match (group, name) {
            (0, _) => continue,
            (1, "mil") => "mil".to_owned(),
            (group, "") => below_thousand(group),
            (group, name) => format!("{} {name}", below_thousand(group)),
        };
        groups.push((group, words));
    }
    let mut whole = String::new();
    for (at, (group, words)) in groups.iter().enumerate().rev() {
        if !whole.is_empty() {
            // "mil e duzentos", "mil e cinco", but "mil duzentos e trinta".
            whole.push_str(if at == 0 && (*group < 100 || group % 100 == 0) { " e " } else { " " });
        }
        whole.push_str(words);
    }
    whole
}

fn of(words: &'static [&'static str], at: i64) -> &'static str {
    usize::try_from(at).ok().and_then(|at| words.get(at)).copied().unwrap_or_default()
}

/// Returns a number in English words, such as `one million two hundred and five`.
fn english_number(mut number: i64) -> String {
    if number == 0 {
        return of(&ENGLISH_UNITS, 0).to_owned();
    }
    let mut groups = Vec::new();
    for name in ENGLISH_GROUPS {
        let group = number % 1000;
        number /= 1000;
        if group > 0 {
            // "one thousand and five", but "one thousand two hundred".
            let and = if name.is_empty() && group < 100 && number > 0 { "and " } else { "" };
            groups.insert(0, format!("{and}{}{name}", english_below_thousand(group)));
        }
    }
    groups.join(" ")
}

fn english_below_thousand(number: i64) -> String {
    let rest = number % 100;
    let below_hundred = match (rest, rest % 10) {
        (0..20, _) => of(&ENGLISH_UNITS, rest).to_owned(),
        (_, 0) => of(&ENGLISH_TENS, rest / 10).to_owned(),
        (_, one) => format!("{}-{}", of(&ENGLISH_TENS, rest / 10), of(&ENGLISH_UNITS, one)),
    };
    let hundreds = of(&ENGLISH_UNITS, number / 100);
    match (number / 100, rest) {
        (0, _) => below_hundred,
        (_, 0) => format!("{hundreds} hundred"),
        _ => format!("{hundreds} hundred and {below_hundred}"),
    }
}

/// Returns a number of up to three digits in words.
fn below_thousand(number: i64) -> String {
    if number == 100 {
        return "cem".to_owned();
    }
    let mut words = vec![of(&HUNDREDS, number / 100)];
    match number % 100 {
        0 => {}
        rest if rest < 20 => words.push(of(&UNITS, rest)),
        rest => {
            words.push(of(&TENS, rest / 10));
            words.extend((rest % 10 > 0).then(|| of(&UNITS, rest % 10)));
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(" e ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_out() {
        for (centavos, words) in [
            (1, "um centavo"),
            (100, "um real"),
            (121, "um real e vinte e um centavos"),
            (1_900, "dezenove reais"),
            (10_000, "cem reais"),
            (10_100, "cento e um reais"),
            (100_000, "mil reais"),
            (100_500, "mil e cinco reais"),
            (120_000, "mil e duzentos reais"),
            (123_456, "mil duzentos e trinta e quatro reais e cinquenta e seis centavos"),
            (2_100_000, "vinte e um mil reais"),
            (100_000_000, "um milhão de reais"),
            (100_100_000, "um milhão e mil reais"),
            (
                123_456_789,
                "um milhão duzentos e trinta e quatro mil quinhentos e sessenta e sete reais e oitenta e nove centavos",
            ),
            (200_000_000_000, "dois bilhões de reais"),
            (
                99_999_999_999_999,
                "novecentos e noventa e nove bilhões novecentos e noventa e nove milhões novecentos e noventa e nove mil novecentos e noventa e nove reais e noventa e nove centavos",
            ),
        ] {
            assert_eq!(in_words(Money::from_centavos(centavos).unwrap(), Lang::Pt), words);
        }
    }

    #[test]
    fn amounts_are_written_out_in_english() {
        for (centavos, words) in [
            (1, "one centavo"),
            (99, "ninety-nine centavos"),
            (100, "one real"),
            (101, "one real and one centavo"),
            (2_000, "twenty reais"),
            (11_500, "one hundred and fifteen reais"),
            (100_000, "one thousand reais"),
            (100_500, "one thousand and five reais"),
            (120_000, "one thousand two hundred reais"),
            (123_456, "one thousand two hundred and thirty-four reais and fifty-six centavos"),
            (50_000_000, "five hundred thousand reais"),
            (100_000_000, "one million reais"),
            (100_000_100, "one million and one reais"),
            (100_100_000, "one million one thousand reais"),
            (
                123_456_789,
                "one million two hundred and thirty-four thousand five hundred and sixty-seven reais and eighty-nine centavos",
            ),
            (
                99_999_999_999_999,
                "nine hundred and ninety-nine billion nine hundred and ninety-nine million nine hundred and ninety-nine thousand nine hundred and ninety-nine reais and ninety-nine centavos",
            ),
        ] {
            assert_eq!(in_words(Money::from_centavos(centavos).unwrap(), Lang::En), words);
        }
    }
}

//! Guards texts in CSV files against spreadsheets, with a leading apostrophe.
//!
//! CSV has no types. A spreadsheet runs text that begins like a formula. It converts text that looks like a
//! number, a date, a time or a truth value. The rules are those of LibreOffice 7.4 and of Excel, in
//! Portuguese and in English.

use std::borrow::Cow;

use crate::domain::is_digits;
use crate::domain::text::fold;
use crate::domain::time::names::{month_named, weekday_named};

/// First characters of texts that a spreadsheet runs (OWASP, "CSV Injection"): formulas, also with the
/// full-width characters of East Asian versions; commands (`|`); and white space that is skipped before
/// them. `'` marks a text.
const FORMULA_STARTS: [char; 13] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '|', '\t', '\r', '\n', '\''];

/// Texts that become truth values.
const FLAGS: [&str; 4] = ["verdadeiro", "falso", "true", "false"];

/// Number of digits from which a text becomes a number in scientific notation, such as `1,23E+11`.
const SCIENTIFIC_DIGITS: usize = 12;

/// Guards a text for an untyped cell that a program reads. Adds an apostrophe if a spreadsheet would run the text.
pub fn guard_formula(text: &str) -> Cow<'_, str> {
    marked_if(is_formula(text), text)
}

/// Guards a text for an untyped cell that a person opens. Adds an apostrophe if a spreadsheet would run or
/// convert the text.
pub fn guard(text: &str) -> Cow<'_, str> {
    marked_if(is_guarded(text), text)
}

/// Guards a text for a cell of the type text. Adds an apostrophe only if [`unguard`] would otherwise remove one.
pub fn guard_typed(text: &str) -> Cow<'_, str> {
    marked_if(unguard(text) != text, text)
}

/// Removes the apostrophe that `guard_formula`, `guard` or `guard_typed` added.
pub fn unguard(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_guarded(rest)).unwrap_or(text)
}

fn marked_if(is_marked: bool, text: &str) -> Cow<'_, str> {
    if is_marked { ["'", text].concat().into() } else { text.into() }
}

fn is_guarded(text: &str) -> bool {
    is_formula(text) || is_turned(text)
}

fn is_formula(text: &str) -> bool {
    text.starts_with(FORMULA_STARTS)
}

/// Returns `true` if a spreadsheet would show something else or store another value.
fn is_turned(text: &str) -> bool {
    if is_digits(text) {
        return text.len() >= SCIENTIFIC_DIGITS || text.len() > 1 && text.starts_with('0');
    }
    let trimmed = text.trim();
    // Excel's errors: `#N/D`, `#DIV/0!`.
    let is_error = trimmed.starts_with('#') && !trimmed.contains(char::is_whitespace);
    let is_flag = || FLAGS.iter().any(|flag| flag.eq_ignore_ascii_case(trimmed));
    is_error || is_flag() || shape(trimmed).is_some_and(|shape| is_number(&shape) || is_moment(&shape))
}

/// Returns the shape of a text that may be a number, a date or a time. In a shape, `1` stands for one or two
/// digits, `4` for three or four, `5` for more, `m` for a month, `w` for a day of the week, `a` for `a` or
/// `p`, `p` for `am` or `pm`, `e` for an exponent, `t` for `t` or `z`, and `$` for a currency. Separators are
/// kept. Returns `None` at the first character or word that occurs in no such text.
fn shape(text: &str) -> Option<String> {
    let mut shape = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_same_kind = |c: char| match first {
            '0'..='9' => c.is_ascii_digit(),
            first if first.is_alphabetic() => c.is_alphabetic(),
            _ => c == first,
        };
        let length = rest.find(|c| !is_same_kind(c)).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(length);
        rest = behind;
        match first {
            '0'..='9' => shape.push(match length {
                1 | 2 => '1',
                3 | 4 => '4',
                _ => '5',
            }),
            first if first.is_alphabetic() => shape.push(word(run)?),
            first if first.is_whitespace() => shape.push(' '),
            '$' | '€' | '£' | '¥' => shape.push('$'),
            '−' => shape.push('-'),
            '.' | ',' | '/' | '-' | '+' | ':' | '%' | '(' | ')' => shape.push_str(run),
            _ => return None,
        }
    }
    Some(shape)
}

fn word(word: &str) -> Option<char> {
    let is_one = |all: &[&str]| all.iter().any(|own| own.eq_ignore_ascii_case(word));
    let kinds: [(&[&str], char); 6] = [
        (&["e"], 'e'),
        (&["t", "z"], 't'),
        (&["de"], ' '),
        (&["a", "p"], 'a'),
        (&["am", "pm"], 'p'),
        (&["r", "us", "brl", "usd", "eur"], '$'),
    ];
    let is_short = word.len() <= 3;
    if let Some((_, kind)) = kinds.iter().find(|(all, _)| is_short && is_one(all)) {
        return Some(*kind);
    }
    // Excel accepts any beginning of a name.
    let name = fold(word);
    let month = month_named(&name).map(|_| 'm');
    month.or_else(|| weekday_named(&name).map(|_| 'w'))
}

const DIGITS: [char; 3] = ['1', '4', '5'];

/// Returns `true` for digits with separators and an exponent, with or without signs, brackets, a currency or
/// a percent sign around them.
fn is_number(shape: &str) -> bool {
    let core = shape.trim_matches([' ', '$', '%', '(', ')', '-', '+']);
    let (mantissa, exponent) = core.split_once('e').unwrap_or((core, "1"));
    let is_run = |run: &str| {
        run.contains(DIGITS) && run.chars().all(|c| DIGITS.contains(&c) || matches!(c, '.' | ','))
    };
    is_run(mantissa.trim_end()) && is_run(exponent.trim_start_matches([' ', '-', '+']))
}

/// Returns `true` for a time of day, a date, or a fraction (`1 1/2`), which looks like a date.
fn is_moment(shape: &str) -> bool {
    let count = |kind: char| shape.chars().filter(|c| *c == kind).count();
    let short = count('1');
    let years = count('4');
    let long = count('5');
    let digits = short + years + long;
    let hour = shape.strip_suffix(" a").or_else(|| shape.strip_suffix('p'));
    // Excludes `1907348/00792-AM`.
    let is_hour = hour.is_some_and(|hour| hour.contains(['1', '4']) && !hour.contains(['5', '/']));
    if is_hour || digits > 0 && shape.contains(':') {
        return true;
    }
    if shape.contains('m') {
        return digits > 0 || shape.contains('w');
    }
    // The whole number before a fraction may be long.
    let long = long - usize::from(shape.starts_with("5 "));
    shape.contains(['/', '-']) && (2..=3).contains(&digits) && years <= 1 && long == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_guarded_for_programs_and_people() {
        for text in [
            "=1+1",
            "+55 48 3333-0000",
            "-5",
            "@sum",
            "\t=1",
            "\r=1",
            "\n=1",
            "'x",
            "＝1+1",
            "＋1",
            "－1",
            "＠sum",
            "|cmd",
        ] {
            assert_eq!(guard_formula(text), format!("'{text}"));
            assert_eq!(guard(text), format!("'{text}"));
        }
    }

    #[test]
    fn texts_that_a_spreadsheet_would_convert_are_guarded_for_people() {
        let texts = "1/2|12/05|3-4|10:30|10:30 PM|9 p|50%|50 %|1.000|1,5|0,50|5.|.5|1E10|1e-5|1 E5|VERDADEIRO|falso|\
                     TRUE|False| VERDADEIRO|123456789012|12345678901234567890|007|00| 5|5 |(48)|5-|R$ 5,00|5,00 R$|\
                     US$5|€ 5|1 1/2|12345 1/2|12/2026|jan/20|Jan-20|jan 5|5 jan|SEPT2|MARCH1|out4|fev 77184|\
                     20 de novembro de 2026|November 20, 2026|mar sex|15/03/1850|2026-11-20|2026-11|15.03.50|\
                     20/11/2026 09:05:00|2026-11-20T10:30:00Z|#N/D|#DIV/0!";
        for text in texts.split('|') {
            assert_eq!(guard(text), format!("'{text}"));
            assert_eq!(guard_formula(text), text, "not guarded for programs");
            assert_eq!(guard_typed(text), text, "the cell is marked as text");
        }
    }

    #[test]
    fn texts_that_a_spreadsheet_keeps_are_not_guarded() {
        let texts = "| |0|5|48988880000|529.982.247-25|12.345.678/0001-90|88000-000|0001234-56.2026.8.16.0001|\
                     (48) 98888-0000|(48) 3333-0000|48 98888-0000|98888-0000|0800 123 4567|Ana|Ana; Bia|Janaína|Maio|\
                     Marçal 5|A-12|OAB/SC 12345|Rua 7, 12|12h30|1ª|2º|5 kg|n. 5|a=b|ana@x.com|1/2 dia|Ação 1/2|\
                     12 345|1;2|https://x.com/1|Sim|Não|E10|#1 da fila|5 * 2|😀";
        for text in texts.split('|') {
            assert_eq!(guard(text), text);
        }
    }

    #[test]
    fn an_apostrophe_that_guards_nothing_is_kept() {
        for text in ["'", "'x", "'Ana'", "'90s", "d'água", "'5", "' "] {
            assert_eq!(unguard(text), text);
            assert_eq!(guard_typed(text), text);
        }
        assert_eq!(guard_typed("'007"), "''007");
        assert_eq!(guard_typed("''x"), "'''x");
    }

    proptest! {
        #[test]
        fn unguarding_restores_the_text(text in prop_oneof![
            any::<String>(),
            "'{0,3}[-+=@|#]?[0-9]{0,13}([-/.,: %e$]{1,2}[0-9]{1,5}){0,3}[ %]?",
            "'{0,3} ?(verdadeiro|FALSO|jan|Sept|R\\$|#N/D|\t|\n)? ?[0-9]{0,4}",
        ]) {
            for guarded in [guard(&text), guard_formula(&text), guard_typed(&text)] {
                prop_assert_eq!(unguard(&guarded), &text);
            }
        }
    }
}

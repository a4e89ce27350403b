//! Converts texts that people type into cells to the forms that the domain parses.

use crate::domain::numbers::tax_id::completed_tax_id;
use crate::domain::{Day, Money, ProcessNumber, State, TimeOfDay, is_digits, whole};
use crate::transfer::prelude::*;

use super::sheet::ReadCell;

/// Returns the text of a cell in the form that `ty` parses.
///
/// # Errors
/// Returns a reason, worded to follow the heading, if the cell has a formula error or has lost digits.
pub(super) fn value(ty: Type, cell: &ReadCell, lang: Lang) -> Result<String, String> {
    let text = if keeps_fraction(ty, &cell.text) { cell.text.trim() } else { whole(cell.text.trim()) };
    let own = if matches!(ty, Type::Text(_)) { cell.text.as_str() } else { text };
    if cell.is_error && text.starts_with('=') {
        return Err(localize!(
            lang,
            "a fórmula {text} está sem resultado; abra o arquivo no programa de planilhas e salve-o",
            "the formula {text} has no stored result; open the file in the spreadsheet program and save it"
        ));
    }
    if cell.is_error {
        return Err(localize!(lang, "a célula tem o erro {text}", "the cell has the error {text}"));
    }
    if takes_digits(ty) && cell.is_number && text.contains(['e', 'E']) {
        return Err(localize!(
            lang,
            "{text} está em notação científica e perdeu dígitos; formate a coluna como texto e digite de novo",
            "{text} is in scientific notation and has lost digits; format the column as text and type it again"
        ));
    }
    if takes_digits(ty) && cell.is_number && text.len() > 15 {
        return Err(localize!(
            lang,
            "{text} é um número de mais de 15 dígitos, dos quais a planilha perdeu os últimos; digite-o como texto",
            "{text} is a number of more than 15 digits, of which the spreadsheet has lost the last; type it as text"
        ));
    }
    Ok(match ty {
        Type::TaxId => completed_tax_id(text),
        Type::PostalCode if text.len() == 7 && is_digits(text) => ["0", text].concat(),
        Type::Flag => flag(text).to_owned(),
        Type::Money => money(text, cell.is_number),
        Type::Time => {
            let of_number = if cell.is_number { time_of_number(text) } else { None };
            of_number.or_else(|| TimeOfDay::completed(text)).unwrap_or_else(|| text.to_owned())
        }
        Type::EntryType | Type::Flow => match &*fold(text) {
            "receita" | "entrada" => "CRÉDITO".to_owned(),
            "despesa" | "saida" => "DÉBITO".to_owned(),
            _ => text.to_owned(),
        },
        Type::MovementOrigin => match &*fold(text) {
            "court" => "TRIBUNAL".to_owned(),
            "escritorio" | "office" => "MANUAL".to_owned(),
            _ => text.to_owned(),
        },
        Type::State => State::named(text).map_or_else(|| text.to_owned(), |state| state.to_string()),
        Type::Gender => match &*fold(text) {
            "masculino" | "masc" | "homem" | "male" => "M".to_owned(),
            "feminino" | "fem" | "mulher" | "female" => "F".to_owned(),
            "outro" | "other" => "O".to_owned(),
            _ => text.to_owned(),
        },
        _ => own.to_owned(),
    })
}

/// Returns `true` if `.0` at the end of a text belongs to it. Elsewhere it comes from a program that writes whole numbers
/// as fractions.
fn keeps_fraction(ty: Type, text: &str) -> bool {
    /// Longer numbers in a line are those of a document or an account.
    const MAX_TYPED_LENGTH: usize = "9999.0".len();
    match ty {
        Type::Line(_) => text.trim().len() <= MAX_TYPED_LENGTH,
        _ => matches!(ty, Type::Name | Type::Text(_) | Type::Email | Type::WebAddress),
    }
}

/// Returns `true` if values of the type are texts of digits, in which every digit counts.
fn takes_digits(ty: Type) -> bool {
    matches!(
        ty,
        Type::TaxId | Type::ProcessNumber | Type::PostalCode | Type::Phone | Type::Line(_) | Type::Links(_)
    ) || matches!(ty, Type::Record(_))
}

/// Returns the whole case number of a cell that lacks its leading zeros, or `None` if it lacks none.
///
/// A spreadsheet keeps 15 digits of a number and writes zeros for the others. Check digits detect all changes of the last
/// two digits but one in a hundred. Beyond 17 digits, zeros at the end are therefore not trusted.
pub(super) fn completed_number(cell: &ReadCell, today: Day) -> Option<String> {
    const EXACT_DIGITS: usize = 15;
    let text = cell.text.trim();
    let lost = text.get(EXACT_DIGITS..).filter(|lost| cell.is_number && lost.len() > 2);
    if cell.is_error || lost.is_some_and(|lost| lost.bytes().all(|digit| digit == b'0')) {
        return None;
    }
    let number = ProcessNumber::parse(text).ok()?;
    let whole = number.clone().completed(today);
    (whole != number).then(|| whole.to_string())
}

/// Beginnings of texts by which people mean that there is no number yet, folded.
const NUMBERLESS: [&str; 9] = [
    "a distribuir",
    "aguard",
    "em andamento",
    "pendente",
    "sem ",
    "nao ",
    "extrajudicial",
    "a definir",
    "s n",
];

/// Returns `true` if a text can be a number that identifies a record. `a distribuir`, `s/n`, `-` and `000` cannot.
pub(super) fn can_be_number(text: &str) -> bool {
    let has_digit = text.chars().any(|c| c.is_ascii_digit() && c != '0');
    has_digit && {
        let folded = fold(text);
        !NUMBERLESS.iter().any(|beginning| folded.starts_with(beginning))
    }
}

fn flag(text: &str) -> &str {
    match &*fold(text) {
        "sim" | "s" | "yes" | "y" | "x" | "verdadeiro" => "true",
        "nao" | "n" | "no" | "falso" => "false",
        _ => text,
    }
}

/// Rounds a number to centavos, because sums of fractions are slightly off.
fn money(text: &str, is_number: bool) -> String {
    let amount = if is_number { Money::from_json_number(text).ok() } else { None };
    amount.map_or_else(|| text.to_owned(), |amount| amount.to_string())
}

/// Parses a number of at least 1 that is written in digits only.
pub(super) fn digits(text: &str) -> Option<u32> {
    let text = whole(text);
    text.parse().ok().filter(|id| *id > 0 && is_digits(text))
}

/// Returns the text in brackets at the end, where exports write the unique number after a name.
pub(super) fn in_brackets(text: &str) -> Option<&str> {
    Some(text.strip_suffix(')')?.rsplit_once('(')?.1)
}

/// Converts a fraction of a day to a time of day.
pub(super) fn time_of_number(text: &str) -> Option<String> {
    let part: f64 = text.parse().ok()?;
    (0.0..1.0).contains(&part).then(|| {
        let seconds = (part * 86_400.0).round().min(86_399.0) as u32;
        format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    })
}

/// Returns `true` if a cell holds nothing but signs that stand for no value: `-`, `—`, `n/a`. `#N/A` is an error of a formula.
pub(super) fn is_no_value(text: &str) -> bool {
    let is_sign = |c: char| c.is_whitespace() || "-–—―−_./·•*?".contains(c);
    text.chars().all(is_sign) || !text.starts_with('#') && ["n a", "n d", "n c"].contains(&&*fold(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::TABLES;

    fn of(ty: Type, text: &str) -> Result<String, String> {
        value(ty, &ReadCell::text(text), Lang::En)
    }

    #[test]
    fn the_words_of_exports_are_read_back_in_both_languages() {
        let mut number = 0;
        for field in TABLES.iter().copied().chain(List::ALL.map(List::table)).flat_map(|table| table.fields) {
            let read = |text: &str| field.read(&Input::Text(text)).unwrap();
            for (word, (pt, en)) in field.ty.names() {
                for name in [pt, en] {
                    assert_eq!(read(&of(field.ty, name).unwrap()), read(word), "{}: {name}", field.column);
                    number += 1;
                }
            }
        }
        assert!(number > 10, "{number}");
    }

    #[test]
    fn dropped_leading_zeros_are_restored_if_the_number_is_valid() {
        for (text, read) in [
            ("191", "00000000191"),
            ("191000001", "191000001"),
            ("191000000001", "191000000001"),
            ("52998224725", "52998224725"),
            ("529.982.247-25", "529.982.247-25"),
            ("", ""),
        ] {
            assert_eq!(of(Type::TaxId, text).unwrap(), read, "{text}");
        }
        assert_eq!(of(Type::PostalCode, "1310100").unwrap(), "01310100");
        assert_eq!(of(Type::PostalCode, "88800000").unwrap(), "88800000");
        assert_eq!(of(Type::PostalCode, "131010").unwrap(), "131010");
    }

    #[test]
    fn a_case_number_gets_its_leading_zeros_back_unless_digits_were_lost() {
        let today = Day::parse("2026-11-26").unwrap();
        let number = |digits: &str| ReadCell { text: digits.to_owned(), is_number: true, is_error: false };
        let read = |cell: &ReadCell| completed_number(cell, today);
        let rest = |serial, origin| {
            let whole = ProcessNumber::numbered(serial, 2026, 826, origin).unwrap();
            let rest = whole.compact().trim_start_matches('0').to_owned();
            (rest, Some(whole.to_string()))
        };
        for (serial, origin) in [(2, 8100), (1234, 100), (1234, 123), (12_345, 123), (123_456, 1)] {
            let (rest, whole) = rest(serial, origin);
            assert_eq!(read(&number(&rest)), whole, "{rest}");
            assert_eq!(read(&ReadCell::text(format!(" {rest} "))), whole, "{rest}");
        }
        // Excel writes such a number, of 18 digits, if the last three are not zeros.
        let (rest, whole) = rest(12_345, 1000);
        assert_eq!((read(&number(&rest)), read(&ReadCell::text(&rest))), (None, whole));
        for text in ["26520054058101", "1234567", "0001234-03.2026.8.26.0100", "1.23403202682601E+16", ""] {
            assert_eq!(read(&ReadCell::text(text)), None, "{text}");
        }
        assert_eq!(read(&ReadCell { is_error: true, ..ReadCell::text("12340320268260100") }), None);
    }

    #[test]
    fn placeholders_for_a_missing_number_are_ignored() {
        for text in [
            "a distribuir",
            "A DISTRIBUIR em 2026",
            "s/n",
            "-",
            "em andamento",
            "000.000.000-00",
            "não tem",
            "",
        ] {
            assert!(!can_be_number(text), "{text}");
        }
        for text in ["17", "PA nº 12/2024-b", "0000002-65.2005.4.05.8100", "sn 12"] {
            assert!(can_be_number(text), "{text}");
        }
    }

    #[test]
    fn signs_that_stand_for_no_value_are_distinguished_from_values() {
        for text in ["", " ", "-", "—", "--", " – ", "...", "n/a", "N/A", "N.A.", "n/d", "__", "*", "?"] {
            assert!(is_no_value(text), "{text}");
        }
        for text in ["0", "s/n", "x", "na", "nd", "-1", "--- A ---", "#N/A", "não"] {
            assert!(!is_no_value(text), "{text}");
        }
    }

    #[test]
    fn numbers_that_lost_digits_are_refused() {
        let number = |digits: &str| ReadCell { text: digits.to_owned(), is_number: true, is_error: false };
        assert!(value(Type::ProcessNumber, &number("123456789012345"), Lang::En).is_ok());
        assert!(value(Type::ProcessNumber, &number("1234567890123456"), Lang::En).is_err());
        for ty in [Type::TaxId, Type::Line(100)] {
            let refused = value(ty, &number("1,23E+13"), Lang::En);
            assert!(refused.is_err_and(|why| why.contains("scientific")));
            assert_eq!(of(ty, "1E5").unwrap(), "1E5", "the cell is a text");
        }
        assert!(value(Type::Text(100), &number("1,23E+13"), Lang::En).is_ok());
        assert!(
            value(Type::Name, &ReadCell { is_error: true, ..ReadCell::text("#REF!") }, Lang::En).is_err()
        );
    }

    #[test]
    fn times_flags_and_amounts_are_read_in_common_notations() {
        let number = |digits: &str| ReadCell { text: digits.to_owned(), is_number: true, is_error: false };
        for (text, read) in [("0.6041666666666666", "14:30:00"), ("0", "00:00:00"), ("1.5", "1.5")] {
            assert_eq!(value(Type::Time, &number(text), Lang::En).unwrap(), read);
        }
        assert_eq!(of(Type::Text(100), " a\n ").unwrap(), " a\n ");
        for (text, read) in [("Sim", "true"), ("NÃO", "false"), ("x", "true"), ("talvez", "talvez")] {
            assert_eq!(of(Type::Flag, text).unwrap(), read);
        }
        for (text, read) in [("Santa Catarina", "SC"), ("SÃO PAULO", "SP"), ("sc", "SC"), ("Acolá", "Acolá")]
        {
            assert_eq!(of(Type::State, text).unwrap(), read);
        }
        for (text, read) in [("masc.", "M"), ("Feminino", "F"), ("?", "?")] {
            assert_eq!(of(Type::Gender, text).unwrap(), read);
        }
        for (ty, text, read) in [
            (Type::TaxId, "52998224725.0", "52998224725"),
            (Type::TaxId, "191.0", "00000000191"),
            (Type::Phone, "48988880000.0", "48988880000"),
            (Type::PostalCode, "1310100.0", "01310100"),
            (Type::Line(200), "4412345.0", "4412345"),
            (Type::Line(100), "1.0", "1.0"),
            (Type::Name, "2024.0", "2024.0"),
            (Type::Flag, "1.0", "1"),
        ] {
            assert_eq!(of(ty, text).unwrap(), read, "{text}");
        }
        let sum = ReadCell { text: "0.30000000000000004".to_owned(), is_number: true, is_error: false };
        assert_eq!(value(Type::Money, &sum, Lang::En).unwrap(), "0.30");
    }
}

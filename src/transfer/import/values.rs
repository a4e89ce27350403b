//! Converts texts that people type into cells to the forms that the domain parses.

use crate::domain::{Day, DayOf, Money, ProcessNumber, State, TaxId, TimeOfDay, whole};
use crate::transfer::prelude::*;

use super::date_order::date_parts;
use super::sheet::ReadCell;

/// Returns the text of a cell in the form that `ty` parses.
///
/// # Errors
/// Returns a reason, worded to follow the heading, if the cell has a formula error or has lost digits.
pub(super) fn value(ty: Type, cell: &ReadCell, lang: Lang) -> Result<String, String> {
    let text = if is_typed(ty, &cell.text) { cell.text.trim() } else { whole(cell.text.trim()) };
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
        Type::TaxId => tax_id(text),
        Type::PostalCode if text.len() == 7 && is_digits(text) => ["0", text].concat(),
        Type::Flag => flag(text).to_owned(),
        Type::Money => money(text, cell.is_number),
        Type::Day | Type::SlashedDay => day(text),
        Type::Time => {
            let of_number = if cell.is_number { time(text) } else { None };
            of_number.or_else(|| TimeOfDay::completed(text)).unwrap_or_else(|| text.to_owned())
        }
        Type::DayTime => day_time(text),
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
fn is_typed(ty: Type, text: &str) -> bool {
    /// Longer numbers in a line are those of a document or an account.
    const LONGEST: usize = "9999.0".len();
    match ty {
        Type::Line(_) => text.trim().len() <= LONGEST,
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

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Restores the leading zeros of a CPF or CNPJ that a spreadsheet dropped, if the result has valid check digits.
pub(super) fn tax_id(text: &str) -> String {
    if !is_digits(text) || TaxId::parse(text).is_ok() {
        return text.to_owned();
    }
    let padded = [format!("{text:0>11}"), format!("{text:0>14}")];
    let right = padded.into_iter().find(|padded| TaxId::parse(padded).is_ok());
    right.unwrap_or_else(|| text.to_owned())
}

/// Returns the whole case number of a cell that lacks its leading zeros, or `None` if it lacks none.
///
/// A spreadsheet keeps 15 digits of a number and writes zeros for the others. Check digits detect all changes of the last
/// two digits but one in a hundred. Beyond 17 digits, zeros at the end are therefore not trusted.
pub(super) fn completed_number(cell: &ReadCell, today: Day) -> Option<String> {
    const KEPT: usize = 15;
    let text = cell.text.trim();
    let lost = text.get(KEPT..).filter(|lost| cell.is_number && lost.len() > 2);
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

/// Converts a numeric cell from a day number that counts from 1904 to one that counts from 1900.
pub(super) fn from_1904(cell: &ReadCell) -> Option<ReadCell> {
    /// 1 January 1904 is day 0 counted from 1904, and day 1,462 counted from 1900.
    const BETWEEN: i64 = 1_462;
    let number = cell.text.parse::<i64>().ok().filter(|_| cell.is_number)?;
    Some(ReadCell { text: (number + BETWEEN).to_string(), ..cell.clone() })
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
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|id| *id > 0 && is_plain)
}

/// Returns the text in brackets at the end, where exports write the unique number after a name.
pub(super) fn in_brackets(text: &str) -> Option<&str> {
    Some(text.strip_suffix(')')?.rsplit_once('(')?.1)
}

/// Words between a customer's name and its CPF or CNPJ, folded.
const BEFORE_NUMBER: [&str; 9] = ["cnpj", "cpf", "doc", "documento", "mf", "n", "no", "numero", "sob"];

/// Parts a customer's name, which may be missing, from the CPF or CNPJ behind it, as exports write it and as people do:
/// `Ana Lima (529.982.247-25)`, `Ana Lima - CPF: 529.982.247-25`. Digits that may be a mobile number count in brackets or after such a word only.
pub(super) fn name_and_number(text: &str) -> Option<(&str, TaxId)> {
    let text = text.trim();
    let inside = text.trim_end_matches([')', ']', '.']);
    let at = inside.rfind(|c: char| c.is_whitespace() || "([:".contains(c))?;
    let (before, number) = inside.split_at(at);
    let number = number.trim_start_matches(|c: char| c.is_whitespace() || "([:".contains(c));
    let tax = TaxId::parse(&tax_id(number)).ok()?;
    let mut name = before;
    let mut is_introduced = in_brackets(text).is_some();
    loop {
        name = name.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
        let with_dots = ["C.P.F", "C.N.P.J"].into_iter().find(|word| name.ends_with(word));
        let word =
            with_dots.or_else(|| name.rsplit(|c: char| !c.is_alphanumeric()).next()).unwrap_or_default();
        let is_before_number = with_dots.is_some() || BEFORE_NUMBER.contains(&&*fold(word));
        let Some(rest) = name.strip_suffix(word).filter(|_| is_before_number) else { break };
        is_introduced = true;
        name = rest;
    }
    let is_name = name.is_empty()
        || name.chars().any(char::is_alphabetic) && name.bytes().filter(u8::is_ascii_digit).count() < 11;
    let may_be_mobile = is_digits(number) && number.len() == 11 && number.get(2..3) == Some("9");
    (is_name && (is_introduced || !may_be_mobile)).then_some((name, tax))
}

/// Returns the CPF or CNPJ that a text is, or that stands behind a name.
pub(super) fn customer_number(text: &str) -> Option<TaxId> {
    let behind_name = name_and_number(text).map(|(_, number)| number);
    behind_name.or_else(|| TaxId::parse(&tax_id(text)).ok())
}

/// Signs and words between the names of several people.
const AND: [&str; 6] = [",", "/", "+", "&", " e ", " and "];

/// Splits a text at the signs and words by which people join names: `Ana Lima e Bia Reis`.
pub(super) fn joined(text: &str) -> Vec<&str> {
    let mut names = vec![text];
    for between in AND {
        names = names.into_iter().flat_map(|name| name.split(between)).collect();
    }
    names.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// First words of what the papers of a case say about a person behind the name: `Ana Lima, brasileira, casada`. Folded,
/// without the ending.
const DESCRIPTIONS: [&str; 22] = [
    "aposentad",
    "assistid",
    "brasileir",
    "casad",
    "cpf",
    "desempregad",
    "divorciad",
    "domiciliad",
    "estrangeir",
    "inscrit",
    "maior",
    "menor",
    "nascid",
    "natural",
    "portador",
    "portugues",
    "representad",
    "residente",
    "rg",
    "separad",
    "solteir",
    "viuv",
];

/// Returns the names that a text joins, without what it says about a person behind the name.
pub(super) fn people(text: &str) -> Vec<&str> {
    let is_description = |part: &str| {
        let folded = fold(part);
        let first = folded.split(' ').next().unwrap_or_default();
        let endings = ["", "o", "a", "os", "as", "es", "esa"];
        DESCRIPTIONS.iter().any(|own| first.strip_prefix(own).is_some_and(|ending| endings.contains(&ending)))
    };
    let parts = joined(text).into_iter().enumerate();
    parts.take_while(|(at, part)| *at == 0 || !is_description(part)).map(|(_, part)| part).collect()
}

/// Converts a fraction of a day to a time of day.
fn time(text: &str) -> Option<String> {
    let part: f64 = text.parse().ok()?;
    (0.0..1.0).contains(&part).then(|| {
        let seconds = (part * 86_400.0).round().min(86_399.0) as u32;
        format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    })
}

/// Converts the day of a moment to ISO form. A missing time becomes midnight. Keeps a text without a valid day.
pub(super) fn day_time(text: &str) -> String {
    let (date, time) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    match Day::parse(&full_date(date)) {
        Ok(date) => {
            let time = TimeOfDay::completed(time).unwrap_or_else(|| time.to_owned());
            [&date.iso(), " ", &time].concat()
        }
        Err(_) => text.to_owned(),
    }
}

/// Whole numbers that are taken for years. As day numbers they would be days of 1905.
const YEARS: std::ops::RangeInclusive<i32> = 1_900..=2_100;

/// Drops a midnight time from a day, and converts a spreadsheet's day number to a day.
fn day(text: &str) -> String {
    let without = text.strip_suffix(" 00:00:00").or_else(|| text.strip_suffix(" 00:00"));
    let text = without.unwrap_or(text);
    match text.parse::<i32>() {
        Ok(number) if is_digits(text) && text.len() <= 6 && !YEARS.contains(&number) => {
            day_number(number).unwrap_or_else(|| text.to_owned())
        }
        _ => full_date(text),
    }
}

/// Writes `5/4/1941`, `05.04.1941` and `5-abr-1941` as `05/04/1941`. Returns any other text unchanged, also a year of two
/// digits.
fn full_date(text: &str) -> String {
    match written_parts(text) {
        Some([day, month, year]) if year.len() == 4 => format!("{day:0>2}/{month:0>2}/{year}"),
        _ => text.to_owned(),
    }
}

/// Returns a day whose year has two digits with its whole year: the nearest one, of a birth the last one that is not in
/// the future.
pub(super) fn day_of_short_year(text: &str, today: Day, of: DayOf) -> Option<String> {
    let parts = written_parts(text).filter(|[.., year]| year.len() == 2)?;
    Day::parse_relative(&parts.join("/"), today, of).map(Day::br)
}

/// Folded names of the months in Portuguese and English.
const MONTHS: [[&str; 2]; 12] = [
    ["janeiro", "january"],
    ["fevereiro", "february"],
    ["marco", "march"],
    ["abril", "april"],
    ["maio", "may"],
    ["junho", "june"],
    ["julho", "july"],
    ["agosto", "august"],
    ["setembro", "september"],
    ["outubro", "october"],
    ["novembro", "november"],
    ["dezembro", "december"],
];

/// Splits a date into day, month and year as numbers. The month may be a name or its beginning, as in `12-mai-1975` or
/// `12 de maio de 1975`.
fn written_parts(text: &str) -> Option<[String; 3]> {
    if let Some(parts) = date_parts(text.trim()) {
        return Some(parts.map(str::to_owned));
    }
    let folded = fold(text);
    let mut words = folded.split(' ').filter(|word| *word != "de");
    let day = words.next()?;
    let name = words.next()?;
    let year = words.next()?;
    let is_name = |names: &[&str; 2]| names.iter().any(|own| name.len() >= 3 && own.starts_with(name));
    let month = MONTHS.iter().position(is_name)? + 1;
    let is_date = words.next().is_none() && is_digits(day) && is_digits(year);
    let is_long = day.len() <= 2 && matches!(year.len(), 2 | 4);
    (is_date && is_long).then(|| [day.to_owned(), month.to_string(), year.to_owned()])
}

/// Returns `true` if a cell holds nothing but signs that stand for no value: `-`, `—`, `n/a`. `#N/A` is an error of a formula.
pub(super) fn is_no_value(text: &str) -> bool {
    let is_sign = |c: char| c.is_whitespace() || "-–—―−_./·•*?".contains(c);
    text.chars().all(is_sign) || !text.starts_with('#') && ["n a", "n d", "n c"].contains(&&*fold(text))
}

/// Converts a day number to a day; 1 is 1 January 1900. Returns `None` for 60, the nonexistent 29 February 1900.
fn day_number(number: i32) -> Option<String> {
    /// 30 December 1899 in days since 1970. Day numbers from 61 count from it.
    const BEFORE: i32 = -25_569;
    let days = match number {
        ..=0 | 60 => return None,
        1..=59 => number + 1,
        _ => number,
    };
    Day::from_number(days + BEFORE).map(Day::iso)
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
    fn day_numbers_of_the_1904_date_system_are_converted() {
        let number = |text: &str| ReadCell { text: text.to_owned(), is_number: true, is_error: false };
        let read = |text: &str| value(Type::Day, &from_1904(&number(text)).unwrap(), Lang::En).unwrap();
        assert_eq!((read("44885"), read("0")), ("2026-11-21".to_owned(), "1904-01-01".to_owned()));
        assert_eq!(from_1904(&ReadCell::text("44885")), None, "the cell is a text");
    }

    #[test]
    fn months_may_be_names() {
        for (text, day) in [
            ("12-mai-1975", "12/05/1975"),
            ("1/Fev/2001", "01/02/2001"),
            ("3 de março de 1980", "03/03/1980"),
            ("12 set. 1975", "12/09/1975"),
            ("12-Oct-1975", "12/10/1975"),
            ("31 de dezembro de 1999", "31/12/1999"),
            ("12-ma-1975", "12-ma-1975"),
            ("12-mai-75", "12-mai-75"),
            ("12-mai", "12-mai"),
            ("mai-1975", "mai-1975"),
            ("12-mai-1975 x", "12-mai-1975 x"),
        ] {
            assert_eq!(of(Type::Day, text).unwrap(), day);
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
    fn a_year_of_birth_of_two_digits_is_not_in_the_future() {
        let today = Day::parse("2026-11-26").unwrap();
        for (text, day) in [
            ("5/4/41", Some("05/04/1941")),
            ("26/11/26", Some("26/11/2026")),
            ("27/11/26", Some("27/11/1926")),
            ("01.02.00", Some("01/02/2000")),
            ("29-02-99", None),
            ("29/02/04", Some("29/02/2004")),
            ("5/4/1941", None),
            ("31/02/80", None),
            ("12-mai-75", Some("12/05/1975")),
            ("", None),
        ] {
            assert_eq!(day_of_short_year(text, today, DayOf::Birth).as_deref(), day, "{text}");
        }
    }

    #[test]
    fn a_number_behind_a_name_is_parted_from_it() {
        let cpf = "529.982.247-25";
        for (text, name) in [
            ("Ana Lima (529.982.247-25)", Some("Ana Lima")),
            ("Ana Lima (CPF 529.982.247-25)", Some("Ana Lima")),
            ("Ana Lima (CPF: 52998224725)", Some("Ana Lima")),
            ("Ana Lima (52998224725)", Some("Ana Lima")),
            ("Ana Lima - CPF: 529.982.247-25", Some("Ana Lima")),
            ("Ana Lima, CPF nº 529.982.247-25.", Some("Ana Lima")),
            ("Ana Lima 529.982.247-25", Some("Ana Lima")),
            ("Ana Lima (mãe) CPF/MF nº 529.982.247-25", Some("Ana Lima (mãe)")),
            ("ANA LIMA – C.P.F. 529.982.247-25", Some("ANA LIMA")),
            // May be a phone.
            ("Ana Lima 52998224725", None),
            ("Ana Lima (CPF 529.982.247-26)", None),
            ("529.982.247-25", None),
            ("CPF 529.982.247-25", Some("")),
            ("(CPF: 529.982.247-25)", Some("")),
            ("Ana (529.982.247-25) e Bia (111.444.777-35)", None),
        ] {
            let found = name_and_number(text);
            assert_eq!(found.as_ref().map(|(name, _)| *name), name, "{text}");
            assert!(found.is_none_or(|(_, number)| number == TaxId::parse(cpf).unwrap()), "{text}");
        }
        let plain = name_and_number("João da Silva 11144477735");
        assert_eq!(plain.map(|(name, _)| name), Some("João da Silva"));
    }

    #[test]
    fn a_day_of_a_year_of_two_digits_is_of_the_nearest_year() {
        let today = Day::parse("2026-11-26").unwrap();
        for of in [DayOf::Plan, DayOf::Past] {
            for (text, day) in [
                ("05/11/26", Some("05/11/2026")),
                ("5.1.27", Some("05/01/2027")),
                ("20/12/99", Some("20/12/1999")),
                ("12-mai-25", Some("12/05/2025")),
                ("31/02/26", None),
                ("05/11/2026", None),
            ] {
                assert_eq!(day_of_short_year(text, today, of).as_deref(), day, "{text}");
            }
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
    fn days_flags_and_amounts_are_read_in_common_notations() {
        for (text, read) in [
            ("21/11/2026", "21/11/2026"),
            ("21/11/2026 00:00:00", "21/11/2026"),
            ("46347", "2026-11-21"),
            ("1", "1900-01-01"),
            ("59", "1900-02-28"),
            ("60", "60"),
            ("5/4/1941", "05/04/1941"),
            ("05.04.1941", "05/04/1941"),
            ("5-12-1941", "05/12/1941"),
            ("5/4/41", "5/4/41"),
            ("1941-04-05", "1941-04-05"),
            ("61", "1900-03-01"),
            ("1899", "1905-03-13"),
            ("1900", "1900"),
            ("2100", "2100"),
            ("2101", "1905-10-01"),
            ("0", "0"),
        ] {
            assert_eq!(of(Type::Day, text).unwrap(), read, "{text}");
        }
        for (text, read) in [
            ("20/11/2026 09:05:00", "2026-11-20 09:05:00"),
            ("2026-11-20 09:05", "2026-11-20 09:05"),
            ("2026-11-20T09:05:00Z", "2026-11-20 09:05:00Z"),
            ("20/11/2026", "2026-11-20 00:00:00"),
            ("5/4/2026 09:05", "2026-04-05 09:05"),
            ("amanhã", "amanhã"),
        ] {
            assert_eq!(of(Type::DayTime, text).unwrap(), read, "{text}");
        }
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

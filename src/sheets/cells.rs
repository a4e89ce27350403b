//! The values of records as cells of spreadsheets, and how cells stand in CSV.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::domain::{Day, ExternalIds, Lang, Money};
use crate::records::{FieldType, Type, Value};

/// A cell of a spreadsheet.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Text, also of digits: a spreadsheet leaves it as it is.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// An amount in reais, exact.
    Amount(Money),
    /// A day.
    Day(Day),
    /// A day and a time of the office's clock.
    DayTime(DateTime),
}

/// A value of that type as a cell; `zone` is where the office's clock hangs. References are the caller's to name.
pub fn cell(ty: Type, value: &Value<'_>, zone: &TimeZone, lang: Lang) -> Cell {
    let text = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) };
    match (ty, value) {
        (_, Value::Null) => Cell::Empty,
        (Type::Flag, Value::Integer(flag)) => {
            Cell::Text(if *flag == 0 { lang.pick("Não", "No") } else { lang.pick("Sim", "Yes") }.to_owned())
        }
        (Type::Money, Value::Integer(centavos)) => {
            Money::from_centavos(*centavos).map_or(Cell::Empty, Cell::Amount)
        }
        (Type::Moment, Value::Integer(seconds)) => {
            let moment = jiff::Timestamp::from_second(*seconds).unwrap_or_default();
            Cell::DayTime(zone.to_datetime(moment))
        }
        (Type::Day | Type::SlashedDay, Value::Text(day)) => {
            Day::parse(day).map_or_else(|_| text(day), Cell::Day)
        }
        (Type::DayTime, Value::Text(moment)) => {
            moment.replace(' ', "T").parse().map_or_else(|_| text(moment), Cell::DayTime)
        }
        (Type::YearMonth, Value::Text(month)) => match month.split_once('-') {
            Some((year, month)) => Cell::Text([month, "/", year].concat()),
            None => text(month),
        },
        (Type::ExternalIds, value) => {
            let ids = ExternalIds::from_value(value.clone()).unwrap_or_default();
            text(&ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" "))
        }
        (_, Value::Integer(number)) => Cell::Whole(*number),
        (_, Value::Text(own)) => text(own),
        (_, Value::Ids(ids)) => text(&ids.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// A cell as it stands in a CSV for Brazilian spreadsheets: decimal comma, DD/MM/YYYY, and nothing that one would run or
/// change.
pub fn in_csv(cell: &Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) if is_unsafe(text) => ["'", text].concat(),
        Cell::Text(text) => text.clone(),
        Cell::Whole(number) => number.to_string(),
        Cell::Amount(amount) => amount.to_string().replace('.', ","),
        Cell::Day(day) => day.br(),
        Cell::DayTime(moment) => moment.strftime("%d/%m/%Y %H:%M:%S").to_string(),
    }
}

/// What a cell begins with that a spreadsheet runs (OWASP, "CSV Injection"): a formula, also in full-width characters as East
/// Asian versions read it, a command (`|`), and white space that a spreadsheet skips before one. `'` marks text.
const FORMULA_STARTS: [char; 13] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '|', '\t', '\r', '\n', '\''];

/// Returns `true` if a spreadsheet would run the text of a CSV as a formula, or read it as a number and drop leading zeros or
/// the last digits.
fn is_unsafe(text: &str) -> bool {
    /// A spreadsheet's numbers have so many digits.
    const DIGITS: usize = 15;
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.starts_with(FORMULA_STARTS)
        || is_number && (text.len() > DIGITS || text.len() > 1 && text.starts_with('0'))
}

/// A text of a CSV without the apostrophe that [`in_csv`] put before it.
pub fn from_csv(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_unsafe(rest)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_run_or_change_is_kept_as_text() {
        for text in [
            "=1+1",
            "+55 48 3333-0000",
            "-5",
            "@sum",
            "\t=1",
            "\r=1",
            "\n=1",
            "'x",
            "007",
            "1234567890123456",
            "＝1+1",
            "＋1",
            "－1",
            "＠sum",
            "|cmd",
        ] {
            let written = in_csv(&Cell::Text(text.to_owned()));
            assert_eq!(written, format!("'{text}"));
            assert_eq!(from_csv(&written), text);
        }
        for text in ["0", "123456789012345", "Ana", "529.982.247-25", "a=b", "'"] {
            let written = in_csv(&Cell::Text(text.to_owned()));
            assert_eq!(from_csv(&written), text, "{written}");
        }
    }

    #[test]
    fn values_stand_as_brazilian_spreadsheets_read_them() {
        let zone = TimeZone::fixed(jiff::tz::Offset::constant(-3));
        let said = |ty, value: Value<'_>| in_csv(&cell(ty, &value, &zone, Lang::Pt));
        assert_eq!(said(Type::Money, Value::Integer(150_050)), "1500,50");
        assert_eq!(said(Type::Day, Value::Text("2026-11-21".into())), "21/11/2026");
        assert_eq!(said(Type::Moment, Value::Integer(1_795_269_000)), "21/11/2026 10:50:00");
        assert_eq!(said(Type::DayTime, Value::Text("2026-11-20 09:05:00".into())), "20/11/2026 09:05:00");
        assert_eq!(said(Type::YearMonth, Value::Text("2026-12".into())), "12/2026");
        assert_eq!(said(Type::Flag, Value::Integer(1)), "Sim");
        assert_eq!(said(Type::ExternalIds, Value::Text("[\"a:1\",\"b:2\"]".into())), "a:1 b:2");
        assert_eq!(said(Type::Name, Value::Null), "");
    }
}

//! Values of records as spreadsheet cells, and cells as CSV fields.

use std::borrow::Cow;

use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;

use super::formula_guard::guard;
use crate::domain::{Day, ExternalIds, Lang, Money, OpposingParties};
use crate::records::{FieldType, Type, Value};

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Empty,
    /// Text, which spreadsheets leave unchanged even if it consists of digits.
    Text(String),
    Whole(i64),
    /// An exact amount in reais.
    Amount(Money),
    /// A day on or after `FIRST_DAY`, so that all spreadsheets agree on it.
    Day(Day),
    /// A day on or after `FIRST_DAY` with a time, in the office's time zone.
    DayTime(DateTime),
}

/// First day on which all spreadsheets agree. Excel has no days before 1900 and treats 1900 as a leap year.
const FIRST_DAY: Date = date(1900, 3, 1);

impl Cell {
    /// Returns the cell of a day. A day before [`FIRST_DAY`] becomes a text.
    fn day(day: Day) -> Cell {
        if day < Day::on_calendar(FIRST_DAY) { Cell::Text(day.br()) } else { Cell::Day(day) }
    }

    /// Like [`Cell::day`], with a time.
    fn day_time(moment: DateTime) -> Cell {
        if moment.date() < FIRST_DAY { Cell::Text(br(moment)) } else { Cell::DayTime(moment) }
    }
}

fn br(moment: DateTime) -> String {
    moment.strftime("%d/%m/%Y %H:%M:%S").to_string()
}

/// Converts a value of this type to a cell; `zone` is the office's time zone. The caller replaces references
/// by names.
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
            Cell::day_time(zone.to_datetime(moment))
        }
        (Type::Day | Type::SlashedDay, Value::Text(day)) => {
            Day::parse(day).map_or_else(|_| text(day), Cell::day)
        }
        (Type::DayTime, Value::Text(moment)) => {
            moment.replace(' ', "T").parse().map_or_else(|_| text(moment), Cell::day_time)
        }
        (Type::YearMonth, Value::Text(month)) => match month.split_once('-') {
            Some((year, month)) => Cell::Text([month, "/", year].concat()),
            None => text(month),
        },
        (Type::ExternalIds, value) => {
            text(&ExternalIds::from_value(value.clone()).unwrap_or_default().text())
        }
        (Type::OpposingParties, value) => {
            text(&OpposingParties::from_value(value.clone()).unwrap_or_default().text("; "))
        }
        (_, Value::Integer(number)) => Cell::Whole(*number),
        (ty, Value::Text(own)) => {
            let name = ty.names().iter().find(|(word, _)| word == own);
            text(name.map_or(own, |(_, name)| lang.pick(name.0, name.1)))
        }
        (_, Value::Ids(ids)) => text(&ids.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Formats a cell for a CSV that people open: with a decimal comma, `DD/MM/YYYY`, and guarded texts.
pub fn in_csv(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Empty => "".into(),
        Cell::Text(text) => guard(text),
        Cell::Whole(number) => number.to_string().into(),
        Cell::Amount(amount) => amount.to_string().replace('.', ",").into(),
        Cell::Day(day) => day.br().into(),
        Cell::DayTime(moment) => br(*moment).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::TABLES;

    #[test]
    fn no_export_has_a_word_of_the_api() {
        for field in TABLES.iter().flat_map(|table| table.fields) {
            for word in field.ty.words() {
                let name = field.ty.names().iter().find(|(own, _)| own == word);
                assert!(name.is_some(), "{}: {word}", field.column);
            }
        }
    }

    #[test]
    fn values_are_formatted_for_brazilian_spreadsheets() {
        let zone = TimeZone::fixed(jiff::tz::Offset::constant(-3));
        let written = |ty, value: Value<'_>| in_csv(&cell(ty, &value, &zone, Lang::Pt)).into_owned();
        assert_eq!(written(Type::Money, Value::Integer(150_050)), "1500,50");
        assert_eq!(written(Type::Day, Value::Text("2026-11-21".into())), "21/11/2026");
        assert_eq!(written(Type::Day, Value::Text("1900-03-01".into())), "01/03/1900");
        assert_eq!(
            written(Type::Day, Value::Text("1900-02-28".into())),
            "'28/02/1900",
            "a text, because spreadsheets misread earlier days"
        );
        assert_eq!(written(Type::DayTime, Value::Text("1850-03-15 09:05:00".into())), "'15/03/1850 09:05:00");
        assert_eq!(written(Type::EntryType, Value::Text("income".into())), "Receita");
        assert_eq!(written(Type::Gender, Value::Text("F".into())), "Feminino");
        assert_eq!(written(Type::Flow, Value::Text("DÉBITO".into())), "Débito");
        assert_eq!(written(Type::MovementOrigin, Value::Text("MANUAL".into())), "Escritório");
        assert_eq!(written(Type::Moment, Value::Integer(1_795_269_000)), "21/11/2026 10:50:00");
        assert_eq!(written(Type::DayTime, Value::Text("2026-11-20 09:05:00".into())), "20/11/2026 09:05:00");
        assert_eq!(written(Type::YearMonth, Value::Text("2026-12".into())), "'12/2026");
        assert_eq!(written(Type::Flag, Value::Integer(1)), "Sim");
        assert_eq!(written(Type::ExternalIds, Value::Text("[\"a:1\",\"b:2\"]".into())), "a:1 b:2");
        assert_eq!(written(Type::Name, Value::Null), "");
    }
}

//! Records as CSV for programs. Each response member is a column, with the name and the value that it has in JSON.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::records::Table;
use crate::sheets::{BYTE_ORDER_MARK, csv_writer, guard_formula};

/// Additional members of deleted records.
const OF_DELETED: &[&str] = &["deleted_at", "deleted_reason", "merged_into"];

/// Returns the member names of a table's records, in the order of responses.
pub(in crate::http) fn columns(table: &'static Table, of_deleted: bool) -> Vec<&'static str> {
    let own = table.fields.iter().filter(|field| field.is_shown).map(|field| field.shown);
    let of_deleted = if of_deleted { OF_DELETED } else { &[] };
    ["id"].into_iter().chain(own).chain(of_deleted.iter().copied()).collect()
}

/// Returns the start of a CSV file: the byte order mark and the header row.
pub(in crate::http) fn opening(columns: &[&str]) -> Vec<u8> {
    [BYTE_ORDER_MARK, &rows([columns])].concat()
}

/// Formats records from JSON as CSV rows. Text is guarded against formulas, `null` becomes an empty cell, and
/// other values stay JSON.
pub(in crate::http) fn record_rows<'a>(
    columns: &[&str],
    records: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<u8> {
    rows(records.into_iter().map(|json| {
        let members: HashMap<&str, &RawValue> = serde_json::from_slice(json).unwrap_or_default();
        columns.iter().map(move |column| members.get(column).map_or_else(String::new, |value| cell(value)))
    }))
}

fn cell(value: &RawValue) -> String {
    let json = value.get();
    match json.as_bytes().first() {
        Some(b'"') => {
            let text: Cow<'_, str> = serde_json::from_str(json).unwrap_or_default();
            guard_formula(&text).into_owned()
        }
        Some(b'n') => String::new(),
        _ => json.to_owned(),
    }
}

fn rows<Row: IntoIterator<Item: AsRef<[u8]>>>(rows: impl IntoIterator<Item = Row>) -> Vec<u8> {
    let mut csv = csv_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail.
        let _ = csv.write_record(row);
    }
    csv.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_contain_the_values_of_the_json_response() {
        let json = br#"{"id":1,"name":"=\"A\"; B","half":"1/2","amount":1500.50,"paid":true,"phone":null,
                        "customers":[{"id":2,"name":"Bia"}]}"#;
        let columns = ["id", "name", "half", "amount", "paid", "phone", "customers", "deleted_at"];
        let rows = String::from_utf8(record_rows(&columns, [&json[..]])).unwrap();
        let customers = r#"[{""id"":2,""name"":""Bia""}]"#;
        let expected = format!(r#""1";"'=""A""; B";"1/2";"1500.50";"true";"";"{customers}";"""#);
        assert_eq!(rows, format!("{expected}\r\n"));
    }
}

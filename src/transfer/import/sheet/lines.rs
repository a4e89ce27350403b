//! Reads rows of JSON Lines, one record a line, with the member names of responses or requests.
//!
//! Lines may have different members, so a file is read once for its headings and again for its rows. If lines
//! name their resource, as in an export, each resource is a separate table.

use std::collections::HashSet;
use std::io::{BufRead, Read};

use super::encoding::text::TextFile;
use super::process::message::{ReadCell, SheetRow};
use super::table::{MAX_COLUMNS, RowReader, SeeTable, unreadable};
use crate::transfer::json_lines::RESOURCE;
use crate::transfer::prelude::*;

/// Longest line in MiB. The longest text of a record fits, with every character escaped.
const MAX_LINE_MIB: u64 = 8;
/// Members that identify a nested record, the most reliable first. An id may be another office's, so no id is
/// among them.
const NAMES: [&str; 3] = ["identification", "process_number", "name"];

/// Returns `true` if the file extension or the first bytes indicate JSON Lines.
pub(super) fn is_meant(ending: &str, start: &[u8]) -> bool {
    let is_named = ["jsonl", "ndjson", "json"].iter().any(|own| ending.eq_ignore_ascii_case(own));
    is_named || start.trim_ascii_start().starts_with(b"{")
}

/// Passes each resource of a file to `see` as a table.
pub(super) fn each_table(text: &TextFile<'_>, lang: Lang, see: SeeTable<'_>) -> Result<()> {
    for table in tables(text, lang)? {
        let name = table.resource.clone();
        let rows = table.rows;
        let lines = JsonLines::open(text, lang)?;
        see(name, rows, &mut JsonRows { lines, table, is_begun: false, lang })?;
    }
    Ok(())
}

/// The records of one resource. `resource` is empty if the lines do not name one.
struct JsonTable {
    resource: String,
    headings: Vec<String>,
    rows: u64,
    /// `true` if this table reports the lines that cannot be parsed.
    is_first: bool,
}

fn tables(text: &TextFile<'_>, lang: Lang) -> Result<Vec<JsonTable>> {
    struct FoundTable {
        resource: String,
        /// Members that are objects or arrays. Such members come first, because they are more reliable than ids.
        nested: Vec<String>,
        plain: Vec<String>,
        known: HashSet<String>,
        rows: u64,
    }
    let mut lines = JsonLines::open(text, lang)?;
    let mut found = Vec::<FoundTable>::new();
    while let Some(line) = lines.next()? {
        let Some(record) = line.record else { continue };
        let resource = resource(&record).to_owned();
        if !found.iter().any(|own| own.resource == resource) {
            let nested = Vec::new();
            let plain = Vec::new();
            found.push(FoundTable {
                resource: resource.clone(),
                nested,
                plain,
                known: HashSet::new(),
                rows: 0,
            });
        }
        let Some(own) = found.iter_mut().find(|own| own.resource == resource) else { continue };
        own.rows += 1;
        for (name, value) in record.iter().filter(|(name, value)| *name != RESOURCE && !value.is_null()) {
            if own.known.insert(name.clone()) {
                let is_nested = value.is_object() || value.is_array();
                if is_nested { &mut own.nested } else { &mut own.plain }.push(name.clone());
            }
            if own.known.len() > MAX_COLUMNS {
                return Err(TransferError::TooManyColumns(line.number));
            }
        }
    }
    if found.is_empty() {
        return Err(TransferError::Refused(
            lang.pick(
                "não há registros; cada linha deve ser um objeto JSON inteiro, como na resposta a Accept: application/x-ndjson.",
                "there are no records; each line has to be a whole JSON object, as in the answer to Accept: application/x-ndjson.",
            )
            .to_owned(),
        ));
    }
    let table = |(at, FoundTable { resource, nested, plain, rows, .. })| JsonTable {
        resource,
        headings: [nested, plain].concat(),
        rows,
        is_first: at == 0,
    };
    Ok(found.into_iter().enumerate().map(table).collect())
}

fn resource(record: &JsonObject) -> &str {
    record.get(RESOURCE).and_then(Json::as_str).unwrap_or_default()
}

struct JsonLine {
    number: u64,
    /// The record, or `None` if the line is not a complete JSON object.
    record: Option<JsonObject>,
    text: String,
}

struct JsonLines {
    reader: Box<dyn BufRead>,
    number: u64,
    lang: Lang,
}

impl JsonLines {
    fn open(text: &TextFile<'_>, lang: Lang) -> Result<JsonLines> {
        let reader = text.reader().map_err(unreadable(lang))?;
        Ok(JsonLines { reader, number: 0, lang })
    }

    fn next(&mut self) -> Result<Option<JsonLine>> {
        let most = MAX_LINE_MIB * 1024 * 1024;
        loop {
            let mut line = Vec::new();
            let read = self.reader.by_ref().take(most + 1).read_until(b'\n', &mut line);
            if read.map_err(unreadable(self.lang))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if line.len() as u64 > most {
                let number = self.number;
                return Err(TransferError::Refused(localize!(
                    self.lang,
                    "a linha {number} passa de {MAX_LINE_MIB} MiB.",
                    "line {number} is longer than {MAX_LINE_MIB} MiB."
                )));
            }
            let bytes = line.trim_ascii();
            if !bytes.is_empty() {
                let record = serde_json::from_slice(bytes).ok();
                let text = if record.is_none() {
                    String::from_utf8_lossy(bytes).into_owned()
                } else {
                    String::new()
                };
                return Ok(Some(JsonLine { number: self.number, record, text }));
            }
        }
    }
}

struct JsonRows {
    lines: JsonLines,
    table: JsonTable,
    is_begun: bool,
    lang: Lang,
}

impl RowReader for JsonRows {
    fn is_resource(&self) -> bool {
        !self.table.resource.is_empty()
    }

    fn next(&mut self) -> Result<Option<SheetRow>> {
        if !self.is_begun {
            self.is_begun = true;
            let cells = self.table.headings.iter().map(ReadCell::text).collect();
            return Ok(Some(SheetRow { cells, ..SheetRow::default() }));
        }
        while let Some(line) = self.lines.next()? {
            let row = SheetRow { line: line.number, ..SheetRow::default() };
            match line.record {
                Some(record) if resource(&record) == self.table.resource => {
                    let cell = |name: &String| record.get(name).map(cell).unwrap_or_default();
                    let cells = self.table.headings.iter().map(cell).collect();
                    let is_deleted = record.get("deleted_at").is_some_and(|at| !at.is_null());
                    let why = is_deleted.then(|| {
                        self.lang.pick(
                            "o registro está na lixeira de onde veio",
                            "the record is in the trash there",
                        )
                    });
                    return Ok(Some(SheetRow { cells, refused: why.map(str::to_owned), ..row }));
                }
                None if self.table.is_first => {
                    let why = self
                        .lang
                        .pick("a linha não é um objeto JSON inteiro", "the line is no whole JSON object");
                    // The text goes behind the last column, so that a corrected file does not assign it to a member.
                    let mut cells = vec![ReadCell::default(); self.table.headings.len()];
                    cells.push(ReadCell::text(line.text));
                    return Ok(Some(SheetRow { cells, refused: Some(why.to_owned()), ..row }));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Converts a JSON value to a cell: an array to lines, an object to the member that identifies it.
fn cell(value: &Json) -> ReadCell {
    let is_number = value.as_number().is_some_and(serde_json::Number::is_f64);
    ReadCell { text: text(value), is_number, is_error: false }
}

fn text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(all) => all.iter().map(text).collect::<Vec<_>>().join("\n"),
        Json::Object(record) => {
            let known = NAMES.iter().filter_map(|name| record.get(*name));
            known.map(text).find(|text| !text.is_empty()).unwrap_or_else(|| value.to_string())
        }
        Json::Bool(_) | Json::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_values_are_read_as_typed_text() {
        for (value, is_text) in [
            (json!(null), ""),
            (json!("Ana"), "Ana"),
            (json!(true), "true"),
            (json!(1500.5), "1500.5"),
            (json!(52_998_224_725_u64), "52998224725"),
            (json!(["a:1", "b:2"]), "a:1\nb:2"),
            (json!([{ "id": 7, "name": "Ana", "identification": null }, { "id": 8 }]), "Ana\n{\"id\":8}"),
            (
                json!({ "id": 7, "process_number": "0000002-65.2005.4.05.8100", "customers": [] }),
                "0000002-65.2005.4.05.8100",
            ),
        ] {
            assert_eq!(text(&value), is_text, "{value}");
        }
        assert!(cell(&json!(0.1)).is_number && !cell(&json!(12_345_678_901_234_567_u64)).is_number);
    }

    #[test]
    fn json_is_detected_by_extension_or_content() {
        for (ending, start, is_json) in [
            ("jsonl", &b"x"[..], true),
            ("NDJSON", b"", true),
            ("txt", b"{\"name\":", true),
            ("", b" {", true),
            ("csv", b"nome;cpf", false),
            ("", b"[", false),
        ] {
            assert_eq!(is_meant(ending, start), is_json, "{ending}");
        }
    }
}

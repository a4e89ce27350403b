//! Detects the kind of a file from its first bytes.

use std::fs::File;
use std::io::Read;

use super::table::{SeeTable, unreadable};
use super::{csv, lines, vcard, workbook};
use crate::transfer::prelude::*;

/// Passes each table of a file to `see`. `ending` is the file extension, without a dot.
pub(super) fn each_table(mut file: File, ending: &str, lang: Lang, see: SeeTable<'_>) -> Result<()> {
    let mut start = Vec::new();
    file.by_ref().take(32).read_to_end(&mut start).map_err(unreadable(lang))?;
    if start.is_empty() {
        return Err(TransferError::Refused(
            lang.pick("o arquivo está vazio.", "the file is empty.").to_owned(),
        ));
    }
    // The signature of a zip archive, or of the older container of XLS.
    match start.starts_with(b"PK\x03\x04") || start.starts_with(b"\xd0\xcf\x11\xe0") {
        true => workbook::each_table(&file, lang, see),
        false if lines::is_meant(ending, &start) => lines::each_table(&file, lang, see),
        false if vcard::is_meant(ending, &start) => {
            see(String::new(), 0, &mut vcard::CardRows::open(&file, lang)?)
        }
        false => {
            let rows = csv::lines(&file).map_err(unreadable(lang))?;
            see(String::new(), rows, &mut csv::CsvRows::open(&file, lang)?)
        }
    }
}

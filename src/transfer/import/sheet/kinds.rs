//! Detects the kind of a file from its first bytes.

use std::fs::File;
use std::io::{BufReader, Read};

use zip::ZipArchive;

use super::encoding::text::TextFile;
use super::other_kinds::{self, ForeignKind};
use super::table::{SeeTable, again, unreadable};
use super::workbook::bomb::compound_names;
use super::{csv, html, lines, vcard, workbook};
use crate::transfer::prelude::*;

/// Passes each table of a file to `see`. `ending` is the file extension, without a dot.
///
/// # Errors
/// Refuses a file of another kind by its name, in one line.
pub(super) fn each_table(mut file: File, ending: &str, lang: Lang, see: SeeTable<'_>) -> Result<()> {
    let mut start = Vec::new();
    file.by_ref().take(32).read_to_end(&mut start).map_err(unreadable(lang))?;
    if start.is_empty() {
        return Err(TransferError::Refused(
            lang.pick("o arquivo está vazio.", "the file is empty.").to_owned(),
        ));
    }
    if let Some(kind) = other_kinds::by_first_bytes(&start) {
        return Err(kind.refusal(lang));
    }
    // The signature of a zip archive, or of the older container of XLS.
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"\xd0\xcf\x11\xe0") {
        return match of_container(&file, start.starts_with(b"PK")) {
            Some(kind) => Err(kind.refusal(lang)),
            None => workbook::each_table(&file, lang, see),
        };
    }
    let text = TextFile::of(&file).map_err(unreadable(lang))?;
    let start = text.start().map_err(unreadable(lang))?;
    match other_kinds::of_text(&start).or_else(|| start.contains(&0).then_some(other_kinds::UNKNOWN)) {
        Some(kind) => Err(kind.refusal(lang)),
        None if html::is_meant(&start) => html::each_table(&text, lang, see),
        None if lines::is_meant(ending, &start) => lines::each_table(&text, lang, see),
        None if vcard::is_meant(ending, &start) => {
            see(String::new(), 0, &mut vcard::CardRows::open(&text, lang)?)
        }
        None => csv::each_table(&text, lang, see),
    }
}

/// Returns the kind of an archive or compound file that is no workbook. A damaged one is left to the reader of
/// workbooks.
fn of_container(file: &File, is_archive: bool) -> Option<ForeignKind> {
    let mut file = BufReader::new(again(file).ok()?);
    if !is_archive {
        return other_kinds::of_compound(&compound_names(file));
    }
    /// Longest type of a document, in bytes.
    const MAX_TYPE_BYTES: u64 = 256;
    let mut archive = ZipArchive::new(&mut file).ok()?;
    let mut kind = String::new();
    if let Ok(part) = archive.by_name("mimetype") {
        let _ = part.take(MAX_TYPE_BYTES).read_to_string(&mut kind);
    }
    let names: Vec<String> = archive.file_names().flatten().map(|name| name.into_owned()).collect();
    other_kinds::of_archive(&names, &kind)
}

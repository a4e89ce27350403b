//! Workbooks that come to more than they may are refused before they are read, with a sentence that says why. What passes
//! here is still read within the bounds of the process.

mod ods;
mod xls;

use std::fs::File;
use std::io::{self, BufReader, Read, copy, sink};

use memchr::memchr_iter;
use zip::ZipArchive;

use super::extent::{MOST_CHARACTERS, MOST_MIB, too_long, unread};
use super::table::{again, unreadable};
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::transfer::error::TransferError;

/// The most cells of a sheet that is read whole: all that an XLS has room for, 65,536 rows of 256 ([MS-XLS]).
const MOST_CELLS: u64 = 65_536 * 256;
/// Longest text in XML without a tag, in bytes: the longest cell, each character escaped.
const LONGEST_TEXT: usize = 12 * MOST_CHARACTERS;
/// The part of an ODS that has the tables.
const TABLES: &[u8] = b"content.xml";

/// Refuses a workbook that comes to too much. Returns the number of its parts; an XLS has none.
///
/// # Errors
/// The refusal, or why the file cannot be read.
pub(super) fn refuse_bomb(file: &File, is_archive: bool, lang: Lang) -> Result<usize, TransferError> {
    let mut file = again(file).map_err(unreadable(lang))?;
    if !is_archive {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable(lang))?;
        refuse_cells(xls::cells(&bytes).unwrap_or_default(), lang)?;
        return Ok(0);
    }
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|cause| unread(lang, &cause))?;
    let mut left = MOST_MIB * 1024 * 1024;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|cause| unread(lang, &cause))?;
        let name = part.name_raw().to_ascii_lowercase();
        // Not every directory says how large a part is.
        let (said, is_xml) = (part.size(), name.ends_with(b".xml"));
        let part = Measured { part: part.take(left + 1), is_xml, bytes: 0, text: 0, longest: 0 };
        let mut part = BufReader::new(part);
        if said <= left {
            if name == TABLES {
                refuse_cells(ods::cells(&mut part, MOST_CELLS), lang)?;
            }
            copy(&mut part, &mut sink()).map_err(|cause| unread(lang, &cause))?;
        }
        if part.get_ref().longest > LONGEST_TEXT {
            return Err(too_long(lang));
        }
        left = left.checked_sub(said.max(part.get_ref().bytes)).ok_or_else(|| {
            TransferError::Refused(say!(
                lang,
                "a planilha tem mais de {MOST_MIB} MiB depois de descompactada. Divida-a, ou salve-a como CSV.",
                "the workbook unpacks to more than {MOST_MIB} MiB. Split it, or save it as CSV."
            ))
        })?;
    }
    Ok(archive.len())
}

fn refuse_cells(cells: u64, lang: Lang) -> Result<(), TransferError> {
    if cells <= MOST_CELLS {
        return Ok(());
    }
    let most = MOST_CELLS / 1_000_000;
    Err(TransferError::Refused(say!(
        lang,
        "uma aba da planilha ocupa mais de {most} milhões de células, talvez por uma célula muito longe das outras. Divida-a, ou salve-a como CSV.",
        "a sheet of the workbook takes more than {most} million cells, perhaps because of one that is far away from the others. Split it, or save it as CSV."
    )))
}

/// The cells of so many rows and columns.
fn sheet_cells(rows: u64, columns: u64) -> u64 {
    rows.saturating_mul(columns)
}

/// A part of an archive, measured while it is read.
struct Measured<R> {
    part: R,
    is_xml: bool,
    bytes: u64,
    /// Bytes since the last tag of XML began, and the most between two.
    text: usize,
    longest: usize,
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // What follows a text that is too long is not read any more.
        if self.longest > LONGEST_TEXT {
            return Ok(0);
        }
        let length = self.part.read(buffer)?;
        self.bytes += length as u64;
        if !self.is_xml {
            return Ok(length);
        }
        let mut begin = 0;
        for tag in memchr_iter(b'<', buffer.get(..length).unwrap_or_default()) {
            self.longest = self.longest.max(self.text + tag - begin);
            (self.text, begin) = (0, tag);
        }
        self.text += length - begin;
        self.longest = self.longest.max(self.text);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_text_is_found_across_reads() {
        for (xml, longest) in [("", 0), ("abc", 3), ("<a>bc<d/>", 5), ("<a/><b>cdefg</b>", 8), ("x<y", 2)] {
            for size in 1..=xml.len() {
                let mut part = Measured { part: xml.as_bytes(), is_xml: true, bytes: 0, text: 0, longest: 0 };
                while part.read(&mut vec![0; size]).unwrap() > 0 {}
                assert_eq!((part.longest, part.bytes), (longest, xml.len() as u64), "{xml} by {size}");
            }
        }
    }
}

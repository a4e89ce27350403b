//! Refuses workbooks that are too large once unpacked, before they are parsed. Workbooks that pass are still
//! subject to the limits of the process.

mod ods;
mod xls;

use std::fs::File;
use std::io::{self, BufReader, Read, copy, sink};

use memchr::memchr_iter;
use zip::ZipArchive;

use super::extent::{MAX_CHARACTERS_OF_CELL, MAX_MIB, damaged, too_long};
use crate::transfer::import::sheet::table::{again, unreadable};
use crate::transfer::prelude::*;

/// Maximum number of cells of a sheet held in memory: 65,536 rows of 256, as in an XLS ([MS-XLS]).
const MAX_CELLS: u64 = 65_536 * 256;
/// Longest text between two XML tags, in bytes: the longest cell, each character escaped.
const MAX_TEXT_LENGTH: usize = 12 * MAX_CHARACTERS_OF_CELL;
/// The part of an ODS that contains the tables.
const TABLES: &[u8] = b"content.xml";

/// Returns the names in the directory of a compound file. Empty if the file is damaged.
pub(in crate::transfer::import::sheet) fn compound_names(mut file: impl Read) -> Vec<String> {
    let mut bytes = Vec::new();
    let read = file.read_to_end(&mut bytes);
    read.ok().and_then(|_| xls::names(&bytes)).unwrap_or_default()
}

/// Refuses a workbook that is too large once unpacked. Returns the number of its parts, which is 0 for an XLS.
pub(in crate::transfer::import::sheet) fn refuse_bomb(
    file: &File,
    is_archive: bool,
    lang: Lang,
) -> Result<usize> {
    let mut file = again(file).map_err(unreadable(lang))?;
    if !is_archive {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable(lang))?;
        refuse_cells(xls::cells(&bytes).unwrap_or_default(), lang)?;
        return Ok(0);
    }
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged(lang))?;
    let mut left = MAX_MIB * 1024 * 1024;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(damaged(lang))?;
        let name = part.name_raw().to_ascii_lowercase();
        // The directory may lack the size of a part.
        let size = part.size();
        let is_xml = name.ends_with(b".xml");
        let part = Measured { part: part.take(left + 1), is_xml, bytes: 0, text: 0, longest: 0 };
        let mut part = BufReader::new(part);
        if size <= left {
            if name == TABLES {
                refuse_cells(ods::cells(&mut part, MAX_CELLS), lang)?;
            }
            copy(&mut part, &mut sink()).map_err(damaged(lang))?;
        }
        if part.get_ref().longest > MAX_TEXT_LENGTH {
            return Err(too_long(lang));
        }
        left = left.checked_sub(size.max(part.get_ref().bytes)).ok_or_else(|| {
            TransferError::Refused(localize!(
                lang,
                "a planilha tem mais de {MAX_MIB} MiB depois de descompactada. Divida-a, ou salve-a como CSV.",
                "the workbook unpacks to more than {MAX_MIB} MiB. Split it, or save it as CSV."
            ))
        })?;
    }
    Ok(archive.len())
}

fn refuse_cells(cells: u64, lang: Lang) -> Result<()> {
    if cells <= MAX_CELLS {
        return Ok(());
    }
    let most = MAX_CELLS / 1_000_000;
    Err(TransferError::Refused(localize!(
        lang,
        "uma aba da planilha ocupa mais de {most} milhões de células, talvez por uma célula muito longe das outras. Divida-a, ou salve-a como CSV.",
        "a sheet of the workbook spans more than {most} million cells, perhaps because one cell is far away from the others. Split it, or save it as CSV."
    )))
}

fn sheet_cells(rows: u64, columns: u64) -> u64 {
    rows.saturating_mul(columns)
}

/// Reader that measures a part of an archive.
struct Measured<R> {
    part: R,
    is_xml: bool,
    bytes: u64,
    /// Bytes since the last XML tag began. `longest` is the maximum between two tags.
    text: usize,
    longest: usize,
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Stops reading after a text that is too long.
        if self.longest > MAX_TEXT_LENGTH {
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

//! Workbooks that come to more than a machine has room for are refused before they are read: those that unpack to too much,
//! and those whose sheets are said to have, or have room for, more cells than there is memory for.

mod ods;
mod xls;

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, copy, sink};
use std::path::Path;

use flate2::read::DeflateDecoder;

use super::MOST_COLUMNS;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::transfer::error::TransferError;

/// What a workbook may unpack to, in MiB: sheets of some 200,000 rows.
const MOST: u64 = 512;
/// How many cells a sheet may come to: all that an XLS has room for, 65,536 rows of 256 ([MS-XLS]).
const MOST_CELLS: u64 = 65_536 * 256;
/// The part of an ODS that has the tables.
const TABLES: &[u8] = b"content.xml";
/// The end of a zip file's directory, and as much of a comment as may stand behind it.
const END: u64 = 22 + 65_535;

/// Refuses a workbook that comes to too much: what it says of that itself is not believed.
///
/// # Errors
/// That it does; why it cannot be read.
pub(super) fn refuse_bomb(path: &Path, lang: Lang) -> Result<(), TransferError> {
    let mut file = File::open(path).map_err(TransferError::file(path))?;
    let unpacked = unpacked(&mut file).map_err(TransferError::file(path))?;
    let cells = match unpacked {
        Some((_, cells)) => cells,
        None => xls::cells(&std::fs::read(path).map_err(TransferError::file(path))?).unwrap_or_default(),
    };
    if cells > MOST_CELLS {
        let most = MOST_CELLS / 1_000_000;
        return Err(TransferError::Refused(say!(
            lang,
            "uma aba da planilha ocupa mais de {most} milhões de células, talvez por uma célula muito longe das outras. Divida-a, ou salve-a como CSV.",
            "a sheet of the workbook takes more than {most} million cells, perhaps because of one that is far away from the others. Split it, or save it as CSV."
        )));
    }
    if unpacked.is_some_and(|(bytes, _)| bytes > MOST * 1024 * 1024) {
        return Err(TransferError::Refused(say!(
            lang,
            "a planilha tem mais de {MOST} MiB depois de descompactada. Divida-a, ou salve-a como CSV.",
            "the workbook unpacks to more than {MOST} MiB. Split it, or save it as CSV."
        )));
    }
    Ok(())
}

/// The cells of so many rows and columns.
fn sheet_cells(rows: u64, columns: u64) -> u64 {
    rows.saturating_mul(columns)
}

/// How many bytes a zip file unpacks to, counted up to a byte beyond the most, and how many cells its largest table has
/// where it is an ODS; none where it is no zip file.
fn unpacked(file: &mut File) -> std::io::Result<Option<(u64, u64)>> {
    let most = MOST * 1024 * 1024 + 1;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let Some(at) = end.windows(4).rposition(|bytes| bytes == b"PK\x05\x06") else { return Ok(None) };
    let end = end.get(at..).unwrap_or_default();
    let (entries, mut entry_at) = (u16_at(end, 10), u64::from(u32_at(end, 16)));
    let (mut bytes, mut cells) = (0, 0);
    for _ in 0..entries {
        let header: [u8; 46] = read_at(file, entry_at)?;
        if !header.starts_with(b"PK\x01\x02") {
            break;
        }
        let (method, packed) = (u16_at(&header, 10), u64::from(u32_at(&header, 20)));
        let local = u64::from(u32_at(&header, 42));
        let mut name = vec![0; u16_at(&header, 28).into()];
        file.read_exact(&mut name)?;
        let lengths = [28, 30, 32].map(|at| u64::from(u16_at(&header, at)));
        entry_at += 46 + lengths.iter().sum::<u64>();
        let own: [u8; 30] = read_at(file, local)?;
        let content = local + 30 + u64::from(u16_at(&own, 26)) + u64::from(u16_at(&own, 28));
        file.seek(SeekFrom::Start(content))?;
        if name == TABLES {
            let stored = BufReader::new(&*file).take(packed);
            cells = match method {
                8 => ods::cells(BufReader::new(DeflateDecoder::new(stored).take(most)), MOST_CELLS),
                _ => ods::cells(stored, MOST_CELLS),
            };
            file.seek(SeekFrom::Start(content))?;
        }
        let stored = BufReader::new(&*file).take(packed);
        bytes += match method {
            8 => copy(&mut DeflateDecoder::new(stored).take(most - bytes), &mut sink()).unwrap_or(0),
            _ => packed,
        };
        if bytes >= most || cells > MOST_CELLS {
            break;
        }
    }
    Ok(Some((bytes, cells)))
}

fn read_at<const SIZE: usize>(file: &mut File, at: u64) -> std::io::Result<[u8; SIZE]> {
    let mut bytes = [0; SIZE];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    let two = bytes.get(at..at + 2).and_then(|two| two.try_into().ok());
    two.map_or(0, u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map_or(0, u32::from_le_bytes)
}

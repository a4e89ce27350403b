//! Workbooks that unpack to more than a machine has room for are refused before they are read.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, copy, sink};
use std::path::Path;

use flate2::read::DeflateDecoder;

use crate::domain::Lang;
use crate::domain::lang::say;
use crate::transfer::error::TransferError;

/// What a workbook may unpack to, in MiB: sheets of some 200,000 rows.
const MOST: u64 = 512;
/// The end of a zip file's directory, and as much of a comment as may stand behind it.
const END: u64 = 22 + 65_535;

/// Refuses a zip file that unpacks to too much: what its directory says of that is not believed.
///
/// # Errors
/// That it does; why it cannot be read.
pub(super) fn refuse_bomb(path: &Path, lang: Lang) -> Result<(), TransferError> {
    let mut file = File::open(path).map_err(TransferError::file(path))?;
    let unpacked = unpacked(&mut file).map_err(TransferError::file(path))?;
    if unpacked.is_some_and(|bytes| bytes > MOST * 1024 * 1024) {
        return Err(TransferError::Refused(say!(
            lang,
            "a planilha tem mais de {MOST} MiB depois de descompactada. Divida-a, ou salve-a como CSV.",
            "the workbook unpacks to more than {MOST} MiB. Split it, or save it as CSV."
        )));
    }
    Ok(())
}

/// How many bytes a zip file unpacks to, counted up to a byte beyond the most; none where it is no zip file.
fn unpacked(file: &mut File) -> std::io::Result<Option<u64>> {
    let most = MOST * 1024 * 1024 + 1;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let Some(at) = end.windows(4).rposition(|bytes| bytes == b"PK\x05\x06") else { return Ok(None) };
    let end = end.get(at..).unwrap_or_default();
    let (entries, mut entry_at) = (u16_at(end, 10), u64::from(u32_at(end, 16)));
    let mut bytes = 0;
    for _ in 0..entries {
        let header: [u8; 46] = read_at(file, entry_at)?;
        if !header.starts_with(b"PK\x01\x02") {
            break;
        }
        let (method, packed) = (u16_at(&header, 10), u64::from(u32_at(&header, 20)));
        let local = u64::from(u32_at(&header, 42));
        let lengths = [28, 30, 32].map(|at| u64::from(u16_at(&header, at)));
        entry_at += 46 + lengths.iter().sum::<u64>();
        let own: [u8; 30] = read_at(file, local)?;
        let content = local + 30 + u64::from(u16_at(&own, 26)) + u64::from(u16_at(&own, 28));
        file.seek(SeekFrom::Start(content))?;
        let stored = BufReader::new(&*file).take(packed);
        bytes += match method {
            8 => copy(&mut DeflateDecoder::new(stored).take(most - bytes), &mut sink()).unwrap_or(0),
            _ => packed,
        };
        if bytes >= most {
            break;
        }
    }
    Ok(Some(bytes))
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

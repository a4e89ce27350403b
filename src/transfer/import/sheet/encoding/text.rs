//! Text files as bytes in UTF-8 or in an encoding of one byte a character. UTF-16 is decoded while it is read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE};

use crate::sheets::BYTE_ORDER_MARK;
use crate::transfer::import::sheet::table::again;

/// Number of bytes at the beginning that are used to detect what a text is.
pub(in crate::transfer::import::sheet) const START: u64 = 64 * 1024;
/// Number of bytes that are decoded at once.
const CHUNK: usize = 64 * 1024;

pub(in crate::transfer::import::sheet) struct TextFile<'f> {
    file: &'f File,
    /// UTF-16 of either byte order, or `None` for any encoding in which ASCII is ASCII.
    utf_16: Option<&'static Encoding>,
    mark: u64,
}

impl<'f> TextFile<'f> {
    /// Detects the encoding from a byte order mark, or from the zero bytes that ASCII has in UTF-16.
    pub(in crate::transfer::import::sheet) fn of(file: &'f File) -> io::Result<TextFile<'f>> {
        let mut start = Vec::new();
        again(file)?.take(1024).read_to_end(&mut start)?;
        let zeros = |odd: usize| start.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
        let is_mostly_zero = |odd| zeros(odd) > start.len() / 4 && zeros(1 - odd) < zeros(odd) / 8;
        let (utf_16, mark) = match &start[..] {
            [0xff, 0xfe, ..] => (Some(UTF_16LE), 2),
            [0xfe, 0xff, ..] => (Some(UTF_16BE), 2),
            own if own.starts_with(BYTE_ORDER_MARK) => (None, BYTE_ORDER_MARK.len() as u64),
            _ if is_mostly_zero(1) => (Some(UTF_16LE), 0),
            _ if is_mostly_zero(0) => (Some(UTF_16BE), 0),
            _ => (None, 0),
        };
        Ok(TextFile { file, utf_16, mark })
    }

    /// Returns the text from its beginning, without a byte order mark.
    pub(in crate::transfer::import::sheet) fn reader(&self) -> io::Result<Box<dyn BufRead>> {
        let mut file = again(self.file)?;
        file.seek(SeekFrom::Start(self.mark))?;
        let file = BufReader::with_capacity(CHUNK, file);
        Ok(match self.utf_16 {
            Some(encoding) => Box::new(BufReader::with_capacity(CHUNK, Utf16::new(file, encoding))),
            None => Box::new(file),
        })
    }

    pub(in crate::transfer::import::sheet) fn start(&self) -> io::Result<Vec<u8>> {
        let mut start = Vec::new();
        self.reader()?.take(START).read_to_end(&mut start)?;
        Ok(start)
    }
}

/// Decodes UTF-16 as UTF-8.
struct Utf16 {
    file: BufReader<File>,
    decoder: Decoder,
    decoded: String,
    /// Number of bytes of `decoded` that have been read.
    read: usize,
    is_over: bool,
}

impl Utf16 {
    fn new(file: BufReader<File>, encoding: &'static Encoding) -> Utf16 {
        let decoder = encoding.new_decoder_without_bom_handling();
        Utf16 { file, decoder, decoded: String::new(), read: 0, is_over: false }
    }
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read >= self.decoded.len() && !self.is_over {
            let bytes = self.file.fill_buf()?;
            let taken = bytes.len();
            self.is_over = taken == 0;
            let room = self.decoder.max_utf8_buffer_length(taken).unwrap_or_default();
            self.decoded = String::with_capacity(room);
            let _ = self.decoder.decode_to_string(bytes, &mut self.decoded, self.is_over);
            self.file.consume(taken);
            self.read = 0;
        }
        let taken = self.decoded.as_bytes().get(self.read..).unwrap_or_default().read(buffer)?;
        self.read += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn utf_16_is_decoded_in_both_byte_orders_with_and_without_a_mark() {
        let text = "Nome\tObservação\r\nJoão 😀\t".repeat(9_000);
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for bytes in [
            [b"\xff\xfe", &little[..]].concat(),
            [b"\xfe\xff", &big[..]].concat(),
            little,
            big,
            text.as_bytes().to_vec(),
            [BYTE_ORDER_MARK, text.as_bytes()].concat(),
        ] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes).unwrap();
            let mut read = String::new();
            TextFile::of(&file).unwrap().reader().unwrap().read_to_string(&mut read).unwrap();
            assert!(read == text, "{} bytes", bytes.len());
        }
    }
}

//! Looks through the lines of a CSV before its rows are read, and tidies what the parser of CSV does not know: lines
//! that end with CR alone, and blanks in front of a quotation mark.

use std::io::{self, BufRead, Read};

use memchr::{memchr2, memmem};

use crate::transfer::import::sheet::encoding::letters::CodePage;
use crate::transfer::import::sheet::encoding::text::TextFile;
use crate::transfer::import::sheet::other_kinds::UNKNOWN;
use crate::transfer::import::sheet::table::unreadable;
use crate::transfer::prelude::*;

/// Longest row in bytes, so that a quotation mark that is never closed uses little memory. The longest text of a record
/// fits.
pub(in crate::transfer::import::sheet) const MAX_ROW_BYTES: u64 = 4 * 1024 * 1024;

pub(in crate::transfer::import::sheet) fn too_long(line: u64, lang: Lang) -> TransferError {
    TransferError::Refused(localize!(
        lang,
        "a linha {line} passa de 4 MiB; talvez falte fechar aspas.",
        "line {line} is longer than 4 MiB; perhaps a quotation mark is not closed."
    ))
}

/// What the lines of a whole file show.
#[derive(Default)]
pub(in crate::transfer::import::sheet) struct Lines {
    pub(in crate::transfer::import::sheet) count: u64,
    /// `true` if lines end with CR LF.
    pub(in crate::transfer::import::sheet) is_crlf: bool,
    line_feeds: u64,
    has_blank_before_quote: bool,
    code_page: CodePage,
}

impl Lines {
    /// # Errors
    /// Refuses a file with zero bytes, which no text has, or with a line that is longer than any row.
    pub(in crate::transfer::import::sheet) fn scan(
        text: &TextFile<'_>,
        separator: u8,
        lang: Lang,
    ) -> Result<Lines> {
        let mut reader = text.reader().map_err(unreadable(lang))?;
        let mut lines = Lines::default();
        let mut open = Vec::new();
        loop {
            let bytes = reader.fill_buf().map_err(unreadable(lang))?;
            if bytes.is_empty() {
                break;
            }
            let mut rest = bytes;
            let length = bytes.len();
            while let Some(end) = memchr2(b'\n', b'\r', rest) {
                let (line, behind) = rest.split_at(end);
                match open.is_empty() {
                    true => lines.see(line, separator, lang)?,
                    false => {
                        open.extend_from_slice(line);
                        lines.see(&open, separator, lang)?;
                        open.clear();
                    }
                }
                let is_line_feed = behind.first() == Some(&b'\n');
                lines.line_feeds += u64::from(is_line_feed);
                lines.count += 1;
                rest = behind.get(1..).unwrap_or_default();
                lines.is_crlf |= lines.count == 1 && !is_line_feed && rest.first() == Some(&b'\n');
            }
            open.extend_from_slice(rest);
            if open.len() as u64 > MAX_ROW_BYTES {
                return Err(too_long(lines.number() + 1, lang));
            }
            reader.consume(length);
        }
        lines.see(&open, separator, lang)?;
        lines.count = lines.number();
        Ok(lines)
    }

    /// Returns the number of lines so far. CR LF is one line end.
    fn number(&self) -> u64 {
        if self.line_feeds > 0 { self.line_feeds } else { self.count }
    }

    fn see(&mut self, line: &[u8], separator: u8, lang: Lang) -> Result<()> {
        if line.contains(&0) {
            return Err(UNKNOWN.refusal(lang));
        }
        if !self.has_blank_before_quote {
            self.has_blank_before_quote = memmem::find_iter(line, b" \"").any(|at| {
                let before = line.get(..at).unwrap_or_default().trim_ascii_end();
                before.is_empty() || before.ends_with(&[separator])
            });
        }
        if !line.is_ascii() {
            let is_between = |byte: &u8| *byte == separator || *byte == b'"';
            line.split(is_between).for_each(|cell| self.code_page.see(cell));
        }
        Ok(())
    }

    fn is_cr_alone(&self) -> bool {
        self.line_feeds == 0 && self.count > 0
    }

    /// Returns `true` if the text has to be [`Tidied`].
    pub(in crate::transfer::import::sheet) fn is_untidy(&self) -> bool {
        self.has_blank_before_quote || self.is_cr_alone()
    }

    pub(in crate::transfer::import::sheet) fn is_cp850(&self) -> bool {
        self.code_page.is_cp850()
    }
}

enum Place {
    /// At the beginning of a cell, behind this many blanks.
    Begin(usize),
    Inside,
    Quoted,
    /// Behind a quotation mark that ends the cell, or is the first of two in it.
    Closed,
}

/// Reader of a CSV in which every line ends with LF alone, without the blanks between a separator and a quotation mark.
pub(in crate::transfer::import::sheet) struct Tidied<R> {
    content: R,
    separator: u8,
    place: Place,
    is_after_cr: bool,
    tidy: Vec<u8>,
    /// Number of bytes of `tidy` that have been read.
    read: usize,
}

impl<R: BufRead> Tidied<R> {
    pub(in crate::transfer::import::sheet) fn new(content: R, separator: u8) -> Tidied<R> {
        Tidied { content, separator, place: Place::Begin(0), is_after_cr: false, tidy: Vec::new(), read: 0 }
    }

    fn add(&mut self, byte: u8) {
        let blanks = |count: usize| std::iter::repeat_n(b' ', count);
        self.place = match (&self.place, byte) {
            (Place::Begin(count), b' ') => {
                self.place = Place::Begin(count + 1);
                return;
            }
            (Place::Begin(_), b'"') => Place::Quoted,
            (Place::Quoted, b'"') => Place::Closed,
            (Place::Closed, b'"') => Place::Quoted,
            (Place::Quoted, _) => Place::Quoted,
            (Place::Begin(count), _) => {
                self.tidy.extend(blanks(*count));
                if byte == self.separator || byte == b'\n' { Place::Begin(0) } else { Place::Inside }
            }
            (Place::Inside | Place::Closed, _) if byte == self.separator || byte == b'\n' => Place::Begin(0),
            (Place::Inside | Place::Closed, _) => Place::Inside,
        };
        self.tidy.push(byte);
    }
}

impl<R: BufRead> Read for Tidied<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read >= self.tidy.len() {
            (self.read, self.tidy) = (0, Vec::new());
            let bytes = self.content.fill_buf()?.to_vec();
            if bytes.is_empty() {
                if std::mem::take(&mut self.is_after_cr) {
                    self.add(b'\n');
                    continue;
                }
                return Ok(0);
            }
            for byte in &bytes {
                match (self.is_after_cr, *byte) {
                    (true, b'\n') => self.add(b'\n'),
                    (true, b'\r') => {
                        self.add(b'\n');
                        continue;
                    }
                    (true, other) => {
                        self.add(b'\n');
                        self.add(other);
                    }
                    (false, b'\r') => {}
                    (false, other) => self.add(other),
                }
                self.is_after_cr = *byte == b'\r';
            }
            self.content.consume(bytes.len());
        }
        let taken = self.tidy.get(self.read..).unwrap_or_default().read(buffer)?;
        self.read += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_lf_and_no_blank_stands_before_a_quotation_mark() {
        for (text, tidy) in [
            ("a;b\rc;d\r", "a;b\nc;d\n"),
            ("a;b\r\n\r\nc", "a;b\n\nc"),
            ("a,  \"b, \"\" \"\", c\", \"d\"", "a,\"b, \"\" \"\", c\",\"d\""),
            ("  \"a\" , b \"c\",  d\n \"e\"", "\"a\" , b \"c\",  d\n\"e\""),
            ("x\"\", \"y\"", "x\"\",\"y\""),
            (" , \n", " , \n"),
        ] {
            for size in [1, 2, 3, 100] {
                let content = io::BufReader::with_capacity(size, text.as_bytes());
                let mut read = String::new();
                Tidied::new(content, b',').read_to_string(&mut read).unwrap();
                assert_eq!(read, tidy, "{text:?} by {size}");
            }
        }
    }
}

//! Reads rows of a CSV. Detects the separator (comma, semicolon or tab) and the encoding (UTF-8 or Windows-1252; see
//! `encoding::letters` for code page 850).

pub(super) mod csv_lines;

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::encoding::text::TextFile;
use super::process::message::{ReadCell, SheetRow};
use super::table::{RowReader, SeeTable, unreadable};
use crate::domain::decode;
use crate::sheets::unguard;
use crate::transfer::prelude::*;
use csv_lines::{Lines, MAX_ROW_BYTES, Tidied, too_long};

/// A row of this cell follows the file, after a line end. If a quotation mark is still open there, the row becomes part
/// of its cell instead.
const END: &[u8] = b"\0";

pub(super) fn each_table(text: &TextFile<'_>, lang: Lang, see: SeeTable<'_>) -> Result<()> {
    let separator = separator(&text.start().map_err(unreadable(lang))?);
    let lines = Lines::scan(text, separator, lang)?;
    let rows = lines.count.saturating_sub(1);
    see(String::new(), rows, &mut CsvRows::open(text, separator, &lines, lang)?)
}

struct CsvRows {
    reader: Reader<Bounded>,
    room: Rc<Cell<u64>>,
    /// Number of bytes with the row of [`END`], once all those before it have been read.
    length: Rc<Cell<Option<u64>>>,
    record: ByteRecord,
    /// `true` if lines end with CR LF. The reader counts such a line end only when it reads the next line.
    is_crlf: bool,
    is_cp850: bool,
    lang: Lang,
}

impl CsvRows {
    fn open(text: &TextFile<'_>, separator: u8, lines: &Lines, lang: Lang) -> Result<CsvRows> {
        let content = text.reader().map_err(unreadable(lang))?;
        let content: Box<dyn Read> = match lines.is_untidy() {
            true => Box::new(Tidied::new(content, separator)),
            false => Box::new(content),
        };
        let is_crlf = lines.is_crlf && !lines.is_untidy();
        let end: &'static [u8] = if is_crlf { b"\r\n\0" } else { b"\n\0" };
        let room = Rc::new(Cell::new(MAX_ROW_BYTES));
        let length = Rc::new(Cell::new(None));
        let bounded = Bounded { content, end, read: 0, room: room.clone(), length: length.clone() };
        let reader =
            ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(bounded);
        let is_cp850 = lines.is_cp850();
        Ok(CsvRows { reader, room, length, record: ByteRecord::new(), is_crlf, is_cp850, lang })
    }
}

impl RowReader for CsvRows {
    fn next(&mut self) -> Result<Option<SheetRow>> {
        self.room.set(MAX_ROW_BYTES);
        let behind = u64::from(self.is_crlf && self.reader.position().byte() > 0);
        let line = self.reader.position().line() + behind;
        match self.reader.read_byte_record(&mut self.record) {
            Ok(true) if self.length.get().is_none_or(|length| self.reader.position().byte() < length) => {
                // A file from several sources may have several encodings.
                let cells = self.record.iter().map(|cell| read(decode(cell))).collect();
                Ok(Some(SheetRow { line: self.line(), cells, refused: None }))
            }
            Ok(true) if self.record.as_slice() != END => {
                let line = self.line_of_last_cell();
                Err(TransferError::Refused(localize!(
                    self.lang,
                    "as aspas que se abrem na linha {line} nunca se fecham; feche-as ou apague-as.",
                    "the quotation mark opened in line {line} is never closed; close or remove it."
                )))
            }
            Ok(_) => Ok(None),
            Err(_) if self.room.get() == 0 => Err(too_long(line, self.lang)),
            Err(cause) => Err(unreadable(self.lang)(cause.into())),
        }
    }

    fn is_cp850(&self) -> bool {
        self.is_cp850
    }
}

impl CsvRows {
    /// Returns the line of the last row. The reader's own position is before any blank lines in front of the row.
    fn line(&self) -> u64 {
        let inside = line_feeds(self.record.as_slice());
        self.reader.position().line().saturating_sub(inside + u64::from(!self.is_crlf))
    }

    /// Returns the line in which the last cell begins, if the file ends within it.
    fn line_of_last_cell(&self) -> u64 {
        let inside = self.record.iter().next_back().map_or(0, line_feeds);
        self.reader.position().line().saturating_sub(inside)
    }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Creates a cell from a text. Removes the guard of an export. A guarded text is plain text; any other text
/// that looks like a long number is one that lost digits.
pub(super) fn read(text: Cow<'_, str>) -> ReadCell {
    let own = unguard(&text);
    if own.len() == text.len() { ReadCell::untyped(text) } else { ReadCell::text(own) }
}

/// Number of lines that are searched for the separator.
const MAX_SEPARATOR_LINES: usize = 20;
/// Separators, the likeliest first.
const SEPARATORS: [u8; 3] = [b';', b',', b'\t'];

/// Returns the separator of the headings: of the first line that contains one at least twice, if the next line contains
/// it too, because a title above the headings may have commas. If there is no such line, the next line does not matter,
/// and if no line contains one twice, the first line counts.
fn separator(start: &[u8]) -> u8 {
    let lines =
        start.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.trim_ascii().is_empty());
    let lines: Vec<_> = lines.take(MAX_SEPARATOR_LINES).map(separators).collect();
    let several = || lines.iter().enumerate().filter(|(_, line)| commonest(line).1 >= 2);
    let is_continued = |(at, line): &(usize, &SeparatorCounts)| {
        let own = commonest(line).0;
        let count =
            |next: &SeparatorCounts| next.iter().any(|(separator, count)| *separator == own && *count > 0);
        lines.get(at + 1).is_none_or(count)
    };
    let headings = several().find(is_continued).or_else(|| several().next());
    headings.map(|(_, line)| line).or(lines.first()).map_or(b';', |line| commonest(line).0)
}

type SeparatorCounts = [(u8, usize); SEPARATORS.len()];

/// Counts the separators of a line outside of quotation marks.
fn separators(line: &[u8]) -> SeparatorCounts {
    let mut counts = SEPARATORS.map(|separator| (separator, 0));
    let mut quoted = false;
    for byte in line {
        quoted ^= *byte == b'"';
        for (separator, count) in &mut counts {
            *count += usize::from(byte == separator && !quoted);
        }
    }
    counts
}

/// Returns the most frequent separator of a line, and its number.
fn commonest(counts: &SeparatorCounts) -> (u8, usize) {
    let most = counts.iter().map(|(_, count)| *count).max();
    counts.iter().copied().find(|(_, count)| Some(*count) == most).unwrap_or((b';', 0))
}

/// Reader of a text and of the row of [`END`]. Fails once a row has used up its `room`.
struct Bounded {
    content: Box<dyn Read>,
    end: &'static [u8],
    read: u64,
    room: Rc<Cell<u64>>,
    length: Rc<Cell<Option<u64>>>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.room.get()).unwrap_or(usize::MAX);
        if room == 0 {
            return Err(io::Error::other("a row is too long"));
        }
        let most = buffer.len().min(room);
        let mut read = self.content.read(buffer.get_mut(..most).unwrap_or_default())?;
        self.read += read as u64;
        if read == 0 {
            self.length.set(self.length.get().or(Some(self.read + self.end.len() as u64)));
            read = self.end.read(buffer)?;
        }
        self.room.set(self.room.get().saturating_sub(read as u64));
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_detected_from_the_headings() {
        for (lines, separator_meant) in [
            ("nome;cpf;e-mail", b';'),
            ("name,cpf,email", b','),
            ("a\tb,c\td", b'\t'),
            ("\"a,b,c\";d", b';'),
            ("nome", b';'),
            ("", b';'),
            ("Clientes, 2026\nnome;cpf;e-mail\n", b';'),
            ("Clientes\n\nname,cpf,email\nAna;b;c;d,,\n", b','),
            ("a;b\nc,d,e\n", b','),
            ("Clientes, Criciúma, 2026\nnome;cpf;e-mail\nAna;1;a@b.c\n", b';'),
            ("Clientes, Criciúma, 2026\r\n\r\nnome;cpf;e-mail\r\n", b';'),
            ("nome;cpf;notas\nAna;1;\"a\nb, c, d\"\nBia;2;a, b, c, d\n", b';'),
            ("name,cpf,email\nAna\nBia,1,b@c.d\n", b','),
        ] {
            assert_eq!(separator(lines.as_bytes()), separator_meant, "{lines}");
        }
    }

    #[test]
    fn a_guarded_cell_is_read_as_text() {
        for (cell, text, is_number) in [
            ("'1E+10", "1E+10", false),
            ("1,23E+13", "1,23E+13", true),
            ("1E5", "1E5", false),
            ("'=1", "=1", false),
            ("'90s", "'90s", false),
        ] {
            assert_eq!(read(cell.into()), ReadCell { is_number, ..ReadCell::text(text) });
        }
    }

    #[test]
    fn each_cell_is_decoded_separately() {
        assert_eq!(decode("Conceição".as_bytes()), "Conceição");
        assert_eq!(decode(b"Concei\xe7\xe3o"), "Conceição");
        assert_eq!(decode(b"\x80 5"), "€ 5");
    }
}

//! Reads rows of the first table of an HTML page, as old systems write under the name .xls. Tolerant: tags may be in
//! any case, unquoted and never closed.

use std::io::Read;

use super::csv::read;
use super::encoding::text::TextFile;
use super::process::message::{ReadCell, SheetRow};
use super::table::{MAX_COLUMNS, RowReader, SeeTable, unreadable};
use super::workbook::extent::{Extent, MAX_MIB};
use crate::domain::decode;
use crate::transfer::prelude::*;

/// Returns `true` if a text begins like a page or a table in HTML.
pub(super) fn is_meant(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start).to_ascii_lowercase();
    text.trim_start().starts_with('<')
        && ["<html", "<table", "<!doctype html", "<tr"].iter().any(|tag| text.contains(tag))
}

pub(super) fn each_table(text: &TextFile<'_>, lang: Lang, see: SeeTable<'_>) -> Result<()> {
    let mut html = Vec::new();
    let most = MAX_MIB * 1024 * 1024;
    text.reader()
        .and_then(|reader| reader.take(most + 1).read_to_end(&mut html))
        .map_err(unreadable(lang))?;
    if html.len() as u64 > most {
        return Err(TransferError::Refused(localize!(
            lang,
            "a página tem mais de {MAX_MIB} MiB. Divida-a, ou salve a tabela como CSV.",
            "the page has more than {MAX_MIB} MiB. Split it, or save its table as CSV."
        )));
    }
    see(String::new(), 0, &mut HtmlRows::new(&html, Extent::new(lang)))
}

enum Token<'h> {
    Text(&'h [u8]),
    /// A tag that opens: its name, in lower case, and its attributes.
    Open(String, &'h [u8]),
    Close(String),
}

struct Tokens<'h> {
    html: &'h [u8],
}

impl<'h> Tokens<'h> {
    /// Splits off everything up to the end of `mark`, or all that is left.
    fn skip_behind(&mut self, mark: &[u8]) -> &'h [u8] {
        let found = self.html.windows(mark.len()).position(|own| own.eq_ignore_ascii_case(mark));
        let (skipped, rest) = self.html.split_at(found.map_or(self.html.len(), |at| at + mark.len()));
        self.html = rest;
        skipped
    }

    /// Splits off a tag behind its name. Returns its attributes: a `>` within quotation marks does not end it.
    fn attributes(&mut self) -> &'h [u8] {
        let mut quote = None;
        let end = self.html.iter().position(|byte| {
            match (quote, *byte) {
                (None, b'>') => return true,
                (None, b'"' | b'\'') => quote = Some(*byte),
                (Some(own), byte) if own == byte => quote = None,
                _ => {}
            }
            false
        });
        let (attributes, rest) = self.html.split_at(end.unwrap_or(self.html.len()));
        self.html = rest.get(1..).unwrap_or_default();
        attributes
    }

    fn name(&mut self) -> String {
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric();
        let (name, rest) = self.html.split_at(self.html.iter().position(is_end).unwrap_or(self.html.len()));
        self.html = rest;
        String::from_utf8_lossy(name).to_ascii_lowercase()
    }
}

impl<'h> Iterator for Tokens<'h> {
    type Item = Token<'h>;

    fn next(&mut self) -> Option<Token<'h>> {
        loop {
            match self.html {
                [] => return None,
                [b'<', b'!', b'-', b'-', ..] => _ = self.skip_behind(b"-->"),
                [b'<', b'!' | b'?', ..] => _ = self.skip_behind(b">"),
                [b'<', b'/', letter, rest @ ..] if letter.is_ascii_alphabetic() => {
                    self.html = self.html.get(self.html.len() - rest.len() - 1..).unwrap_or_default();
                    let name = self.name();
                    self.attributes();
                    return Some(Token::Close(name));
                }
                [b'<', letter, rest @ ..] if letter.is_ascii_alphabetic() => {
                    self.html = self.html.get(self.html.len() - rest.len() - 1..).unwrap_or_default();
                    let name = self.name();
                    let attributes = self.attributes();
                    match &*name {
                        "script" | "style" => {
                            self.skip_behind(format!("</{name}").as_bytes());
                            self.skip_behind(b">");
                        }
                        _ => return Some(Token::Open(name, attributes)),
                    }
                }
                // A `<` that begins no tag is text.
                [_, rest @ ..] => {
                    let end = rest.iter().position(|byte| *byte == b'<').map_or(self.html.len(), |at| at + 1);
                    let (text, rest) = self.html.split_at(end);
                    self.html = rest;
                    return Some(Token::Text(text));
                }
            }
        }
    }
}

/// Returns the number that an attribute has, at most `most`, or 1 without the attribute.
fn number_of(attributes: &[u8], name: &str, most: usize) -> usize {
    let text = String::from_utf8_lossy(attributes).to_ascii_lowercase();
    let value = text.split_once(name).and_then(|(_, rest)| rest.trim_start().strip_prefix('='));
    let value = value.map(|value| value.trim_start().trim_start_matches(['"', '\'']));
    let digits = value.map(|value| value.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    digits.and_then(|digits| digits.parse::<usize>().ok()).map_or(1, |own| own.clamp(1, most))
}

/// A cell that is being read.
struct OpenCell {
    text: String,
    columns: usize,
    rows: usize,
}

struct HtmlRows<'h> {
    tokens: Tokens<'h>,
    /// Number of tables that are open, one in another. 0 before the table.
    depth: usize,
    is_over: bool,
    line: u64,
    cells: Vec<ReadCell>,
    cell: Option<OpenCell>,
    is_in_row: bool,
    /// Number of further rows that a cell covers, for each column.
    covered: Vec<usize>,
    extent: Extent,
}

impl HtmlRows<'_> {
    /// Most columns and rows of a cell, as in browsers.
    const MAX_COLUMNS_OF_CELL: usize = 1_000;
    const MAX_ROWS_OF_CELL: usize = 65_534;

    fn new(html: &[u8], extent: Extent) -> HtmlRows<'_> {
        HtmlRows {
            tokens: Tokens { html },
            depth: 0,
            is_over: false,
            line: 0,
            cells: Vec::new(),
            cell: None,
            is_in_row: false,
            covered: Vec::new(),
            extent,
        }
    }

    /// Leaves columns empty that cells of earlier rows cover.
    fn pass_covered(&mut self) {
        while let Some(rows) = self.covered.get_mut(self.cells.len()).filter(|rows| **rows > 0) {
            *rows -= 1;
            self.cells.push(ReadCell::default());
        }
    }

    fn end_cell(&mut self) -> Result<()> {
        let Some(OpenCell { text, columns, rows }) = self.cell.take() else { return Ok(()) };
        self.extent.add_text(&text)?;
        for column in 0..columns {
            self.pass_covered();
            if self.cells.len() > MAX_COLUMNS {
                break;
            }
            let at = self.cells.len();
            if rows > 1 {
                self.covered.resize(self.covered.len().max(at + 1), 0);
                if let Some(own) = self.covered.get_mut(at) {
                    *own = rows - 1;
                }
            }
            self.cells.push(if column == 0 { read(text.trim().into()) } else { ReadCell::default() });
        }
        Ok(())
    }

    /// Ends the row, if one is open, and returns it.
    fn end_row(&mut self) -> Result<Option<SheetRow>> {
        self.end_cell()?;
        if !std::mem::take(&mut self.is_in_row) {
            return Ok(None);
        }
        self.pass_covered();
        self.covered.iter_mut().skip(self.cells.len()).for_each(|rows| *rows = rows.saturating_sub(1));
        self.line += 1;
        let cells = std::mem::take(&mut self.cells);
        self.extent.add_row(SheetRow { line: self.line, cells, refused: None })
    }

    /// A table that only arranges others on the page has no text before them. The table in it counts then.
    fn is_arranging(&self) -> bool {
        let is_blank = self.cells.iter().all(|cell| cell.text.is_empty());
        self.line == 0 && is_blank && self.cell.as_ref().is_none_or(|cell| cell.text.trim().is_empty())
    }
}

impl RowReader for HtmlRows<'_> {
    fn next(&mut self) -> Result<Option<SheetRow>> {
        while !self.is_over {
            let Some(token) = self.tokens.next() else {
                self.is_over = true;
                return self.end_row();
            };
            match token {
                Token::Open(name, _) if name == "table" => match self.depth > 0 && !self.is_arranging() {
                    true => self.depth += 1,
                    false => {
                        self.depth = 1;
                        self.cells.clear();
                        self.covered.clear();
                        (self.cell, self.is_in_row) = (None, false);
                    }
                },
                _ if self.depth == 0 => {}
                Token::Close(name) if name == "table" => {
                    self.depth -= 1;
                    self.is_over = self.depth == 0;
                    if self.is_over {
                        return self.end_row();
                    }
                }
                Token::Open(name, attributes) if self.depth == 1 => match &*name {
                    "tr" => {
                        let row = self.end_row()?;
                        self.is_in_row = true;
                        if row.is_some() {
                            return Ok(row);
                        }
                    }
                    "td" | "th" => {
                        self.end_cell()?;
                        self.is_in_row = true;
                        let columns = number_of(attributes, "colspan", Self::MAX_COLUMNS_OF_CELL);
                        let rows = number_of(attributes, "rowspan", Self::MAX_ROWS_OF_CELL);
                        self.cell = Some(OpenCell { text: String::new(), columns, rows });
                    }
                    _ => self.add_tag(&name),
                },
                Token::Close(name) if self.depth == 1 && name == "tr" => {
                    let row = self.end_row()?;
                    if row.is_some() {
                        return Ok(row);
                    }
                }
                Token::Close(name) if self.depth == 1 && matches!(&*name, "td" | "th") => self.end_cell()?,
                Token::Open(name, _) => self.add_tag(&name),
                Token::Close(_) => {}
                Token::Text(text) => {
                    if let Some(cell) = &mut self.cell {
                        add_text(&mut cell.text, text);
                    }
                }
            }
        }
        Ok(None)
    }
}

impl HtmlRows<'_> {
    /// Breaks the line of the open cell at a tag that does so.
    fn add_tag(&mut self, name: &str) {
        if let Some(cell) = &mut self.cell
            && matches!(name, "br" | "p" | "div" | "li" | "tr")
        {
            cell.text.truncate(cell.text.trim_end_matches(' ').len());
            if name == "br" || !cell.text.is_empty() && !cell.text.ends_with('\n') {
                cell.text.push('\n');
            }
        }
    }
}

/// Appends a text of a page: white space is one blank, and character references are resolved.
fn add_text(cell: &mut String, text: &[u8]) {
    let text = decode(text);
    let mut rest = &*text;
    while let Some(next) = rest.chars().next() {
        let behind = rest.get(next.len_utf8()..).unwrap_or_default();
        if next.is_ascii_whitespace() {
            if !cell.is_empty() && !cell.ends_with([' ', '\n']) {
                cell.push(' ');
            }
            rest = behind;
        } else if next == '&'
            && let Some((named, length)) = referenced(behind)
        {
            cell.push(named);
            rest = behind.get(length..).unwrap_or_default();
        } else {
            cell.push(next);
            rest = behind;
        }
    }
}

/// Names of the characters from U+00A0 to U+00FF.
const LATIN: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml \
    Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
    times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
    egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
    ugrave uacute ucirc uuml yacute thorn yuml";
const OTHERS: [(&str, char); 14] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bull", '•'),
    ("hellip", '…'),
    ("euro", '€'),
];

/// Returns the character that a reference behind `&` means, and the length of the reference. A semicolon may be missing.
fn referenced(text: &str) -> Option<(char, usize)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '#';
    let name = text.split(|c: char| !is_part(c)).next().unwrap_or_default();
    let own = match name.strip_prefix('#') {
        Some(number) => {
            let hexadecimal = number.strip_prefix(['x', 'X']).map(|digits| u32::from_str_radix(digits, 16));
            let code = hexadecimal.unwrap_or_else(|| number.parse()).ok()?;
            char::from_u32(code).filter(|c| *c != '\0')?
        }
        None => {
            let latin = (0xa0..=0xff_u8).zip(LATIN.split(' ')).find(|(_, own)| *own == name);
            let other = || OTHERS.iter().find(|(own, _)| *own == name).map(|(_, c)| *c);
            latin.map(|(code, _)| char::from(code)).or_else(other)?
        }
    };
    let length = name.len() + usize::from(text.get(name.len()..).is_some_and(|rest| rest.starts_with(';')));
    Some((own, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(html: &str) -> Vec<Vec<String>> {
        let mut rows = HtmlRows::new(html.as_bytes(), Extent::new(Lang::En));
        let mut all = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            assert_eq!(row.line, all.len() as u64 + 1);
            all.push(row.cells.into_iter().map(|cell| cell.text).collect());
        }
        all
    }

    #[test]
    fn the_first_table_is_read() {
        let html = "<html><head><style>td > p { color: red }</style><script>if (a < b) '<table>'</script></head>\
            <body>Relat&oacute;rio<!-- <table><tr><td>n&atilde;o --><TABLE border=1>\n<thead><TR><TH>Nome<TH>Endere&ccedil;o\
            </thead><tr class='a > b'><td><b>Ana</b>  &amp;\n Bia</td><td>Rua A<br>n&#186; 1&nbsp;</td></tr>\
            <tr><td>5 < 6 &x; AT&T</td><td><p>a</p><p>b</p></td></table><table><tr><td>outra</table>";
        assert_eq!(
            rows(html),
            [["Nome", "Endereço"], ["Ana & Bia", "Rua A\nnº 1"], ["5 < 6 &x; AT&T", "a\nb"]]
        );
    }

    #[test]
    fn cells_over_several_columns_and_rows_keep_the_others_in_place() {
        let html = "<table><tr><th colspan=2>Clientes<th>C</tr><tr><td rowspan=\"3\">Ana<td>1<td>x</tr>\
            <tr><td>2</tr><tr><td>3<td>y</tr><tr><td>Bia<td>4<td>z</tr></table>";
        assert_eq!(
            rows(html),
            [
                vec!["Clientes", "", "C"],
                vec!["Ana", "1", "x"],
                vec!["", "2"],
                vec!["", "3", "y"],
                vec!["Bia", "4", "z"]
            ]
        );
    }

    #[test]
    fn a_table_in_another_counts_if_the_outer_one_only_arranges_it() {
        let inner = "<table><tr><td>Nome<td>CPF<tr><td>Ana<td>1</table>";
        assert_eq!(
            rows(&format!("<table><tr><td>{inner}</td></tr></table>")),
            [["Nome", "CPF"], ["Ana", "1"]]
        );
        let html = format!("<table><tr><td>Nome<td>Obs<tr><td>Bia<td>{inner}<tr><td>Caio<td></table>");
        let read = rows(&html);
        assert_eq!((read.len(), &*read[1][0], &*read[2][0]), (3, "Bia", "Caio"));
    }

    #[test]
    fn a_cell_over_very_many_columns_is_bounded() {
        let html = format!("<table><tr>{}</table>", "<td colspan=99999999>a".repeat(100));
        assert_eq!(rows(&html)[0].len(), MAX_COLUMNS + 1);
    }
}

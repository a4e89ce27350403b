//! Reads contacts of address books, one row a card: vCard 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350).

mod property;

use std::collections::BTreeMap;
use std::io::{BufRead, Read};

use property::{Property, is_quoted_printable, unescaped};

use super::encoding::text::TextFile;
use super::process::message::{ReadCell, SheetRow};
use super::table::{RowReader, unreadable};
use crate::transfer::prelude::*;

/// Longest line in bytes. A picture may be one line.
const MAX_LINE_BYTES: u64 = 16 * 1024 * 1024;
const BEGIN: &[u8] = b"BEGIN:VCARD";
/// Separates several values of a cell, as in files of Google.
const BETWEEN: &str = " ::: ";
/// Properties that say nothing about the person, or that are no text. Those that begin with `X-` are left out too.
const LEFT_OUT: [&str; 15] = [
    "VERSION",
    "PRODID",
    "REV",
    "UID",
    "SOURCE",
    "KIND",
    "CLASS",
    "SORT-STRING",
    "CLIENTPIDMAP",
    "XML",
    "PHOTO",
    "LOGO",
    "SOUND",
    "KEY",
    "AGENT",
];

/// The columns of a card, as the headings of customers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CardColumn {
    Name,
    Company,
    Phones,
    Emails,
    Birth,
    Street,
    Region,
    City,
    State,
    PostalCode,
    Country,
    Occupation,
    Gender,
    Notes,
    Others,
}

/// The headings of all columns. The last column is for what no field of a customer takes.
const COLUMNS: [(CardColumn, Bilingual); 15] = [
    (CardColumn::Name, ("Nome", "Name")),
    (CardColumn::Company, ("Empresa", "Company")),
    (CardColumn::Phones, ("Telefones", "Phones")),
    (CardColumn::Emails, ("E-mail", "E-mail")),
    (CardColumn::Birth, ("Nascimento", "Date of birth")),
    (CardColumn::Street, ("Rua, número e complemento", "Street, number and complement")),
    (CardColumn::Region, ("Bairro", "District")),
    (CardColumn::City, ("Cidade", "City")),
    (CardColumn::State, ("Estado", "State")),
    (CardColumn::PostalCode, ("CEP", "Postal code")),
    (CardColumn::Country, ("País", "Country")),
    (CardColumn::Occupation, ("Profissão", "Occupation")),
    (CardColumn::Gender, ("Gênero", "Gender")),
    (CardColumn::Notes, ("Anotações", "Notes")),
    (CardColumn::Others, ("Outros dados do contato", "Other data of the contact")),
];

/// Returns `true` if the file extension or the first bytes indicate a vCard.
pub(super) fn is_meant(ending: &str, start: &[u8]) -> bool {
    let is_named = ["vcf", "vcard"].iter().any(|own| ending.eq_ignore_ascii_case(own));
    let start = start.trim_ascii_start();
    is_named || start.get(..BEGIN.len()).is_some_and(|start| start.eq_ignore_ascii_case(BEGIN))
}

pub(super) struct CardRows {
    reader: Box<dyn BufRead>,
    /// Number of the last line that was read.
    line: u64,
    /// The line after the last property, which begins the next one.
    ahead: Option<Vec<u8>>,
    is_begun: bool,
    /// The line that begins the next card was read within the one before.
    is_open: bool,
    lang: Lang,
}

impl CardRows {
    pub(super) fn open(text: &TextFile<'_>, lang: Lang) -> Result<CardRows> {
        let reader = text.reader().map_err(unreadable(lang))?;
        Ok(CardRows { reader, line: 0, ahead: None, is_begun: false, is_open: false, lang })
    }

    fn line(&mut self) -> Result<Option<Vec<u8>>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let mut line = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line);
        if read.map_err(unreadable(self.lang))? == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.ensure_length(&line)?;
        while line.last().is_some_and(|last| matches!(last, b'\n' | b'\r')) {
            line.pop();
        }
        Ok(Some(line))
    }

    fn ensure_length(&self, line: &[u8]) -> Result<()> {
        let number = self.line;
        let most = MAX_LINE_BYTES / 1024 / 1024;
        match line.len() as u64 > MAX_LINE_BYTES {
            true => Err(TransferError::Refused(localize!(
                self.lang,
                "a linha {number} passa de {most} MiB.",
                "line {number} is longer than {most} MiB."
            ))),
            false => Ok(()),
        }
    }

    /// Returns the next property, with the lines on which it continues.
    fn property(&mut self) -> Result<Option<Property>> {
        let Some(mut line) = self.line()? else { return Ok(None) };
        while let Some(next) = self.line()? {
            if line.ends_with(b"=") && is_quoted_printable(&line) {
                line.pop();
                line.extend(next);
            } else if next.starts_with(b" ") || next.starts_with(b"\t") {
                line.extend(next.get(1..).unwrap_or_default());
            } else {
                self.ahead = Some(next);
                break;
            }
            self.ensure_length(&line)?;
        }
        Ok(Some(Property::parse(&line)))
    }

    /// Returns the next card, or `None` after the last.
    fn card(&mut self) -> Result<Option<SheetRow>> {
        let begins =
            |property: &Property| property.is("BEGIN") && property.value.eq_ignore_ascii_case("VCARD");
        while !std::mem::take(&mut self.is_open) {
            match self.property()? {
                Some(property) => self.is_open = begins(&property),
                None => return Ok(None),
            }
        }
        let line = self.line.saturating_sub(u64::from(self.ahead.is_some()));
        let mut card = Card::default();
        let mut is_whole = false;
        while let Some(property) = self.property()? {
            is_whole = property.is("END");
            self.is_open = begins(&property);
            if is_whole || self.is_open {
                break;
            }
            card.add(property);
        }
        let why = match (is_whole, card.is_group) {
            (true, false) => None,
            (true, true) => {
                Some(("o cartão é de um grupo de contatos", "the card is of a group of contacts"))
            }
            (false, _) => {
                Some(("o cartão está cortado: falta END:VCARD", "the card is cut off: END:VCARD is missing"))
            }
        };
        let why = why.map(|(pt, en)| self.lang.pick(pt, en).to_owned());
        Ok(Some(SheetRow { line, cells: card.cells(), refused: why }))
    }
}

impl RowReader for CardRows {
    fn next(&mut self) -> Result<Option<SheetRow>> {
        if self.is_begun {
            return self.card();
        }
        self.is_begun = true;
        let heading = |(pt, en): Bilingual| ReadCell::text(self.lang.pick(pt, en));
        let cells = COLUMNS.iter().map(|(_, names)| heading(*names)).collect();
        Ok(Some(SheetRow { cells, ..SheetRow::default() }))
    }
}

#[derive(Default)]
struct Card {
    cells: BTreeMap<CardColumn, String>,
    /// Phones and e-mail addresses, each with its preference.
    several: BTreeMap<CardColumn, Vec<(u32, String)>>,
    /// The name out of its parts, for a card without a formatted name.
    parts: String,
    has_address: bool,
    is_group: bool,
}

impl Card {
    fn add(&mut self, property: Property) {
        let text = unescaped(&property.value).trim().to_owned();
        match &*property.name {
            _ if text.is_empty() => {}
            "FN" => self.join(CardColumn::Name, "", &text),
            "N" => {
                let parts = property.components();
                let part = |at: usize| parts.get(at).map(|part| part.replace(',', " ")).unwrap_or_default();
                let all = [part(1), part(2), part(0), part(4)].join(" ");
                self.parts = all.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            "ORG" => {
                let parts: Vec<_> =
                    property.components().into_iter().filter(|part| !part.is_empty()).collect();
                self.join(CardColumn::Company, ", ", &parts.join(", "));
            }
            "TEL" if property.has("FAX") => self.note("Fax", &property.without_scheme()),
            "TEL" => self.add_to(CardColumn::Phones, &property),
            "EMAIL" => self.add_to(CardColumn::Emails, &property),
            "BDAY" => self.birth(&property),
            "ADR" => self.address(&property),
            "TITLE" => self.join(CardColumn::Occupation, ", ", &text),
            "NOTE" => self.join(CardColumn::Notes, "\n", &text),
            "GENDER" if matches!(text.get(..1), Some("M" | "F" | "O")) => {
                self.join(CardColumn::Gender, "", text.get(..1).unwrap_or_default());
            }
            "KIND" | "X-ADDRESSBOOKSERVER-KIND" => self.is_group |= text.eq_ignore_ascii_case("group"),
            name if LEFT_OUT.contains(&name) || name.starts_with("X-") => {}
            name => self.note(name, &text.replace(';', " ")),
        }
    }

    /// Adds a value to a column. With an empty separator, the first value counts.
    fn join(&mut self, column: CardColumn, separator: &str, text: &str) {
        let cell = self.cells.entry(column).or_default();
        if cell.is_empty() {
            *cell = text.to_owned();
        } else if !separator.is_empty() {
            *cell += &[separator, text].concat();
        }
    }

    /// Adds one of several values, unless it is there already.
    fn add_to(&mut self, column: CardColumn, property: &Property) {
        let values = self.several.entry(column).or_default();
        let value = property.without_scheme();
        match values.iter_mut().find(|(_, own)| *own == value) {
            Some((preference, _)) => *preference = property.preference().min(*preference),
            None => values.push((property.preference(), value)),
        }
    }

    /// Adds a date of birth: `1980-02-29`, `19800229`, or with a time. One without a year, or whose year Apple marks as
    /// unknown, becomes `--02-29`, as in files of Google. A date in words goes to the other data.
    fn birth(&mut self, property: &Property) {
        let date = property.value.split(['T', ' ']).next().unwrap_or_default();
        let digits: String = date.chars().filter(char::is_ascii_digit).collect();
        let is_date = date.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
        let omits_year = property.parameters.contains("OMIT-YEAR");
        let (year, rest) = match digits.len() {
            8 if omits_year => ("-", digits.get(4..)),
            8 => (digits.get(..4).unwrap_or_default(), digits.get(4..)),
            4 if date.starts_with("--") => ("-", Some(&*digits)),
            _ => ("", None),
        };
        match rest.and_then(|rest| rest.split_at_checked(2)) {
            Some((month, day)) if is_date => {
                self.join(CardColumn::Birth, "", &[year, "-", month, "-", day].concat());
            }
            _ => self.note("BDAY", &unescaped(&property.value)),
        }
    }

    /// Adds an address. Further ones go to the other data.
    fn address(&mut self, property: &Property) {
        let parts = property.components();
        let part = |at: usize| parts.get(at).map(|part| part.replace('\n', ", ")).unwrap_or_default();
        let joined = |parts: &[String]| {
            parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ")
        };
        if self.has_address {
            return self.note("ADR", &joined(&(0..7).map(part).collect::<Vec<_>>()));
        }
        self.has_address = true;
        for (column, text) in [
            (CardColumn::Street, joined(&[part(2), part(1), part(0)])),
            // RFC 9554 (2.1) adds the district and others behind the seven components of RFC 6350.
            (CardColumn::Region, part(15)),
            (CardColumn::City, part(3)),
            (CardColumn::State, part(4)),
            (CardColumn::PostalCode, part(5)),
            (CardColumn::Country, part(6)),
        ] {
            self.join(column, "", &text);
        }
    }

    fn note(&mut self, name: &str, text: &str) {
        self.join(CardColumn::Others, "\n", &[name, ": ", text].concat());
    }

    fn cells(mut self) -> Vec<ReadCell> {
        let parts = std::mem::take(&mut self.parts);
        self.join(CardColumn::Name, "", &parts);
        for (column, mut values) in std::mem::take(&mut self.several) {
            values.sort_by_key(|(preference, _)| *preference);
            let values: Vec<_> = values.into_iter().map(|(_, value)| value).collect();
            self.join(column, "", &values.join(BETWEEN));
        }
        let mut text = |column| ReadCell::text(self.cells.remove(&column).unwrap_or_default());
        COLUMNS.iter().map(|(column, _)| text(*column)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the filled cells of a property's card by column.
    fn cells(lines: &[&[u8]]) -> Vec<(CardColumn, String)> {
        let mut card = Card::default();
        lines.iter().for_each(|line| card.add(Property::parse(line)));
        let cells = COLUMNS.iter().map(|(column, _)| *column).zip(card.cells());
        cells.filter(|(_, cell)| !cell.text.is_empty()).map(|(column, cell)| (column, cell.text)).collect()
    }

    #[test]
    fn properties_of_all_versions_become_cells() {
        for (lines, column, text) in [
            (&[&b"FN:Ana Souza"[..], b"N:Souza;Ana;;;"][..], CardColumn::Name, "Ana Souza"),
            (&[b"N:Souza;Ana;Maria;Dra.;Filha"], CardColumn::Name, "Ana Maria Souza Filha"),
            (&[b"FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jo=C3=A3o"], CardColumn::Name, "João"),
            (&[b"FN;CHARSET=ISO-8859-1:Jo\xe3o"], CardColumn::Name, "João"),
            (&[b"FN;CHARSET=UTF-8:Jo\xe3o"], CardColumn::Name, "João"),
            (&[b"FN:Jo\xe3o"], CardColumn::Name, "João"),
            (&[b"fn:Silva\\, Souza\\; Reis"], CardColumn::Name, "Silva, Souza; Reis"),
            (
                &[b"TEL;HOME:(48) 3333-0001", b"item1.TEL;TYPE=CELL,pref:+55 48 98888-0001"],
                CardColumn::Phones,
                "+55 48 98888-0001 ::: (48) 3333-0001",
            ),
            (
                &[b"TEL;VALUE=uri;TYPE=\"cell:voice\":tel:+55-48-98888-0001;ext=1"],
                CardColumn::Phones,
                "+55-48-98888-0001",
            ),
            (
                &[b"TEL;PREF=2:48 1", b"TEL:48 3", b"TEL;PREF=1:48 2", b"TEL:48 1"],
                CardColumn::Phones,
                "48 2 ::: 48 1 ::: 48 3",
            ),
            (&[b"TEL;TYPE=WORK,FAX:4833330001"], CardColumn::Others, "Fax: 4833330001"),
            (
                &[b"EMAIL:a@exemplo.com.br", b"EMAIL:b@exemplo.com.br"],
                CardColumn::Emails,
                "a@exemplo.com.br ::: b@exemplo.com.br",
            ),
            (&[b"BDAY:19800229"], CardColumn::Birth, "1980-02-29"),
            (&[b"BDAY;VALUE=date:1980-02-29"], CardColumn::Birth, "1980-02-29"),
            (&[b"BDAY:1980-02-29T00:00:00Z"], CardColumn::Birth, "1980-02-29"),
            (&[b"BDAY:--0229"], CardColumn::Birth, "--02-29"),
            (&[b"BDAY:--02-29"], CardColumn::Birth, "--02-29"),
            (&[b"BDAY:2 de maio"], CardColumn::Others, "BDAY: 2 de maio"),
            (&[b"BDAY:1980"], CardColumn::Others, "BDAY: 1980"),
            (&[b"BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29"], CardColumn::Birth, "--02-29"),
            (&[b"ORG:Padaria;Vendas"], CardColumn::Company, "Padaria, Vendas"),
            (&[b"ADR;TYPE=HOME:;;Rua A\\, 1;;;;"], CardColumn::Street, "Rua A, 1"),
            (&[b"ADR:;;;;;;;;;;;;;;;Centro;;"], CardColumn::Region, "Centro"),
            (&[b"NOTE:um\\ndois"], CardColumn::Notes, "um\ndois"),
            (&[b"NOTE;QUOTED-PRINTABLE:um=0D=0Adois"], CardColumn::Notes, "um\ndois"),
            (&[b"ADR;QUOTED-PRINTABLE:;;Rua A=0D=0A1;;;;"], CardColumn::Street, "Rua A, 1"),
            (&[b"GENDER:F"], CardColumn::Gender, "F"),
            (&[b"URL:https://exemplo.com.br"], CardColumn::Others, "URL: https://exemplo.com.br"),
        ] {
            assert_eq!(cells(lines), [(column, text.to_owned())], "{:?}", String::from_utf8_lossy(lines[0]));
        }
        for line in [&b"PHOTO;ENCODING=b:AAAA"[..], b"X-ABLabel:_$!<Home>!$_", b"VERSION:3.0", b"FN:", b""] {
            assert_eq!(cells(&[line]), [], "{:?}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn a_vcard_is_detected_by_extension_or_content() {
        for (ending, start, is_card) in
            [("vcf", &b"x"[..], true), ("txt", b"\r\nbegin:vcard\r\n", true), ("csv", b"nome;cpf", false)]
        {
            assert_eq!(is_meant(ending, start), is_card, "{ending}");
        }
    }
}

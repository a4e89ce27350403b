//! The limits of a workbook, and the errors for workbooks that exceed them.

use crate::transfer::import::sheet::process::message::SheetRow;
use crate::transfer::prelude::*;

/// Longest text of a cell in characters, as in Excel.
pub(in crate::transfer::import::sheet) const MAX_CHARACTERS_OF_CELL: usize = 32_767;
/// Maximum number of rows of all sheets together.
const MAX_ROWS: u64 = 2_000_000;
/// Maximum unpacked size of a workbook in MiB, enough for about 200,000 rows.
pub(in crate::transfer::import::sheet) const MAX_MIB: u64 = 512;

/// The refusal of a workbook that its parser cannot read. What the parser says is for programmers, in English.
pub(in crate::transfer::import::sheet) fn damaged<E>(lang: Lang) -> impl Fn(E) -> TransferError {
    move |_| {
        unread(lang, lang.pick(
            "o arquivo está danificado ou incompleto, ou não é uma planilha. Abra-o no programa de planilhas e salve-o de novo como .xlsx ou CSV, ou peça-o outra vez a quem o enviou",
            "the file is damaged or incomplete, or no spreadsheet. Open it in the spreadsheet program and save it again as .xlsx or CSV, or ask its sender for it again",
        ))
    }
}

pub(in crate::transfer::import::sheet) fn unread(lang: Lang, cause: &str) -> TransferError {
    let text = lang.pick("a planilha não pode ser lida", "the workbook cannot be read");
    TransferError::Refused(format!("{text}: {cause}."))
}

pub(in crate::transfer::import::sheet) fn too_long(lang: Lang) -> TransferError {
    TransferError::Refused(localize!(
        lang,
        "uma célula da planilha tem mais de {MAX_CHARACTERS_OF_CELL} caracteres, o máximo de uma planilha. Encurte-a, ou salve a planilha como CSV.",
        "a cell of the workbook has more than {MAX_CHARACTERS_OF_CELL} characters, the most that a workbook may have. Shorten it, or save the workbook as CSV."
    ))
}

pub(in crate::transfer::import::sheet) struct Extent {
    rows: u64,
    /// Bytes of text in cells. Counted per cell, because the file stores a text that many cells share only once.
    bytes: u64,
    pub(in crate::transfer::import::sheet) lang: Lang,
}

impl Extent {
    pub(in crate::transfer::import::sheet) fn new(lang: Lang) -> Extent {
        Extent { rows: 0, bytes: 0, lang }
    }

    /// Counts the text of a cell before it is copied. Refuses the workbook if it exceeds a limit.
    pub(in crate::transfer::import::sheet) fn add_text(&mut self, text: &str) -> Result<()> {
        if text.len() > MAX_CHARACTERS_OF_CELL && text.chars().count() > MAX_CHARACTERS_OF_CELL {
            return Err(too_long(self.lang));
        }
        self.bytes += text.len() as u64;
        if self.bytes > MAX_MIB * 1024 * 1024 {
            return Err(TransferError::Refused(localize!(
                self.lang,
                "as células da planilha têm mais de {MAX_MIB} MiB de texto. Divida-a, ou salve-a como CSV.",
                "the cells of the workbook have more than {MAX_MIB} MiB of text. Split it, or save it as CSV."
            )));
        }
        Ok(())
    }

    /// Counts a row and returns it. Refuses the workbook if it exceeds [`MAX_ROWS`].
    pub(in crate::transfer::import::sheet) fn add_row(&mut self, row: SheetRow) -> Result<Option<SheetRow>> {
        self.rows += u64::from(!row.is_blank());
        if self.rows > MAX_ROWS {
            let most = MAX_ROWS / 1_000_000;
            return Err(TransferError::Refused(localize!(
                self.lang,
                "a planilha tem mais de {most} milhões de linhas. Divida-a, ou salve-a como CSV.",
                "the workbook has more than {most} million rows. Split it, or save it as CSV."
            )));
        }
        Ok(Some(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::import::sheet::process::message::ReadCell;

    fn refusal(refused: Result<impl Sized>) -> String {
        refused.map_or_else(|error| error.message(Lang::En), |_| String::new())
    }

    #[test]
    fn cells_are_limited_to_the_characters_of_an_excel_cell() {
        let longest = "ç".repeat(MAX_CHARACTERS_OF_CELL);
        let mut extent = Extent::new(Lang::En);
        assert!(extent.add_text(&longest).is_ok());
        assert!(refusal(extent.add_text(&(longest + "a"))).contains("more than 32767 characters"));
    }

    #[test]
    fn the_total_text_is_limited_to_the_unpacked_size_of_a_workbook() {
        let text = "a".repeat(16 * 1024);
        let mut extent = Extent::new(Lang::En);
        for _ in 0..MAX_MIB * 64 {
            assert!(extent.add_text(&text).is_ok());
        }
        assert!(refusal(extent.add_text("a")).contains("more than 512 MiB of text"));
    }

    #[test]
    fn only_rows_with_content_count() {
        let row = |text: &str| SheetRow { cells: vec![ReadCell::text(text)], ..SheetRow::default() };
        let mut extent = Extent::new(Lang::En);
        for _ in 0..MAX_ROWS {
            assert!(extent.add_row(row("a")).is_ok());
        }
        assert!(extent.add_row(row(" ")).is_ok());
        assert!(refusal(extent.add_row(row("a"))).contains("more than 2 million rows"));
    }
}

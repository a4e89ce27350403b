//! The rows that an import refused, as a CSV or a workbook that says why, to be corrected and imported again.

use std::collections::BTreeSet;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::sheet::SheetRow;
use crate::domain::lang::say;
use crate::domain::{Bilingual, Lang};
use crate::files::{folder_of, persist};
use crate::records::Table;
use crate::sheets::{BYTE_ORDER_MARK, Cell, csv_writer, write_cells};
use crate::transfer::error::TransferError;
use crate::transfer::export::sheets::Workbook;

/// The heading of the column that says why.
const WHY: Bilingual = ("Motivo", "Reason");
/// Endings of workbooks that are read, and not written.
const UNWRITTEN: [&str; 4] = ["xls", "ods", "xlsm", "xlsb"];

/// The file of refused rows.
pub(super) struct RefusedRows {
    path: PathBuf,
    form: RefusedForm,
}

/// What the file's name says that it is.
enum RefusedForm {
    Csv(Box<csv::Writer<BufWriter<NamedTempFile>>>),
    Xlsx {
        book: Box<Workbook>,
        file: NamedTempFile,
        /// The names of the sheets that were begun.
        sheets: BTreeSet<String>,
        /// The sheet that the next row begins: its name and its headings.
        next: Option<(String, Vec<String>)>,
    },
}

impl RefusedRows {
    /// Begins the file, which must not be there yet, and has its name once it is whole.
    pub(super) fn begin(path: &Path, lang: Lang) -> Result<RefusedRows, TransferError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if UNWRITTEN.contains(&&*ending) {
            let name = path.display();
            return Err(TransferError::Refused(say!(
                lang,
                "{name}: as linhas recusadas são gravadas em .csv ou .xlsx.",
                "{name}: refused rows are written as .csv or .xlsx."
            )));
        }
        if path.exists() {
            return Err(TransferError::File(path.to_owned(), ErrorKind::AlreadyExists.into()));
        }
        let mut file = NamedTempFile::new_in(folder_of(path)).map_err(TransferError::file(path))?;
        let form = if ending == "xlsx" {
            let (book, sheets) = (Box::new(Workbook::new(lang)), BTreeSet::new());
            RefusedForm::Xlsx { book, file, sheets, next: None }
        } else {
            file.write_all(BYTE_ORDER_MARK.as_bytes()).map_err(TransferError::file(path))?;
            RefusedForm::Csv(Box::new(csv_writer(BufWriter::new(file))))
        };
        Ok(RefusedRows { path: path.to_owned(), form })
    }

    /// The headings of what follows, which are rows of that table.
    pub(super) fn headings(
        &mut self,
        table: &Table,
        headings: &[String],
        lang: Lang,
    ) -> Result<(), TransferError> {
        let why = lang.pick(WHY.0, WHY.1).to_owned();
        let all = [headings, &[why]].concat();
        match &mut self.form {
            RefusedForm::Csv(csv) => csv.write_record(&all).map_err(|cause| failed(&self.path, cause)),
            RefusedForm::Xlsx { sheets, next, .. } => {
                let own = lang.pick(table.many.0, table.many.1);
                let numbered = (2..).map(|number| format!("{own} {number}"));
                let name = [own.to_owned()].into_iter().chain(numbered).find(|name| !sheets.contains(name));
                *next = name.map(|name| (name, all));
                Ok(())
            }
        }
    }

    /// Adds a row; what it has beyond its headings stands behind the reason.
    pub(super) fn add(&mut self, row: &SheetRow, headings: usize, why: &str) -> Result<(), TransferError> {
        let text = |at: usize| row.cells.get(at).map(|cell| cell.text.clone()).unwrap_or_default();
        let cells =
            (0..headings).map(text).chain([why.to_owned()]).chain((headings..row.cells.len()).map(text));
        let cells: Vec<Cell> = cells.map(Cell::Text).collect();
        match &mut self.form {
            RefusedForm::Csv(csv) => write_cells(csv, &cells).map_err(|cause| failed(&self.path, cause)),
            RefusedForm::Xlsx { book, sheets, next, .. } => {
                if let Some((name, headings)) = next.take() {
                    book.begin_sheet(&name, &headings)?;
                    sheets.insert(name);
                }
                book.add(&cells)
            }
        }
    }

    /// Gives it its name.
    pub(super) fn finish(self) -> Result<(), TransferError> {
        let path = &self.path;
        let file = match self.form {
            RefusedForm::Csv(csv) => {
                let file = csv.into_inner().map_err(|cause| cause.into_error());
                file.and_then(|file| file.into_inner().map_err(|cause| cause.into_error()))
            }
            RefusedForm::Xlsx { book, mut file, .. } => {
                book.write_to(BufWriter::new(file.as_file_mut()))?;
                Ok(file)
            }
        };
        let file = file.map_err(TransferError::file(path))?;
        file.as_file().sync_all().map_err(TransferError::file(path))?;
        persist(file, path).map_err(TransferError::file(path))
    }
}

fn failed(path: &Path, cause: csv::Error) -> TransferError {
    TransferError::File(path.to_owned(), cause.into())
}

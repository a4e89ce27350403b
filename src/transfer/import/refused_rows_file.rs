//! Writes refused rows, with the reasons, to a CSV or a workbook that can be corrected and imported again.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::sheet::SheetRow;
use crate::files::{self, folder_of, persist};
use crate::sheets::Cell;
use crate::transfer::csv_writer::CsvWriter;
use crate::transfer::export::xlsx::Workbook;
use crate::transfer::prelude::*;

const WHY: Bilingual = ("Motivo", "Reason");
/// File extensions of workbooks that can be read but not written.
const READ_ONLY_EXTENSIONS: [&str; 4] = ["xls", "ods", "xlsm", "xlsb"];

pub(super) struct RefusedRows {
    path: PathBuf,
    file: NamedTempFile,
    form: RefusedForm,
}

enum RefusedForm {
    Csv(Box<CsvWriter>),
    Xlsx {
        book: Box<Workbook>,
        sheets: BTreeSet<String>,
        /// Name and headings of the sheet to begin with the next row.
        next: Option<(String, Vec<String>)>,
    },
}

impl RefusedRows {
    /// Begins a temporary file, which [`RefusedRows::finish`] renames to `path`. Fails if `path` exists.
    pub(super) fn begin(path: &Path, lang: Lang) -> Result<RefusedRows> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if READ_ONLY_EXTENSIONS.contains(&&*ending) {
            let name = path.display();
            return Err(TransferError::Refused(localize!(
                lang,
                "{name}: as linhas recusadas são gravadas em .csv ou .xlsx.",
                "{name}: refused rows are written as .csv or .xlsx."
            )));
        }
        if path.exists() {
            return Err(TransferError::File(path.to_owned(), ErrorKind::AlreadyExists.into()));
        }
        let file = NamedTempFile::new_in(folder_of(path)).map_err(TransferError::file(path))?;
        let form = if ending == "xlsx" {
            RefusedForm::Xlsx { book: Box::new(Workbook::new(lang)), sheets: BTreeSet::new(), next: None }
        } else {
            let own = file.as_file().try_clone().map_err(TransferError::file(path))?;
            RefusedForm::Csv(Box::new(CsvWriter::begin(path, own, &[])?))
        };
        Ok(RefusedRows { path: path.to_owned(), file, form })
    }

    /// Sets the headings for the rows that follow, which belong to `table`.
    pub(super) fn headings(&mut self, table: &Table, headings: &[String], lang: Lang) -> Result<()> {
        let why = lang.pick(WHY.0, WHY.1).to_owned();
        let all = [headings, &[why]].concat();
        match &mut self.form {
            RefusedForm::Csv(csv) => csv.headings(&all),
            RefusedForm::Xlsx { sheets, next, .. } => {
                let own = lang.pick(table.many.0, table.many.1);
                let numbered = (2..).map(|number| format!("{own} {number}"));
                let name = [own.to_owned()].into_iter().chain(numbered).find(|name| !sheets.contains(name));
                *next = name.map(|name| (name, all));
                Ok(())
            }
        }
    }

    /// Adds a row. Cells beyond the headings are written after the reason.
    pub(super) fn add(&mut self, row: &SheetRow, headings: usize, why: &str) -> Result<()> {
        let text = |at: usize| row.cells.get(at).map(|cell| cell.text.clone()).unwrap_or_default();
        let cells =
            (0..headings).map(text).chain([why.to_owned()]).chain((headings..row.cells.len()).map(text));
        let cells: Vec<Cell> = cells.map(Cell::Text).collect();
        match &mut self.form {
            RefusedForm::Csv(csv) => csv.add(&cells),
            RefusedForm::Xlsx { book, sheets, next, .. } => {
                if let Some((name, headings)) = next.take() {
                    book.begin_sheet(&name, &headings)?;
                    sheets.insert(name);
                }
                book.add(&cells)
            }
        }
    }

    /// Completes the file and renames it to its final name.
    pub(super) fn finish(self) -> Result<()> {
        let RefusedRows { path, file, form } = self;
        match form {
            RefusedForm::Csv(csv) => csv.finish()?,
            RefusedForm::Xlsx { book, .. } => {
                book.write_to(file.as_file())?;
                files::sync(file.as_file()).map_err(TransferError::file(&path))?;
            }
        }
        persist(file, &path).map_err(TransferError::file(&path))
    }
}

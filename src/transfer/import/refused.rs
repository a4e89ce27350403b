//! The rows that an import refused, as a CSV that says why, to be corrected and imported again.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::sheet::SheetRow;
use crate::domain::{Bilingual, Lang};
use crate::files::{folder_of, persist};
use crate::sheets::{BYTE_ORDER_MARK, Cell, csv_writer, in_csv};
use crate::transfer::error::TransferError;

/// The heading of the column that says why.
const WHY: Bilingual = ("Motivo", "Reason");

/// The file of refused rows.
pub(super) struct RefusedRows {
    path: PathBuf,
    csv: csv::Writer<BufWriter<NamedTempFile>>,
}

impl RefusedRows {
    /// Begins the file, which must not be there yet, and has its name once it is whole.
    pub(super) fn begin(path: &Path) -> Result<RefusedRows, TransferError> {
        if path.exists() {
            return Err(TransferError::File(path.to_owned(), ErrorKind::AlreadyExists.into()));
        }
        let file = NamedTempFile::new_in(folder_of(path)).map_err(TransferError::file(path))?;
        let mut file = BufWriter::new(file);
        file.write_all(BYTE_ORDER_MARK.as_bytes()).map_err(TransferError::file(path))?;
        Ok(RefusedRows { path: path.to_owned(), csv: csv_writer(file) })
    }

    /// The headings of what follows.
    pub(super) fn headings(&mut self, headings: &[String], lang: Lang) -> Result<(), TransferError> {
        let why = lang.pick(WHY.0, WHY.1);
        self.write(headings.iter().map(String::as_str).chain([why]))
    }

    /// Adds a row; what it has beyond its headings stands behind the reason.
    pub(super) fn add(&mut self, row: &SheetRow, headings: usize, why: &str) -> Result<(), TransferError> {
        let text = |at: usize| row.cells.get(at).map(|cell| cell.text.clone()).unwrap_or_default();
        let cells =
            (0..headings).map(text).chain([why.to_owned()]).chain((headings..row.cells.len()).map(text));
        let cells: Vec<String> = cells.map(|text| in_csv(&Cell::Text(text))).collect();
        self.write(cells.iter().map(String::as_str))
    }

    fn write<'a>(&mut self, cells: impl Iterator<Item = &'a str>) -> Result<(), TransferError> {
        self.csv.write_record(cells).map_err(|cause| TransferError::File(self.path.clone(), cause.into()))
    }

    /// Gives it its name.
    pub(super) fn finish(self) -> Result<(), TransferError> {
        let path = &self.path;
        let file = self.csv.into_inner().map_err(|cause| cause.into_error());
        let file = file.and_then(|file| file.into_inner().map_err(|cause| cause.into_error()));
        let file = file.map_err(TransferError::file(path))?;
        file.as_file().sync_all().map_err(TransferError::file(path))?;
        persist(file, path).map_err(TransferError::file(path))
    }
}

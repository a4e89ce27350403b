//! CSV files that people open, written row by row.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use crate::files;
use crate::sheets::{Cell, begin_csv, write_cells};
use crate::transfer::prelude::*;

pub(super) struct CsvWriter {
    /// The file's name in errors.
    path: PathBuf,
    csv: csv::Writer<BufWriter<File>>,
}

impl CsvWriter {
    pub(super) fn begin(path: &Path, file: File, headings: &[String]) -> Result<CsvWriter> {
        let csv = begin_csv(BufWriter::new(file)).map_err(TransferError::file(path))?;
        let mut begun = CsvWriter { path: path.to_owned(), csv };
        begun.headings(headings)?;
        Ok(begun)
    }

    /// Writes a row of texts that need no guard. Without texts, writes nothing.
    pub(super) fn headings(&mut self, headings: &[String]) -> Result<()> {
        if headings.is_empty() {
            return Ok(());
        }
        self.csv.write_record(headings).map_err(|cause| TransferError::File(self.path.clone(), cause.into()))
    }

    pub(super) fn add(&mut self, cells: &[Cell]) -> Result<()> {
        write_cells(&mut self.csv, cells)
            .map_err(|cause| TransferError::File(self.path.clone(), cause.into()))
    }

    /// Completes the file, which may not be on the disk yet.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.csv.flush().map_err(TransferError::file(&self.path))
    }

    /// Completes the file. It is on the disk afterwards.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        files::sync(self.csv.get_ref().get_ref()).map_err(TransferError::file(&self.path))
    }
}

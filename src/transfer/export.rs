//! An export: every resource and list as CSV, in one workbook and as JSON Lines, with the contents of documents.

pub(super) mod documents;
pub(super) mod sheets;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use super::error::TransferError;
use super::import::whole::FINISHING;
use super::lines;
use crate::domain::{Bilingual, Lang, fold};
use crate::files::{create_private, folder_of, private_dir, private_temp_dir};
use crate::progress::{Hearing, Progress};
use crate::records::{Kind, Table};
use crate::sheets::{BYTE_ORDER_MARK, EntryNames, csv_writer, headings, read_exported, write_cells};
use crate::store::whole::{WholeTable, tables};
use crate::store::{ContentStore, Db, Store};

use documents::Documents;
use sheets::Workbook;

/// The file that an empty store takes in again.
pub const LINES: &str = "pleito.jsonl";
/// What is told of while it is done.
pub(super) const WRITING: Bilingual = ("cadastros exportados", "records exported");
/// The workbook.
const WORKBOOK: &str = "pleito.xlsx";
/// So many records are read at once.
const AT_ONCE: usize = 500;

/// What is exported, and how.
pub struct Export<'a> {
    /// The data folder.
    pub data: &'a Path,
    /// The folder that is made; it may be there, if it is empty.
    pub to: &'a Path,
    /// Where the office's clock hangs.
    pub zone: &'a TimeZone,
    /// The language of headings and file names.
    pub lang: Lang,
}

/// What an export has.
#[derive(Debug)]
pub struct Exported {
    /// How many records of each table, deleted ones included.
    pub records: Vec<(&'static Table, u64)>,
    /// How many contents of documents.
    pub documents: u64,
    /// How many contents are missing or altered in the data folder.
    pub missing: u64,
}

impl Export<'_> {
    /// Makes it, of one state of the store; the folder has its name once everything is in it. `hears` hears how many
    /// records are written, of how many.
    ///
    /// # Errors
    /// Why there is none.
    pub fn make(&self, hears: &Hearing) -> Result<Exported, TransferError> {
        in_new_folder(self.to, |folder| {
            Store::look_anywhere(self.data, folder, |db| db.snapshot(|db| self.write(db, folder, hears)))
        })
    }

    fn write(&self, db: Db<'_>, folder: &Path, hears: &Hearing) -> Result<Exported, TransferError> {
        let whole: Vec<WholeTable> = tables().map(WholeTable::of).collect();
        let counts = whole.iter().map(|whole| Ok((whole.table(), whole.count(db)?)));
        let counts = counts.collect::<Result<Vec<_>, TransferError>>()?;
        let all = counts.iter().map(|(_, count)| count).sum::<u64>();
        let path = folder.join(LINES);
        let failed = |cause| TransferError::File(path.clone(), cause);
        let mut jsonl = BufWriter::new(create_private(&path).map_err(failed)?);
        let named = counts.iter().map(|(table, count)| (table.name, *count)).collect::<Vec<_>>();
        writeln!(jsonl, "{}", lines::heading(&named)).map_err(failed)?;
        let mut documents = Documents::new(ContentStore::of(self.data), folder);
        let names = EntryNames::read(db, self.zone, self.lang)?;
        let mut workbook = Workbook::new(self.lang);
        let (mut done, mut line) = (0, Vec::new());
        for whole in &whole {
            let table = whole.table();
            let mut sheet = Sheet::begin(folder, table, self.lang, &mut workbook)?;
            let mut live = Vec::with_capacity(AT_ONCE);
            whole.each(db, |record| {
                let file = if table.kind == Kind::Document { documents.copy(whole, record)? } else { None };
                line.clear();
                lines::write(whole, record, file.as_deref(), &mut line);
                jsonl.write_all(&line).map_err(failed)?;
                live.push(record.id);
                if live.len() == AT_ONCE {
                    done += live.len() as u64;
                    hears(Progress::of(WRITING, done, all));
                    sheet.add(db, &names, &mut workbook, &mut live)?;
                }
                Ok::<_, TransferError>(())
            })?;
            done += live.len() as u64;
            sheet.add(db, &names, &mut workbook, &mut live)?;
            sheet.finish()?;
            hears(Progress::of(WRITING, done, all));
        }
        hears(Progress::of(FINISHING, 0, 0));
        let jsonl = jsonl.into_inner().map_err(|cause| failed(cause.into_error()))?;
        jsonl.sync_all().map_err(failed)?;
        workbook.save(&folder.join(WORKBOOK))?;
        Ok(Exported { records: counts, documents: documents.copied, missing: documents.missing })
    }
}

/// Has `write` fill a new folder, which has its name once everything is in it. It may be there before, if it is empty.
///
/// # Errors
/// Why there is none.
pub(super) fn in_new_folder<T>(
    to: &Path,
    write: impl FnOnce(&Path) -> Result<T, TransferError>,
) -> Result<T, TransferError> {
    let to = std::path::absolute(to).map_err(TransferError::file(to))?;
    if to.exists() && fs::read_dir(&to).map_err(TransferError::file(&to))?.next().is_some() {
        return Err(TransferError::NotEmpty(to));
    }
    let parent = folder_of(&to);
    private_dir(parent).map_err(TransferError::file(parent))?;
    let part = private_temp_dir(parent, ".pleito-export-");
    let part = part.map_err(TransferError::file(parent))?;
    let folder = part.path();
    let exported = write(folder)?;
    if to.exists() {
        fs::remove_dir(&to).map_err(TransferError::file(&to))?;
    }
    fs::rename(folder, &to).map_err(TransferError::file(&to))?;
    // Its folder has another name now.
    let _ = part.keep();
    Ok(exported)
}

/// The CSV of a table, and its sheet in the workbook.
struct Sheet {
    table: &'static Table,
    path: PathBuf,
    csv: csv::Writer<BufWriter<File>>,
}

impl Sheet {
    fn begin(
        folder: &Path,
        table: &'static Table,
        lang: Lang,
        workbook: &mut Workbook,
    ) -> Result<Sheet, TransferError> {
        let path = folder.join(file_name(table, lang));
        let mut file = BufWriter::new(create_private(&path).map_err(TransferError::file(&path))?);
        file.write_all(BYTE_ORDER_MARK.as_bytes()).map_err(TransferError::file(&path))?;
        let mut sheet = Sheet { table, path, csv: csv_writer(file) };
        let headings = headings(table, lang);
        sheet.csv.write_record(&headings).map_err(|cause| sheet.failed(cause))?;
        workbook.begin(table, &headings)?;
        Ok(sheet)
    }

    /// Adds the records with those ids, as far as they are not deleted.
    fn add(
        &mut self,
        db: Db<'_>,
        names: &EntryNames<'_>,
        workbook: &mut Workbook,
        ids: &mut Vec<u32>,
    ) -> Result<(), TransferError> {
        for view in read_exported(db, self.table, ids)? {
            let cells = names.cells(db, &view)?;
            write_cells(&mut self.csv, &cells).map_err(|cause| self.failed(cause))?;
            workbook.add(&cells)?;
        }
        ids.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<(), TransferError> {
        let synced = self.csv.flush().and_then(|()| self.csv.get_ref().get_ref().sync_all());
        synced.map_err(TransferError::file(&self.path))
    }

    fn failed(&self, cause: csv::Error) -> TransferError {
        TransferError::File(self.path.clone(), cause.into())
    }
}

/// What the CSV of a table is called.
pub(super) fn file_name(table: &Table, lang: Lang) -> String {
    let name = fold(lang.pick(table.many.0, table.many.1)).replace(' ', "-");
    [&name, ".csv"].concat()
}

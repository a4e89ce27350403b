//! Exports every resource and list as CSV, in one workbook and as JSON Lines, with the contents of documents.

pub(super) mod customer;
mod documents;
pub(super) mod list;
pub(super) mod xlsx;

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use jiff::tz::TimeZone;

use super::csv_writer::CsvWriter;
use super::json_lines;
use crate::files::{self, create_private, folder_of, private_dir, private_temp_dir, sync_folder};
use crate::progress::{Progress, ProgressSink};
use crate::sheets::{EntryNames, headings, read_exported};
use crate::store::{ContentStore, Store};
use crate::transfer::prelude::*;

use documents::Documents;
use xlsx::Workbook;

/// The JSON Lines file, which an empty store can import.
pub const LINES: &str = "pleito.jsonl";
pub(super) const WRITING: Bilingual = ("cadastros exportados", "records exported");
pub(super) const FINISHING: Bilingual = ("concluindo", "finishing");
const WORKBOOK: &str = "pleito.xlsx";
/// Records read from the store per batch.
const RECORDS_PER_READ: usize = 500;

pub struct Export<'a> {
    pub data: &'a Path,
    /// The target folder, which may exist if empty.
    pub to: &'a Path,
    pub zone: &'a TimeZone,
    pub lang: Lang,
}

#[derive(Debug)]
pub struct Exported {
    /// Number of records per table, deleted ones included.
    pub records: Vec<(&'static Table, u64)>,
    pub documents: u64,
    /// Number of contents that are missing from the data folder or altered there.
    pub missing: u64,
}

impl Export<'_> {
    /// Creates the export from one snapshot of the store. The folder gets its final name once it is complete.
    /// `on_progress` receives the number of records written and the total.
    pub fn make(&self, on_progress: &ProgressSink) -> Result<Exported> {
        in_new_folder(self.data, self.to, |db, folder| self.write(db, folder, on_progress))
    }

    fn write(&self, db: Db<'_>, folder: &Path, on_progress: &ProgressSink) -> Result<Exported> {
        let whole: Vec<FullTable> = tables().map(FullTable::of).collect();
        let counts = whole.iter().map(|whole| Ok((whole.table(), whole.count(db)?)));
        let counts = counts.collect::<Result<Vec<_>>>()?;
        let all = counts.iter().map(|(_, count)| count).sum::<u64>();
        let path = folder.join(LINES);
        let failed = |cause| TransferError::File(path.clone(), cause);
        let mut jsonl = BufWriter::new(create_private(&path).map_err(failed)?);
        let named = counts.iter().map(|(table, count)| (table.name, *count)).collect::<Vec<_>>();
        writeln!(jsonl, "{}", json_lines::heading(&named)).map_err(failed)?;
        let mut documents = Documents::new(ContentStore::of(self.data), folder);
        let names = EntryNames::read(db, self.zone, self.lang)?;
        let mut workbook = Workbook::new(self.lang);
        let mut done = 0;
        let mut line = Vec::new();
        for whole in &whole {
            let table = whole.table();
            let headings = headings(table, self.lang);
            let path = folder.join(file_name(table, self.lang));
            let file = create_private(&path).map_err(TransferError::file(&path))?;
            let mut csv = CsvWriter::begin(&path, file, &headings)?;
            workbook.begin(table, &headings)?;
            let mut add = |ids: &mut Vec<u32>| {
                for view in read_exported(db, table, ids)? {
                    let cells = names.cells(db, &view)?;
                    csv.add(&cells)?;
                    workbook.add(&cells)?;
                }
                ids.clear();
                Ok::<_, TransferError>(())
            };
            let mut live = Vec::with_capacity(RECORDS_PER_READ);
            whole.each(db, |record| {
                let file = if table.kind == Kind::Document { documents.copy(whole, record)? } else { None };
                line.clear();
                json_lines::write(whole, record, file.as_deref(), &mut line);
                jsonl.write_all(&line).map_err(failed)?;
                live.push(record.id);
                if live.len() == RECORDS_PER_READ {
                    done += live.len() as u64;
                    on_progress(Progress::of(WRITING, done, all));
                    add(&mut live)?;
                }
                Ok::<_, TransferError>(())
            })?;
            done += live.len() as u64;
            add(&mut live)?;
            csv.finish()?;
            on_progress(Progress::of(WRITING, done, all));
        }
        on_progress(Progress::of(FINISHING, 0, 0));
        let jsonl = jsonl.into_inner().map_err(|cause| failed(cause.into_error()))?;
        files::sync(&jsonl).map_err(failed)?;
        workbook.save(&folder.join(WORKBOOK))?;
        Ok(Exported { records: counts, documents: documents.copied, missing: documents.missing })
    }
}

/// Calls `write` with a snapshot of the store in `data` to fill a temporary folder, then renames the folder to `to`.
///
/// # Errors
/// Returns [`TransferError::NotEmpty`] if `to` exists and is not empty.
pub(super) fn in_new_folder<T>(
    data: &Path,
    to: &Path,
    write: impl FnOnce(Db<'_>, &Path) -> Result<T>,
) -> Result<T> {
    let to = std::path::absolute(to).map_err(TransferError::file(to))?;
    if to.exists() && fs::read_dir(&to).map_err(TransferError::file(&to))?.next().is_some() {
        return Err(TransferError::NotEmpty(to));
    }
    let parent = folder_of(&to);
    private_dir(parent).map_err(TransferError::file(parent))?;
    let part = private_temp_dir(parent, ".pleito-export-");
    let part = part.map_err(TransferError::file(parent))?;
    let folder = part.path();
    let exported = Store::read_any(data, folder, |db| db.snapshot(|db| write(db, folder)))?;
    if to.exists() {
        fs::remove_dir(&to).map_err(TransferError::file(&to))?;
    }
    // The files are synced; now their names, and those in the folder of the documents.
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let folders = entries.map_err(TransferError::file(&to))?.into_iter().map(|entry| entry.path());
    for folder in folders.filter(|path| path.is_dir()).chain([folder.to_owned()]) {
        sync_folder(&folder).map_err(TransferError::file(&to))?;
    }
    files::rename(folder, &to).map_err(TransferError::file(&to))?;
    // The folder was renamed, so there is nothing left to remove.
    let _ = part.keep();
    Ok(exported)
}

pub(super) fn file_name(table: &Table, lang: Lang) -> String {
    let name = fold(lang.pick(table.many.0, table.many.1)).replace(' ', "-");
    [&name, ".csv"].concat()
}

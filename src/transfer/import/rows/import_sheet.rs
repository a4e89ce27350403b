//! Imports the rows of a sheet: finds its headings and its table, and passes over a sheet with nothing to import.

use std::borrow::Cow;
use std::path::Path;

use super::RowsImport;
use super::column_samples::ColumnSamples;
use super::defaults::RowDefault;
use super::row_outcome::{ImportedRow, count};
use crate::progress::Progress;
use crate::store::imports;
use crate::transfer::import::column_mapping::{Mapping, table_named};
use crate::transfer::import::dates::date_order::dated_columns;
use crate::transfer::import::headings::Meaning;
use crate::transfer::import::headings::heading_row::{read_headings, repeats};
use crate::transfer::import::sheet::{Sheet, SheetRow};
use crate::transfer::import::table_choice::{FittingTables, choose, lists_documents, sheet_name};
use crate::transfer::import::{FileReport, PassedOver, UndecidedSheet, report_progress};
use crate::transfer::notes::notes_field;
use crate::transfer::prelude::*;

impl RowsImport<'_> {
    /// Finds out what a sheet contains: the row of its headings, the table and the meaning of its columns, and its
    /// first row. Returns `None` for a sheet without rows to import, and tells the report why.
    fn mapping_of_sheet(
        &mut self,
        file: &Path,
        sheet: &mut Sheet<'_, '_>,
    ) -> Result<Option<(SheetRow, Mapping, Option<SheetRow>)>> {
        let key = sheet_name(file, &sheet.name);
        let declared = || sheet.is_resource.then(|| table_named(&sheet.name)).flatten();
        let meant = match self.tables.of(&key) {
            Some(None) => return Ok(None),
            Some(chosen) => chosen,
            None => declared(),
        };
        if sheet.is_hidden {
            let why = self.lang.pick(
                "a aba está oculta; para importá-la, reexiba-a na planilha e salve.",
                "the sheet is hidden; to import it, unhide it in the spreadsheet and save.",
            );
            if sheet.next()?.is_some() {
                self.pass_over(file, &sheet.name, why.to_owned());
            }
            return Ok(None);
        }
        let Some(heading) = read_headings(sheet, self.import.heading_line, meant, &self.chosen)? else {
            if let Some(line) = self.import.heading_line {
                let why = localize!(
                    self.lang,
                    "a linha {line} está vazia ou não existe.",
                    "line {line} is blank or not there."
                );
                self.pass_over(file, &sheet.name, why);
            }
            return Ok(None);
        };
        let first = sheet.next()?;
        // A workbook may have sheets of many kinds, so a sheet without rows is skipped without a message.
        if !sheet.name.is_empty() && first.is_none() {
            return Ok(None);
        }
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let names = [&*sheet.name, &*stem];
        if meant.is_none() && lists_documents(&heading, &names) {
            let why = self.lang.pick(
                "uma linha não contém o arquivo de um documento; os documentos voltam com a exportação inteira.",
                "a row contains no file of a document; to import documents, import the full export.",
            );
            self.pass_over(file, &sheet.name, why.to_owned());
            return Ok(None);
        }
        match choose(&heading, meant, &names, &self.chosen, self.lang) {
            Ok(FittingTables::One(own)) => Ok(Some((heading, *own, first))),
            Ok(FittingTables::Several(tables)) => {
                self.headings.extend(heading.cells.iter().map(|cell| fold(&cell.text)));
                let resources = tables.into_iter().map(|table| table.name.to_owned()).collect();
                self.report.undecided.push(UndecidedSheet { sheet: key, resources });
                Ok(None)
            }
            Err(why) if meant.is_some() || sheet.name.is_empty() => Err(TransferError::Refused(why)),
            Err(why) => {
                self.pass_over(file, &sheet.name, why);
                Ok(None)
            }
        }
    }

    /// Imports the rows of a sheet.
    pub(super) fn import_sheet(&mut self, file: &Path, sheet: &mut Sheet<'_, '_>) -> Result<()> {
        let Some((heading, mapping, mut next)) = self.mapping_of_sheet(file, sheet)? else { return Ok(()) };
        let table = mapping.handlers.table();
        if mapping.column(|meaning| matches!(meaning, Meaning::Id)).is_some() {
            self.ids.begin(table.kind, self.file);
        }
        self.notes = notes_field(table.writable().filter(|field| field.is_stored()));
        self.table_number = tables().position(|own| own.name == table.name).unwrap_or_default();
        self.dates.from_1904 = sheet.from_1904;
        self.without_area = 0;
        self.remember(&mapping)?;
        self.defaults = self.defaults_of(&mapping)?;
        let mut report = FileReport {
            file: file.display().to_string(),
            sheet: sheet.name.clone(),
            resource: table.name.to_owned(),
            columns: mapping
                .columns
                .iter()
                .map(|mapped| (mapped.heading.clone(), mapped.meaning.member().to_owned()))
                .collect(),
            heading_line: heading.line,
            ..FileReport::default()
        };
        if let Some(refused) = &mut self.refused {
            refused.headings(table, &mapping.headings, self.lang)?;
        }
        let what = rows_of(file, &sheet.name);
        let mut read = 0;
        let mut samples = ColumnSamples::of(&mapping);
        let dated = if self.import.dates.is_none() { dated_columns(&mapping) } else { Vec::new() };
        while let Some(row) = next {
            if repeats(&heading, &row) {
                next = sheet.next()?;
                continue;
            }
            samples.see(&row);
            self.month_first.see(&report.file, &dated, &row);
            // Once the order of dates is in question, nothing is stored, but every column with such dates is named.
            if !self.month_first.is_found() {
                let (became, id) = self.import_row(&mapping, &row, &mut report)?;
                if let (ImportedRow::Refused(why), Some(refused)) = (&became, &mut self.refused) {
                    let why = [&why.own[..], &why.missing].concat().join("; ");
                    refused.add(&row, mapping.headings.len(), &why)?;
                }
                count(&mut report, &row, became, id);
                self.with.tx.journal_so_far(self.actor)?;
            }
            std::thread::yield_now();
            read += 1;
            report_progress(self.on_progress, Progress::named(what.clone(), read, sheet.rows.max(read)))?;
            next = sheet.next()?;
        }
        if matches!(table.kind, Kind::List(_)) {
            self.lookup.refresh(*self.with.tx)?;
        }
        let defaults = self.defaults.drain(..).filter(RowDefault::is_wanted);
        report.defaults = defaults.map(RowDefault::report).collect();
        report.ignored = samples.ignored(&mapping);
        report.layout = samples.report(&mapping, self.notes.map_or("", |notes| notes.member));
        report.without_area = self.without_area;
        self.report.files.push(report);
        Ok(())
    }

    /// Stores the user's choices for the columns of a file, for later imports.
    fn remember(&mut self, mapping: &Mapping) -> Result<()> {
        let left = mapping.left.iter().map(|column| &column.heading);
        for heading in mapping.columns.iter().map(|mapped| &mapped.heading).chain(left) {
            let folded = fold(heading);
            if self.chosen.requested.contains_key(&folded) {
                let own = mapping.columns.iter().find(|mapped| mapped.heading == *heading);
                let member = own.map_or("", |mapped| mapped.meaning.member());
                imports::remember_heading(self.with.tx, mapping.handlers.table(), &folded, member)?;
            }
            self.headings.insert(folded);
        }
        Ok(())
    }

    /// Adds a sheet or file without rows to import to the report.
    fn pass_over(&mut self, file: &Path, sheet: &str, why: String) {
        let file = file.display().to_string();
        let sheet = sheet.to_owned();
        self.report.passed_over.push(PassedOver { file, sheet, why });
    }
}

fn rows_of(file: &Path, sheet: &str) -> (Cow<'static, str>, Cow<'static, str>) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = if sheet.is_empty() { name.into_owned() } else { format!("{name} [{sheet}]") };
    (format!("linhas de {name}").into(), format!("rows of {name}").into())
}

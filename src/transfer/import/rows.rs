//! Imports rows of files through the API's handlers in one transaction, for a preview on a scratch copy of the store.
//!
//! `row_cells` and `cells` read a row, `customers`, `links` and `ids` find what it names, `existing_record` decides about a row of a
//! record that exists, `first_values` and `last_values` about further rows of it, `no_record` about titles, sums and footers, `row`
//! stores it, `outcome` counts.

mod cells;
mod column_samples;
mod customers;
mod defaults;
mod existing_record;
mod extras;
mod first_values;
mod ids;
mod last_values;
mod links;
mod names_of_keyless_rows;
mod no_record;
mod outcome;
mod row;
mod row_cells;
mod row_id;
mod several_values;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use ids::{FileIds, RecordLines};
use names_of_keyless_rows::RowContents;

use super::column_mapping::{ColumnChoices, MappedColumn, Mapping, table_named};
use super::date_order::{MonthFirst, dated_columns};
use super::dates::DateReader;
use super::heading_row::{read_headings, repeats};
use super::headings::Meaning;
use super::lookup::Lookup;
use super::refused::RefusedRows;
use super::report::letters_question;
use super::sheet::{ReadCell, Sheet, each_sheet};
use super::table_choice::{ChosenTables, FittingTables, choose, lists_documents, sheet_name, table_of_file};
use super::{
    DateOrder, FileReport, Import, LettersReport, PassedOver, RowsReport, UndecidedSheet, area_code, copying,
    report_progress,
};
use crate::api::record::rows::RowHandlers;
use crate::auth::Caller;
use crate::http::{Api, HandlersTransaction};
use crate::progress::{Progress, ProgressSink};
use crate::store::imports;
use crate::store::journal::{Actor, Via};
use crate::transfer::export::FINISHING;
use crate::transfer::notes::notes_field;
use crate::transfer::prelude::*;
use column_samples::Layout;
use defaults::{RowDefault, ensure_members};
use first_values::FirstValues;
use last_values::LastValues;
use outcome::{ImportedRow, count};

/// Maximum number of skipped sheets that the error lists if there is nothing to import.
const PASSED_OVER: usize = 20;
const FLOW: &str = "entry_type";

/// Imports the rows of all files; without `apply`, into a scratch copy of the store.
pub(super) fn import(
    api: &Arc<Api>,
    caller: &Caller,
    import: Import,
    lang: Lang,
    on_progress: ProgressSink,
) -> Result<RowsReport> {
    let apply = import.apply;
    let copying = copying(&on_progress);
    let who = caller.who.clone();
    let work = move |with: &HandlersTransaction<'_>| {
        let at = with.app().now();
        let files = import.files.iter().filter_map(|file| file.file_name());
        let files: Vec<_> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        let id = imports::begin(with.tx, at, &files, false)?;
        let actor = Actor::import(at).by(who).of_request(imports::request_id(id));
        with.tx.by(actor.clone());
        let mut report = LastValues::settle(with.tx, import.update, |last| {
            run(with, &import, &actor, lang, last, &on_progress)
        })?;
        let sum = |count: fn(&FileReport) -> u64| report.files.iter().map(count).sum::<u64>();
        let created = sum(|file| file.created) + report.made.len() as u64;
        let updated = sum(|file| file.updated);
        imports::end(with.tx, id, created, updated)?;
        report.import = (apply && created + updated > 0).then_some(id);
        Ok(report)
    };
    match apply {
        true => api.in_one_transaction(Via::Import, caller.clone(), work),
        false => api.on_scratch_copy(Via::Import, copying, work),
    }
}

/// Imports all rows. Returns `None` if they have to be imported once more, with the last values that they give to records.
fn run(
    with: &HandlersTransaction<'_>,
    import: &Import,
    actor: &Actor,
    lang: Lang,
    last_values: &mut LastValues,
    on_progress: &ProgressSink,
) -> Result<Option<RowsReport>> {
    if let Some(code) = import.area_code.as_ref().filter(|code| area_code(code).as_ref() != Some(*code)) {
        let text = lang.pick("não há este DDD", "there is no such area code");
        return Err(TransferError::Refused(format!("{code}: {text}.")));
    }
    ensure_members(import, lang)?;
    let mut rows = RowsImport {
        with,
        import,
        actor,
        lang,
        lookup: Lookup::new(import, with.app().today(), lang)?,
        tables: ChosenTables::read(import, lang)?,
        headings: HashSet::new(),
        chosen: ColumnChoices::read(*with.tx, import)?,
        contents: RowContents::default(),
        ids: FileIds::default(),
        lines: RecordLines::default(),
        first_values: FirstValues::default(),
        last_values,
        table_number: 0,
        notes: None,
        dates: DateReader {
            order: import.dates.unwrap_or(DateOrder::Dmy),
            from_1904: false,
            today: with.app().today(),
        },
        month_first: MonthFirst::default(),
        areas: BTreeMap::new(),
        without_area: 0,
        file: 0,
        inactive: Vec::new(),
        defaults: Vec::new(),
        set: vec![false; import.set.len()],
        refused: import.refused.as_deref().map(|path| RefusedRows::begin(path, lang)).transpose()?,
        report: RowsReport::default(),
        on_progress,
    };
    rows.lookup.refresh(*with.tx)?;
    let mut files: Vec<_> = import.files.iter().collect();
    // The CSVs of an export are read in the order of its workbook, so that linked records come first.
    if files.iter().all(|file| table_of_file(file).is_some()) {
        files.sort_by_key(|file| table_of_file(file));
    }
    let mut questions = Vec::new();
    for (number, file) in files.into_iter().enumerate() {
        rows.file = number;
        let program = with.app().watch().program();
        let waiting = || report_progress(on_progress, reading(file));
        let mut see = |sheet: &mut Sheet<'_, '_>| rows.sheet(file, sheet);
        let letters = each_sheet(program, file, import.letters, lang, &waiting, &mut see);
        let letters = letters.map_err(|error| error.of(file))?;
        questions.extend(letters_question(file, &letters, lang));
        rows.report.letters.extend(LettersReport::of(file, letters));
    }
    questions.extend(rows.month_first.questions(lang));
    if !questions.is_empty() {
        return Err(TransferError::Refused(questions.join("\n")));
    }
    rows.tables.ensure_seen(lang)?;
    let is_decided = rows.report.undecided.is_empty();
    if import.apply && !is_decided {
        let lines = rows.report.undecided.iter().map(|sheet| sheet.line(lang));
        return Err(TransferError::Refused(lines.collect::<Vec<_>>().join("\n")));
    }
    if is_decided && rows.report.files.is_empty() {
        if !rows.report.passed_over.is_empty() {
            let why = rows.report.passed_over.iter().take(PASSED_OVER).map(PassedOver::line);
            return Err(TransferError::Refused(why.collect::<Vec<_>>().join("\n")));
        }
        let text = lang.pick("não há linhas para importar.", "there are no rows to import.");
        return Err(TransferError::Refused(text.to_owned()));
    }
    if let Some((heading, _)) = import.map.iter().find(|(heading, _)| !rows.headings.contains(&fold(heading)))
    {
        let text = lang.pick("nenhum arquivo tem este cabeçalho", "no file has this heading");
        return Err(TransferError::Refused(format!("{heading}: {text}.")));
    }
    if is_decided {
        rows.all_set()?;
    }
    if rows.last_values.has_contradiction() {
        return Ok(None);
    }
    rows.deactivate()?;
    rows.refused.map_or(Ok(()), RefusedRows::finish)?;
    report_progress(on_progress, Progress::of(FINISHING, 0, 0))?;
    let mut report = rows.report;
    report.names = rows.lookup.names(*with.tx)?;
    report.area_code = rows.areas.into_iter().max_by_key(|(_, phones)| *phones).map(|(area, _)| area);
    let unknown = rows.lookup.unknown;
    let made = rows.lookup.made;
    report.unknown =
        unknown.into_iter().map(|((kind, name), rows)| (kind.table().name.to_owned(), name, rows)).collect();
    report.made = made.into_iter().map(|(kind, name)| (kind.table().name.to_owned(), name)).collect();
    Ok(Some(report))
}

struct RowsImport<'a> {
    with: &'a HandlersTransaction<'a>,
    import: &'a Import,
    /// The actor for the journal.
    actor: &'a Actor,
    lang: Lang,
    lookup: Lookup,
    tables: ChosenTables,
    chosen: ColumnChoices,
    headings: HashSet<String>,
    contents: RowContents,
    ids: FileIds,
    lines: RecordLines,
    first_values: FirstValues,
    last_values: &'a mut LastValues,
    /// Index of the current table in [`tables`].
    table_number: usize,
    /// The member of the current table that keeps values no other member accepts.
    notes: Option<&'static Field>,
    dates: DateReader,
    month_first: MonthFirst,
    /// Number of phones per area code. `without_area` counts the phones of the current sheet without one.
    areas: BTreeMap<String, u64>,
    without_area: u64,
    file: usize,
    /// New list entries to deactivate at the end, once the records that use them are stored.
    inactive: Vec<(RowHandlers, u32)>,
    defaults: Vec<RowDefault>,
    /// For each pair of [`Import::set`], whether any table has the member.
    set: Vec<bool>,
    refused: Option<RefusedRows>,
    report: RowsReport,
    on_progress: &'a ProgressSink,
}

fn reading(file: &Path) -> Progress {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Progress::named((format!("lendo {name}").into(), format!("reading {name}").into()), 0, 0)
}

fn rows_of(file: &Path, sheet: &str) -> (Cow<'static, str>, Cow<'static, str>) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = if sheet.is_empty() { name.into_owned() } else { format!("{name} [{sheet}]") };
    (format!("linhas de {name}").into(), format!("rows of {name}").into())
}

/// The members of a row: pairs of the member's name in requests and its text.
type RowFields = Vec<(&'static str, String)>;

impl RowsImport<'_> {
    fn sheet(&mut self, file: &Path, sheet: &mut Sheet<'_, '_>) -> Result<()> {
        let key = sheet_name(file, &sheet.name);
        let declared = || sheet.is_resource.then(|| table_named(&sheet.name)).flatten();
        let meant = match self.tables.of(&key) {
            Some(None) => return Ok(()),
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
            return Ok(());
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
            return Ok(());
        };
        let mut next = sheet.next()?;
        // A workbook may have sheets of many kinds, so a sheet without rows is skipped without a message.
        if !sheet.name.is_empty() && next.is_none() {
            return Ok(());
        }
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let names = [&*sheet.name, &*stem];
        if meant.is_none() && lists_documents(&heading, &names) {
            let why = self.lang.pick(
                "uma linha não contém o arquivo de um documento; os documentos voltam com a exportação inteira.",
                "a row contains no file of a document; to import documents, import the full export.",
            );
            self.pass_over(file, &sheet.name, why.to_owned());
            return Ok(());
        }
        let mapping = match choose(&heading, meant, &names, &self.chosen, self.lang) {
            Ok(FittingTables::One(own)) => *own,
            Ok(FittingTables::Several(tables)) => {
                self.headings.extend(heading.cells.iter().map(|cell| fold(&cell.text)));
                let resources = tables.into_iter().map(|table| table.name.to_owned()).collect();
                self.report.undecided.push(UndecidedSheet { sheet: key, resources });
                return Ok(());
            }
            Err(why) if meant.is_some() || sheet.name.is_empty() => return Err(TransferError::Refused(why)),
            Err(why) => {
                self.pass_over(file, &sheet.name, why);
                return Ok(());
            }
        };
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
        let mut layout = Layout::of(&mapping);
        let dated = if self.import.dates.is_none() { dated_columns(&mapping) } else { Vec::new() };
        while let Some(row) = next {
            if repeats(&heading, &row) {
                next = sheet.next()?;
                continue;
            }
            layout.see(&row);
            self.month_first.see(&report.file, &dated, &row);
            // Once the order of dates is in question, nothing is stored, but every column with such dates is named.
            if !self.month_first.is_found() {
                let (became, id) = self.row(&mapping, &row, &mut report)?;
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
        report.ignored = layout.ignored(&mapping);
        report.layout = layout.report(&mapping, self.notes.map_or("", |notes| notes.member));
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

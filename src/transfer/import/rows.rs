//! Imports rows of files through the API's handlers in one transaction, for a preview on a scratch copy of the store.
//!
//! **The way of a row.** `import_sheet` finds out what a sheet contains, and gives each row to `import_row`:
//!
//! 1. `totals_and_titles` skips a row that is no record.
//! 2. `cells` reads its members, `check_row_id` finds out whether its id is one of this office.
//! 3. `links` finds the records that it links to, with `ids_in_files` and `unknown_customers`; `defaults` adds what it lacks.
//! 4. A record that is there already is filled or changed (`existing_record`), or else a new one is created.
//!    `names_of_keyless_rows` recognizes a row without a key. `repeated_calendar_days` and `repeated_rows` decide about
//!    further rows of one record.
//! 5. `cells::values_for_notes` keeps what no member accepts, and `row_outcome` counts.

mod cells;
mod check_row_id;
mod column_samples;
mod defaults;
mod existing_record;
mod ids_in_files;
mod import_row;
mod import_sheet;
mod links;
mod names_of_keyless_rows;
mod repeated_calendar_days;
mod repeated_rows;
mod row_outcome;
mod totals_and_titles;
mod unknown_customers;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use ids_in_files::{FileIds, RecordLines};
use names_of_keyless_rows::RowContents;

use super::column_mapping::ColumnChoices;
use super::dates::DateReader;
use super::dates::date_order::MonthFirst;
use super::lookup::Lookup;
use super::refused_rows_file::RefusedRows;
use super::report::letters_question;
use super::sheet::{Sheet, each_sheet};
use super::table_choice::{ChosenTables, table_of_file};
use super::{
    DateOrder, FileReport, Import, LettersReport, PassedOver, RowsReport, area_code, copying, report_progress,
};
use crate::api::record::rows::RowHandlers;
use crate::auth::Caller;
use crate::http::{Api, HandlersTransaction};
use crate::progress::{Progress, ProgressSink};
use crate::store::imports;
use crate::store::journal::{Actor, Via};
use crate::transfer::export::FINISHING;
use crate::transfer::prelude::*;
use defaults::{RowDefault, ensure_members};
use repeated_calendar_days::FirstValues;
use repeated_rows::LastValues;

/// Maximum number of skipped sheets that the error lists if there is nothing to import.
const MAX_LISTED_SHEETS: usize = 20;
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
        let program = with.app().live_settings().program();
        let waiting = || report_progress(on_progress, reading(file));
        let mut see = |sheet: &mut Sheet<'_, '_>| rows.import_sheet(file, sheet);
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
    rows.ensure_complete()?;
    if rows.is_decided() {
        rows.all_set()?;
    }
    if rows.last_values.has_contradiction() {
        return Ok(None);
    }
    rows.deactivate()?;
    rows.into_report().map(Some)
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

impl RowsImport<'_> {
    /// Returns `true` if the kind of every sheet is known.
    fn is_decided(&self) -> bool {
        self.report.undecided.is_empty()
    }

    /// Refuses files without rows, a heading of [`Import::map`] that no file has, and an import to be stored with a sheet whose
    /// kind is not known.
    fn ensure_complete(&self) -> Result<()> {
        let RowsImport { report, import, lang, .. } = self;
        let joined = |lines: Vec<String>| Err(TransferError::Refused(lines.join("\n")));
        if import.apply && !self.is_decided() {
            return joined(report.undecided.iter().map(|sheet| sheet.line(*lang)).collect());
        }
        if self.is_decided() && report.files.is_empty() {
            if !report.passed_over.is_empty() {
                return joined(
                    report.passed_over.iter().take(MAX_LISTED_SHEETS).map(PassedOver::line).collect(),
                );
            }
            let text = lang.pick("não há linhas para importar.", "there are no rows to import.");
            return Err(TransferError::Refused(text.to_owned()));
        }
        match import.map.iter().find(|(heading, _)| !self.headings.contains(&fold(heading))) {
            Some((heading, _)) => {
                let text = lang.pick("nenhum arquivo tem este cabeçalho", "no file has this heading");
                Err(TransferError::Refused(format!("{heading}: {text}.")))
            }
            None => Ok(()),
        }
    }

    /// Ends the file of refused rows, and returns the report.
    fn into_report(self) -> Result<RowsReport> {
        self.refused.map_or(Ok(()), RefusedRows::finish)?;
        report_progress(self.on_progress, Progress::of(FINISHING, 0, 0))?;
        let mut report = self.report;
        report.names = self.lookup.names(*self.with.tx)?;
        report.area_code = self.areas.into_iter().max_by_key(|(_, phones)| *phones).map(|(area, _)| area);
        let unknown = self.lookup.unknown.into_iter();
        report.unknown =
            unknown.map(|((kind, name), rows)| (kind.table().name.to_owned(), name, rows)).collect();
        let made = self.lookup.made.into_iter();
        report.made = made.map(|(kind, name)| (kind.table().name.to_owned(), name)).collect();
        Ok(report)
    }
}

fn reading(file: &Path) -> Progress {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Progress::named((format!("lendo {name}").into(), format!("reading {name}").into()), 0, 0)
}

/// The members of a row: pairs of the member's name in requests and its text.
type RowFields = Vec<(&'static str, String)>;

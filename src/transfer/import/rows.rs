//! Rows of files, made records by the handlers of the API in one transaction: of the store, or for a preview of a scratch copy.

mod cells;
mod contents;
mod defaults;
mod known;

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use contents::RowContents;

use super::lookup::Lookup;
use super::mapping::{Chosen, Mapping, is_called, table_named};
use super::refused::RefusedRows;
use super::sheet::{ReadCell, Sheet, SheetRow, each_sheet};
use super::whole::FINISHING;
use super::{FileReport, Import, RowOutcome, RowsReport, ShownRow, copying, tell};
use crate::api::pages::cut;
use crate::api::rows::RowHandlers;
use crate::domain::lang::say;
use crate::domain::{Lang, Reason, fold};
use crate::http::typed::Fields;
use crate::http::{Api, HandlersTransaction, Problem};
use crate::progress::{Hearing, Progress};
use crate::records::{Document, Kind, Record as _, Type};
use crate::store::external_ids;
use crate::store::imports;
use crate::store::journal::Actor;
use crate::transfer::error::TransferError;
use defaults::RowDefault;

/// So many rows of each sort are told; all that are refused stand in the file of `--refused`.
const TOLD: u64 = 200;
/// So much of a row is told: cells, and characters.
const CELLS: usize = 4;
const CHARACTERS: usize = 120;
/// The column that says which way money goes.
const FLOW: &str = "entry_type";

/// Imports the rows of all files; without `apply`, into a scratch copy of the store.
///
/// # Errors
/// Why nothing was imported.
pub(super) fn import(
    api: &Arc<Api>,
    import: Import,
    lang: Lang,
    hears: Hearing,
) -> Result<RowsReport, TransferError> {
    let (apply, copying) = (import.apply, copying(&hears));
    let work = move |with: &HandlersTransaction<'_>| {
        let at = with.app().now();
        let files = import.files.iter().filter_map(|file| file.file_name());
        let files: Vec<_> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        let id = imports::begin(with.tx, at, &files, false)?;
        let actor = Actor::import(at).of_request(imports::request_id(id));
        with.tx.by(actor.clone());
        let mut report = run(with, &import, &actor, lang, &hears)?;
        let sum = |count: fn(&FileReport) -> u64| report.files.iter().map(count).sum::<u64>();
        let created = sum(|file| file.created) + report.made.len() as u64;
        let updated = sum(|file| file.updated);
        imports::end(with.tx, id, created, updated)?;
        report.import = (apply && created + updated > 0).then_some(id);
        Ok(report)
    };
    if apply { api.in_one_transaction(work) } else { api.on_scratch_copy(copying, work) }
}

fn run(
    with: &HandlersTransaction<'_>,
    import: &Import,
    actor: &Actor,
    lang: Lang,
    hears: &Hearing,
) -> Result<RowsReport, TransferError> {
    let named = match &import.resource {
        Some(name) => Some(table_named(name).ok_or_else(|| {
            let text =
                lang.pick("não há o que importar com este nome", "there is nothing to import of this name");
            TransferError::Refused(format!("{name}: {text}."))
        })?),
        None => None,
    };
    let mut rows = RowsImport {
        with,
        import,
        actor,
        lang,
        lookup: Lookup::new(import.create_lists, lang),
        headings: HashSet::new(),
        chosen: Chosen::read(*with.tx, &import.map)?,
        contents: RowContents::default(),
        defaults: Vec::new(),
        set: vec![false; import.set.len()],
        refused: import.refused.as_deref().map(RefusedRows::begin).transpose()?,
        report: RowsReport::default(),
        hears,
    };
    rows.lookup.refresh(*with.tx)?;
    for file in &import.files {
        let program = with.app().watch().program();
        let waiting = || {
            hears(reading(file));
            Ok(())
        };
        each_sheet(program, file, lang, &waiting, &mut |sheet| rows.sheet(file, sheet, named))
            .map_err(|error| error.of(file))?;
    }
    if rows.report.files.is_empty() {
        let text = lang.pick("não há linhas para importar.", "there are no rows to import.");
        return Err(TransferError::Refused(text.to_owned()));
    }
    if let Some((heading, _)) = import.map.iter().find(|(heading, _)| !rows.headings.contains(&fold(heading)))
    {
        let text = lang.pick("nenhum arquivo tem este cabeçalho", "no file has this heading");
        return Err(TransferError::Refused(format!("{heading}: {text}.")));
    }
    rows.all_set()?;
    rows.refused.map_or(Ok(()), RefusedRows::finish)?;
    tell(hears, Progress::of(FINISHING, 0, 0))?;
    let (unknown, made) = (rows.lookup.unknown, rows.lookup.made);
    let mut report = rows.report;
    report.unknown =
        unknown.into_iter().map(|((list, name), rows)| (list.table().name.to_owned(), name, rows)).collect();
    report.made = made.into_iter().map(|(list, name)| (list.table().name.to_owned(), name)).collect();
    Ok(report)
}

/// Rows that are being imported.
struct RowsImport<'a> {
    with: &'a HandlersTransaction<'a>,
    import: &'a Import,
    /// Whose it is, for the journal.
    actor: &'a Actor,
    lang: Lang,
    lookup: Lookup,
    chosen: Chosen,
    /// The headings that there were, folded.
    headings: HashSet<String>,
    contents: RowContents,
    /// What the rows of this table lack.
    defaults: Vec<RowDefault>,
    /// Of each member that was set whether any table has it.
    set: Vec<bool>,
    refused: Option<RefusedRows>,
    report: RowsReport,
    hears: &'a Hearing,
}

/// What is shown while the first row of a file is waited for.
fn reading(file: &Path) -> Progress {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Progress::named((format!("lendo {name}").into(), format!("reading {name}").into()), 0, 0)
}

/// What is told of the rows of a file, or of one of its sheets, while they are read.
fn rows_of(file: &Path, sheet: &str) -> (Cow<'static, str>, Cow<'static, str>) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = if sheet.is_empty() { name.into_owned() } else { format!("{name} [{sheet}]") };
    (format!("linhas de {name}").into(), format!("rows of {name}").into())
}

/// Notes what became of a row.
fn count(report: &mut FileReport, row: &SheetRow, became: Became) {
    let (count, outcome) = match became {
        Became::Created => (&mut report.created, RowOutcome::Created),
        Became::Matched => (&mut report.matched, RowOutcome::Matched),
        Became::Updated => (&mut report.updated, RowOutcome::Updated),
        Became::InTrash(_) => (&mut report.in_trash, RowOutcome::InTrash),
        Became::Refused(_) => (&mut report.refused, RowOutcome::Refused),
    };
    *count += 1;
    let is_shown = *count <= TOLD;
    let why = match became {
        Became::Refused(why) => why.own.join("; "),
        Became::InTrash(record) => record,
        Became::Created | Became::Matched | Became::Updated => String::new(),
    };
    match outcome {
        RowOutcome::Refused if why.is_empty() => report.incomplete += 1,
        RowOutcome::Refused if (report.refusals.len() as u64) < TOLD => {
            report.refusals.push((row.line, why.clone()));
        }
        _ => {}
    }
    if !is_shown {
        return;
    }
    let cells = row.cells.iter().map(|cell| cell.text.trim()).filter(|text| !text.is_empty());
    let text = cut(&cells.take(CELLS).collect::<Vec<_>>().join(" · "), CHARACTERS);
    report.rows.push(ShownRow { line: row.line, outcome, text, why });
}

/// What a row says: each text with what requests call its member.
type RowFields = Vec<(&'static str, String)>;

/// What became of a row.
enum Became {
    Created,
    Matched,
    Updated,
    /// Of which record that is, in words.
    InTrash(String),
    Refused(Refusal),
}

/// Why a row is refused.
#[derive(Default)]
struct Refusal {
    /// What is wrong with it.
    own: Vec<String>,
    /// What is missing in all rows, and told once for all of them.
    missing: Vec<String>,
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal { own: vec![why], missing: Vec::new() }
    }
}

impl RowsImport<'_> {
    fn sheet(
        &mut self,
        file: &Path,
        sheet: &mut Sheet<'_, '_>,
        named: Option<RowHandlers>,
    ) -> Result<(), TransferError> {
        let Some(heading) = sheet.next()? else { return Ok(()) };
        let mut next = sheet.next()?;
        // A workbook has sheets of many kinds: one without rows says nothing, and a row of documents holds no file.
        if !sheet.name.is_empty() && (next.is_none() || is_called(Document::TABLE, &sheet.name)) {
            return Ok(());
        }
        let mapping = Mapping::read(&heading, named, &sheet.name, &self.chosen, self.lang)
            .map_err(TransferError::Refused)?;
        let table = mapping.handlers.table();
        self.remember(&mapping)?;
        self.defaults = self.defaults_of(&mapping)?;
        let mut report = FileReport {
            file: file.display().to_string(),
            sheet: sheet.name.clone(),
            resource: table.name.to_owned(),
            columns: mapping
                .columns
                .iter()
                .map(|mapped| (mapped.heading.clone(), mapped.field.member.to_owned()))
                .collect(),
            ignored: mapping.ignored.clone(),
            ..FileReport::default()
        };
        if let Some(refused) = &mut self.refused {
            refused.headings(&mapping.headings, self.lang)?;
        }
        let (what, mut read) = (rows_of(file, &sheet.name), 0);
        while let Some(row) = next {
            let became = self.row(&mapping, &row)?;
            if let (Became::Refused(why), Some(refused)) = (&became, &mut self.refused) {
                let why = [&why.own[..], &why.missing].concat().join("; ");
                refused.add(&row, mapping.headings.len(), &why)?;
            }
            count(&mut report, &row, became);
            self.with.tx.tell_so_far(self.actor)?;
            // Whoever waits for the processor goes first.
            std::thread::yield_now();
            read += 1;
            tell(self.hears, Progress::named(what.clone(), read, sheet.rows.max(read)))?;
            next = sheet.next()?;
        }
        if matches!(table.kind, Kind::List(_)) {
            self.lookup.refresh(*self.with.tx)?;
        }
        report.defaults = self.defaults.drain(..).map(RowDefault::report).collect();
        self.report.files.push(report);
        Ok(())
    }

    /// Remembers what was chosen for the columns of a file.
    fn remember(&mut self, mapping: &Mapping) -> Result<(), TransferError> {
        for heading in &mapping.headings {
            let folded = fold(heading);
            if self.chosen.asked.contains_key(&folded) {
                let own = mapping.columns.iter().find(|mapped| mapped.heading == *heading);
                let member = own.map_or("", |mapped| mapped.field.member);
                imports::remember_heading(self.with.tx, mapping.handlers.table(), &folded, member)?;
            }
            self.headings.insert(folded);
        }
        Ok(())
    }

    fn row(&mut self, mapping: &Mapping, row: &SheetRow) -> Result<Became, TransferError> {
        if let Some(why) = &row.refused {
            return Ok(Became::Refused(why.clone().into()));
        }
        let beyond = row.cells.iter().skip(mapping.headings.len()).any(|cell| !cell.text.trim().is_empty());
        if beyond {
            let (cells, headings) = (row.cells.len(), mapping.headings.len());
            let why = say!(
                self.lang,
                "a linha tem {cells} colunas, e os cabeçalhos são {headings}; veja as aspas e os separadores",
                "the line has {cells} columns, and there are {headings} headings; look at quotation marks and separators"
            );
            return Ok(Became::Refused(why.into()));
        }
        let (fields, mut wrong) = self.fields(mapping, row)?;
        let defaults = self.default_fields(&fields, &mut wrong)?;
        if !wrong.is_empty() {
            return Ok(Became::Refused(Refusal { own: wrong, missing: Vec::new() }));
        }
        let table = mapping.handlers.table();
        // No key is among the defaults, but which way the money of a category goes may be.
        let all = [&fields[..], &defaults].concat();
        let known = match self.lookup.match_of(*self.with.tx, table, &all)? {
            Ok(known) => known,
            Err(why) => return Ok(Became::Refused(why.into())),
        };
        match known.map(|id| self.current(table, id)).transpose()?.flatten() {
            Some(known) => self.known(mapping, known, fields, &defaults),
            None => self.unknown(mapping, fields, &defaults),
        }
    }

    /// A row of which none is: the record that the same row made before, or a new one.
    fn unknown(
        &mut self,
        mapping: &Mapping,
        mut fields: RowFields,
        defaults: &Fields,
    ) -> Result<Became, TransferError> {
        let table = mapping.handlers.table();
        let names = table.fields.iter().find(|field| field.ty == Type::ExternalIds);
        let has_key = Lookup::has_key(table, &fields);
        // What is set may be another the next time, and the row is still the same.
        let content = if has_key { None } else { Some(self.contents.name(table, &fields)?) };
        if let Some(content) = &content
            && let Some(id) = external_ids::holder(*self.with.tx, table, content)?
            && let Some(known) = self.current(table, id)?
        {
            return self.known(mapping, known, fields, defaults);
        }
        fields.extend_from_slice(defaults);
        if let (Some(content), Some(names)) = (&content, names) {
            fields.push((names.member, content.as_str().to_owned()));
        }
        match self.with.handle(None, |call| mapping.handlers.create(call, &fields)) {
            Ok(id) => {
                if let (Some(content), None) = (&content, names) {
                    external_ids::note(self.with.tx, table, id, content)?;
                }
                self.count_defaults(defaults);
                Ok(Became::Created)
            }
            Err(problem) => self.refusal(mapping, problem),
        }
    }

    fn refusal(&mut self, mapping: &Mapping, problem: Problem) -> Result<Became, TransferError> {
        if problem.is_ours() {
            return Err(problem.into());
        }
        let mut refusal = Refusal::default();
        for (member, reason) in problem.wrong().iter() {
            let why = |heading: &str| format!("{heading}: {}", reason.say(self.lang));
            let missing = self.defaults.iter_mut().find(|own| own.is_missing(member));
            match missing.filter(|_| *reason == Reason::Required) {
                Some(missing) => {
                    missing.rows += 1;
                    refusal.missing.push(why(missing.label(self.lang)));
                }
                None => refusal.own.push(why(mapping.heading(member))),
            }
        }
        if refusal.own.is_empty() && refusal.missing.is_empty() {
            refusal.own.push(problem.code().to_owned());
        }
        Ok(Became::Refused(refusal))
    }
}

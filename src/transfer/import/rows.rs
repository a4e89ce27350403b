//! Rows of files, made records by the handlers of the API in one transaction, which stays or is only tried.

mod contents;
mod known;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use contents::RowContents;

use super::lookup::Lookup;
use super::mapping::{Chosen, Mapping, is_called, table_named};
use super::refused::RefusedRows;
use super::sheet::{Sheet, SheetRow, each_sheet};
use super::stopped::Stopped;
use super::values::value;
use super::whole::Progress;
use super::{FileReport, Import, RowOutcome, RowsReport, ShownRow};
use crate::api::pages::cut;
use crate::api::rows::RowHandlers;
use crate::domain::lang::say;
use crate::domain::{Flow, Lang, fold};
use crate::http::{Api, HandlersTransaction, Problem};
use crate::records::{Document, Field, Kind, List, Record as _, Type};
use crate::store::external_ids;
use crate::store::imports;
use crate::store::journal::Actor;
use crate::transfer::error::TransferError;

/// So many rows of each sort are told; all that are refused stand in the file of `--refused`.
const TOLD: u64 = 200;
/// So much of a row is told: cells, and characters.
const CELLS: usize = 4;
const CHARACTERS: usize = 120;

/// Imports the rows of all files; without `apply` nothing of it stays.
///
/// # Errors
/// Why nothing was imported.
pub(super) fn import(
    api: &Arc<Api>,
    import: Import,
    lang: Lang,
    progress: Progress,
) -> Result<RowsReport, TransferError> {
    let ended = api.in_one_transaction(move |with| {
        let at = with.app().now();
        let files = import.files.iter().filter_map(|file| file.file_name());
        let files: Vec<_> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        let id = imports::begin(with.tx, at, &files, false)?;
        let actor = Actor::import(at).of_request(imports::request_id(id));
        with.tx.by(actor.clone());
        let mut report = run(with, &import, &actor, lang, &progress)?;
        let sum = |count: fn(&FileReport) -> u64| report.files.iter().map(count).sum::<u64>();
        let created = sum(|file| file.created) + report.made.len() as u64;
        let updated = sum(|file| file.updated);
        imports::end(with.tx, id, created, updated)?;
        report.import = (import.apply && created + updated > 0).then_some(id);
        Stopped::unless(import.apply, report)
    });
    Stopped::outcome(ended)
}

fn run(
    with: &HandlersTransaction<'_>,
    import: &Import,
    actor: &Actor,
    lang: Lang,
    progress: &Progress,
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
        refused: import.refused.as_deref().map(RefusedRows::begin).transpose()?,
        report: RowsReport::default(),
        read: 0,
    };
    rows.lookup.refresh(*with.tx)?;
    for file in &import.files {
        each_sheet(file, lang, &mut |sheet| rows.sheet(file, sheet, named, progress))
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
    rows.refused.map_or(Ok(()), RefusedRows::finish)?;
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
    refused: Option<RefusedRows>,
    report: RowsReport,
    read: u64,
}

/// Notes what became of a row.
fn tell(report: &mut FileReport, row: &SheetRow, became: &Became, why: String) {
    let (count, outcome) = match became {
        Became::Created => (&mut report.created, RowOutcome::Created),
        Became::Matched => (&mut report.matched, RowOutcome::Matched),
        Became::Updated => (&mut report.updated, RowOutcome::Updated),
        Became::Refused(_) => (&mut report.refused, RowOutcome::Refused),
    };
    *count += 1;
    if *count > TOLD {
        return;
    }
    let cells = row.cells.iter().map(|cell| cell.text.trim()).filter(|text| !text.is_empty());
    let text = cut(&cells.take(CELLS).collect::<Vec<_>>().join(" · "), CHARACTERS);
    if outcome == RowOutcome::Refused {
        report.refusals.push((row.line, why.clone()));
    }
    report.rows.push(ShownRow { line: row.line, outcome, text, why });
}

/// What a row says: each text with what requests call its member.
type RowFields = Vec<(&'static str, String)>;

/// What became of a row.
enum Became {
    Created,
    Matched,
    Updated,
    Refused(Vec<String>),
}

impl RowsImport<'_> {
    fn sheet(
        &mut self,
        file: &Path,
        sheet: &mut Sheet<'_>,
        named: Option<RowHandlers>,
        progress: &Progress,
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
        while let Some(row) = next {
            let became = self.row(&mapping, &row)?;
            let why = if let Became::Refused(why) = &became { why.join("; ") } else { String::new() };
            if let (Became::Refused(_), Some(refused)) = (&became, &mut self.refused) {
                refused.add(&row, mapping.headings.len(), &why)?;
            }
            tell(&mut report, &row, &became, why);
            self.with.tx.tell_so_far(self.actor)?;
            // Whoever waits for the processor goes first.
            std::thread::yield_now();
            self.read += 1;
            if self.read.is_multiple_of(1000) {
                progress(self.read, 0);
            }
            next = sheet.next()?;
        }
        if matches!(table.kind, Kind::List(_)) {
            self.lookup.refresh(*self.with.tx)?;
        }
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
        let beyond = row.cells.iter().skip(mapping.headings.len()).any(|cell| !cell.text.trim().is_empty());
        if beyond {
            let (cells, headings) = (row.cells.len(), mapping.headings.len());
            return Ok(Became::Refused(vec![say!(
                self.lang,
                "a linha tem {cells} colunas, e os cabeçalhos são {headings}; veja as aspas e os separadores",
                "the line has {cells} columns, and there are {headings} headings; look at quotation marks and separators"
            )]));
        }
        let (fields, wrong) = self.fields(mapping, row)?;
        if !wrong.is_empty() {
            return Ok(Became::Refused(wrong));
        }
        let table = mapping.handlers.table();
        let known = match self.lookup.match_of(*self.with.tx, table, &fields)? {
            Ok(known) => known,
            Err(why) => return Ok(Became::Refused(vec![why])),
        };
        match known {
            Some(id) => self.known(mapping, id, fields),
            None => self.unknown(mapping, fields),
        }
    }

    /// What the members of a row are, and what is wrong with its cells.
    fn fields(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
    ) -> Result<(RowFields, Vec<String>), TransferError> {
        let (mut fields, mut wrong) = (Vec::new(), Vec::new());
        let filled = mapping.columns.iter().filter_map(|mapped| {
            let cell = row.cells.get(mapped.at)?;
            (!cell.text.trim().is_empty()).then_some((mapped, cell))
        });
        let filled: Vec<_> = filled.collect();
        let flow = filled.iter().find(|(mapped, _)| mapped.field.column == "entry_type");
        let flow = flow.and_then(|(mapped, cell)| value(mapped.field.ty, cell, self.lang).ok());
        let flow = flow.and_then(|text| Flow::parse(&text).ok());
        for (mapped, cell) in filled {
            let read = match value(mapped.field.ty, cell, self.lang) {
                Ok(text) => self.meant(mapped.field, &text, flow)?,
                Err(why) => Err(why),
            };
            match read {
                Ok(text) => fields.push((mapped.field.member, text)),
                Err(why) => wrong.push(format!("{}: {why}", mapped.heading)),
            }
        }
        Ok((fields, wrong))
    }

    /// The text with entries and records by their ids.
    fn meant(
        &mut self,
        field: &'static Field,
        text: &str,
        flow: Option<Flow>,
    ) -> Result<Result<String, String>, TransferError> {
        let flow = flow.filter(|_| field.ty == Type::Reference(List::Categories));
        let mut ids = Vec::new();
        let parts: Vec<&str> = match field.ty {
            Type::Links(_) => {
                text.split([';', '\n', '·']).map(str::trim).filter(|part| !part.is_empty()).collect()
            }
            _ => vec![text],
        };
        for part in parts {
            let id = match field.ty {
                Type::Reference(list) | Type::Links(Kind::List(list)) => {
                    self.lookup.entry(self.with, list, part, flow)?
                }
                Type::Links(kind) | Type::Record(kind) => self.lookup.record(*self.with.tx, kind, part)?,
                _ => return Ok(Ok(text.to_owned())),
            };
            match id {
                Ok(id) => ids.push(id.to_string()),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(ids.join(",")))
    }

    /// A row of which none is: the record that the same row made before, or a new one.
    fn unknown(&mut self, mapping: &Mapping, mut fields: RowFields) -> Result<Became, TransferError> {
        let table = mapping.handlers.table();
        let names = table.fields.iter().find(|field| field.ty == Type::ExternalIds);
        let has_key = Lookup::has_key(table, &fields);
        let content = if has_key { None } else { Some(self.contents.name(table, &fields)?) };
        if let Some(content) = &content
            && let Some(id) = external_ids::holder(*self.with.tx, table, content)?
        {
            return self.known(mapping, id, fields);
        }
        if let (Some(content), Some(names)) = (&content, names) {
            fields.push((names.member, content.as_str().to_owned()));
        }
        match self.with.handle(None, |call| mapping.handlers.create(call, &fields)) {
            Ok(id) => {
                if let (Some(content), None) = (&content, names) {
                    external_ids::note(self.with.tx, table, id, content)?;
                }
                Ok(Became::Created)
            }
            Err(problem) => self.refusal(mapping, problem),
        }
    }

    fn refusal(&self, mapping: &Mapping, problem: Problem) -> Result<Became, TransferError> {
        if problem.is_ours() {
            return Err(problem.into());
        }
        let wrong = problem.wrong().iter();
        let mut said: Vec<String> = wrong
            .map(|(member, reason)| format!("{}: {}", mapping.heading(member), reason.say(self.lang)))
            .collect();
        if said.is_empty() {
            said.push(problem.code().to_owned());
        }
        Ok(Became::Refused(said))
    }
}

//! Imports one row: finds its record, then creates or changes the record or refuses the row.

use std::borrow::Cow;

use super::RowsImport;
use super::cells::row_cells::RowCells;
use super::cells::values_for_notes::Extra;
use super::check_row_id::RowId;
use super::existing_record::KnownRecord;
use super::repeated_calendar_days::FirstValues;
use super::row_outcome::{ImportedRow, MAX_EXAMPLES, RowRefusal, WrongCell};
use super::totals_and_titles::{is_ornament, is_total};
use crate::domain::Reason;
use crate::http::Problem;
use crate::http::json::form::Fields;
use crate::records::Lawsuit;
use crate::store::lists;
use crate::store::records::external_ids;
use crate::transfer::import::FileReport;
use crate::transfer::import::column_mapping::Mapping;
use crate::transfer::import::column_names::letters;
use crate::transfer::import::headings::Meaning;
use crate::transfer::import::lookup::Lookup;
use crate::transfer::import::sheet::{ReadCell, SheetRow};
use crate::transfer::import::values::{digits, is_no_value};
use crate::transfer::prelude::*;
use crate::transfer::savepoint::keep_if;

impl RowsImport<'_> {
    /// Imports a row. Returns the outcome, and a text on the meaning of the row's id or on a repeated row. Customers and
    /// entries that a refused row names are not created.
    pub(super) fn import_row(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        report: &mut FileReport,
    ) -> Result<(ImportedRow, String)> {
        if !self.lookup.creates() {
            return self.row_within(mapping, row, report);
        }
        let tx = self.with.tx;
        let made = self.lookup.made.len();
        let is_kept = |(became, _): &(ImportedRow, String)| !matches!(became, ImportedRow::Refused(_));
        let done = keep_if(tx, is_kept, || self.row_within(mapping, row, report))?;
        if !is_kept(&done) {
            self.lookup.forget_made(*tx, made)?;
        }
        Ok(done)
    }

    fn row_within(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        report: &mut FileReport,
    ) -> Result<(ImportedRow, String)> {
        let table = mapping.handlers.table();
        let cell =
            mapping.column(|meaning| matches!(meaning, Meaning::Id)).and_then(|own| row.cells.get(own.at));
        let id_text =
            cell.map(|cell| cell.text.trim()).filter(|text| !is_no_value(text) && row.refused.is_none());
        let id = id_text.and_then(digits);
        if let Some(id) = id
            && !self.ids.note(table.kind, id)
        {
            let why = localize!(
                self.lang,
                "o Id {id} já está em outra linha; se esta é de outro registro, esvazie a célula do Id",
                "the Id {id} is already in another line; if this line is another record, clear the cell of the Id"
            );
            return Ok((ImportedRow::Refused(why.into()), String::new()));
        }
        let (became, own, kept) = self.row_with(mapping, row, id, report)?;
        if let (Some(id), Some(record)) = (id, became.record()) {
            self.ids.note_record(table.kind, id, record);
        }
        if let Some(record) = became.record()
            && let Some(first) = self.lines.insert(record, row.line, self.table_number)
        {
            report.repeated += 1;
            if report.repeated <= MAX_EXAMPLES {
                report.repetitions.push((row.line, first));
            }
            let text =
                localize!(self.lang, "o mesmo registro da linha {first}", "the same record as line {first}");
            return Ok((became, text));
        }
        let text = match (id_text, &own) {
            (Some(id_text), _) if id.is_none() => localize!(
                self.lang,
                "{id_text} não é um Id do Pleito e não conta",
                "{id_text} is no Id of Pleito's and does not count"
            ),
            (_, RowId::Other(_)) if report.other_ids >= MAX_EXAMPLES => String::new(),
            (_, RowId::Other(id)) => self.other_text(table, *id)?,
            (_, RowId::Own(view)) => {
                report.by_id += 1;
                // Rows that the report does not list need no text.
                let shown =
                    if report.by_id <= MAX_EXAMPLES { self.heading(table, view.id)? } else { String::new() };
                let kept = if kept.is_empty() { kept } else { ["; ", &kept].concat() };
                return Ok((became, format!("Id {}: {shown}{kept}", view.id)));
            }
            _ => {
                let text = match became {
                    _ if !kept.is_empty() => kept,
                    ImportedRow::Matched(id) if report.matched < MAX_EXAMPLES => {
                        self.matched_text(mapping, row, id)?
                    }
                    _ => String::new(),
                };
                return Ok((became, text));
            }
        };
        report.other_ids += 1;
        if report.other_ids <= MAX_EXAMPLES {
            report.ids_left_out.push((row.line, text.clone()));
        }
        Ok((became, text))
    }

    /// Returns the outcome, the meaning of the row's id, and a text on a value of the row that the record does not take.
    fn row_with(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        id: Option<u32>,
        report: &mut FileReport,
    ) -> Result<(ImportedRow, RowId, String)> {
        let without_record = |became: ImportedRow| Ok((became, RowId::None, String::new()));
        let refused = |refusal: RowRefusal| without_record(ImportedRow::Refused(refusal));
        if let Some(became) = self.outcome_without_record(row) {
            return without_record(became);
        }
        let row = &with_values(row);
        let beyond = row.cells.iter().enumerate().skip(mapping.headings.len());
        let beyond: Vec<_> = beyond.filter(|(_, cell)| !cell.text.trim().is_empty()).collect();
        if !(beyond.is_empty() || self.import.notes && self.notes.is_some()) {
            let cells = row.cells.len();
            let headings = mapping.headings.len();
            let why = localize!(
                self.lang,
                "a linha tem {cells} colunas, e os cabeçalhos são {headings}; veja as aspas e os separadores",
                "the line has {cells} columns, but there are {headings} headings; check the quotation marks and separators"
            );
            return refused(why.into());
        }
        let table = mapping.handlers.table();
        let mut cells = self.read_members(mapping, row, id)?;
        for (at, cell) in beyond {
            cells.note(&letters(at), &cell.text);
        }
        let own = match id {
            Some(id) => self.row_id(mapping, row, id, &cells.fields)?,
            None => RowId::None,
        };
        if let RowId::Doubtful(id) = own {
            return refused(self.doubtful_text(table, id)?.into());
        }
        self.add_links(mapping, row, &own, &mut cells)?;
        let wrong = std::mem::take(&mut cells.wrong).into_iter();
        let mut wrong = wrong.map(|WrongCell { heading, why, .. }| format!("{heading}: {why}")).collect();
        let mut defaults = self.default_fields(&cells.fields, &mut wrong)?;
        if !wrong.is_empty() {
            return refused(RowRefusal { own: wrong, missing: Vec::new() });
        }
        // Defaults contain no key, but they may contain the flow that tells apart two entries of one name.
        let all = match &defaults[..] {
            [] => Cow::Borrowed(&cells.fields[..]),
            defaults => [&cells.fields[..], defaults].concat().into(),
        };
        let known = match own.view() {
            Some(view) => Some(view.id),
            None => match self.matching_record(table, &all, id.is_some())? {
                Ok(known) => known,
                Err(why) => return refused(why.into()),
            },
        };
        let known = known.map(|id| self.current(table, id)).transpose()?.flatten();
        if matches!(known, None | Some(KnownRecord::TakenBack(_))) {
            defaults.extend(self.closed_by_stage(table, &cells.fields)?);
        }
        let first = FirstValues::bind(table).then(|| cells.fields.clone());
        let mut kept = String::new();
        let became = match known {
            Some(KnownRecord::Live(id))
                if own.view().is_none()
                    && let Some(why) = self.other_person(table, id, &all)? =>
            {
                ImportedRow::Refused(why.into())
            }
            Some(KnownRecord::Live(id))
                if let Some(why) =
                    self.first_values.contradiction(table, (self.file, id), &cells.fields, self.lang) =>
            {
                ImportedRow::Refused(why.into())
            }
            Some(known) => {
                if let KnownRecord::Live(id) = known {
                    kept = self.keep_key(table, id, &mut cells.fields)?;
                }
                self.import_existing(mapping, row, known, own.view(), &mut cells, &defaults)?
            }
            None => self.import_new(mapping, row, id, &mut cells, &defaults)?,
        };
        if let (Some(first), Some(record)) = (first, became.record()) {
            self.first_values.note(self.file, record, row.line, first);
        }
        if matches!(became, ImportedRow::Created(_) | ImportedRow::Updated(_)) {
            note_extras(report, row.line, &cells.extras);
        }
        Ok((became, own, kept))
    }

    /// Finds the record of a row without an id of its own: by the keys among its fields, a lawsuit also by its number. Fails
    /// with why it cannot be told.
    fn matching_record(
        &mut self,
        table: &'static Table,
        fields: &Fields,
        has_id: bool,
    ) -> Result<Result<Option<u32>, String>> {
        match self.lookup.match_of(*self.with.tx, table, fields)? {
            Some(known) => Ok(Ok(Some(known))),
            None => self.lawsuit_by_number(table, fields, has_id),
        }
    }

    /// Returns the outcome of a row that cannot be a record.
    fn outcome_without_record(&self, row: &SheetRow) -> Option<ImportedRow> {
        if let Some(why) = &row.refused {
            return Some(ImportedRow::Refused(why.clone().into()));
        }
        if is_total(row) {
            return Some(ImportedRow::Skipped(self.lang.pick(
                "parece a linha do total, e não um registro",
                "it looks like a line of totals, not a record",
            )));
        }
        is_ornament(row).then(|| {
            ImportedRow::Skipped(self.lang.pick(
                "parece um título ou um rodapé no meio da planilha, e não um registro",
                "it looks like a title or a footer within the sheet, not a record",
            ))
        })
    }

    /// Returns the day of the import as that of the closure of a new case whose stage says that it is closed.
    fn closed_by_stage(&self, table: &Table, fields: &Fields) -> Result<Option<(&'static str, String)>> {
        let [stage, closed] = ["stage_id", CLOSED].map(|column| Lawsuit::TABLE.field(column));
        let Some((stage, closed)) = stage.zip(closed).filter(|_| table.kind == Lawsuit::KIND) else {
            return Ok(None);
        };
        let value = |field: &Field| fields.iter().find(|(member, _)| *member == field.member);
        let id = value(stage).filter(|_| value(closed).is_none()).and_then(|(_, id)| id.parse().ok());
        let Some(entry) = id.map(|id| lists::by_id(*self.with.tx, List::Stages, id)).transpose()?.flatten()
        else {
            return Ok(None);
        };
        let is_closed = entry.name_key.split(' ').next().is_some_and(|first| ARCHIVED.contains(&first));
        Ok(is_closed.then(|| (closed.member, self.with.app().today().br())))
    }

    /// Imports a row that matches no record by a key. A row without a key may match the record that an equal
    /// row created before; if not, creates a new record.
    fn import_new(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        id: Option<u32>,
        cells: &mut RowCells,
        defaults: &Fields,
    ) -> Result<ImportedRow> {
        let table = mapping.handlers.table();
        let names = table.fields.iter().find(|field| field.ty == Type::ExternalIds);
        let has_key = Lookup::has_key(table, &cells.fields);
        // Defaults and notes may differ the next time, so they are not part of the content.
        let content = match has_key {
            true => None,
            false => Some(self.contents.name(table, &cells.fields, id, &cells.extras)?),
        };
        if let Some(content) = &content
            && let Some(id) = external_ids::holder(*self.with.tx, table, content)?
            && let Some(known) = self.current(table, id)?
        {
            return self.import_existing(mapping, row, known, None, cells, defaults);
        }
        let RowCells { fields, extras, .. } = cells;
        let is_inactive =
            matches!(table.kind, Kind::List(_)) && fields.contains(&("active", "false".to_owned()));
        fields.retain(|(member, _)| !(is_inactive && *member == "active"));
        fields.extend_from_slice(defaults);
        if let (Some(content), Some(names)) = (&content, names) {
            fields.push((names.member, content.as_str().to_owned()));
        }
        loop {
            let all = self.with_extras(fields, extras, "");
            match self.with.handle(|call| mapping.handlers.create(call, &all)) {
                Ok(id) => {
                    self.count_defaults(defaults);
                    if is_inactive {
                        self.inactive.push((mapping.handlers, id));
                    }
                    return Ok(ImportedRow::Created(id));
                }
                Err(problem) if self.give_way(mapping, row, &problem, fields, extras) => {}
                Err(problem) => return self.refusal(mapping, problem),
            }
        }
    }

    /// Deactivates new entries that the file marks as inactive, now that the records that use them are stored.
    pub(super) fn deactivate(&mut self) -> Result<()> {
        let fields = [("active", "false".to_owned())];
        for (handlers, id) in self.inactive.drain(..) {
            self.with.handle(|call| handlers.change(call, id, &fields))?;
        }
        Ok(())
    }

    pub(super) fn refusal(&mut self, mapping: &Mapping, problem: Problem) -> Result<ImportedRow> {
        if problem.is_ours() {
            return Err(problem.into());
        }
        let mut refusal = RowRefusal::default();
        let table = mapping.handlers.table();
        let stands = |(member, reason): &(&str, &Reason)| !self.can_lack(table, member, reason);
        let wrong: Vec<(&str, &Reason)> = problem.wrong().iter().collect();
        // What would go to the notes is no reason to refuse the row.
        let stand = wrong.iter().copied().filter(stands).collect::<Vec<_>>();
        for (member, reason) in if stand.is_empty() { wrong } else { stand } {
            let why = |heading: &str| format!("{heading}: {}", reason.message(self.lang));
            let missing = self.defaults.iter_mut().find(|own| own.is_missing(member));
            match missing.filter(|_| *reason == Reason::Required) {
                Some(missing) => {
                    missing.rows += 1;
                    let of_rows = if missing.has_column { &mut refusal.own } else { &mut refusal.missing };
                    of_rows.push(why(missing.label(self.lang)));
                }
                // A taken value is reported under `duplicate`, and the reason says which it is.
                None if table.member(member).is_none() => {
                    refusal.own.push(reason.message(self.lang).into_owned());
                }
                None => refusal.own.push(why(mapping.heading(member))),
            }
        }
        if refusal.own.is_empty() && refusal.missing.is_empty() {
            refusal.own.push(problem.sentence(self.lang).to_owned());
        }
        Ok(ImportedRow::Refused(refusal))
    }
}

/// Returns a row without the signs that stand for no value.
fn with_values(row: &SheetRow) -> Cow<'_, SheetRow> {
    let mut row = Cow::Borrowed(row);
    let is_blank = |cell: &ReadCell| !cell.text.is_empty() && !cell.is_error && is_no_value(&cell.text);
    if row.cells.iter().any(is_blank) {
        row.to_mut().cells.iter_mut().filter(|cell| is_blank(cell)).for_each(|cell| cell.text.clear());
    }
    row
}

/// The column with the day on which a case was closed.
const CLOSED: &str = "status_closure";
/// First words of stages of closed cases, folded.
const ARCHIVED: [&str; 2] = ["arquivado", "arquivada"];

/// Maximum number of rows in the report of which it tells what goes to the notes.
const MAX_NOTED: u64 = 20;

/// Counts a row with something for the notes, and lists the first ones.
fn note_extras(report: &mut FileReport, line: u64, extras: &[Extra]) {
    if extras.is_empty() {
        return;
    }
    report.noted += 1;
    if report.noted <= MAX_NOTED {
        let lines: Vec<_> = extras.iter().map(Extra::line).collect();
        report.notes.push((line, lines.join(" · ")));
    }
}

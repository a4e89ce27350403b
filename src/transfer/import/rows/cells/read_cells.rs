//! Reads the cells of a row as members of a record.

use std::borrow::Cow;

use super::check_row_id::RowId;
use super::links::{LinkedCell, parts};
use super::row_cells::RowCells;
use super::row_outcome::WrongCell;
use super::values_for_notes::Extra;
use super::{FLOW, RowsImport};
use crate::domain::parties::named_person::several::joined;
use crate::domain::{Day, Flow, ProcessNumber, Reason, TimeOfDay};
use crate::store::records::stored;
use crate::transfer::import::DateOrder;
use crate::transfer::import::column_mapping::{MappedColumn, Mapping, is_joined};
use crate::transfer::import::dates::{is_dated, is_no_date};
use crate::transfer::import::headings::{Meaning, linked_kind};
use crate::transfer::import::sheet::{ReadCell, SheetRow};
use crate::transfer::import::values::{can_be_number, completed_number, value};
use crate::transfer::prelude::*;

/// The reason against a date of a file whose dates have their month first.
const NOT_MONTH_FIRST: Bilingual = (
    "deve ser uma data que exista, como MM/DD/AAAA",
    "must be a date that exists, as MM/DD/YYYY or YYYY-MM-DD",
);

/// A cell that is not blank, its column, and the member that it fills in.
pub(super) type FilledCell<'a> = (&'a MappedColumn, &'static Field, &'a ReadCell);

impl RowsImport<'_> {
    /// Reads the members of a row that link to no record, and collects the wrong cells. `id` is the row's id.
    pub(super) fn fields(&mut self, mapping: &Mapping, row: &SheetRow, id: Option<u32>) -> Result<RowCells> {
        let mut cells = RowCells::default();
        let row = &self.first_values(mapping, row, &mut cells);
        let filled = mapping.columns.iter().filter_map(|mapped| {
            let (Meaning::Member(field) | Meaning::Part(field, _)) = mapped.meaning else { return None };
            let cell = row.cells.get(mapped.at)?;
            let is_blank = cell.text.trim().is_empty() || is_dated(field.ty) && is_no_date(&cell.text);
            let is_meant = linked_kind(field).is_none() && !is_blank;
            is_meant.then_some((mapped, field, cell))
        });
        let filled: Vec<FilledCell<'_>> = filled.collect();
        let flow = filled.iter().find(|(_, field, _)| field.column == FLOW);
        let flow = flow.and_then(|(_, field, cell)| value(field.ty, cell, self.lang).ok());
        let flow = flow.or_else(|| self.default_of(FLOW).map(str::to_owned));
        let flow = flow.and_then(|text| Flow::parse(&text).ok());
        let full_name = if mapping.has_name_parts() { self.full_name(&filled, &mut cells) } else { None };
        let full_name = full_name.map(ReadCell::text);
        for (mapped, field, cell) in &filled {
            let mapped = *mapped;
            let field = *field;
            let number = match self.number_before_text(field, cell).filter(|_| self.notes.is_some()) {
                Some(number) if !self.is_value_of(mapping, field, id, cell.text.trim())? => Some(number),
                _ => None,
            };
            if number.is_some() {
                cells.note(&mapped.heading, &cell.text);
            }
            let cell = match (&full_name, &number) {
                (Some(full), _) if field.column == "name" && !cell.is_error => full,
                (_, Some(number)) => number,
                _ => *cell,
            };
            let text = cell.text.trim();
            match field.ty {
                // Read below: one value may consist of several cells, or one cell may have several values.
                Type::Phone | Type::Email | Type::Text(_) if !cell.is_error => continue,
                _ if is_joined(field) && !cell.is_error => continue,
                // Address books keep birthdays without a year, as `--02-29`.
                Type::Day | Type::SlashedDay if text.starts_with("--") && self.notes.is_some() => {
                    cells.note(&mapped.heading, text);
                    continue;
                }
                // A text that cannot be a key goes to the notes, so that the row counts as one without a key.
                Type::TaxId | Type::ProcessNumber
                    if self.notes.is_some()
                        && !cell.is_error
                        && (!can_be_number(text) || self.import.notes && !self.is_readable(field, cell))
                        && !self.is_value_of(mapping, field, id, text)? =>
                {
                    cells.note(&mapped.heading, text);
                    continue;
                }
                _ => {}
            }
            let has_time = |time: &Field| filled.iter().any(|(_, field, _)| field.column == time.column);
            let parts = day_and_time(mapping.handlers.table(), field, &self.dated(field, cell))
                .filter(|(_, (time, _))| !has_time(time));
            if let Some((_, (time, text))) = &parts {
                cells.fields.push((time.member, text.clone()));
            }
            let cell = parts.as_ref().map_or(cell, |(day, _)| day);
            let read = self.read(field, cell, flow)?;
            let read = read.and_then(|text| match mapping.is_export() || !self.is_slip(field, &text) {
                true => Ok(text),
                false => Err(Reason::AfterToday.message(self.lang).into_owned()),
            });
            match read {
                Ok(read) if read.is_empty() => self.keep(mapping, &mut cells, mapped, text),
                Ok(read) if !cells.has(field.member) => {
                    cells.fields.push((field.member, read));
                    if self.notes.is_some()
                        && matches!(field.ty, Type::Reference(list) if self.lookup.is_several(list, text))
                    {
                        cells.note(&mapped.heading, text);
                    }
                }
                // An earlier column has another value.
                Ok(read) if !cells.holds(field.member, &read) => {
                    self.keep(mapping, &mut cells, mapped, text);
                }
                Ok(_) => {}
                Err(_) if self.takes(field) => cells.note(&mapped.heading, text),
                Err(why) => {
                    cells.wrong.push(WrongCell { heading: mapped.heading.clone(), member: field.member, why })
                }
            }
        }
        // A wrong cell is no error if another column has a value for the member.
        let members: Vec<_> = cells.fields.iter().map(|(member, _)| *member).collect();
        let (other, wrong) = std::mem::take(&mut cells.wrong)
            .into_iter()
            .partition::<Vec<_>, _>(|wrong| members.contains(&wrong.member));
        cells.wrong = wrong;
        for WrongCell { heading, member, .. } in other {
            let own = mapping.of_member(member).find(|own| own.heading == heading);
            let text = own.and_then(|own| row.cells.get(own.at)).map(|cell| cell.text.trim());
            cells.note(&heading, text.unwrap_or_default());
        }
        self.phones(mapping, &filled, &mut cells);
        self.addresses(&filled, &mut cells);
        self.texts(mapping, &filled, &mut cells);
        self.part_name(mapping, &mut cells);
        for column in mapping.left.iter().filter(|column| column.is_kept) {
            if let Some(cell) = row.cells.get(column.at) {
                cells.note(&column.heading, &cell.text);
            }
        }
        Ok(cells)
    }

    /// Returns a row with the first value of each cell with several, as in `Criciúma ::: Laguna` of Google. The others
    /// go to the notes. Phones and e-mail addresses may be several and stay.
    fn first_values<'r>(
        &self,
        mapping: &Mapping,
        row: &'r SheetRow,
        cells: &mut RowCells,
    ) -> Cow<'r, SheetRow> {
        let mut row = Cow::Borrowed(row);
        for mapped in &mapping.columns {
            let Some(field) = mapped.meaning.field() else { continue };
            let Some(cell) = row.cells.get(mapped.at) else { continue };
            if let Some((first, others)) = cell.text.split_once(" ::: ")
                && !matches!(field.ty, Type::Phone | Type::Email)
                && self.notes.is_some()
            {
                let first = first.to_owned();
                let others = others.to_owned();
                cells.note(&mapped.heading, &others.replace(" ::: ", "\n"));
                if let Some(cell) = row.to_mut().cells.get_mut(mapped.at) {
                    cell.text = first;
                }
            }
        }
        row
    }

    /// Adds an unused cell to the notes if several columns fill in its member, or if `Import::notes` is set.
    fn keep(&self, mapping: &Mapping, cells: &mut RowCells, mapped: &MappedColumn, text: &str) {
        let is_wanted = mapping.of_member(mapped.meaning.member()).nth(1).is_some() || self.import.notes;
        if is_wanted && self.notes.is_some() {
            cells.note(&mapped.heading, text);
        }
    }

    /// Returns `true` if a refused cell goes to the notes, because a record can lack the member or get it by default.
    pub(super) fn takes(&self, field: &Field) -> bool {
        let is_list = matches!(field.ty, Type::Reference(_) | Type::Links(Kind::List(_)));
        let is_notes = self.notes.is_some_and(|notes| notes.column == field.column);
        let can_lack = !field.required && !field.decisive || is_list;
        self.import.notes && self.notes.is_some() && !is_notes && can_lack
    }

    /// Returns `true` if the refused cells of a member go to the notes instead of keeping the row out.
    pub(super) fn can_lack(&self, table: &Table, member: &str, reason: &Reason) -> bool {
        let field = table.member(member).filter(|field| self.takes(field) && !field.required);
        reason.code() != Reason::Required.code() && field.is_some()
    }

    fn is_readable(&self, field: &Field, cell: &ReadCell) -> bool {
        self.value(field, cell).is_ok_and(|text| field.read(&Input::Text(&text)).is_ok())
    }

    /// Returns `true` if the record with this id has exactly this text, as in an export that is imported again.
    fn is_value_of(&self, mapping: &Mapping, field: &Field, id: Option<u32>, text: &str) -> Result<bool> {
        let Some(id) = id else { return Ok(false) };
        let found = stored(*self.with.tx, mapping.handlers.table(), id, [field.column])?;
        Ok(found.is_some_and(|[value]| value.text() == Some(text)))
    }

    /// Adds the members of a row that link to records, and collects the cells that are wrong.
    pub(super) fn add_links(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        id: &RowId,
        cells: &mut RowCells,
    ) -> Result<()> {
        let is_foreign = matches!(id, RowId::Other(_) | RowId::Elsewhere);
        // A task with a lawsuit has the lawsuit's customers, however the row spells them.
        let is_filled =
            |column: &MappedColumn| row.cells.get(column.at).is_some_and(|cell| !cell.text.trim().is_empty());
        let has_lawsuit = mapping.handlers.table().kind == Kind::Task
            && mapping
                .links
                .iter()
                .any(|(field, columns)| field.column == "lawsuit_id" && columns.iter().any(is_filled));
        for (field, columns) in &mapping.links {
            if has_lawsuit && field.column == "customer_id" {
                for mapped in columns.iter().filter(|_| self.import.notes) {
                    cells.note(&mapped.heading, row.cells.get(mapped.at).map_or("", |cell| cell.text.trim()));
                }
                continue;
            }
            let now = id.view().map(|view| view.value(field.column).ids());
            self.note_chosen_customers(field, columns, row)?;
            let mut linked = self.linked(field, columns, row, &cells.fields, now.clone(), is_foreign)?;
            let is_settled = !matches!(linked, Some(Err(_) | Ok(LinkedCell { is_partial: true, .. })));
            if !is_settled && self.settle_customers(field, columns, row, &cells.fields)? {
                linked = self.linked(field, columns, row, &cells.fields, now, is_foreign)?;
            }
            match linked.or_else(|| self.error_of(field, columns, row).map(Err)) {
                Some(Ok(LinkedCell { ids, unlinked, .. })) => {
                    let ids = ids.iter().map(u32::to_string).collect::<Vec<_>>();
                    cells.fields.push((field.member, ids.join(",")));
                    for Extra { heading, text } in unlinked {
                        cells.note(&heading, &text);
                    }
                }
                Some(Err(own)) if self.takes(field) => {
                    let column = columns.iter().find(|column| column.heading == own.heading);
                    let cell = column.and_then(|column| row.cells.get(column.at));
                    cells.note(&own.heading, cell.map_or("", |cell| cell.text.as_str()));
                }
                Some(Err(own)) => cells.wrong.push(own),
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the text of a cell in the form that the field parses, or the reason against it.
    fn value(&self, field: &Field, cell: &ReadCell) -> Result<String, String> {
        let whole = match field.ty {
            Type::ProcessNumber => completed_number(cell, self.with.app().today()),
            _ => None,
        };
        whole.map_or_else(|| value(field.ty, cell, self.lang), Ok)
    }

    /// Splits a number off the text behind it: `529.982.247-25 (titular)`. Returns `None` if there is no such text.
    fn number_before_text(&self, field: &Field, cell: &ReadCell) -> Option<ReadCell> {
        /// A shorter number may be that of a house, although it is a CPF without its leading zeros.
        const MIN_DIGITS: usize = "88800000".len();
        let text = cell.text.trim();
        let is_whole = |part: &str| match field.ty {
            Type::ProcessNumber => ProcessNumber::parse(part).is_ok_and(|number| number.cnj().is_some()),
            _ => self.is_readable(field, &ReadCell::text(part)),
        };
        let is_kind = matches!(field.ty, Type::TaxId | Type::ProcessNumber | Type::PostalCode);
        if !is_kind || cell.is_error || is_whole(text) {
            return None;
        }
        let ends = text.char_indices().filter(|(_, c)| c.is_whitespace() || "(,;/-–".contains(*c));
        let mut parts = ends.map(|(at, _)| text.split_at(at));
        let (number, _) = parts.find(|(number, rest)| {
            let digits = number.bytes().filter(u8::is_ascii_digit).count();
            digits >= MIN_DIGITS && rest.chars().any(char::is_alphabetic) && is_whole(number.trim())
        })?;
        Some(ReadCell::text(number.trim()))
    }

    /// Returns the first error in the cells of a linking member.
    fn error_of(&self, field: &Field, columns: &[MappedColumn], row: &SheetRow) -> Option<WrongCell> {
        columns.iter().find_map(|mapped| {
            let cell = row.cells.get(mapped.at).filter(|cell| cell.is_error)?;
            let why = value(field.ty, cell, self.lang).err()?;
            Some(WrongCell { heading: mapped.heading.clone(), member: field.member, why })
        })
    }

    /// Returns the text of a cell with names replaced by ids. Empty if the user left the name out.
    pub(super) fn read(
        &mut self,
        field: &'static Field,
        cell: &ReadCell,
        flow: Option<Flow>,
    ) -> Result<Result<String, String>> {
        let cell = &*self.dated(field, cell);
        match self.value(field, cell) {
            // The reason of the member would name the other order.
            Ok(text)
                if self.import.dates == Some(DateOrder::Mdy)
                    && field.read(&Input::Text(&text)) == Err(Reason::NotDay) =>
            {
                Ok(Err(self.lang.pick(NOT_MONTH_FIRST.0, NOT_MONTH_FIRST.1).to_owned()))
            }
            Ok(text) => self.meant(field, &text, flow),
            Err(why) => Ok(Err(why)),
        }
    }

    /// Returns `true` if a date, in the domain's notation, is likely a slip.
    fn is_slip(&self, field: &Field, text: &str) -> bool {
        is_dated(field.ty) && Day::parse(text).is_ok_and(|day| field.days.is_slip(day, self.dates.today))
    }

    /// Returns a cell with its date in the domain's notation and in the office's time zone.
    fn dated<'c>(&self, field: &Field, cell: &'c ReadCell) -> Cow<'c, ReadCell> {
        if !is_dated(field.ty) {
            return Cow::Borrowed(cell);
        }
        let read = self.dates.read(field.ty, field.days.day_of(), cell);
        let text = read.as_deref().unwrap_or(&cell.text);
        match field.ty.local(text, self.with.app().zone()) {
            Cow::Borrowed(text) if text == cell.text => Cow::Borrowed(cell),
            text => Cow::Owned(ReadCell { is_error: cell.is_error, ..ReadCell::text(text) }),
        }
    }

    /// Replaces the names of entries and records in a text by their ids.
    fn meant(
        &mut self,
        field: &'static Field,
        text: &str,
        flow: Option<Flow>,
    ) -> Result<Result<String, String>> {
        let flow = flow.filter(|_| field.ty == Type::Reference(List::Categories));
        let mut ids = Vec::new();
        for part in self.names(field, text) {
            let id = match field.ty {
                Type::Reference(list) | Type::Links(Kind::List(list)) => {
                    self.lookup.entry(self.with, list, part, flow)?
                }
                Type::Links(kind) | Type::Record(kind) => {
                    self.lookup.record(*self.with.tx, kind, part, true)?.map(Some)
                }
                _ => return Ok(Ok(text.to_owned())),
            };
            match id {
                Ok(id) => ids.extend(id.map(|id| id.to_string())),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(ids.join(",")))
    }

    /// Splits a text into the names of entries or records. For a list, names joined by a word are several entries if
    /// they fit better than the whole: `Ana e Bia`.
    fn names<'t>(&self, field: &Field, text: &'t str) -> Vec<&'t str> {
        let parts = parts(field, text);
        let Type::Links(Kind::List(list)) = field.ty else { return parts };
        let names = |part: &'t str| {
            let names = joined(part);
            let whole = self.lookup.fit(list, part);
            let least = names.iter().map(|name| self.lookup.fit(list, name)).min();
            if least.is_some_and(|least| least > whole) { names } else { vec![part] }
        };
        parts.into_iter().flat_map(names).collect()
    }
}

/// Splits a cell into day and time, if records store the two separately.
fn day_and_time(
    table: &'static Table,
    field: &Field,
    cell: &ReadCell,
) -> Option<(ReadCell, (&'static Field, String))> {
    let (day, text) = cell.text.trim().split_once(' ')?;
    let text = TimeOfDay::completed(text).unwrap_or_else(|| text.to_owned());
    let time = table.fields.iter().find_map(|own| match own.source {
        Source::MomentOf(day, time, _) if day == field.column => table.field(time),
        _ => None,
    })?;
    // Midnight stands for a day without a time.
    let is_time =
        time.read(&Input::Text(&text)).is_ok() && !text.bytes().all(|byte| matches!(byte, b'0' | b':'));
    is_time.then(|| (ReadCell::text(day), (time, text)))
}

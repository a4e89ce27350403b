//! Reads the cells of a row as members of a record.

use std::borrow::Cow;

use super::cell_value::day_and_time;
use super::row_cells::RowCells;
use super::values_for_notes::Extra;
use crate::domain::{Flow, Reason};
use crate::store::records::stored;
use crate::transfer::import::column_mapping::{MappedColumn, Mapping, is_joined};
use crate::transfer::import::dates::{is_dated, is_no_date};
use crate::transfer::import::headings::{Meaning, linked_kind};
use crate::transfer::import::rows::check_row_id::RowId;
use crate::transfer::import::rows::links::LinkedCell;
use crate::transfer::import::rows::row_outcome::WrongCell;
use crate::transfer::import::rows::{FLOW, RowsImport};
use crate::transfer::import::sheet::{ReadCell, SheetRow};
use crate::transfer::import::values::{can_be_number, value};
use crate::transfer::prelude::*;

/// A cell that is not blank, its column, and the member that it fills in.
pub(in crate::transfer::import::rows) type FilledCell<'a> = (&'a MappedColumn, &'static Field, &'a ReadCell);

impl RowsImport<'_> {
    /// Reads the members of a row that link to no record, and collects the wrong cells. `id` is the row's id.
    pub(in crate::transfer::import::rows) fn read_members(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        id: Option<u32>,
    ) -> Result<RowCells> {
        let mut cells = RowCells::default();
        let row = &self.first_values(mapping, row, &mut cells);
        let filled = filled_cells(mapping, row);
        let flow = self.flow_of(&filled);
        let full_name = if mapping.has_name_parts() { self.full_name(&filled, &mut cells) } else { None };
        let full_name = full_name.map(ReadCell::text);
        for &(mapped, field, cell) in &filled {
            let cell = match &full_name {
                Some(full) if field.column == "name" && !cell.is_error => full,
                _ => cell,
            };
            let number = self.number_alone(mapping, (mapped, field, cell), id, &mut cells)?;
            let cell = number.as_ref().unwrap_or(cell);
            if is_read_with_others(field, cell) {
                continue;
            }
            if self.belongs_in_notes(mapping, field, cell, id)? {
                cells.note(&mapped.heading, &cell.text);
                continue;
            }
            self.read_member(mapping, (mapped, field, cell), &filled, flow, &mut cells)?;
        }
        note_needless_errors(mapping, row, &mut cells);
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

    /// Returns the flow of a transaction's row, by which the names of its categories are found.
    fn flow_of(&self, filled: &[FilledCell<'_>]) -> Option<Flow> {
        let flow = filled.iter().find(|(_, field, _)| field.column == FLOW);
        let flow = flow.and_then(|(_, field, cell)| value(field.ty, cell, self.lang).ok());
        let flow = flow.or_else(|| self.default_of(FLOW).map(str::to_owned));
        flow.and_then(|text| Flow::parse(&text).ok())
    }

    /// Returns the number of a cell with a text behind it, and adds the whole cell to the notes. `None` if the cell is only a
    /// number or has none.
    fn number_alone(
        &self,
        mapping: &Mapping,
        (mapped, field, cell): FilledCell<'_>,
        id: Option<u32>,
        cells: &mut RowCells,
    ) -> Result<Option<ReadCell>> {
        let Some(number) = self.number_before_text(field, cell).filter(|_| self.notes.is_some()) else {
            return Ok(None);
        };
        if self.is_value_of(mapping, field, id, cell.text.trim())? {
            return Ok(None);
        }
        cells.note(&mapped.heading, &cell.text);
        Ok(Some(number))
    }

    /// Returns `true` if a cell goes to the notes unread.
    fn belongs_in_notes(
        &self,
        mapping: &Mapping,
        field: &Field,
        cell: &ReadCell,
        id: Option<u32>,
    ) -> Result<bool> {
        let text = cell.text.trim();
        Ok(match field.ty {
            _ if self.notes.is_none() => false,
            // Address books keep birthdays without a year, as `--02-29`.
            Type::Day | Type::SlashedDay => text.starts_with("--"),
            // A text that cannot be a key goes to the notes, so that the row counts as one without a key.
            Type::TaxId | Type::ProcessNumber => {
                !cell.is_error
                    && (!can_be_number(text) || self.import.notes && !self.is_readable(field, cell))
                    && !self.is_value_of(mapping, field, id, text)?
            }
            _ => false,
        })
    }

    /// Reads a cell as the value of its member. If an earlier column has another value, this one is not used.
    fn read_member(
        &mut self,
        mapping: &Mapping,
        (mapped, field, cell): FilledCell<'_>,
        filled: &[FilledCell<'_>],
        flow: Option<Flow>,
        cells: &mut RowCells,
    ) -> Result<()> {
        let text = cell.text.trim();
        let has_time = |time: &Field| filled.iter().any(|(_, field, _)| field.column == time.column);
        let parts = day_and_time(mapping.handlers.table(), field, &self.dated(field, cell))
            .filter(|(_, (time, _))| !has_time(time));
        if let Some((_, (time, text))) = &parts {
            cells.fields.push((time.member, text.clone()));
        }
        let cell = parts.as_ref().map_or(cell, |(day, _)| day);
        let read = self.read_value(field, cell, flow)?;
        let read = read.and_then(|text| match mapping.is_export() || !self.is_slip(field, &text) {
            true => Ok(text),
            false => Err(Reason::AfterToday.message(self.lang).into_owned()),
        });
        match read {
            Ok(read) if read.is_empty() => self.note_unused(mapping, cells, mapped, text),
            Ok(read) if !cells.has_member(field.member) => {
                cells.fields.push((field.member, read));
                let is_several =
                    matches!(field.ty, Type::Reference(list) if self.lookup.is_several(list, text));
                if self.notes.is_some() && is_several {
                    cells.note(&mapped.heading, text);
                }
            }
            Ok(read) if !cells.has_value(field.member, &read) => {
                self.note_unused(mapping, cells, mapped, text);
            }
            Ok(_) => {}
            Err(_) if self.can_go_to_notes(field) => cells.note(&mapped.heading, text),
            Err(why) => {
                cells.wrong.push(WrongCell { heading: mapped.heading.clone(), member: field.member, why })
            }
        }
        Ok(())
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
    fn note_unused(&self, mapping: &Mapping, cells: &mut RowCells, mapped: &MappedColumn, text: &str) {
        let is_wanted = mapping.of_member(mapped.meaning.member()).nth(1).is_some() || self.import.notes;
        if is_wanted && self.notes.is_some() {
            cells.note(&mapped.heading, text);
        }
    }

    /// Returns `true` if a refused cell goes to the notes, because a record can lack the member or get it by default.
    pub(in crate::transfer::import::rows) fn can_go_to_notes(&self, field: &Field) -> bool {
        let is_list = matches!(field.ty, Type::Reference(_) | Type::Links(Kind::List(_)));
        let is_notes = self.notes.is_some_and(|notes| notes.column == field.column);
        let can_lack = !field.required && !field.decisive || is_list;
        self.import.notes && self.notes.is_some() && !is_notes && can_lack
    }

    /// Returns `true` if the refused cells of a member go to the notes instead of keeping the row out.
    pub(in crate::transfer::import::rows) fn can_lack(
        &self,
        table: &Table,
        member: &str,
        reason: &Reason,
    ) -> bool {
        let field = table.member(member).filter(|field| self.can_go_to_notes(field) && !field.required);
        reason.code() != Reason::Required.code() && field.is_some()
    }

    /// Returns `true` if the record with this id has exactly this text, as in an export that is imported again.
    fn is_value_of(&self, mapping: &Mapping, field: &Field, id: Option<u32>, text: &str) -> Result<bool> {
        let Some(id) = id else { return Ok(false) };
        let found = stored(*self.with.tx, mapping.handlers.table(), id, [field.column])?;
        Ok(found.is_some_and(|[value]| value.text() == Some(text)))
    }

    /// Adds the members of a row that link to records, and collects the cells that are wrong.
    pub(in crate::transfer::import::rows) fn add_links(
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
                Some(Err(own)) if self.can_go_to_notes(field) => {
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

    /// Returns the first error in the cells of a linking member.
    fn error_of(&self, field: &Field, columns: &[MappedColumn], row: &SheetRow) -> Option<WrongCell> {
        columns.iter().find_map(|mapped| {
            let cell = row.cells.get(mapped.at).filter(|cell| cell.is_error)?;
            let why = value(field.ty, cell, self.lang).err()?;
            Some(WrongCell { heading: mapped.heading.clone(), member: field.member, why })
        })
    }
}

/// Returns the cells that are not blank and fill in a member that links to no record.
fn filled_cells<'a>(mapping: &'a Mapping, row: &'a SheetRow) -> Vec<FilledCell<'a>> {
    let filled = mapping.columns.iter().filter_map(|mapped| {
        let (Meaning::Member(field) | Meaning::Part(field, _)) = mapped.meaning else { return None };
        let cell = row.cells.get(mapped.at)?;
        let is_blank = cell.text.trim().is_empty() || is_dated(field.ty) && is_no_date(&cell.text);
        let is_meant = linked_kind(field).is_none() && !is_blank;
        is_meant.then_some((mapped, field, cell))
    });
    filled.collect()
}

/// Returns `true` if the value of a cell is read together with others (`several_values`): one value may consist of several
/// cells, or one cell may have several values.
fn is_read_with_others(field: &Field, cell: &ReadCell) -> bool {
    let is_several = matches!(field.ty, Type::Phone | Type::Email | Type::Text(_)) || is_joined(field);
    is_several && !cell.is_error
}

/// Moves wrong cells to the notes if another column has a value for their member.
fn note_needless_errors(mapping: &Mapping, row: &SheetRow, cells: &mut RowCells) {
    let members: Vec<_> = cells.fields.iter().map(|(member, _)| *member).collect();
    let (needless, wrong) = std::mem::take(&mut cells.wrong)
        .into_iter()
        .partition::<Vec<_>, _>(|wrong| members.contains(&wrong.member));
    cells.wrong = wrong;
    for WrongCell { heading, member, .. } in needless {
        let own = mapping.of_member(member).find(|own| own.heading == heading);
        let text = own.and_then(|own| row.cells.get(own.at)).map(|cell| cell.text.trim());
        cells.note(&heading, text.unwrap_or_default());
    }
}

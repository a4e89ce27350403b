//! What the cells of a row say of a record's members.

use super::outcome::WrongCell;
use super::own::RowId;
use super::{FLOW, ReadCell, RowFields, RowsImport};
use crate::domain::Flow;
use crate::records::{Field, Input, Kind, List, Source, Type};
use crate::transfer::error::TransferError;
use crate::transfer::import::headings::{Says, linked_kind};
use crate::transfer::import::mapping::Mapping;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::import::values::value;

impl RowsImport<'_> {
    /// Returns the members of a row that link to no record, and what is wrong with its cells.
    pub(super) fn fields(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
    ) -> Result<(RowFields, Vec<WrongCell>), TransferError> {
        let (mut fields, mut wrong) = (Vec::new(), Vec::new());
        let filled = mapping.columns.iter().filter_map(|mapped| {
            let Says::Member(field) = mapped.says else { return None };
            let cell = row.cells.get(mapped.at)?;
            let is_meant = linked_kind(field).is_none() && !cell.text.trim().is_empty();
            is_meant.then_some((mapped, field, cell))
        });
        let filled: Vec<_> = filled.collect();
        let flow = filled.iter().find(|(_, field, _)| field.column == FLOW);
        let flow = flow.and_then(|(_, field, cell)| value(field.ty, cell, self.lang).ok());
        let flow = flow.or_else(|| self.default_of(FLOW).map(str::to_owned));
        let flow = flow.and_then(|text| Flow::parse(&text).ok());
        for (mapped, field, cell) in filled {
            let parts = day_and_time(mapping, field, cell);
            if let Some((_, (time, text))) = &parts {
                fields.push((time.member, text.clone()));
            }
            let cell = parts.as_ref().map_or(cell, |(day, _)| day);
            match self.read(field, cell, flow)? {
                Ok(text) => fields.push((field.member, text)),
                Err(why) => wrong.push(WrongCell { heading: mapped.heading.clone(), why }),
            }
        }
        Ok((fields, wrong))
    }

    /// Adds the members of a row that link to records, and what is wrong with them.
    pub(super) fn add_links(
        &self,
        mapping: &Mapping,
        row: &SheetRow,
        id: &RowId,
        fields: &mut RowFields,
        wrong: &mut Vec<WrongCell>,
    ) -> Result<(), TransferError> {
        let is_foreign = matches!(id, RowId::Other(_) | RowId::Elsewhere);
        for (field, columns) in &mapping.links {
            let now = id.view().map(|view| view.value(field.column).ids());
            match self.linked(field, columns, row, fields, now, is_foreign)? {
                Some(Ok(ids)) => {
                    let ids = ids.iter().map(u32::to_string).collect::<Vec<_>>();
                    fields.push((field.member, ids.join(",")));
                }
                Some(Err(own)) => wrong.push(own),
                None => {}
            }
        }
        Ok(())
    }

    /// What a cell says of a member, with entries and records by their ids.
    pub(super) fn read(
        &mut self,
        field: &'static Field,
        cell: &ReadCell,
        flow: Option<Flow>,
    ) -> Result<Result<String, String>, TransferError> {
        match value(field.ty, cell, self.lang) {
            Ok(text) => self.meant(field, &text, flow),
            Err(why) => Ok(Err(why)),
        }
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
                Type::Links(kind) | Type::Record(kind) => {
                    self.lookup.record(*self.with.tx, kind, part, true)?
                }
                _ => return Ok(Ok(text.to_owned())),
            };
            match id {
                Ok(id) => ids.push(id.to_string()),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(ids.join(",")))
    }
}

/// The day and the time of a cell that has both, where records keep them apart and no other column has the time.
fn day_and_time(
    mapping: &Mapping,
    field: &Field,
    cell: &ReadCell,
) -> Option<(ReadCell, (&'static Field, String))> {
    let table = mapping.handlers.table();
    let time = table.fields.iter().find_map(|own| match own.source {
        Source::At(day, time, _) if day == field.column => table.field(time),
        _ => None,
    })?;
    let (day, text) = cell.text.trim().split_once([' ', 'T'])?;
    let has_column = mapping.has(time.column);
    // Midnight is no time of day.
    let is_time =
        time.read(&Input::Text(text)).is_ok() && !text.bytes().all(|byte| matches!(byte, b'0' | b':'));
    (is_time && !has_column).then(|| (ReadCell::text(day), (time, text.to_owned())))
}

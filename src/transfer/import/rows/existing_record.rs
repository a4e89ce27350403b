//! Imports a row of an existing record: leaves the record as it is or in the trash, fills, changes or restores it.

use super::cells::row_cells::RowCells;
use super::cells::values_for_notes::has_line;
use super::row_outcome::ImportedRow;
use super::{RowFields, RowsImport};
use crate::api::record::rows::RowHandlers;
use crate::domain::ExternalIds;
use crate::http::Problem;
use crate::http::json::form::Fields;
use crate::records::{FieldType as _, Lawsuit};
use crate::store::journal;
use crate::store::lists;
use crate::store::records::{self, View};
use crate::store::trash;
use crate::transfer::export::xlsx::{MAX_CELL_CHARACTERS, SHORTENED};
use crate::transfer::import::column_mapping::Mapping;
use crate::transfer::import::lookup::sent_value;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::notes::between;
use crate::transfer::prelude::*;

pub(super) enum KnownRecord {
    Live(u32),
    /// The import of the record was undone. The record is in the trash or, if it is a list entry, inactive.
    TakenBack(u32),
    InTrash(u32),
}

impl RowsImport<'_> {
    /// Returns the present state of a record, or `None` if it was purged. Follows merges to the remaining record.
    pub(super) fn current(
        &self,
        table: &'static Table,
        id: u32,
    ) -> Result<Option<KnownRecord>, TransferError> {
        let db = *self.with.tx;
        if let Kind::List(list) = table.kind {
            let is_gone = lists::is_active(db, list, id)? == Some(false);
            let known = if is_gone && journal::is_taken_back(db, table.name, id)? {
                KnownRecord::TakenBack(id)
            } else {
                KnownRecord::Live(id)
            };
            return Ok(Some(known));
        }
        Ok(match trash::remaining(db, table, id)? {
            None => None,
            Some((id, false)) => Some(KnownRecord::Live(id)),
            Some((id, true)) if journal::is_taken_back(db, table.name, id)? => {
                Some(KnownRecord::TakenBack(id))
            }
            Some((id, true)) => Some(KnownRecord::InTrash(id)),
        })
    }

    /// Finds the lawsuit of a row by its number, which several lawsuits may share. If the row has an id, ignores
    /// lawsuits that another row with an id stands for, and prefers the lawsuit with the row's customers.
    pub(super) fn lawsuit_by_number(
        &self,
        table: &Table,
        fields: &Fields,
        has_id: bool,
    ) -> Result<Result<Option<u32>, String>, TransferError> {
        let text = |column: &str| sent_value(table, fields, column);
        let Some(key) = table.field("process_number").filter(|_| table.kind == Lawsuit::KIND) else {
            return Ok(Ok(None));
        };
        let number = text(key.column).and_then(|number| key.read(&Input::Text(number)).ok());
        let Some(number) = number else { return Ok(Ok(None)) };
        let db = *self.with.tx;
        let mut all = records::holders(db, table, key, &number, None, if has_id { u32::MAX } else { 2 })?;
        all.retain(|holder| !holder.is_deleted);
        let free = all.iter().map(|holder| holder.id);
        let free: Vec<_> = free.filter(|id| !has_id || !self.ids.is_taken(table.kind, *id)).collect();
        if let ([one], [_]) = (&free[..], &all[..]) {
            return Ok(Ok(Some(*one)));
        }
        for id in free.iter().filter(|_| has_id) {
            let customers = records::links(db, table, "customers", *id)?;
            let customers = customers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            if text("customers") == Some(&customers) {
                return Ok(Ok(Some(*id)));
            }
        }
        Ok(match &free[..] {
            [] => Ok(None),
            _ => Err(self
                .lang
                .pick("há mais de um processo com este número", "there are several lawsuits of this number")
                .to_owned()),
        })
    }

    /// Removes the CPF or CNPJ of a record that was merged into this one from an update: each keeps its own. Returns a
    /// text that says so, or an empty one.
    pub(super) fn keep_key(
        &self,
        table: &'static Table,
        id: u32,
        fields: &mut RowFields,
    ) -> Result<String, TransferError> {
        let key = table.identifying_members().find(|field| field.unique);
        let Some(key) = key.filter(|_| self.import.update) else { return Ok(String::new()) };
        let at = fields.iter().position(|(member, _)| *member == key.member);
        let Some((at, (_, text))) = at.and_then(|at| Some((at, fields.get(at)?))) else {
            return Ok(String::new());
        };
        let db = *self.with.tx;
        let Ok(value) = key.read(&Input::Text(text)) else { return Ok(String::new()) };
        let holder = records::holders(db, table, key, &value, None, 1)?.pop().map(|holder| holder.id);
        let Some(merged) = holder.filter(|holder| *holder != id) else { return Ok(String::new()) };
        if trash::remaining(db, table, merged)? != Some((id, false)) {
            return Ok(String::new());
        }
        fields.remove(at);
        let noun = self.lang.pick(table.noun.0, table.noun.1);
        let label = self.lang.pick(key.label.0, key.label.1);
        Ok(localize!(
            self.lang,
            "{noun} {merged} foi unido a {id}; cada um fica com o seu valor de {label}",
            "{noun} {merged} was merged into {id}; each keeps its own value of {label}"
        ))
    }

    /// Imports a row of an existing record. `view` is the record, if it was read already. Adds the values that go to
    /// the notes to the extras of `cells`.
    pub(super) fn import_existing(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        known: KnownRecord,
        view: Option<&View>,
        cells: &mut RowCells,
        defaults: &Fields,
    ) -> Result<ImportedRow, TransferError> {
        let table = mapping.handlers.table();
        let id = match known {
            KnownRecord::Live(id) => id,
            KnownRecord::TakenBack(id) => return self.import_taken_back(mapping, row, id, cells, defaults),
            KnownRecord::InTrash(id) => {
                let noun = self.lang.pick(table.noun.0, table.noun.1);
                return Ok(ImportedRow::InTrash(id, format!("{noun} {id}")));
            }
        };
        // With `notes`, a second row of the same record must not lose values either.
        let is_later = self.lines.has(id, self.table_number);
        let is_repeated = self.import.notes && is_later;
        if !self.import.update && !self.import.fill && !is_repeated {
            return Ok(ImportedRow::Matched(id));
        }
        let is_own = view.is_some_and(|view| view.id == id);
        let read = match view {
            Some(view) if view.id == id => None,
            _ => View::read(*self.with.tx, table, &[id])?.pop(),
        };
        let Some(view) = read.as_ref().or(view).filter(|view| view.id == id) else {
            return Err(TransferError::Defect("a record vanished inside its own transaction".to_owned()));
        };
        let RowCells { fields, extras, .. } = cells;
        let takes_over = self.import.update && !is_repeated;
        if takes_over {
            self.last_values.replace(self.table_number, id, (self.file, row.line), fields);
        }
        if !is_own {
            add_external_ids(table, view, fields);
        }
        let later = (takes_over && is_later).then(|| fields.clone());
        // So must a row of another file that only fills in what is empty.
        if is_repeated || self.import.notes && self.import.fill {
            let is_lost = |member: &str| self.would_lose(table, view, &*fields, member);
            extras.extend(self.differing(mapping, row, &is_lost));
        }
        // Defaults never overwrite a value of the record.
        let defaults = changing_fields(table, view, defaults.to_vec(), false);
        let mut fields = changing_fields(table, view, std::mem::take(fields), takes_over);
        fields.extend(defaults);
        let notes = self.notes.map_or("", |notes| view.text(notes.column)).to_owned();
        loop {
            let mut all = self.with_extras(&fields, extras, &notes).into_owned();
            // With extras, the notes may turn out to be unchanged.
            all.retain(|(member, text)| {
                let field = table.stored().find(|field| field.member == *member);
                field.is_none_or(|field| !is_same(field, text, view.value(field.column)))
            });
            let is_changed = !all.is_empty();
            let changed = match is_changed {
                true => self.with.handle(|call| mapping.handlers.change(call, id, &all)),
                false => Ok(()),
            };
            match changed {
                Ok(()) => {
                    self.remember_names(table, view, &all);
                    if let Some(later) = later {
                        self.last_values.note(self.table_number, id, later, is_changed);
                    }
                    return Ok(if is_changed { ImportedRow::Updated(id) } else { ImportedRow::Matched(id) });
                }
                Err(problem) if self.give_way(mapping, row, &problem, &mut fields, extras) => {}
                Err(problem) => {
                    self.last_values.note_refused(self.file, row.line);
                    return self.refusal(mapping, problem);
                }
            }
        }
    }

    /// Returns `true` if the record has another value of the member than the row, and not the row's among its notes.
    fn would_lose(&self, table: &Table, view: &View, fields: &Fields, member: &str) -> bool {
        let own = table.stored().find(|field| field.member == member);
        let cell = fields.iter().find(|(own, _)| *own == member);
        own.zip(cell).is_some_and(|(field, (_, text))| {
            let present = view.value(field.column);
            let is_noted = self.notes.is_some_and(|notes| notes.column == field.column)
                && has_line(view.text(field.column), text, between(field));
            !present.is_empty() && !is_same(field, text, present) && !is_noted
        })
    }

    /// Remembers the former names and numbers of a changed record, which other rows may still use.
    fn remember_names(&mut self, table: &Table, view: &View, fields: &Fields) {
        let changed = |column: &&str| sent_value(table, fields, column).is_some();
        let former = ["name", "identification", "process_number"].into_iter().filter(changed);
        let former: Vec<_> =
            former.map(|column| fold(view.text(column))).filter(|name| !name.is_empty()).collect();
        if !former.is_empty() {
            self.ids.note_former_names(table.kind, view.id, former);
        }
    }

    /// Imports a row of a record whose import was undone.
    fn import_taken_back(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        id: u32,
        cells: &mut RowCells,
        defaults: &Fields,
    ) -> Result<ImportedRow, TransferError> {
        let RowCells { fields, extras, .. } = cells;
        fields.extend_from_slice(defaults);
        loop {
            let all = self.with_extras(fields, extras, "");
            match self.restore(mapping.handlers, id, &all) {
                Ok(()) => {
                    self.count_defaults(defaults);
                    return Ok(ImportedRow::Created(id));
                }
                Err(problem) if self.give_way(mapping, row, &problem, fields, extras) => {}
                Err(problem) => return self.refusal(mapping, problem),
            }
        }
    }

    /// Restores a record whose import was undone. It becomes what a new record with these members would be, since the undone
    /// import may have read the file in another way.
    pub(super) fn restore(&self, handlers: RowHandlers, id: u32, fields: &Fields) -> Result<(), Problem> {
        let table = handlers.table();
        let tx = self.with.tx;
        tx.savepoint(|_| {
            match self.with.handle(|call| handlers.restore(call, id)) {
                // It refers to a record in the trash. The row may name another one.
                Err(problem) if !problem.wrong().is_empty() => trash::restore_unchecked(tx, table, id)?,
                restored => restored?,
            }
            let changed = |member: &str| table.member(member).is_some_and(|field| !field.create_only);
            let mut all: Vec<_> = fields.iter().filter(|(member, _)| changed(member)).cloned().collect();
            if let Kind::List(_) = table.kind {
                all.push(("active", "true".to_owned()));
            }
            let view = View::read(*tx, table, &[id])?.pop();
            let others = table.writable().filter(|field| {
                let is_own = field.ty == Type::ExternalIds || field.create_only || field.required;
                field.is_stored() && !is_own && !all.iter().any(|(member, _)| *member == field.member)
            });
            let is_changed = |field: &&Field| {
                let present = view.as_ref().map_or(&Value::Null, |view| view.value(field.column));
                *present != field.fallback() && !(present.is_empty() && field.fallback().is_empty())
            };
            let others = others.filter(is_changed);
            let others: Vec<_> = others.map(|field| (field.member, self.default_text(field))).collect();
            all.extend(others);
            self.with.handle(|call| handlers.change(call, id, &all))?;
            self.with.handle(|call| handlers.restore(call, id))
        })
    }

    /// Returns the default of a member as in a request. Empty if it has none.
    fn default_text(&self, field: &Field) -> String {
        match field.fallback().is_empty() {
            _ if field.is_today() => self.with.app().today().br(),
            true => String::new(),
            false => field.default.to_owned(),
        }
    }
}

/// Returns the fields of a row that change the record. If `takes_over` is not set, they only fill in what is empty.
fn changing_fields(table: &Table, view: &View, mut fields: RowFields, takes_over: bool) -> RowFields {
    fields.retain(|(member, text)| {
        let Some(field) = table.stored().find(|field| field.member == *member) else { return false };
        let present = view.value(field.column);
        !field.create_only && !is_same(field, text, present) && (takes_over || present.is_empty())
    });
    fields
}

/// Adds the record's external ids to those of a row, so that it keeps the others by which rows name it.
fn add_external_ids(table: &Table, view: &View, fields: &mut RowFields) {
    let Some(field) = table.fields.iter().find(|field| field.ty == Type::ExternalIds) else { return };
    let Some(present) = ExternalIds::from_value(view.value(field.column).clone()) else { return };
    for (_, text) in fields.iter_mut().filter(|(member, _)| *member == field.member) {
        if let Ok(own) = ExternalIds::parse(text) {
            *text = ExternalIds::joined(&[present.clone(), own]).text();
        }
    }
}

/// Returns `true` if a cell has the value of the record. For texts, ignores surrounding white space and the
/// kind of line breaks, which spreadsheets change, and accepts a long text that a workbook has cut. For opposing
/// parties, ignores what the server adds to them.
pub(super) fn is_same(field: &Field, text: &str, present: &Value<'_>) -> bool {
    match field.read(&Input::Text(text)) {
        Ok(value) if field.is_unchanged_by(&value, present) => return true,
        _ => {}
    }
    let Some(present) = present.text() else { return false };
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned();
    let text = plain(text);
    let present = plain(present);
    let is_long = text.encode_utf16().count() > MAX_CELL_CHARACTERS / 2;
    text == present || is_long && text.strip_suffix(SHORTENED).is_some_and(|begin| present.starts_with(begin))
}

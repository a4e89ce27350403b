//! Rows of which a record is known: left as it is or in the trash, filled, changed, or brought back.

use super::outcome::Became;
use super::row_cells::RowCells;
use super::{Mapping, RowsImport};
use crate::domain::{ProcessNumber, fold};
use crate::http::typed::Fields;
use crate::records::{Field, Input, Kind, Lawsuit, Record as _, Table, Value};
use crate::store::lawsuits;
use crate::store::records::{self, View};
use crate::store::settings;
use crate::store::trash::{self, Deletion};
use crate::transfer::error::TransferError;
use crate::transfer::export::sheets::{LONGEST, SHORTENED};
use crate::transfer::import::lookup::said;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::undo::was_taken_back;

/// The record that a row is of, as it is now.
pub(super) enum KnownRecord {
    Live(u32),
    /// Its import was taken back: it is in the trash, or an entry of a list that cannot be chosen.
    TakenBack(u32),
    InTrash(u32),
}

impl RowsImport<'_> {
    /// What became of a record; `None` if it was purged. One that was merged into another is that one.
    pub(super) fn current(
        &self,
        table: &'static Table,
        mut id: u32,
    ) -> Result<Option<KnownRecord>, TransferError> {
        let db = *self.with.tx;
        if let Kind::List(list) = table.kind {
            let is_gone = settings::is_active(db, list, id)? == Some(false);
            let known = if is_gone && was_taken_back(db, table, id)? {
                KnownRecord::TakenBack(id)
            } else {
                KnownRecord::Live(id)
            };
            return Ok(Some(known));
        }
        while !records::missing(db, table, &[id])?.is_empty() {
            match trash::find(db, table, id)? {
                None => return Ok(None),
                Some(Deletion { merged_into: Some(into), .. }) => id = into,
                Some(_) if was_taken_back(db, table, id)? => return Ok(Some(KnownRecord::TakenBack(id))),
                Some(_) => return Ok(Some(KnownRecord::InTrash(id))),
            }
        }
        Ok(Some(KnownRecord::Live(id)))
    }

    /// Returns the lawsuit that a row is by its number, which several may have. A row with an id is none that another row
    /// with an id already is; of several it is the one of its customers.
    pub(super) fn numbered(
        &self,
        table: &Table,
        fields: &Fields,
        has_id: bool,
    ) -> Result<Result<Option<u32>, String>, TransferError> {
        let text = |column: &str| said(table, fields, column);
        let number = text("process_number").filter(|_| table.kind == Lawsuit::KIND);
        let Some(Ok(number)) = number.map(ProcessNumber::parse) else { return Ok(Ok(None)) };
        let db = *self.with.tx;
        let all = lawsuits::of_number(db, &number, if has_id { u32::MAX } else { 2 })?;
        let free = all.iter().map(|id| id.get());
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

    /// A row of which a record is known. `view` is that record, if it was read already.
    pub(super) fn known(
        &mut self,
        mapping: &Mapping,
        row: &SheetRow,
        known: KnownRecord,
        view: Option<&View>,
        cells: RowCells,
        defaults: &Fields,
    ) -> Result<Became, TransferError> {
        let table = mapping.handlers.table();
        let id = match known {
            KnownRecord::Live(id) => id,
            KnownRecord::TakenBack(id) => return self.again(mapping, id, cells),
            KnownRecord::InTrash(id) => {
                let noun = self.lang.pick(table.noun.0, table.noun.1);
                return Ok(Became::InTrash(id, format!("{noun} {id}")));
            }
        };
        // Of a row that is the record of another one, nothing is lost either.
        let is_repeated = self.import.notes && self.lines.has(id, self.table_number);
        if !self.import.update && !self.import.fill && !is_repeated {
            return Ok(Became::Matched(id));
        }
        let read = match view {
            Some(view) if view.id == id => None,
            _ => View::read(*self.with.tx, table, &[id])?.pop(),
        };
        let Some(view) = read.as_ref().or(view).filter(|view| view.id == id) else {
            return Err(TransferError::Defect("a record vanished inside its own transaction".to_owned()));
        };
        let RowCells { fields, mut extras, .. } = cells;
        let takes_over = self.import.update && !is_repeated;
        if is_repeated {
            let differs = |member: &str| {
                let own = table.stored().find(|field| field.member == member);
                let said = fields.iter().find(|(own, _)| *own == member);
                own.zip(said).is_some_and(|(field, (_, text))| {
                    let present = view.value(field.column);
                    !is_empty(present) && !is_same(field, text, present)
                })
            };
            extras.extend(self.differing(mapping, row, &differs));
        }
        let of_file = fields.into_iter().map(|field| (field, takes_over));
        // What is set for all rows takes no record's own value away.
        let set = defaults.iter().map(|field| (field.clone(), false));
        let mut fields: Vec<_> = of_file
            .chain(set)
            .filter(|((member, text), over)| {
                let Some(field) = table.stored().find(|field| field.member == *member) else { return false };
                let present = view.value(field.column);
                !field.initial && !is_same(field, text, present) && (*over || is_empty(present))
            })
            .map(|(field, _)| field)
            .collect();
        let notes = self.notes.map_or("", |notes| view.text(notes.column)).to_owned();
        let mut first = None;
        loop {
            let mut all = self.with_extras(&fields, &extras, &notes).into_owned();
            // Extras alone may say what stands there already.
            all.retain(|(member, text)| {
                let field = table.stored().find(|field| field.member == *member);
                field.is_none_or(|field| !is_same(field, text, view.value(field.column)))
            });
            if all.is_empty() {
                return Ok(Became::Matched(id));
            }
            match self.with.handle(Some(id), |call| mapping.handlers.change(call, &all)) {
                Ok(()) => {
                    self.remember_names(table, view, &all);
                    return Ok(Became::Updated(id));
                }
                Err(problem) if self.give_way(mapping, row, &problem, &mut fields, &mut extras) => {
                    first = first.or(Some(problem));
                }
                Err(problem) => return self.refusal(mapping, first.unwrap_or(problem)),
            }
        }
    }

    /// Remembers how other rows may still call a record that was changed.
    fn remember_names(&mut self, table: &Table, view: &View, fields: &Fields) {
        let changed = |column: &&str| said(table, fields, column).is_some();
        let former = ["name", "identification", "process_number"].into_iter().filter(changed);
        let former: Vec<_> =
            former.map(|column| fold(view.text(column))).filter(|name| !name.is_empty()).collect();
        if !former.is_empty() {
            self.ids.was_called(table.kind, view.id, former);
        }
    }

    /// A row whose record an import made that was taken back: it comes back, as the row says.
    fn again(&mut self, mapping: &Mapping, id: u32, cells: RowCells) -> Result<Became, TransferError> {
        let fields = self.with_extras(&cells.fields, &cells.extras, "");
        let (handlers, table) = (mapping.handlers, mapping.handlers.table());
        let changeable = |member: &str| table.member(member).is_some_and(|field| !field.initial);
        let mut fields: Vec<_> = fields.iter().filter(|(member, _)| changeable(member)).cloned().collect();
        if let Kind::List(_) = table.kind {
            fields.push(("active", "true".to_owned()));
        }
        let back = self.with.tx.savepoint(|_| {
            self.with.handle(Some(id), |call| handlers.restore(call))?;
            self.with.handle(Some(id), |call| handlers.change(call, &fields))
        });
        match back {
            Ok(()) => Ok(Became::Created(id)),
            Err(problem) => self.refusal(mapping, problem),
        }
    }
}

fn is_empty(present: &Value<'_>) -> bool {
    matches!(present, Value::Null) || present.text() == Some("[]")
}

/// Returns `true` if a cell says what a record has. White space around a text and the way in which its lines end are a
/// spreadsheet's, and a workbook's cell has room for only so much of a long one.
pub(super) fn is_same(field: &Field, text: &str, present: &Value<'_>) -> bool {
    if field.read(&Input::Text(text)).is_ok_and(|value| value == *present) {
        return true;
    }
    let Some(present) = present.text() else { return false };
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned();
    let (text, present) = (plain(text), plain(present));
    let is_long = text.encode_utf16().count() > LONGEST / 2;
    text == present || is_long && text.strip_suffix(SHORTENED).is_some_and(|begin| present.starts_with(begin))
}

//! Rows of which a record is known: left as it is or in the trash, filled, changed, or brought back.

use super::outcome::Became;
use super::{Mapping, RowFields, RowsImport};
use crate::domain::{ProcessNumber, fold};
use crate::http::typed::Fields;
use crate::records::{Field, Input, Kind, Lawsuit, Record as _, Table, Value};
use crate::store::lawsuits;
use crate::store::records::{self, View};
use crate::store::settings;
use crate::store::trash::{self, Deletion};
use crate::transfer::error::TransferError;
use crate::transfer::undo::was_taken_back;

use crate::transfer::export::sheets::{LONGEST, SHORTENED};

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
        let text = |column: &str| {
            let member = table.field(column).map(|field| field.member);
            fields.iter().find(|(name, _)| Some(*name) == member).map(|(_, text)| text.as_str())
        };
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
        known: KnownRecord,
        view: Option<&View>,
        fields: RowFields,
        defaults: &Fields,
    ) -> Result<Became, TransferError> {
        let table = mapping.handlers.table();
        let id = match known {
            KnownRecord::Live(id) => id,
            KnownRecord::TakenBack(id) => return self.again(mapping, id, &fields),
            KnownRecord::InTrash(id) => {
                let noun = self.lang.pick(table.noun.0, table.noun.1);
                return Ok(Became::InTrash(id, format!("{noun} {id}")));
            }
        };
        if !self.import.update && !self.import.fill {
            return Ok(Became::Matched(id));
        }
        let read = match view {
            Some(view) if view.id == id => None,
            _ => View::read(*self.with.tx, table, &[id])?.pop(),
        };
        let Some(view) = read.as_ref().or(view).filter(|view| view.id == id) else {
            return Err(TransferError::Defect("a record vanished inside its own transaction".to_owned()));
        };
        let of_file = fields.into_iter().map(|field| (field, self.import.update));
        // What is set for all rows takes no record's own value away.
        let set = defaults.iter().map(|field| (field.clone(), false));
        let fields: Vec<_> = of_file
            .chain(set)
            .filter(|((member, text), over)| {
                let Some(field) = table.stored().find(|field| field.member == *member) else { return false };
                let present = view.value(field.column);
                let is_empty = matches!(present, Value::Null) || present.text() == Some("[]");
                !field.initial && !is_same(field, text, present) && (*over || is_empty)
            })
            .map(|(field, _)| field)
            .collect();
        if fields.is_empty() {
            return Ok(Became::Matched(id));
        }
        match self.with.handle(Some(id), |call| mapping.handlers.change(call, &fields)) {
            Ok(()) => {
                self.remember_names(table, view, &fields);
                Ok(Became::Updated(id))
            }
            Err(problem) => self.refusal(mapping, problem),
        }
    }

    /// Remembers how other rows may still call a record that was changed.
    fn remember_names(&mut self, table: &Table, view: &View, fields: &Fields) {
        let changed = |column: &&str| {
            let member = table.field(column).map(|field| field.member);
            fields.iter().any(|(name, _)| Some(*name) == member)
        };
        let former = ["name", "identification", "process_number"].into_iter().filter(changed);
        let former: Vec<_> =
            former.map(|column| fold(view.text(column))).filter(|name| !name.is_empty()).collect();
        if !former.is_empty() {
            self.ids.was_called(table.kind, view.id, former);
        }
    }

    /// A row whose record an import made that was taken back: it comes back, as the row says.
    fn again(&mut self, mapping: &Mapping, id: u32, fields: &Fields) -> Result<Became, TransferError> {
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

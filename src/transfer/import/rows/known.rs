//! Rows of which a record is known: left as it is or in the trash, filled, changed, or brought back.

use super::{Became, Mapping, RowFields, RowsImport};
use crate::http::typed::Fields;
use crate::records::{Input, Kind, Table, Value};
use crate::store::records::{self, View};
use crate::store::{settings, trash};
use crate::transfer::error::TransferError;
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
        while let Some(deletion) = trash::find(db, table, id)? {
            match deletion.merged_into {
                Some(into) => id = into,
                None if was_taken_back(db, table, id)? => return Ok(Some(KnownRecord::TakenBack(id))),
                None => return Ok(Some(KnownRecord::InTrash(id))),
            }
        }
        Ok(records::missing(db, table, &[id])?.is_empty().then_some(KnownRecord::Live(id)))
    }

    /// A row of which a record is known.
    pub(super) fn known(
        &mut self,
        mapping: &Mapping,
        known: KnownRecord,
        fields: RowFields,
        defaults: &Fields,
    ) -> Result<Became, TransferError> {
        let table = mapping.handlers.table();
        let id = match known {
            KnownRecord::Live(id) => id,
            KnownRecord::TakenBack(id) => return self.again(mapping, id, &fields),
            KnownRecord::InTrash(id) => {
                let noun = self.lang.pick(table.noun.0, table.noun.1);
                return Ok(Became::InTrash(format!("{noun} {id}")));
            }
        };
        if !self.import.update && !self.import.fill {
            return Ok(Became::Matched);
        }
        let Some(view) = View::read(*self.with.tx, table, &[id])?.into_iter().next() else {
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
                let same = field.read(&Input::Text(text)).is_ok_and(|value| value == *present);
                !field.initial && !same && (*over || is_empty)
            })
            .map(|(field, _)| field)
            .collect();
        if fields.is_empty() {
            return Ok(Became::Matched);
        }
        match self.with.handle(Some(id), |call| mapping.handlers.change(call, &fields)) {
            Ok(()) => Ok(Became::Updated),
            Err(problem) => self.refusal(mapping, problem),
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
            Ok(()) => Ok(Became::Created),
            Err(problem) => self.refusal(mapping, problem),
        }
    }
}

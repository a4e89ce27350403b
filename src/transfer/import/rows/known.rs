//! Rows of which a record is known: left as it is, filled, changed, or brought back.

use super::{Became, Mapping, RowFields, RowsImport};
use crate::http::typed::Fields;
use crate::records::{Input, Kind, Table, Value};
use crate::store::records::View;
use crate::store::{settings, trash};
use crate::transfer::error::TransferError;
use crate::transfer::undo::was_taken_back;

impl RowsImport<'_> {
    /// A row of which a record is known.
    pub(super) fn known(
        &mut self,
        mapping: &Mapping,
        id: u32,
        fields: RowFields,
        defaults: &Fields,
    ) -> Result<Became, TransferError> {
        let table = mapping.handlers.table();
        if self.is_gone(table, id)? && was_taken_back(*self.with.tx, table, id)? {
            return self.again(mapping, id, &fields);
        }
        if !self.import.update && !self.import.fill {
            return Ok(Became::Matched);
        }
        let Some(view) = View::read(*self.with.tx, table, &[id])?.into_iter().next() else {
            let text = self.lang.pick("o registro está na lixeira", "the record is in the trash");
            return Ok(Became::Refused(text.to_owned().into()));
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

    /// Whether a record that is known is in the trash, or an entry that cannot be chosen.
    fn is_gone(&self, table: &'static Table, id: u32) -> Result<bool, TransferError> {
        Ok(match table.kind {
            Kind::List(list) => settings::is_active(*self.with.tx, list, id)? == Some(false),
            _ => trash::find(*self.with.tx, table, id)?.is_some(),
        })
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

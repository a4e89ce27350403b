//! Rows of one file for the same day of a calendar: a second one with other values is refused, since both cannot be right, and an
//! equal one is the same record.

use std::collections::HashMap;

use super::RowFields;
use crate::http::json::form::Fields;
use crate::transfer::prelude::*;

/// The line and the values of the first row of each record whose member identifies it within another one, by the index of the
/// file, and its id.
#[derive(Default)]
pub(super) struct FirstValues(HashMap<(usize, u32), (u64, RowFields)>);

impl FirstValues {
    /// Returns `true` if a second row of a record of the table must have the values of the first one.
    pub(super) fn bind(table: &Table) -> bool {
        table.fields.iter().any(|field| field.within.is_some())
    }

    /// Notes the row of a record, unless another one was noted.
    pub(super) fn note(&mut self, file: usize, id: u32, line: u64, fields: RowFields) {
        self.0.entry((file, id)).or_insert((line, fields));
    }

    /// Returns why a row contradicts the first one of its record.
    pub(super) fn contradiction(
        &self,
        table: &Table,
        (file, id): (usize, u32),
        fields: &Fields,
        lang: Lang,
    ) -> Option<String> {
        let (line, first) = self.0.get(&(file, id))?;
        let value = |fields: &Fields, field: &Field| {
            let text = fields.iter().find(|(member, _)| *member == field.member).map(|(_, text)| text.trim());
            match text.filter(|text| !text.is_empty()) {
                Some(text) => field.read(&Input::Text(text)).unwrap_or(Value::Null),
                None => field.fallback(),
            }
        };
        let is_key = |field: &Field| field.within.is_some();
        let differing =
            table.writable().find(|field| !is_key(field) && value(first, field) != value(fields, field))?;
        let label = lang.pick(differing.label.0, differing.label.1);
        let noun = lang.pick(table.noun.0, table.noun.1);
        Some(localize!(
            lang,
            "{label}: a linha {line} é do mesmo {noun} e diz outra coisa; deixe só uma das duas",
            "{label}: line {line} is the same {noun} and says something else; leave only one of the two"
        ))
    }
}

//! Names for rows without a key, made of their content as it is stored. Equal rows have one name, and so one record.

use std::collections::HashMap;

use twox_hash::XxHash3_128;

use super::cells::values_for_notes::Extra;
use crate::domain::{ExternalId, phone_key};
use crate::http::json::form::Fields;
use crate::transfer::prelude::*;

const SYSTEM: &str = "import";

/// The rows of this import by the halves of two hashes: that of the content, and that of everything else. Takes some 60
/// bytes a row. With a million rows, fewer than one in ten million files has two contents with one half.
#[derive(Default)]
pub(super) struct RowContents {
    numbers: HashMap<(u64, u64), u32>,
    /// Number of different rows of each content.
    rows: HashMap<u64, u32>,
}

impl RowContents {
    /// Returns the external id of a row of the table with these members. `id` is the row's id in another office, and
    /// `extras` go to its notes: a row that differs in these is another record, although a later import may lack them.
    pub(super) fn name(
        &mut self,
        table: &Table,
        fields: &Fields,
        id: Option<u32>,
        extras: &[Extra],
    ) -> Result<ExternalId> {
        let mut members: Vec<_> =
            fields.iter().map(|(member, text)| (*member, stored(table, member, text))).collect();
        members.sort();
        let mut text = table.name.to_owned();
        for (member, value) in members {
            text += &["\u{1f}", member, "\u{1e}", &value].concat();
        }
        let mut others = id.map(|id| id.to_string()).unwrap_or_default();
        for Extra { heading, text } in extras {
            others += &["\u{1f}", heading, "\u{1e}", text].concat();
        }
        let hash = XxHash3_128::oneshot(text.as_bytes());
        let number = self.number(hash as u64, XxHash3_128::oneshot(others.as_bytes()) as u64);
        ExternalId::parse(&format!("{SYSTEM}:{hash:032x}-{number}"))
            .map_err(|_| TransferError::Defect("a content has no name".to_owned()))
    }

    /// Returns the number of a row among those with its content, from 1. Equal rows have the same number.
    fn number(&mut self, content: u64, others: u64) -> u32 {
        *self.numbers.entry((content, others)).or_insert_with(|| {
            let rows = self.rows.entry(content).or_default();
            *rows += 1;
            *rows
        })
    }
}

/// Returns a value as the store has it, or the text of an invalid one. Phones have the form by which they are compared.
fn stored(table: &Table, member: &str, text: &str) -> String {
    let field = table.stored().find(|field| field.member == member);
    match field.and_then(|field| field.read(&Input::Text(text)).ok()) {
        Some(Value::Text(text)) if field.is_some_and(|field| field.ty == Type::Phone) => {
            phone_key(&text).into_owned()
        }
        Some(Value::Text(text)) => text.into_owned(),
        Some(Value::Integer(number)) => number.to_string(),
        Some(Value::Ids(ids)) => ids.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        Some(Value::Null) => String::new(),
        None => text.to_owned(),
    }
}

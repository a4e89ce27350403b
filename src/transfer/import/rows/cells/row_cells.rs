//! The parsed cells of a row.

use super::values_for_notes::Extra;
use crate::transfer::import::rows::RowFields;
use crate::transfer::import::rows::row_outcome::WrongCell;

#[derive(Default)]
pub(in crate::transfer::import::rows) struct RowCells {
    pub(in crate::transfer::import::rows) fields: RowFields,
    pub(in crate::transfer::import::rows) wrong: Vec<WrongCell>,
    pub(in crate::transfer::import::rows) extras: Vec<Extra>,
}

impl RowCells {
    pub(in crate::transfer::import::rows) fn has_member(&self, member: &str) -> bool {
        self.fields.iter().any(|(own, _)| *own == member)
    }

    pub(in crate::transfer::import::rows) fn has_value(&self, member: &str, text: &str) -> bool {
        self.fields.iter().any(|(own, value)| *own == member && value == text)
    }

    pub(in crate::transfer::import::rows) fn note(&mut self, heading: &str, text: &str) {
        let extra = Extra { heading: heading.to_owned(), text: text.trim().to_owned() };
        if !extra.text.is_empty() && !self.extras.contains(&extra) {
            self.extras.push(extra);
        }
    }
}

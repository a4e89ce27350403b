//! The parsed cells of a row.

use super::RowFields;
use super::row_outcome::WrongCell;
use super::values_for_notes::Extra;

#[derive(Default)]
pub(super) struct RowCells {
    pub(super) fields: RowFields,
    pub(super) wrong: Vec<WrongCell>,
    pub(super) extras: Vec<Extra>,
}

impl RowCells {
    pub(super) fn has(&self, member: &str) -> bool {
        self.fields.iter().any(|(own, _)| *own == member)
    }

    pub(super) fn holds(&self, member: &str, text: &str) -> bool {
        self.fields.iter().any(|(own, value)| *own == member && value == text)
    }

    pub(super) fn note(&mut self, heading: &str, text: &str) {
        let extra = Extra { heading: heading.to_owned(), text: text.trim().to_owned() };
        if !extra.text.is_empty() && !self.extras.contains(&extra) {
            self.extras.push(extra);
        }
    }
}

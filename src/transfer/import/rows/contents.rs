//! What rows without any other key are known by: their content, and how many of the same came before them in this import.

use std::collections::{HashMap, HashSet};

use twox_hash::XxHash3_128;

use crate::domain::ExternalId;
use crate::http::typed::Fields;
use crate::records::Table;
use crate::transfer::error::TransferError;

/// The system under which such a row is known.
const SYSTEM: &str = "import";

/// The contents that came in this import, by half of their hashes: some 20 bytes a row. Where two of a million had the same
/// half, which one of a hundred million files has, the second would be the other's second.
#[derive(Default)]
pub(super) struct RowContents {
    came: HashSet<u64>,
    /// How often each came that came more than once.
    again: HashMap<u64, u32>,
}

impl RowContents {
    /// The name of a row of that table with those members.
    pub(super) fn name(&mut self, table: &Table, fields: &Fields) -> Result<ExternalId, TransferError> {
        let mut text = table.name.to_owned();
        let mut sorted: Vec<_> = fields.iter().collect();
        sorted.sort();
        for (member, value) in sorted {
            text += &["\u{1f}", member, "\u{1e}", value].concat();
        }
        let hash = XxHash3_128::oneshot(text.as_bytes());
        let number = self.number(hash as u64);
        ExternalId::parse(&format!("{SYSTEM}:{hash:032x}-{number}"))
            .map_err(|_| TransferError::Defect("a content has no name".to_owned()))
    }

    /// The how manieth of its content it is.
    fn number(&mut self, half: u64) -> u32 {
        if self.came.insert(half) {
            return 1;
        }
        let number = self.again.entry(half).or_insert(1);
        *number += 1;
        *number
    }
}
